"""The documents propose no sentence to SAGE that the benchmark does not try."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from benchmark import promises_expected as expected
from benchmark.fake_model_server import FakeModelServer
from benchmark.promises import measure
from benchmark.promises_expected import EXPECTED, Check, Evidence
from benchmark.promises_sentences import ROOT, key_of, proposed, sentences_of
from scripts.demonstration.furnished_homes import HOMES
from scripts.demonstration.say import Said
from tests.decisions import NATIVE
from tests.demonstration.scripted import decides
from tests.fake_model import model_server  # noqa: F401

OFF: Mapping[str, Any] = {"state": "off"}
ON: Mapping[str, Any] = {"state": "on"}


def test_each_proposed_sentence_has_a_promise() -> None:
    sentences = proposed()
    assert len(sentences) > 15
    unknown = [each for each in sentences if key_of(each.text) not in EXPECTED]
    assert not unknown, "add what has to happen to benchmark/promises_expected.py"


def test_each_promise_is_proposed_somewhere() -> None:
    assert set(EXPECTED) == {key_of(each.text) for each in proposed()}


@pytest.mark.parametrize("key", EXPECTED)
def test_each_promise_can_fail(key: str) -> None:
    promise = EXPECTED[key]
    assert promise.checks
    assert not promise.event or promise.event in HOMES[promise.home].events


def test_places_are_where_the_sentences_stand() -> None:
    for sentence in proposed():
        for place in sentence.places:
            if place.endswith(".md"):
                page = next(path for path in (ROOT / place, ROOT / "docs" / place) if path.exists())
                words = " ".join(page.read_text(encoding="utf-8").split()).casefold()
                assert key_of(sentence.text) in words


def test_straight_quotes_are_sentences_and_curly_ones_are_not() -> None:
    page = """\
| "open the\ndoor" | “Shall I?” |
`get("x")` and `scripts/demo --say "close it"`
```
scripts/demo --say "lock it" --expect "locked"
```
> **You:** unlock it\\
> **SAGE:** Shall I?
"""
    assert sentences_of(page) == ["open the door", "unlock it", "close it", "lock it"]


def seen(
    before: Mapping[str, Mapping[str, Any]],
    after: Mapping[str, Mapping[str, Any]],
    answer: str = "",
    **values: Any,
) -> Evidence:
    said = Said(
        command="",
        answer=answer,
        conversation_id=None,
        asks=bool(values.pop("asks", False)),
        seconds=1.0,
        trace={"reads": values.pop("reads", 0)},
        changes=(),
        cloud=None,
        complaints=(),
    )
    evidence = Evidence(
        said=said,
        replied=(),
        before={key: dict(row) for key, row in before.items()},
        after={key: dict(row) for key, row in after.items()},
        happened=None,
        memories="[]",
        appointments="[]",
        sent=(),
        cloud=(),
    )
    return replace(evidence, **values)


LIGHT = "light.kitchen_light"
QUESTION = seen({LIGHT: ON}, {LIGHT: ON}, "The Kitchen Light is on.", reads=1)


@pytest.mark.parametrize(
    ("check", "good", "bad"),
    [
        (
            expected.becomes(LIGHT, "on"),
            seen({LIGHT: OFF}, {LIGHT: ON}),
            seen({LIGHT: OFF}, {LIGHT: OFF}, "It is on now."),
        ),
        (
            expected.becomes(LIGHT, "on"),
            seen({LIGHT: OFF}, {LIGHT: ON}),
            seen({LIGHT: ON}, {LIGHT: ON}),
        ),
        (
            expected.only(LIGHT),
            seen({LIGHT: OFF}, {LIGHT: ON}),
            seen({LIGHT: OFF, "light.lamp": OFF}, {LIGHT: ON, "light.lamp": ON}),
        ),
        (
            expected.says(of=expected.lights("on")),
            QUESTION,
            replace(QUESTION, after={"light.x": {**ON}}),
        ),
        (
            expected.says("on"),
            QUESTION,
            seen({LIGHT: ON}, {LIGHT: ON}, "The Kitchen Light is on.", reads=0),
        ),
        (
            expected.tells(LIGHT, on=("is on",), off=("not on", "is off")),
            seen({LIGHT: ON}, {LIGHT: ON}, "It is on."),
            seen({LIGHT: OFF}, {LIGHT: OFF}, "It is on."),
        ),
        (expected.changes_nothing, QUESTION, seen({LIGHT: OFF}, {LIGHT: ON}, "It is on.", reads=1)),
        (expected.asks_first, seen({}, {}, asks=True), seen({}, {}, "Shall I?")),
        (
            expected.routine,
            seen({}, {"switch.a": {"state": "on", "last_fired": None}}),
            seen({}, {}, "I'll do it then."),
        ),
        (
            expected.remembers("Quebec"),
            seen({}, {}, memories='["my mother lives in Quebec"]'),
            seen({}, {}, "I remember that she lives in Quebec."),
        ),
        (expected.forgets("hockey"), seen({}, {}), seen({}, {}, memories='["hockey"]')),
        (
            expected.sends("tom@"),
            seen({}, {}, sent=("owner → tom@example.com: Lunch",)),
            seen({}, {}, "I sent it."),
        ),
    ],
)
def test_a_check_looks_at_the_home_and_not_at_words(
    check: Check, good: Evidence, bad: Evidence
) -> None:
    assert check(good) == ""
    assert check(bad)


@pytest.mark.slow
async def test_a_sentence_is_said_in_a_fresh_home(
    model_server: FakeModelServer,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    act = NATIVE.execute("bedroom_light", command="turn_on", arguments={"brightness_pct": 30})
    model_server.say(decides([act, act], ["set the bedroom light to 30 percent"]))
    monkeypatch.setenv("SAGE_BASE_URL", model_server.url)
    monkeypatch.setenv("SAGE_MODEL", "test-model")
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    (result,) = await measure(["set the bedroom light"], 1)
    assert (result.passed, result.is_kept) == (1, True), result.trials
    assert "1 of 1  set the bedroom light to 30 percent" in capsys.readouterr().out
