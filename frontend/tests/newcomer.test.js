/** A newcomer finds ten things by the labels in sight, each with at most three clicks. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { URL, Visit, bring, launch, say } from "./browser.js";

const MOST_CLICKS = 3;
const LIGHT = "light.kitchen_light";

let browser;

before(async () => {
  browser = await launch();
  await say("owner", "I collect porcelain owls");
  await say("owner", "water the plants every day at nine");
  const asked = await say("alex", "unlock the front door");
  await say("alex", "no", asked.conversation);
});

after(() => browser.close());

/** A person who knows only what is on the page: roles, labels and texts. */
class Newcomer {
  clicks = 0;

  static async begin(name, width) {
    const newcomer = new Newcomer();
    newcomer.visit = await Visit.begin(browser, name, { width });
    await newcomer.visit.page.goto(`${URL}/sage`);
    // Home Assistant's launch screen covers the page until it has faded.
    await newcomer.visit.page.locator("#ha-launch-screen").waitFor({ state: "detached" });
    return newcomer;
  }

  get page() {
    return this.visit.page.locator("sage-panel");
  }

  /** What lies in front of the rest of the page. */
  get sheet() {
    return this.page.getByRole("dialog");
  }

  click(role, name, place = this.page) {
    return this.press(place.getByRole(role, { name }));
  }

  /** Clicks where a thing is, whichever element of Home Assistant's own parts is there. */
  async press(thing) {
    const seen = thing.filter({ visible: true }).first();
    await seen.scrollIntoViewIfNeeded();
    await (await seen.elementHandle()).waitForElementState("stable");
    const { x, y, width, height } = await seen.boundingBox();
    await this.visit.page.mouse.click(x + width / 2, y + height / 2);
    this.clicks += 1;
  }

  async sees(...texts) {
    for (const text of texts) {
      await this.page.getByText(text).filter({ visible: true }).first().waitFor();
    }
    assert.ok(this.clicks <= MOST_CLICKS, `${texts} after ${this.clicks} clicks`);
  }
}

/** Question of a newcomer -> the person who asks, and the way to the answer. */
const QUESTIONS = {
  "why the light went on at night": [
    "owner",
    async (newcomer) => {
      await newcomer.click("button", "turn on the kitchen light");
      await newcomer.sees("Steps", "Control a device", "Kitchen Light is now on.");
    },
  ],
  "what SAGE knows of me": [
    "owner",
    async (newcomer) => {
      await newcomer.click("link", "Memory");
      await newcomer.sees("Facts", "Profile", "I collect porcelain owls");
    },
  ],
  "how to stop a routine": [
    "owner",
    async (newcomer) => {
      await newcomer.click("link", "Routines");
      await newcomer.click("switch", "Water the plants");
      await newcomer.sees("paused");
      await newcomer.click("switch", "Water the plants");
    },
  ],
  "how SAGE never asks for the garage": [
    "owner",
    async (newcomer) => {
      await newcomer.click("link", "Devices");
      await newcomer.click("button", "Garage Door");
      await newcomer.press(newcomer.sheet.getByText("Confirmation before use"));
      await newcomer.sees("Use without asking");
    },
  ],
  "which model costs what": [
    "owner",
    async (newcomer) => {
      await newcomer.click("link", "Models");
      await newcomer.sees("test-model", "Calls", "Tokens", "Cost");
      await newcomer.click("button", "Prices in");
      await newcomer.sees("Input", "Output");
    },
  ],
  "how to undo a change": [
    "owner",
    async (newcomer) => {
      await newcomer.click("button", "turn on the kitchen light");
      await newcomer.click("button", "Undo", newcomer.sheet);
      await newcomer.sees("Kitchen Light is now off");
    },
  ],
  "who may see this": [
    "owner",
    async (newcomer) => {
      await newcomer.click("button", "turn on the kitchen light");
      await newcomer.sees("Only you can see this.");
    },
  ],
  "where to add my mail": [
    "alex",
    async (newcomer) => {
      await newcomer.click("link", "Accounts");
      await newcomer.sees("Mail");
      await newcomer.click("button", "Add");
      await newcomer.sees("Mail address", "Password");
    },
  ],
  "which devices SAGE may use": [
    "owner",
    async (newcomer) => {
      await newcomer.click("link", "Devices");
      await newcomer.sees("Garage Door", /SAGE may use \d+ of \d+ entities/);
      await newcomer.sees("Choose devices");
    },
  ],
  "why SAGE refused": [
    "alex",
    async (newcomer) => {
      await newcomer.click("button", "unlock the front door");
      await newcomer.sees("Why SAGE asked or refused", "Risk: unlocking a lock.");
    },
  ],
};

for (const [place, width] of [
  ["on a computer", 1280],
  ["on a phone", 390],
]) {
  for (const [question, [name, find]] of Object.entries(QUESTIONS)) {
    test(`a newcomer finds ${place}: ${question}`, async () => {
      await bring(LIGHT, "turn_off", "off");
      await say("owner", "turn on the kitchen light");
      const newcomer = await Newcomer.begin(name, width);
      await find(newcomer);
      await newcomer.visit.end();
    });
  }
}
