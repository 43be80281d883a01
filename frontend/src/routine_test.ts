/** The result of running condition code once. */

import { type TemplateResult, html, nothing } from "lit";
import type { CodeError, RoutineTest } from "./api";
import type { Texts } from "./texts";

/** Shows an error of condition code as a sentence, with its line and technical text. */
export function errorOfCode(texts: Texts, { kind, line, detail }: CodeError): TemplateResult {
  return html`
    ${line ? texts("routines.line", { line }) : nothing} ${texts(`routines.fault.${kind}`)}
    ${detail ? html`<code lang="en">${detail}</code>` : nothing}
  `;
}

/** Shows what the code returned and read. */
export function resultOfTest(texts: Texts, test: RoutineTest): TemplateResult {
  return html`
    <div class="test" role="status">
      <p>${test.error ? errorOfCode(texts, test.error) : valueOf(texts, test)}</p>
      ${test.reads?.length
        ? html`<ul>
            ${test.reads.map(
              (read) => html`<li>
                <code
                  >${read.function}(${read.arguments.map((each) => JSON.stringify(each)).join(", ")})</code
                >
                =
                <code>${read.is_unknown ? "?" : (read.error ?? JSON.stringify(read.value))}</code>
              </li>`,
            )}
          </ul>`
        : nothing}
    </div>
  `;
}

function valueOf(texts: Texts, { value }: RoutineTest): string {
  if (value === null) {
    return texts("routines.now_unknown");
  }
  return texts(value ? "routines.is_true" : "routines.is_false");
}
