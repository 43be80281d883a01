"""Which sandbox this machine can have: Monty, else the fallback."""

from collections.abc import Sequence

from homeassistant.core import HomeAssistant
from homeassistant.requirements import RequirementsNotFound, async_process_requirements

from ...const import DOMAIN
from .model import LentFunction, Sandbox, SandboxError
from .monty import MontySandbox
from .requirements import MONTY


async def async_make_sandbox(hass: HomeAssistant, functions: Sequence[LentFunction]) -> Sandbox:
    """Return a sandbox that works, seen to have run a check. Raises SandboxError.

    What it needs is installed now, with the first routine: a failure costs routines only.
    """
    return await _async_monty(hass, functions)


async def _async_monty(hass: HomeAssistant, functions: Sequence[LentFunction]) -> Sandbox:
    try:
        await async_process_requirements(hass, DOMAIN, list(MONTY))
        await hass.async_add_import_executor_job(_import_monty)
    except RequirementsNotFound as error:
        raise SandboxError(f"Monty could not be installed: {error}") from error
    except ImportError as error:
        raise SandboxError(f"Monty cannot be loaded: {error}") from error
    sandbox = MontySandbox(functions, lambda: hass.config.time_zone)
    await sandbox.async_start()
    return sandbox


def _import_monty() -> None:
    import pydantic_monty  # noqa: F401, PLC0415
