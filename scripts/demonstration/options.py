"""The command line of `scripts/demo`."""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .furnished_homes import DEMO, HOMES, SMARTTHINGS, FurnishedHome


@dataclass(frozen=True, slots=True, kw_only=True)
class Saying:
    """One command to speak, and the texts that its answer has to hold."""

    text: str
    expect: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What the caller wants."""

    sayings: tuple[Saying, ...]
    person: str
    language: str
    new_conversation: bool
    home: FurnishedHome
    json_file: Path | None
    keep: Path | None
    password: str | None
    port: int | None
    agent: str | None


def parse(arguments: Sequence[str] | None = None) -> Options:
    """Return the options; exits with a usage message when they make no sense."""
    parser = _parser()
    given = parser.parse_args(arguments)
    return Options(
        sayings=tuple(given.say),
        person=given.person,
        language=given.language,
        new_conversation=given.new_conversation,
        home=HOMES[given.home],
        json_file=given.json.absolute() if given.json else None,
        keep=given.keep.absolute() if given.keep else None,
        password=given.password,
        port=given.port,
        agent=given.agent,
    )


class _Expect(argparse.Action):
    """Join the expected text to the command before it."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: Any,
        option_string: str | None = None,
    ) -> None:
        sayings: list[Saying] = namespace.say
        if not sayings:
            parser.error("--expect belongs to a command: give it after its --say.")
        last = sayings[-1]
        namespace.say = [*sayings[:-1], Saying(text=last.text, expect=(*last.expect, values))]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="scripts/demo",
        description="Runs SAGE in a furnished Home Assistant on this machine. Without --say it "
        "stays open for the browser until Ctrl-C.",
        epilog="It ends with 0 only when every --say went well: all of its commands were seen to "
        "have happened, or, with --expect, the answer holds that text and the home was read. "
        "Model: OPENAI_API_KEY, or SAGE_BASE_URL with SAGE_MODEL (and SAGE_API_KEY); "
        "else a small model that runs here.",
    )
    add = parser.add_argument
    add(
        "--say",
        metavar="TEXT",
        action="append",
        default=[],
        type=lambda text: Saying(text=text),
        help="say this, show what happened, and stop; may be given several times",
    )
    add("--expect", metavar="TEXT", action=_Expect, help="the answer to the last --say holds this")
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
    return parser
