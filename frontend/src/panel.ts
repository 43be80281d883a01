/** The panel: its bar with a tab for each view, and the view of the page's path. */

import { LitElement, css, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { html as staticHtml, unsafeStatic } from "lit/static-html.js";
import { type HomeAssistant, type Route, follow } from "./home_assistant";
import { icon, loadParts, loadPartsSoon } from "./parts";
import { type Texts, loadTexts } from "./texts";
import "./views/accounts";
import "./views/activity";
import "./views/devices";
import "./views/memory";
import "./views/models";
import "./views/routines";

interface Tab {
  path: "activity" | "memory" | "routines" | "devices" | "models" | "accounts";
  icon: string;
  needsAdmin?: boolean;
  /** Whether it is at the end of the bar; only an icon where the window has no space for words. */
  isLast?: boolean;
}

/** The view of a tab is the element `sage-<path>`. */
const TABS: readonly Tab[] = [
  { path: "activity", icon: "mdi:history" },
  { path: "routines", icon: "mdi:calendar-clock" },
  { path: "memory", icon: "mdi:brain" },
  { path: "devices", icon: "mdi:devices" },
  { path: "models", icon: "mdi:chart-bar", needsAdmin: true },
  { path: "accounts", icon: "mdi:account-circle-outline", isLast: true },
];

@customElement("sage-panel")
export class Panel extends LitElement {
  @property({ attribute: false }) hass?: HomeAssistant;
  @property({ type: Boolean, reflect: true }) narrow = false;
  @property({ attribute: false }) route?: Route;

  @state() private texts?: Texts;
  /** Changes when further parts of Home Assistant are loaded. */
  @state() private parts = 0;
  private language = "";

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has("hass") && this.hass && this.hass.language !== this.language) {
      this.language = this.hass.language;
      void this.prepare(this.hass);
    }
  }

  private async prepare(hass: HomeAssistant): Promise<void> {
    [this.texts] = await Promise.all([loadTexts(hass), loadPartsSoon()]);
    await loadParts();
    this.parts += 1;
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
        ${
          customElements.get("ha-menu-button")
            ? html`<ha-menu-button .hass=${this.hass} .narrow=${this.narrow}></ha-menu-button>`
            : html`<button class="menu" aria-label=${texts("menu")} @click=${this.toggleMenu}>
                ☰
              </button>`
        }
        <h1>SAGE</h1>
        <nav aria-label="SAGE">
          ${this.tabs
            .filter((tab) => !tab.isLast)
            .map((tab) => this.link(texts, tab, tab === shown))}
        </nav>
        <div class="end">
          ${this.tabs
            .filter((tab) => tab.isLast)
            .map((tab) => this.link(texts, tab, tab === shown))}
        </div>
      </header>
    `;
  }

  private link(texts: Texts, tab: Tab, isShown: boolean): TemplateResult {
    const label = texts(`tabs.${tab.path}`);
    const shown = icon(tab.icon);
    const canBeBare = tab.isLast && shown !== nothing;
    return html`<a
      href="${this.route!.prefix}/${tab.path}"
      title=${canBeBare ? label : nothing}
      aria-label=${canBeBare ? label : nothing}
      aria-current=${isShown ? "page" : nothing}
      @click=${follow}
      >${shown}<span class=${canBeBare ? "wide" : ""}>${label}</span></a
    >`;
  }

  private view(tab: Tab, path: string): TemplateResult {
    const name = unsafeStatic(`sage-${tab.path}`);
    return staticHtml`<${name} .hass=${this.hass} .texts=${this.texts} .path=${path} .parts=${this.parts} .narrow=${this.narrow}></${name}>`;
  }

  private toggleMenu(): void {
    this.dispatchEvent(new CustomEvent("hass-toggle-menu", { bubbles: true, composed: true }));
  }

  static override styles = css`
    :host {
      /* Where a message of a view stays: just below the header. */
      --sage-header-height: var(--header-height, 56px);
      background: var(--primary-background-color);
      color: var(--primary-text-color);
      display: block;
      font-family: var(--ha-font-family-body, Roboto, sans-serif);
      min-height: 100%;
    }
    header {
      align-items: center;
      background: var(--sidebar-background-color, var(--app-header-background-color));
      border-bottom: 1px solid var(--divider-color);
      box-sizing: border-box;
      color: var(--sidebar-text-color, var(--app-header-text-color));
      display: flex;
      height: var(--header-height, 56px);
      padding: 0 12px;
      position: sticky;
      top: 0;
      z-index: 4;
    }
    h1 {
      flex: 1 1 0;
      font-size: 20px;
      font-weight: 400;
      margin: 0 8px;
    }
    .menu {
      background: none;
      border: none;
      color: inherit;
      cursor: pointer;
      font-size: 20px;
      height: 48px;
      width: 48px;
    }
    nav {
      display: flex;
      height: 100%;
    }
    .end {
      /* As wide as the title, so that the tabs are in the middle, as on Home Assistant's pages. */
      display: flex;
      flex: 1 1 0;
      height: 100%;
      justify-content: flex-end;
    }
    a {
      align-items: center;
      border-bottom: 2px solid transparent;
      box-sizing: border-box;
      color: var(--primary-text-color);
      display: flex;
      font-weight: 500;
      font-size: 14px;
      gap: 8px;
      height: 100%;
      padding: 0 20px;
      text-decoration: none;
    }
    .end a {
      padding: 0 12px;
    }
    @media (max-width: 1279px) {
      .wide {
        display: none;
      }
    }
    a[aria-current] {
      border-color: var(--primary-color);
      color: var(--primary-color);
    }
    a[aria-current] span {
      /* As dark as small text has to be. */
      color: color-mix(in srgb, var(--primary-color) 65%, var(--primary-text-color));
    }
    a:hover {
      background: var(--secondary-background-color);
    }
    :focus-visible {
      outline: 2px solid var(--primary-color);
      outline-offset: -4px;
    }
    main {
      box-sizing: border-box;
      margin: 0 auto;
      max-width: 1040px;
      padding: 8px 16px 32px;
    }
    :host([narrow]) nav {
      background: var(--sidebar-background-color, var(--card-background-color));
      border-top: 1px solid var(--divider-color);
      bottom: 0;
      height: auto;
      inset-inline: 0;
      padding-bottom: env(safe-area-inset-bottom, 0);
      position: fixed;
      z-index: 4;
    }
    :host([narrow]) nav a {
      border: none;
      flex: 1 1 0;
      flex-direction: column;
      font-size: 12px;
      gap: 4px;
      height: 56px;
      justify-content: center;
      min-width: 0;
      padding: 0 2px;
    }
    :host([narrow]) main {
      padding: 4px 0 calc(80px + env(safe-area-inset-bottom, 0px));
    }
  `;
}
