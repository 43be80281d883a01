/** What a routine does in detail, what its code reads, and the code: for those who look closer. */

import { type TemplateResult, html, nothing } from "lit";
import "./code";
import type { Routine, RoutineTest, WholeRoutine } from "./routine_types";
import type { Texts } from "./texts";

interface Locale {
  texts: Texts;
  number: (value: number) => string;
  duration: (seconds: number) => string;
}

/** Draws a routine; its code and what the code read only once they are loaded. */
export function advanced(
  locale: Locale,
  routine: Routine,
  whole: WholeRoutine | undefined,
  tested: RoutineTest | undefined,
): TemplateResult {
  const { texts } = locale;
  return html`
    <p class="secondary">${texts("routines.number", { number: routine.number })}</p>
    ${whatItDoes(texts, routine)} ${tested ? readsOf(tested) : nothing}
    ${whole ? codeOf(locale, whole) : nothing}
  `;
}

function whatItDoes(texts: Texts, { does, action }: Routine): TemplateResult {
  if (does && "commands" in does) {
    return html`<ul>
      ${does.commands.map(
        ({ device, command, arguments: given }) =>
          html`<li><strong>${device}</strong>: <code>${command}</code> ${values(given)}</li>`,
      )}
    </ul>`;
  }
  return does && "words" in does
    ? html`<p>${texts("routines.tells", { words: does.words })}</p>`
    : html`<p>${texts("routines.decides", { action })}</p>`;
}

function codeOf({ texts, number, duration }: Locale, routine: WholeRoutine): TemplateResult {
  return html`
    <p class="secondary">
      ${texts("routines.code_info", {
        interval: number(routine.interval ?? 0),
      })}
      ${
        routine.hold
          ? texts("routines.code_hold", { time: duration(routine.hold) })
          : texts("routines.code_no_hold")
      }
    </p>
    <sage-code .value=${routine.code ?? ""} .label=${texts("routines.code")}></sage-code>
    ${
      routine.end_code
        ? html`<p class="secondary">${texts("routines.end_code")}</p>
            <sage-code .value=${routine.end_code} .label=${texts("routines.end_code")}></sage-code>`
        : nothing
    }
  `;
}

function readsOf({ reads = [] }: RoutineTest): TemplateResult {
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

function values(given: Record<string, unknown>): string {
  return Object.entries(given)
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
    .join(", ");
}
