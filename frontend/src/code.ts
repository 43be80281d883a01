/** An editor for condition code with coloured words, and a read-only form of it. */

import { LitElement, type TemplateResult, css, html } from "lit";
import { customElement, property } from "lit/decorators.js";
import { styles } from "./styles";

const KEYWORDS =
  "and as assert break class continue def del elif else except finally for from if import in is lambda not or pass raise return try while with True False None";

const TOKEN = new RegExp(
  [
    "(?<comment>#.*)",
    "(?<string>\"\"\"[\\s\\S]*?\"\"\"|'''[\\s\\S]*?'''|\"(?:\\\\.|[^\"\\\\\\n])*\"|'(?:\\\\.|[^'\\\\\\n])*')",
    `(?<keyword>\\b(?:${KEYWORDS.split(" ").join("|")})\\b)`,
    "(?<number>\\b\\d[\\d_.]*\\b)",
    "(?<call>\\b[A-Za-z_]\\w*(?=\\())",
  ].join("|"),
  "g",
);

/** Returns Python code as text with an element around each coloured word. */
export function highlighted(code: string): (TemplateResult | string)[] {
  const parts: (TemplateResult | string)[] = [];
  let end = 0;
  for (const match of code.matchAll(TOKEN)) {
    const [kind] = Object.entries(match.groups ?? {}).find(([, text]) => text !== undefined)!;
    parts.push(code.slice(end, match.index), html`<span class=${kind}>${match[0]}</span>`);
    end = match.index + match[0].length;
  }
  return [...parts, code.slice(end)];
}

/** Fires `input` when its `value` changes. */
@customElement("sage-code")
export class CodeEditor extends LitElement {
  @property() value = "";
  @property() label = "";
  @property({ type: Boolean }) readonly = false;

  private changed(event: InputEvent): void {
    this.value = (event.target as HTMLTextAreaElement).value;
  }

  private scrolled(event: Event): void {
    const { scrollLeft, scrollTop } = event.target as HTMLTextAreaElement;
    this.renderRoot.querySelector("pre")!.scrollTo(scrollLeft, scrollTop);
  }

  protected override render(): TemplateResult {
    return html`<div>
      <pre aria-hidden="true">${highlighted(this.value)}${"\n"}</pre>
      <textarea
        aria-label=${this.label}
        spellcheck="false"
        autocapitalize="off"
        autocomplete="off"
        wrap="off"
        rows=${Math.min(24, this.value.split("\n").length + 1)}
        ?readonly=${this.readonly}
        .value=${this.value}
        @input=${this.changed}
        @scroll=${this.scrolled}
      ></textarea>
    </div>`;
  }

  static override styles = [
    styles,
    css`
      div {
        display: grid;
      }
      pre,
      textarea {
        border: 1px solid var(--outline-color, var(--secondary-text-color));
        border-radius: 8px;
        box-sizing: border-box;
        font-family: var(--ha-font-family-code, monospace);
        font-size: 13px;
        grid-area: 1 / 1;
        line-height: 20px;
        margin: 0;
        overflow: auto;
        padding: 8px;
        white-space: pre;
      }
      pre {
        border-color: transparent;
        scrollbar-width: none;
      }
      textarea:not(:focus-visible) {
        outline: none;
      }
      textarea {
        background: transparent;
        caret-color: var(--primary-text-color);
        color: transparent;
        resize: vertical;
        width: 100%;
      }
      textarea::selection {
        background: color-mix(in srgb, var(--primary-color) 35%, transparent);
      }
      .keyword {
        font-weight: 600;
      }
      .string,
      .number {
        color: var(--success-color);
        color: color-mix(in srgb, var(--success-color) 55%, var(--primary-text-color));
      }
      .call {
        color: color-mix(in srgb, var(--primary-color) 55%, var(--primary-text-color));
      }
      .comment {
        color: var(--secondary-text-color);
      }
    `,
  ];
}
