/** The result of running condition code once, with the last 24 hours. */

import { type TemplateResult, html, nothing } from "lit";
import { lastDay } from "./routine_day";
import type { CodeError, RoutineTest } from "./routine_types";
import type { Texts } from "./texts";

/** Shows an error of condition code as a sentence, with its line and technical text. */
export function errorOfCode(texts: Texts, { kind, line, detail }: CodeError): TemplateResult {
  return html`
    ${line ? texts("routines.line", { line }) : nothing} ${texts(`routines.fault.${kind}`)}
    ${detail ? html`<code lang="en">${detail}</code>` : nothing}
  `;
}

/** Shows what the code returned, and the last 24 hours; `clock` returns a time of day. */
export function resultOfTest(
  texts: Texts,
  test: RoutineTest,
  clock: (at: string) => string,
): TemplateResult {
  return html`
    <div class="test" role="status">
      <p>${test.error ? errorOfCode(texts, test.error) : valueOf(texts, test)}</p>
      ${lastDay(texts, test.last_24_hours, clock)}
    </div>
  `;
}

function valueOf(texts: Texts, { value }: RoutineTest): string {
  if (value === null) {
    return texts("routines.now_unknown");
  }
  return texts(value ? "routines.is_true" : "routines.is_false");
}
