import { type TemplateResult, css, html, nothing } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { type Assistant, type Proposal, ask } from "./api";
import { converse, stepOf } from "./converse";
import { field } from "./forms";
import { firstAgent } from "./home_assistant";
import { View } from "./view";

const NEW_ASSISTANT = "new";

/**
 * The first steps with SAGE: sentences to try, until there are commands, and the use of SAGE in
 * Assist. After an answer, it sends the event `answered`.
 */
@customElement("sage-start")
export class Start extends View {
  static override styles = [View.styles, css`
    li { margin: 8px 0; }
    .answer { white-space: pre-line; }
  `];

  /** Whether the person has given commands; undefined until that is known. */
  @property({ attribute: false }) hasCommands?: boolean;

  @state() private sentences: Proposal[] = [];
  @state() private assistants: Assistant[] | null = null;
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
  }

  protected override willUpdate(): void {
    this.isNew ||= this.hasCommands === false;
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

  private use(event: SubmitEvent): Promise<void> {
    const assistant = field(event, "assistant");
    return this.act(async () => {
      await ask(this.hass, "start/use_in_assistant", { assistant });
      return this.texts("start.used");
    });
  }

  protected override render(): TemplateResult {
    return html`${this.messages()} ${this.proposals()} ${this.offer()}`;
  }

  private proposals(): TemplateResult | typeof nothing {
    const agent = firstAgent(this.hass);
    if (!this.isNew || !agent || !this.sentences.length) {
      return nothing;
    }
    const texts = this.sentences.map(({ kind, device }) =>
      this.texts(`start.say.${kind}`, { device }),
    );
    return html`
      <section class="card" aria-label=${this.texts("start.title")}>
        <h3>${this.texts("start.title")}</h3>
        <p>${this.texts("start.intro")}</p>
        <ul class="plain" aria-live="polite">
          ${texts.map(
            (text) => html`<li>
              <button ?disabled=${this.asked !== ""} @click=${() => this.say(text, agent)}>
                ${text}
              </button>
              ${this.answers.get(text)
                ? html`<p class="answer">${this.answers.get(text)}</p>`
                : nothing}
              ${this.asked === text
                ? html`<progress aria-label=${this.texts("card.working")}></progress>`
                : nothing}
            </li>`,
          )}
        </ul>
      </section>
    `;
  }

  private offer(): TemplateResult | typeof nothing {
    if (!this.assistants) {
      return nothing;
    }
    return html`
      <section class="card" aria-label=${this.texts("start.assist")}>
        <h3>${this.texts("start.assist")}</h3>
        <p>${this.texts("start.assist_info")}</p>
        <form class="row" @submit=${this.use}>
          <label>
            ${this.texts("start.assistant")}
            <select name="assistant">
              ${this.assistants.map(({ id, name }) => html`<option value=${id}>${name}</option>`)}
              <option value=${NEW_ASSISTANT}>${this.texts("start.new_assistant")}</option>
            </select>
          </label>
          <button class="primary">${this.texts("start.use")}</button>
        </form>
      </section>
    `;
  }
}
