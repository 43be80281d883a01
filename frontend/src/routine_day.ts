/** The last 24 hours of a routine: when its condition was true, and when it would have fired. */

import { LitElement, type PropertyValues, type TemplateResult, css, html, nothing } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { act } from "./api";
import { dayBar, dayLine } from "./charts";
import type { HomeAssistant } from "./home_assistant";
import type { LastDay, Routine } from "./routine_types";
import { chartStyles } from "./styles";
import type { Texts } from "./texts";

const MOST_TIMES = 20;
/** Milliseconds for which a line is shown before another one is asked for. */
const FRESH_MS = 60_000;

type Clock = (at: string) => string;
type Day = Exclude<LastDay, { problem: unknown }>;

/** Draws the day with its hours and in words, or says why it is unknown. */
export function lastDay(texts: Texts, day: LastDay, clock: Clock): TemplateResult {
  if ("problem" in day) {
    return html`<p class="secondary">${texts(`routines.problem.${day.problem}`)}</p>`;
  }
  return html`
    <h3>${texts("routines.last_day")}</h3>
    ${dayLine(day.since, dayBar(...drawn(texts, day, clock)), clock)}
    <p class="secondary">
      ${texts("routines.would_have_fired", { count: day.would_have_fired.length })}
    </p>
  `;
}

function drawn(texts: Texts, day: Day, clock: Clock): Parameters<typeof dayBar> {
  const spans = day.true.map(([from, to]) => `${clock(from)} – ${clock(to)}`);
  const times = spans.length ? spans.slice(0, MOST_TIMES).join(", ") : texts("routines.never");
  const shown = { since: day.since, true: day.true, moments: day.would_have_fired };
  return [shown, texts("routines.day", { times })];
}

/** One line is asked for after the other: each makes Home Assistant evaluate a whole day. */
let queue: Promise<unknown> = Promise.resolve();

/** The day of a routine as a line, loaded once it is in sight; nothing if the day is unknown. */
@customElement("sage-routine-day")
export class RoutineDay extends LitElement {
  @property({ attribute: false }) hass!: HomeAssistant;
  @property({ attribute: false }) texts!: Texts;
  @property({ attribute: false }) routine!: Routine;
  @property({ attribute: false }) clock!: Clock;

  @state() private day: Day | undefined;
  private isInSight = false;
  /** What the routine was like when its day was asked for, and when that was. */
  private asked = "";
  private askedAt = 0;
  private readonly sight = new IntersectionObserver((entries) => {
    this.isInSight = entries.some(({ isIntersecting }) => isIntersecting);
    this.askAgain();
  });

  override connectedCallback(): void {
    super.connectedCallback();
    this.sight.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.sight.disconnect();
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (changed.has("routine")) {
      this.askAgain();
    }
  }

  private askAgain(): void {
    const { id, is_true, fired } = this.routine;
    const now = `${id} ${is_true} ${fired}`;
    if (this.isInSight && now !== this.asked && Date.now() - this.askedAt > FRESH_MS) {
      this.asked = now;
      this.askedAt = Date.now();
      queue = queue.then(() => this.load(id)).catch(() => undefined);
    }
  }

  private async load(routine: string): Promise<void> {
    if (this.isConnected) {
      const { last_24_hours: day } = await act(this.hass, "test_routine", { routine });
      this.day = "problem" in day ? undefined : day;
      this.hidden = !this.day;
    }
  }

  protected override render(): TemplateResult | typeof nothing {
    return this.day ? dayBar(...drawn(this.texts, this.day, this.clock)) : nothing;
  }

  static override styles = [
    chartStyles,
    css`
      :host {
        /* Its space is there before the line is. */
        display: block;
        height: 16px;
        margin-top: 4px;
      }
      :host([hidden]) {
        display: none;
      }
      svg.day {
        height: 16px;
      }
    `,
  ];
}
