"""What two people say in the soak, and what they have to hear.

SAGE stores each sentence that is new, and searches it. So everybody has a fixed stock of
sentences, facts and routines, all said within the longest warm-up: afterwards nothing is new.
"""

import asyncio
import itertools
import random
import re
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Any, Final

from scripts.demonstration.client import Client, HomeAssistantError

from .model_script import Answer
from .soak_model import FAULTS, HANG, LASTS, SoakModel

ROUTINES: Final = 25
"""Of each person; they stay."""

NUMBERS: Final = 60
"""Numbers that a person's sentences hold; a round of stories takes six of them."""

_SHOWN: Final = 20
"""Wrong answers that are kept for the report."""

_EARLIER: Final = 5
"""Number of other facts between a fact and the question about it."""

_SENSORS: Final = ("fridge", "garden climate", "bedroom climate")
_CHORES: Final = "water the plants"


@dataclass(slots=True)
class Tally:
    """What was said and heard by everybody."""

    said: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    wrongs: int = 0
    silent: int = 0
    """Requests that got no sentence."""

    away: Counter[str] = field(default_factory=Counter)
    """What Home Assistant itself answered, and how often: SAGE was being reloaded."""

    def miss(self, what: str) -> None:
        """Note something that is not as it should be."""
        self.wrongs += 1
        if len(self.wrong) < _SHOWN:
            self.wrong.append(what)


class Talker:
    """One person who talks to SAGE by the pipeline, as Assist does."""

    def __init__(
        self, name: str, client: Client, pipeline: str, model: SoakModel, tally: Tally
    ) -> None:
        self.name = name
        self.facts: dict[str, str] = {}
        """Acknowledged facts, by subject."""

        self._client = client
        self._pipeline = pipeline
        self._model = model
        self._tally = tally
        self._numbers = itertools.cycle(range(1, NUMBERS + 1))
        self._chance = random.Random(name)
        self._conversation: str | None = None
        self._lamps = _LAMPS[name]
        self._settings = itertools.cycle(itertools.product(self._lamps, range(10, 100, 10)))
        self._pace = 0.0
        self._fires = False
        """The routine of `_firing` is set up."""

        self._has_time = False
        """Enough is left to wait for a server that says nothing."""

    async def say(self, text: str, kind: str) -> str:
        """Say something; return what is heard, of SAGE or of Home Assistant."""
        if self._pace:
            await asyncio.sleep(self._pace)
        self._tally.said[kind] += 1
        events = self._client.assist(
            text, pipeline=self._pipeline, conversation_id=self._conversation, patience=300
        )
        heard = ""
        try:
            async with aclosing(events):
                async for event in events:
                    if event["type"] == "run-end":
                        break
                    if event["type"] == "intent-end":
                        output = event["data"]["intent_output"]
                        self._conversation = output["conversation_id"]
                        heard = output["response"]["speech"].get("plain", {}).get("speech", "")
                    elif event["type"] == "error":
                        heard = event["data"]["message"]
                        self._tally.away[heard] += 1
        except HomeAssistantError as error:
            heard = str(error)
            self._tally.away[heard] += 1
        if not heard.strip():
            self._tally.silent += 1
            self._tally.miss(f"{self.name}: {text!r} got no sentence")
        return heard

    async def expect(self, kind: str, text: str, pattern: str) -> str:
        """Say something, and note if what is heard is something else."""
        heard = await self.say(text, kind)
        if not re.fullmatch(pattern, heard):
            self._tally.miss(f"{self.name}: {text!r} got {heard!r}, not {pattern!r}")
        return heard

    async def async_set_up(self) -> None:
        """Have routines set up that stay: most by conditions on what changes, some by time."""
        for number in range(ROUTINES):
            self._conversation = None
            if number % 5 == 4:
                text = f"tell me every day at 0{number % 9}:{10 + number} to {_CHORES}"
                await self.expect("routine set up", text, r"All right\. Every day at .*")
                continue
            await self._watch(_SENSORS[number % 3], 100 + number)

    async def _watch(self, name: str, limit: int) -> None:
        said = f"All right\\. .*the {name} is over {limit}.*"
        await self.expect("routine set up", f"tell me when the {name} is over {limit}", said)

    async def async_talk(self, seconds: float, pace: float) -> None:
        """Hold dialogs for `seconds`, with at least `pace` seconds between two commands."""
        self._pace = pace
        loop = asyncio.get_running_loop()
        end = loop.time() + seconds
        stories = itertools.cycle(self._stories())
        while (left := end - loop.time()) > 0:
            self._has_time = left > _HANG_SECONDS
            self._conversation = None
            await next(stories)()
        if self._fires:
            await self._finish_firing()
        self._pace = 0.0

    async def async_chat_until(self, over: asyncio.Event) -> None:
        """Say simple things, whatever is heard, until it is over."""
        for number in itertools.count():
            if over.is_set():
                return
            self._conversation = None
            lamp = self._lamps[number % len(self._lamps)]
            await asyncio.sleep(_BETWEEN)
            await self.say(f"set the {lamp} to {10 + number % 80} percent", "during reloads")

    def _stories(self) -> Sequence[Callable[[], Awaitable[None]]]:
        return (
            self._dialogue,
            self._question,
            self._dialogue,
            self._memory,
            self._confirmation,
            self._firing,
            self._question,
            self._fault,
            self._dialogue,
            self._routine,
            self._forgetting,
            self._asked,
            self._lasting_fault,
            self._slow,
        )

    async def _dialogue(self) -> None:
        lamp, level = next(self._settings)
        said = f"set the {lamp} to {level} percent"
        await self.expect("direct", said, f"The {lamp} is at {level} percent\\.")
        await self.expect("follow-up", "now turn it off", f"The {lamp} is off\\.")
        await self.expect("undo", "put it back", "It is as it was\\.")
        await self.expect("question", f"is the {lamp} on?", f"The {lamp} is on\\.")

    async def _question(self) -> None:
        await self.expect(
            "question", "how warm is the fridge?", r"It is \d(\.\d)? degrees in the fridge\."
        )

    async def _memory(self) -> None:
        number = next(self._numbers)
        subject, value = f"{_word(number)} badge", f"{_word(number * 37 + len(self.name))}"
        heard = await self.expect(
            "memory", f"remember that my {subject} is {value}", f"I will remember your {subject}\\."
        )
        if heard.startswith("I will"):
            self.facts[subject] = value
        told = list(self.facts)
        if subject in told:
            await self.recall(told[(told.index(subject) - _EARLIER) % len(told)])

    async def recall(self, subject: str) -> None:
        """Ask for an earlier fact."""
        self._conversation = None
        right = f"Your {subject} is {self.facts[subject]}\\."
        await self.expect("recall", f"what is my {subject}?", right)

    async def async_recall_something(self) -> None:
        """State a fact and ask for one, in a new conversation."""
        self._conversation = None
        await self._memory()

    async def _confirmation(self) -> None:
        """Say no to something risky, then yes; then undo it."""
        risky, safe, name = _DOORS[self.name]
        asked = f"Shall I really {risky} .*"
        await self.expect("confirmation", f"{risky} the {name}", asked)
        await self.expect("confirmation", "no", ".+")
        self._conversation = None
        await self.expect("confirmation", f"{risky} the {name}", asked)
        await self.expect("confirmation", "yes", f"The {name}: {risky}\\.")
        await self.expect("direct", f"{safe} the {name}", f"The {name}: {safe}\\.")

    async def _forgetting(self) -> None:
        value = _word(next(self._numbers))
        await self.expect(
            "memory", f"remember that my dentist is {value}", "I will remember your dentist\\."
        )
        await self.expect("forgetting", "forget my dentist", f"Shall I forget .*{value}.*")
        await self.expect("forgetting", "yes", "I forgot your dentist\\.")
        self._conversation = None
        await self.expect("forgetting", "what is my dentist?", "I do not know that\\.")

    async def _firing(self) -> None:
        """Set up a routine that fires every few seconds; delete it once it has fired."""
        limit = _OFTEN[self.name]
        if not self._fires:
            await self._watch("fridge", limit)
            self._fires = True
        elif await self._has_fired():
            said = f"stop watching for over {limit}"
            await self.expect("routine fired", said, f".*over {limit}.*")
            self._fires = False

    async def _has_fired(self) -> bool:
        return any(each["fired"] for each in await self._routines())

    async def _finish_firing(self) -> None:
        """Wait until the routine of `_firing` has fired, and delete it."""
        self._conversation = None
        for _ in range(_FIRES_WITHIN):
            await self._firing()
            if not self._fires:
                return
            await asyncio.sleep(1)
        self._tally.miss(f"{self.name}: a routine has not fired")

    async def _routines(self) -> list[dict[str, Any]]:
        listed = await self._client.call(
            "call_service", domain="sage", service="list_routines", return_response=True
        )
        routines: list[dict[str, Any]] = listed["response"]["routines"]
        return routines

    async def _asked(self) -> None:
        lamp = self._chance.choice(self._lamps)
        await self.expect("question back", "dim the light", "Which light\\?")
        await self.expect("question back", f"the {lamp}", f"The {lamp} is at 12 percent\\.")

    async def _routine(self) -> None:
        number = next(self._numbers)
        limit = 1000 + number
        await self._watch(_SENSORS[number % len(_SENSORS)], limit)
        await self.expect(
            "routine deleted",
            f"stop watching for over {limit}",
            f".*over {limit}.*",
        )

    async def _fault(self) -> None:
        """Have the model fail once: the answer is right all the same, or says why it is not."""
        await self._troubled([self._chance.choice(FAULTS)], "fault once")

    async def _lasting_fault(self) -> None:
        """Make the model fail permanently, sometimes by an empty reply."""
        hangs = self._chance.random() < _HANGS and self._has_time
        trouble = HANG if hangs else self._chance.choice(FAULTS)
        await self._troubled([trouble] * (1 if trouble is HANG else LASTS), "fault for good")

    async def _troubled(self, troubles: Sequence[Answer], kind: str) -> None:
        number = next(self._numbers)
        text = f"tell me story number {number}{_OF[self.name]}"
        self._model.trouble(text, troubles)
        right = f"Once upon a time there was a lamp with the number {number}{_OF[self.name]}\\."
        heard = await self.say(text, kind)
        self._model.calm(text)
        if re.fullmatch(right, heard) is None and _INTERNAL in heard:
            self._tally.miss(f"{self.name}: {text!r} ({troubles[0]}) got {heard!r}")

    async def _slow(self) -> None:
        number = next(self._numbers)
        right = f"It took its time, number {number}\\."
        await self.expect("slow model", f"tell me long story number {number}", right)

    async def async_check(self) -> dict[str, Any]:
        """Return how many facts and routines are still there, and note those that are lost."""
        kept = await self._client.call(
            "call_service",
            domain="sage",
            service="export_memory",
            return_response=True,
        )
        texts = str(kept["response"])
        lost = [
            f"My {subject} is {value}."
            for subject, value in self.facts.items()
            if f"My {subject} is {value}." not in texts
        ]
        routines = await self._routines()
        watching = [each for each in routines if each["status"] == "watching"]
        if len(watching) != ROUTINES or len(routines) != ROUTINES:
            self._tally.miss(f"{self.name} has {len(routines)} routines, {len(watching)} watched")
        for each in lost:
            self._tally.miss(f"{self.name}: {each!r} is lost")
        return {"facts": len(self.facts), "lost": len(lost), "routines": len(watching)}


_LAMPS: Final = {
    "owner": ("kitchen light", "bedroom light", "bathroom light"),
    "alex": ("dresser light", "floor lamp", "garden lights"),
}
_DOORS: Final = {
    "owner": ("open", "close", "garage door"),
    "alex": ("unlock", "lock", "front door"),
}
_OFTEN: Final = {"owner": 4, "alex": 5}
"""The fridge passes these degrees every 15 seconds."""

_FIRES_WITHIN: Final = 120
"""Seconds."""

_OF: Final = {"owner": "1", "alex": "2"}
_HANGS: Final = 0.05
_HANG_SECONDS: Final = 150.0
_BETWEEN: Final = 0.1
"""Seconds between two requests while SAGE is reloaded again and again."""

_INTERNAL: Final = "went wrong inside"
"""Part of the sentence about an internal error of SAGE."""
_SYLLABLES: Final = ("ba", "de", "fi", "go", "ku", "la", "me", "ni", "po", "ru")


def _word(number: int) -> str:
    """Return a word for a number, so that facts are about different things."""
    return "".join(_SYLLABLES[int(digit)] for digit in f"{number:04}")
