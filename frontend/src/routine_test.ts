/** The result of running condition code once, with the last 24 hours. */

import { type TemplateResult, html, nothing } from "lit";
import type { CodeError, LastDay, RoutineTest } from "./api";
import { dayLine } from "./charts";
import type { Texts } from "./texts";

const MOST_TIMES = 20;

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

/** Shows what the code read. */
export function readsOf({ reads = [] }: RoutineTest): TemplateResult {
  return html`<ul>
    ${reads.map(
      (read) =>
        html`<li>
          <code
            >${read.function}(${read.arguments.map((each) => JSON.stringify(each)).join(", ")})</code
          >
          =
          <code>${read.is_unknown ? "?" : (read.error ?? JSON.stringify(read.value))}</code>
        </li>`,
    )}
  </ul>`;
}

function valueOf(texts: Texts, { value }: RoutineTest): string {
  if (value === null) {
    return texts("routines.now_unknown");
  }
  return texts(value ? "routines.is_true" : "routines.is_false");
}

function lastDay(texts: Texts, day: LastDay, clock: (at: string) => string): TemplateResult {
  if ("problem" in day) {
    return html`<p class="secondary">${texts(`routines.problem.${day.problem}`)}</p>`;
  }
  const spans = day.true.map(([from, to]) => `${clock(from)} – ${clock(to)}`);
  const label = texts("routines.day", {
    times: spans.length ? spans.slice(0, MOST_TIMES).join(", ") : texts("routines.never"),
  });
  return html`
    <h3>${texts("routines.last_day")}</h3>
    ${dayLine({ since: day.since, true: day.true, moments: day.would_have_fired }, clock, label)}
    <p class="secondary">
      ${texts("routines.would_have_fired", { count: day.would_have_fired.length })}
    </p>
  `;
}
