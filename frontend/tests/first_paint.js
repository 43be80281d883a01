/** Prints the seconds until each view shows its first content, as JSON; see benchmark/first_paint.py. */

import { Visit, launch } from "./browser.js";

const CONTENT = {
  activity: "#commands li",
  memory: "ul[data-group=told] > li",
  routines: "#routines > li",
  devices: "li",
};

/** Waits until a view shows its content; looks in each frame, since a locator waits up to 0.5 s. */
function shown(page, view) {
  return page.waitForFunction(
    ([content, ...path]) => {
      let root = document;
      for (const name of path) {
        const element = root.querySelector(name);
        root = element?.shadowRoot ?? element;
        if (!root) {
          return false;
        }
      }
      return Boolean(root.querySelector(content));
    },
    [
      CONTENT[view],
      "home-assistant",
      "home-assistant-main",
      "ha-panel-custom",
      "sage-panel",
      `sage-${view}`,
    ],
  );
}

const browser = await launch();
const seconds = {};
for (const view of Object.keys(CONTENT)) {
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
  await shown(page, view);
  seconds[view] = (performance.now() - start) / 1000;
  const again = performance.now();
  await page.goto(`${process.env.SAGE_TEST_URL}/sage/${view}`);
  await shown(page, view);
  seconds[`${view}, reloaded`] = (performance.now() - again) / 1000;
  await visit.context.close();
}
await browser.close();
console.log(JSON.stringify(seconds));
