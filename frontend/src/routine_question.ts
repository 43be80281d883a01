/** A question of a routine: yes or no, words, or the PIN. */

import { type TemplateResult, html, nothing } from "lit";
import { button, form, textField } from "./parts";
import type { Question } from "./routine_types";
import type { Texts } from "./texts";

/** Draws a question of a routine, with the ways to answer it. */
export function questionOf(
  texts: Texts,
  question: Question,
  reply: (answer: string) => unknown,
): TemplateResult {
  const yes = { label: texts("yes"), look: "main" as const };
  const answer = textField({
    name: "answer",
    label: texts(question.takes_pin ? "routines.pin" : "routines.your_answer"),
    type: question.takes_pin ? "password" : "text",
    isNumeric: question.takes_pin,
    required: true,
  });
  return html`
    <div class="question" role="group" aria-label=${question.text}>
      <p><strong>${question.text}</strong></p>
      ${form(
        html`${
          question.wanted === "yes_or_no"
            ? button({ ...yes, click: () => reply(question.yes) })
            : html`${answer}
              ${button({ label: texts("routines.send"), look: "main", type: "submit" })}`
        }
        ${
          question.wanted === "text"
            ? nothing
            : button({
                label: texts("no"),
                click: () => reply(question.no),
              })
        }`,
        ({ answer }) => reply(answer!),
      )}
    </div>
  `;
}
