import { type TemplateResult, css, html, nothing } from "lit";
import { customElement, state } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import { type Memory as Remembered, type MemoryOverview, type MemoryPage, act, ask } from "../api";
import { memorySettings } from "../memory_settings";
import { type Values, button, empty, fold, form, iconButton, textField } from "../parts";
import { View } from "../view";
import "../voice";

/** Milliseconds without a key after which the search begins. */
const TYPED_MS = 250;
const PAGE = 50;

type Group = "told" | "said";

/** What SAGE knows about the person, and everything they can do with it. */
@customElement("sage-memory")
export class Memory extends View {
  static override styles = [
    View.styles,
    css`
      .search {
        display: flex;
        padding-top: 12px;
      }
      :host([narrow]) .search {
        padding: 8px 12px 0;
      }
      .profile {
        white-space: pre-line;
      }
      li > form {
        flex: 1 1 auto;
        padding: 8px 16px;
      }
      .add {
        border-top: 1px solid var(--divider-color);
        padding: 8px 16px;
      }
    `,
  ];

  @state() private overview?: MemoryOverview;
  @state() private pages: Partial<Record<Group, MemoryPage>> = {};
  @state() private search = "";
  /** The number of memories that the shown search has found; undefined without a search. */
  @state() private found: number | undefined;
  /** Id of the memory that is being corrected. */
  @state() private edited: number | undefined;
  private typing = 0;

  protected override async load(): Promise<void> {
    const { search } = this;
    const [overview, told, said] = await Promise.all([
      ask(this.hass, "memory/overview", {}),
      this.page("told"),
      this.page("said"),
    ]);
    // Another search may have begun meanwhile.
    if (search === this.search) {
      this.overview = overview;
      this.found = search ? told.found + said.found : undefined;
      this.pages = { told, said };
      this.edited = undefined;
    }
  }

  protected override get isEditing(): boolean {
    const isWriting = Boolean(this.shadowRoot?.activeElement?.closest("form"));
    return this.edited !== undefined || isWriting;
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

  private find(words: string): void {
    this.search = words.trim();
    window.clearTimeout(this.typing);
    this.typing = window.setTimeout(() => this.act(async () => undefined), TYPED_MS);
  }

  private remember({ text }: Values, form: HTMLFormElement): Promise<void> {
    return this.act(async () => {
      await act(this.hass, "remember", { text: text! });
      empty(form);
      return this.texts("memory.remembered");
    });
  }

  private correct(id: number, text: string): Promise<void> {
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

  private forgetDays(first_day: string, last_day: string): Promise<void> {
    const days = { first: this.day(first_day), last: this.day(last_day) };
    return this.forget({ first_day, last_day }, this.texts("memory.forget_days_ask", days));
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
    const { overview } = this;
    if (!overview) {
      return nothing;
    }
    return html`
      <div class="search" role="search">
        ${textField({
          name: "search",
          type: "search",
          label: this.texts("memory.search_label"),
          value: this.search,
          input: (words) => this.find(words),
        })}
      </div>
      <div role="status">
        ${
          this.found === undefined
            ? nothing
            : html`<p class="secondary">
                ${
                  this.found
                    ? this.texts.counted("memory.found", this.found)
                    : this.texts("memory.found_none")
                }
              </p>`
        }
      </div>
      <p class="secondary">
        ${this.texts(overview.settings.enabled ? "memory.is_on" : "memory.is_off")}
      </p>
      ${this.told(overview)} ${this.found === undefined ? this.concluded(overview) : nothing}
      ${this.said()}
      ${
        this.found === undefined
          ? html`<sage-voice
                .hass=${this.hass}
                .texts=${this.texts}
                .parts=${this.parts}
              ></sage-voice>
              ${memorySettings(this.texts, overview.settings, {
                set: (data) => this.set(data),
                forget: (data, question) => this.forget(data, question),
                forgetDays: (first, last) => this.forgetDays(first, last),
                exportAll: () => this.export(),
              })}`
          : nothing
      }
    `;
  }

  private told({ settings }: MemoryOverview): TemplateResult {
    return html`
      <section aria-labelledby="told">
        <h2 id="told">${this.texts("memory.told")}</h2>
        <ha-card>
          ${this.list("told", this.texts("memory.told_none"))}
          ${
            settings.enabled && this.found === undefined
              ? form(
                  html`${textField({
                    name: "text",
                    label: this.texts("memory.tell_label"),
                    required: true,
                    maxlength: 4000,
                  })}
                  ${button({ label: this.texts("memory.tell"), type: "submit" })}`,
                  (values, form) => this.remember(values, form),
                  { className: "row add" },
                )
              : nothing
          }
        </ha-card>
      </section>
    `;
  }

  private concluded({ profile, days }: MemoryOverview): TemplateResult {
    return html`
      <section aria-labelledby="concluded">
        <h2 id="concluded">${this.texts("memory.concluded")}</h2>
        <ha-card>
          <div class="padded">
            ${
              profile.text
                ? html`<p class="profile">${profile.text}</p>
                    <p class="secondary">
                      ${this.texts("memory.made", {
                        at: this.dateTime(profile.made_at!),
                        days: this.texts.counted("memory.of_days", profile.dates.length),
                      })}
                    </p>`
                : html`<p class="secondary">${this.texts("memory.no_profile")}</p>`
            }
            ${
              profile.corrections.length
                ? html`<h3>${this.texts("memory.corrections")}</h3>
                    <ul>
                      ${profile.corrections.map(({ text }) => html`<li>${text}</li>`)}
                    </ul>`
                : nothing
            }
            ${button({
              label: this.texts("memory.rebuild"),
              icon: "mdi:refresh",
              click: () => this.rebuild(),
            })}
          </div>
          ${
            days.length
              ? fold({
                  header: this.texts.counted("memory.days", days.length),
                  icon: "mdi:calendar",
                  content: () =>
                    html`<ul class="plain list">
                      ${days.map(
                        ({ date, text }) =>
                          html`<li>
                            <div class="item">
                              <span class="text">
                                <span class="headline">${text}</span>
                                <span class="supporting">${this.day(date)}</span>
                              </span>
                            </div>
                            ${iconButton(
                              "mdi:delete-outline",
                              this.texts("memory.forget_day", { day: this.day(date) }),
                              () => this.forgetDay(date),
                            )}
                          </li>`,
                      )}
                    </ul>`,
                })
              : nothing
          }
        </ha-card>
      </section>
    `;
  }

  private said(): TemplateResult {
    return html`
      <section aria-labelledby="said">
        <h2 id="said">${this.texts("memory.rest")}</h2>
        <ha-card>${this.list("said", this.texts("memory.rest_none"))}</ha-card>
      </section>
    `;
  }

  private list(group: Group, none: string): TemplateResult | typeof nothing {
    const page = this.pages[group];
    if (!page) {
      return nothing;
    }
    if (!page.memories.length) {
      return html`<p class="empty">
        ${this.found === undefined ? none : this.texts("memory.found_none")}
      </p>`;
    }
    return html`
      <ul class="plain list" data-group=${group}>
        ${repeat(
          page.memories,
          (memory) => memory.id,
          (memory) => html`<li>${this.line(memory)}</li>`,
        )}
      </ul>
      ${
        page.has_more
          ? html`<div class="more">
              ${button({
                label: this.texts("more"),
                click: () => this.guarded(() => this.more(group)),
              })}
            </div>`
          : nothing
      }
    `;
  }

  private line(memory: Remembered): TemplateResult {
    if (memory.id === this.edited) {
      return form(
        html`${textField({
          name: "text",
          label: this.texts("memory.correct_label"),
          value: memory.text,
          required: true,
          maxlength: 4000,
        })}
        ${button({ label: this.texts("save"), look: "main", type: "submit" })}
        ${button({ label: this.texts("cancel"), click: () => this.edit() })}`,
        ({ text }) => this.correct(memory.id, text!),
      );
    }
    const { text, place, count, origin } = memory;
    const facts = [
      this.dateTime(memory.at),
      place ?? "",
      origin === "corrected" ? this.texts("memory.correction") : "",
      count > 1 ? this.texts("memory.times", { count }) : "",
    ];
    return html`
      <div class="item">
        <span class="text">
          ${memory.question ? html`<span class="supporting">${memory.question}</span>` : nothing}
          <span class="headline">${text}</span>
          <span class="supporting">${facts.filter(Boolean).join(" · ")}</span>
        </span>
      </div>
      ${iconButton("mdi:pencil-outline", this.texts("memory.correct_it", { text }), () =>
        this.edit(memory.id),
      )}
      ${iconButton("mdi:delete-outline", this.texts("memory.delete_it", { text }), () =>
        this.forget({ ids: [memory.id] }, this.texts("memory.delete_ask", { text })),
      )}
    `;
  }

  private async edit(id?: number): Promise<void> {
    this.edited = id;
    await this.updateComplete;
    this.renderRoot.querySelector<HTMLInputElement>("li [name=text]")?.focus();
  }
}
