"""Runs cases, each in a process of its own, and keeps the results in a file.

A process that dies or hangs is one failure with its reason; the other cases go on.
"""

import asyncio
import tempfile
import traceback
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Final

from homeassistant.runner import create_event_loop

from .case import PaperCase
from .cases import BY_ID
from .method_table import METHODS
from .methods import MethodSettings
from .result import FailureReason, TaskResult
from .trial import async_try, blank_result

PATIENCE: Final = 1800.0
"""Seconds after which a case counts as hanging; a small local model needs minutes for one."""

_TO_END: Final = 10.0
"""Seconds in which a process has to end after it has sent its result."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """One case with one method; it can be sent to another process."""

    case: str
    """Id of the case."""

    settings: MethodSettings
    repeat: int
    patience: float = PATIENCE
    """Seconds."""

    @property
    def key(self) -> tuple[str, str, str, str, str, int]:
        """Return what makes it the same measurement as a result."""
        return self.blank().key

    def blank(self) -> TaskResult:
        """Return a failure without any measurement."""
        return blank_result(BY_ID[self.case], self.settings, self.repeat, datetime.now(UTC))

    def failed(self, reason: FailureReason, problem: str) -> TaskResult:
        """Return a failure for a reason outside the case."""
        return replace(self.blank(), reason=reason, problems=(problem,))


@dataclass(frozen=True, slots=True, kw_only=True)
class Price:
    """US dollars per million tokens."""

    prompt: float
    completion: float
    cached: float = 0.0

    def of(self, result: TaskResult) -> float:
        """Return the price of a result in US dollars."""
        total = self.prompt * result.new_tokens + self.cached * result.cached_tokens
        return (total + self.completion * result.completion_tokens) / 1e6


class ResultFile:
    """Results as JSON lines; a line that was cut off is ignored."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def read(self) -> list[TaskResult]:
        """Return the results so far."""
        if not self._path.exists():
            return []
        found = []
        for line in self._path.read_text(encoding="utf-8").splitlines():
            try:
                found.append(TaskResult.from_line(line))
            except ValueError:
                continue
        return found

    def add(self, result: TaskResult) -> None:
        """Append a result, on a line of its own even after a line that was cut off."""
        old = self._path.read_bytes()[-1:] if self._path.exists() else b""
        with self._path.open("a", encoding="utf-8") as file:
            file.write(("\n" if old not in {b"", b"\n"} else "") + result.as_line() + "\n")


def tasks_of(
    cases: Sequence[PaperCase], settings: MethodSettings, repeats: int, patience: float = PATIENCE
) -> list[Task]:
    """Return all tasks: every case once, then every case again."""
    return [
        Task(case=case.id, settings=settings, repeat=repeat, patience=patience)
        for repeat in range(1, repeats + 1)
        for case in cases
    ]


def run_all(
    tasks: Sequence[Task],
    file: ResultFile,
    *,
    jobs: int = 1,
    price: Price | None = None,
    told: Callable[[TaskResult], None] = lambda _: None,
) -> list[TaskResult]:
    """Return the results of all tasks, in their order; what the file already has is not run.

    `told` is called with each new result.
    """
    known = {each.key: each for each in file.read()}
    left = [each for each in tasks if each.key not in known]
    with ThreadPoolExecutor(jobs) as threads:
        for done in as_completed([threads.submit(run_task, each) for each in left]):
            result = done.result()
            if price is not None:
                result = replace(result, price=round(price.of(result), 6))
            known[result.key] = result
            file.add(result)
            told(result)
    return [known[each.key] for each in tasks]


def run_task(task: Task) -> TaskResult:
    """Return the result of a task, run in a process of its own; never raises for the case."""
    context = get_context("spawn")
    receives, sends = context.Pipe(duplex=False)
    process = context.Process(target=_run, args=(task, sends))
    process.start()
    sends.close()
    try:
        if not receives.poll(task.patience):
            return task.failed(FailureReason.TIMEOUT, f"no end after {task.patience:g} s")
        result: TaskResult = receives.recv()
    except EOFError:
        process.join(_TO_END)
        return task.failed(FailureReason.EXCEPTION, f"the process died: {process.exitcode}")
    else:
        process.join(_TO_END)
        return result
    finally:
        receives.close()
        if process.is_alive():
            process.kill()
            process.join()


def _run(task: Task, sends: Connection) -> None:
    """Send the result of a task to the parent process."""
    try:
        with (
            tempfile.TemporaryDirectory(prefix="sage-paper-") as folder,
            asyncio.Runner(loop_factory=create_event_loop) as runner,
        ):
            method = METHODS[task.settings.name](task.settings)
            tried = async_try(Path(folder), BY_ID[task.case], task.settings, method, task.repeat)
            result = runner.run(tried)
    except Exception:  # noqa: BLE001 - the cause is the result
        result = task.failed(FailureReason.EXCEPTION, traceback.format_exc(limit=-8))
    sends.send(result)
    sends.close()


def successes(results: Iterable[TaskResult]) -> int:
    """Return the number of results that are a success."""
    return sum(each.success for each in results)
