/** The view Devices: what SAGE may use, photos and risk levels. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Visit, launch } from "./browser.js";

/** A red picture of 8 x 8 pixels. */
const PICTURE = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAEklEQVR4nGP4z8CAFWEXHbQSACj/P8Fu7N9hAAAAAElFTkSuQmCC",
  "base64",
);

let browser;

before(async () => {
  browser = await launch();
});

after(() => browser.close());

const device = (visit, name) =>
  visit.view.locator("li.card", { has: visit.page.locator("summary strong", { hasText: name }) }).first();

async function opened(visit, name) {
  const found = device(visit, name);
  await found.locator("summary").first().click();
  await found.locator(".component").first().waitFor();
  return found;
}

test("a device is found and opens to its values and commands", async () => {
  const visit = await Visit.begin(browser, "alex");
  await visit.open("devices");
  await device(visit, "Kitchen Light").waitFor();
  await visit.view.getByLabel("Search by name, area or type").fill("kitchen light");
  await device(visit, "Front Door").waitFor({ state: "detached" });

  const light = await opened(visit, "Kitchen Light");
  const text = await light.innerText();
  assert.match(text, /turn_on/);
  assert.match(text, /light\.kitchen_light · Light/);
  assert.match(text, /state/);
  assert.equal(await light.getByRole("combobox").count(), 0);
  assert.equal(await light.getByRole("button").count(), 0);
  await visit.view.getByText("ask an administrator to expose it to Assist").waitFor();
  await visit.isAccessible();
  await visit.view.getByLabel("Search by name, area or type").fill("zzz");
  await visit.view.getByText("No device matches your search.").waitFor();
  await visit.click("Reload");
  await visit.end();
});

test("the first few devices are asked for before the texts are there", async () => {
  const visit = await Visit.begin(browser, "alex");
  const lists = [];
  await visit.page.routeWebSocket("**/api/websocket", (socket) => {
    const server = socket.connectToServer();
    const texts = new Set();
    const held = [];
    socket.onMessage((text) => {
      for (const { id, type, category, data } of [JSON.parse(text)].flat()) {
        if (category === "config_panel") {
          texts.add(id);
        } else if (type === "sage/devices/list") {
          lists.push(data);
        }
      }
      server.send(text);
      if (lists.length) {
        held.splice(0).forEach((answer) => socket.send(answer));
      }
    });
    server.onMessage((text) => {
      const hasTexts = [JSON.parse(text)].flat().some(({ id }) => texts.has(id));
      if (hasTexts && !lists.length) {
        held.push(text);
      } else {
        socket.send(text);
      }
    });
  });
  await visit.open("devices");
  await device(visit, "Kitchen Light").waitFor();
  assert.deepEqual(lists[0], { start: 0, count: 50 });
  await visit.end();
});

test("an administrator chooses a risk level and sees why", async () => {
  const visit = await Visit.begin(browser, "owner");
  await visit.open("devices");
  const door = await opened(visit, "Front Door");
  const level = door.getByRole("combobox").first();
  await door.locator(".component").last().evaluate((last) => last.scrollIntoView({ block: "end" }));
  assert.match(await door.innerText(), /SAGE chose this setting because of the type of the entity\. Risk: unlocking a lock\./);
  await level.selectOption("never");
  await visit.notice().filter({ hasText: "applies now" }).waitFor();
  assert.ok(await visit.page.evaluate(() => window.scrollY) > 0);
  await visit.isInSight(visit.notice());
  await door.getByText("Your household chose this setting.").first().waitFor();
  const free = await level.locator("option[value=free]").textContent();
  assert.equal(free.trim(), "Use without asking; unknown voices need no PIN");
  await level.selectOption("free");
  await door.getByText("Your household chose this setting. Risk: unlocking a lock.").first().waitFor();
  const automatic = await level.locator("option").first().textContent();
  assert.equal(automatic.trim(), "Automatic (Ask before use)");
  await level.selectOption("");
  await door.getByText("SAGE chose this setting because of the type of the entity.").first().waitFor();

  assert.equal(
    await visit.view.getByRole("link", { name: "Choose exposed entities" }).getAttribute("href"),
    "/config/voice-assistants/expose",
  );
  await visit.end();
});

test("the risk of a garage door is not that of a valve", async () => {
  const visit = await Visit.begin(browser, "owner");
  await visit.open("devices");
  const door = await opened(visit, "Garage Door");
  await door.getByText("Risk: somebody could come in.").first().waitFor();
  assert.doesNotMatch(await door.innerText(), /water or gas/);
  await visit.end();
});

test("a photo is added, captioned and deleted", async () => {
  const visit = await Visit.begin(browser, "owner");
  await visit.open("devices");
  const light = await opened(visit, "Kitchen Light");
  await light.getByText(/SAGE uses photos to find the device.*The photo stays on this system/s).waitFor();
  const camera = light.locator("input[capture]");
  assert.equal(await camera.getAttribute("capture"), "environment");
  for (const [button, count] of [["Take a photo", 1], ["Upload a photo", 2]]) {
    const [chooser] = await Promise.all([
      visit.page.waitForEvent("filechooser"),
      light.getByRole("button", { name: button }).click(),
    ]);
    await chooser.setFiles({
      name: `${count}.png`,
      mimeType: "image/png",
      buffer: count === 1 ? PICTURE : Buffer.from("no picture"),
    });
    await visit.notice().first().waitFor();
    if (count === 1) {
      await visit.notice().filter({ hasText: "The photo is added." }).waitFor();
    } else {
      await visit.notice().filter({ hasText: "JPEG" }).waitFor();
    }
  }
  await light.getByLabel("Caption").fill("by the window");
  await light.locator(".photos").getByRole("button", { name: "Save" }).click();
  await visit.notice().filter({ hasText: "The caption is saved." }).waitFor();
  await light.locator("img[alt='by the window']").waitFor();
  await visit.isAccessible();

  await light.getByRole("button", { name: "Write the caption for me" }).click();
  const dialog = visit.question();
  assert.match(await dialog.innerText(), /SAGE sends this photo once to the language model test-model\./);
  await dialog.getByRole("button", { name: "Write the caption for me" }).click();
  await visit.notice().filter({ hasText: "The model wrote" }).waitFor();
  await light.locator(".photos").getByRole("button", { name: "Delete" }).click();
  await visit.agree();
  await light.locator("img").waitFor({ state: "detached" });
  await visit.end();
});

test("it is in German, dark and as narrow as a phone", async () => {
  const visit = await Visit.begin(browser, "owner", { language: "de", dark: true, width: 390 });
  await visit.open("devices");
  const light = await opened(visit, "Kitchen Light");
  await light.getByText("Aktueller Wert").first().waitFor();
  await light.locator("summary", { hasText: "Leuchte" }).first().waitFor();
  await visit.view.getByText(/binary_sensor|media_player/).waitFor({ state: "detached" });
  const garage = await opened(visit, "Garage Door");
  await garage.getByText("Öffnet eine Abdeckung.").waitFor();
  await garage.getByRole("cell", { name: /^(Geöffnet|Geschlossen)$/ }).first().waitFor();
  await garage.getByRole("cell", { name: /Wird geschlossen/ }).waitFor();
  assert.doesNotMatch(await garage.innerText(), /Opens a cover|\bclosed\b/);
  await visit.isAccessible();
  await visit.end();
});
