/** The view Commands: what I said, what came of it, and why. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Visit, bring, launch, say, stateOf, until } from "./browser.js";

let browser;

before(async () => {
  browser = await launch();
  const first = await say("owner", "turn on the kitchen light");
  assert.match(first.text, /^The kitchen light is on\. By the way, I remember what you say to me/);
  const asked = await say("alex", "unlock the front door");
  await say("alex", "no", asked.conversation);
});

after(() => browser.close());

const line = (visit, text) => visit.view.locator("#commands li", { hasText: text });

test("a command opens to its changes and steps, and is undone", async () => {
  const visit = await Visit.begin(browser, "owner");
  await visit.open("activity");
  const command = line(visit, "turn on the kitchen light").first();
  assert.match(await command.innerText(), /The kitchen light is on\./);
  await visit.view.getByRole("heading", { name: "Today" }).waitFor();
  await command.locator("ha-state-icon svg").first().waitFor();

  const sheet = await visit.details("turn on the kitchen light");
  await sheet.getByText("Changes", { exact: true }).waitFor();
  assert.match(await sheet.innerText(), /Kitchen Light is now on\./);
  const steps = sheet.locator(".timeline > li");
  await steps.first().getByText("Model").waitFor();
  assert.match(
    await steps.nth(1).innerText(),
    /Control a device\s+Kitchen Light is now on\.\s+\d+\.\d s/,
  );
  assert.doesNotMatch(await sheet.innerText(), /execute_command|tokens|state: off/);
  await visit.unfold(visit.fold("Technical details", sheet).first());
  assert.match(await sheet.innerText(), /1 model call/);
  assert.match(await sheet.innerText(), /state: off → on/);
  await visit.unfold(sheet.locator(".steps ha-expansion-panel").nth(1));
  assert.match(await sheet.locator("pre:visible").first().innerText(), /kitchen_light/);
  await visit.isAccessible();

  await sheet.getByRole("button", { name: "Undo" }).click();
  await visit.notice().waitFor();
  assert.match(await visit.notice().innerText(), /Kitchen Light is now off/);
  assert.equal(await sheet.getByRole("button", { name: "Undo" }).count(), 0);
  await sheet.getByText("These changes were undone later:").waitFor();
  await visit.back();
  assert.equal(await command.getByRole("button", { name: "Undo", exact: true }).count(), 0);
  await visit.page.reload();
  await visit.open("activity");
  await command.getByText("Undone", { exact: true }).waitFor();

  await visit.unfold("#household");
  await visit.view
    .getByText("No commands from automations or from voice satellites without a person")
    .waitFor();
  await visit.end();
});

test("a command is undone with the icon in its line", async () => {
  await say("owner", "turn on the kitchen light");
  const visit = await Visit.begin(browser, "owner");
  await visit.open("activity");
  const command = line(visit, "turn on the kitchen light").first();
  await command.getByRole("button", { name: "Undo", exact: true }).click();
  await visit.notice().filter({ hasText: "Kitchen Light is now off" }).waitFor();
  await command.getByText("Undone", { exact: true }).waitFor();
  assert.equal(await stateOf("light.kitchen_light"), "off");
  await visit.end();
});

test("a refused command says why SAGE asked", async () => {
  const visit = await Visit.begin(browser, "alex");
  await visit.open("activity");
  const sheet = await visit.details("unlock the front door");
  await sheet.getByText("Why SAGE asked or refused").waitFor();

  const text = await sheet.innerText();
  assert.match(text, /SAGE asked: “.*Front Door/i);
  assert.match(text, /Risk: unlocking a lock\./);
  assert.match(text, /You did not agree, so SAGE did not run the command\./);
  await visit.back();
  assert.equal(await visit.view.locator("#household").count(), 0);
  await visit.end();
});

test("a command that waits for a reply is there with its question, also after the reply", async () => {
  const asked = await say("alex", "unlock the front door");
  const visit = await Visit.begin(browser, "alex");
  await visit.open("activity");
  const command = line(visit, "unlock the front door").first();
  await command.getByText("SAGE waits for your reply").waitFor();
  assert.ok((await command.innerText()).includes(asked.text));
  assert.equal(await command.getByRole("button").count(), 0);
  await visit.isAccessible();

  await say("alex", "no", asked.conversation);
  await visit.page.evaluate(() => window.dispatchEvent(new Event("focus")));
  await command.getByRole("button").first().waitFor();
  assert.equal(await command.getByText("SAGE waits for your reply").count(), 0);
  await visit.end();
});

test("a command that is given elsewhere appears by itself", async () => {
  const visit = await Visit.begin(browser, "alex");
  await visit.open("activity");
  await line(visit, "unlock").first().waitFor();
  const commands = line(visit, "I collect porcelain owls");
  assert.equal(await commands.count(), 0);
  await say("alex", "I collect porcelain owls");
  await visit.page.evaluate(() => window.dispatchEvent(new Event("focus")));
  await commands.first().waitFor();
  await visit.end();
});

test("a command is there with its steps while it runs, and nobody else receives it", async (t) => {
  const light = "light.kitchen_light";
  await bring(light, "turn_off", "off");
  t.after(() => bring(light, "turn_off", "off"));
  const [visit, other] = await Promise.all([
    Visit.begin(browser, "owner"),
    Visit.begin(browser, "alex"),
  ]);
  await visit.open("activity");
  await other.open("activity");
  const words = "turn on the kitchen light and take your time";
  const running = visit.view.locator("#live ha-card", { hasText: words });
  const answer = say("owner", words);
  await running.locator("ha-spinner").waitFor();
  await running.locator(".timeline > li", { hasText: "Control a device" }).waitFor();
  await running.locator(".timeline > li").nth(2).waitFor();
  await visit.isAccessible();
  await answer;
  await running.waitFor({ state: "detached" });
  await line(visit, words).first().getByText("It stays on.").waitFor();
  assert.doesNotMatch(other.received.join("\n"), /take your time/);
  await visit.end();
  await other.end();
});

test("times are in the time zone of the person's profile", async () => {
  const visit = await Visit.begin(browser, "alex", { timeZone: "Pacific/Marquesas" });
  const follow = (zone) =>
    visit.page.evaluate((time_zone) => {
      const { hass } = document.querySelector("home-assistant");
      const value = { time_zone };
      return hass.callWS({ type: "frontend/set_user_data", key: "language", value });
    }, zone);
  const minutes = async () => {
    const time = visit.view.locator("#commands time").first();
    return (await time.getAttribute("title")).match(/:(\d\d)/)[1];
  };
  await visit.open("activity");
  const at = await visit.page.evaluate(async () => {
    const { hass } = document.querySelector("home-assistant");
    const message = { type: "sage/activity/list", data: {} };
    return (await hass.callWS(message)).commands[0].at;
  });
  // The Marquesas Islands are half an hour apart from the full hours of other time zones.
  const minute = new Date(at).getUTCMinutes();
  const two = (number) => String(number % 60).padStart(2, "0");
  await follow("local");
  await visit.page.reload();
  await visit.open("activity");
  assert.equal(await minutes(), two(minute + 30));
  await follow("server");
  await visit.page.reload();
  await visit.open("activity");
  assert.equal(await minutes(), two(minute));
  await follow("local");
  await visit.end();
});

test("all times are on the clock of the person's profile, with 12 or 24 hours", async () => {
  const visit = await Visit.begin(browser, "alex");
  const follow = (time_format) =>
    visit.page.evaluate((time_format) => {
      const { hass } = document.querySelector("home-assistant");
      const value = { time_format };
      return hass.callWS({ type: "frontend/set_user_data", key: "language", value });
    }, time_format);
  await visit.open("activity");
  const time = visit.view.locator("#commands time").first();
  for (const [format, shown] of [
    ["24", /, \d\d:\d\d$/],
    ["12", /\d:\d\d\s[AP]M$/],
  ]) {
    await follow(format);
    await visit.page.reload();
    await visit.open("activity");
    assert.match(await time.getAttribute("title"), shown);
  }
  await follow("language");
  await visit.end();
});

test("a risky undo asks first, and no leaves things as they are", async (t) => {
  const door = "lock.front_door";
  t.after(() => bring(door, "lock", "locked"));
  await bring(door, "unlock", "unlocked");
  const said = await say("owner", "lock the front door, please");
  assert.equal(said.text, "The front door is locked.");
  const visit = await Visit.begin(browser, "owner");
  await visit.open("activity");
  const undo = { name: "Undo", exact: true };
  const command = line(visit, "lock the front door, please").first();
  await command.getByRole("button", undo).click();
  await visit.sheet.getByRole("button", { name: "No", exact: true }).click();
  assert.equal(await stateOf(door), "locked");
  await visit.sheet.getByRole("button", undo).click();
  await visit.sheet.getByRole("button", { name: "Yes", exact: true }).click();
  await visit.notice().waitFor();
  await until(async () => (await stateOf(door)) === "unlocked");
  await visit.end();
});

test("it is in German, dark and as narrow as a phone", async () => {
  const visit = await Visit.begin(browser, "owner", { language: "de", dark: true, width: 390 });
  await visit.open("activity");
  await visit.view.getByRole("heading", { name: "Heute" }).waitFor();
  await visit.fits();
  await visit.isAccessible();
  const sheet = await visit.details("kitchen light");
  await sheet.getByText("Schritte", { exact: true }).waitFor();
  await visit.unfold(visit.fold("Technische Details", sheet).first());
  await visit.fits();
  await visit.isAccessible();
  await visit.end();
});

test("nobody receives anything of another person", async () => {
  const [owner, alex] = await Promise.all([
    Visit.begin(browser, "owner"),
    Visit.begin(browser, "alex"),
  ]);
  for (const visit of [owner, alex]) {
    await visit.open("activity");
    for (const command of await visit.view.locator("#commands li > button.item").all()) {
      await command.click();
      await visit.sheet.locator(".timeline, h3").first().waitFor();
      await visit.back();
    }
    await visit.open("memory");
    await visit.view.locator("ul[data-group=said]").waitFor();
  }
  const received = (visit) => visit.received.join("\n");
  assert.match(received(owner), /turn on the kitchen light/);
  assert.match(received(alex), /unlock the front door/);
  assert.doesNotMatch(received(owner), /unlock the front door/);
  assert.doesNotMatch(received(alex), /turn on the kitchen light/);
  await owner.end();
  await alex.end();
});

test("tabs lead from view to view with the keyboard; models are for administrators", async () => {
  const visit = await Visit.begin(browser, "alex", { language: "fr" });
  await visit.open("activity");
  await visit.view.getByRole("heading", { name: "Aujourd’hui" }).waitFor();
  const tabs = visit.page.locator("sage-panel nav a");
  assert.equal(await tabs.filter({ hasText: "Modèles" }).count(), 0);
  await tabs.filter({ hasText: "Mémoire" }).press("Enter");
  const memory = visit.page.locator("sage-memory");
  await memory.getByRole("heading", { name: "Profil", exact: true }).waitFor();
  assert.equal(await tabs.filter({ hasText: "Mémoire" }).getAttribute("aria-current"), "page");

  await visit.unfold(memory.locator("#forget"));
  await memory.getByRole("button", { name: "Supprimer tous les souvenirs" }).press("Enter");
  await memory.locator("ha-dialog[open]").getByRole("button").first().waitFor();
  await visit.page.keyboard.press("Escape");
  await memory.locator("ha-dialog[open]").waitFor({ state: "detached" });
  await visit.page.goBack();
  await visit.view.getByRole("heading", { name: "Aujourd’hui" }).waitFor();
  await visit.end();

  const owner = await Visit.begin(browser, "owner", { language: "fr", width: 375 });
  await owner.open("activity");
  const models = owner.page.locator("sage-panel nav a", { hasText: "Modèles" });
  await models.waitFor();
  const { x, width } = await models.boundingBox();
  assert.ok(x + width <= 375, `the last tab ends at ${x + width} px`);
  await owner.end();
});
