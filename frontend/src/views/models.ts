import { type TemplateResult, css, html, nothing } from "lit";
import { customElement, state } from "lit/decorators.js";
import { type Agent, type DayUsage, type Price, ask } from "../api";
import { type Bar, barChart } from "../charts";
import { type Localize, navigate } from "../home_assistant";
import { type Values, button, fold, form, icon, textField } from "../parts";
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
  static override styles = [
    View.styles,
    chartStyles,
    css`
      ha-card {
        margin-top: 16px;
      }
      .charts {
        display: grid;
        gap: 24px;
        grid-template-columns: repeat(auto-fit, minmax(240px, 1fr));
      }
      .number {
        font-size: 24px;
        line-height: 32px;
      }
      table {
        border-collapse: collapse;
        width: 100%;
      }
      th,
      td {
        border-bottom: 1px solid var(--divider-color);
        font-weight: 400;
        padding: 6px 12px 6px 0;
        text-align: end;
      }
      th[scope="row"],
      th:first-child {
        text-align: start;
      }
      .scroll {
        overflow-x: auto;
      }
    `,
  ];

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

  protected override get isEditing(): boolean {
    return Boolean(this.shadowRoot?.activeElement?.closest("form"));
  }

  private setPrice(values: Values, agent: string): Promise<void> {
    const given = PRICES.filter((kind) => values[kind]);
    const price: Price = Object.fromEntries(given.map((kind) => [kind, Number(values[kind])]));
    return this.act(async () => {
      await ask(this.hass, "models/set_price", { agent, ...price });
      return this.texts("models.price_saved");
    });
  }

  // ------------------------------------------------------------ what is shown

  protected override content(): TemplateResult | typeof nothing {
    if (this.agents?.length === 0) {
      return html`<div class="empty">
        ${icon("mdi:creation-outline")}${this.texts("models.none")}
        <p>
          ${button({
            label: this.texts("models.change"),
            look: "main",
            click: () => navigate(SETTINGS),
          })}
        </p>
      </div>`;
    }
    return html`${this.agents?.map(
      (agent) =>
        html`<ha-card><section aria-label=${agent.name}>${this.agent(agent)}</section></ha-card>`,
    )}`;
  }

  private agent(agent: Agent): TemplateResult {
    const facts = [agent.model, agent.server].filter(Boolean).join(" · ");
    return html`
      <div class="item">
        ${icon("mdi:creation-outline")}
        <span class="text">
          <h3 class="headline">${agent.name}</h3>
          <span class="supporting">${facts}</span>
        </span>
        ${button({
          label: this.texts("models.change"),
          icon: "mdi:cog-outline",
          click: () => navigate(SETTINGS),
        })}
      </div>
      ${
        agent.days.length
          ? this.usage(agent)
          : html`<p class="empty">${this.texts("models.unused")}</p>`
      }
      ${this.prices(agent)}
      ${fold({
        header: this.texts("models.advanced"),
        icon: "mdi:tune",
        content: () =>
          html`<p class="padded">
            ${this.texts("models.formats", {
              format: this.format(agent.format),
              formats: agent.formats.map((each) => this.format(each)).join(", "),
            })}
            ${this.texts("models.how")}
          </p>`,
      })}
    `;
  }

  private format(name: string): string {
    return this.settings?.(`component.sage.selector.decision_format.options.${name}`) || name;
  }

  private usage(agent: Agent): TemplateResult {
    const days = this.lastDays();
    const metrics = METRICS.filter((metric) => metric !== "cost" || agent.price);
    const unknown = html`<div>
      <div class="secondary">${this.texts("models.column.cost")}</div>
      <div class="number">${this.texts("models.cost_unknown")}</div>
      <div class="secondary">${this.texts("models.enter_prices")}</div>
    </div>`;
    return html`
      <div class="padded charts">
        ${metrics.map((metric) => {
          const bars = agent.days.map((day): Bar => ({
            day: day.day,
            value: measured(day, metric, agent.price),
          }));
          const total = this.shown(
            metric,
            bars.reduce((sum, { value }) => sum + value, 0),
          );
          const label = this.texts(`models.${metric}`, { total, days: DAYS });
          return html`<div>
            <div class="secondary">${this.texts(`models.column.${metric}`)}</div>
            <div class="number">${total}</div>
            ${barChart(bars, days, label, (day, value) => `${this.day(day)}: ${this.shown(metric, value)}`)}
            <div class="hours" aria-hidden="true">
              <span>${this.day(days[0]!)}</span><span>${this.day(days.at(-1)!)}</span>
            </div>
          </div>`;
        })}
        ${agent.price ? nothing : unknown}
      </div>
      ${fold({
        header: this.texts("models.by_day"),
        icon: "mdi:calendar",
        content: () => this.table(agent, metrics),
      })}
    `;
  }

  private table(agent: Agent, metrics: Metric[]): TemplateResult {
    return html`<div class="padded">
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
              (day) =>
                html`<tr>
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
    </div>`;
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
    return fold({
      header: this.texts("models.prices", { currency: this.currency }),
      icon: "mdi:cash",
      content: () =>
        html`<div class="padded">
          ${form(
            html`${PRICES.map((kind) =>
              textField({
                name: kind,
                label: this.texts(`models.price.${kind}`),
                type: "number",
                min: 0,
                max: 100_000,
                value: String(agent.price?.[kind] ?? ""),
              }),
            )}
            ${button({ label: this.texts("save"), look: "main", type: "submit" })}`,
            (values) => this.setPrice(values, agent.id),
          )}
          <p class="secondary">${this.texts("models.prices_info")}</p>
        </div>`,
    });
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
