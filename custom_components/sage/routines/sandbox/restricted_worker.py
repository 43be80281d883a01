"""The process of the fallback: one request a line, one report a line.

It is started by `restricted.py` with an empty environment. Before the first request it
gives up its rights: no more memory, no file or socket can be opened, nobody's user.
It imports nothing of Home Assistant.
"""

import importlib
import json
import os
import resource
import signal
import sys
import time
import warnings
from collections import OrderedDict
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, Final
from zoneinfo import ZoneInfo

from .restricted_library import GIVEN, GUARDS
from .restricted_policy import CHECK_FILE, PRELUDE_NAMES, RefusedError, compile_check
from .wire import decode, encode

MEMORY: Final = 192_000_000
"""Bytes of address space."""

RECURSION: Final = 150
"""Calls inside each other, in a check."""

ROOMY_RECURSION: Final = 1000
"""The same for ourselves: the compiler goes into depths."""

NOBODY: Final = 65534
MOST_CODES: Final = 1000
AGAIN: Final = 0.02
"""Seconds after which a run that goes on after its end is ended again."""


class OutOfTime(BaseException):
    """The time of a run is over; no Exception, so that the code cannot catch it."""


class Worker:
    """Runs checks one after another."""

    def __init__(self) -> None:
        """Run the prelude, which is ours, without restrictions."""
        path = Path(__file__).with_name("prelude.py")
        self._prelude: dict[str, Any] = {}
        code = compile(path.read_text(encoding="utf-8"), str(path), "exec")
        exec(code, self._prelude)  # noqa: S102
        self._codes: OrderedDict[str, CodeType] = OrderedDict()

    def begin(self, lent: list[Any], zone: str) -> None:
        """Take the lent functions and the time zone of the home."""
        self._prelude["_lent"].extend(lent)
        self._prelude["_zone"] = ZoneInfo(zone)

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """Run one check; returns its report, or why there is none."""
        try:
            code = self._code(request["text"])
        except RefusedError as refusal:
            return {"refused": str(refusal), "line": refusal.line}
        factory = self._factory(code, request["head"], request["function"])
        try:
            with Limits(request["seconds"]):
                report = self._prelude["_run_one"](factory, *self._inputs(request))
                line = self._line(factory, request, report)
        except OutOfTime:
            return {"broken": "time"}
        except MemoryError:
            return {"broken": "memory"}
        return {"report": encode(report), "line": line}

    def _code(self, text: str) -> CodeType:
        """Return the code of a source. Raises RefusedError."""
        if text not in self._codes:
            self._codes[text] = compile_check(text)
            if len(self._codes) > MOST_CODES:
                self._codes.popitem(last=False)
        return self._codes[text]

    def _factory(self, code: CodeType, head: list[str], function: str) -> Callable[..., Any]:
        own = compile("\n".join(head), "<head>", "exec")
        tools = {name: each for name, each in self._prelude.items() if name.startswith("_")}
        ready = {name: tools[name] for name in PRELUDE_NAMES if name in tools}

        def factory(state: dict[str, Any]) -> Any:
            heads: dict[str, Any] = {}
            exec(own, dict(tools), heads)  # noqa: S102
            names = {**GIVEN, **ready, **heads, **GUARDS, "state": state}
            exec(code, names)  # noqa: S102
            return names[function]

        return factory

    @staticmethod
    def _inputs(request: dict[str, Any]) -> tuple[Any, Any]:
        """Return state and answers, made anew for each run."""
        answers = {
            (function, tuple(arguments)): tuple(answer)
            for function, arguments, answer in decode(request["answers"])
        }
        return decode(request["state"]), answers

    def _line(
        self, factory: Callable[..., Any], request: dict[str, Any], report: Any
    ) -> int | None:
        """Return the line of an exception, by running into it once more."""
        if report[0] != "raised":
            return None
        try:
            self._prelude["_run_bare"](factory, *self._inputs(request))
        except Exception as error:  # noqa: BLE001
            line = None
            trace = error.__traceback__
            while trace:
                if trace.tb_frame.f_code.co_filename == CHECK_FILE:
                    line = trace.tb_lineno
                trace = trace.tb_next
            return line
        return None


class Limits:
    """Ends what runs too long, as far as it runs in Python, or calls itself too often."""

    is_running = False

    def __init__(self, seconds: float) -> None:
        """Take the time, in seconds of this process."""
        self._seconds = seconds

    def __enter__(self) -> None:
        """Start the clock."""
        Limits.is_running = True
        sys.setrecursionlimit(RECURSION)
        signal.setitimer(signal.ITIMER_PROF, self._seconds, AGAIN)

    def __exit__(self, *details: object) -> None:
        """Stop it."""
        Limits.is_running = False
        signal.setitimer(signal.ITIMER_PROF, 0)
        sys.setrecursionlimit(ROOMY_RECURSION)


def _end_of_time(number: int, frame: FrameType | None) -> None:
    if Limits.is_running:
        raise OutOfTime


def load_late_modules() -> None:
    """Load what is loaded at first use otherwise, when nothing can be opened any more."""
    for name in ("_strptime", "heapq", "locale", "unicodedata"):
        importlib.import_module(name)
    datetime.strptime("07:30", "%H:%M").strftime("%c")  # noqa: DTZ007
    warnings.simplefilter("ignore")


def give_up_rights() -> None:
    """Keep this process from everything that a check does not need."""
    if os.geteuid() == 0:
        os.setgroups([])
        os.setresgid(NOBODY, NOBODY, NOBODY)
        os.setresuid(NOBODY, NOBODY, NOBODY)
    for limit, value in (
        (resource.RLIMIT_AS, MEMORY),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_NPROC, 0),
        # Standard input, output and error are open; nothing else can be.
        (resource.RLIMIT_NOFILE, 3),
    ):
        resource.setrlimit(limit, (value, value))


def main() -> None:
    """Read requests and write reports until the input ends."""
    worker = Worker()
    start = json.loads(sys.stdin.readline())
    os.environ["TZ"] = start["clock_rule"]
    time.tzset()
    worker.begin(start["lent"], start["zone"])
    signal.signal(signal.SIGPROF, _end_of_time)
    load_late_modules()
    give_up_rights()
    _write({"ready": True})
    for line in sys.stdin:
        report = worker.answer(json.loads(line))
        _write(report)
        if "broken" in report:
            # What is left of such a run is nobody's to build on.
            return


def _write(value: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(value) + "\n")
    sys.stdout.flush()
