"""`python -m benchmark run`: its options, its progress and its table."""

import argparse
import asyncio
import contextlib
import json
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, TextIO

import openai

from custom_components.sage.config.probe import async_probe
from custom_components.sage.const import DEFAULT_PHOTO_MODEL
from custom_components.sage.model.language_model import ModelError

from .case import Category, PaperCase, Suite
from .cases import BY_ID, CASES
from .cluster import ClusterError, cluster
from .home import CAPTIONS, CLIP, NONE
from .judge import ModelJudge, judged
from .method_table import METHODS, WITHOUT_MODEL, seen_settings
from .methods import FULL, PAPER, MethodSettings
from .recording import Recorder, Recording, comparable, through
from .result import TaskResult
from .runner import PATIENCE, Price, ResultFile, left_of, run_all, successes, tasks_of

_BAR: Final = 30
"""Characters of the bar."""


def add_to(commands: Any) -> None:
    """Add the command to those of `python -m benchmark`."""
    run = commands.add_parser("run", help="try the cases")
    run.set_defaults(run=_run, parser=run)
    run.add_argument("--method", choices=METHODS, required=True)
    run.add_argument("--base-url", default="", help="of a model: http://.../v1")
    run.add_argument("--model", default="")
    run.add_argument("--api-key", default="")
    run.add_argument("--cases", default="", help="ids, separated by commas; default: all")
    run.add_argument("--suite", choices=tuple(Suite), help="default: all three")
    run.add_argument(
        "--state",
        choices=(PAPER, FULL),
        default=FULL,
        help="the device states that one-prompt and sasha see",
    )
    run.add_argument(
        "--vision",
        choices=(CAPTIONS, NONE),
        default=CAPTIONS,
        help="how SAGE knows the photos; without effect with --photo-server",
    )
    run.add_argument("--photo-server", default="", help="address of the models server")
    run.add_argument("--photo-model", default=DEFAULT_PHOTO_MODEL, help="image model there")
    run.add_argument("--repeats", type=int, default=1)
    run.add_argument("--jobs", type=int, default=1, help="cases at a time")
    run.add_argument("--dask", default="", help="address of a Dask scheduler; cases run there")
    run.add_argument("--patience", type=float, default=PATIENCE, help="seconds for one case")
    run.add_argument(
        "--price",
        type=float,
        nargs=3,
        metavar=("NEW", "CACHED", "COMPLETION"),
        help="of the model, in US dollars per million tokens",
    )
    run.add_argument("--judge-base-url", default="", help="of the model that judges summaries")
    run.add_argument("--judge-model", default="")
    run.add_argument("--judge-api-key", default="")
    recording = run.add_mutually_exclusive_group()
    recording.add_argument("--record", type=Path, help="file for the replies of the model")
    recording.add_argument("--replay", type=Path, help="such a file, instead of the model")
    run.add_argument("--output", type=Path, help="JSON lines; what is in it is not run again")


def _run(given: argparse.Namespace) -> int:
    cases = _chosen(given)
    needs_model = given.method not in WITHOUT_MODEL
    if needs_model and not (given.model and (given.base_url or given.replay)):
        given.parser.error(f"--method {given.method} needs --base-url and --model")
    if (given.record or given.replay) and not needs_model:
        given.parser.error(f"--method {given.method} asks no model: nothing to record or replay")
    output = given.output or Path(tempfile.gettempdir()) / f"paper-{time.time_ns()}.jsonl"
    print(f"results: {output}", file=sys.stderr)
    with contextlib.ExitStack() as stack:
        recorder = _recorder(given)
        if recorder is not None:
            stack.enter_context(recorder)
        try:
            settings = _settings(given, recorder, needs_model=needs_model)
            judge = _judge(given, recorder)
            if judge is not None:
                judge.probe()
            pool = _pool(given)
        except ModelError as err:
            print(f"The model does not answer: {err}", file=sys.stderr)
            return 2
        except ClusterError as err:
            print(err, file=sys.stderr)
            return 2
        tasks = tasks_of(cases, settings, given.repeats, given.patience)
        if recorder is not None:
            tasks = through(tasks, recorder)
        file = ResultFile(output)
        results = run_all(
            tasks,
            file,
            pool=pool,
            finish=_finish(given, judge),
            told=Progress(len(left_of(tasks, file))),
            in_order=given.replay is not None,
        )
    print(table(results))
    print(json.dumps(_summary(settings, results), ensure_ascii=False))
    return 0 if all(each.success for each in results) else 1


def _chosen(given: argparse.Namespace) -> list[PaperCase]:
    names = [each for each in given.cases.split(",") if each]
    if unknown := [each for each in names if each not in BY_ID]:
        given.parser.error(f"no such case: {', '.join(unknown)}; there are {', '.join(BY_ID)}")
    cases = [BY_ID[each] for each in names] or CASES
    chosen = [each for each in cases if given.suite in (None, each.suite)]
    if not chosen:
        given.parser.error(f"no case in the suite {given.suite}")
    return chosen


def _settings(
    given: argparse.Namespace, recorder: Recorder | None, *, needs_model: bool
) -> MethodSettings:
    """Return the settings of the method; raises ModelError if the model does not answer."""
    settings = seen_settings(
        MethodSettings(
            name=given.method,
            vision=_vision(given),
            photo_server=given.photo_server,
            photo_model=given.photo_model,
            state_form=given.state,
        )
    )
    if not needs_model:
        return settings
    base_url = given.base_url if recorder is None else recorder.url_of("probe", 0)
    return replace(
        settings,
        base_url=base_url,
        model=given.model,
        api_key=given.api_key,
        connection=asyncio.run(_async_connection(base_url, given.model, given.api_key)),
    )


def _vision(given: argparse.Namespace) -> str:
    """Return the vision path by its name in results."""
    if not given.photo_server:
        return str(given.vision)
    return CLIP if given.photo_model == DEFAULT_PHOTO_MODEL else str(given.photo_model)


async def _async_connection(base_url: str, model: str, api_key: str) -> dict[str, object]:
    """Return what SAGE's set-up finds out about a model; raises ModelError."""
    async with openai.AsyncOpenAI(api_key=api_key or "none", base_url=base_url) as client:
        probe = await async_probe(client, model)
    return {"formats": list(probe.formats), "confuses_later": probe.misjudges_timing}


def _recorder(given: argparse.Namespace) -> Recorder | None:
    if given.record:
        return Recorder(Recording(given.record), upstream=given.base_url)
    return Recorder(Recording(given.replay)) if given.replay else None


def _judge(given: argparse.Namespace, recorder: Recorder | None) -> ModelJudge | None:
    if not given.judge_model:
        return None
    base_url = given.judge_base_url or given.base_url
    if recorder is not None:
        base_url = recorder.url_of("judge", 0, upstream=base_url)
    return ModelJudge(base_url, given.judge_model, given.judge_api_key or given.api_key)


def _pool(given: argparse.Namespace) -> Executor:
    if not given.dask:
        return ThreadPoolExecutor(given.jobs)
    return cluster(given.dask)


def _finish(
    given: argparse.Namespace, judge: ModelJudge | None
) -> Callable[[TaskResult], TaskResult]:
    price = Price(*given.price) if given.price else None

    def finish(result: TaskResult) -> TaskResult:
        if judge is not None:
            result = judged(result, judge)
        if price is not None:
            result = replace(result, price=round(price.of(result), 6))
        return comparable(result) if given.replay else result

    return finish


class Progress:
    """A bar on a terminal, a line for each case elsewhere; with time, tokens and price."""

    def __init__(
        self,
        total: int,
        out: TextIO | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._total = total
        self._out = sys.stderr if out is None else out
        self._clock = clock
        self._start = clock()
        self._done: list[TaskResult] = []

    def __call__(self, result: TaskResult) -> None:
        """Show one more result."""
        self._done.append(result)
        ends = self._out.isatty()
        text = f"{self._bar()} {self._cost()}; {result.case}: {_mark(result)}"
        before, after = ("\r\x1b[K", "") if ends else ("", "\n")
        if ends and len(self._done) == self._total:
            after = "\n"
        print(f"{before}{text[:150] if ends else text}", end=after, file=self._out, flush=True)

    def _bar(self) -> str:
        done = len(self._done)
        filled = _BAR * done // self._total
        left = (self._clock() - self._start) / done * (self._total - done)
        return f"[{'#' * filled:<{_BAR}}] {done}/{self._total}, {left / 60:.0f} min left"

    def _cost(self) -> str:
        """Return tokens and price up to now, and the price to be expected at the end."""
        tokens = sum(each.new_tokens + each.completion_tokens for each in self._done)
        price = sum(each.price or 0.0 for each in self._done)
        if not price:
            return f"{tokens} tokens"
        whole = price / len(self._done) * self._total
        return f"{tokens} tokens, {price:.2f} of about {whole:.2f} USD"


def _mark(result: TaskResult) -> str:
    return "success" if result.success else f"FAILED ({result.reason})"


def table(results: Sequence[TaskResult]) -> str:
    """Return a line for each category and each failure."""
    lines = [f"{'category':<22}{'cases':>6}{'success':>9}{'calls':>8}{'seconds':>9}"]
    lines += [_row(name, some) for name, some in _series(results) if some]
    lines += [
        f"FAILED  {each.case}: {each.reason}: {'; '.join(each.problems)[:300]} - {each.answer!r}"
        for each in results
        if not each.success
    ]
    return "\n".join(lines)


def _series(results: Sequence[TaskResult]) -> Iterator[tuple[str, list[TaskResult]]]:
    yield "all", list(results)
    for suite in Suite:
        some = [each for each in results if each.suite == suite]
        if len(some) < len(results):
            yield f"suite {suite}", some
    for category in Category:
        yield category, [each for each in results if category in each.categories]


def _row(name: str, some: Sequence[TaskResult]) -> str:
    calls = sum(each.calls for each in some) / len(some)
    seconds = sum(each.seconds for each in some) / len(some)
    return f"{name:<22}{len(some):>6}{successes(some):>9}{calls:>8.2f}{seconds:>9.1f}"


def _summary(settings: MethodSettings, results: Sequence[TaskResult]) -> dict[str, Any]:
    return {
        "benchmark": "paper",
        "method": settings.name,
        "model": settings.model,
        "vision": settings.vision,
        "state": settings.state_form,
        "cases": len(results),
        "success": successes(results),
        "failed": [each.case for each in results if not each.success],
    }
