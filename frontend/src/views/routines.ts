import { type PropertyValues, type TemplateResult, css, html, nothing } from "lit";
import { customElement, state } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import {
  type OtherRoutine,
  type Question,
  type Routine,
  type RoutineTest,
  type WholeRoutine,
  act,
  answerRoutine,
  ask,
} from "../api";
import "../code";
import { type HomeAssistant, hasTwelveHours, timeZone } from "../home_assistant";
import { button, fold, form, icon, iconButton, spinner, textField, toggle } from "../parts";
import { errorOfCode, readsOf, resultOfTest } from "../routine_test";
import type { TextKey } from "../texts";
import { chartStyles } from "../styles";
import { type Sheet, View } from "../view";

/** Words for a new routine, or other words for the routine `replaces`. */
interface Draft {
  replaces?: string;
  conversation: string | null;
  reply: string;
  /** The words in the field; those that were sent until the answer is there. */
  words: string;
  /** The notice of the answer, while the agent works on it. */
  answer?: Promise<string>;
}

/** Routine or "" -> draft. A draft outlives the view, because an answer may take minutes. */
const drafts = new Map<string, Draft>();

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

  /** Sends words to the agent, once until it answers. */
  private speak(words: string, key: string): Promise<void> {
    const draft = drafts.get(key) ?? { conversation: null, reply: "", words };
    if (draft.answer) {
      return Promise.resolve();
    }
    const answer = this.answerTo(key, { ...draft, words });
    drafts.set(key, { ...draft, words, answer });
    return this.act(() => answer);
  }

  /** Returns the notice of the answer; a replaced routine goes once the new one is there. */
  private async answerTo(key: string, draft: Draft): Promise<string> {
    drafts.set(key, draft);
    const before = new Set(this.routines?.map(({ id }) => id));
    try {
      const { response, conversation_id } = await this.hass.callWS<ConversationAnswer>({
        type: "conversation/process",
        text: draft.words,
        agent_id: this.agent,
        conversation_id: draft.conversation,
        language: this.hass.language,
      });
      const reply = response.speech.plain?.speech ?? "";
      await this.load();
      if (!this.routines!.some(({ id }) => !before.has(id))) {
        drafts.set(key, { ...draft, conversation: conversation_id, reply, words: "" });
        return "";
      }
      if (draft.replaces) {
        await act(this.hass, "delete_routine", { routine: draft.replaces });
      }
      drafts.delete(key);
      return reply;
    } catch (error) {
      drafts.set(key, draft);
      throw error;
    }
  }

  private edit({ id, request }: Routine): void {
    drafts.set(id, { replaces: id, conversation: null, reply: "", words: request });
    this.requestUpdate();
  }

  private cancel(key: string): void {
    drafts.delete(key);
    this.requestUpdate();
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
    return html`${this.zone()}
      <ha-card>
        <ul class="plain list" id="routines">
          ${repeat(
            this.routines,
            ({ id }) => id,
            (routine) => this.line(routine),
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
      : html`<p class="secondary">${this.texts("routines.zone", { home, own })}</p>`;
  }

  private line(routine: Routine): TemplateResult {
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
      ${this.tested ? resultOfTest(this.texts, this.tested, (at) => this.clock(at)) : nothing}
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
        content: () => html`
          <p class="secondary">${this.texts("routines.number", { number: routine.number })}</p>
          ${this.does(routine)} ${this.tested ? readsOf(this.tested) : nothing}
          ${this.whole ? this.code(this.whole) : nothing}
        `,
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

  private does({ does, action }: Routine): TemplateResult {
    if (does && "commands" in does) {
      return html`<ul>
        ${does.commands.map(
          ({ device, command, arguments: given }) =>
            html`<li><strong>${device}</strong>: <code>${command}</code> ${values(given)}</li>`,
        )}
      </ul>`;
    }
    return does && "words" in does
      ? html`<p>${this.texts("routines.tells", { words: does.words })}</p>`
      : html`<p>${this.texts("routines.decides", { action })}</p>`;
  }

  private asked(question: Question): TemplateResult {
    const yes = { label: this.texts("yes"), look: "main" as const };
    const answer = textField({
      name: "answer",
      label: this.texts(question.takes_pin ? "routines.pin" : "routines.your_answer"),
      type: question.takes_pin ? "password" : "text",
      isNumeric: question.takes_pin,
      required: true,
    });
    return html`
      <div class="question" role="group" aria-label=${question.text}>
        <p><strong>${question.text}</strong></p>
        ${form(
          html`${
            question.wanted === "yes_or_no"
              ? button({ ...yes, click: () => this.reply(question, question.yes) })
              : html`${answer}
                ${button({ label: this.texts("routines.send"), look: "main", type: "submit" })}`
          }
          ${
            question.wanted === "text"
              ? nothing
              : button({
                  label: this.texts("no"),
                  click: () => this.reply(question, question.no),
                })
          }`,
          ({ answer }) => this.reply(question, answer!),
        )}
      </div>
    `;
  }

  /** Questions of routines that the person does not see, such as those of the household. */
  private strangeQuestions(): TemplateResult[] {
    const shown = new Set(this.routines?.map(({ id }) => id));
    return this.questions
      .filter(({ routine }) => !shown.has(routine))
      .map((question) => html`<ha-card>${this.asked(question)}</ha-card>`);
  }

  private words(key: string): TemplateResult {
    const draft = drafts.get(key);
    const isSent = Boolean(draft?.answer);
    const label = this.texts(
      draft?.reply ? "routines.your_answer" : key ? "routines.new_words" : "routines.sentence",
    );
    return html`
      <div aria-busy=${isSent}>
        <div role="status">
          ${draft?.reply ? html`<p>${draft.reply}</p>` : nothing}
          ${isSent ? html`<p class="row">${spinner()}${this.texts("card.working")}</p>` : nothing}
        </div>
        ${form(
          html`${textField({
            name: "words",
            label,
            value: draft?.words ?? "",
            required: true,
            maxlength: 1000,
            readonly: isSent,
          })}
          ${button({
            label: this.texts("routines.send"),
            look: "main",
            type: "submit",
            disabled: isSent,
          })}
          ${
            !isSent && (draft?.replaces || draft?.reply)
              ? button({ label: this.texts("cancel"), click: () => this.cancel(key) })
              : nothing
          }`,
          ({ words }) => this.speak(words!, key),
        )}
      </div>
    `;
  }

  private code(routine: WholeRoutine): TemplateResult {
    return html`
      <p class="secondary">
        ${this.texts("routines.code_info", {
          interval: this.number(routine.interval ?? 0),
        })}
        ${
          routine.hold
            ? this.texts("routines.code_hold", { time: this.duration(routine.hold) })
            : this.texts("routines.code_no_hold")
        }
      </p>
      <sage-code .value=${routine.code ?? ""} .label=${this.texts("routines.code")}></sage-code>
      ${
        routine.end_code
          ? html`<p class="secondary">${this.texts("routines.end_code")}</p>
              <sage-code
                .value=${routine.end_code}
                .label=${this.texts("routines.end_code")}
              ></sage-code>`
          : nothing
      }
    `;
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

interface ConversationAnswer {
  conversation_id: string | null;
  response: { speech: { plain?: { speech: string } } };
}

/** Whether a routine has a condition; the others run at a set time. */
function hasCondition({ interval }: Routine): boolean {
  return interval !== undefined;
}

function values(given: Record<string, unknown>): string {
  return Object.entries(given)
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
    .join(", ");
}
