import { type TemplateResult, html, nothing } from "lit";
import { customElement, state } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import { type Command, type PublicCommand, type Step, type Trace, type Usage, ask } from "../api";
import { follow } from "../home_assistant";
import "../start";
import { View } from "../view";

const PAGE = 50;
const MOST = 500;
const REFRESH_MS = 20_000;

/** A person's last commands; each opens to what happened, and why. */
@customElement("sage-activity")
export class Activity extends View {
  @state() private commands?: Command[];
  @state() private hasMore = false;
  @state() private household?: PublicCommand[];
  @state() private traces = new Map<string, Trace>();
  /** The open question of an undo: id of the command -> question. */
  @state() private questions = new Map<string, string>();

  private timer = 0;

  override connectedCallback(): void {
    super.connectedCallback();
    this.timer = window.setInterval(this.refresh, REFRESH_MS);
    window.addEventListener("focus", this.refresh);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    window.clearInterval(this.timer);
    window.removeEventListener("focus", this.refresh);
  }

  /** Shows commands that were given elsewhere meanwhile. */
  private refresh = (): void => {
    if (!document.hidden && this.commands) {
      this.load().catch(() => undefined);
    }
  };

  protected override async load(): Promise<void> {
    const count = Math.min(MOST, Math.max(PAGE, this.commands?.length ?? 0));
    const page = await ask(this.hass, "activity/list", { count });
    this.commands = page.commands;
    this.hasMore = page.has_more;
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

  private async open(event: Event, command: Command): Promise<void> {
    const isOpen = (event.currentTarget as HTMLDetailsElement).open;
    if (isOpen && !this.traces.has(command.id)) {
      await this.guarded(async () => {
        const trace = await ask(this.hass, "activity/trace", { id: command.id });
        this.traces = new Map(this.traces).set(command.id, trace);
      });
    }
  }

  private undo(command: Command, agreed?: string): Promise<void> {
    return this.act(async () => {
      const data = { id: command.id, language: this.hass.language };
      const answer = await ask(this.hass, "activity/undo", agreed ? { ...data, agreed } : data);
      this.questions = new Map(this.questions);
      if (answer.question) {
        this.questions.set(command.id, answer.question);
      } else {
        this.questions.delete(command.id);
      }
      return answer.done ?? "";
    });
  }

  private async openHousehold(event: Event): Promise<void> {
    if ((event.currentTarget as HTMLDetailsElement).open && !this.household) {
      await this.guarded(async () => {
        this.household = (
          await ask(this.hass, "activity/household", { count: PAGE })
        ).commands;
      });
    }
  }

  protected override render(): TemplateResult {
    return html`
      <div class="row">
        <h2 class="grow">${this.texts("activity.title")}</h2>
        <button @click=${() => this.act(async () => undefined)}>${this.texts("reload")}</button>
      </div>
      <p class="secondary">${this.texts("activity.intro")}</p>
      ${this.messages()}
      <sage-start
        .hass=${this.hass}
        .texts=${this.texts}
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
    if (!this.commands.length) {
      return html`<p>${this.texts("activity.none")}</p>`;
    }
    return html`
      <ul class="plain" id="commands">
        ${repeat(
          this.commands,
          (command) => command.id,
          (command) => html`<li class="card">${this.card(command)}</li>`,
        )}
      </ul>
      ${this.hasMore
        ? html`<button @click=${() => this.guarded(() => this.more())}>
            ${this.texts("more")}
          </button>`
        : nothing}
    `;
  }

  private card(command: Command): TemplateResult {
    const question = this.questions.get(command.id);
    return html`
      <p class="secondary">
        ${this.dateTime(command.at)}
        ${command.routine || command.routine_id ? html`· ${this.routine(command)}` : nothing}
        ${command.is_undone
          ? html`· <strong>${this.texts("activity.undone")}</strong>`
          : nothing}
        ${command.is_waiting
          ? html`· <strong>${this.texts("activity.waiting")}</strong>`
          : nothing}
      </p>
      <h3>${command.command || this.texts("activity.forgotten")}</h3>
      <p>${command.answer}</p>
      ${command.can_undo && !question
        ? html`<button @click=${() => this.undo(command)}>${this.texts("activity.undo")}</button>`
        : nothing}
      ${question ? this.ask(command, question) : nothing}
      ${command.is_waiting
        ? nothing
        : html`<details @toggle=${(event: Event) => this.open(event, command)}>
            <summary>${this.texts("activity.details")}</summary>
            ${this.traces.has(command.id)
              ? this.trace(command, this.traces.get(command.id)!)
              : nothing}
          </details>`}
    `;
  }

  /** The routine that ran the command, as a link to its card. */
  private routine({ routine, routine_id: id }: Command): TemplateResult {
    const text = this.texts("activity.routine", { when: routine });
    return id
      ? html`<a href="/sage/routines/${id}" @click=${follow}>${text}</a>`
      : html`${text}`;
  }

  private ask(command: Command, question: string): TemplateResult {
    return html`
      <div role="group" aria-label=${question}>
        <p>${question}</p>
        <div class="row">
          <button class="primary" @click=${() => this.undo(command, question)}>
            ${this.texts("yes")}
          </button>
          <button
            @click=${() => {
              this.questions = new Map(this.questions);
              this.questions.delete(command.id);
            }}
          >
            ${this.texts("no")}
          </button>
        </div>
      </div>
    `;
  }

  private summary(command: Pick<PublicCommand, "seconds" | "model_calls" | "usage">): string {
    return this.texts("activity.summary", {
      seconds: this.number(command.seconds, 1),
      calls: this.texts.counted("activity.calls", command.model_calls),
      tokens: this.tokens(
        command.usage,
        command.usage.prompt_tokens + command.usage.completion_tokens,
      ),
    });
  }

  private trace(command: Command, trace: Trace): TemplateResult {
    return html`
      ${this.why(trace)} ${this.changes(command, trace)}
      ${trace.seen?.length
        ? html`<h3>${this.texts("activity.also")}</h3>
            <ul>
              ${trace.seen.map((sentence) => html`<li>${sentence}</li>`)}
            </ul>`
        : nothing}
      <details>
        <summary>${this.texts("activity.technical")}</summary>
        ${this.technical(trace)}
      </details>
    `;
  }

  private technical(trace: Trace): TemplateResult {
    const changed = trace.outcomes.filter(({ after }) => Object.keys(after).length);
    return html`
      <p class="secondary">${this.summary(trace)}</p>
      ${changed.length
        ? html`<h3>${this.texts("activity.values")}</h3>
            <ul>
              ${changed.map(
                ({ name, before, after }) =>
                  html`<li>${name}: ${this.values(before, after)}</li>`,
              )}
            </ul>`
        : nothing}
      <h3>${this.texts("activity.steps")}</h3>
      <p class="secondary">
        ${this.texts("activity.costs", {
          seconds: this.number(trace.seconds, 1),
          model_seconds: this.number(trace.model_seconds, 1),
        })}
        ${trace.reads
          ? this.texts.counted("activity.reads", trace.reads)
          : this.texts("activity.reads_none")}
        ${this.usage(trace.usage)}
      </p>
      ${trace.root.children.length
        ? html`<ul class="plain">
            ${trace.root.children.map((step) => this.step(step))}
          </ul>`
        : html`<p>${this.texts("activity.no_steps")}</p>`}
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
          ({ question, risks, result }) => html`<li>
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
      ${done.length
        ? html`<ul>
            ${done.map(
              ({ sentence }) => html`<li>${sentence}</li>`,
            )}
          </ul>`
        : html`<p>${this.texts("activity.no_changes")}</p>`}
    `;
  }

  private values(before: Record<string, unknown>, after: Record<string, unknown>): string {
    return Object.keys(after)
      .map((name) => `${name}: ${shown(before[name])} → ${shown(after[name])}`)
      .join(", ");
  }

  private step(step: Step): TemplateResult {
    const facts = [this.texts("activity.seconds", { seconds: this.number(step.seconds, 1) })];
    if (step.usage) {
      facts.push(this.usage(step.usage));
    }
    const hasMore = step.children.length || step.result || Object.keys(step.arguments).length;
    const head = html`<strong
        >${step.kind === "model" ? this.texts("activity.model") : step.name}</strong
      >
      ${step.error ? html`<span class="failed">${this.texts("activity.error")}</span>` : nothing}
      <span class="secondary">${facts.join(" · ")}</span>`;
    if (!hasMore) {
      return html`<li>${head}</li>`;
    }
    return html`<li>
      <details>
        <summary>${head}</summary>
        ${Object.keys(step.arguments).length
          ? html`<pre>${JSON.stringify(step.arguments, null, 2)}</pre>`
          : nothing}
        ${step.children.length
          ? html`<ul class="plain">
              ${step.children.map((child) => this.step(child))}
            </ul>`
          : nothing}
        ${step.result
          ? html`<p class="secondary">${this.texts("activity.seen")}</p>
              <pre>${step.result}</pre>`
          : nothing}
      </details>
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

  private ofHousehold(): TemplateResult {
    return html`
      <details id="household" @toggle=${this.openHousehold}>
        <summary>${this.texts("activity.household")}</summary>
        <p class="secondary">${this.texts("activity.household_intro")}</p>
        ${this.household?.length === 0
          ? html`<p>${this.texts("activity.household_none")}</p>`
          : nothing}
        <ul class="plain">
          ${this.household?.map(
            (command) => html`<li class="card">
              <p class="secondary">${this.dateTime(command.at)}</p>
              <ul>
                ${command.outcomes.map(
                  ({ name, kind }) =>
                    html`<li>${name}: ${this.texts(`activity.outcome.${kind}`)}</li>`,
                )}
              </ul>
              <p>${this.summary(command)}</p>
            </li>`,
          )}
        </ul>
      </details>
    `;
  }
}

function shown(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "–");
}
