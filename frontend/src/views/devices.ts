import { type TemplateResult, css, html, nothing } from "lit";
import { customElement, state } from "lit/decorators.js";
import { guard } from "lit/directives/guard.js";
import { ifDefined } from "lit/directives/if-defined.js";
import { repeat } from "lit/directives/repeat.js";
import {
  type Device,
  type DeviceArgument,
  type DeviceAttribute,
  type DeviceCommand,
  type DeviceComponent,
  type Level,
  type Photo,
  type RiskClass,
  type RiskReason,
  type WholeDevice,
  act,
  ask,
} from "../api";
import { type Localize, type State, navigate } from "../home_assistant";
import {
  type Choice,
  type Values,
  button,
  fold,
  form,
  icon,
  iconButton,
  select,
  textField,
} from "../parts";
import { type Sheet, View } from "../view";

const EXPOSE = "/config/voice-assistants/expose";
const LEVELS: readonly Level[] = ["free", "ask", "never"];
/** The devices that the view shows first, and those of each further request. */
const FIRST = 50;
const PAGE = 250;
const PICTURES = "image/jpeg,image/png,image/webp";

/** The devices that SAGE may use, with their values, commands, photos and risk levels. */
@customElement("sage-devices")
export class Devices extends View {
  static override styles = [
    View.styles,
    css`
      .bar {
        display: flex;
        gap: 8px;
        padding: 12px 0 0;
      }
      :host([narrow]) .bar {
        padding: 8px 12px 0;
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
      img {
        border-radius: 8px;
        display: block;
        max-width: 100%;
        object-fit: cover;
        width: 100%;
      }
      figure {
        margin: 0 0 12px;
      }
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
      input[type="file"] {
        display: none;
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

  /** Changes something of a device, then reads it anew. */
  private change(id: string, work: () => Promise<string>): Promise<void> {
    return this.guarded(async () => {
      const notice = await work();
      await this.read(id);
      return notice;
    });
  }

  private choose(id: string): void {
    const chosen = new Set(this.chosen);
    if (!chosen.delete(id)) {
      chosen.add(id);
    }
    this.chosen = chosen;
  }

  /** Sets the level of everything that can be controlled of the chosen devices. */
  private setLevels({ level }: Values): Promise<void> {
    const chosen = this.devices!.filter(({ id }) => this.chosen!.has(id));
    return this.act(async () => {
      for (const entity_id of chosen.flatMap((each) => each.entities.slice(0, each.controls))) {
        await ask(this.hass, "devices/set_risk", { entity_id, level: (level || null) as Level });
      }
      this.chosen = undefined;
      return this.texts("devices.level_saved");
    });
  }

  private upload(event: Event, id: string): Promise<void> {
    const input = event.target as HTMLInputElement;
    const file = input.files?.[0];
    input.value = "";
    if (!file) {
      return Promise.resolve();
    }
    return this.change(id, async () => {
      const body = new FormData();
      body.append("file", file);
      const response = await this.hass.fetchWithAuth("/api/file_upload", { method: "POST", body });
      if (!response.ok) {
        throw new Error(this.texts("devices.not_uploaded", { status: response.status }));
      }
      const { file_id } = (await response.json()) as { file_id: string };
      await ask(this.hass, "devices/add_photo", { device: id, upload: file_id });
      return this.texts("devices.photo_added");
    });
  }

  private setCaption(caption: string, id: string, photo: string): Promise<void> {
    return this.change(id, async () => {
      await act(this.hass, "set_photo_caption", { photo, caption });
      return this.texts("devices.caption_saved");
    });
  }

  /** Lets the model write a caption into the field of a photo; the person saves it. */
  private async writeCaption(event: Event, photo: string, model: string): Promise<void> {
    const written = (event.currentTarget as HTMLElement).closest("form")!;
    const question = this.texts("devices.write_caption_question", { model });
    if (!(await this.agrees(question, this.texts("devices.write_caption")))) {
      return;
    }
    await this.guarded(async () => {
      const { language } = this.hass;
      const { caption } = await ask(this.hass, "devices/write_caption", { photo, language });
      written.querySelector<HTMLInputElement>("[name=caption]")!.value = caption;
      return this.texts("devices.caption_written");
    });
  }

  private async deletePhoto(id: string, photo: string): Promise<void> {
    if (await this.agrees(this.texts("devices.delete_photo_question"))) {
      await this.change(id, async () => {
        await act(this.hass, "delete_photo", { photo });
        return this.texts("devices.photo_deleted");
      });
    }
  }

  private setRisk(value: string, id: string, entity: string): Promise<void> {
    const level = (value || null) as Level | null;
    return this.change(id, async () => {
      await ask(this.hass, "devices/set_risk", { entity_id: entity, level });
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
        ${
          this.hass.user.is_admin
            ? iconButton(
                this.chosen ? "mdi:close" : "mdi:checkbox-multiple-marked-outline",
                this.texts(this.chosen ? "cancel" : "devices.choose"),
                () => {
                  this.chosen = this.chosen ? undefined : new Set();
                },
              )
            : nothing
        }
      </div>
      ${this.list()} ${this.exposure()} ${this.levels()}
    `;
  }

  private exposure(): TemplateResult | typeof nothing {
    if (!this.devices) {
      return nothing;
    }
    if (this.exposed === undefined) {
      return html`<p class="empty">${this.texts("devices.ask_administrator")}</p>`;
    }
    return html`<p class="empty">
      ${this.texts("devices.exposed", { exposed: this.exposed, entities: this.entities ?? 0 })}
      <br />
      ${button({
        label: this.texts("devices.expose"),
        icon: "mdi:plus",
        click: () => navigate(EXPOSE),
      })}
    </p>`;
  }

  /** The levels for the chosen devices. */
  private levels(): TemplateResult | typeof nothing {
    if (!this.chosen) {
      return nothing;
    }
    const choices: Choice[] = [
      { value: "", label: this.texts("devices.automatic") },
      ...LEVELS.map((level) => ({ value: level, label: this.levelText(level) })),
    ];
    return html`<section class="chosen" aria-label=${this.texts("devices.choose")}>
      ${form(
        html`<span class="grow" role="status"
            >${this.texts("devices.chosen", { count: this.number(this.chosen.size) })}</span
          >
          ${select({ name: "level", label: this.texts("devices.risk"), value: "free", choices })}
          ${button({
            label: this.texts("save"),
            look: "main",
            type: "submit",
            disabled: !this.chosen.size,
          })}`,
        (values) => this.setLevels(values),
      )}
    </section>`;
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
          <h2>${name}</h2>
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
                >${this.levelText(device.level)}</span
              >`
            : nothing
        }
        ${entity ? html`<span class="meta">${this.hass.formatEntityState(entity)}</span>` : nothing}
      </button>
    `;
  }

  private levelText(level: Level): string {
    return this.texts(`devices.level.${level}`);
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
      ${facts ? html`<p class="secondary">${facts}</p>` : nothing} ${this.photos(device)}
      ${device.components.map((component) => this.component(device.id, component))}
      ${
        device.more
          ? html`<p class="secondary">${this.texts("devices.more", { count: device.more })}</p>`
          : nothing
      }
    `;
  }

  private photos(device: WholeDevice): TemplateResult | typeof nothing {
    const isAdmin = this.hass.user.is_admin;
    if (!device.pictures.length && !isAdmin) {
      return nothing;
    }
    return html`
      <div class="photos">
        ${device.pictures.map((photo) => this.photo(device, photo, isAdmin))}
      </div>
      ${isAdmin && device.pictures.length < device.most_photos ? this.adding(device) : nothing}
    `;
  }

  private photo(device: WholeDevice, photo: Photo, isAdmin: boolean): TemplateResult {
    const entity = photo.entity_id ?? "";
    const address = this.hass.states[entity]?.attributes["entity_picture"];
    const picture = html`<img
      loading="lazy"
      src=${ifDefined(typeof address === "string" ? address : undefined)}
      alt=${photo.caption || this.texts("devices.photo_of", { name: device.name })}
    />`;
    if (!isAdmin) {
      return html`<figure>
        ${picture}
        <figcaption>${photo.caption}</figcaption>
      </figure>`;
    }
    return html`<figure>
      ${picture}
      ${form(
        html`${textField({
          name: "caption",
          label: this.texts("devices.caption"),
          value: photo.caption,
          maxlength: 200,
        })}
        ${button({ label: this.texts("save"), type: "submit" })}
        ${
          device.caption_model
            ? button({
                label: this.texts("devices.write_caption"),
                click: (event) => this.writeCaption(event, entity, device.caption_model!),
              })
            : nothing
        }
        ${button({
          label: this.texts("delete"),
          look: "danger",
          click: () => this.deletePhoto(device.id, entity),
        })}`,
        ({ caption }) => this.setCaption(caption!, device.id, entity),
      )}
    </figure>`;
  }

  private adding({ id, photo_destination: destination }: WholeDevice): TemplateResult {
    const input = (label: string, capture?: string): TemplateResult =>
      html`<input
        type="file"
        accept=${PICTURES}
        capture=${ifDefined(capture)}
        aria-label=${label}
        @change=${(event: Event) => this.upload(event, id)}
      />`;
    const ways = [
      ["take_photo", "mdi:camera", "environment"],
      ["upload_photo", "mdi:upload", undefined],
    ] as const;
    return html`
      <div class="row">
        ${ways.map(([way, name, capture]) => {
          const label = this.texts(`devices.${way}`);
          return html`<span>
            ${button({
              label,
              icon: name,
              look: "outlined",
              click: (event) =>
                (event.currentTarget as HTMLElement).parentElement!.querySelector("input")!.click(),
            })}
            ${input(label, capture)}
          </span>`;
        })}
      </div>
      <p class="secondary">${this.texts("devices.photo_use")} ${destination}</p>
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
        ${component.risk ? this.risk(device, component, component.risk) : nothing}
        ${component.notes.map((note) => html`<p class="secondary">${note}</p>`)}
        ${fold({
          header: this.texts("devices.abilities"),
          secondary: this.type(component),
          content: () => this.abilities(component),
        })}
      </section>
    `;
  }

  /** What SAGE can read and send. */
  private abilities(component: DeviceComponent): TemplateResult {
    return html`
      <p class="secondary"><code>${component.id}</code></p>
      ${component.attributes.length ? this.table(component) : nothing}
      ${
        component.commands.length
          ? html`<p>${this.texts("devices.commands")}</p>
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
                      <span class="secondary">${this.description(command, component)}</span>
                    </li>`,
                )}
              </ul>`
          : html`<p class="secondary">${this.texts("devices.read_only")}</p>`
      }
    `;
  }

  /** The description of a command in the language of the user, if Home Assistant has one. */
  private description(command: DeviceCommand, component: DeviceComponent): string {
    const [domain, name] = actionOf(command, component);
    const text = this.actions?.(`component.${domain}.services.${name}.description`);
    return text || command.description;
  }

  private table({ id, attributes }: DeviceComponent): TemplateResult {
    return html`
      <div class="scroll">
        <table>
          <thead>
            <tr>
              <th scope="col">${this.texts("devices.attribute")}</th>
              <th scope="col">${this.texts("devices.value")}</th>
              <th scope="col">${this.texts("devices.possible")}</th>
            </tr>
          </thead>
          <tbody>
            ${attributes.map(
              (each) =>
                html`<tr>
                  <th scope="row"><code>${each.name}</code></th>
                  <td>${this.value(id, each)}</td>
                  <td class="secondary">
                    ${possible(each, (value) => this.worded(id, each.name, value))}
                  </td>
                </tr>`,
            )}
          </tbody>
        </table>
      </div>
    `;
  }

  private value(id: string, { name, value, meaning, unit }: DeviceAttribute): string {
    if (value === null || value === undefined) {
      return "–";
    }
    if (typeof value === "string" && !unit && this.hass.states[id]) {
      return this.worded(id, name, value);
    }
    const text = typeof value === "string" ? value : JSON.stringify(value);
    return [text, unit, meaning ? `(${meaning})` : ""].filter(Boolean).join(" ");
  }

  /** Returns a value of an entity in the language of the user. */
  private worded(id: string, name: string, value: string): string {
    const entity: State | undefined = this.hass.states[id];
    if (!entity) {
      return value;
    }
    return name === "state"
      ? this.hass.formatEntityState(entity, value)
      : this.hass.formatEntityAttributeValue(entity, name, value);
  }

  private risk(device: string, component: DeviceComponent, risk: RiskReason): TemplateResult {
    const automatic = this.texts("devices.level_auto", {
      level: this.levelText(risk.automatic),
    });
    const choices: Choice[] = [
      { value: "", label: automatic },
      ...LEVELS.map((level) => ({
        value: level,
        label: level === "free" ? this.texts("devices.free_for_all") : this.levelText(level),
      })),
    ];
    return html`
      ${select({
        label: this.texts("devices.risk"),
        value: risk.choice ?? "",
        choices,
        change: (level) => this.setRisk(level, device, component.id),
      })}
      <p class="secondary">
        ${this.texts(`devices.by.${risk.by}`)}
        ${risk.risk ? this.danger(component.id, risk.risk) : nothing} ${risk.reason}
      </p>
    `;
  }

  /** The sentence about a risk; opening a cover has another consequence than opening a valve. */
  private danger(entityId: string, risk: RiskClass): string {
    const [domain] = entityId.split(".");
    if (risk === "open" && (domain === "cover" || domain === "valve")) {
      return this.texts(`devices.opens.${domain}`);
    }
    return this.texts(`activity.risk.${risk}`);
  }
}

/** Domain and name of the action of a command; other domains are part of its name. */
function actionOf({ name }: DeviceCommand, { capability }: DeviceComponent): [string, string] {
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
