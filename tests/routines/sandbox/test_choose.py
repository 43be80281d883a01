"""Which sandbox a machine gets."""

from homeassistant.core import HomeAssistant

from custom_components.sage.routines.sandbox.choose import async_make_sandbox
from custom_components.sage.routines.sandbox.model import Check


async def test_a_machine_with_monty_gets_monty(hass: HomeAssistant) -> None:
    sandbox = await async_make_sandbox(hass, ())
    try:
        check = Check(id="a", source="def check():\n    return 1 < 2\n", function="check")
        outcomes = await sandbox.async_run([check])
    finally:
        await sandbox.async_close()

    assert sandbox.name == "monty"
    assert outcomes["a"].value is True
