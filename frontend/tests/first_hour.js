/** The first hour: from "Add integration" to the first sentence that SAGE answers in Assist. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { URL, Visit, launch, stateOf, until } from "./browser.js";

const SERVER = process.env.SAGE_TEST_SERVER;
const LIGHT = process.env.SAGE_TEST_LIGHT;

/** In the browser: whether SAGE answers in the preferred assistant, the last thing of set-up. */
async function isUsed() {
  const { hass } = document.querySelector("home-assistant");
  const list = await hass.callWS({ type: "assist_pipeline/pipeline/list" });
  const preferred = list.pipelines.find(({ id }) => id === list.preferred_pipeline);
  return preferred?.conversation_engine === "conversation.sage";
}

test("set-up ends when Assist uses SAGE", { timeout: 240_000 }, async () => {
  const browser = await launch();
  try {
    const visit = await Visit.begin(browser, "owner");
    const { page } = visit;
    const submit = () => page.getByRole("button", { name: /^(Submit|Next)$/ }).click();

    await page.goto(`${URL}/config/integrations/dashboard/add?domain=sage`);
    await page.getByRole("button", { name: /^(OK|Yes)$/ }).click();
    if (SERVER) {
      await page.locator("step-flow-form input").first().fill(SERVER);
      await submit();
      await page.getByText("Choose a model").first().waitFor();
      await submit();
    } else {
      await page.getByText("Ollama AI Task (Ollama)").click();
      await submit();
    }
    await page.getByText("This model is good for SAGE").first().waitFor({ timeout: 120_000 });
    await submit();
    await page.getByText("Use SAGE in Assist?").first().waitFor();
    await submit();
    // The dialog goes on to the area of the new device, which nobody needs.
    await until(() => page.evaluate(isUsed));

    await page.goto(`${URL}/config/areas/dashboard`);
    await page.getByText("Areas").first().waitFor();
    // The shortcut of Assist.
    await page.keyboard.press("a");
    const input = page.locator("ha-assist-chat").locator("input, textarea").first();
    await input.fill("let there be light in the kitchen");
    await input.press("Enter");
    await page.getByText("The kitchen lights are on.").first().waitFor();
    assert.equal(await stateOf(LIGHT), "on");
    await visit.context.close();
  } finally {
    await browser.close();
  }
});
