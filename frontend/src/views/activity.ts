import { type TemplateResult, css, html, nothing } from "lit";
import { customElement, state } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import {
  type Command,
  type LiveCommand,
  type PublicCommand,
  type Step,
  type Trace,
  type Usage,
  ask,
} from "../api";
import { follow } from "../home_assistant";
import { button, fold, icon, iconButton, spinner } from "../parts";
import "../start";
import { stepIcon, stepName, timeline, timelineStyles } from "../timeline";
import { type Sheet, View } from "../view";
import { voiceReasons } from "../voice";

const PAGE = 50;
const MOST = 500;
const SETTLED_MS = 500;

/** A person's last commands, one line each; a sheet says what happened, and why. */
@customElement("sage-activity")
export class Activity extends View {
  static override styles = [
    View.styles,
    timelineStyles,
    css`
      li.waiting {
        background: color-mix(in srgb, var(--warning-color) 12%, var(--card-background-color));
      }
      .undone .headline {
        text-decoration: line-through;
      }
      .facts {
        color: var(--secondary-text-color);
        display: flex;
        flex-wrap: wrap;
        gap: 4px 8px;
      }
      .said {
        font-size: 16px;
        line-height: 24px;
        margin: 12px 0;
        white-space: pre-line;
      }
      .steps details {
        border-inline-start: 2px solid var(--divider-color);
        padding-inline-start: 12px;
      }
    `,
  ];

  @state() private commands?: Command[];
  @state() private hasMore = false;
  @state() private household?: PublicCommand[];
  /** The command whose details are open, and its trace when it is loaded. */
  @state() private opened: string | undefined;
  @state() private trace: Trace | undefined;
  /** The open question of an undo: id of the command -> question. */
  @state() private questions = new Map<string, string>();

  /** The commands that run now, by id. */
  @state() private live = new Map<string, LiveCommand>();
  private reload = 0;

  protected override watched(command: LiveCommand): void {
    this.live = new Map(this.live).set(command.id, command);
    // A question of SAGE is in the list only.
    window.clearTimeout(this.reload);
    this.reload = window.setTimeout(this.refresh, command.is_over ? 0 : SETTLED_MS);
  }

  protected override async load(): Promise<void> {
    const count = Math.min(MOST, Math.max(PAGE, this.commands?.length ?? 0));
    const page = await ask(this.hass, "activity/list", { count });
    this.commands = page.commands;
    this.hasMore = page.has_more;
    const listed = new Set(page.commands.map(({ id }) => id));
    const live = [...this.live].filter(([id, { is_over }]) => !is_over && !listed.has(id));
    this.live = new Map(live);
  }

  private async more(): Promise<void> {
    // The commands that wait for a reply come first, and are not in the log yet.
    const last = this.commands?.at(-1);
    const before = last?.is_waiting ? undefined : last?.id;
    if (before) {
      const page = await ask(this.hass, "activity/list", { count: PAGE, before });
      this.commands = [...(this.commands ?? []), ...page.commands];
      this.hasMore = page.has_more;
    }
  }

  private open({ id }: Command): Promise<void> {
    this.opened = id;
    this.trace = undefined;
    return this.guarded(async () => {
      const trace = await ask(this.hass, "activity/trace", { id });
      this.trace = this.opened === id ? trace : this.trace;
    });
  }

  private undo(command: Command, agreed?: string): Promise<void> {
    return this.act(async () => {
      const data = { id: command.id, language: this.hass.language };
      const answer = await ask(this.hass, "activity/undo", agreed ? { ...data, agreed } : data);
      this.setQuestion(command, answer.question);
      if (answer.question && !this.opened) {
        void this.open(command);
      }
      return answer.done ?? "";
    });
  }

  private setQuestion({ id }: Command, question: string | null): void {
    this.questions = new Map(this.questions);
    if (question) {
      this.questions.set(id, question);
    } else {
      this.questions.delete(id);
    }
  }

  private openHousehold(isOpen: boolean): Promise<void> | undefined {
    if (!isOpen || this.household) {
      return undefined;
    }
    return this.guarded(async () => {
      this.household = (await ask(this.hass, "activity/household", { count: PAGE })).commands;
    });
  }

  // ------------------------------------------------------------ the list

  protected override content(): TemplateResult {
    return html`
      <sage-start
        .hass=${this.hass}
        .texts=${this.texts}
        .parts=${this.parts}
        .hasCommands=${this.commands && this.commands.length > 0}
        @answered=${() => this.act(async () => undefined)}
      ></sage-start>
      ${this.list()} ${this.hass.user.is_admin ? this.ofHousehold() : nothing}
    `;
  }

  private list(): TemplateResult | typeof nothing {
    if (!this.commands) {
      return nothing;
    }
    const listed = new Set(this.commands.map(({ id }) => id));
    const live = [...this.live.values()].filter(({ id, is_over }) => !is_over && !listed.has(id));
    if (!this.commands.length && !live.length) {
      return html`<div class="empty">${icon("mdi:history")}${this.texts("activity.none")}</div>`;
    }
    const days = new Map<string, Command[]>();
    for (const command of this.commands) {
      const day = this.dayOf(command.at);
      days.set(day, [...(days.get(day) ?? []), command]);
    }
    return html`
      <div id="live" aria-live="polite">
        ${
          live.length
            ? html`<h2>${this.texts("activity.live")}</h2>
                ${live.map((command) => html`<ha-card>${this.running(command)}</ha-card>`)}`
            : nothing
        }
      </div>
      <div id="commands">
        ${repeat(
          days,
          ([day]) => day,
          ([day, commands]) =>
            html`<section aria-label=${day}>
              <h2>${day}</h2>
              <ha-card>
                <ul class="plain list">
                  ${repeat(
                    commands,
                    ({ id }) => id,
                    (command) => this.line(command),
                  )}
                </ul>
              </ha-card>
            </section>`,
        )}
      </div>
      ${
        this.hasMore
          ? html`<div class="more">
              ${button({
                label: this.texts("more"),
                click: () => this.guarded(() => this.more()),
              })}
            </div>`
          : nothing
      }
    `;
  }

  private running({ command, root }: LiveCommand): TemplateResult {
    return html`
      <div class="item">
        ${spinner()}
        <span class="text"><span class="headline">${command}</span></span>
      </div>
      <div class="padded">
        ${timeline(this.texts, root.children, (value) => this.number(value, 1))}
      </div>
    `;
  }

  private line(command: Command): TemplateResult {
    const classes = [command.is_undone ? "undone" : "", command.is_waiting ? "waiting" : ""];
    const main = html`
      ${this.icon(command)}
      <span class="text">
        <span class="headline">${this.words(command)}</span>
        <span class="supporting">${command.answer}</span>
        ${this.badges(command)}
      </span>
      <time datetime=${command.at} title=${this.dateTime(command.at)}>${this.ago(command.at)}</time>
    `;
    return html`<li class=${classes.join(" ")}>
      ${
        command.is_waiting
          ? html`<div class="item">${main}</div>`
          : html`<button class="item" aria-haspopup="dialog" @click=${() => this.open(command)}>
              ${main}
            </button>`
      }
      ${
        command.can_undo
          ? iconButton("mdi:undo", this.texts("activity.undo"), () => this.undo(command))
          : nothing
      }
    </li>`;
  }

  private words({ command }: Command): string {
    return command || this.texts("activity.forgotten");
  }

  /** What the command changed; or else, how it ended. */
  private icon({
    outcomes,
    kind,
    is_waiting,
    routine_id,
  }: Command): TemplateResult | typeof nothing {
    if (is_waiting) {
      return icon("mdi:comment-question-outline");
    }
    const done = outcomes.find((each) => each.kind !== "refused" && each.kind !== "failed");
    const entity = done?.component && this.hass.states[done.component];
    if (entity && customElements.get("ha-state-icon")) {
      return html`<ha-state-icon
        aria-hidden="true"
        .hass=${this.hass}
        .stateObj=${entity}
      ></ha-state-icon>`;
    }
    if (done) {
      return icon("mdi:devices");
    }
    if (outcomes.length) {
      return icon("mdi:hand-back-left-off-outline");
    }
    if (kind === "failure") {
      return icon("mdi:alert-circle-outline");
    }
    return icon(routine_id ? "mdi:calendar-clock" : "mdi:message-text-outline");
  }

  private badges({ routine, is_undone, is_waiting }: Command): TemplateResult | typeof nothing {
    const texts = [
      is_waiting ? html`<span class="badge warning">${this.texts("activity.waiting")}</span>` : "",
      is_undone ? html`<span class="badge">${this.texts("activity.undone")}</span>` : "",
      routine
        ? html`<span class="badge">${this.texts("activity.routine", { when: routine })}</span>`
        : "",
    ].filter(Boolean);
    return texts.length ? html`<span class="row badges">${texts}</span>` : nothing;
  }

  private ofHousehold(): TemplateResult {
    return html`<ha-card>
      ${fold({
        id: "household",
        header: this.texts("activity.household"),
        icon: "mdi:home-automation",
        toggle: (isOpen) => this.openHousehold(isOpen),
        content: () => html`
          ${
            this.household?.length === 0
              ? html`<p class="empty">${this.texts("activity.household_none")}</p>`
              : nothing
          }
          <ul class="plain list">
            ${this.household?.map(
              (command) =>
                html`<li>
                  <div class="item">
                    <span class="text">
                      ${command.outcomes.map(
                        ({ name, kind }) =>
                          html`<span class="headline"
                            >${name}: ${this.texts(`activity.outcome.${kind}`)}</span
                          >`,
                      )}
                      <span class="supporting">${this.summary(command)}</span>
                    </span>
                    <time datetime=${command.at}>${this.dateTime(command.at)}</time>
                  </div>
                </li>`,
            )}
          </ul>
        `,
      })}
    </ha-card>`;
  }

  // ------------------------------------------------------------ the details

  protected override sheet(): Sheet | undefined {
    const command = this.commands?.find(({ id }) => id === this.opened);
    if (!command) {
      return undefined;
    }
    const content = html`
      <p class="facts">
        <time datetime=${command.at}>${this.dateTime(command.at)}</time>
        ${command.routine || command.routine_id ? this.routine(command) : nothing}
        ${
          command.is_undone
            ? html`<span class="badge">${this.texts("activity.undone")}</span>`
            : nothing
        }
      </p>
      <p class="said">${command.answer}</p>
      ${this.undoing(command)} ${this.trace ? this.told(command, this.trace) : nothing}
    `;
    return {
      title: this.words(command),
      content,
      closed: () => {
        this.opened = undefined;
        this.setQuestion(command, null);
      },
    };
  }

  private undoing(command: Command): TemplateResult | typeof nothing {
    const question = this.questions.get(command.id);
    if (question) {
      return html`<div role="group" aria-label=${question}>
        <p>${question}</p>
        <div class="row">
          ${button({
            label: this.texts("yes"),
            look: "main",
            click: () => this.undo(command, question),
          })}
          ${button({
            label: this.texts("no"),
            click: () => this.setQuestion(command, null),
          })}
        </div>
      </div>`;
    }
    return command.can_undo
      ? button({
          label: this.texts("activity.undo"),
          icon: "mdi:undo",
          look: "outlined",
          click: () => this.undo(command),
        })
      : nothing;
  }

  /** The routine that ran the command, as a link to its card. */
  private routine({ routine, routine_id: id }: Command): TemplateResult {
    const text = this.texts("activity.routine", { when: routine });
    return id ? html`<a href="/sage/routines/${id}" @click=${follow}>${text}</a>` : html`${text}`;
  }

  private told(command: Command, trace: Trace): TemplateResult {
    return html`
      ${this.why(trace)} ${this.changes(command, trace)}
      ${
        trace.seen?.length
          ? html`<h3>${this.texts("activity.also")}</h3>
              <ul>
                ${trace.seen.map((sentence) => html`<li>${sentence}</li>`)}
              </ul>`
          : nothing
      }
      ${
        trace.voice
          ? html`<h3>${this.texts("voice.why")}</h3>
              <ul>
                ${voiceReasons(this.texts, trace.voice, (value) => this.number(value, 2)).map(
                  (reason) => html`<li>${reason}</li>`,
                )}
              </ul>`
          : nothing
      }
      <h3>${this.texts("activity.steps")}</h3>
      ${
        trace.root.children.length
          ? timeline(
              this.texts,
              trace.root.children,
              (value) => this.number(value, 1),
              trace.outcomes,
            )
          : html`<p class="secondary">${this.texts("activity.no_steps")}</p>`
      }
      ${fold({
        header: this.texts("activity.technical"),
        content: () => this.technical(trace),
      })}
    `;
  }

  /** Why SAGE asked, or did not do something. */
  private why(trace: Trace): TemplateResult | typeof nothing {
    const refused = trace.outcomes.filter(({ kind }) => kind === "refused" || kind === "failed");
    if (!trace.confirmations.length && !refused.length) {
      return nothing;
    }
    return html`
      <h3>${this.texts("activity.why")}</h3>
      <ul>
        ${trace.confirmations.map(
          ({ question, risks, result }) =>
            html`<li>
              ${this.texts("activity.asked", { question })}
              ${risks.map((risk) => html`<br />${this.texts(`activity.risk.${risk}`)}`)}
              <br />${this.texts(`activity.reply.${result}`)}
            </li>`,
        )}
        ${refused.map(({ sentence }) => html`<li>${sentence}</li>`)}
      </ul>
    `;
  }

  private changes(command: Command, trace: Trace): TemplateResult {
    const done = trace.outcomes.filter(({ kind }) => kind !== "refused" && kind !== "failed");
    return html`
      <h3>${this.texts("activity.changes")}</h3>
      ${command.is_undone ? html`<p>${this.texts("activity.undone_changes")}</p>` : nothing}
      ${
        done.length
          ? html`<ul>
              ${done.map(({ sentence }) => html`<li>${sentence}</li>`)}
            </ul>`
          : html`<p class="secondary">${this.texts("activity.no_changes")}</p>`
      }
    `;
  }

  // ------------------------------------------------------------ technical details

  private technical(trace: Trace): TemplateResult {
    const changed = trace.outcomes.filter(({ after }) => Object.keys(after).length);
    return html`
      <p class="secondary">${this.summary(trace)}</p>
      <p class="secondary">
        ${this.texts("activity.costs", {
          seconds: this.number(trace.seconds, 1),
          model_seconds: this.number(trace.model_seconds, 1),
        })}
        ${
          trace.reads
            ? this.texts.counted("activity.reads", trace.reads)
            : this.texts("activity.reads_none")
        }
        ${this.usage(trace.usage)}
      </p>
      ${
        changed.length
          ? html`<h3>${this.texts("activity.values")}</h3>
              <ul>
                ${changed.map(
                  ({ name, before, after }) => html`<li>${name}: ${values(before, after)}</li>`,
                )}
              </ul>`
          : nothing
      }
      <ul class="plain steps">
        ${trace.root.children.map((step) => this.step(step))}
      </ul>
    `;
  }

  private summary(command: Pick<PublicCommand, "seconds" | "model_calls" | "usage">): string {
    const { prompt_tokens, completion_tokens } = command.usage;
    return this.texts("activity.summary", {
      seconds: this.number(command.seconds, 1),
      calls: this.texts.counted("activity.calls", command.model_calls),
      tokens: this.tokens(command.usage, prompt_tokens + completion_tokens),
    });
  }

  private step(step: Step): TemplateResult {
    const facts = [this.texts("activity.seconds", { seconds: this.number(step.seconds, 1) })];
    if (step.usage) {
      facts.push(this.usage(step.usage));
    }
    const header = step.kind === "model" ? stepName(this.texts, step) : step.name;
    const hasArguments = Object.keys(step.arguments).length > 0;
    return html`<li>
      ${fold({
        header: step.error ? `${header} (${this.texts("activity.error")})` : header,
        secondary: facts.join(" · "),
        icon: stepIcon(step),
        content: () => html`
          ${hasArguments ? html`<pre>${JSON.stringify(step.arguments, null, 2)}</pre>` : nothing}
          ${
            step.children.length
              ? html`<ul class="plain steps">
                  ${step.children.map((child) => this.step(child))}
                </ul>`
              : nothing
          }
          ${
            step.result
              ? html`<p class="secondary">${this.texts("activity.seen")}</p>
                  <pre>${step.result}</pre>`
              : nothing
          }
        `,
      })}
    </li>`;
  }

  private usage(usage: Usage): string {
    return this.texts("activity.tokens", {
      prompt: this.tokens(usage, usage.prompt_tokens),
      cached: this.tokens(usage, usage.cached_tokens),
      written: this.tokens(usage, usage.completion_tokens),
    });
  }

  /** A number of tokens; an estimate is marked as one. */
  private tokens(usage: Usage, count: number): string {
    const number = this.number(count);
    return usage.is_estimated ? this.texts("activity.about", { number }) : number;
  }
}

function values(before: Record<string, unknown>, after: Record<string, unknown>): string {
  return Object.keys(after)
    .map((name) => `${name}: ${shown(before[name])} → ${shown(after[name])}`)
    .join(", ");
}

function shown(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "–");
}
