/** The view Accounts: my mail accounts and calendars, which nobody else sees. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Visit, launch, post, until } from "./browser.js";

const MAIL = JSON.parse(process.env.SAGE_TEST_MAIL);
const ADDRESS = "alex@example.com";
const PASSWORD = MAIL.passwords.alex;

let browser;

before(async () => {
  browser = await launch();
});

after(() => browser.close());

/** Fills in the form for a provider that SAGE does not know. */
async function fillIn(visit, password) {
  const servers = visit.view.locator("fieldset");
  if (!(await servers.count())) {
    await visit.choose(visit.view.locator("ha-select[name=provider]"), "Other");
    await visit.field("Mail address").fill(ADDRESS);
    await visit.field("User name").fill("alex");
    for (const [index, server] of ["imap", "smtp"].entries()) {
      const part = servers.nth(index);
      await visit.field("Host", part).fill("127.0.0.1");
      await visit.field("Port", part).fill(String(MAIL[server]));
      await visit.choose(part.locator("ha-select"), "None (trusted network only)");
    }
  }
  await visit.field("Password").fill(password);
  await visit.click("Add");
}

/** Adds a local calendar with this name to Home Assistant, as an administrator does. */
async function addCalendar(name) {
  const path = "/api/config/config_entries/flow";
  const { flow_id } = await post("owner", path, { handler: "local_calendar" });
  await post("owner", `${path}/${flow_id}`, { calendar_name: name, import: "create_empty" });
}

test("a member adds a mail account, which nobody else sees, and removes it", async () => {
  const visit = await Visit.begin(browser, "alex");
  await visit.open("activity");
  await visit.page.getByRole("link", { name: "Accounts" }).click();
  visit.view = visit.page.locator("sage-accounts");
  await visit.view.getByText("No mail account yet.").waitFor();
  await visit.unfold("#add");
  await visit.view.getByRole("link", { name: "How to get an app password" }).waitFor();
  await visit.isAccessible();

  await fillIn(visit, "wrong");
  await visit.notice().filter({ hasText: "does not accept the user name" }).waitFor();
  await visit.isAccessible();
  await fillIn(visit, PASSWORD);
  await visit.notice().filter({ hasText: "SAGE signed in to both servers" }).waitFor();
  const line = visit.view.locator("li", { hasText: ADDRESS });
  await line.getByText(`127.0.0.1:${MAIL.imap} · 127.0.0.1:${MAIL.smtp} · alex`).waitFor();
  assert.equal(await visit.field("Password").inputValue(), "");

  const owner = await Visit.begin(browser, "owner");
  await owner.open("accounts");
  await owner.view.getByText("No mail account yet.").waitFor();
  assert.equal(await owner.view.getByText(ADDRESS).count(), 0);
  await owner.end();

  await visit.page.reload();
  await line.waitFor();
  await visit.click(`Remove: ${ADDRESS}`);
  await visit.agree("Remove");
  await visit.view.getByText("No mail account yet.").waitFor();
  for (const frame of visit.received) {
    assert.ok(!frame.includes(JSON.stringify(PASSWORD).slice(1, -1)));
  }
  await visit.end();
});

test("a member takes a calendar and gives it back", async () => {
  await addCalendar("Rehearsals");
  const visit = await Visit.begin(browser, "alex");
  await visit.open("accounts");
  const line = visit.view.locator("li", { hasText: "Rehearsals" });
  const own = line.getByRole("switch", { name: "My calendar: Rehearsals" });
  await line.getByText("Not used by SAGE").waitFor();
  await own.press("Space");
  await line.getByText("Yours: SAGE shows it to nobody else").waitFor();

  const owner = await Visit.begin(browser, "owner");
  await owner.open("accounts");
  const others = owner.view.locator("li", { hasText: "Rehearsals" });
  assert.equal(await others.count(), 0);

  await own.press("Space");
  await line.getByText("Not used by SAGE").waitFor();
  await visit.end();
  await owner.page.reload();
  await others.waitFor();
  await owner.end();
});

test("it is in German and French, dark and as narrow as a phone", async () => {
  for (const [language, heading, add] of [
    ["de", "Kalender", "Hinzufügen"],
    ["fr", "Calendriers", "Ajouter"],
  ]) {
    const visit = await Visit.begin(browser, "owner", { language, dark: true, width: 390 });
    await visit.open("accounts");
    await visit.view.getByRole("heading", { name: heading, exact: true }).waitFor();
    await visit.unfold("#add");
    await visit.choose(
      visit.view.locator("ha-select[name=provider]"),
      language === "de" ? "Anderer" : "Autre",
    );
    const end = visit.button(add);
    // The form is open to its end.
    await until(async () => {
      const next = visit.view.getByRole("heading", { name: heading, exact: true });
      return (await end.boundingBox())?.y < (await next.boundingBox()).y;
    });
    await visit.fits();
    await visit.isAccessible();
    const bar = visit.page.locator("sage-panel header > .end a");
    await until(async () => (await bar.boundingBox())?.width >= 48);
    assert.equal(await bar.getAttribute("href"), "/sage/accounts");
    await visit.end();
  }
});
