"""How well Whisper understands the sixty sentences, and what SAGE still does from the transcripts.

    python -m benchmark.voice [--base-url URL --model NAME [--api-key KEY]]

Piper, whose voice is English, speaks the English sentences of `benchmark.commands` with silence
around each, and Whisper writes them down; see `scripts/environment/voice`. The figures are

- the word error rate: words that are wrong, missing or too many, of the words that were said. Case
  and punctuation do not count, and "%" is the word "percent";
- how many sentences are written down exactly;
- how many SAGE answers without the model, and how many of these rightly, typed and spoken;
- how many are right with a model: the scripted one of `benchmark.commands`, which decides ideally
  as far as its prompt shows the devices, or the one at `--base-url`.

Bounds: a word error rate of at most 6 %, and no wrong answer without the model. Prints a table and
one line of JSON; exits with 1 if a bound is missed.
"""

import argparse
import asyncio
import json
import re
import sys
import tempfile
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Final

from homeassistant.runner import create_event_loop

from . import plain_requests
from .commands.case import Case
from .commands.cases import CASES
from .commands.home import DEMO, commands_home
from .commands.measure import SCRIPTED_MODEL
from .commands.methods import SAGE
from .commands.processes import Wish, measure_homes
from .commands.results import Result
from .voice_servers import RATE, VoiceServers

MOST_ERRORS: Final = 0.06
"""Upper limit of the word error rate."""

SPOKEN: Final = tuple(case for case in CASES if case.language == "en")
_QUIET: Final = bytes(RATE)
"""Half a second of silence."""


def words(text: str) -> list[str]:
    """Return the words of a text as they are compared."""
    return re.findall(r"[\w']+", text.lower().replace("%", " percent"))


def word_errors(said: Sequence[str], heard: Sequence[str]) -> int:
    """Return how many words have to be replaced, added or removed to get from one to the other."""
    row = list(range(len(heard) + 1))
    for number, word in enumerate(said, 1):
        above, row = row, [number]
        for at, other in enumerate(heard):
            row.append(min(above[at] + (word != other), above[at + 1] + 1, row[at] + 1))
    return row[-1]


async def async_transcripts(servers: VoiceServers, sentences: Sequence[str]) -> dict[str, str]:
    """Return sentence -> transcript."""
    heard = {}
    for said in sentences:
        sound = await servers.async_speak(said)
        heard[said] = await servers.async_understand(_QUIET + sound + 2 * _QUIET)
        if words(heard[said]) != words(said):
            print(f"HEARD  {said!r} as {heard[said]!r}", flush=True)
    return heard


def _plain(cases: Mapping[str, Sequence[Case]]) -> dict[str, Any]:
    """Return the figures of `plain_requests`, from a process of their own."""

    async def measured(folder: Path) -> dict[str, Any]:
        async with commands_home(folder, DEMO) as home:
            return await plain_requests.async_measure(home, cases, ())

    with (
        tempfile.TemporaryDirectory(prefix="sage-voice-") as folder,
        asyncio.Runner(loop_factory=create_event_loop) as runner,
    ):
        return runner.run(measured(Path(folder)))


def _with_model(arguments: argparse.Namespace, heard: Mapping[str, str]) -> list[Result]:
    """Return the results of `benchmark.commands` for the transcripts."""
    with tempfile.TemporaryDirectory(prefix="sage-voice-") as folder:
        wish = Wish(
            methods=(SAGE,),
            formats=() if arguments.base_url else ("native",),
            cases=[case.id for case in SPOKEN],
            base_url=arguments.base_url,
            model=arguments.model,
            api_key=arguments.api_key,
            output=Path(folder) / "results.jsonl",
            heard=heard,
        )
        return measure_homes((DEMO,), wish)


def main(argv: Sequence[str] | None = None) -> int:
    """Measure, print the figures, and return 1 if a bound is missed."""
    parser = argparse.ArgumentParser(prog="python -m benchmark.voice", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--base-url", default="", help="of a model: http://.../v1")
    parser.add_argument("--model", default="")
    parser.add_argument("--api-key", default="")
    arguments = parser.parse_args(argv)
    if arguments.base_url and not arguments.model:
        parser.error("--base-url needs --model")
    sentences = list(dict.fromkeys(turn.said for case in SPOKEN for turn in case.turns))
    with VoiceServers(is_tied=True, is_repeatable=True) as servers:
        heard = asyncio.run(async_transcripts(servers, sentences))
    series = {"typed": SPOKEN, "spoken": [case.heard_as(heard) for case in SPOKEN]}
    with ProcessPoolExecutor(1, get_context("spawn")) as process:
        plain = process.submit(_plain, series).result()
    results = _with_model(arguments, heard)
    for result in results:
        if not result.right:
            print(f"WRONG  {result.said[-1]!r}: {result.answer!r}")
    figures: dict[str, Any] = {
        "sentences": len(sentences),
        "exact": sum(words(said) == words(text) for said, text in heard.items()),
        "word_error_rate": round(
            sum(word_errors(words(said), words(text)) for said, text in heard.items())
            / sum(len(words(said)) for said in heard),
            4,
        ),
        "requests": len(SPOKEN),
        "plain": {name: each["plain"] for name, each in plain.items()},
        "plain_wrong": {name: each["wrong"] for name, each in plain.items()},
        "model": arguments.model or SCRIPTED_MODEL,
        "right": sum(result.right for result in results),
    }
    missed = [*figures["plain_wrong"]["spoken"]]
    if figures["word_error_rate"] > MOST_ERRORS:
        missed.append(f"a word error rate of {figures['word_error_rate']:.1%}")
    print(_table(figures))
    for each in missed:
        print(f"MISSED  {each}")
    print(json.dumps({"benchmark": "voice", **figures, "missed": missed}, ensure_ascii=False))
    return int(bool(missed))


def _table(figures: Mapping[str, Any]) -> str:
    sentences, requests = figures["sentences"], figures["requests"]
    rows = {
        "word error rate": f"{figures['word_error_rate']:.1%}",
        "written down exactly": f"{figures['exact']} of {sentences}",
        "without the model, typed": f"{figures['plain']['typed']} of {requests}",
        "without the model, spoken": f"{figures['plain']['spoken']} of {requests}",
        f"right with {figures['model']}, spoken": f"{figures['right']} of {requests}",
    }
    return "\n".join(f"{name:<44}{figure:>12}" for name, figure in rows.items())


if __name__ == "__main__":
    sys.exit(main())
