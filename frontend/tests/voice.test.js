/** The section Your voice: voice samples by microphone and from satellites, and their deletion. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { URL, Visit, get, launch, post, say, until } from "./browser.js";

const FLOW = "/api/config/config_entries/options/flow";
let browser;

before(async () => {
  browser = await launch("--use-fake-device-for-media-stream");
});

after(async () => {
  await browser.close();
  await compare({ remove: true });
});

/** Returns the config entry of SAGE. */
async function entry() {
  return (await get("owner", "/api/config/config_entries/entry?domain=sage"))[0];
}

/** Sets the server that compares voices, as an administrator does in SAGE's options. */
async function compare(data) {
  const { flow_id } = await post("owner", FLOW, { handler: (await entry()).entry_id });
  await post("owner", `${FLOW}/${flow_id}`, { next_step_id: "speakers" });
  const { type } = await post("owner", `${FLOW}/${flow_id}`, {
    base_url: process.env.SAGE_TEST_VOICES,
    model: "resemblyzer-ge2e-whitened-128",
    speaker_threshold: 0.8,
    ...data,
  });
  assert.equal(type, "create_entry");
  // The change begins a reload; a second one waits for its end, the state alone does not tell.
  await post("owner", `/api/config/config_entries/entry/${(await entry()).entry_id}/reload`, {});
  assert.equal((await entry()).state, "loaded");
}

/** Opens the section of a person. */
async function open(options = {}) {
  const visit = await Visit.begin(browser, "alex", options);
  if (options.canHear) {
    await visit.context.grantPermissions(["microphone"], { origin: URL });
  }
  if (options.script) {
    await visit.context.addInitScript(options.script);
  }
  await visit.open("memory");
  visit.view = visit.view.locator("sage-voice");
  await visit.view.locator("h2").waitFor();
  return visit;
}

async function notices(visit, text) {
  await visit.notice().filter({ hasText: text }).waitFor();
}

/** Records a sentence of some seconds. */
async function record(visit) {
  await visit.click("Record");
  await visit.view.getByText(/SAGE is listening:\s+([4-9]|1\d) s/).waitFor();
  await visit.click("Done");
}

test("without a server that compares voices, there is no section", async () => {
  const visit = await Visit.begin(browser, "alex");
  await visit.open("memory");
  await visit.view.getByRole("heading", { name: "Settings" }).waitFor();
  await until(() => visit.received.some((message) => message.includes('"enabled":false')));
  assert.equal(await visit.view.locator("sage-voice h2").count(), 0);
  await visit.end();
});

test("five sentences are recorded, compared in words and deleted", async () => {
  await compare();
  const visit = await open({ canHear: true });
  const samples = visit.view.locator("#samples > li");
  await visit.view.getByText("SAGE does not know your voice yet.").waitFor();
  await visit.view.getByText("Read aloud: sentence 1 of 5").waitFor();

  await visit.click("Record");
  await visit.click("Cancel");
  await visit.view.getByRole("progressbar").waitFor({ state: "detached" });
  await visit.view.evaluate(async (view) => {
    await view.begin();
    await view.end();
  });
  await notices(
    visit,
    /^\s*(The recording has less than 1\.6 seconds|The browser could not record)/,
  );
  assert.equal(await samples.count(), 0);

  await record(visit);
  await notices(visit, "SAGE stored your first voice sample.");
  await visit.view.getByText("Read aloud: sentence 2 of 5").waitFor();
  // To the encoder of the tests, two recordings are never of one voice.
  await record(visit);
  await notices(
    visit,
    /it does not sound like your earlier ones \(similarity 0\.\d\d, required 0\.80\)/,
  );
  for (const number of [3, 4, 5]) {
    await visit.view.getByText(`Read aloud: sentence ${number} of 5`).waitFor();
    await record(visit);
  }
  await notices(visit, "These were all five sentences.");
  assert.equal(await samples.count(), 5);
  assert.match(
    await visit.view.evaluate((view) => view.result(0.81)),
    /It sounds like your earlier ones \(similarity 0\.81, required 0\.80\)/,
  );
  await visit.isAccessible();

  const remove = samples.first().getByRole("button", { name: /^Delete the voice sample from / });
  await remove.click();
  await visit.refuse();
  await remove.click();
  await visit.agree();
  await notices(visit, "The voice sample was deleted.");
  assert.equal(await samples.count(), 4);
  await visit.click("Delete all voice samples");
  await visit.agree();
  await notices(visit, "All voice samples were deleted.");
  await visit.view.getByText("SAGE does not know your voice yet.").waitFor();
  await visit.end();
});

test("a sentence at a satellite that is too old cannot be claimed", async () => {
  const visit = await open();
  await visit.view.getByText("Nothing in the last ten minutes.").waitFor();
  await visit.view.evaluate((view) => {
    const at = new Date(Date.now() - 120_000).toISOString();
    const sentences = [{ id: "gone", at, satellite: "Kitchen Satellite" }];
    view.overview = { ...view.overview, sentences };
  });
  const sentence = visit.view.locator("#sentences > li", { hasText: "Kitchen Satellite" });
  await sentence.getByText("2 min. ago", { exact: true }).waitFor();
  await sentence
    .getByRole("button", { name: "That was me: Kitchen Satellite, 2 min. ago" })
    .click();
  await notices(visit, "This sentence is too old");
  await visit.view.getByText("Nothing in the last ten minutes.").waitFor();
  await visit.end();
});

test("a refused microphone and a connection that is not secure get a sentence", async () => {
  const refused = await open();
  await refused.click("Record");
  await notices(refused, "The browser may not use the microphone.");
  await refused.button("Record").waitFor();
  await refused.end();

  const insecure = await open({
    script: () => {
      Object.defineProperty(window, "isSecureContext", { value: false });
      Object.defineProperty(navigator, "mediaDevices", { value: undefined });
    },
  });
  await insecure.view.getByText("The browser can record only on a secure connection.").waitFor();
  assert.equal(await insecure.button("Record").count(), 0);
  await insecure.end();
});

test("the details of a spoken command say why SAGE thought that it was me", async () => {
  await say("alex", "turn on the kitchen light");
  const visit = await Visit.begin(browser, "alex");
  await visit.open("activity");
  const sheet = await visit.details("turn on the kitchen light");
  await sheet.getByRole("heading", { name: "Steps" }).waitFor();
  const why = sheet.getByRole("heading", { name: "Why did SAGE think it was me?" });
  assert.equal(await why.count(), 0);
  const show = (voice) =>
    visit.view.evaluate((view, voice) => {
      const one = { scores: [], threshold: 0.8, margin: 0.05, reported: false, missing: "" };
      view.trace = { ...view.trace, voice: { ...one, ...voice } };
    }, voice);
  await show({ scores: [0.912, 0.55], recognized: true });
  await why.waitFor();
  await sheet.getByText("similar stored voice: 0.91. Required: 0.80.").waitFor();
  await sheet.getByText("Similarity to the second: 0.55. Required difference: 0.05.").waitFor();
  await sheet.getByText("SAGE recognized the voice.", { exact: true }).waitFor();
  await show({ missing: "too_short", recognized: false });
  await sheet.getByText("the sentence has less than 1.6 seconds of speech").waitFor();
  await sheet.getByText("SAGE did not recognize the voice.").waitFor();
  await show({ recognized: true, reported: true });
  await sheet.getByText("Another integration reported who was speaking.").waitFor();
  await visit.isAccessible();
  await visit.end();
});

test("it is in German, dark and as narrow as a phone", async () => {
  const visit = await open({ language: "de", dark: true, width: 390, canHear: true });
  await visit.view.getByRole("heading", { name: "Deine Stimme" }).waitFor();
  await visit.click("Aufnehmen");
  await visit.view.getByRole("progressbar").waitFor();
  await visit.fits();
  await visit.isAccessible();
  await visit.end();
});
