/** What all views of the panel have in common. */

import { LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import { html } from "lit";
import { property, state } from "lit/decorators.js";
import type { HomeAssistant, Message } from "./home_assistant";
import { styles } from "./styles";
import { errorText, type Texts } from "./texts";

export abstract class View extends LitElement {
  static override styles = styles;

  @property({ attribute: false }) hass!: HomeAssistant;
  @property({ attribute: false }) texts!: Texts;
  /** The rest of the page's path below the view, without a leading slash. */
  @property({ attribute: false }) path = "";

  @state() protected error = "";
  @state() protected notice = "";

  /** Loads what the view shows; called when it appears, and by `act` after each change. */
  protected abstract load(): Promise<void>;

  protected override firstUpdated(_: PropertyValues): void {
    void this.act(async () => undefined);
  }

  protected call<T>(message: Message): Promise<T> {
    return this.hass.callWS<T>(message);
  }

  /** Does something, then shows the new state; shows the sentence of an error instead. */
  protected async act(work: () => Promise<string | void>): Promise<void> {
    this.error = "";
    this.notice = "";
    try {
      this.notice = (await work()) ?? "";
      await this.load();
    } catch (error) {
      this.error = await errorText(this.hass, error);
    }
  }

  protected dateTime(at: string): string {
    return new Date(at).toLocaleString(this.hass.language, {
      dateStyle: "medium",
      timeStyle: "short",
      timeZone: this.hass.config.time_zone,
    });
  }

  /** A day such as 2026-03-08, which is of no time zone. */
  protected day(day: string): string {
    return new Date(`${day}T00:00:00Z`).toLocaleDateString(this.hass.language, {
      dateStyle: "medium",
      timeZone: "UTC",
    });
  }

  protected messages(): TemplateResult {
    return html`
      <div role="alert">${this.error ? html`<p class="error">${this.error}</p>` : nothing}</div>
      <div role="status">${this.notice ? html`<p class="notice">${this.notice}</p>` : nothing}</div>
    `;
  }
}
