import { type TemplateResult, css, html, nothing } from "lit";
import { customElement, state } from "lit/decorators.js";
import { type Agent, type DayUsage, type Price, ask } from "../api";
import { type Bar, barChart } from "../charts";
import { field } from "../forms";
import { type Localize, follow } from "../home_assistant";
import { chartStyles } from "../styles";
import { View } from "../view";

const DAYS = 30;
const SETTINGS = "/config/integrations/integration/sage";
const MILLION = 1_000_000;

type Metric = "calls" | "tokens" | "cost" | "seconds";
const METRICS: readonly Metric[] = ["calls", "tokens", "cost", "seconds"];
const PRICES = ["input", "cached", "output"] as const;

/** The agents with their models: what they did on each day, and what it cost. */
@customElement("sage-models")
export class Models extends View {
  static override styles = [View.styles, chartStyles, css`
    .charts {
      display: grid;
      gap: 16px;
      grid-template-columns: repeat(auto-fit, minmax(240px, 1fr));
    }
    .charts h4 { font-weight: 500; margin: 0; }
    table { border-collapse: collapse; }
    th, td { padding: 2px 12px 2px 0; text-align: end; }
    th[scope="row"], th:first-child { text-align: start; }
    .scroll { overflow-x: auto; }
    input[type="number"] { width: 110px; }
  `];

  @state() private agents?: Agent[];
  @state() private currency = "";
  /** Returns the texts of the agent's settings, which name the formats. */
  @state() private settings: Localize | undefined;

  protected override async load(): Promise<void> {
    const data = await ask(this.hass, "models/list", { days: DAYS });
    this.settings = await this.hass.loadBackendTranslation("selector", "sage");
    this.agents = data.agents;
    this.currency = data.currency;
  }

  private setPrice(event: SubmitEvent, agent: string): Promise<void> {
    const price: Price = {};
    for (const kind of PRICES) {
      const given = field(event, kind);
      if (given) {
        price[kind] = Number(given);
      }
    }
    return this.act(async () => {
      await ask(this.hass, "models/set_price", { agent, ...price });
      return this.texts("models.price_saved");
    });
  }

  // ------------------------------------------------------------ what is shown

  protected override content(): TemplateResult | typeof nothing {
    return html`
      <div class="row">
        <h2 class="grow">${this.texts("models.title")}</h2>
        <button @click=${() => this.act(async () => undefined)}>${this.texts("reload")}</button>
      </div>
      <p class="secondary">${this.texts("models.intro")}</p>
      ${this.agents?.length === 0 ? html`<p>${this.texts("models.none")}</p>` : nothing}
      ${this.agents?.map(
        (agent) => html`<section class="card" aria-label=${agent.name}>
          ${this.agent(agent)}
        </section>`,
      )}
    `;
  }

  private agent(agent: Agent): TemplateResult {
    return html`
      <h3>${agent.name}</h3>
      <p>
        ${this.texts("models.model", { model: agent.model })}
        ${agent.server ? html` · ${this.texts("models.server", { server: agent.server })}` : nothing}
      </p>
      <p>
        <a href=${SETTINGS} @click=${follow}>${this.texts("models.change")}</a>
      </p>
      <p class="secondary">
        ${this.texts("models.formats", {
          format: this.format(agent.format),
          formats: agent.formats.map((each) => this.format(each)).join(", "),
        })}
      </p>
      ${agent.days.length ? this.usage(agent) : html`<p>${this.texts("models.unused")}</p>`}
      ${this.prices(agent)}
    `;
  }

  private format(name: string): string {
    return this.settings?.(`component.sage.selector.decision_format.options.${name}`) || name;
  }

  private usage(agent: Agent): TemplateResult {
    const days = this.lastDays();
    const metrics = METRICS.filter((metric) => metric !== "cost" || agent.price);
    return html`
      <div class="charts">
        ${metrics.map((metric) => {
          const bars = agent.days.map(
            (day): Bar => ({ day: day.day, value: measured(day, metric, agent.price) }),
          );
          const total = this.shown(
            metric,
            bars.reduce((sum, { value }) => sum + value, 0),
          );
          const label = this.texts(`models.${metric}`, { total, days: DAYS });
          return html`<div>
            <h4>${label}</h4>
            ${barChart(bars, days, label)}
          </div>`;
        })}
      </div>
      <details>
        <summary>${this.texts("models.by_day")}</summary>
        <div class="scroll">
          <table>
            <thead>
              <tr>
                <th scope="col">${this.texts("models.day")}</th>
                ${metrics.map(
                  (metric) => html`<th scope="col">${this.texts(`models.column.${metric}`)}</th>`,
                )}
                <th scope="col">${this.texts("models.column.failed")}</th>
              </tr>
            </thead>
            <tbody>
              ${[...agent.days].reverse().map(
                (day) => html`<tr>
                  <th scope="row">${this.day(day.day)}</th>
                  ${metrics.map(
                    (metric) =>
                      html`<td>${this.shown(metric, measured(day, metric, agent.price))}</td>`,
                  )}
                  <td>${this.number(day.failed)}</td>
                </tr>`,
              )}
            </tbody>
          </table>
        </div>
        <p class="secondary">${this.texts("models.failed")}</p>
      </details>
    `;
  }

  /** The days of the charts, the oldest first, as the home's time zone has them. */
  private lastDays(): string[] {
    const day = new Intl.DateTimeFormat("en-CA", { timeZone: this.hass.config.time_zone });
    const now = Date.now();
    return Array.from({ length: DAYS }, (_, index) =>
      day.format(now - (DAYS - 1 - index) * 86_400_000),
    );
  }

  private shown(metric: Metric, value: number): string {
    if (metric === "cost") {
      return value.toLocaleString(this.hass.language, {
        style: "currency",
        currency: this.currency,
        maximumFractionDigits: 4,
      });
    }
    return this.number(value, metric === "seconds" ? 1 : 0);
  }

  private prices(agent: Agent): TemplateResult {
    return html`
      <details>
        <summary>${this.texts("models.prices", { currency: this.currency })}</summary>
        <p class="secondary">${this.texts("models.prices_info")}</p>
        <form class="row" @submit=${(event: SubmitEvent) => this.setPrice(event, agent.id)}>
          ${PRICES.map(
            (kind) => html`<label>
              ${this.texts(`models.price.${kind}`)}
              <input
                name=${kind}
                type="number"
                min="0"
                max="100000"
                step="any"
                .value=${String(agent.price?.[kind] ?? "")}
              />
            </label>`,
          )}
          <button>${this.texts("save")}</button>
        </form>
      </details>
    `;
  }

}

function measured(day: DayUsage, metric: Metric, price: Price | null): number {
  switch (metric) {
    case "tokens":
      return day.prompt_tokens + day.completion_tokens;
    case "cost":
      return cost(day, price ?? {});
    default:
      return day[metric];
  }
}

function cost(day: DayUsage, { input = 0, cached = input, output = 0 }: Price): number {
  const read = day.prompt_tokens - day.cached_tokens;
  return (read * input + day.cached_tokens * cached + day.completion_tokens * output) / MILLION;
}
