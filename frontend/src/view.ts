/** What all views of the panel have in common. */

import {
  type CSSResultGroup,
  LitElement,
  type PropertyValues,
  type TemplateResult,
  html,
  nothing,
} from "lit";
import { property, state } from "lit/decorators.js";
import type { LiveCommand } from "./api";
import { type HomeAssistant, hasTwelveHours, timeZone } from "./home_assistant";
import { showModal } from "./modal";
import { alert, button, dialog, iconButton } from "./parts";
import { styles } from "./styles";
import { errorText, type Texts } from "./texts";

const REFRESH_MS = 20_000;

/** Details of one thing, in a sheet at the side. */
export interface Sheet {
  title: string;
  content: TemplateResult;
  closed: () => void;
}

export abstract class View extends LitElement {
  static override styles: CSSResultGroup = styles;

  @property({ attribute: false }) hass!: HomeAssistant;
  /** Missing until the first render. */
  @property({ attribute: false }) texts!: Texts;
  /** The rest of the page's path below the view, without a leading slash. */
  @property({ attribute: false }) path = "";
  /** Changes when further parts of Home Assistant are loaded: everything is drawn again. */
  @property({ attribute: false }) parts = 0;
  @property({ type: Boolean, reflect: true }) narrow = false;

  @state() private error = "";
  @state() private notice = "";
  /** The question of a dialog, and the label of the button that agrees to it. */
  @state() private question = "";
  @state() private verb = "";
  @state() private isAsked = false;
  /** Takes the answer to the question. */
  private decide?: ((isAgreed: boolean) => void) | undefined;

  /** Loads what the view shows; called when it appears, and by `act` after each change. */
  protected abstract load(): Promise<void>;

  private timer = 0;
  private watching?: Promise<() => Promise<void>>;

  /** Settled when the view has loaded for the first time, or failed to. */
  protected loaded?: Promise<void>;

  override connectedCallback(): void {
    super.connectedCallback();
    // Loads while the texts are on their way.
    this.loaded ??= this.act(async () => undefined);
    // What a lost connection missed, or what another person has changed.
    this.timer = window.setInterval(this.refresh, REFRESH_MS);
    window.addEventListener("focus", this.refresh);
    this.watching = this.hass.connection.subscribeMessage<LiveCommand>(
      (command) => this.watched(command),
      { type: "sage/activity/watch" },
    );
    this.watching.catch(() => undefined);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    window.clearInterval(this.timer);
    window.removeEventListener("focus", this.refresh);
    this.watching?.then((end) => end()).catch(() => undefined);
  }

  /** Called with each command of the person while it runs, and once when it is over. */
  protected watched({ is_over }: LiveCommand): void {
    if (is_over) {
      this.refresh();
    }
  }

  /** Loads again what may have changed elsewhere, unless the person is writing into it. */
  protected refresh = (): void => {
    if (!document.hidden && this.hasUpdated && !this.isEditing) {
      this.load().catch(() => undefined);
    }
  };

  /** Whether loading would take something from the person. */
  protected get isEditing(): boolean {
    return false;
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
  protected agrees(question: string, verb = this.texts("delete")): Promise<boolean> {
    this.question = question;
    this.verb = verb;
    this.isAsked = true;
    return new Promise((resolve) => {
      this.decide = resolve;
    });
  }

  private settle(isAgreed: boolean): void {
    const { decide } = this;
    this.decide = undefined;
    this.isAsked = false;
    decide?.(isAgreed);
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

  /** "5 minutes ago" within the last hours, or else the time of day. */
  protected ago(at: string): string {
    const minutes = Math.round((Date.now() - Date.parse(at)) / 60_000);
    if (minutes >= 6 * 60) {
      return this.clock(at);
    }
    const words = new Intl.RelativeTimeFormat(this.hass.language, {
      numeric: "auto",
      style: "short",
    });
    if (minutes < 1) {
      return words.format(0, "second");
    }
    return minutes < 60
      ? words.format(-minutes, "minute")
      : words.format(-Math.round(minutes / 60), "hour");
  }

  /** The day of a moment as a heading: "Today", "Yesterday" or its date. */
  protected dayOf(at: string): string {
    const zone = { timeZone: timeZone(this.hass) };
    const day = (time: number): string => new Intl.DateTimeFormat("en-CA", zone).format(time);
    const time = Date.parse(at);
    for (const [days, since] of [0, 86_400_000].entries()) {
      if (day(time) === day(Date.now() - since)) {
        const words = new Intl.RelativeTimeFormat(this.hass.language, { numeric: "auto" });
        const text = words.format(-days, "day");
        return text.charAt(0).toLocaleUpperCase(this.hass.language) + text.slice(1);
      }
    }
    return new Date(at).toLocaleDateString(this.hass.language, { dateStyle: "full", ...zone });
  }

  /** What the view shows, without messages, sheet and questions. */
  protected abstract content(): TemplateResult | typeof nothing;

  /** The details to show in a sheet, if something is open. */
  protected sheet(): Sheet | undefined {
    return undefined;
  }

  protected override render(): TemplateResult {
    const sheet = this.sheet();
    return html`${sheet ? nothing : this.messages()} ${this.content()}
    ${sheet ? this.drawn(sheet) : nothing} ${this.asking()}`;
  }

  /** Error and notice. In an open sheet they are in it, because it is in front of all else. */
  private messages(): TemplateResult {
    return html`
      <div class="messages">
        <div role="alert" aria-live="assertive">${this.message("error", this.error)}</div>
        <div role="status" aria-live="polite">${this.message("success", this.notice)}</div>
      </div>
    `;
  }

  private message(kind: "error" | "success", text: string): TemplateResult | typeof nothing {
    const click = (): void => {
      this.error = "";
      this.notice = "";
    };
    return text ? alert(kind, text, { label: this.texts("close"), click }) : nothing;
  }

  private drawn({ title, content, closed }: Sheet): TemplateResult {
    const close = (event: Event): void =>
      (event.currentTarget as HTMLElement).closest("dialog")!.close();
    return html`<dialog
      class="sheet"
      aria-label=${title}
      ${showModal()}
      closedby="any"
      @close=${closed}
    >
      <div class="head">
        ${iconButton("mdi:close", this.texts("close"), close)}
        <h2>${title}</h2>
      </div>
      <div class="body">${this.messages()} ${content}</div>
    </dialog>`;
  }

  private asking(): TemplateResult {
    return dialog({
      isOpen: this.isAsked,
      title: this.verb,
      content: html`<p>${this.question}</p>`,
      buttons: html`${button({
        label: this.texts("cancel"),
        autofocus: true,
        click: () => this.settle(false),
      })}
      ${button({ label: this.verb, look: "danger", click: () => this.settle(true) })}`,
      closed: () => this.settle(false),
    });
  }
}
