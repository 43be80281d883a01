"""A benchmark that others wrote: 456 sentences in homes of 34, 88, 185 and 453 entities.

    python -m benchmark.outside --method sage|assist --model-url URL --model NAME [--api-key KEY]
        [--format native] [--plain-requests] [--only TEXT] [--stratified N] [--limit-minutes N]
        [--output FILE]
    python -m benchmark.outside --method builtin|instant|ideal|idle

`sage` is SAGE, `assist` Home Assistant's own LLM API (Assist) with the same model and client,
`builtin` the sentences of Home Assistant without a model, `instant` SAGE with a model that always
fails: what its own code then does. `ideal` executes the calls that the data expects, `idle` does
nothing.

The data is in `benchmark/outside/data`, with its licence. Its homes are loaded as real entities.
It expects calls of tools; here the resulting states count and the actions that were called, so
that any way is right that leads there and touches nothing else. Alternatives of the data are
right, too, with their grades. An answer to a question has to say the value that the expected call
reads. A right call changes something: where the home of the data is already so, its entities start
in another state. Entities have the features that right calls need.

SAGE's confirmations are answered with yes where a call is right, and counted; other questions
stay without a reply. Plain commands without the model (`--plain-requests`) are off for `sage`.

Results go to `--output` as JSON lines; what is in that file is not measured again. Prints a table
with Wilson intervals of 95 %, and one line of JSON; exits with 1 when a bound is missed, with 2
when the model gave no reply. Bounds: `ideal` is always right; `idle` exactly where doing nothing is
accepted; `instant` never does what the data does not accept.
"""

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from custom_components.sage.model.language_model import ModelError

from .case import cases, stratified
from .measure import Result, Wish, measure_homes
from .methods import METHODS, WITH_MODEL, ModelServer
from .report import figures, missed, mistakes, over_action, rows, table

_FORMATS: Final = ("native", "constrained", "react")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmark.outside", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--method", choices=METHODS, required=True)
    parser.add_argument("--model-url", default="", help="of a model: http://.../v1")
    parser.add_argument("--model", default="")
    parser.add_argument("--api-key", default="")
    parser.add_argument("--format", choices=_FORMATS, default="", help="of SAGE's decisions")
    parser.add_argument("--plain-requests", action="store_true", help="SAGE's, without the model")
    parser.add_argument("--only", default="", help="cases with this text in the id or the sentence")
    parser.add_argument("--stratified", type=int, default=0, help="number of cases")
    parser.add_argument("--limit-minutes", type=float, default=float("inf"))
    parser.add_argument("--output", type=Path, help="JSON lines; measured sentences are skipped")
    return parser


def _show(method: str, model: str, results: Sequence[Result]) -> bool:
    """Print everything; return whether a bound is missed."""
    print(table(results))
    over = over_action(results)
    low, high = over["interval"]
    print(
        f"acted where no call is right: {over['acted']} of {over['sentences']}"
        f" ({low:.1%}-{high:.1%})"
    )
    if wrong := mistakes(results):
        print(wrong)
    broken = missed(method, {each.id: each for each in cases()}, results)
    for each in broken:
        print(f"MISSED  {each}")
    shown = {
        "benchmark": "outside",
        "method": method,
        "model": model,
        "rows": {name: figures(some) for name, some in rows(results).items()},
        "over_action": over,
        "missed": broken,
    }
    print(json.dumps(shown, ensure_ascii=False))
    return bool(broken)


def main(argv: Sequence[str] | None = None) -> int:
    """Measure and print; return the exit code."""
    parser = _parser()
    arguments = parser.parse_args(argv)
    if arguments.method in WITH_MODEL and not (arguments.model_url and arguments.model):
        parser.error(f"--method {arguments.method} needs --model-url and --model")
    chosen = [each for each in cases() if arguments.only in f"{each.id} {each.said}"]
    if arguments.stratified:
        chosen = stratified(chosen, arguments.stratified)
    if not chosen:
        parser.error(f"no case contains {arguments.only!r}")
    output = arguments.output or Path(tempfile.gettempdir()) / f"outside-{time.time_ns()}.jsonl"
    print(f"results: {output}", file=sys.stderr)
    is_asked = arguments.method in WITH_MODEL
    server = ModelServer(
        base_url=arguments.model_url if is_asked else "",
        model=arguments.model if is_asked else "none",
        api_key=arguments.api_key,
        decision_format=arguments.format,
        plain_requests=arguments.plain_requests,
    )
    try:
        results = measure_homes(
            Wish(
                method=arguments.method,
                cases=chosen,
                server=server,
                seconds=arguments.limit_minutes * 60,
                output=output,
            )
        )
    except ModelError as err:
        print(f"The model does not answer: {err}", file=sys.stderr)
        return 2
    is_missed = _show(arguments.method, server.model, results)
    if not results or all(each.failure for each in results):
        print("The model gave no reply at all.", file=sys.stderr)
        return 2
    return int(is_missed)


if __name__ == "__main__":
    sys.exit(main())
