"""The command line of the demo."""

from pathlib import Path

import pytest

from scripts.demonstration.options import Saying, parse


def test_without_options_the_demo_stays_open() -> None:
    options = parse([])
    assert options.sayings == ()
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
    assert options.sayings == (
        Saying(text="turn it on"),
        Saying(text="what is on?", expect=("lamp", "hall")),
    )


def test_two_command_lines_do_not_share_their_commands() -> None:
    parse(["--say", "one"])
    assert parse(["--say", "two"]).sayings == (Saying(text="two"),)


def test_an_expectation_without_a_command_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as refused:
        parse(["--expect", "lamp", "--say", "what is on?"])
    assert refused.value.code == 2
    assert "after its --say" in capsys.readouterr().err


def test_paths_hold_from_any_folder() -> None:
    options = parse(["--json", "out.json", "--keep", "home"])
    assert options.json_file == Path.cwd() / "out.json"
    assert options.keep == Path.cwd() / "home"
