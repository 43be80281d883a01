"""Runs cases, each in a process of its own, and keeps the results in a file.

A process that dies or hangs is one failure with its reason; the other cases go on.
"""

# The threads of `run_all` wait for processes; each process is the leader of a group of its own,
# so that the servers around a home end with it.

import asyncio
import contextlib
import os
import signal
import tempfile
import traceback
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor, as_completed
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Final

from homeassistant.runner import create_event_loop

from .case import PaperCase
from .cases import BY_ID
from .method_table import METHODS
from .methods import MethodSettings
from .result import FailureReason, ResultKey, TaskResult
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
    def key(self) -> ResultKey:
        """Return what makes it the same measurement as a result."""
        return self.blank().key

    def blank(self) -> TaskResult:
        """Return a failure without any measurement."""
        return blank_result(BY_ID[self.case], self.settings, self.repeat, datetime.now(UTC))

    def failed(self, reason: FailureReason, problem: str) -> TaskResult:
        """Return a failure for a reason outside the case."""
        return replace(self.blank(), reason=reason, problems=(problem,))


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars per million tokens."""

    new: float
    """Of a prompt token that the server evaluated."""

    cached: float
    completion: float

    def of(self, result: TaskResult) -> float:
        """Return the price of a result in US dollars."""
        total = self.new * result.new_tokens + self.cached * result.cached_tokens
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
    pool: Executor | None = None,
    finish: Callable[[TaskResult], TaskResult] = lambda result: result,
    told: Callable[[TaskResult], None] = lambda _: None,
    in_order: bool = False,
) -> list[TaskResult]:
    """Return the results of all tasks, in their order; what the file already has is not run.

    `finish` completes each new result before it is stored, and `told` is called with it then.
    With `in_order`, the file has the order of the tasks; otherwise a result is stored at once.
    """
    known = _known(file)
    workers = pool or ThreadPoolExecutor(1)
    running = {workers.submit(run_task, each): each for each in left_of(tasks, file)}
    try:
        for done in running if in_order else as_completed(running):
            result = finish(_result_of(done, running[done]))
            known[result.key] = result
            file.add(result)
            told(result)
    except BaseException:
        for future in running:
            future.cancel()
        for process in tuple(_running):
            _kill(process)
        workers.shutdown(wait=False)
        raise
    workers.shutdown()
    return [known[each.key] for each in tasks]


def left_of(tasks: Sequence[Task], file: ResultFile) -> list[Task]:
    """Return the tasks that a file has no result of."""
    known = _known(file)
    return [each for each in tasks if each.key not in known]


def _known(file: ResultFile) -> dict[ResultKey, TaskResult]:
    return {each.key: each for each in file.read() if not each.is_void}


def _result_of(done: Future[TaskResult], task: Task) -> TaskResult:
    try:
        return done.result()
    except Exception as err:  # noqa: BLE001 - a worker of a cluster was lost
        return task.failed(FailureReason.EXCEPTION, f"the worker failed: {err!r}")


_running: set[BaseProcess] = set()
"""The processes of this one."""


def run_task(task: Task) -> TaskResult:
    """Return the result of a task, run in a process of its own; never raises for the case."""
    context = get_context("forkserver")
    # The import takes longer than most cases: all processes begin as copies of one that did it.
    context.set_forkserver_preload([__name__])
    receives, sends = context.Pipe(duplex=False)
    with tempfile.TemporaryDirectory(prefix="sage-paper-", ignore_cleanup_errors=True) as folder:
        process = context.Process(target=_run, args=(task, folder, sends))
        process.start()
        _running.add(process)
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
            _kill(process)
            process.join()
            _running.discard(process)


def _kill(process: BaseProcess) -> None:
    """End a process and everything that it started."""
    if process.is_alive():
        process.kill()
    if process.pid is not None:
        # Nothing is left of the group if the process ended by itself.
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)


def _run(task: Task, folder: str, sends: Connection) -> None:
    """Send the result of a task to the parent process."""
    os.setpgid(0, 0)
    try:
        with asyncio.Runner(loop_factory=create_event_loop) as runner:
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
