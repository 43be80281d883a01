import { type TemplateResult, css, html, nothing } from "lit";
import { customElement, state } from "lit/decorators.js";
import { type Trace, type VoiceOverview, ask } from "./api";
import { button, icon, iconButton } from "./parts";
import { type Recording, canRecord, record } from "./recording";
import type { Texts } from "./texts";
import { View } from "./view";

const SENTENCES = [
  "voice.sentence_1",
  "voice.sentence_2",
  "voice.sentence_3",
  "voice.sentence_4",
  "voice.sentence_5",
] as const;
/** Seconds after which a recording ends by itself. */
const MOST_SECONDS = 12;

/** The person's voice samples: add, list and delete; nothing where SAGE compares no voices. */
@customElement("sage-voice")
export class Voice extends View {
  static override styles = [
    View.styles,
    css`
      .sentence {
        font-size: 16px;
        line-height: 24px;
      }
      .more {
        border-top: 1px solid var(--divider-color);
        justify-content: flex-end;
      }
    `,
  ];

  @state() private overview?: VoiceOverview;
  /** Number of sentences recorded since the section is open. */
  @state() private recorded = 0;
  /** Seconds of the running recording; undefined without one. */
  @state() private seconds: number | undefined;
  /** Whether the microphone or a comparison is awaited. */
  @state() private isBusy = false;
  private recording: Recording | undefined;
  private clockTimer = 0;

  protected override async load(): Promise<void> {
    this.overview = await ask(this.hass, "voice/overview", {});
  }

  protected override get isEditing(): boolean {
    return this.isBusy || this.seconds !== undefined;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.takeRecording()?.discard();
  }

  private async begin(): Promise<void> {
    this.isBusy = true;
    await this.guarded(async () => {
      const recording = await this.heard(record());
      if (!this.isConnected) {
        recording.discard();
        return;
      }
      this.recording = recording;
      this.seconds = 0;
      this.clockTimer = window.setInterval(() => this.tick(), 1000);
    });
    this.isBusy = false;
  }

  /** Awaits the microphone or its recording; an error of the browser becomes a sentence. */
  private async heard<Result>(hearing: Promise<Result>): Promise<Result> {
    try {
      return await hearing;
    } catch (error) {
      const { name, message } = error as DOMException;
      throw new Error(
        name === "NotAllowedError"
          ? this.texts("voice.refused")
          : this.texts("voice.no_microphone", { error: message || name }),
        { cause: error },
      );
    }
  }

  private tick(): void {
    this.seconds! += 1;
    if (this.seconds! >= MOST_SECONDS) {
      void this.end();
    }
  }

  /** Ends the running recording for this view; its caller ends or discards it. */
  private takeRecording(): Recording | undefined {
    const { recording } = this;
    window.clearInterval(this.clockTimer);
    this.recording = undefined;
    this.seconds = undefined;
    return recording;
  }

  private async end(): Promise<void> {
    const recording = this.takeRecording();
    if (!recording) {
      return;
    }
    this.isBusy = true;
    await this.act(async () => {
      const audio = await this.heard(recording.end());
      const { similarity } = await ask(this.hass, "voice/enroll", { audio });
      this.recorded += 1;
      const isLast = this.recorded % SENTENCES.length === 0;
      return this.result(similarity) + (isLast ? ` ${this.texts("voice.complete")}` : "");
    });
    this.isBusy = false;
  }

  private claim(id: string): Promise<void> {
    return this.act(async () => {
      const { similarity } = await ask(this.hass, "voice/claim", { id });
      return this.result(similarity);
    });
  }

  /** The similarity of a new sample to the earlier ones, in words. */
  private result(similarity: number | null): string {
    const { threshold } = this.overview!;
    if (similarity === null) {
      return this.texts("voice.first");
    }
    return this.texts(similarity >= threshold ? "voice.alike" : "voice.unlike", {
      similarity: this.number(similarity, 2),
      threshold: this.number(threshold, 2),
    });
  }

  private async delete(question: string, id?: number): Promise<void> {
    if (await this.agrees(question)) {
      await this.act(async () => {
        await ask(this.hass, "voice/delete", id === undefined ? {} : { id });
        return this.texts(id === undefined ? "voice.deleted_all" : "voice.deleted");
      });
    }
  }

  protected override content(): TemplateResult | typeof nothing {
    const { overview } = this;
    if (!overview?.enabled) {
      return nothing;
    }
    return html`
      <section aria-labelledby="voice">
        <h2 id="voice">${this.texts("voice.title")}</h2>
        <ha-card>
          <div class="padded">
            <p class="secondary">${this.texts("voice.info")}</p>
            ${this.microphone()}
          </div>
          ${this.satellites(overview)} ${this.samples(overview)}
        </ha-card>
      </section>
    `;
  }

  private microphone(): TemplateResult {
    if (!canRecord()) {
      return html`<p>
        ${this.texts(window.isSecureContext ? "voice.cannot_record" : "voice.not_secure")}
      </p>`;
    }
    const number = this.recorded % SENTENCES.length;
    const isRecording = this.seconds !== undefined;
    return html`
      <h3>${this.texts("voice.read", { number: number + 1, count: SENTENCES.length })}</h3>
      <p class="sentence">${this.texts(SENTENCES[number]!)}</p>
      ${
        isRecording
          ? html`<progress
                aria-label=${this.texts("voice.recording")}
                max=${MOST_SECONDS}
                .value=${this.seconds!}
              ></progress>
              <p class="secondary">
                ${this.texts("voice.recording")}
                ${this.texts("activity.seconds", { seconds: this.number(this.seconds!) })}
              </p>`
          : nothing
      }
      <div class="row">
        ${button({
          label: this.texts(isRecording ? "voice.done" : "voice.record"),
          icon: isRecording ? "mdi:stop" : "mdi:microphone",
          look: "main",
          disabled: this.isBusy,
          click: () => (isRecording ? this.end() : this.begin()),
        })}
        ${
          isRecording
            ? button({
                label: this.texts("cancel"),
                click: () => this.takeRecording()?.discard(),
              })
            : nothing
        }
      </div>
    `;
  }

  /** The last sentences at satellites, without words. */
  private satellites({ sentences }: VoiceOverview): TemplateResult {
    return html`
      <div class="padded">
        <h3>${this.texts("voice.sentences")}</h3>
        <p class="secondary">
          ${this.texts(sentences.length ? "voice.sentences_info" : "voice.sentences_none")}
        </p>
      </div>
      <ul class="plain list" id="sentences">
        ${sentences.map(({ id, at, satellite }) => {
          const name = satellite ?? this.texts("voice.satellite");
          return html`<li>
            <div class="item">
              ${icon("mdi:account-voice")}
              <span class="text">
                <span class="headline">${name}</span>
                <span class="supporting">${this.ago(at)}</span>
              </span>
              ${button({
                label: this.texts("voice.claim"),
                name: `${this.texts("voice.claim")}: ${name}, ${this.ago(at)}`,
                click: () => this.claim(id),
              })}
            </div>
          </li>`;
        })}
      </ul>
    `;
  }

  private samples({ vectors }: VoiceOverview): TemplateResult {
    return html`
      <div class="padded">
        <h3>${this.texts("voice.samples")}</h3>
        ${vectors.length ? nothing : html`<p class="secondary">${this.texts("voice.none")}</p>`}
      </div>
      <ul class="plain list" id="samples">
        ${vectors.map(({ id, at }) => {
          const when = this.dateTime(at);
          return html`<li>
            <div class="item"><span class="text">${when}</span></div>
            ${iconButton("mdi:delete-outline", this.texts("voice.delete", { when }), () =>
              this.delete(this.texts("voice.delete_ask", { when }), id),
            )}
          </li>`;
        })}
      </ul>
      ${
        vectors.length
          ? html`<div class="more">
              ${button({
                label: this.texts("voice.delete_all"),
                look: "danger",
                click: () => this.delete(this.texts("voice.delete_all_ask")),
              })}
            </div>`
          : nothing
      }
    `;
  }
}

/** Why SAGE took a spoken command for the person's; `number` writes a similarity. */
export function voiceReasons(
  texts: Texts,
  voice: NonNullable<Trace["voice"]>,
  number: (similarity: number) => string,
): string[] {
  const { scores, threshold, margin, recognized, reported, missing } = voice;
  const [best, second] = scores;
  const reasons = [];
  if (reported) {
    reasons.push(texts("voice.reported"));
  }
  if (missing) {
    reasons.push(texts(`voice.missing.${missing}`));
  } else if (best !== undefined) {
    const values = { similarity: number(best), threshold: number(threshold) };
    reasons.push(texts("voice.best", values));
    if (second !== undefined) {
      reasons.push(texts("voice.second", { similarity: number(second), margin: number(margin) }));
    }
  } else if (!reported) {
    reasons.push(texts("voice.no_samples"));
  }
  return [...reasons, texts(recognized ? "voice.recognized" : "voice.not_recognized")];
}
