"""The benchmark of everyday sentences measures what it says, and can fail."""

import json
from collections.abc import Callable, Sequence
from io import StringIO
from pathlib import Path

import pytest
from homeassistant.core import HomeAssistant

from benchmark.commands.__main__ import main
from benchmark.commands.case import Case, Kind, Turn, entities, misheard, unmet
from benchmark.commands.cases import CASES
from benchmark.commands.home import CommandsHome, async_furnished
from benchmark.commands.measure import Plan, Server, async_measure
from benchmark.commands.methods import ASSIST, SAGE
from benchmark.commands.report import Progress
from benchmark.commands.results import REAL, SCRIPTED, Result, ResultFile, by_series, missed
from benchmark.commands.scripted import ScriptedModel
from benchmark.commands.shown import can_do, entities_shown, names_of, values_of
from benchmark.fake_model_server import Call, Completion, FakeModelServer
from benchmark.model_script import Json
from benchmark.overhead_home import async_add_sage, make_importable
from benchmark.plain_requests import async_measure as async_measure_plain
from benchmark.plain_requests import missed as missed_plain
from custom_components.sage.home.rendering import render_documentation, render_readings
from custom_components.sage.people.person import HOUSEHOLD
from scripts.demonstration import furnish
from tests.benchmark.running import run_benchmark

_COMMANDS = [case for case in CASES if case.is_command]

# At import, before any Home Assistant has looked for custom integrations.
furnish.make_importable()
make_importable()


@pytest.fixture(params=["demo", "300"])
async def home(hass: HomeAssistant, socket_enabled: None, request: pytest.FixtureRequest):
    return await async_furnished(hass, request.param)


@pytest.fixture
async def demo(hass: HomeAssistant, socket_enabled: None) -> CommandsHome:
    return await async_furnished(hass, "demo")


async def measure(
    home: CommandsHome,
    server: FakeModelServer,
    path: Path,
    cases: Sequence[Case],
    *,
    methods: Sequence[str] = (SAGE,),
    formats: Sequence[str] = ("native",),
    script: ScriptedModel | None = None,
) -> list[Result]:
    plan = Plan(
        methods=methods,
        formats=formats,
        cases=cases,
        server=Server(base_url=server.url, model="test-model", script=script),
    )
    return await async_measure(home, plan, ResultFile(path), Progress(len(cases), StringIO()))


def named(*ids: str) -> list[Case]:
    return [case for case in CASES if case.id in ids]


# ------------------------------------------------------------------ the cases


def test_there_are_sixty_cases_of_all_kinds_in_three_languages() -> None:
    assert len(CASES) == 60
    assert len({case.id for case in CASES}) == 60
    assert len({turn.said for case in CASES for turn in case.turns}) >= 60
    assert {case.kind for case in CASES} == set(Kind)
    assert {case.language for case in CASES} == {"en", "de", "fr"}


async def test_home_has_the_entities_of_all_cases(home: CommandsHome) -> None:
    exposed = home.exposed
    assert len(exposed) == (300 if home.name == "300" else 50)
    for case in CASES:
        for turn in case.turns:
            of = [goal.of for goal in turn.goals]
            of += [read.of for read in turn.read]
            of += [device for do in turn.do for device in do.devices]
            wanted = {*entities(of, home.members), *turn.also, *case.given}
            assert wanted <= {*exposed}, case.id
            # A group without members would be right whatever happens.
            assert all(entities((each,), home.members) for each in of), case.id


async def test_no_command_is_right_in_the_untouched_home(home: CommandsHome) -> None:
    for case in _COMMANDS:
        await home.async_reset(case)
        touched = home.snapshot()
        assert any(unmet(turn.goals, touched, home.members) for turn in case.turns), case.id


async def test_ideal_decisions_stand_in_the_documentation(demo: CommandsHome) -> None:
    async with FakeModelServer() as server:
        entry = await async_add_sage(
            demo.hass, server.url, {"sage": {"decision_format": "native"}}, model="test-model"
        )
        sage = entry.runtime_data.home
        listing = await sage.of(HOUSEHOLD).async_listing()
        names = names_of(listing)
        ids = [device.id for device in listing.devices]
        for case in CASES:
            await demo.async_reset(case)
            view = sage.of(HOUSEHOLD)
            shown = entities_shown(render_documentation(await view.async_document(ids)), names)
            read = entities_shown(render_readings(await view.async_read(ids)), names)
            for turn in case.turns:
                for do in turn.do:
                    assert can_do(do, shown, demo.members), (case.id, do)
                for each in turn.read:
                    assert values_of(each, read, demo.members), (case.id, each)


def test_answers_are_compared_by_whole_numbers_and_words() -> None:
    turn = Turn(said="how warm is it?", says=(("19.4", "19,4"),), hides=("unlocked",))
    assert misheard(turn, "It is 19,4 °C.", is_question=False) == []
    assert misheard(turn, "It is 219.4 °C.", is_question=False)
    assert misheard(turn, "It is 19.42 °C.", is_question=False)
    assert misheard(turn, "It is 19.4 °C and unlocked.", is_question=False)
    assert misheard(Turn(said="?", asks=True), "Done.", is_question=False)
    assert misheard(Turn(said="?"), " ", is_question=False)


# ------------------------------------------------------------------ models that do nothing


def _finish(body: Json, kind: str, answer: str) -> Completion:
    given = {"kind": kind, "about": ["other"], "claims": [], "answer": answer}
    return Completion(calls=[Call(name="finish", arguments=given)])


def idle(body: Json) -> Completion:
    return _finish(body, "answered", "All right.")


def parrot(body: Json) -> Completion:
    said = str(body["messages"][-1]["content"]).rpartition("Request: ")[2]
    return _finish(body, "acted", said or "Done.")


@pytest.mark.parametrize("model", [idle, parrot])
async def test_model_that_does_nothing_gets_no_command_right(
    demo: CommandsHome, tmp_path: Path, model: Callable[[Json], Completion]
) -> None:
    async with FakeModelServer(model) as server:
        results = await measure(demo, server, tmp_path / "results.jsonl", _COMMANDS)
    assert len(results) == len(_COMMANDS)
    assert not any(each.right for each in results)
    assert missed(by_series(results), REAL)


# ------------------------------------------------------------------ the scripted model


async def test_scripted_model_solves_all_kinds_of_sentences(
    home: CommandsHome, tmp_path: Path
) -> None:
    cases = list({case.kind: case for case in CASES}.values())
    cases += named("lights-but", "covers-but", "shopping-list", "put-back", "which-lamp")
    script = ScriptedModel()
    async with FakeModelServer(script) as server:
        results = await measure(
            home,
            server,
            tmp_path / "results.jsonl",
            cases,
            formats=("native", "constrained"),
            script=script,
        )
    assert [(each.case, each.wrong, each.unwanted) for each in results if not each.right] == []
    assert all(each.calls >= 1 for each in results)
    assert all(each.new_tokens > 0 and each.output_tokens > 0 for each in results)
    assert all(0 < each.first_word_s <= each.last_word_s for each in results)
    assert all(each.own_ms > 0 for each in results)


# ------------------------------------------------------------------ Assist


async def test_assist_uses_home_assistants_own_tools(demo: CommandsHome, tmp_path: Path) -> None:
    prompts: list[str] = []

    def decide(body: Json) -> Completion:
        prompts.append(str(body["messages"][0]["content"]))
        if body["messages"][-1]["role"] == "tool":
            return Completion(text="I turned it on.")
        return Completion(
            calls=[Call(name="intent__HassTurnOn", arguments={"name": "Kitchen Light"})]
        )

    async with FakeModelServer(decide) as server:
        (result,) = await measure(
            demo, server, tmp_path / "r.jsonl", named("kitchen-light"), methods=(ASSIST,)
        )
    assert result.right
    assert (result.calls, result.answer) == (2, "I turned it on.")
    assert result.new_tokens + result.cached_tokens >= sum(map(len, prompts)) // 8
    assert "Static Context" in prompts[0]


async def test_unwanted_change_is_seen(demo: CommandsHome, tmp_path: Path) -> None:
    def decide(body: Json) -> Completion:
        if body["messages"][-1]["role"] == "tool":
            return Completion(text="Done.")
        lights = {"domain": ["light"], "area": "Kitchen"}
        return Completion(
            calls=[
                Call(name="intent__HassTurnOn", arguments=lights),
                Call(name="intent__HassTurnOn", arguments={"name": "Coffee Maker"}),
            ]
        )

    async with FakeModelServer(decide) as server:
        (result,) = await measure(
            demo, server, tmp_path / "r.jsonl", named("kitchen-light"), methods=(ASSIST,)
        )
    assert (result.wrong, result.unwanted) == ((), ("switch.coffee_maker",))
    assert not result.right


# ------------------------------------------------------------------ results


def _result(**changes: object) -> Result:
    given: dict[str, object] = {
        "case": "a",
        "kind": "command",
        "home": "demo",
        "method": SAGE,
        "format": "native",
        "model": "m",
        "said": ("turn it on",),
        "answer": "Done.",
        "wrong": (),
        "unwanted": (),
        "calls": 1,
        "new_tokens": 10,
        "cached_tokens": 5,
        "output_tokens": 3,
        "own_ms": 2.0,
        "held_ms": 1.0,
        "first_word_s": 0.1,
        "last_word_s": 0.2,
    }
    return Result(**{**given, **changes})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("changes", "bound"),
    [
        ({"wrong": ("it is off",)}, "right"),
        ({"unwanted": ("light.other",)}, "unwanted"),
        ({"calls": 2}, "one call"),
        ({"calls": 40}, "on average"),
    ],
)
def test_each_bound_can_be_missed(changes: dict[str, object], bound: str) -> None:
    good = [_result(case=str(number)) for number in range(44)]
    assert missed(by_series(good), SCRIPTED) == []
    bad = [_result(case=f"bad {number}", **changes) for number in range(16)]
    assert any(bound in each for each in missed(by_series([*good, *bad]), SCRIPTED))


# ------------------------------------------------------------------ the program


@pytest.mark.slow
def test_exit_code_follows_the_bounds_of_a_real_model_only_if_asked(
    tmp_path: Path, socket_enabled: None, capsys: pytest.CaptureFixture[str]
) -> None:
    with FakeModelServer(idle) as server:
        given = ["--base-url", server.url, "--model", "test-model", "--format", "native"]
        given += ["--cases", "kitchen-light", "--output", str(tmp_path / "results.jsonl")]
        unchecked = run_benchmark("commands", "--home", "demo", *given)
        asked = len(server.completions)
        # All results are there already: nothing is started for them again.
        assert main(["--home", "demo", *given, "--check"]) == 1
        assert len(server.completions) == asked
    assert unchecked.returncode == 0, unchecked.stderr
    figures = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert figures["series"]["demo sage native"]["wrong"] == ["kitchen-light"]
    assert figures["missed"]


async def test_plain_requests_are_counted_and_judged(demo: CommandsHome) -> None:
    cases = [case for case in CASES if case.id in ("kitchen-light", "dim-it", "sauna")]
    figures = await async_measure_plain(demo, {"sixty": cases}, ["fr"])
    assert {name: (row["sentences"], row["plain"]) for name, row in figures.items()} == {
        "sixty": (3, 1),
        "fr plain": (5, 5),
        "fr others": (61, 0),
    }
    assert [*missed_plain(figures)] == ["only 1 of 3 sentences without the model"]
    figures["fr others"] |= {"plain": 1, "median_ms": 1e6, "wrong": ["x"]}
    assert len(missed_plain(figures)) == 4
