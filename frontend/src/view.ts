/** What all views of the panel have in common. */

import { type CSSResultGroup, LitElement, type PropertyValues, type TemplateResult, html, nothing } from "lit";
import { property, query, state } from "lit/decorators.js";
import { type HomeAssistant, hasTwelveHours, timeZone } from "./home_assistant";
import { styles } from "./styles";
import { errorText, type Texts } from "./texts";

export abstract class View extends LitElement {
  static override styles: CSSResultGroup = styles;

  @property({ attribute: false }) hass!: HomeAssistant;
  /** Missing until the first render. */
  @property({ attribute: false }) texts!: Texts;
  /** The rest of the page's path below the view, without a leading slash. */
  @property({ attribute: false }) path = "";

  @state() private error = "";
  @state() private notice = "";
  @state() private question = "";
  /** What the button does that agrees to the question. */
  @state() private verb = "";
  @query("dialog") private dialog!: HTMLDialogElement;

  /** Loads what the view shows; called when it appears, and by `act` after each change. */
  protected abstract load(): Promise<void>;

  /** Settled when the view has loaded for the first time, or failed to. */
  protected loaded?: Promise<void>;

  override connectedCallback(): void {
    super.connectedCallback();
    // Loads while the texts are on their way.
    this.loaded ??= this.act(async () => undefined);
  }

  /** Nothing is shown without texts. */
  protected override shouldUpdate(_: PropertyValues): boolean {
    return Boolean(this.texts);
  }

  /** Does something, then shows the new state. `work` may return a notice for the person. */
  protected act(work: () => Promise<string | void>): Promise<void> {
    return this.guarded(async () => {
      const notice = await work();
      await this.load();
      return notice;
    });
  }

  /** Does something; shows the notice that it returns, or the sentence of its error. */
  protected async guarded(work: () => Promise<string | void>): Promise<void> {
    this.error = "";
    this.notice = "";
    try {
      this.notice = (await work()) ?? "";
    } catch (error) {
      this.error = await errorText(this.hass, error);
    }
  }

  /**
   * Asks the person a question in a dialog; returns whether they agree.
   *
   * `verb` is the label of the button that agrees, by default "Delete". The focus is on "Cancel".
   */
  protected async agrees(question: string, verb = this.texts("delete")): Promise<boolean> {
    this.question = question;
    this.verb = verb;
    await this.updateComplete;
    this.dialog.returnValue = "";
    this.dialog.showModal();
    return new Promise((resolve) => {
      this.dialog.addEventListener("close", () => resolve(this.dialog.returnValue === "yes"), {
        once: true,
      });
    });
  }

  protected number(value: number, digits = 0): string {
    return value.toLocaleString(this.hass.language, {
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    });
  }

  /** A duration in whole minutes if possible, or else in seconds. */
  protected duration(seconds: number): string {
    const isMinutes = seconds % 60 === 0;
    return (isMinutes ? seconds / 60 : seconds).toLocaleString(this.hass.language, {
      style: "unit",
      unit: isMinutes ? "minute" : "second",
      unitDisplay: "long",
    });
  }

  protected dateTime(at: string): string {
    return new Date(at).toLocaleString(this.hass.language, {
      dateStyle: "medium",
      ...this.ofClock(),
    });
  }

  protected clock(at: string): string {
    return new Date(at).toLocaleTimeString(this.hass.language, this.ofClock());
  }

  /** One clock for all times: 12 or 24 hours, and the time zone, from the person's profile. */
  private ofClock(): Intl.DateTimeFormatOptions {
    return {
      timeStyle: "short",
      hourCycle: hasTwelveHours(this.hass) ? "h12" : "h23",
      timeZone: timeZone(this.hass),
    };
  }

  /** A day such as 2026-03-08, which is of no time zone. */
  protected day(day: string): string {
    return new Date(`${day}T00:00:00Z`).toLocaleDateString(this.hass.language, {
      dateStyle: "medium",
      timeZone: "UTC",
    });
  }

  /** Error, notice and dialog; each view renders them once, as a child of its root. */
  protected messages(): TemplateResult {
    return html`
      <div class="messages">
        <div role="alert" aria-live="assertive">${this.message("error", this.error)}</div>
        <div role="status" aria-live="polite">${this.message("notice", this.notice)}</div>
      </div>
      <dialog aria-label=${this.question || nothing}>
        <form method="dialog">
          <p>${this.question}</p>
          <div class="row">
            <button autofocus value="no">${this.texts("cancel")}</button>
            <button class="danger" value="yes">${this.verb}</button>
          </div>
        </form>
      </dialog>
    `;
  }

  private message(kind: "error" | "notice", text: string): TemplateResult | typeof nothing {
    if (!text) {
      return nothing;
    }
    return html`<div class="message row">
      <p class="grow ${kind}">${text}</p>
      <button
        class="close"
        aria-label=${this.texts("close")}
        @click=${() => {
          this[kind] = "";
        }}
      >
        ✕
      </button>
    </div>`;
  }
}
