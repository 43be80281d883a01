"""Short pulses (1 to 50 ms), such as a doorbell, in real time, while other entities change."""

import asyncio
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from homeassistant.util.ulid import ulid_now

from custom_components.sage.routines.routine_types import Condition, EdgeKind

from .routine_household import Household
from .routine_script import INTERVAL, Plan, Signal

_SHORTEST, _LONGEST = 0.001, 0.05
_PAUSE: Final = (6.1, 7.0)
"""Seconds between two pulses of one entity: a routine may fire ten times a minute."""

_LOAD: Final = 0.005
"""Seconds between two changes of other entities."""

_MOST_BELLS: Final = 100


async def async_pulses(household: Household, script: Sequence[Plan], number: int) -> dict[str, Any]:
    """Let `number` pulses happen, each watched by a routine; return which of them fired.

    Entities of one half of the script have the pulses. The routines of the other half go on, and
    their entities change all the time.
    """
    bells = _switches(script[::2])[: min(number, _MOST_BELLS)]
    others = [signal for plan in script[1::2] for signal in plan.signals if signal.changes]
    for plan in script[::2]:
        await household.routines.async_delete(plan.routine.id)
    watching: dict[str, str] = {}
    for place, bell in enumerate(bells):
        household.set(bell.entity_id, "off")
        routine = replace(
            script[place % len(script)].routine,
            id=ulid_now(),
            trigger=Condition(
                function="rings",
                source=f'def rings():\n    return get_state("{bell.entity_id}") == "on"\n',
                interval=INTERVAL,
            ),
            undo_after=False,
        )
        await household.routines.async_create(routine)
        watching[routine.id] = bell.entity_id
    await household.async_settle()
    household.runner.ran.clear()
    load = asyncio.create_task(_async_load(household, others))
    counts = [number // len(bells) + (place < number % len(bells)) for place in range(len(bells))]
    rung = zip(bells, counts, strict=True)
    await asyncio.gather(*(_async_ring(household, bell.entity_id, n) for bell, n in rung))
    # What has been reported last is evaluated, too.
    await asyncio.sleep(1)
    load.cancel()
    await household.async_settle()
    fired = Counter(
        watching[routine_id]
        for routine_id, kind, _ in household.runner.ran
        if routine_id in watching and kind is EdgeKind.ON
    )
    differences = [fired[bell.entity_id] - n for bell, n in zip(bells, counts, strict=True)]
    return {
        "pulses": number,
        "fired": fired.total(),
        "missing": -sum(each for each in differences if each < 0),
        "too_many": sum(each for each in differences if each > 0),
    }


def _switches(script: Sequence[Plan]) -> list[Signal]:
    """Return the signals of entities that are on or off."""
    signals = {signal.entity_id: signal for plan in script for signal in plan.signals}
    return [
        signal
        for signal in signals.values()
        if {signal.first, *(state for _, state in signal.changes)} <= {"on", "off", "unavailable"}
    ]


async def _async_ring(household: Household, entity_id: str, number: int) -> None:
    chance = random.Random(entity_id)
    await asyncio.sleep(chance.uniform(0, _PAUSE[0]))
    for place in range(number):
        state = household.hass.states.get(entity_id)
        assert state is not None
        match chance.randrange(3):
            case 0:
                household.hass.states.async_set(
                    entity_id, "off", {**state.attributes, "tone": place}
                )
            case 1:
                household.set(entity_id, "unavailable")
                household.set(entity_id, "off")
        household.set(entity_id, "on")
        await asyncio.sleep(chance.uniform(_SHORTEST, _LONGEST))
        household.set(entity_id, "off")
        await asyncio.sleep(chance.uniform(*_PAUSE))


async def _async_load(household: Household, signals: Sequence[Signal]) -> None:
    """Change the state of one entity after the other."""
    chance = random.Random(1)
    while signals:
        signal = chance.choice(signals)
        household.set(signal.entity_id, chance.choice(signal.changes)[1])
        await asyncio.sleep(_LOAD)
