"""Whether SAGE does what the documents propose to say to it.

    python -m benchmark.promises [--only TEXT] [--times N]

Takes the sentences from README, docs and the demo's own list, see `promises_sentences`, says each
three times, each time in a fresh demo home, and checks what happened by `promises_expected`. Uses
the model of the demo: OPENAI_API_KEY, or SAGE_BASE_URL with SAGE_MODEL, else the small one.

Prints a table with the seconds of the slowest time, and one line of JSON. Exits with 1 if a
sentence did not pass each time. A whole run takes some hours with the small model on two cores.
"""

import argparse
import asyncio
import contextlib
import json
import os
import sys
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from scripts.demonstration import cloud_record
from scripts.demonstration.client import Client, connected
from scripts.demonstration.furnished_homes import HOMES
from scripts.demonstration.happen import World
from scripts.demonstration.look import HomeView
from scripts.demonstration.model_choice import ModelServer, from_environment
from scripts.demonstration.model_server import local_server
from scripts.demonstration.options import HomeEventStep, Options, Saying
from scripts.demonstration.say import Said, Speaker
from scripts.demonstration.session import TROUBLE, Stage, staged

from .promises_expected import EXPECTED, Evidence, Promise
from .promises_sentences import Sentence, key_of, proposed

TIMES = 3
MOST_MEMORIES = 500
CALENDAR_DAYS = 31


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """One time that a sentence was said."""

    seconds: float
    answer: str
    complaints: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """All times of a sentence."""

    sentence: Sentence
    trials: tuple[Trial, ...]

    @property
    def passed(self) -> int:
        return sum(not trial.complaints for trial in self.trials)

    @property
    def is_kept(self) -> bool:
        """Whether the promise is kept each time."""
        return self.passed == len(self.trials)

    def row(self) -> str:
        """Return the line of the table."""
        seconds = max(trial.seconds for trial in self.trials)
        result = f"{seconds:7.1f}  {self.passed} of {len(self.trials)}"
        return f"{result}  {self.sentence.text}  [{', '.join(self.sentence.places)}]"


async def measure(only: Sequence[str], times: int) -> list[Result]:
    """Say each sentence `times` times; print its result when that is known.

    `only`: the sentences that contain one of these texts; empty for all.
    """
    keys = [key_of(each) for each in only] or [""]
    chosen = [each for each in proposed() if any(key in key_of(each.text) for key in keys)]
    results = []
    print("seconds  result  sentence  [places]", flush=True)
    async with _model() as server:
        for sentence in chosen:
            promise = EXPECTED[key_of(sentence.text)]
            trials = [await _try(server, sentence.text, promise) for _ in range(times)]
            result = Result(sentence=sentence, trials=tuple(trials))
            results.append(result)
            print(result.row(), flush=True)
            for trial in trials:
                if trial.complaints:
                    print(f"         {'; '.join(trial.complaints)}: {trial.answer!r}", flush=True)
    return results


@contextlib.asynccontextmanager
async def _model() -> AsyncGenerator[ModelServer]:
    """Start the model of the demo once, for all homes."""
    server = from_environment(os.environ)
    if server is not None:
        yield server
        return
    async with local_server() as local:
        os.environ |= {"SAGE_BASE_URL": local.base_url, "SAGE_MODEL": local.model}
        yield local


async def _try(server: ModelServer, text: str, promise: Promise) -> Trial:
    """Say the sentence in a fresh home; a home that does not start counts as a failure."""
    if server.front is not None:
        # The set-up may take replies from an earlier one, the sentence must not.
        server.front.is_set_up = False
    try:
        with contextlib.redirect_stdout(sys.stderr):
            async with staged(_options(promise)) as stage:
                if server.front is not None:
                    server.front.is_set_up = True
                said, seen = await _say(stage, text, promise)
    except TROUBLE as trouble:
        return Trial(seconds=0.0, answer="", complaints=(str(trouble),))
    complaints = tuple(filter(None, (check(seen) for check in promise.checks)))
    return Trial(seconds=said.seconds, answer=said.answer, complaints=complaints)


def _options(promise: Promise) -> Options:
    return Options(
        steps=(Saying(text=""),),
        person=promise.person,
        language="en",
        new_conversation=False,
        home=HOMES[promise.home],
        json_file=None,
        keep=None,
        password=None,
        port=None,
        agent=None,
        photo_server=None,
        photo_model=None,
        voice=False,
    )


async def _say(stage: Stage, text: str, promise: Promise) -> tuple[Said, Evidence]:
    """Say everything and let the event happen; return the sentence's answer and the evidence."""
    has_cloud = stage.home.home.has_cloud
    token = stage.home.account(promise.person).token
    async with connected(stage.home.url, token) as person:
        speaker = Speaker(person, stage.owner, stage.pipeline, has_cloud=has_cloud)
        view = HomeView(person, stage.owner, has_cloud=has_cloud)
        for earlier in promise.before:
            await speaker.say(Saying(text=earlier))
        mails, before = len(stage.sent), await view.look()
        said = await speaker.say(Saying(text=text))
        replied = []
        if promise.reply and said.asks:
            replied.append(await speaker.say(Saying(text=promise.reply)))
        replied += [await speaker.say(Saying(text=later)) for later in promise.after]
        happened = None
        if promise.event:
            world = World(person, stage.owner, has_cloud=has_cloud)
            event = stage.home.home.events[promise.event]
            happened = await world.happen(HomeEventStep(event=event))
        after = await view.look()
        cloud = None
        if before.cloud is not None and after.cloud is not None:
            cloud = cloud_record.between(before.cloud, after.cloud)
        evidence = Evidence(
            said=said,
            replied=tuple(replied),
            before=before.states,
            after=after.states,
            happened=happened,
            memories=await _memories(person),
            appointments=await _appointments(person),
            sent=stage.sent[mails:],
            cloud=tuple(cloud_record.render_changed(cloud)) if cloud else (),
        )
    last = replied[len(replied) - len(promise.after) - 1 :] if replied else []
    seconds = said.seconds + sum(reply.seconds for reply in last if reply.command == promise.reply)
    return replace(said, seconds=seconds), evidence


async def _memories(person: Client) -> str:
    answer = await person.call(
        "call_service",
        domain="sage",
        service="list_memories",
        service_data={"count": MOST_MEMORIES},
        return_response=True,
    )
    return json.dumps(answer["response"], ensure_ascii=False)


async def _appointments(person: Client) -> str:
    now = datetime.now(UTC)
    span = {"start": now, "end": now + timedelta(days=CALENDAR_DAYS)}
    query = "&".join(f"{key}={at:%Y-%m-%dT%H:%M:%SZ}" for key, at in span.items())
    calendars = await person.get("/api/calendars")
    path = "/api/calendars/{}?{}"
    return json.dumps([await person.get(path.format(row["entity_id"], query)) for row in calendars])


def main(argv: Sequence[str] | None = None) -> int:
    """Run and print; return the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmark.promises",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--only",
        metavar="TEXT",
        action="append",
        default=[],
        help="only sentences that contain this; may be given several times",
    )
    parser.add_argument("--times", metavar="N", type=int, default=TIMES, help="for each (3)")
    given = parser.parse_args(argv)
    try:
        results = asyncio.run(measure(given.only, given.times))
    except TROUBLE as trouble:
        print(trouble, file=sys.stderr)
        return 1
    failed = [each.sentence.text for each in results if not each.is_kept]
    figures = {
        "sentences": len(results),
        "kept": sum(each.is_kept for each in results),
        "times": given.times,
        "failed": failed,
    }
    print(json.dumps(figures, ensure_ascii=False))
    return 1 if failed or not results else 0


if __name__ == "__main__":
    sys.exit(main())
