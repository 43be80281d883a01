import { type TemplateResult, html, nothing } from "lit";
import { customElement, query, state } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import { type Memory as Remembered, type MemoryOverview, type MemoryPage, act, ask } from "../api";
import { View } from "../view";

const PAGE = 50;

type Group = "told" | "said";

/** What SAGE knows about the person, and everything they can do with it. */
@customElement("sage-memory")
export class Memory extends View {
  @state() private overview?: MemoryOverview;
  @state() private pages: Partial<Record<Group, MemoryPage>> = {};
  @state() private search = "";
  /** The number of memories that the shown search has found; undefined without a search. */
  @state() private found: number | undefined;
  /** Whether other memories are unfolded; undefined until the view or the person chooses. */
  @state() private restIsOpen: boolean | undefined;
  /** Id of the memory that is being corrected. */
  @state() private edited: number | undefined;
  @query("#rest") private rest?: HTMLDetailsElement;

  protected override async load(): Promise<void> {
    const [overview, told, said] = await Promise.all([
      ask(this.hass, "memory/overview", {}),
      this.page("told"),
      this.restIsOpen || this.search ? this.page("said") : undefined,
    ]);
    this.overview = overview;
    this.found = this.search && said ? told.found + said.found : undefined;
    this.pages = said ? { told, said } : { told };
    if (this.restIsOpen === undefined && !told.memories.length && overview.total) {
      // Only other memories exist: folded, the view would look empty.
      this.pages = { told, said: await this.page("said") };
      this.restIsOpen = true;
    }
    this.edited = undefined;
  }

  private page(group: Group, before?: number): Promise<MemoryPage> {
    return ask(this.hass, "memory/list", {
      group,
      count: PAGE,
      ...(before === undefined ? {} : { before }),
      ...(this.search ? { search: this.search } : {}),
    });
  }

  private async more(group: Group): Promise<void> {
    const shown = this.pages[group]!.memories;
    const page = await this.page(group, shown.at(-1)!.id);
    this.pages = { ...this.pages, [group]: { ...page, memories: [...shown, ...page.memories] } };
  }

  private toggleRest(): Promise<void> {
    this.restIsOpen = this.rest!.open;
    return this.restIsOpen && !this.pages.said
      ? this.guarded(async () => {
          this.pages = { ...this.pages, said: await this.page("said") };
        })
      : Promise.resolve();
  }

  private find(event: SubmitEvent): Promise<void> {
    this.search = field(event, "search");
    // The words may be in what is folded.
    if (this.search) {
      this.restIsOpen = true;
    }
    return this.act(async () => undefined);
  }

  private remember(event: SubmitEvent): Promise<void> {
    const text = field(event, "text");
    const form = event.target as HTMLFormElement;
    return this.act(async () => {
      await act(this.hass, "remember", { text });
      form.reset();
      return this.texts("memory.remembered");
    });
  }

  private correct(event: SubmitEvent, id: number): Promise<void> {
    const text = field(event, "text");
    return this.act(async () => {
      await act(this.hass, "correct_memory", { id, text });
      return this.texts("memory.corrected");
    });
  }

  private async forget(data: Parameters<typeof act<"forget">>[2], question: string): Promise<void> {
    if (await this.agrees(`${question} ${this.texts("memory.forget_log")}`)) {
      await this.act(async () => {
        const { forgotten } = await act(this.hass, "forget", data);
        return forgotten
          ? this.texts.counted("memory.forgotten", forgotten)
          : this.texts("memory.forgotten_none");
      });
    }
  }

  private forgetTopic(event: SubmitEvent): Promise<void> {
    const topic = field(event, "topic");
    return this.forget({ topic }, this.texts("memory.forget_topic_ask", { topic }));
  }

  private forgetDays(event: SubmitEvent): Promise<void> {
    const first_day = field(event, "first");
    const last_day = field(event, "last") || first_day;
    return this.forget(
      { first_day, last_day },
      this.texts("memory.forget_days_ask", {
        first: this.day(first_day),
        last: this.day(last_day),
      }),
    );
  }

  private forgetDay(date: string): Promise<void> {
    return this.forget(
      { first_day: date },
      this.texts("memory.forget_day_ask", { day: this.day(date) }),
    );
  }

  private rebuild(): Promise<void> {
    return this.guarded(async () => {
      const { error, days_left } = await act(this.hass, "rebuild_profile", {});
      await this.load();
      if (error) {
        return error;
      }
      if (days_left) {
        return this.texts.counted("memory.rebuild_unfinished", days_left);
      }
      return this.texts(this.overview?.profile.text ? "memory.rebuilt" : "memory.rebuilt_none");
    });
  }

  private set(data: Parameters<typeof act<"set_memory">>[2]): Promise<void> {
    return this.act(async () => {
      await act(this.hass, "set_memory", data);
      return this.texts("memory.saved");
    });
  }

  private setRetention(event: SubmitEvent): Promise<void> {
    return this.set({
      retention_days: Number(field(event, "days")),
      request_days: Number(field(event, "requests")),
    });
  }

  private export(): Promise<void> {
    return this.guarded(async () => {
      const exported = await act(this.hass, "export_memory", {});
      const file = new Blob([JSON.stringify(exported, null, 2)], { type: "application/json" });
      const link = document.createElement("a");
      link.href = URL.createObjectURL(file);
      link.download = "sage-memory.json";
      link.click();
      URL.revokeObjectURL(link.href);
      return this.texts("memory.exported");
    });
  }

  protected override content(): TemplateResult | typeof nothing {
    if (!this.overview) {
      return nothing;
    }
    const { settings } = this.overview;
    return html`
      <div class="card row">
        <span class="grow"
          >${this.texts(settings.enabled ? "memory.is_on" : "memory.is_off")}</span
        >
        <button @click=${() => this.set({ enabled: !settings.enabled })}>
          ${this.texts(settings.enabled ? "memory.switch_off" : "memory.switch_on")}
        </button>
      </div>
      ${this.concluded(this.overview)} ${this.searching()} ${this.told()}
      ${this.everythingElse(this.overview.total)}
      ${this.forgetting()} ${this.keeping(this.overview)}
    `;
  }

  private concluded({ profile, days }: MemoryOverview): TemplateResult {
    return html`
      <section aria-labelledby="concluded">
        <h2 id="concluded">${this.texts("memory.concluded")}</h2>
        <div class="card">
          ${profile.text
            ? html`<p class="text">${profile.text}</p>
                <p class="secondary">
                  ${this.texts("memory.made", {
                    at: this.dateTime(profile.made_at!),
                    days: this.texts.counted("memory.of_days", profile.dates.length),
                  })}
                </p>`
            : html`<p>${this.texts("memory.no_profile")}</p>`}
          ${profile.corrections.length
            ? html`<h3>${this.texts("memory.corrections")}</h3>
                <ul>
                  ${profile.corrections.map(({ text }) => html`<li>${text}</li>`)}
                </ul>`
            : nothing}
          ${days.length
            ? html`<details>
                <summary>${this.texts.counted("memory.days", days.length)}</summary>
                <ul class="plain">
                  ${days.map(
                    ({ date, text }) => html`<li>
                      <h3>${this.day(date)}</h3>
                      <p class="text">${text}</p>
                      <button @click=${() => this.forgetDay(date)}>
                        ${this.texts("memory.forget_day", { day: this.day(date) })}
                      </button>
                    </li>`,
                  )}
                </ul>
              </details>`
            : nothing}
          <button @click=${this.rebuild}>${this.texts("memory.rebuild")}</button>
        </div>
      </section>
    `;
  }

  private searching(): TemplateResult {
    return html`
      <form class="row" role="search" @submit=${submitted(this.find)}>
        <input
          class="grow"
          type="search"
          name="search"
          .value=${this.search}
          aria-label=${this.texts("memory.search_label")}
          placeholder=${this.texts("memory.search_label")}
        />
        <button>${this.texts("memory.search")}</button>
      </form>
      <div role="status">
        ${this.found === undefined
          ? nothing
          : html`<p>
              ${this.found
                ? this.texts.counted("memory.found", this.found)
                : this.texts("memory.found_none")}
            </p>`}
      </div>`;
  }

  private told(): TemplateResult {
    return html`
      <section aria-labelledby="told">
        <h2 id="told">${this.texts("memory.told")}</h2>
        ${this.list("told", this.texts("memory.told_none"))}
        ${this.overview!.settings.enabled
          ? html`<form class="row" @submit=${submitted(this.remember)}>
              <input
                class="grow"
                name="text"
                required
                maxlength="4000"
                aria-label=${this.texts("memory.tell_label")}
                placeholder=${this.texts("memory.tell_label")}
              />
              <button>${this.texts("memory.tell")}</button>
            </form>`
          : nothing}
      </section>
    `;
  }

  private everythingElse(total: number): TemplateResult {
    return html`
      <details id="rest" .open=${this.restIsOpen ?? false} @toggle=${this.toggleRest}>
        <summary>
          <h2>
            ${this.found === undefined
              ? this.texts("memory.rest", { count: this.number(total) })
              : this.texts("memory.rest_found", {
                  count: this.number(this.pages.said?.found ?? 0),
                })}
          </h2>
        </summary>
        ${this.list("said", this.texts("memory.rest_none"))}
      </details>
    `;
  }

  private list(group: Group, none: string): TemplateResult | typeof nothing {
    const page = this.pages[group];
    if (!page) {
      return nothing;
    }
    if (!page.memories.length) {
      return this.found === undefined ? html`<p>${none}</p>` : nothing;
    }
    return html`
      <ul class="plain" data-group=${group}>
        ${repeat(
          page.memories,
          (memory) => memory.id,
          (memory) => html`<li class="card">${this.card(memory)}</li>`,
        )}
      </ul>
      ${page.has_more
        ? html`<button @click=${() => this.guarded(() => this.more(group))}>
            ${this.texts("more")}
          </button>`
        : nothing}
    `;
  }

  private card(memory: Remembered): TemplateResult {
    if (memory.id === this.edited) {
      return html`<form
        class="row"
        @submit=${submitted((event: SubmitEvent) => this.correct(event, memory.id))}
      >
        <input
          class="grow"
          name="text"
          required
          maxlength="4000"
          .value=${memory.text}
          aria-label=${this.texts("memory.correct_label")}
        />
        <button class="primary">${this.texts("save")}</button>
        <button type="button" @click=${() => this.edit()}>${this.texts("cancel")}</button>
      </form>`;
    }
    const facts = [
      this.dateTime(memory.at),
      memory.place ?? "",
      this.texts(`memory.origin.${memory.origin}`),
      memory.count > 1 ? this.texts("memory.times", { count: memory.count }) : "",
    ];
    return html`
      ${memory.question ? html`<p class="secondary">${memory.question}</p>` : nothing}
      <p class="text">${memory.text}</p>
      <p class="secondary">${facts.filter(Boolean).join(" · ")}</p>
      <div class="row">
        <button
          aria-label=${this.texts("memory.correct_it", { text: memory.text })}
          @click=${() => this.edit(memory.id)}
        >
          ${this.texts("memory.correct")}
        </button>
        <button
          aria-label=${this.texts("memory.delete_it", { text: memory.text })}
          @click=${() =>
            this.forget(
              { ids: [memory.id] },
              this.texts("memory.delete_ask", { text: memory.text }),
            )}
        >
          ${this.texts("delete")}
        </button>
      </div>
    `;
  }

  private async edit(id?: number): Promise<void> {
    this.edited = id;
    await this.updateComplete;
    this.renderRoot.querySelector<HTMLInputElement>("li form input")?.focus();
  }

  private forgetting(): TemplateResult {
    return html`
      <section aria-labelledby="forget">
        <h2 id="forget">${this.texts("memory.forget")}</h2>
        <div class="card">
          <form class="row" @submit=${submitted(this.forgetTopic)}>
            <input
              class="grow"
              name="topic"
              required
              aria-label=${this.texts("memory.topic_label")}
              placeholder=${this.texts("memory.topic_label")}
            />
            <button>${this.texts("memory.forget_topic")}</button>
          </form>
          <form class="row" @submit=${submitted(this.forgetDays)}>
            <label>${this.texts("memory.first")} <input type="date" name="first" required /></label>
            <label>${this.texts("memory.last")} <input type="date" name="last" /></label>
            <button>${this.texts("memory.forget_days")}</button>
          </form>
          <button
            class="danger"
            @click=${() => this.forget({ everything: true }, this.texts("memory.forget_all_ask"))}
          >
            ${this.texts("memory.forget_all")}
          </button>
        </div>
      </section>
    `;
  }

  private keeping({ settings }: MemoryOverview): TemplateResult {
    return html`
      <section aria-labelledby="keep">
        <h2 id="keep">${this.texts("memory.keep")}</h2>
        <div class="card">
          <form class="row" @submit=${submitted(this.setRetention)}>
            <label
              >${this.texts("memory.keep_days")}
              <input
                type="number"
                name="days"
                min="0"
                max="36500"
                required
                .value=${String(settings.retention_days)}
            /></label>
            <label
              >${this.texts("memory.keep_requests")}
              <input
                type="number"
                name="requests"
                min="0"
                max="36500"
                required
                .value=${String(settings.request_days)}
            /></label>
            <button>${this.texts("save")}</button>
            ${settings.has_own_retention
              ? html`<button
                  type="button"
                  @click=${() => this.set({ household_retention: true })}
                >
                  ${this.texts("memory.keep_as_household")}
                </button>`
              : nothing}
          </form>
          <p class="secondary">${this.texts("memory.keep_help")}</p>
          <button @click=${this.export}>${this.texts("memory.export")}</button>
        </div>
      </section>
    `;
  }
}

/** Returns a listener that handles a form without sending it. */
function submitted(
  handle: (this: Memory, event: SubmitEvent) => unknown,
): (this: Memory, event: SubmitEvent) => void {
  return function (event) {
    event.preventDefault();
    handle.call(this, event);
  };
}

function field(event: SubmitEvent, name: string): string {
  return String(new FormData(event.target as HTMLFormElement).get(name) ?? "").trim();
}
