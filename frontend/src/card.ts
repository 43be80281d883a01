/** The dashboard card "Ask SAGE": a chat with follow-ups, and undo for the last change. */

import { LitElement, css, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import { type Command, ask } from "./api";
import { converse, stepOf } from "./converse";
import { type HomeAssistant, firstAgent } from "./home_assistant";
import { styles } from "./styles";
import { type Texts, errorText, loadTexts } from "./texts";

interface CardConfig {
  type: string;
  /** The conversation entity to ask; the first agent of SAGE if missing. */
  agent?: string;
}

interface Message {
  by: "person" | "sage";
  text: string;
}

@customElement("sage-card")
export class Card extends LitElement {
  @property({ attribute: false }) hass?: HomeAssistant;

  @state() private config?: CardConfig;
  @state() private texts?: Texts;
  @state() private messages: readonly Message[] = [];
  @state() private isWorking = false;
  /** The latest step of SAGE, and the words of its answer so far. */
  @state() private step = "";
  @state() private words = "";
  @state() private error = "";
  /** The last change of this chat that can be undone. */
  @state() private change: Command | undefined;
  /** The question that a risky undo asks. */
  @state() private question = "";
  @query("input") private input!: HTMLInputElement;
  @query("[role=log]") private log!: HTMLElement;

  private language = "";
  private conversation: string | null = null;
  /** The commands that could be undone before the chat began: they are not shown on a dashboard. */
  private earlier?: ReadonlySet<string>;

  setConfig(config: CardConfig): void {
    if (config.agent !== undefined && typeof config.agent !== "string") {
      throw new Error("`agent` has to be the ID of a conversation entity");
    }
    this.config = config;
    this.begin();
  }

  static getStubConfig(): Partial<CardConfig> {
    return {};
  }

  /** The form of the dashboard editor. */
  static getConfigForm(): object {
    const filter = { domain: "conversation", integration: "sage" };
    return {
      schema: [{ name: "agent", selector: { entity: { filter } } }],
      computeLabel: () => cardTexts().agent,
      computeHelper: () => cardTexts().agent_info,
    };
  }

  getCardSize(): number {
    return 5;
  }

  getGridOptions(): object {
    return { columns: 12, min_columns: 6, rows: "auto" };
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has("hass") && this.hass && this.hass.language !== this.language) {
      this.language = this.hass.language;
      void loadTexts(this.hass).then((texts) => (this.texts = texts));
    }
  }

  protected override updated(changed: PropertyValues): void {
    if (this.log && ["messages", "words", "isWorking"].some((each) => changed.has(each))) {
      this.log.scrollTop = this.log.scrollHeight;
    }
  }

  private get agent(): string | undefined {
    return this.config?.agent || (this.hass && firstAgent(this.hass));
  }

  /** Forgets the chat: the next sentence begins a new conversation. */
  private begin(): void {
    this.messages = [];
    this.conversation = null;
    this.error = "";
    this.question = "";
    this.change = undefined;
    delete this.earlier;
  }

  /** Does something with the home, then shows which change can be undone. */
  private async work(hass: HomeAssistant, doing: () => Promise<void>): Promise<void> {
    this.isWorking = true;
    this.error = "";
    try {
      this.earlier ??= new Set((await this.undoable(hass)).map(({ id }) => id));
      await doing();
      this.change = (await this.undoable(hass)).find(({ id }) => !this.earlier?.has(id));
    } catch (error) {
      this.error = await errorText(hass, error);
    } finally {
      this.isWorking = false;
      this.step = "";
      this.words = "";
    }
  }

  private async undoable(hass: HomeAssistant): Promise<Command[]> {
    return (await ask(hass, "activity/list", {})).commands.filter(({ can_undo }) => can_undo);
  }

  private show(by: Message["by"], text: string): void {
    this.messages = [...this.messages, { by, text }];
  }

  private async say(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const text = this.input.value.trim();
    const { hass, agent } = this;
    if (!text || !hass || !agent || this.isWorking) {
      return;
    }
    this.input.value = "";
    this.question = "";
    this.show("person", text);
    await this.work(hass, async () => {
      const utterance = { text, agent, conversation: this.conversation };
      const reply = await converse(hass, utterance, (part) => {
        this.words += part.content ?? "";
        this.step = stepOf(part) || this.step;
      });
      this.words = "";
      this.conversation = reply.conversation_id;
      this.show("sage", reply.response.speech.plain?.speech ?? "");
    });
  }

  /** Undoes the last change; `agreed` is the question to which the person has said yes. */
  private async undo(hass: HomeAssistant, id: string, agreed?: string): Promise<void> {
    if (this.isWorking) {
      return;
    }
    this.question = "";
    await this.work(hass, async () => {
      const data = { id, language: hass.language };
      const answer = await ask(hass, "activity/undo", agreed ? { ...data, agreed } : data);
      this.question = answer.question ?? "";
      if (answer.done) {
        this.show("sage", answer.done);
      }
    });
    await this.updateComplete;
    (this.renderRoot.querySelector<HTMLElement>("[role=group]") ?? this.input).focus();
  }

  protected override render(): TemplateResult | typeof nothing {
    const { hass, texts } = this;
    if (!hass || !texts) {
      return nothing;
    }
    return html`
      <ha-card>
        <div class="row">
          <h2 class="grow">${texts("card.name")}</h2>
          ${
            this.messages.length
              ? html`<button class="quiet" ?disabled=${this.isWorking} @click=${this.beginAnew}>
                  ${texts("card.begin")}
                </button>`
              : nothing
          }
        </div>
        <div
          role="log"
          aria-live="polite"
          aria-busy=${this.isWorking}
          aria-label=${texts("card.chat")}
          tabindex="0"
        >
          ${
            this.messages.length
              ? this.messages.map((message) => this.message(texts, message))
              : html`<p class="secondary">${texts("card.intro")}</p>`
          }
          ${this.words ? this.message(texts, { by: "sage", text: this.words }) : nothing}
        </div>
        <div role="status">
          ${
            this.isWorking
              ? html`<p class="secondary">${this.step || texts("card.working")}</p>
                  <progress aria-label=${texts("card.working")}></progress>`
              : nothing
          }
        </div>
        <div role="alert">${this.trouble(texts)}</div>
        ${this.change && !this.isWorking ? this.undoing(hass, texts, this.change) : nothing}
        <form class="row" @submit=${this.say}>
          <input
            class="grow"
            name="text"
            autocomplete="off"
            enterkeyhint="send"
            aria-label=${texts("card.label")}
            placeholder=${texts("card.label")}
          />
          <button class="main" ?disabled=${this.isWorking || !this.agent}>
            ${texts("card.send")}
          </button>
        </form>
      </ha-card>
    `;
  }

  private beginAnew(): void {
    this.begin();
    this.input.focus();
  }

  private trouble(texts: Texts): TemplateResult | typeof nothing {
    const text = this.agent ? this.error : texts("card.no_agent");
    return text ? html`<p class="failed">${text}</p>` : nothing;
  }

  private message(texts: Texts, { by, text }: Message): TemplateResult {
    return html`<p class="message ${by}">
      <span class="unseen">${texts(`card.by.${by}`)}</span>
      <span class="text">${text}</span>
    </p>`;
  }

  private undoing(hass: HomeAssistant, texts: Texts, change: Command): TemplateResult {
    const { question } = this;
    if (!question) {
      return html`<button class="undo outlined" @click=${() => this.undo(hass, change.id)}>
        ${texts("card.undo", { command: change.command })}
      </button>`;
    }
    return html`
      <div role="group" aria-label=${question} tabindex="-1">
        <p>${question}</p>
        <div class="row">
          <button class="main" @click=${() => this.undo(hass, change.id, question)}>
            ${texts("yes")}
          </button>
          <button class="quiet" @click=${this.decline}>${texts("no")}</button>
        </div>
      </div>
    `;
  }

  private decline(): void {
    this.question = "";
    this.input.focus();
  }

  static override styles = [
    styles,
    css`
      ha-card {
        box-sizing: border-box;
        display: flex;
        flex-direction: column;
        gap: 8px;
        overflow-wrap: anywhere;
        padding: 16px;
      }
      h2 {
        color: inherit;
        font-size: 20px;
        font-weight: 400;
        line-height: 28px;
        padding: 0;
      }
      [role="log"] {
        display: flex;
        flex-direction: column;
        max-height: 320px;
        overflow-y: auto;
      }
      .message {
        border-radius: 12px;
        margin: 4px 0;
        max-width: 85%;
        padding: 8px 12px;
      }
      .message .text {
        white-space: pre-line;
      }
      .person {
        align-self: flex-end;
        background: var(--secondary-background-color);
      }
      .sage {
        align-self: flex-start;
        border: 1px solid var(--divider-color);
      }
      .undo {
        align-self: flex-start;
        max-width: 100%;
        text-align: start;
      }
      .unseen {
        clip-path: inset(50%);
        height: 1px;
        overflow: hidden;
        position: absolute;
        white-space: nowrap;
        width: 1px;
      }
    `,
  ];
}

interface CardTexts {
  name: string;
  description: string;
  agent: string;
  agent_info: string;
}

/** Texts of picker and editor in the languages of SAGE; `build.js` inserts the translations. */
declare const CARD_TEXTS: Record<string, CardTexts>;

/** What the card picker shows; it reads this when the language of the page is known. */
const entry = {
  type: "sage-card",
  get name(): string {
    return cardTexts().name;
  },
  get description(): string {
    return cardTexts().description;
  },
};

function cardTexts(): CardTexts {
  return CARD_TEXTS[document.documentElement.lang.split("-")[0]!] ?? CARD_TEXTS.en!;
}

const page = window as unknown as { customCards?: object[] };
(page.customCards ??= []).push(entry);
