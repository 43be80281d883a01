"""Plain requests without the model: how many it spares, how fast, and whether any is wrong.

    python -m benchmark.plain_requests

Says the sixty sentences of `benchmark.commands` in the demo home, and the sentences of
`benchmark.plain_sentences` in six languages. A model that knows nothing answers the others. Each
sentence that is answered without it must be right: the home is then as it should be, nothing else
has changed, and the answer holds what was asked for.

Bounds: at least 24 of the sixty without the model, at most 100 ms at the median, each plain
sentence of each language without it, none wrong, and no action for any other sentence. Prints a
table and one line of JSON; exits with 1 when a bound is missed.
"""

import asyncio
import json
import sys
import tempfile
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from types import MappingProxyType
from typing import Any, Final

from homeassistant.helpers import entity_registry as er
from homeassistant.runner import create_event_loop

from custom_components.sage.const import CONF_PLAIN_REQUESTS

from .commands.case import Case, Goal, Kind, Turn, changed, entities, misheard, unmet
from .commands.cases import CASES
from .commands.home import DEMO, CommandsHome, commands_home
from .commands.methods import SageMethod, Sentence
from .fake_model_server import FakeModelServer
from .model_script import Call, Completion
from .overhead_home import async_add_sage
from .plain_sentences import LANGUAGES

LEAST: Final = 24
"""Lower limit of the sixty sentences that need no model."""

LONGEST: Final = 100.0
"""Upper limit of the median time of a plain request in milliseconds."""

_KNOWS_NOTHING: Final = Call(
    name="finish",
    arguments={"kind": "could_not", "about": ["other"], "claims": [], "answer": "I cannot."},
)


@dataclass(slots=True)
class Series:
    """The figures of some sentences."""

    sentences: int = 0
    milliseconds: list[float] = field(default_factory=list)
    """The time of each sentence that was answered without the model."""

    wrong: list[str] = field(default_factory=list)

    def as_dict(self) -> dict[str, Any]:
        """Return the figures as JSON data."""
        times = self.milliseconds
        return {
            "sentences": self.sentences,
            "plain": len(times),
            "median_ms": round(median(times), 1) if times else 0.0,
            "longest_ms": round(max(times, default=0.0), 1),
            "wrong": self.wrong,
        }


class PlainRequests:
    """The measurement in one home."""

    def __init__(self, home: CommandsHome, entry: Any) -> None:
        self._home = home
        self._runs = entry.runtime_data.runs
        self._method = SageMethod(
            home.hass, name="sage", decision_format="native", agent_id="conversation.sage"
        )

    async def async_say(self, case: Case, series: Series) -> None:
        """Say the sentences of a case; add what became of the last one to the figures."""
        home, conversation_id = self._home, None
        await home.async_reset(case)
        for turn in case.turns:
            before, began = home.snapshot(), time.perf_counter()
            heard = await self._method.async_say(
                Sentence(
                    text=turn.said,
                    language=case.language,
                    user_id=home.user_id,
                    device_id=home.device_in(case.room),
                    conversation_id=conversation_id,
                )
            )
            seconds = time.perf_counter() - began
            conversation_id = heard.conversation_id
            await home.async_rest()
        series.sentences += 1
        after = home.snapshot()
        allowed = {*entities([goal.of for goal in turn.goals], home.members), *turn.also}
        problems = [each for each in changed(before, after) if each not in allowed]
        if self._runs.traces(home.user_id)[-1]["model_calls"] == 0:
            series.milliseconds.append(seconds * 1000)
            problems += unmet(turn.goals, after, home.members)
            problems += misheard(turn, heard.answer, is_question=heard.is_question)
        series.wrong += [f"{turn.said}: {each}" for each in problems]


async def async_measure(
    home: CommandsHome,
    cases: Mapping[str, Sequence[Case]] = MappingProxyType({"sixty": CASES}),
    languages: Iterable[str] = LANGUAGES,
) -> dict[str, Any]:
    """Return the figures of all series in this home: name -> figures.

    `cases`: name of a series -> its cases, in addition to those of the languages.
    """
    hass, figures = home.hass, dict[str, Any]()
    async with FakeModelServer() as server:
        server.say(lambda _: Completion(calls=[_KNOWS_NOTHING]))
        agents = {"sage": {"decision_format": "native"}}
        options = {CONF_PLAIN_REQUESTS: True}
        home.entry = await async_add_sage(
            hass, server.url, agents, options=options, model="test-model"
        )
        measurement = PlainRequests(home, home.entry)
        for case in CASES[:1]:
            # Home Assistant loads its sentences.
            await measurement.async_say(case, Series())
        for name, some in cases.items():
            figures[name] = Series()
            for case in some:
                await measurement.async_say(case, figures[name])
        for code in languages:
            language = LANGUAGES[code]
            for entity_id, alias in language.names.items():
                er.async_get(hass).async_update_entity(entity_id, aliases=[alias])
            await hass.async_block_till_done()
            plain = figures[f"{code} plain"] = Series()
            for said, entity_id, state, brightness in language.plain():
                wanted = {} if brightness is None else {"brightness": brightness}
                turn = Turn(said=said, goals=(Goal(entity_id, state, wanted),))
                await measurement.async_say(_case(turn, code), plain)
            others = figures[f"{code} others"] = Series()
            for said in language.others():
                await measurement.async_say(_case(Turn(said=said), code), others)
        await hass.config_entries.async_unload(home.entry.entry_id)
    return {name: series.as_dict() for name, series in figures.items()}


def _case(turn: Turn, language: str) -> Case:
    return Case(id=turn.said, kind=Kind.COMMAND, turns=(turn,), language=language)


def missed(figures: dict[str, Any]) -> list[str]:
    """Return the missed bounds, one sentence each."""
    problems = [problem for series in figures.values() for problem in series["wrong"]]
    for name, series in figures.items():
        plain, sentences = series["plain"], series["sentences"]
        if series["median_ms"] > LONGEST:
            problems.append(f"{name}: {series['median_ms']} ms at the median")
        if name == "sixty" and plain < LEAST:
            problems.append(f"only {plain} of {sentences} sentences without the model")
        if name.endswith("plain") and plain < sentences:
            problems.append(f"{name}: {sentences - plain} needed the model")
        if name.endswith("others") and plain:
            problems.append(f"{name}: {plain} were answered without the model")
    return problems


async def _async_run() -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        async with commands_home(Path(folder), DEMO) as home:
            return await async_measure(home)


def main() -> int:
    """Measure, print the figures, and return 1 if a bound is missed."""
    with asyncio.Runner(loop_factory=create_event_loop) as runner:
        figures = runner.run(_async_run())
    print(f"{'':12}{'sentences':>10}{'plain':>8}{'median ms':>11}{'longest ms':>12}{'wrong':>7}")
    for name, row in figures.items():
        print(
            f"{name:12}{row['sentences']:>10}{row['plain']:>8}{row['median_ms']:>11}"
            f"{row['longest_ms']:>12}{len(row['wrong']):>7}"
        )
    problems = missed(figures)
    for problem in problems:
        print(f"missed: {problem}")
    print(json.dumps({"series": figures, "missed": problems}, ensure_ascii=False))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
