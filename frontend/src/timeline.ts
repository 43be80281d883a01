/** The steps of a command: as a timeline for people, and with all technical details. */

import { type TemplateResult, css, html, nothing } from "lit";
import type { Step, Trace } from "./api";
import { icon } from "./parts";
import type { TextKey, Texts } from "./texts";

/** Tool -> its icon; each has a text `activity.tool.<name>`. */
const ICONS: Record<string, string> = {
  api_documentation: "mdi:book-open-variant",
  change_contacts: "mdi:account-edit",
  code_execution: "mdi:code-braces",
  condition_code_writing: "mdi:code-braces",
  condition_polling: "mdi:calendar-clock",
  create_calendar_event: "mdi:calendar-plus",
  create_email_draft: "mdi:email-edit-outline",
  device_disambiguation: "mdi:image-search-outline",
  device_interaction: "mdi:devices",
  device_interaction_planner: "mdi:clipboard-list-outline",
  email_and_calendar: "mdi:email-outline",
  execute_command: "mdi:gesture-tap",
  get_contacts: "mdi:account-search",
  get_message: "mdi:email-open-outline",
  get_thread: "mdi:email-open-outline",
  human_interaction: "mdi:comment-question-outline",
  list_calendar_events: "mdi:calendar",
  memory: "mdi:brain",
  personalization: "mdi:brain",
  read_attributes: "mdi:eye-outline",
  routines: "mdi:calendar-clock",
  search_email: "mdi:email-search-outline",
  send_message: "mdi:send-outline",
  search_tv_schedule: "mdi:television-guide",
  undo: "mdi:undo",
  weather: "mdi:weather-partly-cloudy",
};
const MODEL = "mdi:creation-outline";
const OTHER = "mdi:wrench-outline";
const LONGEST = 160;

/** Names a step for people; the tools of other integrations have only their own names. */
export function stepName(texts: Texts, { kind, name }: Pick<Step, "kind" | "name">): string {
  if (kind === "model") {
    return texts("activity.model");
  }
  return (name in ICONS && texts(`activity.tool.${name}` as TextKey)) || name.replaceAll("_", " ");
}

export function stepIcon({ kind, name }: Pick<Step, "kind" | "name">): string {
  return kind === "model" ? MODEL : (ICONS[name] ?? OTHER);
}

/**
 * Draws each step with its result and seconds; `number` writes a number with one digit. A step
 * without seconds is still running.
 */
export function timeline(
  texts: Texts,
  steps: Step[],
  number: (value: number) => string,
  outcomes: Trace["outcomes"] = [],
): TemplateResult {
  return html`<ol class="timeline">
    ${steps.map(
      (step) =>
        html`<li class=${step.error ? "error" : ""}>
          ${icon(stepIcon(step))}
          <div class="step">
            <span>${stepName(texts, step)}</span>
            ${step.error ? html`<span class="failed">${texts("activity.error")}</span>` : nothing}
            ${results(step, outcomes).map((text) => html`<p class="secondary">${text}</p>`)}
          </div>
          <span class="secondary"
            >${
              step.seconds || step.result
                ? texts("activity.seconds", { seconds: number(step.seconds) })
                : "…"
            }</span
          >
        </li>`,
    )}
  </ol>`;
}

/** What a person may want to read of the result of a step. */
function results({ kind, name, result, error }: Step, outcomes: Trace["outcomes"]): string[] {
  if (kind === "model" || error) {
    return [];
  }
  if (name === "execute_command") {
    return outcomes.filter((each) => result.includes(each.name)).map(({ sentence }) => sentence);
  }
  const [line = ""] = result.trim().split("\n");
  return line ? [line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line] : [];
}

export const timelineStyles = css`
  .timeline {
    list-style: none;
    margin: 8px 0;
    padding: 0;
  }
  .timeline li {
    display: flex;
    gap: 12px;
    padding-bottom: 16px;
    position: relative;
  }
  .timeline ha-icon {
    color: var(--secondary-text-color);
    flex: none;
    --mdc-icon-size: 20px;
    background: var(--card-background-color);
    height: 24px;
    position: relative;
    z-index: 1;
  }
  .timeline li.error ha-icon {
    color: var(--error-color);
  }
  .timeline li:not(:last-child)::before {
    border-inline-start: 2px solid var(--divider-color);
    bottom: 0;
    content: "";
    inset-inline-start: 9px;
    position: absolute;
    top: 0;
  }
  .timeline .step {
    flex: 1 1 auto;
    min-width: 0;
  }
  .timeline p {
    margin: 2px 0 0;
  }
`;
