"""Sixty everyday sentences on the demo home and on one with 300 entities.

    python -m benchmark.commands [--home demo,300] [--methods sage] [--format native,constrained]
    python -m benchmark.commands --base-url URL --model NAME [--api-key KEY] [--check]
        [--methods sage,paper-flow,ai-task,assist] [--format native] [--cases a,b] [--output FILE]

Without `--base-url` a scripted model decides as its prompts allow: it acts or answers directly
where the prompt shows every device, command and value that it needs, and uses the tree of tools
otherwise. A real model is asked over HTTP in the same way; without `--format` in the decision
format that SAGE's set-up finds for it.

The method `ai-task` is SAGE with the same server behind the AI Task entity of Home Assistant's
Ollama integration, always `constrained`. At least 90 % of the sentences must be right that are
right without it. Its tokens are estimates, since the integration reports none.

Each sentence is right if the home is then as it should be, nothing else has changed, and the
answer holds what was asked for. Measured are the model calls, the tokens as the server reports
them (the scripted one counts four characters as a token, and as cached what a former request
began with), the time that was not spent waiting for the model, and the seconds to the first and
the last word. Devices react at once, so that no time is theirs. In a follow-up the last sentence
is measured; those before it have to succeed.

Results go to `--output` as JSON lines, and what is in that file is not measured again. Prints a
table, a chart and one line of JSON; exits with 1 when a bound is missed, with 2 when nothing
could be measured. Bounds are those of `sage`; with a real model they count with `--check`.
"""

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from custom_components.sage.model.language_model import ModelError

from .cases import CASES
from .home import HOMES
from .measure import SCRIPTED_MODEL
from .methods import AI_TASK, ASSIST, METHODS, SAGE
from .processes import Wish, measure_homes
from .report import chart, mistakes, table
from .results import REAL, SCRIPTED, Bounds, Result, by_series, figures, missed, missed_against

_FORMATS: Final = ("native", "constrained", "react")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmark.commands", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--base-url", default="", help="of a model: http://.../v1")
    parser.add_argument("--model", default="")
    parser.add_argument("--api-key", default="")
    parser.add_argument("--home", type=_some_of(HOMES), default=HOMES)
    parser.add_argument("--methods", type=_some_of(METHODS), default=(SAGE,))
    parser.add_argument("--format", type=_some_of(_FORMATS), default=())
    parser.add_argument("--cases", type=_some_of([case.id for case in CASES]), default=())
    parser.add_argument("--output", type=Path, help="JSON lines; measured sentences are skipped")
    parser.add_argument("--check", action="store_true", help="bounds of a real model count")
    return parser


def _some_of(known: Sequence[str]) -> Any:
    def chosen(text: str) -> tuple[str, ...]:
        names = tuple(dict.fromkeys(text.split(",")))
        if unknown := [name for name in names if name not in known]:
            raise argparse.ArgumentTypeError(
                f"unknown: {', '.join(unknown)}; there are {', '.join(known)}"
            )
        return names

    return chosen


def _show(results: Sequence[Result], model: str, bounds: Bounds | None) -> list[str]:
    """Print everything; return the bounds that are missed."""
    series = by_series(results)
    print(table(series))
    print()
    print(chart(series))
    if wrong := mistakes(results):
        print()
        print(wrong)
    bound = {key: each for key, each in series.items() if key[1] == SAGE}
    broken = missed(bound, bounds) if bounds is not None else []
    for key in bound:
        broken += missed_against(series, AI_TASK, key)
    for each in broken:
        print(f"MISSED  {each}")
    found = {" ".join(key): figures(each) for key, each in series.items()}
    told = {"benchmark": "commands", "model": model, "series": found, "missed": broken}
    print(json.dumps(told, ensure_ascii=False))
    return broken


def main(argv: Sequence[str] | None = None) -> int:
    """Measure and print; return the exit code."""
    parser = _parser()
    arguments = parser.parse_args(argv)
    if arguments.base_url and not arguments.model:
        parser.error("--base-url needs --model")
    if not arguments.base_url and ASSIST in arguments.methods:
        parser.error(
            "the scripted model knows only SAGE's tools: --methods assist needs --base-url"
        )
    if not arguments.base_url and "react" in arguments.format:
        parser.error("the scripted model does not write react: --format react needs --base-url")
    output = arguments.output or Path(tempfile.gettempdir()) / f"commands-{time.time_ns()}.jsonl"
    print(f"results: {output}", file=sys.stderr)
    try:
        results = measure_homes(
            arguments.home,
            Wish(
                methods=arguments.methods,
                formats=arguments.format,
                cases=arguments.cases,
                base_url=arguments.base_url,
                model=arguments.model,
                api_key=arguments.api_key,
                output=output,
            ),
        )
    except ModelError as err:
        print(f"The model does not answer: {err}", file=sys.stderr)
        return 2
    bounds = SCRIPTED if not arguments.base_url else REAL if arguments.check else None
    is_missed = bool(_show(results, arguments.model or SCRIPTED_MODEL, bounds))
    if all(each.failure for each in results):
        print("The model gave no reply at all.", file=sys.stderr)
        return 2
    return int(is_missed)


if __name__ == "__main__":
    sys.exit(main())
