"""Which sandbox this machine can have: Monty, else the fallback."""

import importlib
import logging
from collections.abc import Callable, Sequence
from typing import Final

from homeassistant.core import HomeAssistant
from homeassistant.requirements import RequirementsNotFound, async_process_requirements

from ...const import DOMAIN
from .model import LentFunction, Sandbox, SandboxError
from .monty import MontyEngine
from .requirements import MONTY, RESTRICTED
from .restricted import RestrictedEngine
from .threaded import Engine, ThreadedSandbox

_LOGGER = logging.getLogger(__name__)

type EngineMaker = Callable[[Sequence[LentFunction], Callable[[], str]], Engine]

_ENGINES: Final[tuple[tuple[str, tuple[str, ...], str, EngineMaker], ...]] = (
    ("monty", MONTY, "pydantic_monty", MontyEngine),
    ("restricted", RESTRICTED, "RestrictedPython", RestrictedEngine),
)
"""Name, requirements, the package they bring, the engine; the best first."""


async def async_make_sandbox(hass: HomeAssistant, functions: Sequence[LentFunction]) -> Sandbox:
    """Return a sandbox that was seen to run a check. Raises SandboxError.

    What it needs is installed now, with the first routine: a failure costs routines only.
    """
    troubles = []
    for name, requirements, package, make in _ENGINES:
        sandbox = ThreadedSandbox(name, make(functions, lambda: hass.config.time_zone))
        try:
            await _async_install(hass, requirements, package)
            await sandbox.async_start()
        except SandboxError as error:
            _LOGGER.warning("The sandbox %s cannot be had: %s", name, error)
            troubles.append(f"{name}: {error}")
        else:
            return sandbox
    raise SandboxError(
        "Conditions cannot be watched on this machine, since no sandbox for their code can be "
        f"had. {' '.join(troubles)} See that Home Assistant can install packages "
        "(internet access, free disk space), then reload SAGE."
    )


async def _async_install(hass: HomeAssistant, requirements: Sequence[str], package: str) -> None:
    try:
        await async_process_requirements(hass, DOMAIN, list(requirements))
        await hass.async_add_import_executor_job(importlib.import_module, package)
    except RequirementsNotFound as error:
        raise SandboxError(f"It could not be installed ({error}).") from error
    except ImportError as error:
        raise SandboxError(f"It cannot be loaded ({error}).") from error
