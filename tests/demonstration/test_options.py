"""The command line of the demo."""

import ast
from pathlib import Path

import pytest

from scripts.demonstration.furnished_homes import HOMES
from scripts.demonstration.options import HomeEventStep, Saying, parse


def test_without_options_the_demo_stays_open() -> None:
    options = parse([])
    assert options.steps == ()
    assert (options.person, options.language, options.agent) == ("owner", "en", None)


def test_an_expectation_belongs_to_the_command_before_it() -> None:
    options = parse(
        ["--say", "turn it on", "--say", "what is on?", "--expect", "lamp", "--expect", "hall"]
    )
    assert options.steps == (
        Saying(text="turn it on"),
        Saying(text="what is on?", expect=("lamp", "hall")),
    )


def test_an_expectation_without_a_command_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as refused:
        parse(["--expect", "lamp", "--say", "what is on?"])
    assert refused.value.code == 2
    assert "after its --say" in capsys.readouterr().err


def test_what_is_said_and_what_happens_keep_their_order() -> None:
    events = HOMES["demo"].events
    options = parse(
        [
            *("--say", "tell me when the fridge is opened", "--then", "open-fridge"),
            *("--expect", "fridge", "--then", "close-fridge", "--expect-nothing", "--say", "stop"),
        ]
    )
    assert options.steps == (
        Saying(text="tell me when the fridge is opened"),
        HomeEventStep(event=events["open-fridge"], expect=("fridge",)),
        HomeEventStep(event=events["close-fridge"], expect_nothing=True),
        Saying(text="stop"),
    )


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--then", "open-cellar"], "there are open-front-door, close-front-door"),
        (["--home", "smartthings", "--then", "open-front-door"], "there are open-fridge"),
        (["--expect-nothing"], "after its --then"),
        (["--say", "hello", "--expect-nothing"], "after its --then"),
    ],
)
def test_what_cannot_happen_is_refused(
    capsys: pytest.CaptureFixture[str], arguments: list[str], complaint: str
) -> None:
    with pytest.raises(SystemExit) as refused:
        parse(arguments)
    assert refused.value.code == 2
    assert complaint in capsys.readouterr().err


SCRIPTS = Path(__file__).parents[2] / "scripts"


@pytest.mark.parametrize("name", ["__init__", "options", "furnished_homes", "home_events"])
def test_help_needs_no_newer_python_than_the_setup(name: str) -> None:
    text = (SCRIPTS / "demonstration" / f"{name}.py").read_text()
    ast.parse(text, feature_version=(3, 11))
