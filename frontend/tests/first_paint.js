/** Prints the seconds until each view shows its first content, as JSON; see benchmark/first_paint.py. */

import { Visit, launch } from "./browser.js";

const CONTENT = {
  activity: "sage-activity #commands > li",
  memory: "sage-memory ul[data-group=told] > li",
  routines: "sage-routines #routines > li",
  devices: "sage-devices li",
};

const browser = await launch();
const seconds = {};
for (const [view, content] of Object.entries(CONTENT)) {
  const visit = await Visit.begin(browser, "owner");
  const { page } = visit;
  // Signed in, and with the rest of Home Assistant loaded.
  await page.goto(`${process.env.SAGE_TEST_URL}/profile/general`);
  const link = page.locator('a[href="/sage"]').first();
  await link.waitFor();
  await page.waitForLoadState("networkidle");
  const start = performance.now();
  await page.evaluate((path) => {
    history.pushState(null, "", path);
    window.dispatchEvent(new CustomEvent("location-changed", { detail: { replace: false } }));
  }, `/sage/${view}`);
  await page.locator(content).first().waitFor();
  seconds[view] = (performance.now() - start) / 1000;
  const again = performance.now();
  await page.goto(`${process.env.SAGE_TEST_URL}/sage/${view}`);
  await page.locator(content).first().waitFor();
  seconds[`${view}, reloaded`] = (performance.now() - again) / 1000;
  await visit.context.close();
}
await browser.close();
console.log(JSON.stringify(seconds));
