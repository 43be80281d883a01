"""On whose behalf the home is used, and how it asks that person."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

from homeassistant.core import Context

from ...people.person import Person
from ..home_types import RiskClass


@dataclass(frozen=True, slots=True, kw_only=True)
class RiskyAction:
    """One exact action that needs the person's yes."""

    risk: RiskClass
    device_name: str
    """The name in the question; see `asked_names`."""

    command: str
    arguments: Mapping[str, object] = field(default_factory=dict)
    is_indirect: bool = False
    """The risk lies in what the thing sets off, as with a script or a scene."""

    reaches: tuple[str, ...] = ()
    """Names of what an indirect action would do it to, as far as the person may know."""

    thing: str = ""
    """Registry id of the entity, or what else never changes; empty for the name itself.

    The yes is for this thing, whatever it or another one is called later.
    """


class Confirmation(StrEnum):
    """What the person said to a request for confirmation."""

    GIVEN = "given"
    DECLINED = "declined"
    """Said no, said something else, or said nothing in time."""
    IMPOSSIBLE = "impossible"
    """Nobody can be asked, or an unknown speaker has no PIN to prove it."""


class Authority(Protocol):
    """What the home needs to know of the run that uses it."""

    @property
    def person(self) -> Person:
        """The person the run belongs to."""

    @property
    def context(self) -> Context:
        """The context of the caller; goes with every action."""

    @property
    def language(self) -> str:
        """The language of the request."""

    @property
    def room(self) -> str | None:
        """Where the request was made; None if that is not known."""

    @property
    def conversation_id(self) -> str:
        """The conversation, in which the person may undo what was done."""

    async def async_confirm(self, actions: Sequence[RiskyAction]) -> Confirmation:
        """Ask the person about exactly these actions; the code matches the reply."""


async def async_confirmed(
    authority: Authority, actions: Callable[[], Sequence[RiskyAction]]
) -> Confirmation:
    """Ask about the actions; ask again if they are called otherwise when the yes comes."""
    while True:
        asked = actions()
        answer = await authority.async_confirm(asked)
        if answer is not Confirmation.GIVEN or actions() == asked:
            return answer
