"""Which sandbox a machine gets."""

import sys
from unittest.mock import patch

import pytest
from homeassistant.core import HomeAssistant
from homeassistant.requirements import RequirementsNotFound

from custom_components.sage.routines.sandbox import choose
from custom_components.sage.routines.sandbox.choose import async_make_sandbox
from custom_components.sage.routines.sandbox.model import SandboxError
from custom_components.sage.routines.sandbox.requirements import MONTY, RESTRICTED

from .workshop import FUNCTIONS, check

GOOD = "def check():\n    return get_state('light.hall') == 'on' and datetime.now().hour == 3\n"
PACKAGES = {"monty": "pydantic_monty", "restricted": "RestrictedPython"}


async def first_choice(hass: HomeAssistant) -> tuple[str, bool | None]:
    await hass.config.async_set_time_zone("America/Los_Angeles")
    sandbox = await async_make_sandbox(hass, FUNCTIONS)
    try:
        return sandbox.name, (await sandbox.async_run([check(GOOD)]))["check"].value
    finally:
        await sandbox.async_close()


async def test_a_machine_with_monty_gets_monty(hass: HomeAssistant):
    assert await first_choice(hass) == ("monty", True)


async def test_what_is_needed_is_installed_at_first_use(hass: HomeAssistant):
    with patch.object(choose, "async_process_requirements") as process:
        await first_choice(hass)

    process.assert_awaited_once_with(hass, "sage", list(MONTY))


async def test_a_machine_that_cannot_install_monty_gets_the_fallback(hass: HomeAssistant):
    async def process(hass: HomeAssistant, name: str, requirements: list[str]) -> None:
        if requirements != list(RESTRICTED):
            raise RequirementsNotFound(name, requirements)

    with patch.object(choose, "async_process_requirements", process):
        assert await first_choice(hass) == ("restricted", True)


async def test_a_machine_that_cannot_load_monty_gets_the_fallback(hass: HomeAssistant):
    with patch.dict(sys.modules, {"pydantic_monty": None}):
        assert await first_choice(hass) == ("restricted", True)


async def test_a_machine_whose_worker_does_not_start_gets_the_fallback(hass: HomeAssistant):
    with patch(
        "custom_components.sage.routines.sandbox.monty.find_binary",
        side_effect=SandboxError("It is not there."),
    ):
        assert await first_choice(hass) == ("restricted", True)


async def test_a_machine_without_any_is_told_why_and_what_would_help(
    hass: HomeAssistant, caplog: pytest.LogCaptureFixture
):
    with (
        patch.dict(sys.modules, dict.fromkeys(PACKAGES.values())),
        pytest.raises(SandboxError) as caught,
    ):
        await async_make_sandbox(hass, FUNCTIONS)

    assert "monty: It cannot be loaded" in str(caught.value)
    assert "restricted: It cannot be loaded" in str(caught.value)
    assert "internet access" in str(caught.value)
    assert "The sandbox monty cannot be had" in caplog.text
