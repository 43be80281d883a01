"""One command of the corpus, or several that are given together."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from custom_components.sage.home.home_types import CommandRequest
from custom_components.sage.home.safety.authority import Confirmation

type Happens = Callable[[Any], object]
"""What happens in the world of a case; called with the world."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """Commands that are given together, and what else happens."""

    name: str
    requests: tuple[CommandRequest, ...]
    before: Happens | None = None
    """Before the commands."""

    meanwhile: Happens | None = None
    """While the person is asked."""

    since: Happens | None = None
    """Between the commands and their undo."""

    answer: Confirmation = Confirmation.GIVEN
    undo_answer: Confirmation = Confirmation.GIVEN
    is_guest: bool = False
    """The commands are those of a person with few permissions."""

    times: int = 1
    """How often they are given in one run."""

    unless_changed: bool = False
    """Undo as a routine does it: what somebody has changed since stays."""


def ask(
    device: str,
    command: str,
    arguments: Mapping[str, object] | None = None,
    *,
    component: str | None = None,
    capability: str | None = None,
) -> CommandRequest:
    """Return a request as a model makes it."""
    return CommandRequest(
        device_id=device,
        command=command,
        component_id=component,
        capability=capability,
        arguments=arguments or {},
    )


def case(name: str, *requests: CommandRequest, **more: Any) -> Case:
    """Return a case of these requests."""
    return Case(name=name, requests=requests, **more)


def alone(
    device: str, command: str, arguments: Mapping[str, object] | None = None, **more: Any
) -> Case:
    """Return a case of one request that needs no other name than its own words."""
    given = ", ".join(f"{name}={value}" for name, value in (arguments or {}).items())
    return case(f"{device}: {command}({given})", ask(device, command, arguments), **more)
