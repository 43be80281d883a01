"""Answers over the real states of Home Assistant, with knobs for what goes wrong."""

import asyncio
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from datetime import UTC, datetime
from typing import Final

from homeassistant.core import Event, EventStateChangedData, HomeAssistant, callback
from homeassistant.helpers.event import async_track_state_change_event
from homeassistant.util import dt as dt_util

from custom_components.sage.routines.interfaces import (
    ChangeListener,
    ConditionOwner,
    Foresight,
    WatchedResult,
)
from custom_components.sage.routines.sandbox.sandbox_types import (
    ConditionFunction,
    FunctionCall,
    FunctionResult,
    Parameter,
    Value,
)

FUNCTIONS: Final = (
    ConditionFunction(
        name="get_state", parameters=(Parameter(name="entity_id", type="str"),), returns="str"
    ),
    ConditionFunction(
        name="is_available",
        parameters=(Parameter(name="entity_id", type="str"),),
        returns="bool",
        marks_unknown=False,
    ),
    ConditionFunction(name="now", returns="datetime"),
    ConditionFunction(name="get_weather", returns="str"),
)

_LONG_PAST: Final = datetime(1970, 1, 1, tzinfo=UTC)


class StateAnswers:
    """Reads states; names stand for the entity of the same registry id, if there is one."""

    functions = FUNCTIONS

    def __init__(self, hass: HomeAssistant) -> None:
        self.hass = hass
        self.withheld: set[str] = set()
        self.asked: Counter[FunctionCall] = Counter()
        self.askers: list[ConditionOwner] = []
        self.slow: dict[str, asyncio.Event] = {}
        """Functions that do not answer before this is set."""

        self.faults: set[str] = set()
        """Functions that raise."""

        self.references: dict[str, str] = {}
        """Name -> what it stands for; bound when it is used."""

        self.entities: dict[str, str] = {}
        """Reference -> current entity id."""

        self.after: Callable[[FunctionCall], None] = lambda _: None
        """Called when a question was answered."""

        self.watches = 0
        self.numbers = False
        """Whether numeric states are returned as numbers."""

    async def async_foresee(self, owner: ConditionOwner, source: str) -> Foresight:
        return Foresight()

    async def async_answer(
        self, owner: ConditionOwner, questions: Collection[FunctionCall]
    ) -> Mapping[FunctionCall, WatchedResult]:
        self.askers.append(owner)
        answered: dict[FunctionCall, WatchedResult] = {}
        for question in questions:
            self.asked[question] += 1
            if question.function in self.faults:
                raise RuntimeError("not to be had")
            answered[question] = self._answered(owner, question)
            if (gate := self.slow.get(question.function)) is not None:
                # By then the answer may be out of date.
                await gate.wait()
            self.after(question)
        return answered

    def _answered(self, owner: ConditionOwner, question: FunctionCall) -> WatchedResult:
        if question.function == "now":
            return WatchedResult(answer=FunctionResult(value=dt_util.now()), fresh_until=_LONG_PAST)
        if question.function == "get_weather":
            return WatchedResult(answer=FunctionResult(value="sunny"))
        (name,) = question.arguments
        assert isinstance(name, str)
        reference = owner.bindings.get(name) or self.references.get(name)
        entity_id = self.entities[reference] if reference is not None else name
        if name in self.withheld:
            return WatchedResult(
                answer=FunctionResult(error=f'"{name}" is gone.'), is_withheld=True
            )
        state = self.hass.states.get(entity_id)
        is_unknown = state is None or state.state in ("unavailable", "unknown")
        value: Value = None if state is None else state.state
        if self.numbers and isinstance(value, str) and value.isdecimal():
            value = int(value)
        if question.function == "is_available":
            value, is_unknown = not is_unknown, False
        return WatchedResult(
            answer=FunctionResult(value=value, is_unknown=is_unknown),
            keys=frozenset({entity_id}),
            bindings={} if reference is None else {name: reference},
        )

    def watch(self, keys: Collection[str], listener: ChangeListener) -> Callable[[], None]:
        @callback
        def changed(event: Event[EventStateChangedData]) -> None:
            listener(event.data["entity_id"], event.context.id)

        self.watches += 1
        stop = async_track_state_change_event(self.hass, list(keys), changed)

        def end() -> None:
            self.watches -= 1
            stop()

        return end
