"""One case of the corpus: commands that are executed together."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from custom_components.sage.home.home_types import CommandRequest
from custom_components.sage.home.safety.authority import Confirmation

type Happens = Callable[[Any], object]
"""An event in the home of a case."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """Commands that are executed together, and events around them."""

    name: str
    requests: tuple[CommandRequest, ...]
    before: Happens | None = None
    """Event before the commands."""

    meanwhile: Happens | None = None
    """Event while the person is asked for confirmation."""

    since: Happens | None = None
    """Event between the commands and their undo."""

    answer: Confirmation = Confirmation.GIVEN
    undo_answer: Confirmation = Confirmation.GIVEN
    is_guest: bool = False
    """Whether the person has limited permissions."""

    times: int = 1
    """How often the commands are executed in one run."""

    unless_changed: bool = False
    """Whether undo skips later manual changes, as routines do."""


def ask(
    device: str,
    command: str,
    arguments: Mapping[str, object] | None = None,
    *,
    component: str | None = None,
    capability: str | None = None,
) -> CommandRequest:
    """Return a request in the form that a model makes it."""
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
    """Return a case of one request, named after its device and command."""
    given = ", ".join(f"{name}={value}" for name, value in (arguments or {}).items())
    return case(f"{device}: {command}({given})", ask(device, command, arguments), **more)
