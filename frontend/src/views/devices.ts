import { type TemplateResult, css, html, nothing } from "lit";
import { customElement, state } from "lit/decorators.js";
import { guard } from "lit/directives/guard.js";
import { repeat } from "lit/directives/repeat.js";
import { ask } from "../api";
import { abilities, abilityStyles, actionOf } from "../device_abilities";
import "../device_photos";
import { levelForm, riskOf, riskStyles } from "../device_risk";
import type { Device, DeviceComponent, Level, WholeDevice } from "../device_types";
import { type Localize, type State, navigate } from "../home_assistant";
import { button, fold, icon, iconButton, textField } from "../parts";
import { type Sheet, View } from "../view";

const EXPOSE = "/config/voice-assistants/expose";
/** The devices that the view shows first, and those of each further request. */
const FIRST = 50;
const PAGE = 250;

/** The devices that SAGE may use, with their values, commands, photos and risk levels. */
@customElement("sage-devices")
export class Devices extends View {
  static override styles = [
    View.styles,
    abilityStyles,
    riskStyles,
    css`
      .bar {
        display: flex;
        gap: 8px;
        padding: 12px 0 0;
      }
      :host([narrow]) .bar {
        padding: 8px 12px 0;
      }
      .use {
        align-items: center;
        flex-wrap: wrap;
      }
      .use > .secondary {
        flex: 1;
        margin: 0;
      }
      .heading {
        align-items: end;
        display: flex;
        justify-content: space-between;
      }
      .heading > ha-icon-button {
        color: var(--secondary-text-color);
        margin-inline-end: 4px;
      }
      li.device {
        /* The browser lays out only the devices in sight. */
        contain-intrinsic-size: auto 56px;
        content-visibility: auto;
      }
      li.device input {
        flex: none;
        height: 20px;
        margin-inline-start: 16px;
        width: 20px;
      }
      .component + .component {
        border-top: 1px solid var(--divider-color);
        margin-top: 16px;
      }
      .value {
        float: inline-end;
      }
    `,
  ];

  @state() private devices: Device[] | undefined;
  @state() private exposed: number | undefined;
  @state() private entities: number | undefined;
  @state() private search = "";
  /** Returns Home Assistant's names of the domains of the listed devices. */
  @state() private titles: Localize | undefined;
  /** Returns Home Assistant's descriptions of the actions of opened devices. */
  @state() private actions: Localize | undefined;
  /** The device whose sheet is open, and its details when they are loaded. */
  @state() private opened: Device | undefined;
  @state() private whole: WholeDevice | undefined;
  /** Ids of the devices that are chosen, while a person chooses some. */
  @state() private chosen: ReadonlySet<string> | undefined;

  protected override async load(): Promise<void> {
    const first = await ask(this.hass, "devices/list", { start: 0, count: FIRST });
    this.exposed = first.exposed;
    this.entities = first.entities;
    this.devices ??= first.devices;
    const shown = [...first.devices];
    for (let start = FIRST; start < first.total; start += PAGE) {
      const page = await ask(this.hass, "devices/list", { start, count: PAGE });
      shown.push(...page.devices);
    }
    this.devices = shown;
    const domains = this.known(shown.flatMap((device) => device.kinds));
    this.titles = await this.hass.loadBackendTranslation("title", domains);
  }

  /** The integrations among these names, each once. */
  private known(names: string[]): string[] {
    return [...new Set(names)].filter((name) => this.hass.config.components.includes(name));
  }

  /** The name of a domain in Home Assistant, or of a SmartThings capability. */
  private kind(kind: string): string {
    return (
      this.titles?.(`component.${kind}.title`) ||
      kind.replace(/(?<=[a-z])(?=[A-Z])/g, " ").replaceAll("_", " ")
    );
  }

  /** The device class of an entity, or else the name of its domain. */
  private type({ id, summary, capability }: DeviceComponent): string {
    const state = this.hass.states[id];
    if (!state) {
      return summary || this.kind(capability);
    }
    const [domain] = id.split(".") as [string];
    const name = `component.${domain}.entity_component.${state.attributes["device_class"]}.name`;
    return this.hass.localize(name) || this.kind(domain);
  }

  private open(device: Device): Promise<void> {
    this.opened = device;
    this.whole = undefined;
    return this.guarded(() => this.read(device.id));
  }

  private async read(id: string): Promise<void> {
    const { language } = this.hass;
    const device = await ask(this.hass, "devices/get", { device: id, language });
    const domains = device.components.flatMap((component) =>
      component.commands.map((command) => actionOf(command, component)[0]),
    );
    this.actions = await this.hass.loadBackendTranslation("services", this.known(domains));
    if (this.opened?.id === id) {
      this.whole = device;
    }
    this.devices = this.devices?.map((each) =>
      each.id === id ? { ...each, photos: device.photos, level: device.level } : each,
    );
  }

  protected override get isEditing(): boolean {
    return this.opened !== undefined || this.chosen !== undefined;
  }

  private choose(id: string): void {
    const chosen = new Set(this.chosen);
    if (!chosen.delete(id)) {
      chosen.add(id);
    }
    this.chosen = chosen;
  }

  /** Chooses all these devices, or none of them if all are chosen. */
  private chooseAll(devices: Device[]): void {
    const chosen = new Set(this.chosen);
    const missing = devices.filter(({ id }) => !chosen.has(id));
    for (const { id } of missing) {
      chosen.add(id);
    }
    if (!missing.length) {
      devices.forEach(({ id }) => chosen.delete(id));
    }
    this.chosen = chosen;
  }

  /** Sets the level of everything that can be controlled of the chosen devices. */
  private setLevels(level: Level | null): Promise<void> {
    const chosen = this.devices!.filter(({ id }) => this.chosen!.has(id));
    return this.act(async () => {
      for (const entity_id of chosen.flatMap((each) => each.entities.slice(0, each.controls))) {
        await ask(this.hass, "devices/set_risk", { entity_id, level });
      }
      this.chosen = undefined;
      return this.texts("devices.level_saved");
    });
  }

  private setRisk(level: Level | null, id: string, entity: string): Promise<void> {
    return this.guarded(async () => {
      await ask(this.hass, "devices/set_risk", { entity_id: entity, level });
      await this.read(id);
      return this.texts("devices.level_saved");
    });
  }

  // ------------------------------------------------------------ what is shown

  protected override content(): TemplateResult | typeof nothing {
    return html`
      <div class="bar">
        ${textField({
          name: "search",
          type: "search",
          label: this.texts("devices.search"),
          value: this.search,
          input: (value) => {
            this.search = value;
          },
        })}
      </div>
      ${this.exposure()} ${this.list()}
      ${
        this.chosen
          ? levelForm(this.texts, this.chosen.size, (level) => this.setLevels(level))
          : nothing
      }
    `;
  }

  private exposure(): TemplateResult | typeof nothing {
    if (!this.devices) {
      return nothing;
    }
    if (this.exposed === undefined) {
      return html`<p class="bar secondary">${this.texts("devices.ask_administrator")}</p>`;
    }
    return html`<div class="bar use">
      <p class="secondary">
        ${this.texts("devices.exposed", { exposed: this.exposed, entities: this.entities ?? 0 })}
      </p>
      ${button({ label: this.texts("devices.expose"), click: () => navigate(EXPOSE) })}
      ${button({
        label: this.texts(this.chosen ? "cancel" : "devices.choose"),
        click: () => {
          this.chosen = this.chosen ? undefined : new Set();
        },
      })}
    </div>`;
  }

  private list(): TemplateResult | typeof nothing {
    if (!this.devices) {
      return nothing;
    }
    const { language } = this.hass;
    const words = this.search.toLocaleLowerCase(language).split(/\s+/).filter(Boolean);
    const found = this.devices.filter(({ name, area, kinds }) => {
      if (!words.length) {
        return true;
      }
      const names = kinds.map((kind) => this.kind(kind));
      const text = [name, area, ...kinds, ...names].join(" ").toLocaleLowerCase(language);
      return words.every((word) => text.includes(word));
    });
    if (!found.length) {
      return html`<p class="empty">
        ${icon("mdi:devices")}
        ${this.texts(this.devices.length ? "devices.none_found" : "devices.none")}
      </p>`;
    }
    const areas = new Map<string, Device[]>();
    for (const device of found) {
      const area = device.area ?? "";
      areas.set(area, areas.get(area) ?? []);
      areas.get(area)!.push(device);
    }
    return html`${repeat(
      areas,
      ([area]) => area,
      ([area, devices]) => {
        const name = area || this.texts("devices.no_area");
        return html`<section aria-label=${name}>
          ${this.heading(name, devices)}
          <ha-card>
            <ul class="plain list">
              ${repeat(
                devices,
                ({ id }) => id,
                (device) => this.line(device),
              )}
            </ul>
          </ha-card>
        </section>`;
      },
    )}`;
  }

  /** The name of an area, with a button that chooses all of its devices that can be controlled. */
  private heading(name: string, devices: Device[]): TemplateResult {
    const some = devices.filter(({ controls }) => controls);
    return html`<div class="heading">
      <h2>${name}</h2>
      ${
        this.chosen && some.length
          ? iconButton(
              "mdi:checkbox-multiple-marked-outline",
              this.texts("devices.choose_area", { area: name }),
              () => this.chooseAll(some),
            )
          : nothing
      }
    </div>`;
  }

  private line(device: Device): TemplateResult {
    const entity = this.hass.states[device.entities[0] ?? ""];
    const isChosen = this.chosen?.has(device.id);
    const inputs = [device, entity, isChosen, this.parts, this.titles, this.narrow];
    return html`<li class="device">
      ${guard(inputs, () => this.drawnLine(device, entity, isChosen))}
    </li>`;
  }

  private drawnLine(
    device: Device,
    entity: State | undefined,
    isChosen: boolean | undefined,
  ): TemplateResult {
    const facts = [
      ...device.kinds.map((kind) => this.kind(kind)),
      device.photos ? this.texts("devices.photos", { count: device.photos }) : "",
    ];
    return html`
      ${
        isChosen === undefined
          ? nothing
          : html`<input
              type="checkbox"
              aria-label=${device.name}
              .checked=${isChosen}
              ?disabled=${!device.controls}
              @change=${() => this.choose(device.id)}
            />`
      }
      <button class="item" aria-haspopup="dialog" @click=${() => this.open(device)}>
        ${
          entity && customElements.get("ha-state-icon")
            ? html`<ha-state-icon
                aria-hidden="true"
                .hass=${this.hass}
                .stateObj=${entity}
              ></ha-state-icon>`
            : icon("mdi:devices")
        }
        <span class="text">
          <span class="headline">${device.name}</span>
          <span class="supporting">${facts.filter(Boolean).join(" · ")}</span>
        </span>
        ${
          device.level === "ask" || device.level === "never"
            ? html`<span class="badge ${device.level === "ask" ? "warning" : "error"}"
                >${this.texts(`devices.level.${device.level}`)}</span
              >`
            : nothing
        }
        ${entity ? html`<span class="meta">${this.hass.formatEntityState(entity)}</span>` : nothing}
      </button>
    `;
  }

  // ------------------------------------------------------------ the details

  protected override sheet(): Sheet | undefined {
    const { opened, whole } = this;
    if (!opened) {
      return undefined;
    }
    const closed = (): void => {
      this.opened = undefined;
      this.whole = undefined;
    };
    return { title: opened.name, content: whole ? this.details(whole) : html``, closed };
  }

  private details(device: WholeDevice): TemplateResult {
    const facts = [device.area, device.model, ...device.aliases].filter(Boolean).join(" · ");
    return html`
      ${facts ? html`<p class="secondary">${facts}</p>` : nothing}
      ${device.components.map((component) => this.component(device.id, component))}
      ${
        device.pictures.length || this.hass.user.is_admin
          ? html`<sage-device-photos
              .hass=${this.hass}
              .texts=${this.texts}
              .parts=${this.parts}
              .device=${device}
              @changed=${() => this.guarded(() => this.read(device.id))}
            ></sage-device-photos>`
          : nothing
      }
      ${
        device.more
          ? html`<p class="secondary">${this.texts("devices.more", { count: device.more })}</p>`
          : nothing
      }
    `;
  }

  private component(device: string, component: DeviceComponent): TemplateResult {
    const entity = this.hass.states[component.id];
    const state = component.available
      ? entity && this.hass.formatEntityState(entity)
      : this.texts("devices.unavailable");
    return html`
      <section class="component" aria-label=${component.name}>
        <h3>${component.name}<span class="value">${state}</span></h3>
        ${
          component.risk
            ? riskOf(this.texts, component.id, component.risk, (level) =>
                this.setRisk(level, device, component.id),
              )
            : nothing
        }
        ${component.notes.map((note) => html`<p class="secondary">${note}</p>`)}
        ${fold({
          header: this.texts("devices.abilities"),
          secondary: this.type(component),
          content: () =>
            abilities({ hass: this.hass, texts: this.texts, actions: this.actions }, component),
        })}
      </section>
    `;
  }
}
