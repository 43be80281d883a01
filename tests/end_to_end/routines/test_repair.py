"""Condition code that fails later: the model repairs it once, then it is paused and reported."""

import json

from homeassistant.helpers import issue_registry as ir

from benchmark.model_script import Completion
from custom_components.sage.routines.routine_types import Status

from .acts import starts_anew
from .clock import Clock
from .household import Household, Wish
from .stories import becomes

PHASE = "sensor.dishwasher_phase"
WISH = Wish(
    said="tell me when the dishwasher is done",
    reads="dishwasher",
    # It knows two phases; there are more.
    code='{"washing": False, "finished": True}[get_state("sensor.dishwasher_phase")]',
    when="the dishwasher is done",
    kind="tell",
    action="The dishwasher is done.",
)


def code(expression: str) -> Completion:
    return Completion(
        text=json.dumps({"code": f"def {WISH.function}():\n    return {expression}\n"})
    )


def issues(household: Household) -> list[str | None]:
    found = ir.async_get(household.hass).issues.values()
    return [each.translation_key for each in found if each.domain == "sage" and each.active]


async def test_mended(household: Household, clock: Clock) -> None:
    """The model gets the code with the error; what it writes is watched from then on."""
    await household.ask_for(WISH)
    household.sage.model_says(code(f'get_state("{PHASE}") == "finished"'))
    await becomes(PHASE, native_value="drying")(household)
    await clock.pass_by(minutes=3)
    (asked,) = household.sage.server.completions
    assert "KeyError" in asked.prompt
    assert WISH.code in asked.prompt
    assert household.watched().routine.is_repaired
    assert household.status() is Status.WATCHING
    await starts_anew(household)
    await household.fires(happen=lambda: becomes(PHASE, native_value="finished")(household))
    assert household.told == [WISH.action]
    assert issues(household) == []


async def test_mended_in_vain(household: Household, clock: Clock) -> None:
    """It is repaired only once. Then it is paused, and an issue without its text says so."""
    await household.ask_for(WISH)
    household.sage.model_says(
        code(f'"washing drying finished".split().index(get_state("{PHASE}")) == 2')
    )
    await becomes(PHASE, native_value="drying")(household)
    await clock.pass_by(minutes=3)
    assert household.status() is Status.WATCHING
    await becomes(PHASE, native_value="idle")(household)
    await clock.pass_by(minutes=3)
    assert household.sage.model_calls == 1
    assert household.status() is Status.FAILING
    assert "ValueError" in str(household.watched().routine.trouble)
    assert issues(household) == ["routine_failing"]
    await household.stays_calm(
        lambda: becomes(PHASE, native_value="finished")(household), lambda: clock.pass_by(minutes=3)
    )
