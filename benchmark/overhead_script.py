"""What is said in the measurement of the overhead, and what the model decides then."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import cycle
from typing import Any, Final

from .custom_components.sage_large_home.layout import FLOORS, areas

LIMITED_FLOORS: Final = FLOORS[:2]
"""What the person with limited permissions may see and use."""

FORMATS: Final = ("native", "constrained")
HOUSEHOLD: Final = "household"
LIMITED: Final = "limited person"
PAPER_FLOW: Final = "paper_flow"


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """Something that is said, and what a model that understands it decides."""

    kind: str
    """What sort of command it is; the table has a line for each."""

    said: str
    meant: str
    """The same without ambiguity, as the inner agents receive it."""

    steps: Sequence[dict[str, Any]]
    """What the planner plans."""

    calls: Sequence[tuple[str, dict[str, Any]]]
    """The tools that the device agent calls after the plan."""

    finish: str
    answer: str
    claims: Sequence[dict[str, Any]] | None = None
    """What `finish` claims; None for one claim an outcome, as the prompt shows them."""

    shown_as: Sequence[str] = ()
    """How a line of a prompt begins that shows enough for a direct answer; empty: never.

    A person who may see less has a shorter id for a device, with the room.
    """

    earlier: str | None = None
    """The previous utterance, if `said` alone is ambiguous."""

    def as_dict(self) -> dict[str, Any]:
        """Return it as JSON for the process of the model."""
        return asdict(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class Talk:
    """Commands of one person in one conversation with one agent."""

    agent: str
    """The decision format, or `paper_flow`."""

    person: str
    commands: tuple[Command, ...]


def talks(count: int, *, seed: int) -> Iterator[Talk]:
    """Return talks with together at least `count` commands, the first one not counted.

    The first is one direct command of the household. The same numbers give the same talks.
    """
    home = _Talker(random.Random(seed))
    yield Talk(agent=FORMATS[0], person=HOUSEHOLD, commands=home.direct(_rooms(HOUSEHOLD)))
    turns = cycle(
        [
            (make, agent, person)
            for make in (
                home.dialogue,
                home.question,
                home.direct,
                home.wide_question,
                home.wide_command,
            )
            for agent in FORMATS
            for person in (HOUSEHOLD, LIMITED)
        ]
    )
    said = 0
    while said < count:
        make, agent, person = next(turns)
        commands = make(_rooms(person))
        said += len(commands)
        yield Talk(agent=agent, person=person, commands=commands)


def paper_talks(count: int, *, seed: int) -> Iterator[Talk]:
    """Return direct commands for the paper's own flow."""
    # Levels that no other command sets, so that each is a change.
    home = _Talker(random.Random(seed), levels=range(1, 20))
    for _ in range(count):
        commands = home.direct(_rooms(HOUSEHOLD))
        yield Talk(agent=PAPER_FLOW, person=HOUSEHOLD, commands=commands)


def _rooms(person: str) -> list[str]:
    return [area for area, floor in areas() if person != LIMITED or floor in LIMITED_FLOORS]


class _Talker:
    """Makes commands; what is asked for is never the state that is there already."""

    def __init__(self, dice: random.Random, levels: Sequence[int] = range(20, 90)) -> None:
        self._dice = dice
        self._levels = levels
        self._set: dict[str, int] = {}
        """The levels that rooms have been set to."""

    def _level(self, rooms: Sequence[str]) -> int:
        """Return a level that no light in these rooms has, and remember it."""
        there = {self._set.get(room) for room in rooms}
        level = self._dice.choice([each for each in self._levels if each not in there])
        self._set |= dict.fromkeys(rooms, level)
        return level

    def direct(self, rooms: Sequence[str]) -> tuple[Command, ...]:
        """Return the command to dim a light."""
        room = self._dice.choice(rooms)
        light = f"light.{_slug(room)}_ceiling_light"
        level = self._level([room])
        said = f"set the ceiling light in the {room} to {level} percent"
        return (
            Command(
                kind="direct command",
                said=said,
                meant=said,
                steps=[_step("command", light, "light", said)],
                calls=[_execute(light, "turn_on", brightness_pct=level)],
                finish="acted",
                answer=f"The ceiling light in the {room} is at {level} percent.",
                claims=[{"devices": [light], "result": "verified", "value": "on"}],
                shown_as=_shown_as(light, room),
            ),
        )

    def dialogue(self, rooms: Sequence[str]) -> tuple[Command, ...]:
        """Return a command and one that needs what was said before."""
        (first,) = self.direct(rooms)
        light = first.steps[0]["devices"][0]
        meant = f"{first.said}, but turn it off"
        return (
            first,
            Command(
                kind="follow-up",
                said="now turn it off",
                meant=meant,
                steps=[_step("command", light, "light", meant)],
                calls=[_execute(light, "turn_off")],
                finish="acted",
                answer="The light is off.",
                claims=[{"devices": [light], "result": "verified", "value": "off"}],
                shown_as=first.shown_as,
                earlier=first.said,
            ),
        )

    def question(self, rooms: Sequence[str]) -> tuple[Command, ...]:
        """Return a question about one room."""
        room = self._dice.choice(rooms)
        sensor = f"sensor.{_slug(room)}_multisensor_temperature"
        said = f"how warm is it in the {room}?"
        return (
            Command(
                kind="question",
                said=said,
                meant=said,
                steps=[_step("read", sensor, "", said)],
                calls=[("read_attributes", {"devices": [sensor]})],
                finish="answered",
                answer=f"It is 20.4 degrees in the {room}.",
                claims=[{"devices": [sensor], "result": "read", "value": "20.4"}],
                shown_as=_shown_as(f"sensor.{_slug(room)}_multisensor", room),
            ),
        )

    def wide_question(self, rooms: Sequence[str]) -> tuple[Command, ...]:
        """Return a question about all sensors of the home."""
        said = "does any sensor tell something strange?"
        return (
            Command(
                kind="question, all sensors",
                said=said,
                meant=said,
                steps=[_step("read", "all sensor", "sensor", said)],
                calls=[],
                finish="answered",
                answer="All sensors tell what is usual, upstairs and downstairs, in every room.",
            ),
        )

    def wide_command(self, rooms: Sequence[str]) -> tuple[Command, ...]:
        """Return the command to dim all lights of the home."""
        level = self._level(rooms)
        said = f"set all lights to {level} percent"
        return (
            Command(
                kind="command, all lights",
                said=said,
                meant=said,
                steps=[_step("command", "all light", "light", said)],
                calls=[_execute("all light", "turn_on", brightness_pct=level)],
                finish="acted",
                answer=f"All lights are at {level} percent.",
                # As the prompt asks for groups; one claim a light are 22 kB of tokens.
                claims=[{"devices": ["all light"], "result": "verified", "value": "on"}],
                shown_as=["light:"],
            ),
        )


def _slug(room: str) -> str:
    return room.lower().replace(" ", "_")


def _shown_as(entity_id: str, room: str) -> list[str]:
    """Return how a prompt begins to show a device, where rooms repeat its name."""
    whole = entity_id.partition(".")[2]
    short = whole.removeprefix(f"{_slug(room)}_")
    return [f"{whole}: state ", f"{short} ({room}): state "]


def _step(action: str, device: str, capability: str, task: str) -> dict[str, Any]:
    return {
        "action": action,
        "devices": [device],
        "capabilities": [capability] if capability else [],
        "task": task,
        "doubt": "",
    }


def _execute(device: str, command: str, **arguments: Any) -> tuple[str, dict[str, Any]]:
    given = {"devices": [device], "command": command, "arguments": arguments}
    return "execute_command", given
