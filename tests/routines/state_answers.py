"""Answers over the real states of Home Assistant, with knobs for what goes wrong."""

import asyncio
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from inspect import Parameter
from typing import Final

from homeassistant.core import Event, EventStateChangedData, HomeAssistant, callback
from homeassistant.helpers.event import async_track_state_change_event
from homeassistant.util import dt as dt_util

from custom_components.sage.people import Person
from custom_components.sage.routines.evaluation import Report, Snapshot, WithheldError
from custom_components.sage.routines.sandbox.contract import (
    EVERY_CHECK,
    ConditionFunction,
    FunctionCall,
    FunctionResult,
    Value,
)

ENTITY_ID: Final = Parameter("entity_id", Parameter.POSITIONAL_OR_KEYWORD, annotation=str)
FUNCTIONS: Final = (
    ConditionFunction(name="get_state", parameters=(ENTITY_ID,), returns="str"),
    ConditionFunction(name="is_available", parameters=(ENTITY_ID,), returns="bool"),
    ConditionFunction(name="now", returns="datetime"),
    ConditionFunction(name="get_weather", returns="str"),
)


class StateAnswers:
    """Reads states; names stand for the entity of the same registry id, if there is one."""

    functions = FUNCTIONS

    def __init__(self, hass: HomeAssistant) -> None:
        self.hass = hass
        self.withheld: set[str] = set()
        self.asked: Counter[FunctionCall] = Counter()
        self.askers: list[Person] = []
        self.slow: dict[str, asyncio.Event] = {}  # functions that do not answer before this is set
        self.faults: set[str] = set()  # functions that raise
        self.references: dict[str, str] = {}  # name -> what it stands for; bound when it is used
        self.entities: dict[str, str] = {}  # reference -> current entity id
        self.after: Callable[[FunctionCall], None] = lambda _: None
        """Called when a question was answered."""

        self.watches = 0
        self.numbers = False  # whether numeric states are returned as numbers

    async def async_answer(
        self, person: Person, bindings: Mapping[str, str], call: FunctionCall, snapshot: Snapshot
    ) -> FunctionResult:
        self.askers.append(person)
        self.asked[call] += 1
        if call.function in self.faults:
            raise RuntimeError("not to be had")
        answer = await self._async_answered(bindings, call, snapshot)
        if (gate := self.slow.get(call.function)) is not None:
            # By then the answer may be out of date.
            await gate.wait()
        self.after(call)
        return answer

    async def _async_answered(
        self, bindings: Mapping[str, str], call: FunctionCall, snapshot: Snapshot
    ) -> FunctionResult:
        if call.function == "now":
            return FunctionResult(value=dt_util.as_local(snapshot.at), fresh_until=EVERY_CHECK)
        if call.function == "get_weather":
            return FunctionResult(value="sunny")
        (name,) = call.arguments
        assert isinstance(name, str)
        reference = bindings.get(name) or self.references.get(name)
        entity_id = self.entities[reference] if reference is not None else name
        if name in self.withheld:
            raise WithheldError(str(call), f'"{name}" is gone.')
        state = await snapshot.async_state(self.hass, entity_id)
        is_unknown = state is None or state.state in ("unavailable", "unknown")
        value: Value = None if state is None else state.state
        if self.numbers and isinstance(value, str) and value.isdecimal():
            value = int(value)
        if call.function == "is_available":
            value, is_unknown = not is_unknown, False
        return FunctionResult(
            value=value,
            is_unknown=is_unknown,
            keys=frozenset({entity_id}),
            bindings={} if reference is None else {name: reference},
        )

    def watch(
        self, keys: Collection[str], listener: Callable[[Report], None]
    ) -> Callable[[], None]:
        @callback
        def changed(event: Event[EventStateChangedData]) -> None:
            listener(
                Report(
                    key=event.data["entity_id"],
                    at=event.time_fired,
                    before=event.data["old_state"],
                    after=event.data["new_state"],
                )
            )

        self.watches += 1
        stop = async_track_state_change_event(self.hass, list(keys), changed)

        def end() -> None:
            self.watches -= 1
            stop()

        return end
