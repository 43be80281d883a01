"""Saying the sentences to a method, and grading what it did."""

import asyncio
import json
import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field
from datetime import datetime
from multiprocessing import get_context
from pathlib import Path

from homeassistant.runner import create_event_loop
from homeassistant.util import dt as dt_util

from ..commands.case import Snapshot, changed
from ..commands.methods import Ledger
from ..fake_model_server import FakeModelServer, Fault, FaultKind
from .case import SIZES, OutsideCase
from .expected import Plan, plans
from .home import OutsideHome, outside_home
from .methods import INSTANT, ModelServer, Say, async_method
from .questions import says


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """What became of one sentence."""

    case: str
    size: str
    kind: str
    wants_no_call: bool
    method: str
    model: str
    said: str
    answer: str
    grade: str
    """Grade of the calls that it equals; empty if it is wrong."""

    wrong: str
    """What was wrong, compared with the best way."""

    acted: tuple[str, ...]
    """Actions that were called and entities that changed."""

    confirmations: int
    calls: int
    new_tokens: int
    """Prompt tokens that the server had to evaluate."""

    cached_tokens: int
    output_tokens: int
    seconds: float
    failure: str = ""
    """Why the model gave no reply; such a sentence is said again."""

    @property
    def is_right(self) -> bool:
        """It equals calls that the data accepts."""
        return bool(self.grade) and not self.failure

    @property
    def acted_wrongly(self) -> bool:
        """It did something, and that is not what the data accepts."""
        return bool(self.acted) and not self.is_right


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What is measured; all fields can be sent to another process."""

    method: str
    cases: Sequence[OutsideCase]
    server: ModelServer
    seconds: float = field(default=float("inf"))
    """Time limit for all homes together; the cases of a home begin in its share of it."""

    output: Path


def results_in(path: Path) -> dict[tuple[str, str, str], Result]:
    """Return the results of a file without failure, by method, model and case.

    Ignores an unfinished last line.
    """
    found: dict[tuple[str, str, str], Result] = {}
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
        try:
            data = json.loads(line)
            result = Result(**{**data, "acted": tuple(data["acted"])})
        except ValueError, TypeError, KeyError:
            continue
        if not result.failure:
            found[result.method, result.model, result.case] = result
    return found


def measure_homes(wish: Wish) -> list[Result]:
    """Return the results of all cases, home after home, each in a process of its own.

    Raises ModelError if the server answers nothing at all.
    """
    with ProcessPoolExecutor(1, get_context("spawn"), max_tasks_per_child=1) as processes:
        running = [processes.submit(_measure, size, wish) for size in SIZES]
        return [result for each in running for result in each.result()]


def _measure(size: str, wish: Wish) -> list[Result]:
    known, model = results_in(wish.output), wish.server.model
    cases = [case for case in wish.cases if case.size == size]
    results = [known.get((wish.method, model, case.id)) for case in cases]
    missing = [case for case, result in zip(cases, results, strict=True) if result is None]
    done = [result for result in results if result is not None]
    if not missing:
        return done
    share = wish.seconds * len(cases) / len(wish.cases) if len(wish.cases) else 0

    async def measured(folder: Path) -> list[Result]:
        async with outside_home(folder, size) as home:
            return await async_measure(home, wish, missing, share)

    with (
        tempfile.TemporaryDirectory(prefix="sage-outside-") as folder,
        asyncio.Runner(loop_factory=create_event_loop) as runner,
    ):
        return done + runner.run(measured(Path(folder)))


async def async_measure(
    home: OutsideHome, wish: Wish, cases: Sequence[OutsideCase], seconds: float = float("inf")
) -> list[Result]:
    """Return the results of cases of this home, and append them to the file."""
    with ExitStack() as stack:
        server = wish.server
        if wish.method == INSTANT:
            failing = FakeModelServer(lambda _: Fault(kind=FaultKind.NO_QUOTA))
            url = stack.enter_context(failing).url
            server = ModelServer(
                base_url=url, model="test-model", decision_format="native", plain_requests=True
            )
        ledger = Ledger()
        say = await async_method(wish.method, home, server, ledger)
        began, results = time.perf_counter(), list[Result]()
        for case in cases:
            if time.perf_counter() - began > seconds:
                break
            results.append(await _async_case(home, wish, case, say, ledger))
            with wish.output.open("a", encoding="utf-8") as file:
                file.write(json.dumps(asdict(results[-1]), ensure_ascii=False) + "\n")
            print(f"{len(results)}/{len(cases)} {_line(results[-1])}", file=sys.stderr, flush=True)
    return results


async def _async_case(
    home: OutsideHome, wish: Wish, case: OutsideCase, say: Say, ledger: Ledger
) -> Result:
    ways = plans(case, await home.async_reset(case))
    ledger.clear()
    asked, before, began = dt_util.now(), home.snapshot(), time.perf_counter()
    with home.recording() as calls:
        reply = await say(case, ways[0])
        await home.hass.async_block_till_done()
    seconds, after = time.perf_counter() - began, home.snapshot()
    acted = [(each, frozenset({each})) for each in changed(before, after)] + calls
    problems = [
        [
            *(f"{each}: not asked for" for each, ids in acted if not ids <= way.allowed),
            *(f"{each} was called" for each, ids in calls if not ids),
            *filter(None, (each.unmet(after.get(each.entity_id)) for each in way.actions)),
            *_unsaid(case.said, way, after, reply.text, asked),
        ]
        for way in ways
    ]
    grades = [way.grade for way, wrong in zip(ways, problems, strict=True) if not wrong]
    usage = ledger.usage
    return Result(
        case=case.id,
        size=case.size,
        kind=case.kind,
        wants_no_call=case.wants_no_call,
        method=wish.method,
        model=wish.server.model,
        said=case.said,
        answer=reply.text,
        grade=grades[0] if grades else "",
        wrong="" if grades else "; ".join(problems[0]),
        acted=tuple(" ".join(dict.fromkeys((each, *sorted(ids)))) for each, ids in acted),
        confirmations=reply.confirmations,
        calls=ledger.calls,
        new_tokens=usage.prompt_tokens - usage.cached_tokens,
        cached_tokens=usage.cached_tokens,
        output_tokens=usage.completion_tokens,
        seconds=round(seconds, 3),
        failure="" if wish.method == INSTANT else "; ".join(ledger.failures),
    )


def _unsaid(said: str, way: Plan, after: Snapshot, answer: str, asked: datetime) -> list[str]:
    """Return that the answer says none of the values that the question asks for."""
    if not way.readings:
        return []
    right = (says(said, each, after.get(each.entity_id), answer, asked) for each in way.readings)
    names = ", ".join(each.entity_id or each.attribute for each in way.readings)
    return [] if any(right) else [f"does not say {names}"]


def _line(result: Result) -> str:
    mark = "right" if result.is_right else "WRONG"
    return f"{result.case}: {mark} {result.grade or result.wrong or result.failure}"
