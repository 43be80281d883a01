/** The view Routines: what each will do, when it was true, and everything to do with it. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { URL as SAGE, Visit, bring, get, launch, post, stateOf, until } from "./browser.js";

const CODE = `def lamp_is_on():
    # The lamp of the kitchen
    return get_state("light.kitchen_light") == "on"
`;

const DOOR = "lock.front_door";
const LIGHT = "light.hallway_light";
const UNLOCK = "unlock the front door";

let browser;

before(async () => {
  await bring("light.kitchen_light", "turn_off", "off");
  browser = await launch();
});

after(() => browser.close());

/** Calls an action of SAGE as the person of a visit. */
function act(visit, action, data) {
  return visit.page.evaluate(
    (message) => document.querySelector("home-assistant").hass.callWS(message),
    { type: "sage/action", action, data },
  );
}

/** Opens the view with one routine that has a condition. */
async function withRoutine(name, sentence, { hold, ...options } = {}) {
  const visit = await Visit.begin(browser, name, options);
  await visit.open("routines");
  await act(visit, "create_routine", {
    kind: "tell",
    action: sentence,
    when: "the kitchen light is on",
    code: CODE,
    ...(hold ? { hold } : {}),
  });
  await visit.page.reload();
  await visit.open("routines");
  return visit;
}

const line = (visit, sentence) => visit.view.locator("#routines > li", { hasText: sentence });

/** Opens the sheet of a routine. */
const opened = (visit, sentence) => visit.details(sentence);

/** Locks the door and switches the light off that fires the routines about it. */
async function leaveDoor() {
  await bring(DOOR, "lock", "locked");
  await bring(LIGHT, "turn_off", "off");
}

/** Returns the commands of the person that a routine with this condition sent. */
async function commandsOf(visit, when) {
  const { commands } = await visit.page.evaluate(
    (message) => document.querySelector("home-assistant").hass.callWS(message),
    { type: "sage/activity/list", data: {} },
  );
  return commands.filter(({ routine }) => routine === when);
}

async function deleteRoutine(visit, sentence) {
  const sheet = await opened(visit, sentence);
  await sheet.getByRole("button", { name: "Delete" }).click();
  await visit.agree();
  await line(visit, sentence).waitFor({ state: "detached" });
  await sheet.waitFor({ state: "detached" });
}

/** Fills in SAGE's options of the household as the owner; waits until SAGE runs with them. */
async function setHousehold(values) {
  const entries = "/api/config/config_entries";
  const entry = async () => (await get("owner", `${entries}/entry?domain=sage`))[0];
  const flow = `${entries}/options/flow`;
  const { flow_id } = await post("owner", flow, { handler: (await entry()).entry_id });
  const form = await post("owner", `${flow}/${flow_id}`, { next_step_id: "household" });
  const kept = form.data_schema
    .filter(({ required }) => required)
    .map((field) => [field.name, field.default]);
  const end = await post("owner", `${flow}/${flow_id}`, { ...Object.fromEntries(kept), ...values });
  assert.equal(end.type, "create_entry");
  await until(async () => (await entry()).state === "loaded");
}

test("a line says what will happen; it is tested, switched off and on, and deleted", async () => {
  const visit = await withRoutine("alex", "say that the soup boils");
  const soup = line(visit, "say that the soup boils");
  await soup
    .locator(".headline", { hasText: /Whenever the kitchen light is on: .*soup boils/ })
    .waitFor();
  await soup.getByText("The condition is not true now.").waitFor();
  await visit.isAccessible();

  const isOn = soup.getByRole("switch");
  await isOn.press("Space");
  await soup.getByText("paused").waitFor();
  await isOn.press("Space");
  await soup.getByText("The condition is not true now.").waitFor();

  const sheet = await opened(visit, "say that the soup boils");
  await sheet.locator(".status", { hasText: "active" }).waitFor();
  await sheet.getByRole("button", { name: "Test" }).click();
  await sheet.locator(".test").waitFor();
  assert.match(await sheet.locator(".test").innerText(), /The condition is (not )?true now\./);
  assert.match(await sheet.locator(".test").innerText(), /The last 24 hours/);
  await visit.unfold(visit.fold("Advanced", sheet));
  await sheet.getByText('get_state("light.kitchen_light")').first().waitFor();
  await visit.isAccessible();

  await sheet.getByRole("button", { name: "Delete" }).click();
  await visit.refuse();
  await soup.waitFor();
  await sheet.getByRole("button", { name: "Delete" }).click();
  await visit.agree();
  await soup.waitFor({ state: "detached" });
  await visit.end();
});

test("a line shows when its condition was true in the last 24 hours", async (t) => {
  t.after(() => bring("light.kitchen_light", "turn_off", "off"));
  await bring("light.kitchen_light", "turn_on", "on");
  const visit = await withRoutine("alex", "say that the bread is done");
  const day = line(visit, "say that the bread is done").getByRole("img");
  assert.match(
    await day.getAttribute("aria-label"),
    /condition was true in the last 24 hours: \d+:\d\d [AP]M – \d+:\d\d [AP]M/,
  );
  assert.ok((await day.locator(".so").count()) > 0);
  await visit.isAccessible();
  await deleteRoutine(visit, "say that the bread is done");
  await visit.end();
});

test("a routine asks before it unlocks: no leaves the door locked, yes unlocks it", async (t) => {
  await leaveDoor();
  t.after(leaveDoor);
  const visit = await Visit.begin(browser, "alex");
  await visit.open("routines");
  const when = "the hallway light is on";
  await act(visit, "create_routine", {
    kind: "do",
    action: UNLOCK,
    when,
    code: CODE.replaceAll("kitchen", "hallway"),
  });
  const question = visit.view.locator("#routines .question");
  const isFalse = line(visit, UNLOCK).first().getByText("The condition is not true now.");

  await isFalse.waitFor();
  await bring(LIGHT, "turn_on", "on");
  await question.waitFor();
  assert.match(await question.innerText(), /Front Door/);
  assert.equal(await stateOf(DOOR), "locked");
  await visit.isAccessible();
  await question.getByRole("button", { name: "No" }).click();
  await question.waitFor({ state: "detached" });
  await until(async () => (await commandsOf(visit, when)).length === 1);
  assert.equal(await stateOf(DOOR), "locked");
  await visit.page.reload();
  await visit.open("routines");
  await line(visit, UNLOCK).waitFor();
  assert.equal(await question.count(), 0);

  await bring(LIGHT, "turn_off", "off");
  await isFalse.waitFor();
  await bring(LIGHT, "turn_on", "on");
  await question.getByRole("button", { name: "Yes" }).click();
  await question.waitFor({ state: "detached" });
  await until(async () => (await stateOf(DOOR)) === "unlocked");
  await until(async () => (await commandsOf(visit, when)).length === 2);

  await visit.open("activity");
  const link = (await visit.details(`when ${when}`)).getByRole("link");
  const address = new URL(await link.getAttribute("href"), SAGE).href;
  await link.click();
  visit.view = visit.page.locator("sage-routines");
  await visit.sheet.getByRole("heading", { name: UNLOCK }).waitFor();
  await visit.back();

  await deleteRoutine(visit, UNLOCK);
  await visit.page.goto(address);
  await visit.notice().filter({ hasText: "This routine no longer exists." }).waitFor();
  await visit.end();
});

test("a routine of the household asks for the PIN: a wrong one does nothing", async (t) => {
  await leaveDoor();
  await setHousehold({ pin: "4711" });
  t.after(async () => {
    await setHousehold({ clear_pin: true });
    await leaveDoor();
  });
  await post("owner", "/api/events/make_household_routine", {});
  const visit = await Visit.begin(browser, "owner");
  await visit.open("routines");
  const door = line(visit, UNLOCK).first();
  await door.getByText("of the household").waitFor();
  await door.getByText("The condition is not true now.").waitFor();

  await bring(LIGHT, "turn_on", "on");
  const question = visit.view.locator("#routines .question");
  const pin = visit.field("PIN", question);
  await pin.waitFor();
  assert.equal(await pin.getAttribute("type"), "password");
  assert.equal(await question.getByRole("button", { name: "Yes" }).count(), 0);
  assert.equal(await question.getByRole("button", { name: "No" }).count(), 1);
  await visit.isAccessible();

  await pin.fill("1174");
  await pin.press("Enter");
  await question.getByText("That was not the right PIN.").waitFor();
  assert.equal(await stateOf(DOOR), "locked");
  await pin.fill("4711");
  await pin.press("Enter");
  await until(async () => (await stateOf(DOOR)) === "unlocked");
  await question.waitFor({ state: "detached" });
  await deleteRoutine(visit, UNLOCK);
  await visit.end();
});

test("code is coloured", async () => {
  const visit = await withRoutine("alex", "say that the tea is ready");
  const tea = await opened(visit, "say that the tea is ready");
  await visit.unfold(visit.fold("Advanced", tea));
  const editor = tea.getByLabel("Python code of the condition");
  await editor.waitFor();
  await tea.getByText("triggered as soon as the code returns True.").waitFor();
  assert.equal(await tea.locator("sage-code .keyword").first().innerText(), "def");
  assert.equal(await tea.locator("sage-code .comment").innerText(), "# The lamp of the kitchen");
  await visit.isAccessible();

  assert.match(await editor.innerText(), /light.kitchen_light/);
  await visit.back();
  await deleteRoutine(visit, "say that the tea is ready");
  await visit.end();
});

test("words make a routine, and other words replace it", async () => {
  const visit = await Visit.begin(browser, "alex");
  await visit.open("routines");
  const form = visit.view.getByRole("region", { name: "New routine" });
  await form.getByRole("textbox").fill("water the plants every day at nine");
  await form.getByRole("button", { name: "Send" }).click();
  await visit.view.getByText("every day at 9:00 AM").first().waitFor();

  const sheet = await opened(visit, "every day at 9:00 AM");
  await sheet.getByText("Command: “water the plants every day at nine”").waitFor();
  await sheet.getByRole("button", { name: "Change" }).click();
  await sheet.getByRole("button", { name: "Cancel" }).click();
  await sheet.getByRole("button", { name: "Change" }).click();
  await sheet.getByRole("textbox").fill("water the plants every day at ten");
  await sheet.getByRole("textbox").press("Enter");
  await line(visit, "every day at 10:00 AM").waitFor();
  await line(visit, "every day at 9:00 AM").waitFor({ state: "detached" });
  await visit.end();
});

test("words are sent once until the answer, also if the view is left meanwhile", async () => {
  const visit = await Visit.begin(browser, "alex");
  await visit.open("routines");
  await visit.page.evaluate(() => {
    const { hass } = document.querySelector("home-assistant");
    const send = hass.callWS;
    window.sent = 0;
    const slow = new Promise((resolve) => (window.answer = resolve));
    hass.callWS = async (message) => {
      if (message.type === "conversation/process") {
        window.sent += 1;
        await slow;
      }
      return send(message);
    };
  });
  const form = visit.view.getByRole("region", { name: "New routine" });
  const button = form.getByRole("button", { name: "Send" });
  await form.getByRole("textbox").fill("water the plants every day at nine");
  await button.click();
  await form.getByRole("status").getByText("SAGE is working on it").waitFor();
  assert.ok(await button.isDisabled());
  await form.locator("form").evaluate((each) => each.requestSubmit());
  await visit.isAccessible();

  const tabs = visit.page.locator("sage-panel nav a");
  await tabs.filter({ hasText: "Memory" }).click();
  await visit.view.waitFor({ state: "detached" });
  await tabs.filter({ hasText: "Routines" }).click();
  await form.getByRole("status").getByText("SAGE is working on it").waitFor();
  assert.ok(await button.isDisabled());
  assert.equal(await form.getByRole("textbox").inputValue(), "water the plants every day at nine");

  await visit.page.evaluate(() => window.answer());
  await line(visit, "every day at 9:00 AM").waitFor();
  await visit.notice().first().waitFor();
  assert.equal(await form.getByRole("textbox").inputValue(), "");
  assert.equal(await button.isDisabled(), false);
  assert.equal(await visit.page.evaluate(() => window.sent), 1);
  await deleteRoutine(visit, "every day at 9:00 AM");
  await visit.end();
});

test("an administrator sees only the number of another's routine", async () => {
  const alex = await withRoutine("alex", "say that the owl is back");
  await alex.end();
  const owner = await Visit.begin(browser, "owner");
  await owner.open("routines");
  await owner.unfold("#others");
  const other = owner.view.locator("#others li").first();
  await other.getByRole("switch").press("Space");
  await other.getByText("paused").waitFor();
  assert.doesNotMatch(owner.received.join("\n"), /the owl is back/);
  await other.getByRole("button", { name: "Delete" }).click();
  await owner.agree();
  await owner.notice().filter({ hasText: "The routine is deleted." }).waitFor();
  await owner.end();
});

test("it is in German, dark and as narrow as a phone", async () => {
  const visit = await withRoutine("alex", "sag, dass das Licht an ist", {
    language: "de",
    dark: true,
    width: 390,
    hold: { minutes: 5 },
  });
  await visit.fits();
  const light = await opened(visit, "sag, dass das Licht an ist");
  await light.locator(".test").waitFor();
  await visit.unfold(visit.fold("Erweitert", light));
  await light.getByLabel("Python-Code der Bedingung").waitFor();
  await light.getByText("nachdem der Code 5 Minuten lang ununterbrochen True").waitFor();
  await light.getByRole("button", { name: "Testen" }).click();
  await light.locator(".test").waitFor();
  await visit.fits();
  await visit.isAccessible();
  await visit.back();

  await act(visit, "create_routine", { action: "gieß die Blumen", daily: "09:00" });
  const flowers = await opened(visit, "gieß die Blumen");
  await flowers.getByRole("button", { name: "Löschen" }).waitFor();
  // A time has nothing to test, and no code.
  assert.equal(await flowers.getByRole("button", { name: "Testen" }).count(), 0);
  assert.equal(await flowers.locator("sage-code").count(), 0);
  await visit.fits();
  await visit.isAccessible();
  await visit.end();
});
