/** The card "Ask SAGE" on a dashboard: a chat, its follow-ups, and undo. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { URL, Visit, bring, launch, stateOf, until } from "./browser.js";

const DASHBOARD = "ask-sage";
let browser;

/** Sends websocket commands of Home Assistant as the person of the visit. */
async function send(visit, ...messages) {
  await visit.page.goto(`${URL}/profile`);
  await visit.page.waitForFunction(() => document.querySelector("home-assistant")?.hass?.user);
  return visit.page.evaluate(async (messages) => {
    const { hass } = document.querySelector("home-assistant");
    const answers = [];
    for (const message of messages) {
      answers.push(await hass.callWS(message));
    }
    return answers;
  }, messages);
}

/** Opens the dashboard and waits for the card. */
async function open(visit) {
  await visit.page.goto(`${URL}/${DASHBOARD}/0`);
  visit.view = visit.page.locator("sage-card");
  await visit.view.locator("input").waitFor();
}

/** Types a sentence and sends it with the keyboard; returns SAGE's answer. */
async function say(visit, text) {
  const answers = visit.view.locator(".message.sage .text");
  const count = await answers.count();
  await visit.view.locator("input").fill(text);
  await visit.view.locator("input").press("Enter");
  await answers.nth(count).waitFor();
  // The answer comes word by word.
  await visit.view.locator("[role=log][aria-busy=false]").waitFor();
  return answers.nth(count).innerText();
}

before(async () => {
  browser = await launch();
  const visit = await Visit.begin(browser, "owner");
  await send(
    visit,
    { type: "lovelace/dashboards/create", url_path: DASHBOARD, title: "Ask", mode: "storage" },
    {
      type: "lovelace/config/save",
      url_path: DASHBOARD,
      config: { views: [{ title: "Ask", cards: [{ type: "custom:sage-card" }] }] },
    },
  );
  await visit.context.close();
});

after(() => browser.close());

test("a light goes on, a follow-up belongs to the conversation, and undo switches it off", async () => {
  const visit = await Visit.begin(browser, "owner");
  const asked = [];
  visit.page.on("websocket", (socket) =>
    socket.on("framesent", ({ payload }) => {
      asked.push(
        ...[JSON.parse(String(payload))]
          .flat()
          .filter(({ type }) => type === "assist_pipeline/run"),
      );
    }),
  );
  await open(visit);
  assert.equal(await visit.button(/^Undo/).count(), 0);

  assert.match(await say(visit, "turn on the kitchen light"), /The kitchen light is on\./);
  await visit.button("Undo “turn on the kitchen light”").waitFor();
  assert.equal(await stateOf("light.kitchen_light"), "on");

  assert.match(await say(visit, "is the kitchen light on?"), /Yes, the kitchen light is on\./);
  assert.equal(asked.length, 2);
  assert.ok(asked[1].conversation_id);
  await visit.isAccessible("sage-card");

  await visit.button("Undo “turn on the kitchen light”").press("Enter");
  await visit.view.getByText(/Kitchen Light is now off/).waitFor();
  assert.equal(await stateOf("light.kitchen_light"), "off");
  await visit.button(/^Undo/).waitFor({ state: "detached" });

  await visit.click("New conversation");
  assert.equal(await visit.view.locator(".message").count(), 0);
  await say(visit, "is the kitchen light on?");
  assert.notEqual(asked[2].conversation_id, asked[1].conversation_id);
  await visit.end();
});

test("while SAGE works, the card says each step and shows the words as they come", async (t) => {
  const light = "light.kitchen_light";
  await bring(light, "turn_off", "off");
  t.after(() => bring(light, "turn_off", "off"));
  const visit = await Visit.begin(browser, "owner");
  await open(visit);
  await visit.view.evaluate((card) => {
    window.shown = [];
    const note = () => {
      const text = (selector) => [...card.shadowRoot.querySelectorAll(selector)].at(-1)?.innerText;
      const busy = card.shadowRoot.querySelector("[role=log]").ariaBusy;
      window.shown.push({ busy, step: text("[role=status] p"), words: text(".sage .text") });
    };
    const options = { attributes: true, childList: true, characterData: true, subtree: true };
    new MutationObserver(note).observe(card.shadowRoot, options);
  });

  const answer = await say(visit, "turn on the kitchen light and take your time");
  assert.match(
    answer,
    /^The kitchen light is on. It stays on. You can switch it off at any time\./,
  );
  assert.equal(await stateOf(light), "on");
  const shown = (await visit.page.evaluate(() => window.shown)).filter(
    ({ busy }) => busy === "true",
  );
  const steps = [...new Set(shown.map(({ step }) => step).filter(Boolean))];
  assert.deepEqual(steps, ["SAGE is working on it…", "Kitchen Light is now on."]);
  const parts = [...new Set(shown.map(({ words }) => words).filter(Boolean))];
  assert.ok(parts.length > 1, JSON.stringify(parts));
  assert.ok(
    parts.every((part) => answer.startsWith(part.trim())),
    JSON.stringify(parts),
  );

  await visit.button(/^Undo/).click();
  await until(async () => (await stateOf(light)) === "off");
  await visit.end();
});

test("it asks before it unlocks the door: no leaves it locked, yes unlocks it", async (t) => {
  const door = "lock.front_door";
  await bring(door, "lock", "locked");
  t.after(() => bring(door, "lock", "locked"));
  const visit = await Visit.begin(browser, "owner");
  await open(visit);

  assert.match(await say(visit, "unlock the front door"), /Front Door.*\?/);
  assert.equal(await stateOf(door), "locked");
  assert.match(await say(visit, "no"), /I have left Front Door as it is\./);
  assert.equal(await stateOf(door), "locked");
  assert.equal(await visit.button(/^Undo/).count(), 0);

  assert.match(await say(visit, "unlock the front door"), /Front Door.*\?/);
  assert.match(await say(visit, "yes"), /The front door is unlocked\./);
  await until(async () => (await stateOf(door)) === "unlocked");
  await visit.isAccessible("sage-card");

  await visit.button("Undo “unlock the front door”").click();
  await until(async () => (await stateOf(door)) === "locked");
  await visit.button(/^Undo/).waitFor({ state: "detached" });
  await visit.end();
});

test("the editor of the dashboard offers the agents of SAGE", async () => {
  const visit = await Visit.begin(browser, "owner");
  await open(visit);
  // At its start, Home Assistant ignores `edit` until it knows the user.
  await visit.page.evaluate(() => {
    history.replaceState(null, "", `${location.pathname}?edit=1`);
    window.dispatchEvent(new CustomEvent("location-changed", { detail: { replace: true } }));
  });
  await visit.page.locator("hui-card-options").getByText("Edit", { exact: true }).click();
  const form = visit.page.locator("hui-dialog-edit-card ha-form");
  await form.getByText("Agent", { exact: true }).first().waitFor();
  await form.getByText("If the field is empty, the card uses the first agent of SAGE.").waitFor();
  await form.locator("ha-selector-entity").waitFor();
  await visit.end();
});

test("a sentence with markup is shown as text", async () => {
  const visit = await Visit.begin(browser, "owner");
  await open(visit);
  await say(visit, "<img src=x> is the kitchen light on?");
  const said = visit.view.locator(".message.person .text");
  assert.equal(await said.innerText(), "<img src=x> is the kitchen light on?");
  assert.equal(await visit.view.locator("img").count(), 0);
  await visit.end();
});

test("it is in German, dark and as narrow as a phone", async () => {
  const visit = await Visit.begin(browser, "alex", { language: "de", dark: true, width: 390 });
  await open(visit);
  await visit.view.getByText("Gib SAGE einen Befehl oder stelle eine Frage.").waitFor();
  await say(visit, "turn on the kitchen light");
  await visit.button("„turn on the kitchen light“ rückgängig machen").waitFor();
  await visit.fits();
  await visit.isAccessible("sage-card");
  const [picked] = await visit.page.evaluate(() =>
    window.customCards.map(({ type, name }) => `${type}: ${name}`),
  );
  assert.equal(picked, "sage-card: SAGE fragen");
  await visit.button(/rückgängig machen$/).press("Enter");
  await visit.button(/rückgängig machen$/).waitFor({ state: "detached" });
  await visit.view.locator(".message.sage").nth(1).waitFor();
  await visit.end();
});
