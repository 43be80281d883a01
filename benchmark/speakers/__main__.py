"""Whether the models server recognizes people by their voice.

    python -m benchmark.speakers [--utterances 63] [--sentences 5] [--server-python PYTHON]

Fetches recordings of fourteen people in ten languages from Debian's packages (once, 0.2 GB), and
makes utterances of 1.6 to 4 s of them, which are sent as they are and with pink noise 20 and 10 dB
below the speech. Each person is enrolled with some utterances as the page does it: without noise,
and with noise of SAGE's own 20 and 10 dB below the speech. All others are tests; this is done five
times, each time with other utterances.
In a household of four enrolled people, the voice is compared with each, as SAGE does it. The
threshold is chosen with one half of the people and tested with the other half, and the other way
round; the rows are the sums of both tests.

*right* is the part of the utterances of enrolled people that are taken for the right one;
*strangers* is the part of other people's utterances that are taken for somebody; both with the 95 %
interval of Wilson. An utterance that the encoder refuses is not right. *EER* is the equal error
rate. *ms* is the time of one request after the other, on two processors.

Prints a table, then one line of JSON; exits with 1 when a bound is missed, with 2 when nothing
could be measured.
"""

import argparse
import asyncio
import json
import os
import statistics
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import aiohttp
import numpy as np

from benchmark.photos.matching import wilson
from benchmark.photos.models_server import ModelsServerError, environment_python, models_server
from custom_components.sage.people import MARGIN, THRESHOLD
from custom_components.sage.run.speakers import ENCODER, in_noise, wav_of
from custom_components.sage.run.speakers import NOISES as ENROLLED_IN

from .households import Trial, Vectors, best_threshold, equal_error_rate, right_and_taken, trials
from .voices import VOICES, Samples, VoicesError, fetch, heard, utterances

ENROLMENTS: Final = 5
"""How often everybody is enrolled, each time with other utterances; all others are tests."""

RIGHT_BOUND: Final = 0.95
STRANGERS_BOUND: Final = 0.01

IN_NOISE: Final = "in noise"
_URI: Final = "data:audio/wav;base64,"
NOISES: Final = {"clean": None, "20 dB": 20.0, "10 dB": 10.0}
_TOO_LITTLE: Final = "too_little_speech"
_PROCESSORS: Final = 2

Spoken = dict[str, dict[str, list[Vectors | None]]]
"""Vectors by speaker and noise; None: the encoder refused the utterance. `IN_NOISE`: in SAGE's."""


def wav(samples: Samples) -> str:
    """Return the WAV file of an utterance in base64."""
    return wav_of(np.round(samples * 32767).astype("<i2").tobytes())


class Encoder:
    """The models server, asked for one utterance after the other."""

    def __init__(self, session: aiohttp.ClientSession, url: str) -> None:
        """Ask the server at `url`."""
        self._session = session
        self._url = url
        self.seconds: list[float] = []
        """Of each request."""

    async def async_vector(self, recording: str) -> Vectors | None:
        """Return the vector of a WAV file in base64; None if there is too little speech in it."""
        body = {"model": ENCODER, "input": _URI + recording}
        start = time.perf_counter()
        async with self._session.post(f"{self._url}/speakers", json=body) as response:
            reply = await response.json()
        self.seconds.append(time.perf_counter() - start)
        if response.status == 400 and reply["error"]["code"] == _TOO_LITTLE:
            return None
        if response.status != 200:
            raise ModelsServerError(reply["error"]["message"])
        return np.array(reply["data"][0]["embedding"], np.float32)


async def async_spoken(
    encoder: Encoder, spoken: Mapping[str, Sequence[Samples]], sentences: int
) -> Spoken:
    """Return the vectors of all utterances, and of those that enrol also in SAGE's own noise."""
    vectors: Spoken = {}
    for name, samples in spoken.items():
        sent = {
            noise: [wav(heard(each, decibels, seed)) for seed, each in enumerate(samples)]
            for noise, decibels in NOISES.items()
        }
        sent[IN_NOISE] = [
            in_noise(each, decibels)
            for each in sent["clean"][: ENROLMENTS * sentences]
            for decibels in ENROLLED_IN
        ]
        vectors[name] = {
            noise: [await encoder.async_vector(each) for each in own] for noise, own in sent.items()
        }
    return vectors


def figures(vectors: Spoken, sentences: int) -> dict[str, Any]:
    """Return all figures: thresholds, and a row for each noise and for all together."""
    names = list(vectors)
    # Neighbours come from different packages: every second pair is for the tuning.
    halves = [
        [names[place] for place in range(len(names)) if place // 2 % 2 == half] for half in (0, 1)
    ]
    enrolled, tests = [], []
    for start in range(0, ENROLMENTS * sentences, sentences):
        own = slice(start, start + sentences)
        noisy = slice(len(ENROLLED_IN) * own.start, len(ENROLLED_IN) * own.stop)
        known = {
            name: [*each["clean"][own], *each[IN_NOISE][noisy]] for name, each in vectors.items()
        }
        enrolled.append(
            {
                name: np.stack([one for one in each if one is not None])
                for name, each in known.items()
            }
        )
        tests.append(
            {
                name: {noise: each[noise][:start] + each[noise][own.stop :] for noise in NOISES}
                for name, each in vectors.items()
            }
        )

    def half_trials(half: int, noises: Sequence[str]) -> list[Trial]:
        return [
            trial
            for known, spoken in zip(enrolled, tests, strict=True)
            for noise in noises
            for trial in trials(
                {name: known[name] for name in halves[half]},
                {name: spoken[name][noise] for name in halves[half]},
            )
        ]

    every = list(NOISES)
    thresholds = [best_threshold(half_trials(1 - half, every)) for half in (0, 1)]
    rows = {}
    by_row = {noise: ([noise], thresholds) for noise in every} | {"all": (every, thresholds)}
    # The default of the option, which was chosen with all these people.
    by_row[f"all, {THRESHOLD}"] = every, [THRESHOLD] * 2
    for row, (noises, used) in by_row.items():
        outcomes = [right_and_taken(used[half], half_trials(half, noises)) for half in (0, 1)]
        spoken = {
            name: [one for noise in noises for one in tests[0][name][noise]] for name in names
        }
        rows[row] = {
            "eer": round(equal_error_rate(enrolled[0], spoken)[0], 4),
            "right": _proportion([each for right, _ in outcomes for each in right]),
            "strangers": _proportion([each for _, taken in outcomes for each in taken]),
            "refused": sum(each is None for own in spoken.values() for each in own),
        }
    return {"halves": halves, "thresholds": thresholds, "margin": MARGIN, "rows": rows}


def _proportion(outcomes: Sequence[bool]) -> dict[str, Any]:
    # An utterance is tested with each enrolment, but counts once for the interval.
    low, high = wilson(round(sum(outcomes) / ENROLMENTS), len(outcomes) // ENROLMENTS)
    return {
        "rate": round(sum(outcomes) / len(outcomes), 4),
        "number": sum(outcomes),
        "of": len(outcomes),
        "interval": [round(low, 4), round(high, 4)],
    }


def missed_bounds(row: Mapping[str, Any]) -> list[str]:
    """Return the bounds that do not hold."""
    held = {
        f"right: at least {RIGHT_BOUND:.0%}": row["right"]["rate"] >= RIGHT_BOUND,
        f"strangers: at most {STRANGERS_BOUND:.0%}": row["strangers"]["rate"] <= STRANGERS_BOUND,
    }
    return [bound for bound, holds in held.items() if not holds]


async def measure(given: argparse.Namespace) -> dict[str, Any]:
    """Fetch, embed and compare; returns all figures."""
    folder = fetch()
    python = given.server_python or environment_python()
    number = given.sentences + given.utterances
    spoken = {voice.name: utterances(voice, folder, number) for voice in VOICES}
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:_PROCESSORS])
    first = _URI + wav(next(iter(spoken.values()))[0])
    async with (
        models_server(python, None, ENCODER, path="speakers", first=first) as url,
        aiohttp.ClientSession() as session,
    ):
        encoder = Encoder(session, url)
        vectors = await async_spoken(encoder, spoken, given.sentences)
    times = sorted(encoder.seconds)
    result = {
        "benchmark": "speakers",
        "model": ENCODER,
        "languages": len({voice.language for voice in VOICES}),
        "utterances": {name: len(samples) for name, samples in spoken.items()},
        "sentences": given.sentences,
        **figures(vectors, given.sentences),
        "processors": len(os.sched_getaffinity(0)),
        "ms": {
            "median": round(statistics.median(times) * 1000, 1),
            "p95": round(times[int(len(times) * 0.95)] * 1000, 1),
        },
    }
    return result | {"missed": missed_bounds(result["rows"]["all"])}


def show(result: Mapping[str, Any]) -> None:
    """Print the table for people."""
    print(
        f"{len(result['utterances'])} people in {result['languages']} languages, enrolled with "
        f"{result['sentences']} utterances"
    )
    print(f"thresholds {result['thresholds']}, margin {result['margin']}")
    print(f"{'':<10}{'EER':>8}{'right':>26}{'strangers':>26}{'refused':>9}")
    for name, row in result["rows"].items():
        cells = [
            f"{cell['rate']:.1%} ({cell['interval'][0]:.1%} to {cell['interval'][1]:.1%})"
            for cell in (row["right"], row["strangers"])
        ]
        print(f"{name:<10}{row['eer']:>8.1%}{cells[0]:>26}{cells[1]:>26}{row['refused']:>9}")
    ms = result["ms"]
    print(f"\nOne utterance: {ms['median']} ms, 95 % under {ms['p95']} ms.")
    for missed in result["missed"]:
        print(f"MISSED  {missed}")


def main() -> int:
    """Measure and print; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmark.speakers", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--utterances", type=int, default=63, help="tests of each person")
    parser.add_argument("--sentences", type=int, default=5, help="with which each is enrolled")
    parser.add_argument("--server-python", type=Path, help="default: that of scripts/models")
    try:
        result = asyncio.run(measure(parser.parse_args()))
    except (VoicesError, ModelsServerError) as err:
        print(err, file=sys.stderr)
        return 2
    show(result)
    print(json.dumps(result))
    return 1 if result["missed"] else 0


if __name__ == "__main__":
    sys.exit(main())
