/** The view Memory: what SAGE knows about me, and what I can do with it. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { Visit, launch, say } from "./browser.js";

let browser;

before(async () => {
  browser = await launch();
  await say("alex", "I collect porcelain owls");
  await say("alex", "my dentist is Doctor Vogelsang");
});

after(() => browser.close());

async function notices(visit, text) {
  await visit.notice().filter({ hasText: text }).waitFor();
}

test("a fact is told, found while one types, corrected and deleted", async () => {
  const visit = await Visit.begin(browser, "alex");
  await visit.open("memory");
  const fact = visit.field("Tell SAGE something about you");
  await fact.fill("I drink oat milk");
  await fact.press("Enter");
  await notices(visit, "SAGE stored the memory.");
  assert.equal(await fact.inputValue(), "");

  const search = visit.field("Search memories");
  await search.fill("OAT");
  const told = visit.view.locator("ul[data-group=told]");
  await told.getByText("I drink oat milk").waitFor();
  await visit.view.getByText("1 memory contains these words.").waitFor();
  await search.fill("zither");
  await visit.view.getByText("No memory contains these words.").first().waitFor();
  await search.fill("owls");
  await visit.view.locator("ul[data-group=said]").getByText("porcelain owls").waitFor();
  await visit.view.getByText("1 memory contains these words.").waitFor();
  await search.fill("oat");
  await told.getByText("I drink oat milk").waitFor();

  await visit.click("Edit: I drink oat milk");
  await visit.click("Cancel");
  await visit.click("Edit: I drink oat milk");
  await visit.field("New text of the memory").fill("I drink rice milk");
  await told.getByRole("button", { name: "Save" }).click();
  await notices(visit, "SAGE stored the new text of the memory.");
  await search.fill("");
  await told.getByText("I drink rice milk").waitFor();
  await visit.end();
});

test("what was said in conversations is there, and a message is closed", async () => {
  await say("owner", "I collect porcelain owls");
  const visit = await Visit.begin(browser, "owner");
  await visit.open("memory");
  await visit.view.getByText("Nothing yet. Tell SAGE what to remember.").waitFor();
  await visit.view.locator("ul[data-group=said]").getByText("porcelain owls").waitFor();

  await visit.unfold("#retention");
  await visit.field("Days to keep memories").fill("0");
  await visit.view.locator("#retention").getByRole("button", { name: "Save" }).click();
  await notices(visit, "The settings are saved.");
  await visit.notice().getByRole("button").click();
  await visit.notice().waitFor({ state: "detached" });
  await visit.end();
});

test("the summary of one day is one, and a command was said like everything else", async () => {
  await say("alex", "turn on the kitchen light");
  const visit = await Visit.begin(browser, "alex");
  await visit.open("memory");
  const light = visit.view.locator("ul[data-group=said] > li", {
    hasText: "turn on the kitchen light",
  });
  await light.waitFor();
  const show = (...dates) =>
    visit.view.evaluate((view, dates) => {
      const days = dates.map((date) => ({ date, text: "Alex rested." }));
      view.overview = { ...view.overview, days };
    }, dates);
  await show("2026-03-08");
  await visit.view.getByText("Daily summaries of your memories (1 day)", { exact: true }).waitFor();
  await show("2026-03-08", "2026-03-07");
  await visit.view.getByText("Daily summaries of your memories (2 days)").waitFor();
  await visit.click("Delete: turn on the kitchen light");
  await visit.agree();
  await notices(visit, "1 memory was deleted.");
  await visit.end();
});

test("a memory, a topic, a day and all of it are forgotten", async () => {
  const visit = await Visit.begin(browser, "alex");
  await visit.open("memory");
  const said = visit.view.locator("ul[data-group=said]");
  await said.getByText("my dentist is Doctor Vogelsang").waitFor();
  await said.getByText("I collect porcelain owls").waitFor();
  await visit.isAccessible();

  await visit.click("Delete: I collect porcelain owls");
  await visit.refuse();
  await said.getByText("I collect porcelain owls").waitFor();
  await visit.click("Delete: I collect porcelain owls");
  await visit.agree();
  await notices(visit, "1 memory was deleted.");
  await said.getByText("I collect porcelain owls").waitFor({ state: "detached" });

  await visit.unfold("#forget");
  await visit.field("A topic").fill("my dentist");
  await visit.click("Delete memories about the topic");
  await visit.agree();
  await notices(visit, "1 memory was deleted.");

  await visit.field("First day of the period").fill("2020-01-01");
  await visit.field("Last day of the period").fill("2020-01-02");
  await visit.click("Delete memories from these days");
  await visit.agree();
  await notices(visit, "No memory was deleted.");

  await visit.click("Delete all memories");
  await visit.agree();
  await visit.view.getByText("Nothing yet. Tell SAGE what to remember.").waitFor();
  await visit.end();
});

test("remembering is switched off and on, and its time is limited", async () => {
  const visit = await Visit.begin(browser, "alex");
  await visit.open("memory");
  const isOn = visit.view.getByRole("switch", { name: "Remember what I say" });
  await isOn.press("Space");
  await visit.view.getByText("SAGE stores no new memories.").waitFor();
  assert.equal(await visit.button("Remember").count(), 0);
  await isOn.press("Space");
  await visit.view.getByText("Only you can see your memories.").waitFor();

  await visit.unfold("#retention");
  await visit.field("Days to keep memories").fill("30");
  await visit.view.locator("#retention").getByRole("button", { name: "Save" }).click();
  await notices(visit, "The settings are saved.");
  await visit.click("Keep memories as long as the household does");
  await visit.button("Keep memories as long as the household does").waitFor({ state: "detached" });
  assert.equal(await visit.field("Days to keep memories").inputValue(), "0");
  await visit.click("Update profile now");
  await notices(visit, "SAGE found nothing for a profile in your memories yet.");
  await visit.view
    .getByText("There is no profile yet. SAGE writes it at night, from your memories.")
    .waitFor();
  await visit.end();
});

test("an export is a file", async () => {
  await say("alex", "my dentist is Doctor Vogelsang");
  const visit = await Visit.begin(browser, "alex");
  await visit.open("memory");
  const [download] = await Promise.all([
    visit.page.waitForEvent("download"),
    visit.click("Export memories"),
  ]);
  const file = await download.path();
  assert.match(readFileSync(file, "utf8"), /Doctor Vogelsang/);

  await visit.end();
});

test("it is in German, dark and as narrow as a phone", async () => {
  const visit = await Visit.begin(browser, "alex", { language: "de", dark: true, width: 390 });
  await visit.open("memory");
  await visit.view.getByRole("heading", { name: "Profil", exact: true }).waitFor();
  await visit.fits();
  await visit.isAccessible();
  await visit.end();
});
