"""The command line of `scripts/demo`."""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from textwrap import wrap
from typing import Any, Final

from .furnished_homes import DEMO, HOMES, SMARTTHINGS, FurnishedHome
from .home_events import HomeEvent

_WIDTH: Final = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Saying:
    """One command to speak, and the texts that its answer has to hold."""

    text: str
    expect: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class HomeEventStep:
    """One event, and what has to come of it."""

    event: HomeEvent
    expect: tuple[str, ...] = ()
    """Texts that what is brought to the person has to hold."""

    expect_nothing: bool = False
    """No routine may fire."""


# No `type` statement: `scripts/demo --help` runs with the Python of the system, 3.11 or later.
Step = Saying | HomeEventStep


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What the caller wants."""

    steps: tuple[Step, ...]
    """What is said and what happens, in order."""

    person: str
    language: str
    new_conversation: bool
    home: FurnishedHome
    json_file: Path | None
    keep: Path | None
    password: str | None
    port: int | None
    agent: str | None
    photo_server: str | None
    photo_model: str | None
    voice: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class _Named:
    """A `--then` before it is known which home it is in."""

    name: str
    expect: tuple[str, ...] = ()
    expect_nothing: bool = False


def parse(arguments: Sequence[str] | None = None) -> Options:
    """Return the options; exits with a usage message when they make no sense."""
    parser = _parser()
    given = parser.parse_args(arguments)
    home = HOMES[given.home]
    return Options(
        steps=tuple(_in_home(parser, home, step) for step in given.steps),
        person=given.person,
        language=given.language,
        new_conversation=given.new_conversation,
        home=home,
        json_file=given.json.absolute() if given.json else None,
        keep=given.keep.absolute() if given.keep else None,
        password=given.password,
        port=given.port,
        agent=given.agent,
        photo_server=given.photo_server,
        photo_model=given.photo_model,
        voice=given.voice,
    )


def _in_home(parser: argparse.ArgumentParser, home: FurnishedHome, step: Saying | _Named) -> Step:
    """Return the step with the event of this home that was named."""
    if isinstance(step, Saying):
        return step
    if (event := home.events.get(step.name)) is None:
        parser.error(
            f"--then {step.name}: nothing of that name can happen in the home '{home.name}'; "
            f"there are {', '.join(home.events)}."
        )
    return HomeEventStep(event=event, expect=step.expect, expect_nothing=step.expect_nothing)


class _Expect(argparse.Action):
    """Join the expected text to the step before it."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: Any,
        option_string: str | None = None,
    ) -> None:
        steps: list[Saying | _Named] = namespace.steps
        if not steps:
            parser.error("--expect belongs to a command: give it after its --say or --then.")
        last = steps[-1]
        namespace.steps = [*steps[:-1], replace(last, expect=(*last.expect, values))]


class _ExpectNothing(argparse.Action):
    """Let nothing come of the event before it."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: Any,
        option_string: str | None = None,
    ) -> None:
        steps: list[Saying | _Named] = namespace.steps
        if not steps or isinstance(steps[-1], Saying):
            parser.error("--expect-nothing belongs to an event: give it after its --then.")
        namespace.steps = [*steps[:-1], replace(steps[-1], expect_nothing=True)]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="scripts/demo",
        description="Runs SAGE in a furnished Home Assistant on this machine. Without --say and\n"
        "--then it stays open for the browser until Ctrl-C.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog=_epilog(),
    )
    add = parser.add_argument
    add(
        "--say",
        metavar="TEXT",
        action="append",
        dest="steps",
        default=[],
        type=lambda text: Saying(text=text),
        help="say this, show what happened, and stop; may be given several times",
    )
    add(
        "--then",
        metavar="EVENT",
        action="append",
        dest="steps",
        type=lambda name: _Named(name=name),
        help="let this happen in the home, and show what SAGE does of itself; the events have "
        "names, see below; may be given several times, between sentences too",
    )
    add(
        "--expect",
        metavar="TEXT",
        action=_Expect,
        help="the answer to the last --say holds this, or what comes of the last --then",
    )
    add(
        "--expect-nothing",
        action=_ExpectNothing,
        nargs=0,
        help="nothing comes of the last --then",
    )
    add("--as", dest="person", choices=("owner", "alex"), default="owner", help="who speaks")
    add("--language", default="en", help="the language of the speaker, such as de")
    add(
        "--new-conversation",
        action="store_true",
        help="each --say begins a conversation of its own",
    )
    add(
        "--home",
        choices=tuple(HOMES),
        default=DEMO,
        help=f"which home (default: {DEMO}): '{DEMO}' has rooms full of devices of all kinds; "
        f"'{SMARTTHINGS}' is that of the paper (two TVs, a refrigerator, a dishwasher, lights of "
        "one name), which Home Assistant's SmartThings integration reaches in a cloud that is "
        "simulated on this machine; --say then also shows the commands that the cloud received "
        "and the attributes that changed in it",
    )
    add("--json", metavar="FILE", type=Path, help="also write what happened to this file")
    add("--keep", metavar="DIR", type=Path, help="keep Home Assistant's folder there")
    add("--password", help="for all logins (default: made up and printed)")
    add("--port", type=int, help="where Home Assistant listens (default: 8123 or any free one)")
    add("--agent", help="talk to this conversation entity instead of SAGE")
    add(
        "--photo-server",
        metavar="URL",
        help="compare photos with the server at this address, such as http://localhost:7997/v1 "
        "of scripts/models; without it, photos have captions, and SAGE compares those",
    )
    add("--photo-model", metavar="NAME", help="the model of that server (default: SAGE's default)")
    add(
        "--voice",
        action="store_true",
        help="start Whisper and Piper (400 MB to download, once), so that the microphone in Assist "
        "works and SAGE answers aloud; the voice is English",
    )
    return parser


_VERDICT: Final = """\
It ends with 0 only when every --say and every --then went well. Of a command, \
all that it did was seen to have happened, or it was stored to be done later; with --expect the \
answer holds that text and the home was read. Of an event, a routine fired, and all that it did \
was seen to have happened; with --expect, as for a reminder, words with that text reached the \
person."""

_MODEL: Final = """\
Model: OPENAI_API_KEY, or SAGE_BASE_URL with SAGE_MODEL (and SAGE_API_KEY); else a small model \
that runs here."""


def _epilog() -> str:
    """Return how it ends, which model there is, and what may happen in which home."""
    width = max(len(name) for home in HOMES.values() for name in home.events)
    lines = [*wrap(_VERDICT, _WIDTH), "", *wrap(_MODEL, _WIDTH)]
    for home in HOMES.values():
        lines += ["", f"events in the home '{home.name}':"]
        lines += [f"  {event.name:{width}}  {event.story}" for event in home.events.values()]
    return "\n".join(lines)
