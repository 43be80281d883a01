"""The paper's benchmark.

    python -m benchmark methods
    python -m benchmark run --method ideal
    python -m benchmark run --method sage --base-url URL --model NAME [--repeats 3] [--jobs 2]

`run` tries each case in a Home Assistant of its own: SAGE and Home Assistant's SmartThings
integration on a simulated cloud, with mail, calendars, contacts, a TV guide and weather on this
machine. Results go to `--output` as JSON lines; what is in that file is not run again. Prints a
table and one line of JSON. Exits with 1 if a case was not a success, with 2 if the model does not
answer.
"""

import argparse
import asyncio
import json
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import openai

from custom_components.sage.config.probe import async_probe
from custom_components.sage.model.language_model import ModelError

from .paper.case import Category
from .paper.cases import BY_ID, CASES
from .paper.method_table import METHODS, WITHOUT_MODEL, seen_settings, view_table
from .paper.methods import FULL, PAPER, MethodSettings
from .paper.result import TaskResult
from .paper.runner import PATIENCE, Price, ResultFile, run_all, successes, tasks_of


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmark", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    commands = parser.add_subparsers(required=True, dest="command")
    commands.add_parser("methods", help="list the methods and what each of them sees")
    run = commands.add_parser("run", help="try the cases")
    run.add_argument("--method", choices=METHODS, required=True)
    run.add_argument("--base-url", default="", help="of a model: http://.../v1")
    run.add_argument("--model", default="")
    run.add_argument("--api-key", default="")
    run.add_argument("--cases", default="", help="ids, separated by commas; default: all")
    run.add_argument("--vision", choices=("captions", "none"), default="captions")
    run.add_argument(
        "--state", choices=(PAPER, FULL), default=FULL, help="what one-prompt and sasha see"
    )
    run.add_argument("--repeats", type=int, default=1)
    run.add_argument("--jobs", type=int, default=1, help="cases at a time")
    run.add_argument("--patience", type=float, default=PATIENCE, help="seconds for one case")
    run.add_argument(
        "--price",
        type=float,
        nargs=2,
        metavar=("PROMPT", "COMPLETION"),
        help="of the model, in US dollars per million tokens",
    )
    run.add_argument("--output", type=Path, help="JSON lines; what is in it is not run again")
    return parser


class _Progress:
    """A line for each case, with the time and the price up to now."""

    def __init__(self, total: int) -> None:
        self._total = total
        self._start = time.monotonic()
        self._done: list[TaskResult] = []

    def __call__(self, result: TaskResult) -> None:
        self._done.append(result)
        done = len(self._done)
        left = (time.monotonic() - self._start) / done * (self._total - done)
        tokens = sum(each.new_tokens + each.completion_tokens for each in self._done)
        price = sum(each.price or 0.0 for each in self._done)
        mark = "success" if result.success else f"FAILED ({result.reason})"
        print(
            f"[{done}/{self._total}] {result.case}: {mark}; about {left / 60:.0f} min left, "
            f"{tokens} tokens" + (f", {price:.2f} USD" if price else ""),
            file=sys.stderr,
            flush=True,
        )


async def _async_connection(base_url: str, model: str, api_key: str) -> dict[str, object]:
    """Return what SAGE's set-up finds out about a model; raises ModelError."""
    async with openai.AsyncOpenAI(api_key=api_key or "none", base_url=base_url) as client:
        probe = await async_probe(client, model)
    return {"formats": list(probe.formats), "confuses_later": probe.confuses_later}


def _table(results: Sequence[TaskResult]) -> str:
    lines = [f"{'category':<22}{'cases':>6}{'success':>9}{'calls':>8}{'seconds':>9}"]
    series = [("all", list(results))]
    series += [(each, [one for one in results if each in one.categories]) for each in Category]
    for name, some in series:
        if some:
            calls = sum(each.calls for each in some) / len(some)
            seconds = sum(each.seconds for each in some) / len(some)
            lines.append(
                f"{name:<22}{len(some):>6}{successes(some):>9}{calls:>8.2f}{seconds:>9.1f}"
            )
    lines += [
        f"FAILED  {each.case}: {each.reason}: {'; '.join(each.problems)[:300]} - {each.answer!r}"
        for each in results
        if not each.success
    ]
    return "\n".join(lines)


def main(argv: Sequence[str] | None = None) -> int:
    """Run and print; return the exit code."""
    parser = _parser()
    given = parser.parse_args(argv)
    if given.command == "methods":
        print(view_table())
        return 0
    names = [each for each in given.cases.split(",") if each]
    if unknown := [each for each in names if each not in BY_ID]:
        parser.error(f"no such case: {', '.join(unknown)}; there are {', '.join(BY_ID)}")
    needs_model = given.method not in WITHOUT_MODEL
    if needs_model and not (given.base_url and given.model):
        parser.error(f"--method {given.method} needs --base-url and --model")
    settings = MethodSettings(name=given.method, vision=given.vision, state_form=given.state)
    if needs_model:
        reached = (given.base_url, given.model, given.api_key)
        try:
            connection = asyncio.run(_async_connection(*reached))
        except ModelError as err:
            print(f"The model does not answer: {err}", file=sys.stderr)
            return 2
        settings = replace(
            settings,
            base_url=given.base_url,
            model=given.model,
            api_key=given.api_key,
            connection=connection,
        )
    settings = seen_settings(settings)
    output = given.output or Path(tempfile.gettempdir()) / f"paper-{time.time_ns()}.jsonl"
    print(f"results: {output}", file=sys.stderr)
    cases = [BY_ID[each] for each in names] or CASES
    tasks = tasks_of(cases, settings, given.repeats, given.patience)
    price = Price(prompt=given.price[0], completion=given.price[1]) if given.price else None
    results = run_all(
        tasks, ResultFile(output), jobs=given.jobs, price=price, told=_Progress(len(tasks))
    )
    print(_table(results))
    told = {
        "benchmark": "paper",
        "method": settings.name,
        "model": settings.model,
        "cases": len(results),
        "success": successes(results),
        "failed": [each.case for each in results if not each.success],
    }
    print(json.dumps(told, ensure_ascii=False))
    return 0 if all(each.success for each in results) else 1


if __name__ == "__main__":
    sys.exit(main())
