"""The command line of the demo."""

import ast
import shutil
import subprocess
from pathlib import Path

import pytest

from scripts.demonstration.furnished_homes import HOMES
from scripts.demonstration.options import HomeEventStep, Saying, parse


def test_without_options_the_demo_stays_open() -> None:
    options = parse([])
    assert options.steps == ()
    assert (options.person, options.language, options.agent) == ("owner", "en", None)


def test_the_home_is_one_of_two(capsys: pytest.CaptureFixture[str]) -> None:
    assert (parse([]).home.name, parse([]).home.has_cloud) == ("demo", False)
    chosen = parse(["--home", "smartthings"]).home
    assert (chosen.name, chosen.has_cloud) == ("smartthings", True)
    with pytest.raises(SystemExit):
        parse(["--home", "castle"])
    assert "castle" in capsys.readouterr().err


def test_an_expectation_belongs_to_the_command_before_it() -> None:
    options = parse(
        ["--say", "turn it on", "--say", "what is on?", "--expect", "lamp", "--expect", "hall"]
    )
    assert options.steps == (
        Saying(text="turn it on"),
        Saying(text="what is on?", expect=("lamp", "hall")),
    )


def test_two_command_lines_do_not_share_their_commands() -> None:
    parse(["--say", "one"])
    assert parse(["--say", "two"]).steps == (Saying(text="two"),)


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


def test_events_are_those_of_the_home_wherever_it_is_named() -> None:
    given = ["--then", "open-fridge", "--home", "smartthings"]
    (step,) = parse(given).steps
    assert step == HomeEventStep(event=HOMES["smartthings"].events["open-fridge"])
    assert step != parse(["--then", "open-fridge"]).steps[0]


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


def test_help_tells_what_may_happen_in_each_home(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        parse(["--help"])
    told = capsys.readouterr().out
    for home in HOMES.values():
        assert home.events
        for name, event in home.events.items():
            assert any(name in line and event.story in line for line in told.splitlines())


def test_paths_hold_from_any_folder() -> None:
    options = parse(["--json", "out.json", "--keep", "home"])
    assert options.json_file == Path.cwd() / "out.json"
    assert options.keep == Path.cwd() / "home"


SCRIPTS = Path(__file__).parents[2] / "scripts"


@pytest.mark.parametrize("asked", [["--help"], ["-h"], ["--home", "smartthings", "--help"]])
def test_help_comes_before_anything_is_set_up(tmp_path: Path, asked: list[str]) -> None:
    scripts = tmp_path / "scripts"
    shutil.copytree(SCRIPTS, scripts, ignore=shutil.ignore_patterns("__pycache__"))
    setup = scripts / "setup"
    setup.write_text("#!/bin/sh\nexit 7\n")

    shown = subprocess.run(
        [scripts / "demo", *asked], capture_output=True, text=True, check=False, timeout=600
    )

    assert shown.returncode == 0, shown.stderr
    assert shown.stdout.startswith("usage: scripts/demo")
    assert "--expect-nothing" in shown.stdout
    assert subprocess.run([scripts / "demo"], check=False, timeout=600).returncode == 7


@pytest.mark.parametrize("name", ["__init__", "options", "furnished_homes", "home_events"])
def test_help_needs_no_newer_python_than_the_setup(name: str) -> None:
    text = (SCRIPTS / "demonstration" / f"{name}.py").read_text()
    ast.parse(text, feature_version=(3, 11))
