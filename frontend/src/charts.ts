/** Two small charts as SVG: times of a day at which something was so, and a number for each day. */

import { type TemplateResult, html, nothing, svg } from "lit";

export interface DayLine {
  since: string;
  /** Start and end of each time in which it was so. */
  true: [string, string][];
  /** Single moments. */
  moments: string[];
}

const WIDTH = 1000;

/** Draws a day as a line; `label` says the same in words. */
export function dayBar(day: DayLine, label: string): TemplateResult {
  const start = Date.parse(day.since);
  const place = (at: string): number =>
    Math.max(0, Math.min(1, (Date.parse(at) - start) / 86_400_000)) * WIDTH;
  return html`<svg
    class="day"
    viewBox="0 0 ${WIDTH} 32"
    preserveAspectRatio="none"
    role="img"
    aria-label=${label}
  >
    <rect class="empty" y="10" width=${WIDTH} height="12" rx="4" />
    ${day.true.map(
      ([from, to]) =>
        svg`<rect class="so" y="10" height="12" x=${place(from)} width=${Math.max(3, place(to) - place(from))} />`,
    )}
    ${day.moments.map(
      (at) => svg`<rect class="moment" y="2" height="28" width="3" x=${place(at) - 1} />`,
    )}
  </svg>`;
}

/** Draws the line of a day that began at `since`, with its hours. */
export function dayLine(
  since: string,
  bar: TemplateResult,
  clock: (at: string) => string,
): TemplateResult {
  const hours = [0, 6, 12, 18, 24].map((hour) => Date.parse(since) + hour * 3_600_000);
  return html`${bar}
    <div class="hours" aria-hidden="true">
      ${hours.map((at) => html`<span>${clock(new Date(at).toISOString())}</span>`)}
    </div>`;
}

export interface Bar {
  day: string;
  value: number;
}

const HEIGHT = 60;
const MOST_DAYS = 60;

/** Draws one bar for each of the last days; `title` says a day and its value in words. */
export function barChart(
  bars: Bar[],
  days: string[],
  label: string,
  title: (day: string, value: number) => string,
): TemplateResult | typeof nothing {
  const most = Math.max(...bars.map(({ value }) => value), 0);
  if (!most) {
    return nothing;
  }
  const values = new Map(bars.map(({ day, value }) => [day, value]));
  const shown = days.slice(-MOST_DAYS);
  const width = WIDTH / shown.length;
  return html`
    <svg
      class="bars"
      viewBox="0 0 ${WIDTH} ${HEIGHT}"
      preserveAspectRatio="none"
      role="img"
      aria-label=${label}
    >
      <line class="axis" x1="0" x2=${WIDTH} y1=${HEIGHT - 0.5} y2=${HEIGHT - 0.5} />
      ${shown.map((day, index) => {
        const value = values.get(day) ?? 0;
        const height = (value / most) * (HEIGHT - 4);
        const x = index * width + width * 0.1;
        return svg`<rect class="so" x=${x} width=${width * 0.8} y=${HEIGHT - height} height=${height}>
          <title>${title(day, value)}</title>
        </rect>`;
      })}
    </svg>
  `;
}
