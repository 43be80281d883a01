"""A command that was held against the documentation, and how it may end without evidence."""

import asyncio
import logging
from dataclasses import dataclass, replace
from typing import Any, Final

from homeassistant.core import HomeAssistant
from homeassistant.exceptions import Unauthorized
from homeassistant.helpers import entity_registry as er

from ...people.person import Person
from ..home_types import Command, Outcome, OutcomeKind
from ..safety.fields import without_hidden
from ..safety.gate import Gate
from .step import Step

_LOGGER = logging.getLogger(__name__)

REFUSED_NOT_PERMITTED: Final = "outcome_refused_not_permitted"
REFUSED_REFERENCE: Final = "outcome_refused_reference"
REFUSED_DECLINED: Final = "outcome_refused_declined"
REFUSED_CANNOT_ASK: Final = "outcome_refused_cannot_ask"
REFUSED_NEVER: Final = "outcome_refused_never"
NEVER_DETAIL: Final = "The household wants this never done. Do not try another way."
REFUSED_CHANGED: Final = "outcome_refused_changed"
FAILED_UNAVAILABLE: Final = "outcome_failed_unavailable"
FAILED_GONE: Final = "outcome_failed_gone"
FAILED_ERROR: Final = "outcome_failed_error"


@dataclass(frozen=True, slots=True, kw_only=True)
class PreparedCommand(Step):
    """A command that was held against the documentation, aimed at one exact entity."""

    command: Command
    registry_id: str | None = None
    """Of the entity; None for one that is in no registry."""

    @property
    def name(self) -> str:
        """The name of the command."""
        return self.command.name

    @property
    def batch(self) -> tuple[str, str]:
        """The same command of the same capability runs on several entities together."""
        return self.capability, self.name

    @property
    def joint(self) -> str | None:
        """The call of a service of the entity's own domain, which takes several entities."""
        if self.component_id.partition(".")[0] != self.domain:
            return None
        return f"{self.domain}.{self.service} {sorted(self.arguments.items())}"

    @property
    def target(self) -> str:
        """The entity."""
        return self.component_id

    @property
    def domain(self) -> str:
        """The domain of the service."""
        domain, _, service = self.command.name.rpartition(".")
        return domain if service and domain else self.capability

    @property
    def service(self) -> str:
        """The name of the service."""
        return self.command.name.rpartition(".")[2]


def registry_id_of(hass: HomeAssistant, entity_id: str) -> str | None:
    """Return the registry id of an entity; None when it is in no registry."""
    entry = er.async_get(hass).async_get(entity_id)
    return entry.id if entry is not None else None


def result_of(command: PreparedCommand, call: asyncio.Task[Any]) -> Outcome | Any:
    """Return the answer of a call that has ended, or the outcome of its failure."""
    if call.cancelled():
        return command.outcome(OutcomeKind.FAILED, "It was cancelled.", reason=FAILED_GONE)
    err = call.exception()
    return call.result() if err is None else failed_with(command, err)


def failed_with(command: PreparedCommand, err: BaseException) -> Outcome:
    """Return the outcome of a command that Home Assistant has answered with an error."""
    if isinstance(err, Unauthorized):
        return command.outcome(
            OutcomeKind.REFUSED,
            "Home Assistant refused it: this person lacks the permission.",
            reason=REFUSED_NOT_PERMITTED,
        )
    _LOGGER.debug("%s failed", command.name, exc_info=err)
    text = str(err) or type(err).__name__
    return command.outcome(
        OutcomeKind.FAILED,
        f"Home Assistant says: {text}",
        reason=FAILED_ERROR,
        reason_placeholders={"error": text.rstrip(".")},
    )


def with_visible_error(
    hass: HomeAssistant, gate: Gate, person: Person, outcome: Outcome
) -> Outcome:
    """Return the outcome without the words of an error that names what the person may not see.

    A script or a group may fail because of a member that is hidden.
    """
    if outcome.reason != FAILED_ERROR or without_hidden(hass, gate, person, outcome.detail):
        return outcome
    return replace(
        outcome, detail="Home Assistant reports an error.", reason=None, reason_placeholders={}
    )
