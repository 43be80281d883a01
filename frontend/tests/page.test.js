/** What holds for all views: keyboard, motion, direction, missing parts of Home Assistant, size. */

import assert from "node:assert/strict";
import { readdirSync, statSync } from "node:fs";
import { after, before, test } from "node:test";
import { URL, Visit, launch, say, until } from "./browser.js";

const VIEWS = ["activity", "routines", "memory", "devices", "accounts", "models"];
const SHIPPED = "../custom_components/sage/panel";
const MOST_BYTES = 250_000;

let browser;

before(async () => {
  browser = await launch();
  await say("owner", "turn on the kitchen light");
  await say("owner", "water the plants every day at nine");
});

after(() => browser.close());

/** Returns the path of the element with the focus, through all shadow roots. */
function focused(visit) {
  return visit.page.evaluate(() => {
    const path = [];
    let element = document.activeElement;
    while (element) {
      path.push(`${element.localName}.${element.className}`);
      element = element.shadowRoot?.activeElement;
    }
    return path.join(" ");
  });
}

/** Presses Tab until an element of the view with these words in its path has the focus. */
async function tabTo(visit, words) {
  const passed = [];
  for (let step = 0; step < 60; step += 1) {
    await visit.page.keyboard.press("Tab");
    const path = await focused(visit);
    if (path.includes("sage-panel") && words.test(path)) {
      return;
    }
    passed.push(path);
  }
  assert.fail(`Tab does not lead to ${words}: ${passed.join("\n")}`);
}

test("the keyboard leads to everything: tabs, lines, their sheets and back", async () => {
  const visit = await Visit.begin(browser, "owner");
  await visit.open("activity");
  for (const view of ["activity", "routines", "devices"]) {
    await visit.open(view);
    const line = visit.view.locator("li > button.item").first();
    await line.waitFor();
    await tabTo(visit, /button\.item$/);
    await visit.page.keyboard.press("Enter");
    await visit.sheet.waitFor();
    await tabTo(visit, /dialog\.sheet|ha-icon-button|ha-button|ha-expansion-panel/);
    await visit.back();
    await until(async () => /button\.item$/.test(await focused(visit)));
  }
  await visit.open("memory");
  await tabTo(visit, /ha-input\.field/);
  await tabTo(visit, /ha-icon-button/);
  await tabTo(visit, /ha-switch/);
  await tabTo(visit, /ha-expansion-panel/);
  await visit.open("models");
  await tabTo(visit, /ha-button/);
  await tabTo(visit, /ha-expansion-panel/);
  await visit.page.keyboard.press("Enter");
  await visit.view.locator("ha-expansion-panel[expanded]").first().waitFor();
  await visit.open("accounts");
  await tabTo(visit, /ha-expansion-panel/);
  await visit.page.keyboard.press("Enter");
  await visit.view.locator("form").waitFor();
  await tabTo(visit, /ha-select/);
  await tabTo(visit, /ha-input\.field/);
  await tabTo(visit, /ha-button/);
  await visit.end();
});

test("nothing of the page moves for a person who wants no motion", async () => {
  for (const [reducedMotion, name] of [
    ["reduce", "none"],
    ["no-preference", "slide"],
  ]) {
    const visit = await Visit.begin(browser, "owner", { reducedMotion });
    await visit.open("activity");
    const sheet = await visit.details("kitchen light");
    assert.equal(await sheet.evaluate((each) => getComputedStyle(each).animationName), name);
    await visit.end();
  }
});

test("from right to left, all views fit on a phone, and sheets come from the left", async () => {
  const visit = await Visit.begin(browser, "owner", { language: "he", width: 390 });
  for (const view of VIEWS) {
    await visit.open(view);
    assert.equal(await visit.view.evaluate((each) => getComputedStyle(each).direction), "rtl");
    await visit.fits();
    await visit.isAccessible();
  }
  await visit.end();

  const wide = await Visit.begin(browser, "owner", { language: "he" });
  await wide.open("activity");
  const sheet = await wide.details("kitchen light");
  await until(async () => (await sheet.boundingBox()).x === 0);
  await wide.end();
});

test("each view works with plain elements if a release renames Home Assistant's own", async () => {
  const visit = await Visit.begin(browser, "owner");
  const { page } = visit;
  await page.goto(`${URL}/profile/general`);
  await page.locator('a[href="/sage"]').first().waitFor();
  await page.evaluate(() => {
    const get = customElements.get.bind(customElements);
    customElements.get = (name) => (name.startsWith("ha-") ? undefined : get(name));
  });
  for (const view of VIEWS) {
    await page.evaluate((path) => {
      history.pushState(null, "", path);
      window.dispatchEvent(new CustomEvent("location-changed", { detail: { replace: false } }));
    }, `/sage/${view}`);
    visit.view = page.locator(`sage-${view}`);
    await visit.view.locator("h2, h3, .empty, .list").first().waitFor();
    assert.equal(await visit.view.locator("ha-button, ha-input, ha-switch").count(), 0);
    await visit.isAccessible();
  }
  visit.view = page.locator("sage-models");
  await visit.view.locator("summary", { hasText: "Prices in" }).click();
  await visit.view.getByLabel("Output").first().fill("3");
  await visit.view.getByRole("button", { name: "Save" }).first().click();
  await visit.view.locator(".message", { hasText: "The prices are saved." }).waitFor();
  await visit.end();
});

test("page and card are small", () => {
  const files = readdirSync(SHIPPED).filter((name) => name.endsWith(".js"));
  assert.equal(files.length, 2);
  const bytes = files.reduce((sum, name) => sum + statSync(`${SHIPPED}/${name}`).size, 0);
  assert.ok(bytes <= MOST_BYTES, `${bytes} bytes`);
});
