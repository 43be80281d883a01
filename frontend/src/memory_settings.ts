/** What SAGE keeps of a person and for how long, and how to delete and export it. */

import { type TemplateResult, html, nothing } from "lit";
import type { MemorySettings, act } from "./api";
import { button, fold, form, icon, textField, toggle } from "./parts";
import type { Texts } from "./texts";

/** What the owner of the memories can do with them. */
interface Owner {
  set(data: Parameters<typeof act<"set_memory">>[2]): Promise<void>;
  /** Deletes memories after the person has agreed to the question. */
  forget(data: Parameters<typeof act<"forget">>[2], question: string): Promise<void>;
  forgetDays(first: string, last: string): Promise<void>;
  exportAll(): Promise<void>;
}

/** Draws what SAGE keeps, for how long, and what the person can do with all of it. */
export function memorySettings(
  texts: Texts,
  settings: MemorySettings,
  owner: Owner,
): TemplateResult {
  return html`
    <section aria-labelledby="keep">
      <h2 id="keep">${texts("memory.keep")}</h2>
      <ha-card>
        <div class="item">
          ${icon("mdi:brain")}
          <span class="text">${texts("memory.remembering")}</span>
          ${toggle({
            label: texts("memory.remembering"),
            isOn: settings.enabled,
            change: (enabled) => owner.set({ enabled }),
          })}
        </div>
        ${fold({
          id: "retention",
          header: texts("memory.retention"),
          icon: "mdi:timer-sand",
          content: () => retention(texts, settings, owner),
        })}
        ${fold({
          id: "forget",
          header: texts("memory.forget"),
          icon: "mdi:delete-outline",
          content: () => forgetting(texts, owner),
        })}
        <button class="item" @click=${owner.exportAll}>
          ${icon("mdi:download")}<span class="text">${texts("memory.export")}</span>
        </button>
      </ha-card>
    </section>
  `;
}

function retention(texts: Texts, settings: MemorySettings, owner: Owner): TemplateResult {
  const days = (name: string, label: string, value: number): TemplateResult =>
    textField({
      name,
      label,
      value: String(value),
      type: "number",
      min: 0,
      max: 36500,
      required: true,
    });
  return html`<div class="padded">
    ${form(
      html`${days("days", texts("memory.keep_days"), settings.retention_days)}
      ${days("requests", texts("memory.keep_requests"), settings.request_days)}
      ${button({ label: texts("save"), look: "main", type: "submit" })}
      ${
        settings.has_own_retention
          ? button({
              label: texts("memory.keep_as_household"),
              click: () => owner.set({ household_retention: true }),
            })
          : nothing
      }`,
      ({ days, requests }) =>
        owner.set({ retention_days: Number(days), request_days: Number(requests) }),
    )}
    <p class="secondary">${texts("memory.keep_help")}</p>
  </div>`;
}

function forgetting(texts: Texts, owner: Owner): TemplateResult {
  return html`<div class="padded">
    ${form(
      html`${textField({
        name: "topic",
        label: texts("memory.topic_label"),
        required: true,
      })}
      ${button({
        label: texts("memory.forget_topic"),
        look: "danger",
        type: "submit",
      })}`,
      ({ topic }) => owner.forget({ topic: topic! }, texts("memory.forget_topic_ask", { topic })),
    )}
    ${form(
      html`${textField({
        name: "first",
        label: texts("memory.first"),
        type: "date",
        required: true,
      })}
      ${textField({ name: "last", label: texts("memory.last"), type: "date" })}
      ${button({
        label: texts("memory.forget_days"),
        look: "danger",
        type: "submit",
      })}`,
      ({ first, last }) => owner.forgetDays(first!, last || first!),
    )}
    <div class="row end">
      ${button({
        label: texts("memory.forget_all"),
        look: "danger",
        click: () => owner.forget({ everything: true }, texts("memory.forget_all_ask")),
      })}
    </div>
  </div>`;
}
