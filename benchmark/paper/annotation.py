"""`python -m benchmark annotate`: people judge the summaries that a model judged."""

import argparse
import json
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any, Final

from .judge import judged_text, rubric_of
from .result import TaskResult
from .runner import ResultFile

_VERDICTS: Final = {"y": True, "n": False}

type Verdicts = Mapping[str, bool]
"""Key of a result -> whether it passes."""


def add_to(commands: Any) -> None:
    """Add the command to those of `python -m benchmark`."""
    annotate = commands.add_parser("annotate", help="judge summaries as a person")
    annotate.set_defaults(run=_run)
    annotate.add_argument("file", type=Path, help="results of `run`")
    annotate.add_argument("--name", default="person", help="of the person who judges")
    annotate.add_argument(
        "--verdicts", type=Path, help="JSON lines; default: next to FILE, with .verdicts.jsonl"
    )


def _run(given: argparse.Namespace) -> int:
    path = given.verdicts or given.file.with_suffix(".verdicts.jsonl")
    summaries = [each for each in ResultFile(given.file).read() if _is_summary(each)]
    if not summaries:
        print("There are no summaries in this file.", file=sys.stderr)
        return 1
    known = read_verdicts(path)
    for result in summaries:
        if key_of(result) in known.get(given.name, {}):
            continue
        passes = _asked(result)
        if passes is None:
            break
        with path.open("a", encoding="utf-8") as file:
            row = {"key": key_of(result), "name": given.name, "passes": passes}
            file.write(json.dumps(row, ensure_ascii=False) + "\n")
    rows = agreement_rows(judges(summaries, read_verdicts(path)))
    print("\n".join("  ".join(each) for each in (AGREEMENT_HEAD, *rows)))
    return 0


def _is_summary(result: TaskResult) -> bool:
    return bool(rubric_of(result) and judged_text(result))


def _asked(result: TaskResult) -> bool | None:
    """Return the verdict of the person; None ends. The verdict of the model is not shown."""
    print(f"\n{result.person}: {result.command}\n\n{judged_text(result)}\n\n{rubric_of(result)}")
    while True:
        print("[y]es, [n]o, [q]uit: ", end="", flush=True)
        said = sys.stdin.readline().strip().lower()[:1]
        if said in _VERDICTS:
            return _VERDICTS[said]
        if said in {"q", ""}:
            return None


def key_of(result: TaskResult) -> str:
    """Return the key of a result as a text."""
    return "/".join(map(str, result.key))


def read_verdicts(path: Path) -> dict[str, dict[str, bool]]:
    """Return the verdicts of each person; the last one for a result counts."""
    found: dict[str, dict[str, bool]] = {}
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
        row = json.loads(line)
        found.setdefault(row["name"], {})[row["key"]] = row["passes"]
    return found


def judges(results: Iterable[TaskResult], people: Mapping[str, Verdicts]) -> dict[str, Verdicts]:
    """Return the verdicts by model and by person."""
    found: dict[str, dict[str, bool]] = {}
    for each in results:
        if each.judgement is not None:
            name = f"model {each.judgement.judge}"
            found.setdefault(name, {})[key_of(each)] = each.judgement.passes
    return {**found, **people}


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """How often two judges agree."""

    count: int
    """Number of results that both judged."""

    share: float
    kappa: float | None
    """Cohen's kappa; None where both always give the same one verdict."""


def agreement(one: Verdicts, other: Verdicts) -> Agreement | None:
    """Return the agreement of two judges; None if they have no result in common."""
    pairs = [(one[key], other[key]) for key in one.keys() & other.keys()]
    if not pairs:
        return None
    count = len(pairs)
    share = sum(a == b for a, b in pairs) / count
    yes, other_yes = (sum(each[index] for each in pairs) / count for index in (0, 1))
    chance = yes * other_yes + (1 - yes) * (1 - other_yes)
    kappa = None if chance == 1 else (share - chance) / (1 - chance)
    return Agreement(count=count, share=share, kappa=kappa)


AGREEMENT_HEAD: Final = ("judges", "summaries", "agreement", "Cohen's kappa")


def agreement_rows(verdicts: Mapping[str, Verdicts]) -> list[tuple[str, str, str, str]]:
    """Return a row for each pair of judges that have summaries in common."""
    return [
        (f"{one}, {other}", str(found.count), f"{found.share:.0%}", _kappa(found))
        for one, other in combinations(verdicts, 2)
        if (found := agreement(verdicts[one], verdicts[other])) is not None
    ]


def _kappa(found: Agreement) -> str:
    return "undefined" if found.kappa is None else f"{found.kappa:.2f}"
