/** The first steps in the view Commands: sentences to try, and the use of SAGE in Assist. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Visit, bring, launch, say, stateOf } from "./browser.js";

const AGENT = process.env.SAGE_TEST_AGENT;
const LIGHT = "light.bathroom_light";
let browser;

before(async () => {
  browser = await launch();
  await bring(LIGHT, "turn_off", "off");
});

after(() => browser.close());

/** Sends a websocket command as the person of a visit. */
function call(visit, message) {
  return visit.page.evaluate(
    (message) => document.querySelector("home-assistant").hass.callWS(message),
    message,
  );
}

/** Opens the view of a person who has given no commands. */
async function withoutCommands(name, options) {
  const visit = await Visit.begin(browser, name, options);
  await visit.open("activity");
  await call(visit, { type: "sage/action", action: "forget", data: { everything: true } });
  await visit.page.reload();
  await visit.open("activity");
  return visit;
}

test("sentences with names of this home are there until there are commands", async (t) => {
  t.after(() => bring(LIGHT, "turn_off", "off"));
  const visit = await withoutCommands("alex");
  const start = visit.view.getByRole("region", { name: "Try SAGE" });
  await start.waitFor();
  assert.equal(await start.getByRole("button").count(), 3);
  await start.getByRole("button", { name: /^Is .* on\?$/ }).waitFor();
  await start.getByRole("button", { name: "Turn off Bathroom Light in 10 minutes" }).waitFor();
  await visit.isAccessible();

  await start.getByRole("button", { name: "Turn on Bathroom Light" }).click();
  await start.getByText("The bathroom light is on.").waitFor();
  assert.equal(await stateOf(LIGHT), "on");
  const command = visit.view.locator("#commands li", { hasText: "Turn on Bathroom Light" });
  await command.getByText("The bathroom light is on.").waitFor();
  assert.equal(await start.getByRole("button").count(), 3);

  await visit.page.reload();
  await visit.open("activity");
  await command.waitFor();
  assert.equal(await start.count(), 0);
  await visit.end();
});

test("the sentences are in German, and fit on a phone", async () => {
  const visit = await withoutCommands("alex", { language: "de", width: 390 });
  await visit.view.getByRole("button", { name: "Schalte Bathroom Light ein" }).waitFor();
  await visit.view
    .getByRole("button", { name: "Schalte Bathroom Light in 10 Minuten aus" })
    .waitFor();
  await visit.fits();
  await visit.end();
});

test("an administrator lets SAGE answer in an assistant", async () => {
  await say("alex", "is the kitchen light on?");
  const visit = await Visit.begin(browser, "owner");
  await visit.open("activity");
  const offer = visit.view.getByRole("region", { name: "Use SAGE in Assist?" });
  await visit.view.locator("#household").waitFor();
  assert.equal(await offer.count(), 0);
  const ofSage = async () => {
    const { pipelines } = await call(visit, { type: "assist_pipeline/pipeline/list" });
    return pipelines.filter(({ conversation_engine }) => conversation_engine === AGENT);
  };
  const put = ({ id, ...data }) =>
    call(visit, { type: "assist_pipeline/pipeline/update", pipeline_id: id, ...data });
  const assistants = await ofSage();
  const assistant = assistants[0];
  const engine = "conversation.home_assistant";
  for (const each of assistants) {
    await put({ ...each, conversation_engine: engine, prefer_local_intents: true });
  }
  assert.deepEqual(await ofSage(), []);

  const member = await Visit.begin(browser, "alex");
  await member.open("activity");
  await member.view.locator("#commands li").first().waitFor();
  assert.equal(await member.view.getByRole("region", { name: "Use SAGE in Assist?" }).count(), 0);
  await member.end();

  await visit.page.reload();
  await visit.open("activity");
  await offer.waitFor();
  await offer.locator("ha-select").click();
  const choices = offer.locator("ha-dropdown-item");
  assert.match(await choices.last().innerText(), /A new assistant “SAGE”/);
  await visit.choose(offer.locator("ha-select"), assistant.name);
  await visit.isAccessible();
  await offer.getByRole("button", { name: "Use SAGE" }).click();
  await visit.view.getByText("SAGE now answers in Assist.").waitFor();
  await offer.waitFor({ state: "detached" });
  const [changed] = await ofSage();
  assert.equal(changed.id, assistant.id);
  assert.equal(changed.prefer_local_intents, false);
  for (const each of assistants) {
    await put(each);
  }
  await visit.end();
});
