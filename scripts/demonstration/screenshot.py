"""Photograph Assist at work: log in to the demo, type a command, wait for the answer.

Needs `playwright` and Chromium, which `scripts/screenshot` brings; nothing else here does.
"""

import argparse
import asyncio
import importlib
from pathlib import Path
from typing import Any

from .accounts import Account
from .options import Options, parse
from .session import staged

CHROMIUM = "/usr/bin/chromium"
SWITCHES = (
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
)
SIZE = {"width": 1200, "height": 760}
PATIENCE = 30_000  # milliseconds until the bubble of an answer is there, empty at first

ALL_TEXT = """
node => {
  const all = one => one.nodeType === Node.TEXT_NODE ? one.textContent : one.localName === "style" ?
    "" : [one.shadowRoot, ...one.childNodes].map(child => child ? all(child) : "").join("");
  return all(node);
}
"""
"""JavaScript: the text of an element, inside of shadow roots too."""


async def main() -> None:
    """Write the picture."""
    parser = argparse.ArgumentParser(prog="scripts/screenshot", description=main.__doc__)
    parser.add_argument("--say", action="append", metavar="TEXT")
    parser.add_argument("--output", type=Path, default=Path("docs/assist.png"))
    given, rest = parser.parse_known_args()
    commands = given.say or ["turn on the kitchen light", "which lights are on?"]
    await _take(parse(rest), commands, given.output.absolute())


async def _take(options: Options, commands: list[str], output: Path) -> None:
    playwright = importlib.import_module("playwright.async_api")
    async with staged(options) as stage, playwright.async_playwright() as driver:
        browser = await driver.chromium.launch(executable_path=CHROMIUM, args=list(SWITCHES))
        context = await browser.new_context(
            viewport=SIZE, device_scale_factor=2, locale="en-GB", color_scheme="light"
        )
        page = await context.new_page()
        await _log_in(page, stage.home.url, stage.home.account(options.person))
        await _converse(page, commands)
        await page.screenshot(path=output)
        await browser.close()
    print(f"Wrote {output}")


async def _log_in(page: Any, url: str, account: Account) -> None:
    await page.goto(url)
    await page.locator("input[name=username]").fill(account.username)
    await page.locator("input[name=password]").fill(account.password)
    await page.keyboard.press("Enter")
    await page.wait_for_selector("home-assistant-main")


async def _converse(page: Any, commands: list[str]) -> None:
    await page.locator("hui-root, hui-view, ha-panel-home").first.wait_for()
    await page.keyboard.press("a")  # opens Assist
    chat = page.locator("ha-assist-chat")
    box = chat.locator("input")
    await box.wait_for()
    for command in commands:
        answer = chat.locator(".message.hass").nth(await chat.locator(".message.hass").count())
        await box.fill(command)
        await box.press("Enter")
        await answer.wait_for(timeout=PATIENCE)
        await _settle(answer)


async def _settle(answer: Any) -> None:
    """Wait until the answer is there and does not grow any more."""
    seen, same = "", 0
    while same < 6:
        await asyncio.sleep(0.5)
        text = (await answer.evaluate(ALL_TEXT)).strip()
        same = same + 1 if text and text == seen and not text.endswith(("…", "...")) else 0
        seen = text


if __name__ == "__main__":
    asyncio.run(main())
