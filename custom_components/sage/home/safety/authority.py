"""Interface for asking a person to confirm the device commands that their request caused."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

from homeassistant.core import Context

from ...people import Person
from ..home_types import RiskClass


@dataclass(frozen=True, slots=True, kw_only=True)
class RiskyAction:
    """An action that needs confirmation."""

    risk: RiskClass
    device_name: str
    """Name of the device in the confirmation question; no other device has this name."""

    command: str
    arguments: Mapping[str, object] = field(default_factory=dict)
    is_indirect: bool = False
    """Whether the risk comes from entities that a script, scene or group affects."""

    reaches: tuple[str, ...] = ()
    """Names of further visible entities with this risk, such as members of a group."""

    is_tainted: bool = False
    """Whether untrusted text, such as a mail, may have caused a risky action."""

    is_rest: bool = False
    """Whether the other commands of the request need no confirmation and have been sent."""

    thing: str = ""
    """Stable key of the entity or device, such as its registry id; empty if unknown.

    A confirmation stays valid if the entity is renamed, because it is for this key.
    """


class Confirmation(StrEnum):
    """The result of a request for confirmation."""

    GIVEN = "given"
    DECLINED = "declined"  # the person refused, gave another reply or did not reply in time
    IMPOSSIBLE = "impossible"  # nobody can be asked, no PIN is set, or PIN attempts are locked


type AskedFor = Callable[[], Awaitable[bool]]
"""Function that returns False if untrusted text, not the person, may have caused an action."""


class Authority(Protocol):
    """Interface to a request: its person, language and room, and asking for confirmation."""

    person: Person  # the person who made the request
    context: Context  # the Home Assistant context that is passed to every action
    language: str  # of the request
    room: str | None  # name of the area where the request was made; None if unknown
    conversation_id: str  # of the conversation in which the person can undo the changes

    async def async_classify(self, entity_ids: AbstractSet[str]) -> None:
        """Let the model classify the risk of these entities, as far as it can do so now."""

    async def async_confirm(self, actions: Sequence[RiskyAction]) -> Confirmation:
        """Ask the person to confirm these actions, and return the result.

        Implementations decide in code, not by the language model, whether the reply is a yes.
        Raises HomeAssistantError if the person could not see all of the question.
        """


async def async_confirmed(
    authority: Authority, actions: Callable[[], Sequence[RiskyAction]]
) -> Confirmation:
    """Ask about the actions that `actions` returns, again if they differ after a yes."""
    while True:
        asked = actions()
        answer = await authority.async_confirm(asked)
        if answer is not Confirmation.GIVEN or actions() == asked:
            return answer
