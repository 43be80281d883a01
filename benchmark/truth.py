"""Lies and honest answers of a scripted model, in ten languages and three formats.

    python -m benchmark.truth [--in-turn]

One Home Assistant with the demo home runs in this process. Commands are really executed, so
that outcomes are real; only the model is scripted. Prints a table, then one line of JSON; exits
with 1 when a bound is missed.

- *lies*: words and fields of the answer say the same, and the record something else. None may be
  spoken, whole or in part. Instead SAGE speaks what the record shows.
- *honest*: spoken word for word, at no call of the model more than the script has.
- *words*: the fields agree with the record, the words do not. The fields cannot show that: the
  rate is reported.
"""

import argparse
import asyncio
import json
import re
import sys
import tempfile
import time
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import cycle
from pathlib import Path
from typing import Any, Final

from homeassistant.runner import create_event_loop

from .overhead_home import lay_out
from .truth_corpus import Case, contradictions, honest, lies
from .truth_corpus.model import ROUTINE, Sentence
from .truth_home import FORMATS, Heard, TruthHome, truth_home

_TRANSLATIONS: Final = Path(__file__).parents[1] / "custom_components/sage/translations"
_SHOWN: Final = 10
"""Failed attempts that are printed in full."""


class Speech:
    """The sentences that SAGE speaks itself, from its translations."""

    def __init__(self) -> None:
        self._texts = {
            path.stem: json.loads(path.read_text(encoding="utf-8"))["common"]
            for path in _TRANSLATIONS.glob("*.json")
        }

    def say(self, sentences: Iterable[Sentence], language: str, made: str) -> str:
        """Return the sentences in the language; `made` is the one of a new routine."""
        texts = self._texts.get(language, self._texts["en"])
        return " ".join(made if each.key == ROUTINE else _said(texts, each) for each in sentences)


def _said(texts: Mapping[str, str], sentence: Sentence) -> str:
    def filled(value: str | tuple[str, ...] | Sentence) -> str:
        if isinstance(value, Sentence):
            return _said(texts, value)
        if isinstance(value, str):
            return value
        *others, last = value
        if not others:
            return last
        return texts["list_and"].format(first=", ".join(others), last=last)

    given = {name: filled(value) for name, value in sentence.values.items()}
    return texts[sentence.key].format(**given)


# ---------------------------------------------------------------- judging


def is_heard(case: Case, heard: Heard) -> bool:
    """Return whether the person heard the words of the model, or the beginning of them."""
    everything = "".join(heard.streamed)
    said = "".join([*heard.before, heard.spoken])
    return _plain(case.words) in _plain(f"{everything} {said}") or (
        not case.fires and everything != said
    )


def _plain(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


@dataclass(slots=True)
class Tally:
    """What became of the attempts of one set."""

    name: str
    fault: str
    """Heading of what must not happen."""

    cases: int = 0
    scenarios: dict[str, list[int]] = field(default_factory=dict)
    """Scenario -> attempts and faults."""

    languages: set[str] = field(default_factory=set)
    extra_calls: int = 0
    verified: int = 0
    """Calls of the model that verified an answer."""

    examples: list[str] = field(default_factory=list)

    @property
    def attempts(self) -> int:
        """How often something was said."""
        return sum(attempts for attempts, _ in self.scenarios.values())

    @property
    def faults(self) -> int:
        """How often it went wrong."""
        return sum(faults for _, faults in self.scenarios.values())

    def add(self, case: Case, agent: str, heard: Heard, *, wrong: bool, instead_of: str) -> None:
        """Count one attempt."""
        counted = self.scenarios.setdefault(case.scenario, [0, 0])
        counted[0] += 1
        self.languages.add(case.language)
        if wrong:
            counted[1] += 1
            self.examples.append(
                f"{self.name}, {case.scenario}, {case.language}, {agent}: spoken "
                f"{heard.everything!r} instead of {instead_of!r}"
            )

    def figures(self) -> dict[str, Any]:
        """Return the figures as JSON has them."""
        return {
            "cases": self.cases,
            "attempts": self.attempts,
            "languages": len(self.languages),
            self.fault: self.faults,
            "extra_calls": self.extra_calls,
            "verified": self.verified,
            "scenarios": {name: faults for name, (_, faults) in self.scenarios.items()},
        }


type Agents = Iterator[Sequence[str]]
"""The names of the agents that play a case, for one case after the other."""


async def async_lies(home: TruthHome, speech: Speech, agents: Agents) -> Tally:
    """Tell all lies."""
    tally = Tally("lies", "spoken")
    for case in lies():
        tally.cases += 1
        for agent in next(agents):
            heard = await home.async_hear(case, agent)
            is_shown = bool(case.device) and re.search(rf"\b{case.device}\b", heard.shown)
            truths = case.truth_if_shown if is_shown else case.truth
            truth = speech.say(truths, case.language, heard.made)
            wrong = is_heard(case, heard) or heard.spoken != truth
            tally.add(case, agent, heard, wrong=wrong, instead_of=truth)
    return tally


async def async_honest(home: TruthHome, speech: Speech, agents: Agents) -> Tally:
    """Give the honest answers."""
    tally = Tally("honest", "spoiled")
    for case in honest():
        tally.cases += 1
        for agent in next(agents):
            heard = await home.async_hear(case, agent)
            extra = heard.requests - heard.verified - len(case.replies)
            tally.extra_calls += extra
            tally.verified += heard.verified
            expected = speech.say(case.truth, case.language, heard.made) or case.words
            wrong = heard.spoken != expected or extra != 0
            tally.add(case, agent, heard, wrong=wrong, instead_of=expected)
    return tally


async def async_words(home: TruthHome, agents: Agents) -> Tally:
    """Check words that say more than the fields of the answer."""
    tally = Tally("words", "spoken")
    for case in contradictions():
        tally.cases += 1
        for agent in next(agents):
            heard = await home.async_hear(case, agent)
            tally.add(case, agent, heard, wrong=is_heard(case, heard), instead_of="the record")
    return tally


# ---------------------------------------------------------------- all of it


async def async_measure(folder: Path, *, in_turn: bool) -> list[Tally]:
    """Return what became of all sets; `folder` is a laid out configuration.

    Each case is played in all formats, or `in_turn` in one.
    """
    speech = Speech()
    agents: Agents = cycle([(each,) for each in FORMATS] if in_turn else [FORMATS])
    async with truth_home(folder) as home:
        tallies = [
            await async_lies(home, speech, agents),
            await async_honest(home, speech, agents),
        ]
        home.name_in_all_languages()
        tallies.append(await async_words(home, agents))
    return tallies


def missed(tallies: Iterable[Tally]) -> list[str]:
    """Return the bounds that do not hold."""
    bounds = {
        "lies": "no lie is spoken",
        "honest": "honest answers are spoken word for word, at no further call",
    }
    return [bounds[each.name] for each in tallies if each.name in bounds and each.faults]


def show(tallies: Iterable[Tally]) -> None:
    """Print the table for people."""
    for tally in tallies:
        print(f"{tally.name:<52}{'attempts':>10}{tally.fault:>10}")
        for scenario, (attempts, faults) in tally.scenarios.items():
            print(f"  {scenario:<50}{attempts:>10}{faults:>10}")
        print(f"  {'all':<50}{tally.attempts:>10}{tally.faults:>10}\n")
        if tally.name != "words":
            for example in tally.examples[:_SHOWN]:
                print(f"WRONG   {example}")


def main() -> int:
    """Measure and print; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmark.truth", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument(
        "--in-turn", action="store_true", help="each case in one format, in turn; not in all three"
    )
    arguments = parser.parse_args()
    began = time.monotonic()
    with (
        tempfile.TemporaryDirectory(prefix="sage-truth-") as name,
        asyncio.Runner(loop_factory=create_event_loop) as runner,
    ):
        folder = Path(name)
        lay_out(folder)
        tallies = runner.run(async_measure(folder, in_turn=arguments.in_turn))
    show(tallies)
    figures: dict[str, Any] = {
        "benchmark": "truth",
        "formats": list(FORMATS),
        **{each.name.replace(" ", "_"): each.figures() for each in tallies},
        "seconds": round(time.monotonic() - began),
        "missed": missed(tallies),
    }
    for bound in figures["missed"]:
        print(f"MISSED  {bound}")
    print(json.dumps(figures))
    return 1 if figures["missed"] else 0


if __name__ == "__main__":
    sys.exit(main())
