/** Opens the page in a browser, signed in as a person of the demo home. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { setTimeout } from "node:timers/promises";
import { chromium } from "playwright-core";

const require = createRequire(import.meta.url);
const AXE = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

export const URL = process.env.SAGE_TEST_URL;
const AGENT = process.env.SAGE_TEST_AGENT;
const ACCOUNTS = JSON.parse(process.env.SAGE_TEST_ACCOUNTS);

/** Returns the access token of a person. */
function tokenOf(name) {
  return ACCOUNTS.find(({ username }) => username === name).token;
}

/** Sends a REST request as a person. */
export function post(name, path, data) {
  return request(name, path, { method: "POST", body: JSON.stringify(data) });
}

/** Reads from Home Assistant's REST API as a person. */
export function get(name, path) {
  return request(name, path, {});
}

async function request(name, path, options) {
  const answer = await fetch(URL + path, {
    ...options,
    headers: { Authorization: `Bearer ${tokenOf(name)}`, "Content-Type": "application/json" },
  });
  assert.ok(answer.ok, `${path}: ${answer.status} ${await answer.clone().text()}`);
  return answer.json();
}

/** Returns the state of an entity in Home Assistant, not in the page. */
export async function stateOf(entity) {
  return (await get("owner", `/api/states/${entity}`)).state;
}

/** Waits until a check returns true. */
export async function until(check) {
  const end = Date.now() + 30_000;
  while (!(await check())) {
    assert.ok(Date.now() < end, `not within 30 seconds: ${check}`);
    await setTimeout(100);
  }
}

/** Calls an action of Home Assistant for an entity, and waits until it has the state. */
export async function bring(entity, action, state) {
  const [domain] = entity.split(".");
  await post("owner", `/api/services/${domain}/${action}`, { entity_id: entity });
  await until(async () => (await stateOf(entity)) === state);
}

/** Says something to SAGE; returns the answer and the conversation. */
export async function say(name, text, conversation) {
  const answer = await post(name, "/api/conversation/process", {
    text,
    language: "en",
    agent_id: AGENT,
    ...(conversation ? { conversation_id: conversation } : {}),
  });
  return {
    text: answer.response.speech.plain.speech,
    conversation: answer.conversation_id,
  };
}

/** Starts the browser, with further flags of Chromium. */
export function launch(...flags) {
  return chromium.launch({
    executablePath: process.env.SAGE_CHROMIUM,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      ...flags,
    ],
  });
}

/** A browser window of one person; it records errors and what the websocket receives. */
export class Visit {
  errors = [];
  received = [];

  static async begin(
    browser,
    name,
    {
      language = "en",
      dark = false,
      width = 1200,
      height = 844,
      scale = 1,
      timeZone,
      reducedMotion = "no-preference",
    } = {},
  ) {
    const context = await browser.newContext({
      viewport: { width, height },
      deviceScaleFactor: scale,
      colorScheme: dark ? "dark" : "light",
      reducedMotion,
      locale: language,
      timezoneId: timeZone,
      acceptDownloads: true,
      serviceWorkers: "block",
    });
    await context.addInitScript(
      ({ token, url, language }) => {
        const year = 365 * 24 * 3600;
        localStorage.hassTokens = JSON.stringify({
          access_token: token,
          token_type: "Bearer",
          expires_in: year,
          expires: Date.now() + 1000 * year,
          hassUrl: url,
          clientId: `${url}/`,
          refresh_token: "",
        });
        localStorage.selectedLanguage = JSON.stringify(language);
        addEventListener("unhandledrejection", ({ reason }) => {
          // Home Assistant's own pages ask for parts that the demo home does not have.
          if (reason?.code !== "unknown_command") {
            console.error("Rejected:", reason?.stack ?? JSON.stringify(reason));
          }
        });
      },
      { token: tokenOf(name), url: URL, language },
    );
    const visit = new Visit();
    visit.context = context;
    visit.page = await context.newPage();
    visit.watch();
    return visit;
  }

  watch() {
    this.page.on("console", (message) => {
      if (message.type() === "error") {
        this.errors.push(`${message.text()} (${message.location().url})`);
      }
    });
    // What is rejected with a plain object is in the console, see above.
    this.page.on("pageerror", (error) => {
      if (error.stack) {
        this.errors.push(error.stack);
      }
    });
    this.page.on("websocket", (socket) => {
      const asked = new Map();
      socket.on("framesent", ({ payload }) => {
        for (const { id, type } of [JSON.parse(String(payload))].flat()) {
          asked.set(id, type);
        }
      });
      socket.on("framereceived", ({ payload }) => {
        this.received.push(String(payload));
        for (const { id, error } of [JSON.parse(String(payload))].flat()) {
          if (error?.code === "unknown_command" && asked.get(id)?.startsWith("sage/")) {
            this.errors.push(`${asked.get(id)}: ${error.message}`);
          }
        }
      });
    });
  }

  /** Opens a view and waits until it shows its first content. */
  async open(view) {
    await this.page.goto(`${URL}/sage/${view}`);
    this.view = this.page.locator(`sage-${view}`);
    await this.view.locator("h2, h3, .empty, .list").first().waitFor();
  }

  button(name) {
    return this.view.getByRole("button", { name, exact: typeof name === "string" });
  }

  /** Clicks a button and waits until a status or error says something. */
  async click(name) {
    await this.button(name).click();
  }

  /** Returns the input of a field of Home Assistant. */
  field(label, within = this.view) {
    return within.locator("ha-input", { hasText: label }).locator("input");
  }

  /** Chooses an option in a field of Home Assistant. */
  async choose(select, text) {
    const isChosen = (text) =>
      select.evaluate((each, text) => {
        const chosen = each.options.find(({ value }) => value === each.value);
        return Boolean(chosen?.label.includes(text));
      }, text);
    await until(async () => {
      const option = select.locator("ha-dropdown-item", { hasText: text }).first();
      if (!(await option.isVisible())) {
        await select.click();
      }
      // It takes no clicks while it opens.
      await option.click({ timeout: 5_000 }).catch(() => undefined);
      return isChosen(text);
    });
  }

  notice() {
    return this.view.locator(".messages ha-alert");
  }

  /** Returns the dialog with a question. */
  question() {
    return this.view.locator("ha-dialog[open]");
  }

  /** Returns the sheet at the side that shows details. */
  get sheet() {
    return this.view.locator("dialog.sheet[open]");
  }

  /** Opens the line of a list with this text; returns the sheet with its details. */
  async details(text) {
    await this.view.locator("li > button.item", { hasText: text }).first().click();
    await this.sheet.getByRole("heading", { level: 2 }).waitFor();
    await this.sheet.evaluate((each) =>
      Promise.all(each.getAnimations().map((one) => one.finished)),
    );
    return this.sheet;
  }

  /** Closes the sheet with the keyboard. */
  async back() {
    await this.page.keyboard.press("Escape");
    await this.sheet.waitFor({ state: "detached" });
  }

  async agree(verb = "Delete") {
    await this.question().getByRole("button", { name: verb }).click();
  }

  /** Refuses the question of a dialog; its "Cancel" has the focus, so Enter does it. */
  async refuse() {
    const cancel = this.question().getByRole("button", { name: "Cancel" });
    await cancel.and(this.view.locator(":focus")).press("Enter");
    await this.question().waitFor({ state: "detached" });
  }

  /** Opens a fold, unless it is open; a view that is loading may open it just before the click. */
  async unfold(selector, within = this.view) {
    const fold = typeof selector === "string" ? within.locator(selector).first() : selector;
    const isOpen = () =>
      fold.evaluate((each) => each.hasAttribute("expanded") || each.open === true);
    await until(async () => {
      if (!(await isOpen())) {
        const head = await fold.evaluateHandle(
          (each) => each.shadowRoot?.querySelector("#summary") ?? each.querySelector("summary"),
        );
        await head.asElement().click();
      }
      return isOpen();
    });
    return fold;
  }

  /** Returns the fold with this heading. */
  fold(heading, within = this.view) {
    return within.locator(`ha-expansion-panel.fold`, { hasText: heading });
  }

  /** Asserts that a part of the page is in the window, wherever the page is scrolled to. */
  async isInSight(part) {
    const { top, bottom, height } = await part.evaluate((element) => {
      const { top, bottom } = element.getBoundingClientRect();
      return { top, bottom, height: window.innerHeight };
    });
    assert.ok(top >= 0 && bottom <= height, `${top} to ${bottom} of ${height}`);
  }

  /**
   * Asserts that axe finds nothing serious in SAGE's own content: its page, or its card.
   *
   * Some parts of Home Assistant have roles, attributes and colours inside that axe does not like.
   */
  async isAccessible(element = "sage-panel") {
    await this.page.evaluate(AXE);
    const violations = await this.page.evaluate(async (element) => {
      let host = document.querySelector("home-assistant");
      const found = [];
      const search = (node) => {
        for (const each of node.querySelectorAll("*")) {
          if (each.localName === element) {
            found.push(each);
          } else if (each.shadowRoot) {
            search(each.shadowRoot);
          }
        }
      };
      search(host.shadowRoot);
      const result = await window.axe.run(found[0], {
        elementRef: true,
        resultTypes: ["violations"],
      });
      const ofParts = ["aria-required-parent", "aria-valid-attr-value", "color-contrast"];
      const isOfPart = ({ element }) => /^(ha|wa)-/.test(element.getRootNode().host?.localName);
      return result.violations
        .filter(({ impact }) => impact === "serious" || impact === "critical")
        .map((each) =>
          ofParts.includes(each.id)
            ? { ...each, nodes: each.nodes.filter((node) => !isOfPart(node)) }
            : each,
        )
        .filter(({ nodes }) => nodes.length)
        .map(
          ({ id, nodes }) =>
            `${id}: ${nodes.map(({ html, any }) => `${html} ${any.map(({ message }) => message)}`).join("\n")}`,
        );
    }, element);
    assert.deepEqual(violations, []);
  }

  /** Asserts that nothing is wider than the window. */
  async fits() {
    const excess = await this.view.evaluate((view) => {
      const width = window.innerWidth;
      return [...view.shadowRoot.querySelectorAll("*")]
        .filter((each) => each.getBoundingClientRect().right > width + 1)
        .filter((each) => !each.closest("pre, nav"))
        .map((each) => each.outerHTML.slice(0, 120));
    });
    assert.deepEqual(excess, []);
  }

  /** Asserts that no error was logged, then closes the window. */
  async end() {
    await this.context.close();
    assert.deepEqual(this.errors, []);
  }
}
