/** Takes the pictures of README and docs: scripts/test_browser tests/screenshots.js <folder>. */

import { Visit, launch, say } from "./browser.js";

const folder = process.argv[2];
const browser = await launch();

/** Takes the picture of Assist, which answers in the chat. */
async function assist() {
  const visit = await Visit.begin(browser, "owner", { scale: 2, height: 760 });
  const { page } = visit;
  await page.goto(process.env.SAGE_TEST_URL);
  await page.locator("hui-root, hui-view, ha-panel-home").first().waitFor();
  await page.keyboard.press("a");
  const chat = page.locator("ha-assist-chat");
  for (const [command, answer] of [
    ["turn on the kitchen light", "The kitchen light is on."],
    ["is the kitchen light on?", "Yes, the kitchen light is on."],
  ]) {
    await chat.locator("input").fill(command);
    await chat.locator("input").press("Enter");
    await chat.getByText(answer).waitFor();
  }
  await picture(visit, "assist");
  await visit.context.close();
}

/** Takes a picture, after Home Assistant's launch screen has faded. */
async function picture({ page }, name) {
  await page.locator("#ha-launch-screen").waitFor({ state: "detached" });
  await page.screenshot({ path: `${folder}/${name}.png` });
}

/** Takes the pictures of the page. */
async function views() {
  await say("alex", "turn on the kitchen light");
  await say("alex", "I collect porcelain owls");
  const asked = await say("alex", "unlock the front door");
  await say("alex", "no", asked.conversation);
  const visit = await Visit.begin(browser, "alex", { scale: 2 });
  await visit.open("activity");
  const sheet = await visit.details("unlock the front door");
  await sheet.getByText("Technical details", { exact: true }).waitFor();
  await picture(visit, "activity");
  await visit.open("memory");
  await picture(visit, "memory");
  await visit.context.close();
}

await say("owner", "I collect porcelain owls");
await assist();
await views();
await browser.close();
