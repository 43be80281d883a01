/** Condition code with coloured words. */

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

/** Shows condition code. */
@customElement("sage-code")
export class Code extends LitElement {
  @property() value = "";
  @property() label = "";

  protected override render(): TemplateResult {
    return html`<pre role="group" tabindex="0" aria-label=${this.label}>
${highlighted(this.value)}</pre>`;
  }

  static override styles = [
    styles,
    css`
      pre {
        border: 1px solid var(--outline-color, var(--secondary-text-color));
        border-radius: 8px;
        font-family: var(--ha-font-family-code, monospace);
        font-size: 13px;
        line-height: 20px;
        margin: 0;
        overflow: auto;
        padding: 8px;
        white-space: pre;
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
