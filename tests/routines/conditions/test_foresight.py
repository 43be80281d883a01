"""Static analysis of condition code: wrong names, bindings, comparisons."""

from typing import Any

import pytest
from homeassistant.core import HomeAssistant
from homeassistant.setup import async_setup_component

from custom_components.sage.home.home import PersonHome
from custom_components.sage.routines.conditions.foresight import AnalyzedRead
from custom_components.sage.routines.interfaces import ConditionOwner, Foresight
from custom_components.sage.routines.sandbox.sandbox_types import FunctionCall
from tests.exposing import expose_all
from tests.home.entity_home import EntityHome
from tests.routines.conditions.calling import Asking
from tests.smartthings_home import SmartThings


@pytest.fixture
async def front_door(hass: HomeAssistant) -> None:
    for domain in ("binary_sensor", "sensor", "light", "media_player"):
        assert await async_setup_component(hass, domain, {})
    build = EntityHome(hass)
    build.entity(
        "binary_sensor.front_door", "on", device=build.device("Front Door"), device_class="door"
    )
    build.entity("sensor.warmth", "21", device=build.device("Warmth"), unit_of_measurement="°C")
    build.entity("light.lamp", "on", device=build.device("Lamp"), brightness=100)


async def foreseen(asking: Asking, source: str) -> Foresight:
    return await asking.functions.async_foresee(ConditionOwner(person=asking.person), source)


async def test_branches_that_do_not_run_are_asked_and_bound(asking: Asking, front_door):
    foresight = await foreseen(
        asking,
        "LAMP = 'lamp'\n"
        "def check():\n"
        "    if not is_dark():\n"
        "        return False\n"
        "    if get_state(device='front_door') == 'off':\n"
        "        return get_attribute(LAMP, 'brightness') > 3\n"
        "    return any(held_minutes(d) > 3 for d in ['warmth', 'nothing'])\n",
    )

    assert {*foresight.bindings} == {
        "front_door",
        "lamp",
        "lamp\t\tbrightness",
        "warmth",
    }
    (fault,) = foresight.faults
    assert fault.startswith('line 7: There is no device "nothing"')
    assert foresight.doubts == ()


@pytest.mark.parametrize(
    ("condition", "doubt"),
    [
        ("get_state('front_door') == 'open'", "Write 'on'."),
        ("get_state('front_door') in ('open', 'on')", "never 'open'"),
        ("'closed' != get_state('front_door')", "Write 'off'."),
        ("get_state('front_door') == 'On'", "Write 'on'."),
        ("get_state('front_door') == True", "is a text, never True"),
        ("get_state('front_door') == 'unavailable'", "Use is_available"),
        ("get_state('warmth') == '21'", "is a number"),
        ("get_attribute('front_door', 'state') == 'open'", "Write 'on'."),
        ("(d := get_state('front_door')) and d == 'open'", "Write 'on'."),
        ("get_state('lamp') == 'bright'", "It is one of: "),
    ],
)
async def test_what_can_never_be_is_doubted(asking: Asking, front_door, condition, doubt):
    foresight = await foreseen(asking, f"def check():\n    return {condition}\n")

    (found,) = foresight.doubts
    assert found.startswith("line 2: ")
    assert doubt in found
    assert foresight.faults == ()


@pytest.mark.parametrize(
    "condition",
    [
        "get_state('front_door') == 'on'",
        "get_state('front_door') in ['on', 'off']",
        "get_state('warmth') > 20",
        "get_state('warmth') == 21",
        "get_attribute('lamp', 'brightness') == 3",
        "get_state('nothing') == 'open'",
        "is_available('front_door') == True",
        "get_state(name) == 'open'",
        "len('front_door') == 'open'",
        "get_state('front_door', 3) == 'open'",
        "get_state(door='front_door') == 'open'",
        "get_state() == 'open'",
    ],
)
async def test_what_may_be_is_not_doubted(asking: Asking, front_door, condition):
    foresight = await foreseen(asking, f"def check():\n    return {condition}\n")

    assert foresight.doubts == ()


@pytest.mark.parametrize("source", ["def check(:", "", "\0", "(" * 5000, "x = 'lamp'\nx = f()\n"])
async def test_odd_sources_tell_nothing(asking: Asking, source):
    assert await foreseen(asking, source) == Foresight()


def test_names_that_may_be_something_else_are_not_followed(asking: Asking):
    source = (
        "def check(b='lamp'):\n"
        "    a = 'lamp'\n"
        "    a = other()\n"
        "    c, d = 'x', 'y'\n"
        "    for e in things:\n"
        "        pass\n"
        "    f = ['x', 'y']\n"
        "    g = 'one'\n"
        "    g = 'two'\n"
        "    return [get_state(n) for n in (a, b, c, d, e, f, g, 'x')]\n"
        "    return get_state(a), get_state(b), get_state(c), get_state(e), get_state(f)\n"
        "    return get_state(g), other.get_state('x'), get_state(*g), get_state(**g)\n"
    )

    questions = AnalyzedRead(source, asking.functions.functions).questions()

    assert questions == {
        FunctionCall("get_state", ("one",)): 12,
        FunctionCall("get_state", ("two",)): 12,
    }


async def test_values_of_the_cloud_are_held_against_its_documentation(
    hass, smartthings: SmartThings, asking: Asking
):
    expose_all(hass)
    await smartthings.async_settle()
    right = "get_attribute('dishwasher', 'machineState') == 'run'"
    wrong = "get_attribute('dishwasher', 'machineState') == 'finished'"

    assert (await foreseen(asking, f"def check():\n    return {right}\n")).doubts == ()
    (doubt,) = (await foreseen(asking, f"def check():\n    return {wrong}\n")).doubts
    assert "never 'finished'. It is one of: " in doubt
    assert "'run'" in doubt


async def test_code_that_asks_for_very_much_is_not_read_to_its_end(
    asking: Asking, front_door, monkeypatch: pytest.MonkeyPatch
):
    """One call of somebody must not hold Home Assistant up."""
    looked_up: list[object] = []
    document = PersonHome.async_document

    async def counted(*arguments: Any) -> Any:
        looked_up.append(arguments)
        return await document(*arguments)

    monkeypatch.setattr(PersonHome, "async_document", counted)
    names = ", ".join(repr(f"device {number}") for number in range(19))
    lines = [f"        get_state(d) == 'state {number}'\n" for number in range(500)]
    source = f"def check():\n    for d in ({names}, 'lamp'):\n{''.join(lines)}    return True\n"

    foresight = await foreseen(asking, source)

    assert len(looked_up) == 1  # once for the lamp, however often it is compared
    assert len(foresight.faults) == 19
    assert 0 < len(foresight.doubts) <= 200
