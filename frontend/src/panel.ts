/** The panel: its bar with a tab for each view, and the view of the page's path. */

import { LitElement, css, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { html as staticHtml, unsafeStatic } from "lit/static-html.js";
import { type HomeAssistant, type Route, follow } from "./home_assistant";
import { type Texts, loadTexts } from "./texts";
import "./views/activity";
import "./views/devices";
import "./views/memory";
import "./views/models";
import "./views/routines";

interface Tab {
  path: "activity" | "memory" | "routines" | "devices" | "models";
  needsAdmin?: boolean;
}

/** The view of a tab is the element `sage-<path>`. */
const TABS: readonly Tab[] = [
  { path: "activity" },
  { path: "memory" },
  { path: "routines" },
  { path: "devices" },
  { path: "models", needsAdmin: true },
];

@customElement("sage-panel")
export class Panel extends LitElement {
  @property({ attribute: false }) hass?: HomeAssistant;
  @property({ type: Boolean, reflect: true }) narrow = false;
  @property({ attribute: false }) route?: Route;

  @state() private texts?: Texts;
  private language = "";

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has("hass") && this.hass && this.hass.language !== this.language) {
      this.language = this.hass.language;
      void this.readTexts(this.hass);
    }
  }

  private async readTexts(hass: HomeAssistant): Promise<void> {
    this.texts = await loadTexts(hass);
  }

  private get tabs(): readonly Tab[] {
    return TABS.filter((tab) => !tab.needsAdmin || this.hass?.user.is_admin);
  }

  protected override render(): TemplateResult | typeof nothing {
    if (!this.hass || !this.route) {
      return nothing;
    }
    const [name, ...rest] = this.route.path.split("/").filter(Boolean);
    const shown = this.tabs.find((tab) => tab.path === name) ?? this.tabs[0]!;
    return html`
      ${this.texts ? this.header(this.texts, shown) : nothing}
      <main>${this.view(shown, rest.join("/"))}</main>
    `;
  }

  private header(texts: Texts, shown: Tab): TemplateResult {
    return html`
      <header>
        <button class="menu" aria-label=${texts("menu")} @click=${this.toggleMenu}>
          <svg viewBox="0 0 24 24" aria-hidden="true">
            <path d="M3 6h18v2H3V6m0 5h18v2H3v-2m0 5h18v2H3v-2Z" />
          </svg>
        </button>
        <h1>SAGE</h1>
        <nav aria-label="SAGE">
          ${this.tabs.map(
            (tab) => html`<a
              href="${this.route!.prefix}/${tab.path}"
              aria-current=${tab === shown ? "page" : nothing}
              @click=${follow}
              >${texts(`tabs.${tab.path}`)}</a
            >`,
          )}
        </nav>
      </header>
    `;
  }

  private view(tab: Tab, path: string): TemplateResult {
    const name = unsafeStatic(`sage-${tab.path}`);
    return staticHtml`<${name} .hass=${this.hass} .texts=${this.texts} .path=${path}></${name}>`;
  }

  private toggleMenu(): void {
    this.dispatchEvent(new CustomEvent("hass-toggle-menu", { bubbles: true, composed: true }));
  }

  static override styles = css`
    :host {
      /* Where a message of a view stays: just below the header. */
      --sage-header-height: var(--header-height, 56px);
      display: block;
      min-height: 100%;
      background: var(--primary-background-color);
      color: var(--primary-text-color);
      font-family: var(--ha-font-family-body, Roboto, sans-serif);
    }
    header {
      align-items: center;
      background: var(--app-header-background-color, var(--primary-color));
      border-bottom: var(--app-header-border-bottom, none);
      color: var(--app-header-text-color, var(--text-primary-color));
      display: flex;
      flex-wrap: wrap;
      min-height: var(--header-height, 56px);
      padding: 0 12px;
      position: sticky;
      top: 0;
      z-index: 4;
    }
    h1 {
      flex: 0 0 auto;
      font-size: 20px;
      font-weight: 400;
      margin: 0 16px 0 8px;
    }
    .menu {
      background: none;
      border: none;
      color: inherit;
      cursor: pointer;
      display: none;
      height: 48px;
      padding: 12px;
      width: 48px;
    }
    :host([narrow]) {
      /* The tabs are in a second row. */
      --sage-header-height: calc(var(--header-height, 56px) + 50px);
    }
    :host([narrow]) .menu {
      display: block;
    }
    .menu svg {
      fill: currentColor;
      height: 24px;
      width: 24px;
    }
    nav {
      display: flex;
      flex: 1 1 auto;
      overflow-x: auto;
      scrollbar-width: none;
    }
    :host([narrow]) nav {
      flex-basis: 100%;
      margin: 0 -12px;
    }
    nav a {
      border-bottom: 2px solid transparent;
      color: inherit;
      flex: 0 0 auto;
      line-height: 48px;
      padding: 0 12px;
      text-decoration: none;
    }
    :host([narrow]) nav a {
      flex-grow: 1;
      padding: 0 6px;
      text-align: center;
    }
    nav a[aria-current] {
      border-color: currentColor;
      font-weight: 500;
    }
    :focus-visible {
      outline: 2px solid currentColor;
      outline-offset: -4px;
    }
    main {
      box-sizing: border-box;
      margin: 0 auto;
      max-width: 960px;
      padding: 16px;
    }
    :host([narrow]) main {
      padding: 12px;
    }
  `;
}
