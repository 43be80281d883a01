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
import { field } from "../forms";
import { hasTwelveHours, timeZone } from "../home_assistant";
import { errorOfCode, resultOfTest } from "../routine_test";
import type { TextKey } from "../texts";
import { View } from "../view";
import { chartStyles } from "../styles";

const REFRESH_MS = 10_000;

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
  static override styles = [View.styles, chartStyles, css`
    .status { font-weight: 500; }
    .linked { outline: 2px solid var(--primary-color); }
    .replaced { opacity: 0.6; }
  `];

  @state() private routines?: Routine[];
  @state() private others: OtherRoutine[] = [];
  @state() private questions: Question[] = [];
  @state() private agent: string | null = null;
  @state() private unreadable = 0;
  @state() private opened = new Map<string, WholeRoutine>();
  @state() private tests = new Map<string, RoutineTest>();

  private timer = 0;

  override connectedCallback(): void {
    super.connectedCallback();
    // A question may come at any time; the next tick shows what a lost connection missed.
    this.timer = window.setInterval(() => {
      if (!document.hidden && this.routines) {
        this.load().catch(() => undefined);
      }
    }, REFRESH_MS);
  }

  protected override firstUpdated(_: PropertyValues): void {
    void this.loaded?.then(() => this.showLinked());
    for (const { answer } of drafts.values()) {
      if (answer) {
        void this.act(() => answer);
      }
    }
  }

  /** Brings the routine into view that the path of the page names. */
  private async showLinked(): Promise<void> {
    if (!this.path || !this.routines) {
      return;
    }
    await this.updateComplete;
    const linked = this.renderRoot.querySelector<HTMLElement>(".linked");
    if (!linked) {
      await this.guarded(async () => this.texts("routines.gone"));
      return;
    }
    linked.scrollIntoView({ block: "center" });
    linked.focus({ preventScroll: true });
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    window.clearInterval(this.timer);
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

  private async open(event: Event, id: string): Promise<void> {
    if ((event.currentTarget as HTMLDetailsElement).open && !this.opened.has(id)) {
      await this.guarded(() => this.read(id));
    }
  }

  /** How the sentences about routines are to be worded. */
  private get wording(): { language: string; has_twelve_hours: boolean } {
    return { language: this.hass.language, has_twelve_hours: hasTwelveHours(this.hass) };
  }

  private async read(id: string): Promise<void> {
    const data = { routine: id, ...this.wording };
    const whole = await ask(this.hass, "routines/get", data);
    this.opened = new Map(this.opened).set(id, whole);
  }

  private test(id: string): Promise<void> {
    return this.guarded(async () => {
      const result = await act(this.hass, "test_routine", { routine: id });
      this.tests = new Map(this.tests).set(id, result);
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

  private answer(question: Question, text: string): Promise<void> {
    return this.act(async () => {
      await answerRoutine(this.hass, question.routine, text);
      // The routine is off the list once its run has taken the answer.
      this.questions = this.questions.filter(({ id }) => id !== question.id);
      return this.texts("routines.answered");
    });
  }

  /** Sends words to the agent, once until it answers. */
  private speak(event: SubmitEvent, key: string): Promise<void> {
    const words = field(event, "words");
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
      <div class="row">
        <h2 class="grow">${this.texts("routines.title")}</h2>
        <button @click=${() => this.act(async () => undefined)}>${this.texts("reload")}</button>
      </div>
      <p class="secondary">${this.texts("routines.intro")}</p>
      ${this.unreadable
        ? html`<p class="error">
            ${this.texts("routines.unreadable", { count: this.unreadable })}
          </p>`
        : nothing}
      ${this.agent
        ? html`<section class="card" aria-labelledby="new">
            <h3 id="new">${this.texts("routines.new")}</h3>
            ${this.words("")}
          </section>`
        : nothing}
      ${this.strangeQuestions()} ${this.list()} ${this.ofOthers()}
    `;
  }

  private list(): TemplateResult | typeof nothing {
    if (!this.routines) {
      return nothing;
    }
    if (!this.routines.length) {
      return html`<p>${this.texts("routines.none")}</p>`;
    }
    return html`${this.zone()}<ul class="plain" id="routines">
      ${repeat(
        this.routines,
        ({ id }) => id,
        (routine) => html`<li
          class="card ${routine.id === this.path ? "linked" : ""}"
          tabindex=${routine.id === this.path ? -1 : nothing}
          id="routine-${routine.id}"
        >
          ${this.card(routine)}
        </li>`,
      )}
    </ul>`;
  }

  /** Routines fire by the clock of the home, which is not that of a person in another zone. */
  private zone(): TemplateResult | typeof nothing {
    const { time_zone: home } = this.hass.config;
    const own = timeZone(this.hass) ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
    return own === home
      ? nothing
      : html`<p class="secondary">${this.texts("routines.zone", { home, own })}</p>`;
  }

  private card(routine: Routine): TemplateResult {
    const questions = this.questions.filter(({ routine: id }) => id === routine.id);
    const test = this.tests.get(routine.id);
    return html`
      <p class="secondary">
        ${this.texts("routines.number", { number: routine.number })} ·
        <span class="status">${this.status(routine)}</span>
        ${routine.is_household ? html` · ${this.texts("routines.household")}` : nothing}
      </p>
      <h3>${routine.says}</h3>
      ${routine.request
        ? html`<p class="secondary">
            ${this.texts("routines.request", { words: routine.request })}
          </p>`
        : nothing}
      ${questions.map((question) => this.asked(question))}
      ${this.does(routine)}
      <p class="secondary">${this.times(routine)}</p>
      ${routine.trouble ? html`<p class="error">${errorOfCode(this.texts, routine.trouble)}</p>` : nothing}
      ${drafts.has(routine.id) ? this.words(routine.id) : nothing}
      <div class="row">
        ${routine.is_household ? nothing : this.ownButtons(routine)} ${this.buttons(routine)}
      </div>
      ${test ? resultOfTest(this.texts, test, (at) => this.clock(at)) : nothing}
      ${hasCondition(routine)
        ? html`<details @toggle=${(event: Event) => this.open(event, routine.id)}>
            <summary>${this.texts("routines.details")}</summary>
            ${this.opened.has(routine.id) ? this.details(this.opened.get(routine.id)!) : nothing}
          </details>`
        : nothing}
    `;
  }

  private ownButtons(routine: Routine): TemplateResult {
    return html`
      ${hasCondition(routine)
        ? html`<button @click=${() => this.test(routine.id)}>${this.texts("routines.test")}</button>`
        : nothing}
      ${this.agent && !drafts.has(routine.id)
        ? html`<button @click=${() => this.edit(routine)}>${this.texts("routines.edit")}</button>`
        : nothing}
    `;
  }

  private buttons(routine: OtherRoutine & { says?: string }): TemplateResult {
    const name =
      routine.says ?? this.texts("routines.number", { number: routine.number });
    return html`
      ${routine.status === "ended"
        ? nothing
        : html`<button @click=${() => this.pause(routine)}>
            ${this.texts(routine.status === "watching" ? "routines.pause" : "routines.resume")}
          </button>`}
      <button class="danger" @click=${() => this.delete(routine, name)}>
        ${this.texts("delete")}
      </button>
    `;
  }

  private status(routine: OtherRoutine): string {
    return this.texts(`routines.status.${routine.status}` as TextKey);
  }

  private times(routine: Routine): string {
    const parts = [this.texts("routines.fired", { count: routine.fired })];
    if (routine.last_fired) {
      parts.push(this.texts("routines.last", { time: this.dateTime(routine.last_fired) }));
    }
    if (routine.status === "paused" && routine.paused_until) {
      parts.push(this.texts("routines.until", { time: this.dateTime(routine.paused_until) }));
    } else if (routine.next_check && routine.status === "watching") {
      const key = routine.is_true === null ? "routines.next" : "routines.next_check";
      parts.push(this.texts(key, { time: this.dateTime(routine.next_check) }));
    }
    if (routine.is_true !== null && routine.status === "watching") {
      parts.push(this.texts(routine.is_true ? "routines.is_true" : "routines.is_false"));
    }
    return parts.join(" · ");
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
    const words = html`<input
      name="answer"
      required
      autocomplete="off"
      type=${question.takes_pin ? "password" : "text"}
      inputmode=${question.takes_pin ? "numeric" : nothing}
      aria-label=${this.texts(question.takes_pin ? "routines.pin" : "routines.your_answer")}
      placeholder=${this.texts(question.takes_pin ? "routines.pin" : "routines.your_answer")}
    />`;
    const hasChoice = question.wanted !== "text";
    return html`
      <div class="question" role="group" aria-label=${question.text}>
        <p><strong>${question.text}</strong></p>
        <form
          class="row"
          @submit=${(event: SubmitEvent) => this.answer(question, field(event, "answer"))}
        >
          ${question.wanted === "yes_or_no"
            ? html`<button
                type="button"
                class="primary"
                @click=${() => this.answer(question, question.yes)}
              >
                ${this.texts("yes")}
              </button>`
            : html`${words}<button class="primary">${this.texts("routines.send")}</button>`}
          ${hasChoice
            ? html`<button
                type="button"
                @click=${() => this.answer(question, question.no)}
              >
                ${this.texts("no")}
              </button>`
            : nothing}
        </form>
      </div>
    `;
  }

  /** Questions of routines that the person does not see, such as those of the household. */
  private strangeQuestions(): TemplateResult[] {
    const shown = new Set(this.routines?.map(({ id }) => id));
    return this.questions
      .filter(({ routine }) => !shown.has(routine))
      .map((question) => html`<section class="card">${this.asked(question)}</section>`);
  }

  private words(key: string): TemplateResult {
    const draft = drafts.get(key);
    const isSent = Boolean(draft?.answer);
    const label = this.texts(
      draft?.reply ? "routines.your_answer" : key ? "routines.new_words" : "routines.sentence",
    );
    return html`
      <form
        aria-busy=${isSent}
        @submit=${(event: SubmitEvent) => this.speak(event, key)}
      >
        <div role="status">
          ${draft?.reply ? html`<p>${draft.reply}</p>` : nothing}
          ${isSent
            ? html`<p class="secondary">${this.texts("card.working")}</p>
                <progress aria-label=${this.texts("card.working")}></progress>`
            : nothing}
        </div>
        ${key && !draft?.reply
          ? html`<p class="secondary">${this.texts("routines.edit_info")}</p>`
          : nothing}
        <textarea
          name="words"
          required
          rows="2"
          maxlength="1000"
          aria-label=${label}
          placeholder=${label}
          ?readonly=${isSent}
          .value=${draft?.words ?? ""}
        ></textarea>
        <div class="row">
          <button class="primary" ?disabled=${isSent}>${this.texts("routines.send")}</button>
          ${!isSent && (draft?.replaces || draft?.reply)
            ? html`<button type="button" @click=${() => this.cancel(key)}>
                ${this.texts("cancel")}
              </button>`
            : nothing}
        </div>
      </form>
    `;
  }

  private details(routine: WholeRoutine): TemplateResult {
    return html`
      <p class="secondary">
        ${this.texts("routines.code_info", {
          interval: this.number(routine.interval ?? 0),
        })}
        ${routine.hold
          ? this.texts("routines.code_hold", { time: this.duration(routine.hold) })
          : this.texts("routines.code_no_hold")}
      </p>
      <sage-code .value=${routine.code ?? ""} .label=${this.texts("routines.code")}></sage-code>
      ${routine.end_code
        ? html`<p class="secondary">${this.texts("routines.end_code")}</p>
            <sage-code
              .value=${routine.end_code}
              .label=${this.texts("routines.end_code")}
            ></sage-code>`
        : nothing}
    `;
  }

  private ofOthers(): TemplateResult | typeof nothing {
    if (!this.others.length) {
      return nothing;
    }
    return html`
      <details id="others">
        <summary>${this.texts("routines.others", { count: this.others.length })}</summary>
        <p class="secondary">${this.texts("routines.others_info")}</p>
        <ul class="plain">
          ${this.others.map(
            (routine) => html`<li class="card row">
              <span class="grow"
                >${this.texts("routines.number", { number: routine.number })} ·
                ${this.status(routine)} ·
                ${this.texts("routines.fired", { count: routine.fired })}</span
              >
              ${this.buttons(routine)}
            </li>`,
          )}
        </ul>
      </details>
    `;
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
