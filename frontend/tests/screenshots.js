/** Takes the pictures of the page for the documentation: node tests/screenshots.js <folder>. */

import { Visit, launch, say } from "./browser.js";

const folder = process.argv[2];
const browser = await launch();
await say("alex", "turn on the kitchen light");
await say("alex", "I collect porcelain owls");
const asked = await say("alex", "unlock the front door");
await say("alex", "no", asked.conversation);

const visit = await Visit.begin(browser, "alex", { scale: 2 });
await visit.open("activity");
const card = visit.view.locator("#commands > li", { hasText: "unlock the front door" });
await card.locator("summary").first().click();
await card.getByText("Steps", { exact: true }).waitFor();
await visit.page.screenshot({ path: `${folder}/activity.png` });
await visit.open("memory");
await visit.page.screenshot({ path: `${folder}/memory.png` });
await browser.close();
