/** A small chart as SVG: a number for each day. */

import { type TemplateResult, html, nothing, svg } from "lit";

const WIDTH = 1000;

export interface Bar {
  day: string;
  value: number;
}

const HEIGHT = 60;
const MOST_DAYS = 60;

/** Draws one bar for each of the last days; days without a value are empty. */
export function barChart(bars: Bar[], days: string[], label: string): TemplateResult | typeof nothing {
  const most = Math.max(...bars.map(({ value }) => value), 0);
  if (!most) {
    return nothing;
  }
  const values = new Map(bars.map(({ day, value }) => [day, value]));
  const shown = days.slice(-MOST_DAYS);
  const width = WIDTH / shown.length;
  return html`
    <svg class="bars" viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label=${label}>
      <line class="axis" x1="0" x2=${WIDTH} y1=${HEIGHT - 0.5} y2=${HEIGHT - 0.5} />
      ${shown.map((day, index) => {
        const height = ((values.get(day) ?? 0) / most) * (HEIGHT - 4);
        return svg`<rect class="so" x=${index * width + width * 0.1} width=${width * 0.8} y=${HEIGHT - height} height=${height} />`;
      })}
    </svg>
  `;
}
