import { type TemplateResult, css, html, nothing } from "lit";
import { customElement, state } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import { type Command, type LiveCommand, type PublicCommand, type Trace, ask } from "../api";
import { follow } from "../home_assistant";
import { button, fold, icon, iconButton, spinner } from "../parts";
import "../start";
import { timeline, timelineStyles } from "../timeline";
import { type Locale, summary, traceOf } from "../trace";
import { type Sheet, View } from "../view";

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
                      <span class="supporting">${summary(this.locale, command)}</span>
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

  private get locale(): Locale {
    return { texts: this.texts, number: (value, digits) => this.number(value, digits) };
  }

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
        <span>${this.texts("activity.only_you")}</span>
      </p>
      <p class="said">${command.answer}</p>
      ${this.undoing(command)} ${this.trace ? traceOf(this.locale, command, this.trace) : nothing}
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
}
