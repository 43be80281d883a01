"""A home where things happen by themselves, and what SAGE does then."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

from freezegun.api import TickingDateTimeFactory
from homeassistant.components import persistent_notification
from homeassistant.const import EVENT_CALL_SERVICE
from homeassistant.core import Context, Event, HomeAssistant, callback

from benchmark.model_script import Answer
from custom_components.sage.routines.routine_types import Status, Watched
from custom_components.sage.routines.routines import Routines
from tests.decisions import NATIVE, Decides, plan, step
from tests.end_to_end.conftest import Sage, spoken
from tests.end_to_end.smartthings.story import posted
from tests.smartthings_home import SmartThings

from .clock import Clock

_PATIENCE = 120.0  # seconds in which SAGE must have done what it does
_OWN = frozenset({"persistent_notification", "sage", "notify"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """A persistent command, and how a model has it watched."""

    said: str
    reads: str
    """The device that is planned to be read."""

    code: str
    """What the function returns, as an expression."""

    when: str
    action: str
    kind: str = ""
    """`do`, `tell` or `decide`; None: it follows from the commands."""

    commands: tuple[Mapping[str, Any], ...] = ()
    """What is executed then; without them the model decides then."""

    polling: Mapping[str, Any] | None = None
    """More arguments of condition polling."""

    @property
    def function(self) -> str:
        """The name of the function that the model writes."""
        return "is_it_so"

    @property
    def source(self) -> str:
        return f"def {self.function}():\n    return {self.code}\n"

    def decisions(self, decides: Decides = NATIVE) -> tuple[Answer, ...]:
        return (
            decides.call("condition_code_writing", condition=self.when),
            plan(step("read", self.reads)),
            decides.call("code_execution", function=self.function, code=self.source),
            decides.call(
                "condition_polling",
                **{
                    "function": self.function,
                    "kind": self.kind or ("do" if self.commands else "decide"),
                    "action": self.action,
                    **({"commands": [*self.commands]} if self.commands else {}),
                    "repeat": "always",
                    "final": True,
                    **(self.polling or {}),
                },
            ),
        )


def commanding(
    wish: Wish, device: str, command: str, answer: str = "Done.", **arguments: Any
) -> tuple[Answer, ...]:
    """Return what the model decides to carry a command out when the moment has come."""
    return (
        *NATIVE.planned(wish.action, step("command", device)),
        NATIVE.execute(device, command=command, arguments=arguments),
        NATIVE.finish("acted", answer),
    )


class Household:
    """SAGE in a home of either kind."""

    def __init__(self, sage: Sage, smartthings: SmartThings | None = None) -> None:
        """Record actions in the home and messages to people from now on."""
        self.hass: HomeAssistant = sage.hass
        self.sage = sage
        self.smartthings = smartthings
        self._calls: list[str] = []
        self.told: list[str] = []  # what persistent notifications said, in order

        self.hass.bus.async_listen(EVENT_CALL_SERVICE, self._called)
        persistent_notification.async_register_callback(self.hass, self._notified)

    def clock(self, factory: TickingDateTimeFactory) -> Clock:
        if self.smartthings is None:
            return Clock(self.hass, factory, self.rest)
        return Clock(self.hass, factory, self.rest, self.smartthings.cloud.stream.keep_alive)

    @property
    def routines(self) -> Routines:
        routines: Routines = self.sage.entry.runtime_data.routines
        return routines

    @property
    def done(self) -> list[str]:
        """What was done in the home, in order: commands at the cloud, or actions."""
        if self.smartthings is not None:
            return posted(self.smartthings.cloud)
        return list(self._calls)

    async def lives_without_memory(self, user_id: str | None = None) -> None:
        """Let no profile of somebody be written at night: the model is scripted."""
        await self.hass.services.async_call(
            "sage",
            "set_memory",
            {"enabled": False},
            blocking=True,
            context=Context(user_id=user_id),
        )

    # ------------------------------------------------------------- saying

    async def ask_for(self, wish: Wish, user_id: str | None = None, **more: Any) -> str:
        """Say a wish that is watched from then on; hear the confirmation."""
        decisions = wish.decisions()
        self.sage.model_says(*decisions)
        heard = spoken(
            await self.sage.say(wish.said, user_id=user_id, conversation_id=None, **more)
        )
        assert self.sage.model_calls == len(decisions), heard
        await self.rest()
        return heard

    async def hear(self, text: str, *decisions: Answer, user_id: str | None = None) -> str:
        self.sage.model_says(*decisions)
        heard = await self.sage.hear(text, user_id=user_id, conversation_id=None)
        await self.rest()
        return heard

    def watched(self, user_id: str | None = None) -> Watched:
        (only,) = self.routines.list(user_id)
        return only

    def status(self, user_id: str | None = None) -> Status:
        return self.watched(user_id).routine.status

    # ------------------------------------------------------------- happening

    async def fires(self, *decisions: Answer, happen: Callable[[], Awaitable[object]]) -> None:
        """Let something happen that sets a routine off; the model decides this, all of it."""
        self.sage.model_says(*decisions)
        await happen()
        await self.rest()
        assert self.sage.model_calls == len(decisions)

    async def stays_calm(self, *happen: Callable[[], Awaitable[object]]) -> None:
        before = self.done, list(self.told)
        self.sage.model_says()
        for each in happen:
            await each()
            await self.rest()
        assert self.sage.model_calls == 0
        assert (self.done, self.told) == before

    async def rest(self) -> None:
        """Return when SAGE has checked the changes and executed the resulting actions."""
        async with asyncio.timeout(_PATIENCE):
            while True:
                if self.smartthings is not None:
                    await self.smartthings.async_settle()
                await self.hass.async_block_till_done()
                if not self._is_busy():
                    return
                await asyncio.sleep(0.01)

    def _is_busy(self) -> bool:
        """Return whether a check, action or message is in progress, without open questions."""
        runs = self.sage.entry.runtime_data.runs
        if any(run.port.waiting for run in runs.active.values()):
            return False
        return self.routines.is_busy or bool(runs.active)

    # ------------------------------------------------------------- noting

    @callback
    def _called(self, event: Event) -> None:
        data = event.data
        if data["domain"] in _OWN:
            return
        given = {k: v for k, v in data["service_data"].items() if k != "entity_id"}
        entities = data["service_data"].get("entity_id", ())
        entities = [entities] if isinstance(entities, str) else entities
        told = ", ".join(f"{name}={value}" for name, value in given.items())
        self._calls.append(f"{data['domain']}.{data['service']} {' '.join(entities)}({told})")

    @callback
    def _notified(
        self,
        kind: persistent_notification.UpdateType,
        notifications: dict[str, persistent_notification.Notification],
    ) -> None:
        if kind is persistent_notification.UpdateType.ADDED:
            self.told += [each["message"] for each in notifications.values()]
