import { type TemplateResult, css, html, nothing } from "lit";
import { customElement, state } from "lit/decorators.js";
import { keyed } from "lit/directives/keyed.js";
import { type Accounts as Owned, type Calendar, type MailAccount, ask } from "../api";
import type { Localize } from "../home_assistant";
import {
  type Values,
  button,
  fold,
  form,
  icon,
  iconButton,
  select,
  spinner,
  textField,
  toggle,
} from "../parts";
import { View } from "../view";

const OTHER = "other";
/** The servers of an account, with their usual ports for TLS. */
const SERVERS = [
  ["imap", 993],
  ["smtp", 465],
] as const;
const SECURITY = ["tls", "starttls", "none"];

/** The person's own mail accounts and calendars. */
@customElement("sage-accounts")
export class Accounts extends View {
  static override styles = [
    View.styles,
    css`
      .text.refused .supporting {
        color: var(--error-color);
        -webkit-line-clamp: unset;
      }
      form {
        display: grid;
        gap: 12px;
      }
      form .item {
        padding-inline: 0;
      }
      fieldset {
        border: 1px solid var(--divider-color);
        border-radius: 8px;
        margin: 0;
        min-width: 0;
        padding: 8px 12px;
      }
      fieldset .row {
        align-items: flex-start;
      }
      fieldset .row > * {
        flex: 1 1 120px;
      }
    `,
  ];

  @state() private owned?: Owned;
  /** Returns the texts of the dialogs in which administrators add accounts. */
  @state() private flow!: Localize;
  @state() private selector!: Localize;
  @state() private isAdding = false;
  /** The number of accounts added here: each gets a new form, so that nothing of it stays. */
  @state() private added = 0;
  @state() private isSigningIn = false;
  @state() private provider = "";
  /** Whether the server of an unlisted provider stores sent messages. */
  @state() private keepsSent = false;

  protected override async load(): Promise<void> {
    const [owned, flow, selector] = await Promise.all([
      ask(this.hass, "accounts/list", {}),
      this.hass.loadBackendTranslation("config_subentries", "sage"),
      this.hass.loadBackendTranslation("selector", "sage"),
    ]);
    this.flow = flow;
    this.selector = selector;
    this.provider ||= owned.providers[0]!.id;
    this.owned = owned;
  }

  protected override get isEditing(): boolean {
    return this.isAdding;
  }

  private mailText(key: string): string {
    return this.flow(`component.sage.config_subentries.mail.${key}`);
  }

  private option(of: "provider" | "security", value: string): string {
    return this.selector(`component.sage.selector.${of}.options.${value}`);
  }

  private add(values: Values): Promise<void> {
    const { provider, address, password, username, ...servers } = values;
    const account = {
      address,
      password,
      ...(provider === OTHER ? { username, keeps_sent: this.keepsSent, ...grouped(servers) } : {}),
    };
    return this.guarded(async () => {
      this.isSigningIn = true;
      try {
        const { error } = await ask(this.hass, "accounts/add_mail", {
          provider: provider!,
          account,
        });
        if (error) {
          throw new Error(this.mailText(error));
        }
      } finally {
        this.isSigningIn = false;
      }
      this.isAdding = false;
      this.keepsSent = false;
      this.added += 1;
      await this.load();
      return this.texts("accounts.added");
    });
  }

  private async removeMail({ id, address }: MailAccount): Promise<void> {
    const question = this.texts("accounts.remove_ask", { address });
    if (await this.agrees(question, this.texts("accounts.remove"))) {
      await this.act(async () => {
        await ask(this.hass, "accounts/remove_mail", { id });
        return this.texts("accounts.removed");
      });
    }
  }

  private setCalendar(id: string, is_own: boolean): Promise<void> {
    return this.act(async () => {
      await ask(this.hass, "accounts/set_calendar", { id, is_own });
      return this.texts("accounts.saved");
    });
  }

  protected override content(): TemplateResult | typeof nothing {
    const { owned } = this;
    if (!owned) {
      return nothing;
    }
    return html`
      <section aria-labelledby="mail">
        <h2 id="mail">${this.texts("accounts.mail")}</h2>
        <ha-card>
          ${
            owned.mail.length
              ? html`<ul class="plain list">
                  ${owned.mail.map((account) => html`<li>${this.account(account)}</li>`)}
                </ul>`
              : html`<p class="empty">${this.texts("accounts.mail_none")}</p>`
          }
          ${fold({
            id: "add",
            header: this.mailText("initiate_flow.user"),
            icon: "mdi:plus",
            isOpen: this.isAdding,
            toggle: (isOpen) => {
              this.isAdding = isOpen;
            },
            content: () => html`${keyed(this.added, this.adding(owned))}`,
          })}
        </ha-card>
      </section>
      <section aria-labelledby="calendars">
        <h2 id="calendars">${this.texts("accounts.calendars")}</h2>
        <ha-card>
          ${
            owned.calendars.length
              ? html`<ul class="plain list">
                  ${owned.calendars.map((each) => html`<li>${this.calendar(each)}</li>`)}
                </ul>`
              : html`<p class="empty">${this.texts("accounts.calendars_none")}</p>`
          }
        </ha-card>
      </section>
    `;
  }

  private account(account: MailAccount): TemplateResult {
    const { address, user_name, provider, servers, is_refused } = account;
    const known = this.owned!.providers.find(({ id }) => id === provider);
    const facts = known
      ? [known.name]
      : [...servers, ...(user_name === address ? [] : [user_name])];
    return html`
      <div class="item">
        ${icon(is_refused ? "mdi:email-alert-outline" : "mdi:email-outline")}
        <span class="text ${is_refused ? "refused" : ""}">
          <span class="headline">${address}</span>
          <span class="supporting"
            >${is_refused ? this.texts("accounts.refused") : facts.join(" · ")}</span
          >
        </span>
      </div>
      ${iconButton("mdi:delete-outline", this.texts("accounts.remove_it", { address }), () =>
        this.removeMail(account),
      )}
    `;
  }

  private adding({ providers }: Owned): TemplateResult {
    const known = providers.find(({ id }) => id === this.provider);
    const step = known ? "step.sign_in" : "step.servers";
    const choices = providers.map(({ id, name }) => ({ value: id, label: name }));
    choices.push({ value: OTHER, label: this.option("provider", OTHER) });
    const field = (name: string, type: "text" | "password", required = true): TemplateResult =>
      textField({ name, type, required, label: this.mailText(`${step}.data.${name}`) });
    return html`<div class="padded">
      ${form(
        html`${select({
            name: "provider",
            label: this.mailText("step.user.data.provider"),
            value: this.provider,
            choices,
            change: (provider) => {
              this.provider = provider;
            },
          })}
          ${field("address", "text")} ${known ? nothing : field("username", "text", false)}
          ${field("password", "password")}
          ${
            known
              ? html`<a href=${known.help_url} target="_blank" rel="noreferrer"
                  >${this.texts("accounts.help")}</a
                >`
              : this.servers()
          }
          <div class="row end" role="status">
            ${
              this.isSigningIn
                ? html`${spinner()}<span>${this.texts("accounts.signing_in")}</span>`
                : nothing
            }
            ${button({
              label: this.texts("accounts.add"),
              look: "main",
              type: "submit",
              disabled: this.isSigningIn,
            })}
          </div>`,
        (values) => this.add(values),
        { className: "" },
      )}
    </div>`;
  }

  private servers(): TemplateResult {
    const keeps = this.mailText("step.servers.data.keeps_sent");
    return html`${SERVERS.map(([server, port]) => {
        const texts = `step.servers.sections.${server}`;
        const label = (name: string): string => this.mailText(`${texts}.data.${name}`);
        return html`<fieldset>
          <legend>${this.mailText(`${texts}.name`)}</legend>
          ${textField({ name: `${server}.host`, label: label("host"), required: true })}
          <div class="row">
            ${textField({
              name: `${server}.port`,
              label: label("port"),
              type: "number",
              value: String(port),
              min: 1,
              max: 65535,
              required: true,
            })}
            ${select({
              name: `${server}.security`,
              label: label("security"),
              value: SECURITY[0]!,
              choices: SECURITY.map((value) => ({ value, label: this.option("security", value) })),
            })}
          </div>
        </fieldset>`;
      })}
      <div class="item">
        <span class="text">${keeps}</span>
        ${toggle({
          label: keeps,
          isOn: this.keepsSent,
          change: (isOn) => {
            this.keepsSent = isOn;
          },
        })}
      </div>`;
  }

  private calendar({ id, name, is_own, is_changeable }: Calendar): TemplateResult {
    const state = is_own ? "is_own" : is_changeable ? "is_free" : "is_household";
    return html`<div class="item">
      ${icon("mdi:calendar")}
      <span class="text">
        <span class="headline">${name}</span>
        <span class="supporting">${this.texts(`accounts.${state}`)}</span>
      </span>
      ${
        is_changeable
          ? toggle({
              label: this.texts("accounts.own", { name }),
              isOn: is_own,
              change: (isOn) => this.setCalendar(id, isOn),
            })
          : nothing
      }
    </div>`;
  }
}

/** Groups the values of the servers: "imap.host" becomes `host` of `imap`; ports are numbers. */
function grouped(values: Values): Record<string, object> {
  return Object.fromEntries(
    SERVERS.map(([server]) => {
      const value = (name: string): string => values[`${server}.${name}`]!;
      const port = Number(value("port"));
      return [server, { host: value("host"), port, security: value("security") }];
    }),
  );
}
