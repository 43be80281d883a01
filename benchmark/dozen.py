"""A dozen tasks of the paper's benchmark with the demo's model, and the report.

    scripts/benchmark [--out FOLDER] [--method sage] [--repeats 3]

The model is the one that SAGE_BASE_URL, SAGE_MODEL and SAGE_API_KEY name, otherwise a small one
that runs on this machine (1.1 GB, fetched once). What is in the folder already is not run again.
Exits with 2 if there is no model.
"""

import argparse
import contextlib
import os
import sys
from collections.abc import Generator, Sequence
from pathlib import Path
from typing import Final

from scripts.demonstration.local_model import LocalModelError, cache_folder, provide, serve
from scripts.demonstration.model_choice import ModelChoiceError, ModelServer, from_environment

from .__main__ import main as benchmark

DOZEN: Final = (
    "bedside-light",
    "frame-channel",
    "all-lights-on",
    "fridge-temperature",
    "dishwasher-phase",
    "too-bright",
    "tvs-off-fireplace-on",
    "game-nadia",
    "light-when-tv-off",
    "umbrella",
    "mothers-address",
    "next-time-mother",
)
"""Every category and most components, at little cost."""


@contextlib.contextmanager
def _model() -> Generator[ModelServer]:
    if (named := from_environment(os.environ)) is not None:
        yield named
        return
    cache = cache_folder()
    with serve(provide(cache), log=cache / "llama-server.log") as running:
        yield ModelServer(base_url=running.base_url, model=running.name)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the dozen and write the report; return the exit code."""
    parser = argparse.ArgumentParser(
        prog="scripts/benchmark",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--out", type=Path, default=Path(".demo") / "benchmark")
    parser.add_argument("--method", default="sage")
    parser.add_argument("--repeats", type=int, default=1)
    given = parser.parse_args(argv)
    given.out.mkdir(parents=True, exist_ok=True)
    results = given.out / "results.jsonl"
    try:
        with _model() as model:
            options = ["--method", given.method, "--repeats", str(given.repeats)]
            options += ["--base-url", model.base_url, "--model", model.model]
            options += ["--api-key", model.api_key] if model.api_key else []
            options += ["--cases", ",".join(DOZEN), "--output", str(results)]
            # A task that fails is a result, not an error.
            if benchmark(["run", *options]) == 2:
                return 2
    except (LocalModelError, ModelChoiceError) as err:
        print(err, file=sys.stderr)
        return 2
    return benchmark(["report", str(results), "--out", str(given.out)])


if __name__ == "__main__":
    sys.exit(main())
