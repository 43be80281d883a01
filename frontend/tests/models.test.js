/** The view Models: what the agents did and what it cost; only for administrators. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Visit, launch, say } from "./browser.js";

let browser;

before(async () => {
  browser = await launch();
  await say("owner", "turn on the kitchen light");
});

after(() => browser.close());

test("calls are counted and priced", async () => {
  const visit = await Visit.begin(browser, "owner");
  await visit.open("models");
  const agent = visit.view.locator("section").first();
  await agent.getByRole("img", { name: /[1-9]\d* model calls in the last 30 days/ }).waitFor();
  await agent.locator("svg.bars").first().waitFor();
  assert.equal(await agent.locator("svg.bars").count(), 3);
  assert.match(await agent.innerText(), /test-model/);
  await visit.unfold(visit.fold("Advanced", agent));
  assert.match(
    await agent.innerText(),
    /Format in which the model returns its decisions: (Native tool calls|JSON schema|Plain text)\./,
  );
  await agent.getByText("select Reconfigure in the menu").waitFor();
  assert.match(await agent.locator("svg.bars title").last().textContent(), /^.+ \d{4}: \d/);

  await agent.getByText("Enter the prices below.").waitFor();
  await visit.unfold(visit.fold("Prices in", agent));
  await visit.field(/^\s*Input/, agent).fill("1000");
  await visit.field("Output", agent).fill("2000");
  await agent.getByRole("button", { name: "Save" }).click();
  await visit.notice().filter({ hasText: "The prices are saved." }).waitFor();
  assert.ok((await agent.locator("svg.bars").count()) >= 3);
  assert.equal(await agent.getByText("Enter the prices below.").count(), 0);
  await visit.unfold(visit.fold("Usage by day", agent));
  await agent.getByRole("columnheader", { name: "Cost" }).waitFor();
  assert.equal(await agent.getByRole("cell").last().innerText(), "0");
  await agent.getByText("Calls that SAGE cancelled").waitFor();

  await visit.isAccessible();
  await agent.getByRole("button", { name: "Change model" }).click();
  await visit.page.waitForURL("**/config/integrations/integration/sage");
  await visit.end();
});

test("members have no such view", async () => {
  const visit = await Visit.begin(browser, "alex");
  await visit.open("routines");
  assert.equal(await visit.page.locator("sage-panel nav a[href='/sage/models']").count(), 0);
  await visit.end();
});

test("it is in German, dark and as narrow as a phone", async () => {
  const visit = await Visit.begin(browser, "owner", { language: "de", dark: true, width: 390 });
  await visit.open("models");
  await visit.view.locator("section").first().waitFor();
  await visit.fits();
  await visit.isAccessible();
  await visit.end();
});
