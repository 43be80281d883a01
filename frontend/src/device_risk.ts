/** The risk level of devices: what an administrator chose, and why SAGE chose another. */

import { type TemplateResult, css, html, nothing } from "lit";
import type { RiskClass } from "./api";
import type { Level, RiskReason } from "./device_types";
import { type Choice, button, form, select } from "./parts";
import type { Texts } from "./texts";

const LEVELS: readonly Level[] = ["free", "ask", "never"];
/** The choice that lets SAGE decide; Home Assistant's field shows no choice with an empty value. */
const AUTOMATIC = "automatic";

/** Draws the choice of a level for `count` devices; null lets SAGE choose. */
export function levelForm(
  texts: Texts,
  count: number,
  save: (level: Level | null) => unknown,
): TemplateResult {
  const choices: Choice[] = [
    { value: AUTOMATIC, label: texts("devices.automatic") },
    ...LEVELS.map((level) => ({ value: level, label: texts(`devices.level.${level}`) })),
  ];
  return html`<section class="chosen" aria-label=${texts("devices.choose")}>
    ${form(
      html`<span class="grow" role="status">${texts("devices.chosen", { count })}</span>
        ${select({ name: "level", label: texts("devices.risk"), value: AUTOMATIC, choices })}
        ${button({
          label: texts("save"),
          look: "main",
          type: "submit",
          disabled: !count,
        })}`,
      ({ level }) => save(levelOf(level!)),
    )}
  </section>`;
}

/** Draws the level of an entity, and the reason for it. */
export function riskOf(
  texts: Texts,
  entity: string,
  risk: RiskReason,
  change: (level: Level | null) => unknown,
): TemplateResult {
  const automatic = texts("devices.level_auto", {
    level: texts(`devices.level.${risk.automatic}`),
  });
  const choices: Choice[] = [
    { value: AUTOMATIC, label: automatic },
    ...LEVELS.map((level) => ({ value: level, label: texts(`devices.level.${level}`) })),
  ];
  return html`
    ${select({
      label: texts("devices.risk"),
      value: risk.choice ?? AUTOMATIC,
      choices,
      change: (level) => change(levelOf(level)),
    })}
    <p class="secondary">
      ${texts(`devices.by.${risk.by}`)}
      ${risk.choice === "free" ? texts("devices.free_for_all") : nothing}
      ${risk.risk ? danger(texts, entity, risk.risk) : nothing} ${risk.reason}
    </p>
  `;
}

function levelOf(value: string): Level | null {
  return value === AUTOMATIC ? null : (value as Level);
}

/** The sentence about a risk; opening a cover has another consequence than opening a valve. */
function danger(texts: Texts, entity: string, risk: RiskClass): string {
  const [domain] = entity.split(".");
  if (risk === "open" && (domain === "cover" || domain === "valve")) {
    return texts(`devices.opens.${domain}`);
  }
  return texts(`activity.risk.${risk}`);
}

export const riskStyles = css`
  .chosen {
    background: var(--card-background-color);
    border: 1px solid var(--divider-color);
    border-radius: var(--ha-card-border-radius, 12px);
    bottom: 12px;
    box-shadow: 0 2px 8px rgb(0 0 0 / 25%);
    padding: 12px 16px;
    position: sticky;
    z-index: 2;
  }
  :host([narrow]) .chosen {
    bottom: 64px;
  }
`;
