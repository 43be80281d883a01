"""The benchmark that others wrote: its data is loaded whole, and grades what happened."""

from collections import Counter
from collections.abc import Awaitable, Callable
from datetime import datetime
from pathlib import Path

import pytest
from homeassistant.core import HomeAssistant, callback
from homeassistant.util.unit_system import US_CUSTOMARY_SYSTEM

from benchmark.commands.case import Seen
from benchmark.fake_model_server import Call, Completion, FakeModelServer
from benchmark.outside.__main__ import main
from benchmark.outside.case import SIZES, Kind, OutsideCase, cases, layout, stratified
from benchmark.outside.expected import DATE, TIME, Reading, plans, starting
from benchmark.outside.home import OutsideHome, async_furnished
from benchmark.outside.measure import Result, Wish, async_measure, results_in
from benchmark.outside.methods import ASSIST, BUILTIN, IDEAL, IDLE, INSTANT, SAGE, ModelServer
from benchmark.outside.questions import says
from benchmark.outside.report import accepts_nothing, figures, missed, table, wilson

SMALL = [case for case in cases() if case.size == "small"]


@pytest.fixture
async def home(hass: HomeAssistant, socket_enabled: None) -> OutsideHome:
    hass.config.units = US_CUSTOMARY_SYSTEM
    return await async_furnished(hass, "small")


@pytest.fixture
def measure(home: OutsideHome, tmp_path: Path) -> Callable[..., Awaitable[list[Result]]]:
    async def measured(
        method: str, known: list[OutsideCase], server: ModelServer | None = None
    ) -> list[Result]:
        wish = Wish(
            method=method,
            cases=known,
            server=server or ModelServer(),
            output=tmp_path / "results.jsonl",
        )
        return await async_measure(home, wish, known)

    return measured


def saying(*said: str) -> list[OutsideCase]:
    return [case for case in SMALL if case.said in said]


# ------------------------------------------------------------------ the data


def test_the_data_is_whole_and_says_where_it_comes_from():
    assert len({case.id for case in cases()}) == 456
    assert sum(case.wants_no_call for case in cases()) == 94
    assert [len(layout(size).entities) for size in SIZES] == [34, 88, 185, 453]
    folder = Path(str(main.__code__.co_filename)).parent / "data"
    assert "Apache License" in (folder / "LICENSE").read_text("utf-8")
    assert "ha-voiceagent-llm-benchmark" in (folder / "NOTICE").read_text("utf-8")


def test_every_right_way_changes_something_unless_it_is_to_do_nothing():
    for case in cases():
        starts, _ = starting(case)
        for way in plans(case, starts):
            begun = [each for each in way.actions if each.states]
            is_new = [starts.get(each.entity_id) not in each.states for each in begun]
            has_values = any(each.values or each.texts for each in way.actions)
            assert not begun or any(is_new) or has_values, case.id


def test_a_sample_is_always_the_same_and_has_each_home_and_kind_in_proportion():
    sample = stratified(cases(), 90)

    assert sample == stratified(cases(), 90)
    assert len(sample) == 90
    assert Counter(each.size for each in sample) == {
        "small": 16,
        "medium": 20,
        "large": 25,
        "enormous": 29,
    }
    assert Counter(each.kind for each in sample) == {
        Kind.COMMAND: 48,
        Kind.QUESTION: 24,
        Kind.TALK: 8,
        Kind.UNCLEAR: 6,
        Kind.IMPOSSIBLE: 4,
    }


# ------------------------------------------------------------------ the grades


async def test_the_expected_calls_are_right_and_doing_nothing_where_it_is_accepted(measure):
    ideal = await measure(IDEAL, SMALL)
    idle = await measure(IDLE, SMALL)

    known = {case.id: case for case in SMALL}
    assert missed(IDEAL, known, ideal) == []
    assert missed(IDLE, known, idle) == []
    assert {each.grade for each in ideal} == {"optimal"}
    assert sum(each.is_right for each in idle) == sum(map(accepts_nothing, SMALL)) < 40
    assert not any(each.acted for each in idle)


async def test_what_nobody_asked_for_makes_a_right_action_wrong(home, measure):
    (case,) = saying("turn on the coffee maker")

    @callback
    def also_the_lamp(_event: object) -> None:
        home.hass.states.async_set("light.bedroom_ceiling", "on")

    home.hass.bus.async_listen_once("call_service", also_the_lamp)
    (result,) = await measure(IDEAL, [case])

    assert not result.is_right
    assert result.acted_wrongly
    assert result.wrong == "light.bedroom_ceiling: not asked for"


async def test_core_switches_a_light_and_does_not_find_a_room_that_is_not_there(measure):
    known = saying("turn on the kitchen ceiling light", "turn on the basement lights")
    results = {each.said: each for each in await measure(BUILTIN, known)}

    assert results["turn on the kitchen ceiling light"].is_right
    assert results["turn on the basement lights"].acted == ()
    assert results["turn on the basement lights"].calls == 0


async def test_sage_is_graded_by_what_its_model_does(measure):
    called = Call(
        name="execute_command",
        arguments={
            "devices": ["Coffee Maker"],
            "command": "turn_on",
            "arguments": {},
            "timing": "now",
            "final": True,
        },
    )
    end = Call(
        name="finish",
        arguments={"kind": "acted", "about": ["home"], "claims": [], "answer": "It is on."},
    )
    async with FakeModelServer(lambda _: Completion(calls=[called, end])) as server:
        url = ModelServer(base_url=server.url, model="test-model", decision_format="native")
        results = await measure(SAGE, saying("turn on the coffee maker", "hello"), url)
    by_said = {each.said: each for each in results}

    assert by_said["turn on the coffee maker"].is_right
    assert by_said["turn on the coffee maker"].calls > 0
    assert by_said["hello"].acted_wrongly
    assert figures(results)["acted_wrongly"] == 1
    assert "no call is right" in table(results)


async def test_assist_is_graded_by_what_its_model_does(measure):
    said = iter(
        [
            Completion(
                calls=[
                    Call(
                        name="intent__HassTurnOn",
                        arguments={"name": "Coffee Maker", "domain": ["switch"]},
                    )
                ]
            ),
            Completion(text="Done."),
        ]
    )
    async with FakeModelServer(lambda _: next(said)) as server:
        url = ModelServer(base_url=server.url, model="test-model")
        (result,) = await measure(ASSIST, saying("turn on the coffee maker"), url)

    assert result.is_right
    assert result.calls == 2
    assert result.acted == (
        "switch.kitchen_coffee_maker",
        "switch.turn_on switch.kitchen_coffee_maker",
    )


async def test_sage_without_a_model_does_nothing_wrong(measure, tmp_path):
    known = saying("turn on the coffee maker", "turn on the smart bulb e7a2", "hello")
    results = await measure(INSTANT, known)

    assert missed(INSTANT, {}, results) == []
    assert {each.said: each.is_right for each in results}["turn on the coffee maker"]
    found = results_in(tmp_path / "results.jsonl")
    assert {each.case: each for each in found.values()} == {each.case: each for each in results}


# ------------------------------------------------------------------ answers


@pytest.mark.parametrize(
    ("said", "entity_id", "state", "right", "wrong"),
    [
        ("is the office fan on", "fan.f", "on", "Yes, it is.", "The office fan is off."),
        (
            "are the bedroom shades open",
            "cover.c",
            "closed",
            "They are not open.",
            "They are open.",
        ),
        ("is the garage entry door locked", "lock.l", "locked", "It is locked.", "It is unlocked."),
        ("what's the UPS battery level", "sensor.u", "98", "It is at 98 %.", "It is at 9.8 %."),
        ("is the patio window open", "binary_sensor.p", "unknown", "I can't tell.", "It is open."),
        ("what's the weather like", "weather.home", "sunny", "Sunny, 68 °F.", "It is raining."),
    ],
)
def test_an_answer_has_to_say_the_value(
    said: str, entity_id: str, state: str, right: str, wrong: str
):
    reading, seen = Reading(entity_id=entity_id), Seen(state=state, attributes={})
    now = datetime(2026, 3, 1, 12, 0)  # noqa: DTZ001

    assert says(said, reading, seen, right, now)
    assert not says(said, reading, seen, wrong, now)
    assert not says(said, reading, seen, "", now)


def test_an_answer_may_say_the_time_in_several_forms():
    asked = datetime(2026, 3, 1, 15, 5)  # noqa: DTZ001

    assert says("what time is it", Reading(attribute=TIME), None, "It is 3:06 PM.", asked)
    assert not says("what time is it", Reading(attribute=TIME), None, "It is 4:05 PM.", asked)
    assert says("what's today's date", Reading(attribute=DATE), None, "March 1st, 2026", asked)
    assert not says("what's today's date", Reading(attribute=DATE), None, "March 2nd", asked)


def test_the_intervals_are_wilsons():
    assert wilson(8, 10) == pytest.approx((0.4902, 0.9433), abs=1e-4)
    assert wilson(0, 94) == pytest.approx((0.0, 0.0393), abs=1e-4)


def test_a_method_that_needs_a_model_says_so(capsys):
    with pytest.raises(SystemExit):
        main(["--method", "sage"])
    assert "--model-url" in capsys.readouterr().err
