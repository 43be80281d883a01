import { type TemplateResult, css, html, nothing } from "lit";
import { customElement, state } from "lit/decorators.js";
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
import { field } from "../forms";
import { type Localize, type State, follow } from "../home_assistant";
import { View } from "../view";

const EXPOSE = "/config/voice-assistants/expose";
const LEVELS: readonly Level[] = ["free", "ask", "never"];
/** The devices that the view shows first, and those of each further request. */
const FIRST = 50;
const PAGE = 250;
const PICTURES = "image/jpeg,image/png,image/webp";

/** The devices that SAGE may use, with their values, commands, photos and risk levels. */
@customElement("sage-devices")
export class Devices extends View {
  static override styles = [View.styles, css`
    img {
      border-radius: 8px;
      display: block;
      height: 120px;
      object-fit: cover;
      width: 160px;
    }
    table {
      border-collapse: collapse;
      width: 100%;
    }
    th, td {
      border-bottom: 1px solid var(--divider-color);
      padding: 4px 8px 4px 0;
      text-align: start;
      vertical-align: top;
    }
    .scroll { overflow-x: auto; }
    li.card {
      /* The browser lays out only the devices in sight. */
      contain-intrinsic-size: auto 54px;
      content-visibility: auto;
    }
    .photos { align-items: start; }
    .photos form { display: grid; gap: 8px; width: 160px; }
    input[type="file"] { display: none; }
    .component { border-top: 1px solid var(--divider-color); margin-top: 12px; padding-top: 12px; }
    .component > h3 { overflow-wrap: anywhere; }
  `];

  @state() private devices: Device[] | undefined;
  @state() private exposed: number | undefined;
  @state() private entities: number | undefined;
  @state() private search = "";
  /** Returns Home Assistant's names of the domains of the listed devices. */
  @state() private titles: Localize | undefined;
  /** Returns Home Assistant's descriptions of the actions of opened devices. */
  @state() private actions: Localize | undefined;
  @state() private opened = new Map<string, WholeDevice>();

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

  private async open(event: Event, id: string): Promise<void> {
    if ((event.currentTarget as HTMLDetailsElement).open && !this.opened.has(id)) {
      await this.guarded(() => this.read(id));
    }
  }

  private async read(id: string): Promise<void> {
    const { language } = this.hass;
    const device = await ask(this.hass, "devices/get", { device: id, language });
    const domains = device.components.flatMap((component) =>
      component.commands.map((command) => actionOf(command, component)[0]),
    );
    this.actions = await this.hass.loadBackendTranslation("services", this.known(domains));
    this.opened = new Map(this.opened).set(id, device);
  }

  /** Changes something of a device, then reads it anew. */
  private change(id: string, work: () => Promise<string>): Promise<void> {
    return this.guarded(async () => {
      const notice = await work();
      await this.read(id);
      const photos = this.opened.get(id)!.photos;
      this.devices = this.devices?.map((each) => (each.id === id ? { ...each, photos } : each));
      return notice;
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

  private setCaption(event: SubmitEvent, id: string, photo: string): Promise<void> {
    const caption = field(event, "caption");
    return this.change(id, async () => {
      await act(this.hass, "set_photo_caption", { photo, caption });
      return this.texts("devices.caption_saved");
    });
  }

  /** Lets the model write a caption into the field of a photo; the person saves it. */
  private async writeCaption(event: Event, photo: string, model: string): Promise<void> {
    const button = event.currentTarget as HTMLButtonElement;
    const question = this.texts("devices.write_caption_question", { model });
    if (!(await this.agrees(question, this.texts("devices.write_caption")))) {
      return;
    }
    button.disabled = true;
    await this.guarded(async () => {
      const { language } = this.hass;
      const { caption } = await ask(this.hass, "devices/write_caption", { photo, language });
      button.form!.querySelector<HTMLInputElement>("[name=caption]")!.value = caption;
      return this.texts("devices.caption_written");
    });
    button.disabled = false;
  }

  private async deletePhoto(id: string, photo: string): Promise<void> {
    if (await this.agrees(this.texts("devices.delete_photo_question"))) {
      await this.change(id, async () => {
        await act(this.hass, "delete_photo", { photo });
        return this.texts("devices.photo_deleted");
      });
    }
  }

  private setRisk(event: Event, id: string, entity: string): Promise<void> {
    const level = ((event.target as HTMLSelectElement).value || null) as Level | null;
    return this.change(id, async () => {
      await ask(this.hass, "devices/set_risk", { entity_id: entity, level });
      return this.texts("devices.level_saved");
    });
  }

  // ------------------------------------------------------------ what is shown

  protected override content(): TemplateResult | typeof nothing {
    return html`
      <div class="row">
        <h2 class="grow">${this.texts("devices.title")}</h2>
        <button @click=${() => this.act(async () => undefined)}>${this.texts("reload")}</button>
      </div>
      <p class="secondary">${this.texts("devices.intro")}</p>
      ${this.exposure()}
      <input
        type="search"
        class="search"
        aria-label=${this.texts("devices.search")}
        placeholder=${this.texts("devices.search")}
        .value=${this.search}
        @input=${(event: InputEvent) => {
          this.search = (event.target as HTMLInputElement).value;
        }}
      />
      ${this.list()}
    `;
  }

  private exposure(): TemplateResult {
    if (this.exposed === undefined) {
      return html`<p class="secondary">${this.texts("devices.ask_administrator")}</p>`;
    }
    return html`<p>
      ${this.texts("devices.exposed", { exposed: this.exposed, entities: this.entities ?? 0 })}
      <a href=${EXPOSE} @click=${follow}>${this.texts("devices.expose")}</a>
    </p>`;
  }

  private list(): TemplateResult | typeof nothing {
    if (!this.devices) {
      return nothing;
    }
    const words = this.search.toLocaleLowerCase(this.hass.language).split(/\s+/).filter(Boolean);
    const found = this.devices.filter(({ name, area, kinds }) => {
      if (!words.length) {
        return true;
      }
      const text = [name, area, ...kinds, ...kinds.map((kind) => this.kind(kind))].join(" ").toLocaleLowerCase(this.hass.language);
      return words.every((word) => text.includes(word));
    });
    if (!found.length) {
      return html`<p>${this.texts(this.devices.length ? "devices.none_found" : "devices.none")}</p>`;
    }
    const areas = new Map<string, Device[]>();
    for (const device of found) {
      const area = device.area ?? "";
      areas.set(area, areas.get(area) ?? []);
      areas.get(area)!.push(device);
    }
    return html`${[...areas].map(
      ([area, devices]) => html`
        <h2>${area || this.texts("devices.no_area")}</h2>
        <ul class="plain">
          ${repeat(
            devices,
            ({ id }) => id,
            (device) => html`<li class="card">${this.card(device)}</li>`,
          )}
        </ul>
      `,
    )}`;
  }

  private card(device: Device): TemplateResult {
    return html`
      <details @toggle=${(event: Event) => this.open(event, device.id)}>
        <summary>
          <strong>${device.name}</strong>
          <span class="secondary">
            ${device.kinds.map((kind) => this.kind(kind)).join(", ")}
            ${device.photos
              ? html` · ${this.texts("devices.photos", { count: device.photos })}`
              : nothing}
          </span>
        </summary>
        ${this.opened.has(device.id) ? this.whole(this.opened.get(device.id)!) : nothing}
      </details>
    `;
  }

  private whole(device: WholeDevice): TemplateResult {
    const facts = [device.model, ...device.aliases].filter(Boolean).join(" · ");
    return html`
      ${facts ? html`<p class="secondary">${facts}</p>` : nothing} ${this.photos(device)}
      ${device.components.map((component) => this.component(device.id, component))}
      ${device.more
        ? html`<p>${this.texts("devices.more", { count: device.more })}</p>`
        : nothing}
    `;
  }

  private photos(device: WholeDevice): TemplateResult | typeof nothing {
    const isAdmin = this.hass.user.is_admin;
    if (!device.pictures.length && !isAdmin) {
      return nothing;
    }
    return html`
      <div class="row photos">
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
      src=${typeof address === "string" ? address : nothing}
      alt=${photo.caption || this.texts("devices.photo_of", { name: device.name })}
    />`;
    if (!isAdmin) {
      return html`<figure>
        ${picture}
        <figcaption>${photo.caption}</figcaption>
      </figure>`;
    }
    return html`
      <form @submit=${(event: SubmitEvent) => this.setCaption(event, device.id, entity)}>
        ${picture}
        <input
          name="caption"
          maxlength="200"
          aria-label=${this.texts("devices.caption")}
          placeholder=${this.texts("devices.caption")}
          .value=${photo.caption}
        />
        <div class="row">
          <button>${this.texts("save")}</button>
          ${device.caption_model
            ? html`<button
                type="button"
                @click=${(event: Event) =>
                  this.writeCaption(event, entity, device.caption_model!)}
              >
                ${this.texts("devices.write_caption")}
              </button>`
            : nothing}
          <button type="button" class="danger" @click=${() => this.deletePhoto(device.id, entity)}>
            ${this.texts("delete")}
          </button>
        </div>
      </form>
    `;
  }

  private adding({ id, photo_destination: destination }: WholeDevice): TemplateResult {
    return html`
      <p class="secondary">${this.texts("devices.photo_use")} ${destination}</p>
      <div class="row">
        <button @click=${this.choose}>${this.texts("devices.take_photo")}</button>
        <input
          type="file"
          accept=${PICTURES}
          capture="environment"
          aria-label=${this.texts("devices.take_photo")}
          @change=${(event: Event) => this.upload(event, id)}
        />
        <button @click=${this.choose}>${this.texts("devices.upload_photo")}</button>
        <input
          type="file"
          accept=${PICTURES}
          aria-label=${this.texts("devices.upload_photo")}
          @change=${(event: Event) => this.upload(event, id)}
        />
      </div>
    `;
  }

  private choose(event: Event): void {
    ((event.currentTarget as HTMLElement).nextElementSibling as HTMLInputElement).click();
  }

  private component(device: string, component: DeviceComponent): TemplateResult {
    return html`
      <section class="component" aria-label=${component.name}>
        <h3>${component.name}</h3>
        <p class="secondary">
          <code>${component.id}</code> · ${this.type(component)}
          ${component.available ? nothing : html` · ${this.texts("devices.unavailable")}`}
        </p>
        ${component.risk ? this.risk(device, component, component.risk) : nothing}
        ${component.notes.map((note) => html`<p class="secondary">${note}</p>`)}
        ${component.attributes.length ? this.table(component) : nothing}
        ${component.commands.length
          ? html`<p>${this.texts("devices.commands")}</p>
              <ul>
                ${component.commands.map(
                  (command) => html`<li>
                    <code>${command.name}</code>
                    ${command.arguments.length
                      ? html`(${command.arguments.map(argument).join(", ")})`
                      : nothing}
                    <span class="secondary">${this.description(command, component)}</span>
                  </li>`,
                )}
              </ul>`
          : html`<p class="secondary">${this.texts("devices.read_only")}</p>`}
      </section>
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
              (each) => html`<tr>
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
    return html`
      <div class="row">
        <label>
          ${this.texts("devices.risk")}
          <select
            @change=${(event: Event) => this.setRisk(event, device, component.id)}
          >
            <option value="" ?selected=${risk.choice === null}>
              ${this.texts("devices.level_auto", {
                level: this.texts(`devices.level.${risk.automatic}`),
              })}
            </option>
            ${LEVELS.map(
              (level) => html`<option value=${level} ?selected=${risk.choice === level}>
                ${this.texts(level === "free" ? "devices.free_for_all" : `devices.level.${level}`)}
              </option>`,
            )}
          </select>
        </label>
      </div>
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
