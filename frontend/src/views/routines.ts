import { type PropertyValues, type TemplateResult, css, html, nothing } from "lit";
import { customElement, state } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import { act, answerRoutine, ask } from "../api";
import { type HomeAssistant, hasTwelveHours, timeZone } from "../home_assistant";
import { button, fold, icon, iconButton, toggle } from "../parts";
import { advanced } from "../routine_advanced";
import "../routine_day";
import { questionOf } from "../routine_question";
import { errorOfCode, resultOfTest } from "../routine_test";
import type { OtherRoutine, Question, Routine, RoutineTest, WholeRoutine } from "../routine_types";
import { drafts, speak, wordsForm } from "../routine_words";
import type { TextKey } from "../texts";
import { chartStyles } from "../styles";
import { type Sheet, View } from "../view";

/** The number of routines whose last 24 hours are in the list. */
const MOST_LINES = 20;

/** A person's routines: what each does, when it was true, and everything to do with it. */
@customElement("sage-routines")
export class Routines extends View {
  static override styles = [
    View.styles,
    chartStyles,
    css`
      .new {
        margin-top: 16px;
      }
      :host([narrow]) .new {
        margin-top: 8px;
      }
      .zone {
        padding: 0 16px;
      }
      li > ha-switch,
      li > input[role="switch"] {
        flex: none;
        margin-inline: 4px 16px;
      }
      .off .headline {
        color: var(--secondary-text-color);
      }
      .question {
        padding: 0 16px 12px;
      }
      dialog.sheet .question {
        padding: 0;
      }
    `,
  ];

  @state() private routines?: Routine[];
  @state() private others: OtherRoutine[] = [];
  @state() private questions: Question[] = [];
  @state() private agent: string | null = null;
  @state() private unreadable = 0;
  /** The routine whose sheet is open; its code and the result of a test when they are loaded. */
  @state() private opened: string | undefined;
  @state() private whole: WholeRoutine | undefined;
  @state() private tested: RoutineTest | undefined;

  protected override firstUpdated(_: PropertyValues): void {
    void this.loaded?.then(() => this.showLinked());
    for (const { answer } of drafts.values()) {
      if (answer) {
        void this.act(() => answer);
      }
    }
  }

  /** Opens the routine that the path of the page names. */
  private showLinked(): Promise<void> | undefined {
    const linked = this.routines?.find(({ id }) => id === this.path);
    if (!this.path || !this.routines) {
      return undefined;
    }
    return linked ? this.open(linked) : this.guarded(async () => this.texts("routines.gone"));
  }

  protected override willUpdate(changed: PropertyValues): void {
    // A switch of a routine changes whenever the routine does.
    const before = changed.get("hass") as HomeAssistant | undefined;
    const switches = [...(this.routines ?? []), ...this.others].map(({ entity_id: id }) => id);
    const { states, entities } = this.hass;
    if (
      before &&
      (before.entities !== entities || switches.some((id) => before.states[id] !== states[id]))
    ) {
      this.refresh();
    }
  }

  protected override async load(): Promise<void> {
    const data = await ask(this.hass, "routines/list", this.wording);
    this.routines = data.routines;
    this.others = data.others;
    this.questions = data.questions;
    this.agent = data.agent;
    this.unreadable = data.unreadable;
  }

  // ------------------------------------------------------------ what the buttons do

  private open(routine: Routine): Promise<void> {
    this.opened = routine.id;
    this.whole = undefined;
    this.tested = undefined;
    return this.guarded(async () => {
      if (hasCondition(routine)) {
        const data = { routine: routine.id, ...this.wording };
        this.whole = await ask(this.hass, "routines/get", data);
        if (!routine.is_household) {
          this.tested = await act(this.hass, "test_routine", { routine: routine.id });
        }
      }
    });
  }

  /** How the sentences about routines are to be worded. */
  private get wording(): { language: string; has_twelve_hours: boolean } {
    return { language: this.hass.language, has_twelve_hours: hasTwelveHours(this.hass) };
  }

  private test(id: string): Promise<void> {
    return this.guarded(async () => {
      this.tested = await act(this.hass, "test_routine", { routine: id });
    });
  }

  private pause(routine: OtherRoutine): Promise<void> {
    const action = routine.status === "watching" ? "pause_routine" : "resume_routine";
    return this.act(async () => {
      await act(this.hass, action, { routine: routine.id });
    });
  }

  private async delete(routine: OtherRoutine, sentence: string): Promise<void> {
    if (await this.agrees(this.texts("routines.delete_question", { routine: sentence }))) {
      await this.act(async () => {
        await act(this.hass, "delete_routine", { routine: routine.id });
        return this.texts("routines.deleted");
      });
    }
  }

  private reply(question: Question, text: string): Promise<void> {
    return this.act(async () => {
      await answerRoutine(this.hass, question.routine, text);
      // The routine is off the list once its run has taken the answer.
      this.questions = this.questions.filter(({ id }) => id !== question.id);
      return this.texts("routines.answered");
    });
  }

  private speak(words: string, key: string): Promise<void> | undefined {
    const answer = speak(words, key, {
      hass: this.hass,
      agent: this.agent,
      ids: () => new Set(this.routines?.map(({ id }) => id)),
      load: () => this.load(),
    });
    return answer && this.act(() => answer);
  }

  private edit({ id, request }: Routine): void {
    drafts.set(id, { replaces: id, conversation: null, reply: "", words: request });
    this.requestUpdate();
  }

  private words(key: string): TemplateResult {
    const cancel = (): void => {
      drafts.delete(key);
      this.requestUpdate();
    };
    return wordsForm(this.texts, key, (words) => this.speak(words, key), cancel);
  }

  // ------------------------------------------------------------ what is shown

  protected override content(): TemplateResult | typeof nothing {
    return html`
      ${
        this.agent
          ? html`<ha-card class="new">
              <section class="padded" aria-label=${this.texts("routines.new")}>
                ${this.words("")}
              </section>
            </ha-card>`
          : nothing
      }
      ${
        this.unreadable
          ? html`<p class="failed">
              ${this.texts("routines.unreadable", { count: this.unreadable })}
            </p>`
          : nothing
      }
      ${this.strangeQuestions()} ${this.list()} ${this.ofOthers()}
    `;
  }

  private list(): TemplateResult | typeof nothing {
    if (!this.routines) {
      return nothing;
    }
    if (!this.routines.length) {
      return html`<div class="empty">
        ${icon("mdi:calendar-clock")}${this.texts("routines.none")}
      </div>`;
    }
    const own = this.routines.filter((each) => hasCondition(each) && !each.is_household);
    const lines = new Set(own.slice(0, MOST_LINES).map(({ id }) => id));
    return html`${this.zone()}
      <ha-card>
        <ul class="plain list" id="routines">
          ${repeat(
            this.routines,
            ({ id }) => id,
            (routine) => this.line(routine, lines.has(routine.id)),
          )}
        </ul>
      </ha-card>`;
  }

  /** Routines fire by the clock of the home, which is not that of a person in another zone. */
  private zone(): TemplateResult | typeof nothing {
    const { time_zone: home } = this.hass.config;
    const own = timeZone(this.hass) ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
    return own === home
      ? nothing
      : html`<p class="secondary zone">${this.texts("routines.zone", { home, own })}</p>`;
  }

  private line(routine: Routine, hasDay: boolean): TemplateResult {
    const questions = this.questions.filter(({ routine: id }) => id === routine.id);
    const isOn = routine.status === "watching";
    const facts = [
      isOn ? "" : this.status(routine),
      routine.is_household ? this.texts("routines.household") : "",
      this.next(routine),
    ];
    return html`<li class=${isOn ? "on" : "off"}>
        <button class="item" aria-haspopup="dialog" @click=${() => this.open(routine)}>
          ${icon(hasCondition(routine) ? "mdi:flash-outline" : "mdi:clock-outline")}
          <span class="text">
            <span class="headline">${routine.says}</span>
            <span class="supporting">${facts.filter(Boolean).join(" · ")}</span>
            ${
              hasDay
                ? html`<sage-routine-day
                    .hass=${this.hass}
                    .texts=${this.texts}
                    .routine=${routine}
                    .clock=${this.clockOf}
                  ></sage-routine-day>`
                : nothing
            }
          </span>
          ${
            routine.trouble
              ? html`<span class="badge error">${this.texts("routines.trouble")}</span>`
              : nothing
          }
        </button>
        ${this.switch(routine, routine.says)}
      </li>
      ${questions.map((question) => html`<li>${this.asked(question)}</li>`)}`;
  }

  private readonly clockOf = (at: string): string => this.clock(at);

  private switch(routine: OtherRoutine, label: string): TemplateResult | typeof nothing {
    return routine.status === "ended"
      ? nothing
      : toggle({
          label,
          isOn: routine.status === "watching",
          change: () => this.pause(routine),
        });
  }

  private status(routine: OtherRoutine): string {
    return this.texts(`routines.status.${routine.status}` as TextKey);
  }

  /** When it runs next, or whether its condition is true. */
  private next(routine: Routine): string {
    if (routine.status === "paused" && routine.paused_until) {
      return this.texts("routines.until", { time: this.dateTime(routine.paused_until) });
    }
    if (routine.status !== "watching") {
      return "";
    }
    if (routine.is_true !== null) {
      return this.texts(routine.is_true ? "routines.is_true" : "routines.is_false");
    }
    return routine.next_check
      ? this.texts("routines.next", { time: this.dateTime(routine.next_check) })
      : "";
  }

  // ------------------------------------------------------------ the details

  protected override sheet(): Sheet | undefined {
    const routine = this.routines?.find(({ id }) => id === this.opened);
    if (!routine) {
      return undefined;
    }
    const closed = (): void => {
      this.opened = undefined;
    };
    return { title: routine.says, content: this.details(routine), closed };
  }

  private details(routine: Routine): TemplateResult {
    const questions = this.questions.filter(({ routine: id }) => id === routine.id);
    return html`
      <div class="row">
        <span class="grow status">${this.status(routine)}</span>
        ${this.switch(routine, routine.says)}
      </div>
      ${
        routine.trouble
          ? html`<p class="failed">${errorOfCode(this.texts, routine.trouble)}</p>`
          : nothing
      }
      ${questions.map((question) => this.asked(question))}
      ${
        routine.request
          ? html`<p>${this.texts("routines.request", { words: routine.request })}</p>`
          : nothing
      }
      <p class="secondary">${this.times(routine)}</p>
      ${drafts.has(routine.id) ? this.words(routine.id) : nothing}
      ${this.tested ? resultOfTest(this.texts, this.tested, this.clockOf) : nothing}
      <div class="row">
        ${routine.is_household ? nothing : this.ownButtons(routine)}
        ${button({
          label: this.texts("delete"),
          look: "danger",
          icon: "mdi:delete-outline",
          click: () => this.delete(routine, routine.says),
        })}
      </div>
      ${fold({
        header: this.texts("routines.advanced"),
        content: () => {
          const number = (value: number): string => this.number(value);
          const duration = (seconds: number): string => this.duration(seconds);
          const locale = { texts: this.texts, number, duration };
          return advanced(locale, routine, this.whole, this.tested);
        },
      })}
    `;
  }

  private ownButtons(routine: Routine): TemplateResult {
    return html`
      ${
        this.agent && !drafts.has(routine.id)
          ? button({
              label: this.texts("routines.edit"),
              icon: "mdi:pencil",
              click: () => this.edit(routine),
            })
          : nothing
      }
      ${
        hasCondition(routine)
          ? button({
              label: this.texts("routines.test"),
              icon: "mdi:play-outline",
              click: () => this.test(routine.id),
            })
          : nothing
      }
    `;
  }

  private times(routine: Routine): string {
    const parts = [this.next(routine), this.texts("routines.fired", { count: routine.fired })];
    if (routine.last_fired) {
      parts.push(this.texts("routines.last", { time: this.dateTime(routine.last_fired) }));
    }
    if (routine.is_true !== null && routine.next_check && routine.status === "watching") {
      parts.push(this.texts("routines.next_check", { time: this.dateTime(routine.next_check) }));
    }
    return parts.filter(Boolean).join(" · ");
  }

  private asked(question: Question): TemplateResult {
    return questionOf(this.texts, question, (answer) => this.reply(question, answer));
  }

  /** Questions of routines that the person does not see, such as those of the household. */
  private strangeQuestions(): TemplateResult[] {
    const shown = new Set(this.routines?.map(({ id }) => id));
    return this.questions
      .filter(({ routine }) => !shown.has(routine))
      .map((question) => html`<ha-card>${this.asked(question)}</ha-card>`);
  }

  private ofOthers(): TemplateResult | typeof nothing {
    if (!this.others.length) {
      return nothing;
    }
    const name = ({ number }: OtherRoutine): string => this.texts("routines.number", { number });
    return html`<ha-card>
      ${fold({
        id: "others",
        header: this.texts("routines.others", { count: this.others.length }),
        icon: "mdi:account-group-outline",
        content: () =>
          html`<ul class="plain list">
            ${this.others.map(
              (routine) =>
                html`<li>
                  <div class="item">
                    <span class="text">
                      <span class="headline">${name(routine)}</span>
                      <span class="supporting"
                        >${this.status(routine)} ·
                        ${this.texts("routines.fired", { count: routine.fired })}</span
                      >
                    </span>
                  </div>
                  ${iconButton("mdi:delete-outline", this.texts("delete"), () =>
                    this.delete(routine, name(routine)),
                  )}
                  ${this.switch(routine, name(routine))}
                </li>`,
            )}
          </ul>`,
      })}
    </ha-card>`;
  }
}

/** Whether a routine has a condition; the others run at a set time. */
function hasCondition({ interval }: Routine): boolean {
  return interval !== undefined;
}
