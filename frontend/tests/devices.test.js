/** The view Devices: what SAGE may use, photos and risk levels. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Visit, bring, launch } from "./browser.js";

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

const device = (visit, name) => visit.view.locator("li.device", { hasText: name }).first();

/** Opens the sheet of a device, and what can be read and sent. */
async function opened(visit, name) {
  const sheet = await visit.details(name);
  await sheet.locator(".component").first().waitFor();
  await visit.unfold(sheet.locator(".component ha-expansion-panel").first());
  return sheet;
}

test("a device is found and opens to its values and commands", async () => {
  const visit = await Visit.begin(browser, "alex");
  await visit.open("devices");
  await device(visit, "Kitchen Light").waitFor();
  await visit.field("Search by name, area or type").fill("kitchen light");
  await device(visit, "Front Door").waitFor({ state: "detached" });

  const light = await opened(visit, "Kitchen Light");
  const text = await light.innerText();
  assert.match(text, /turn_on/);
  assert.match(text, /light\.kitchen_light/);
  assert.match(text, /state/);
  assert.equal(await light.locator("ha-select, ha-input").count(), 0);
  await visit.isAccessible();
  await visit.back();
  await visit.view.getByText("If a device is missing, ask an administrator.").waitFor();
  await visit.isAccessible();
  await visit.field("Search by name, area or type").fill("zzz");
  await visit.view.getByText("No device matches your search.").waitFor();
  await visit.end();
});

test("a device shows its state as it changes, and administrators see its risk", async (t) => {
  const light = "light.kitchen_light";
  t.after(() => bring(light, "turn_off", "off"));
  await bring(light, "turn_off", "off");
  const visit = await Visit.begin(browser, "owner");
  await visit.open("devices");
  await device(visit, "Kitchen Light").locator(".meta", { hasText: "Off" }).waitFor();
  await bring(light, "turn_on", "on");
  await device(visit, "Kitchen Light").locator(".meta", { hasText: "On" }).waitFor();
  await device(visit, "Front Door").locator(".badge", { hasText: "Ask before use" }).waitFor();
  assert.equal(await device(visit, "Kitchen Light").locator(".badge").count(), 0);
  await visit.end();

  const member = await Visit.begin(browser, "alex");
  await member.open("devices");
  await device(member, "Front Door").waitFor();
  assert.equal(await member.view.locator(".badge").count(), 0);
  assert.equal(await member.button("Confirmation for several").count(), 0);
  await member.end();
});

test("the level of several devices is chosen at once", async () => {
  const visit = await Visit.begin(browser, "owner");
  await visit.open("devices");
  await visit.click("Confirmation for several");
  for (const name of ["Garage Door", "Front Door"]) {
    await device(visit, name).getByRole("checkbox").check();
  }
  const bar = visit.view.getByRole("region", { name: "Confirmation for several" });
  await bar.getByText("Chosen: 2").waitFor();
  await visit.isAccessible();
  await visit.choose(bar.locator("ha-select"), "Never use");
  await bar.getByRole("button", { name: "Save" }).click();
  await visit.notice().filter({ hasText: "applies now" }).waitFor();
  await device(visit, "Garage Door").locator(".badge", { hasText: "Never use" }).waitFor();
  await device(visit, "Front Door").locator(".badge", { hasText: "Never use" }).waitFor();

  await visit.click("Confirmation for several");
  for (const name of ["Garage Door", "Front Door"]) {
    await device(visit, name).getByRole("checkbox").press("Space");
  }
  await visit.choose(bar.locator("ha-select"), "Automatic");
  await bar.getByRole("button", { name: "Save" }).click();
  await device(visit, "Front Door").locator(".badge", { hasText: "Ask before use" }).waitFor();
  await visit.end();
});

test("an area is chosen at once, and given back", async () => {
  const visit = await Visit.begin(browser, "owner");
  await visit.open("devices");
  const area = visit.view.locator("section", { hasText: "Garage Door" }).first();
  const name = await area.getByRole("heading").innerText();
  const all = area.getByRole("button", { name: `Choose all: ${name}` });
  assert.equal(await all.count(), 0);
  await visit.click("Confirmation for several");
  await all.click();
  const boxes = area.locator("input[type=checkbox]:enabled");
  const bar = visit.view.getByRole("region", { name: "Confirmation for several" });
  await bar.getByText(`Chosen: ${await boxes.count()}`).waitFor();
  for (const box of await boxes.all()) {
    assert.ok(await box.isChecked());
  }
  assert.equal(
    await visit.view.getByRole("checkbox", { checked: true }).count(),
    await boxes.count(),
  );
  await all.click();
  await bar.getByText("Chosen: 0").waitFor();
  await all.click();
  await visit.isAccessible();
  await visit.choose(bar.locator("ha-select"), "Never use");
  await bar.getByRole("button", { name: "Save" }).click();
  await device(visit, "Garage Door").locator(".badge", { hasText: "Never use" }).waitFor();

  await visit.click("Confirmation for several");
  await all.click();
  await visit.choose(bar.locator("ha-select"), "Automatic");
  await bar.getByRole("button", { name: "Save" }).click();
  await device(visit, "Garage Door").locator(".badge", { hasText: "Ask before use" }).waitFor();
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
  const level = door.locator("ha-select").first();
  await door
    .locator(".component")
    .last()
    .evaluate((last) => last.scrollIntoView({ block: "end" }));
  assert.match(
    await door.innerText(),
    /SAGE chose this setting because of the type of the entity\. Risk: unlocking a lock\./,
  );
  await visit.choose(level, "Never use");
  await visit.notice().filter({ hasText: "applies now" }).waitFor();
  await visit.isInSight(visit.notice());
  await door.getByText("Your household chose this setting.").first().waitFor();
  await visit.choose(level, "Use without asking");
  await door
    .getByText(
      "Your household chose this setting. Unknown voices need no PIN for it. Risk: unlocking a lock.",
    )
    .first()
    .waitFor();
  await visit.choose(level, "Automatic (Ask before use)");
  await door
    .getByText("SAGE chose this setting because of the type of the entity.")
    .first()
    .waitFor();

  await visit.back();
  await visit.button("Choose devices").click();
  await visit.page.waitForURL("**/config/voice-assistants/expose*");
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
  await light
    .getByText(/SAGE uses photos to find the device.*The photo stays on this system/s)
    .waitFor();
  const camera = light.locator("input[capture]");
  assert.equal(await camera.getAttribute("capture"), "environment");
  for (const [button, count] of [
    ["Take a photo", 1],
    ["Upload a photo", 2],
  ]) {
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
  await visit.field("Caption", light).fill("by the window");
  await light.locator("figure").getByRole("button", { name: "Save" }).click();
  await visit.notice().filter({ hasText: "The caption is saved." }).waitFor();
  await light.locator("img[alt='by the window']").waitFor();
  await visit.isAccessible();

  await light.getByRole("button", { name: "Write the caption for me" }).click();
  const dialog = visit.question();
  assert.match(
    await dialog.innerText(),
    /SAGE sends this photo once to the language model test-model\./,
  );
  await dialog.getByRole("button", { name: "Write the caption for me" }).click();
  await visit.notice().filter({ hasText: "The model wrote" }).waitFor();
  await light.locator("figure").getByRole("button", { name: "Delete" }).click();
  await visit.agree();
  await light.locator("img").waitFor({ state: "detached" });
  await visit.end();
});

test("it is in German, dark and as narrow as a phone", async () => {
  const visit = await Visit.begin(browser, "owner", { language: "de", dark: true, width: 390 });
  await visit.open("devices");
  await device(visit, "Kitchen Light").locator(".supporting", { hasText: "Leuchte" }).waitFor();
  await visit.view.getByText(/binary_sensor|media_player/).waitFor({ state: "detached" });
  await visit.fits();
  const light = await opened(visit, "Kitchen Light");
  await light.getByText("Aktueller Wert").first().waitFor();
  await visit.back();
  const garage = await opened(visit, "Garage Door");
  await garage.getByText("Öffnet eine Abdeckung.").waitFor();
  await garage
    .getByRole("cell", { name: /^(Geöffnet|Geschlossen)$/ })
    .first()
    .waitFor();
  await garage.getByRole("cell", { name: /Wird geschlossen/ }).waitFor();
  assert.doesNotMatch(await garage.innerText(), /Opens a cover|\bclosed\b/);
  await visit.fits();
  await visit.isAccessible();
  await visit.end();
});
