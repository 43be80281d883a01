/** What SAGE can read of a device and send to it: attributes with their values, and commands. */

import { type TemplateResult, css, html, nothing } from "lit";
import type {
  DeviceArgument,
  DeviceAttribute,
  DeviceCommand,
  DeviceComponent,
} from "./device_types";
import type { HomeAssistant, Localize, State } from "./home_assistant";
import type { Texts } from "./texts";

interface Home {
  hass: HomeAssistant;
  texts: Texts;
  /** Returns Home Assistant's descriptions of actions, once they are loaded. */
  actions: Localize | undefined;
}

/** Draws what SAGE can read of a part of a device, and send to it. */
export function abilities(home: Home, component: DeviceComponent): TemplateResult {
  return html`
    <p class="secondary"><code>${component.id}</code></p>
    ${component.attributes.length ? table(home, component) : nothing}
    ${
      component.commands.length
        ? html`<p>${home.texts("devices.commands")}</p>
            <ul>
              ${component.commands.map(
                (command) =>
                  html`<li>
                    <code>${command.name}</code>
                    ${
                      command.arguments.length
                        ? html`(${command.arguments.map(argument).join(", ")})`
                        : nothing
                    }
                    <span class="secondary">${description(home, command, component)}</span>
                  </li>`,
              )}
            </ul>`
        : html`<p class="secondary">${home.texts("devices.read_only")}</p>`
    }
  `;
}

/** The description of a command in the language of the user, if Home Assistant has one. */
function description(home: Home, command: DeviceCommand, component: DeviceComponent): string {
  const [domain, name] = actionOf(command, component);
  const text = home.actions?.(`component.${domain}.services.${name}.description`);
  return text || command.description;
}

function table(home: Home, { id, attributes }: DeviceComponent): TemplateResult {
  return html`
    <div class="scroll">
      <table>
        <thead>
          <tr>
            <th scope="col">${home.texts("devices.attribute")}</th>
            <th scope="col">${home.texts("devices.value")}</th>
            <th scope="col">${home.texts("devices.possible")}</th>
          </tr>
        </thead>
        <tbody>
          ${attributes.map(
            (each) =>
              html`<tr>
                <th scope="row"><code>${each.name}</code></th>
                <td>${value(home, id, each)}</td>
                <td class="secondary">
                  ${possible(each, (value) => worded(home, id, each.name, value))}
                </td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
  `;
}

function value(home: Home, id: string, { name, value, meaning, unit }: DeviceAttribute): string {
  if (value === null || value === undefined) {
    return "–";
  }
  if (typeof value === "string" && !unit && home.hass.states[id]) {
    return worded(home, id, name, value);
  }
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return [text, unit, meaning ? `(${meaning})` : ""].filter(Boolean).join(" ");
}

/** Returns a value of an entity in the language of the user. */
function worded(home: Home, id: string, name: string, value: string): string {
  const entity: State | undefined = home.hass.states[id];
  if (!entity) {
    return value;
  }
  return name === "state"
    ? home.hass.formatEntityState(entity, value)
    : home.hass.formatEntityAttributeValue(entity, name, value);
}

/** Domain and name of the action of a command; other domains are part of its name. */
export function actionOf(
  { name }: DeviceCommand,
  { capability }: DeviceComponent,
): [string, string] {
  const [domain, action] = name.split(".") as [string, string?];
  return action ? [domain, action] : [capability, name];
}

function possible(
  of: DeviceAttribute | DeviceArgument,
  worded = (value: string): string => value,
): string {
  if (of.values.length) {
    return of.values.map(worded).join(", ");
  }
  const bounds = [of.minimum, of.maximum].map((each) => each ?? "");
  return bounds.some((each) => each !== "") ? bounds.join(" – ") : "";
}

function argument(given: DeviceArgument): string {
  const values = possible(given);
  return `${given.name}${given.required ? "" : "?"}${values ? `: ${values}` : ""}`;
}

export const abilityStyles = css`
  table {
    border-collapse: collapse;
    width: 100%;
  }
  th,
  td {
    border-bottom: 1px solid var(--divider-color);
    font-weight: 400;
    padding: 4px 8px 4px 0;
    text-align: start;
    vertical-align: top;
  }
  .scroll {
    overflow-x: auto;
  }
`;
