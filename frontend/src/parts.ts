/**
 * Home Assistant's own parts: how they are loaded, and one function for each that draws it.
 *
 * They are no public interface, so a release may rename one. Each function then draws a plain
 * element with the same label, value and event. `styles.ts` has the look of the plain ones.
 */

import { type TemplateResult, html, nothing } from "lit";
import { ifDefined } from "lit/directives/if-defined.js";
import { showModal } from "./modal";

type Content = TemplateResult | string | typeof nothing | (TemplateResult | typeof nothing)[];

/** The parts that a page of Home Assistant may not have loaded yet. */
const PARTS = [
  "ha-alert",
  "ha-button",
  "ha-code-editor",
  "ha-dialog",
  "ha-expansion-panel",
  "ha-icon",
  "ha-icon-button",
  "ha-input",
  "ha-select",
  "ha-state-icon",
  "ha-switch",
];

/** Milliseconds that the first paint waits for the parts. */
const PATIENCE = 500;

interface Routes {
  routes: Record<string, { load?: () => Promise<unknown> }>;
}

interface Resolver extends HTMLElement {
  getRoutes(panels: object[]): Routes;
}

interface ConfigPanel extends HTMLElement {
  routerOptions: Routes;
}

interface CardHelpers {
  createCardElement(config: object): Promise<HTMLElement>;
}

let loading: Promise<void> | undefined;

const has = (part: string): boolean => Boolean(customElements.get(part));

/** Loads the parts; settles when they are there, or cannot be had. */
export function loadParts(): Promise<void> {
  const isThere = (): boolean => PARTS.every(has);
  loading ??= (async () => {
    for (const load of [loadByCards, loadByConfigPanel]) {
      if (!isThere()) {
        await load().catch(() => undefined);
      }
    }
  })();
  return loading;
}

/** As `loadParts`, but for as long as the first paint may wait. */
export function loadPartsSoon(): Promise<void> {
  return Promise.race([loadParts(), new Promise<void>((end) => setTimeout(end, PATIENCE))]);
}

/** The editor of a card has most parts. The function exists once a dashboard was open. */
async function loadByCards(): Promise<void> {
  const { loadCardHelpers } = window as unknown as {
    loadCardHelpers?: () => Promise<CardHelpers>;
  };
  const card = await (
    await loadCardHelpers?.()
  )?.createCardElement({
    type: "entities",
    entities: [],
  });
  await (card?.constructor as { getConfigElement?: () => Promise<unknown> })?.getConfigElement?.();
}

/** The pages of the settings have them all. */
async function loadByConfigPanel(): Promise<void> {
  await customElements.whenDefined("partial-panel-resolver");
  const resolver = document.createElement("partial-panel-resolver") as Resolver;
  const { routes } = resolver.getRoutes([{ component_name: "config", url_path: "config" }]);
  await routes["config"]?.load?.();
  const panel = document.createElement("ha-panel-config") as ConfigPanel;
  for (const page of ["automation", "devices"]) {
    await panel.routerOptions.routes[page]?.load?.();
  }
}

// ------------------------------------------------------------ what they draw

/** An icon, such as `mdi:undo`; it says nothing that the text beside it does not say. */
export function icon(name: string, slot?: string): TemplateResult | typeof nothing {
  return has("ha-icon")
    ? html`<ha-icon aria-hidden="true" slot=${ifDefined(slot)} .icon=${name}></ha-icon>`
    : nothing;
}

/** Shows that something goes on; the text beside it says what. */
export function spinner(): TemplateResult {
  return has("ha-spinner")
    ? html`<ha-spinner class="spinner" size="small" aria-hidden="true"></ha-spinner>`
    : html`<progress class="spinner" aria-hidden="true"></progress>`;
}

interface ButtonOptions {
  label: string;
  click?: (event: Event) => unknown;
  icon?: string;
  /** `main` is the button that a form is for; `danger` deletes; the others are quiet. */
  look?: "main" | "quiet" | "danger" | "outlined";
  type?: "button" | "submit";
  /** A longer name for screen readers. */
  name?: string;
  disabled?: boolean;
  autofocus?: boolean;
  slot?: string;
}

const LOOKS = {
  main: ["accent", "brand"],
  quiet: ["plain", "brand"],
  outlined: ["outlined", "neutral"],
  danger: ["plain", "danger"],
} as const;

export function button(options: ButtonOptions): TemplateResult {
  const { label, click, look = "quiet", type = "button", name, disabled = false, slot } = options;
  if (!has("ha-button")) {
    return html`<button
      type=${type}
      class=${look}
      slot=${ifDefined(slot)}
      aria-label=${ifDefined(name)}
      ?disabled=${disabled}
      ?autofocus=${options.autofocus}
      @click=${click}
    >
      ${label}
    </button>`;
  }
  const [appearance, variant] = LOOKS[look];
  return html`<ha-button
    class="button"
    size="s"
    slot=${ifDefined(slot)}
    .type=${type}
    .appearance=${appearance}
    .variant=${variant}
    .ariaLabel=${name ?? null}
    .disabled=${disabled}
    ?autofocus=${options.autofocus}
    @click=${click}
    >${options.icon ? icon(options.icon, "start") : nothing}${label}</ha-button
  >`;
}

/** A button with an icon; `label` is its name, and its text where icons are missing. */
export function iconButton(
  name: string,
  label: string,
  click: (event: Event) => unknown,
  disabled = false,
): TemplateResult {
  return has("ha-icon-button") && has("ha-icon")
    ? html`<ha-icon-button .label=${label} .disabled=${disabled} @click=${click}
        ><ha-icon .icon=${name}></ha-icon
      ></ha-icon-button>`
    : html`<button type="button" class="quiet" ?disabled=${disabled} @click=${click}>
        ${label}
      </button>`;
}

/** A part of the page that a person may fold; the parts inside are drawn when it is open. */
export function fold(options: {
  header: string;
  secondary?: string;
  content: () => Content;
  isOpen?: boolean;
  toggle?: (isOpen: boolean) => unknown;
  id?: string;
  icon?: string;
}): TemplateResult {
  const { header, secondary, content, isOpen, toggle, id } = options;
  if (!has("ha-expansion-panel")) {
    return html`<details
      id=${ifDefined(id)}
      ?open=${isOpen ?? false}
      @toggle=${(event: Event) => toggle?.((event.currentTarget as HTMLDetailsElement).open)}
    >
      <summary>${header} <span class="secondary">${secondary ?? nothing}</span></summary>
      ${content()}
    </details>`;
  }
  return html`<ha-expansion-panel
    class="fold"
    id=${ifDefined(id)}
    .header=${header}
    .secondary=${secondary}
    .expanded=${isOpen ?? false}
    @expanded-changed=${(event: CustomEvent<{ expanded: boolean }>) => {
      event.stopPropagation();
      toggle?.(event.detail.expanded);
    }}
  >
    ${options.icon ? icon(options.icon, "leading-icon") : nothing} ${content()}
  </ha-expansion-panel>`;
}

/** A message that stays until the person closes it. */
export function alert(
  kind: "error" | "success" | "warning" | "info",
  text: Content,
  close?: { label: string; click: () => void },
): TemplateResult {
  if (!has("ha-alert")) {
    return html`<div class="message row ${kind}">
      <span class="grow">${text}</span>
      ${
        close
          ? html`<button type="button" class="quiet" @click=${close.click}>${close.label}</button>`
          : nothing
      }
    </div>`;
  }
  return html`<ha-alert
    class=${kind}
    .alertType=${kind}
    .dismissable=${Boolean(close)}
    @alert-dismissed-clicked=${close?.click}
    >${text}</ha-alert
  >`;
}

export function toggle(options: {
  label: string;
  isOn: boolean;
  change: (isOn: boolean) => unknown;
  disabled?: boolean;
}): TemplateResult {
  const { label, isOn, change, disabled = false } = options;
  const changed = (event: Event): void => {
    event.stopPropagation();
    change((event.currentTarget as HTMLInputElement).checked);
  };
  return has("ha-switch")
    ? html`<ha-switch .checked=${isOn} .disabled=${disabled} @change=${changed}
        ><span class="unseen">${label}</span></ha-switch
      >`
    : html`<input
        type="checkbox"
        role="switch"
        aria-label=${label}
        aria-checked=${isOn}
        .checked=${isOn}
        ?disabled=${disabled}
        @change=${changed}
      />`;
}

export interface Choice {
  value: string;
  label: string;
}

export function select(options: {
  label: string;
  value: string;
  choices: Choice[];
  name?: string;
  change?: (value: string) => unknown;
}): TemplateResult {
  const { label, value, choices, name, change } = options;
  return has("ha-select")
    ? html`<ha-select
        name=${ifDefined(name)}
        .label=${label}
        .value=${value}
        .options=${choices}
        @selected=${(event: CustomEvent<{ value: string }>) => {
          event.stopPropagation();
          (event.currentTarget as HTMLSelectElement).value = event.detail.value;
          change?.(event.detail.value);
        }}
      ></ha-select>`
    : html`<label
        >${label}
        <select
          name=${ifDefined(name)}
          .value=${value}
          @change=${(event: Event) => change?.((event.target as HTMLSelectElement).value)}
        >
          ${choices.map(
            (each) =>
              html`<option value=${each.value} ?selected=${each.value === value}>
                ${each.label}
              </option>`,
          )}
        </select></label
      >`;
}

interface FieldOptions {
  name: string;
  label: string;
  value?: string;
  type?: "text" | "search" | "number" | "date" | "password";
  required?: boolean;
  maxlength?: number;
  min?: number;
  max?: number;
  /** Digits only, e.g. of a PIN. */
  isNumeric?: boolean;
  readonly?: boolean;
  input?: (value: string) => unknown;
}

export function textField(options: FieldOptions): TemplateResult {
  const { name, label, value = "", type = "text", required = false, input } = options;
  const step = type === "number" ? "any" : undefined;
  const changed = input
    ? (event: Event) => input((event.currentTarget as HTMLInputElement).value)
    : nothing;
  if (!has("ha-input")) {
    return html`<label class="field"
      >${label}
      <input
        name=${name}
        type=${type}
        autocomplete="off"
        .value=${value}
        ?required=${required}
        ?readonly=${options.readonly}
        maxlength=${ifDefined(options.maxlength)}
        min=${ifDefined(options.min)}
        max=${ifDefined(options.max)}
        step=${ifDefined(step)}
        inputmode=${ifDefined(options.isNumeric ? "numeric" : undefined)}
        @input=${changed}
    /></label>`;
  }
  return html`<ha-input
    class="field"
    name=${name}
    .type=${type}
    .label=${label}
    .value=${value}
    .required=${required}
    .readonly=${options.readonly ?? false}
    .maxlength=${options.maxlength}
    .min=${options.min}
    .max=${options.max}
    .step=${step}
    .inputmode=${options.isNumeric ? "numeric" : ""}
    .withClear=${type === "search"}
    .withoutSpinButtons=${false}
    autocomplete="off"
    @input=${changed}
  ></ha-input>`;
}

export type Values = Record<string, string>;

interface Field extends HTMLElement {
  value: string;
  reportValidity?: () => boolean;
}

/**
 * A form of the fields above: `submit` gets their trimmed values by name, if all are valid.
 *
 * The fields of Home Assistant are no fields of the browser's form, so it is read here.
 */
export function form(
  content: Content,
  submit: (values: Values, form: HTMLFormElement) => unknown,
  { className = "row", role }: { className?: string; role?: string } = {},
): TemplateResult {
  const fields = (form: HTMLFormElement): Field[] => [...form.querySelectorAll<Field>("[name]")];
  const submitted = (event: Event): void => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    if (!fields(form).every((each) => each.reportValidity?.() ?? true)) {
      return;
    }
    const named = fields(form).map((each) => [each.getAttribute("name"), each.value ?? ""]);
    submit(Object.fromEntries(named.map(([name, value]) => [name, value!.trim()])), form);
  };
  const pressed = (event: KeyboardEvent): void => {
    if (event.key === "Enter" && (event.target as Element).localName === "ha-input") {
      event.preventDefault();
      (event.currentTarget as HTMLFormElement).requestSubmit();
    }
  };
  return html`<form
    class=${className}
    role=${ifDefined(role)}
    novalidate
    @submit=${submitted}
    @keydown=${pressed}
  >
    ${content}
  </form>`;
}

/** Empties the fields of a form that was sent. */
export function empty(form: HTMLFormElement): void {
  for (const field of form.querySelectorAll<Field>("[name]")) {
    field.value = "";
  }
}

/** A dialog over the page; `closed` is called when the person closes it, or after `isOpen` ends. */
export function dialog(options: {
  isOpen: boolean;
  title: string;
  content: Content;
  buttons: Content;
  closed: () => void;
}): TemplateResult {
  const { isOpen, title, content, buttons, closed } = options;
  if (!has("ha-dialog")) {
    return isOpen
      ? html`<dialog class="question" aria-label=${title} ${showModal()} @close=${closed}>
          <h2>${title}</h2>
          ${content}
          <div class="row">${buttons}</div>
        </dialog>`
      : html``;
  }
  return html`<ha-dialog .open=${isOpen} .headerTitle=${title} width="small" @closed=${closed}>
    ${content}
    <div class="row buttons" slot="footer">${buttons}</div>
  </ha-dialog>`;
}
