import { type TemplateResult, css, html, nothing } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { type Assistant, type Proposal, ask } from "./api";
import { converse, stepOf } from "./converse";
import { firstAgent, navigate } from "./home_assistant";
import { button, form, icon, select } from "./parts";
import type { TextKey } from "./texts";
import { View } from "./view";

const SETTINGS = "/config/integrations/integration/sage";
const EXPOSE = "/config/voice-assistants/expose";
const NEW_ASSISTANT = "new";

/**
 * The first steps with SAGE: what it is, sentences to try, until there are commands, and what is
 * missing until it can work. After an answer, it sends the event `answered`.
 */
@customElement("sage-start")
export class Start extends View {
  static override styles = [
    View.styles,
    css`
      ha-card {
        margin-top: 16px;
      }
      .what {
        font-size: 16px;
        line-height: 24px;
      }
      .answer {
        margin: 0 0 8px;
        padding: 0 16px;
        white-space: pre-line;
      }
    `,
  ];

  /** Whether the person has given commands; undefined until that is known. */
  @property({ attribute: false }) hasCommands?: boolean;

  @state() private sentences: Proposal[] = [];
  @state() private assistants: Assistant[] | null = null;
  /** Whether the person may use no device at all. */
  @state() private isWithoutDevices = false;
  /** Sentence -> its answer, or the latest step of SAGE while it works. */
  @state() private answers = new Map<string, string>();
  /** The sentence that SAGE is working on. */
  @state() private asked = "";
  /** Whether the sentences are shown; they stay after the first one was said. */
  private isNew = false;

  protected override async load(): Promise<void> {
    const { sentences, assistants } = await ask(this.hass, "start/get", {});
    this.sentences = sentences;
    this.assistants = assistants;
    if (!sentences.length) {
      const { total } = await ask(this.hass, "devices/list", { start: 0, count: 1 });
      this.isWithoutDevices = total === 0;
    }
  }

  protected override willUpdate(): void {
    this.isNew ||= this.hasCommands === false;
  }

  /** The view around it does this. */
  protected override watched(): void {
    // Nothing here depends on single commands.
  }

  private async say(text: string, agent: string): Promise<void> {
    this.asked = text;
    const show = (answer: string): void => {
      this.answers = new Map(this.answers).set(text, answer);
    };
    show(this.texts("card.working"));
    await this.guarded(async () => {
      try {
        const utterance = { text, agent, conversation: null };
        const { response } = await converse(this.hass, utterance, (part) => {
          const step = stepOf(part);
          if (step) {
            show(step);
          }
        });
        show(response.speech.plain?.speech ?? "");
      } catch (error) {
        show("");
        throw error;
      }
    });
    this.asked = "";
    this.dispatchEvent(new CustomEvent("answered"));
  }

  private use(assistant: string): Promise<void> {
    return this.act(async () => {
      await ask(this.hass, "start/use_in_assistant", { assistant });
      return this.texts("start.used");
    });
  }

  protected override content(): TemplateResult {
    const agent = firstAgent(this.hass);
    return html`
      ${agent ? nothing : this.missing("no_agent", "mdi:creation-outline", SETTINGS)}
      ${this.isWithoutDevices ? this.missing("no_devices", "mdi:devices", EXPOSE) : nothing}
      ${this.offer()} ${agent ? this.proposals(agent) : nothing}
    `;
  }

  private proposals(agent: string): TemplateResult | typeof nothing {
    if (!this.isNew || !this.sentences.length) {
      return nothing;
    }
    const texts = this.sentences.map(({ kind, device }) =>
      this.texts(`start.say.${kind}`, { device }),
    );
    return html`
      <ha-card>
        <section aria-label=${this.texts("start.title")}>
          <div class="padded">
            <h2 class="unseen">${this.texts("start.title")}</h2>
            <p class="what">${this.texts("start.what")}</p>
          </div>
          <ul class="plain" aria-live="polite">
            ${texts.map(
              (text) =>
                html`<li>
                  <button
                    class="item"
                    ?disabled=${this.asked !== ""}
                    @click=${() => this.say(text, agent)}
                  >
                    ${icon("mdi:message-text-outline")}<span class="text">${text}</span>
                  </button>
                  ${
                    this.answers.get(text)
                      ? html`<p class="answer">${this.answers.get(text)}</p>`
                      : nothing
                  }
                  ${
                    this.asked === text
                      ? html`<progress aria-label=${this.texts("card.working")}></progress>`
                      : nothing
                  }
                </li>`,
            )}
          </ul>
        </section>
      </ha-card>
    `;
  }

  /** Something without which SAGE cannot work; administrators can change it. */
  private missing(what: "no_agent" | "no_devices", name: string, path: string): TemplateResult {
    const text = (suffix: string): string => this.texts(`start.${what}${suffix}` as TextKey);
    const isAdmin = this.hass.user.is_admin;
    return html`<ha-card>
      <section class="item" aria-label=${text("")}>
        ${icon(name)}
        <span class="text">
          <span class="headline">${text("")}</span>
          <span class="supporting"
            >${isAdmin ? text("_info") : this.texts("start.ask_administrator")}</span
          >
        </span>
        ${
          isAdmin
            ? button({ label: text("_button"), look: "main", click: () => navigate(path) })
            : nothing
        }
      </section>
    </ha-card>`;
  }

  private offer(): TemplateResult | typeof nothing {
    if (!this.assistants) {
      return nothing;
    }
    const choices = this.assistants.map(({ id, name }) => ({ value: id, label: name }));
    choices.push({ value: NEW_ASSISTANT, label: this.texts("start.new_assistant") });
    return html`
      <ha-card>
        <section class="padded" aria-label=${this.texts("start.assist")}>
          <h3 class="title">${this.texts("start.assist")}</h3>
          <p class="secondary">${this.texts("start.assist_info")}</p>
          ${form(
            html`${select({
              name: "assistant",
              label: this.texts("start.assistant"),
              value: choices[0]!.value,
              choices,
            })}
            ${button({ label: this.texts("start.use"), look: "main", type: "submit" })}`,
            ({ assistant }) => this.use(assistant!),
          )}
        </section>
      </ha-card>
    `;
  }
}
