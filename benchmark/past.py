"""Questions about the past: how often, how long, since when, how much, in three languages.

    python -m benchmark.past [--every N] [--rows N] [--base-url URL --model NAME [--key KEY]]

Eighty questions to a home of 1,000 entities whose recorder has sixty days of states: lights,
doors, heating, people, meters with a reset, a change of the clocks, gaps, and long-term statistics
of the time before. The right values are computed with SQL. Without a model, a scripted one makes
the right calls and says what their results say; SAGE checks its claims.

Prints a table, then one line of JSON; exits with 1 when a bound is missed:

- *right*: with the scripted model all, with another one 95 % of the answers
- *own*: milliseconds of the processor for a question in all threads, the longest: of SAGE, of the
  recorder, and of the scripted model, but not of the garbage collector, which goes through all
  that Home Assistant holds. The longest question is about 34,000 states of a sensor.
- *held*: milliseconds for which one callback of SAGE held the event loop, the longest
"""

import argparse
import asyncio
import gc
import json
import re
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from homeassistant.components.conversation import async_converse
from homeassistant.core import Context
from homeassistant.helpers.httpx_client import get_async_client
from homeassistant.runner import create_event_loop

from .fake_model_server import FakeModelServer
from .model_script import Call, Completion, Json, answer_obediently
from .overhead_home import async_add_sage
from .overhead_meter import Meter, Span
from .past_home import NOW, ZONE, database_of, past_home, past_things
from .past_questions import Expected, Question, questions
from .past_values import Values
from .simulated_time import SimulatedTime

OWN_BOUND: Final = 300.0
HELD_BOUND: Final = 20.0
RIGHT_BOUND: Final = 0.95
"""Part of the answers that has to be right with another model than the scripted one."""

_UNKNOWN: Final = {
    "en": "That is not recorded.",
    "de": "Das wird nicht aufgezeichnet.",
    "fr": "Ce n'est pas enregistré.",
}
_NAMES: Final = {each.entity_id: each.name for each in past_things()}
_FACT: Final = re.compile(r"(?:^|, )(\w+@\S+) ")


class IdealModel:
    """A scripted model that makes the calls of a question and says what their results say."""

    def __init__(self) -> None:
        self._question: Question | None = None
        self.answer = ""

    def begin(self, question: Question) -> None:
        """Answer this question from now on."""
        self._question, self.answer = question, ""

    def __call__(self, body: Json) -> Completion:
        """Return the decision of the agent that asks."""
        assert self._question is not None
        asked = self._question.asked
        tools = {each["function"]["name"] for each in body.get("tools") or ()}
        if "device_interaction" in tools:
            return _call("device_interaction", {"timing": "now", "final": True})
        if "read_attributes" not in tools:
            devices = [name for call in asked.calls for name in call["devices"]]
            step = {"action": "past", "devices": devices, "task": "read it", "doubt": ""}
            if "steps" in json.dumps(body.get("response_format") or {}):
                return Completion(text=json.dumps({"steps": [step], "missing": []}))
            return answer_obediently(body)
        if not any(message["role"] == "assistant" for message in body["messages"]):
            calls = [Call(name="read_attributes", arguments=each) for each in asked.calls]
            return Completion(calls=calls)
        return self._finish(body, asked.expected)

    def _finish(self, body: Json, expected: Sequence[Expected]) -> Completion:
        assert self._question is not None
        seen = _facts(body)
        if any((each.entity, each.fact) not in seen for each in expected) or not expected:
            self.answer = _UNKNOWN[self._question.language]
            given = {"kind": "could_not", "about": ["home"], "claims": [], "answer": self.answer}
            return _call("finish", given)
        claims: list[Json] = []
        said: list[str] = []
        for each in expected:
            value = seen[each.entity, each.fact].strip('"')
            said.append(f"{_NAMES[each.entity]}: {value}")
            claims.append(
                {
                    "devices": [each.entity],
                    "result": "read",
                    "attribute": each.fact,
                    "value": value,
                }
            )
        self.answer = f"{', '.join(said)}."
        return _call(
            "finish",
            {"kind": "answered", "about": ["home"], "claims": claims, "answer": self.answer},
        )


def _call(name: str, arguments: Mapping[str, Any]) -> Completion:
    return Completion(calls=[Call(name=name, arguments=arguments)])


def _facts(body: Json) -> dict[tuple[str, str], str]:
    """Return what tools have said of the past: entity id and name of the fact -> value."""
    facts: dict[tuple[str, str], str] = {}
    for message in body["messages"][1:]:
        for line in str(message.get("content") or "").splitlines():
            head, _, values = line.partition(": ")
            parts = _FACT.split(values)
            entity = head.rpartition(" ")[2]
            facts |= {
                (entity, name): value for name, value in zip(parts[1::2], parts[2::2], strict=False)
            }
    return facts


# ------------------------------------------------------------ judging

_DURATION: Final = re.compile(
    r"(?=\d)(?:(\d+):(\d\d):(\d\d)"
    r"|(?:(\d+(?:[.,]\d+)?)\s*(?:h|hours?|st\w*|heures?)\b)?[\s,]*(?:and|und|et)?\s*"
    r"(?:(\d+(?:[.,]\d+)?)\s*m\w*)?[\s,]*(?:and|und|et)?\s*(?:(\d+)\s*s\w*)?)",
    re.IGNORECASE,
)
_WORDS: Final = {
    word: number
    for words in (
        "zero one two three four five six seven eight nine ten eleven twelve",
        "null ein zwei drei vier fünf sechs sieben acht neun zehn elf zwölf",
        "zéro une deux trois quatre cinq six sept huit neuf dix onze douze",
    )
    for number, word in enumerate(words.split())
}


def is_said(answer: str, expected: Expected, value: float) -> bool:
    """Return whether an answer says a value, however it is written."""
    match expected.kind:
        case "duration":
            return any(abs(each - value) <= max(90, value * 0.03) for each in _durations(answer))
        case "time":
            moment = datetime.fromtimestamp(value, ZONE)
            hours = {moment.hour, moment.hour % 12 or 12}
            return any(
                re.search(rf"(?<!\d)0?{hour} ?[:h.] ?{moment.minute:02}", answer) for hour in hours
            )
        case "count":
            words = re.findall(r"[^\W\d]+", answer.casefold())
            named = [
                _WORDS[each.removesuffix("mal")]
                for each in words
                if each.removesuffix("mal") in _WORDS
            ]
            return round(value) in [*named, *_numbers(answer)]
    # "4.1 °C colder" says the sign of a difference in words.
    numbers = [*_numbers(answer), *(-each for each in _numbers(answer) if value < 0)]
    return any(abs(each - value) <= max(0.06, abs(value) * 0.01) for each in numbers)


def _durations(text: str) -> list[float]:
    found: list[float] = []
    for match in _DURATION.finditer(text):
        numbers = [float((each or "0").replace(",", ".")) for each in match.groups()]
        hours, minutes, seconds = numbers[:3] if match[1] else numbers[3:]
        found.append(hours * 3600 + minutes * 60 + seconds)
    return found


def _numbers(text: str) -> list[float]:
    return [
        float(each.replace(",", ".").replace("−", "-"))
        for each in re.findall(r"[-−]?\d+(?:[.,]\d+)?", text)
    ]


# ------------------------------------------------------------ measuring


class Collector:
    """Measures the garbage collector, in whichever thread it runs."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self._began = 0.0

    def __call__(self, phase: str, _: Mapping[str, int]) -> None:
        """Note the start or end of a collection, in time of the processor."""
        if phase == "start":
            self._began = time.thread_time()
        else:
            self.seconds += time.thread_time() - self._began


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """What became of a question."""

    question: Question
    answer: str
    wanted: Sequence[str]
    is_right: bool
    own: float
    """Milliseconds."""

    held: float
    """Milliseconds."""


async def async_measure(
    folder: Path, clock: SimulatedTime, every: int, rows: int, model: Mapping[str, str]
) -> list[Result]:
    """Return what became of the questions; `folder` is empty."""
    ideal, meter, collector = IdealModel(), Meter(), Collector()
    gc.callbacks.append(collector)
    with FakeModelServer(ideal, models=("measured",)) as server:
        async with past_home(folder, rows) as hass:
            with meter.installed():
                own: dict[str, Any] = {}
                if model:
                    own = {"model": model["model"], "api_key": model["key"]}
                entry = await async_add_sage(
                    hass,
                    model.get("base_url", server.url),
                    {"native": {"decision_format": "native"}},
                    **own,
                )
                for agent in entry.runtime_data.agents.values():
                    meter.watch_client(agent.settings.model._model._client)  # noqa: SLF001
                meter.watch_http(get_async_client(hass))
                results = []
                asked = [*questions(every)]
                # The first one fills caches, and is not counted.
                for question in (asked[0], *asked):
                    ideal.begin(question)
                    asking = async_converse(
                        hass,
                        question.said,
                        None,
                        Context(),
                        language=question.language,
                        agent_id="conversation.native",
                    )
                    began, collected = time.process_time(), collector.seconds
                    heard, span = await meter.async_span(asking)
                    own_time = time.process_time() - began - (collector.seconds - collected)
                    answer = str(heard.response.speech["plain"]["speech"])
                    said = "" if model else ideal.answer
                    results.append(_judged(folder, clock, question, answer, said, span, own_time))
                    await hass.async_block_till_done()
                return results[1:]


def _judged(
    folder: Path,
    clock: SimulatedTime,
    question: Question,
    answer: str,
    said: str,
    span: Span,
    own: float,
) -> Result:
    values = Values(database_of(folder), clock.time())
    expected = [(each, each.compute(values)) for each in question.asked.expected]
    is_right = all(is_said(answer, *each) for each in expected) and bool(answer)
    if not expected:
        is_right = not any(_durations(answer))
    longest = span.longest(ours=True)
    return Result(
        question=question,
        answer=answer,
        wanted=[f"{each.fact} {value:.2f}" for each, value in expected],
        # Code must not have replaced a right answer.
        is_right=is_right and answer == (said or answer),
        own=1000 * own,
        held=1000 * longest.cpu if longest is not None else 0.0,
    )


def figures_of(results: Sequence[Result], *, is_ideal: bool) -> dict[str, Any]:
    """Return the figures and the bounds that do not hold."""
    right = sum(each.is_right for each in results)
    own, held = max(each.own for each in results), max(each.held for each in results)
    missed = []
    if right < len(results) * (1 if is_ideal else RIGHT_BOUND):
        missed.append("right answers")
    if own > OWN_BOUND:
        missed.append("own time")
    if held > HELD_BOUND:
        missed.append("the event loop is held")
    return {
        "benchmark": "past",
        "questions": len(results),
        "right": right,
        "own_ms": round(own, 1),
        "held_ms": round(held, 1),
        "missed": missed,
    }


def show(results: Sequence[Result]) -> None:
    """Print the table for people."""
    print(f"{'question':<82}{'right':>6}{'own':>8}{'held':>8}")
    for each in results:
        said = f"{each.question.language} {each.question.said}"
        print(
            f"{said[:80]:<82}{'yes' if each.is_right else 'NO':>6}{each.own:>8.1f}{each.held:>8.1f}"
        )
        if not each.is_right:
            print(f"   answer: {each.answer}\n   wanted: {'; '.join(each.wanted) or 'nothing'}")


def main() -> int:
    """Measure and print; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmark.past", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--every", type=int, default=1, help="ask each N-th question only")
    parser.add_argument(
        "--rows",
        type=int,
        default=24,
        help="a day of each other entity; 0: no others",
    )
    parser.add_argument("--base-url", help="of a model: http://.../v1")
    parser.add_argument("--model", default="")
    parser.add_argument("--key", default="")
    given = parser.parse_args()
    model = {}
    if given.base_url:
        model = {"base_url": given.base_url, "model": given.model, "key": given.key}
    with (
        tempfile.TemporaryDirectory(prefix="sage-past-") as name,
        asyncio.Runner(loop_factory=create_event_loop) as runner,
        ExitStack() as stack,
    ):
        clock = SimulatedTime(NOW.astimezone(UTC))
        stack.enter_context(clock.installed(runner.get_loop()))
        folder = Path(name)
        results = runner.run(async_measure(folder, clock, given.every, given.rows, model))
    show(results)
    figures = figures_of(results, is_ideal=not model)
    for bound in figures["missed"]:
        print(f"MISSED  {bound}")
    print(json.dumps(figures))
    return 1 if figures["missed"] else 0


if __name__ == "__main__":
    sys.exit(main())
