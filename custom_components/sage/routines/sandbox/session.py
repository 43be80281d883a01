"""Evaluates condition code in worker processes of Monty, each time in a session of its own."""

import asyncio
import re
import tempfile
from collections.abc import Callable, Coroutine, Mapping
from contextlib import ExitStack
from datetime import date, datetime, tzinfo
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from homeassistant.util import dt as dt_util

from . import launcher
from .contract import (
    LATER,
    RESULT_BYTES,
    CheckError,
    CheckOutcome,
    ConditionFunction,
    Fault,
    FunctionCall,
    FunctionResult,
    PlainError,
    SandboxError,
    Value,
    to_call,
    to_plain,
    to_state,
)

if TYPE_CHECKING:
    from pydantic_monty import Monty, MontyError


SECONDS: Final = 0.2
"""Maximum seconds of execution; waiting for results of condition functions does not count."""

GRACE: Final = 0.12  # seconds that a worker may exceed its time limit before it is killed
_LONGEST_QUEUE: Final = 60.0  # maximum seconds that an evaluation waits for a free worker
_MEMORY: Final = 16_000_000
_MOST_CALLS: Final = 200

CLOCK: Final = "now"  # the condition function that returns the current time
_DEEPEST: Final = 120  # maximum depth of nested calls
_LONGEST_MESSAGE: Final = 600

# One line, so that line numbers of the code differ by one. Monty represents generator expressions
# as lists, which its own next() rejects. Some built-in functions are of no use to conditions.
_HEAD: Final = (
    "from datetime import date, datetime, time, timedelta, timezone; "
    "_next = next; next = lambda items, *default: "
    "_next(iter(items) if isinstance(items, list) else items, *default); "
    "eval = exec = getattr = hasattr = id = locals = open = setattr = None\n"
)
_MODULES: Final = ("collections", "functools", "itertools", "json", "math", "re")
"""Modules that condition code can use without an import."""

_TAIL: Final = (
    "\n_value = {function}()\n"
    "(_value if _value is True or _value is False else None, type(_value).__name__, state)"
)

_UNSUPPORTED: Final = "The monty syntax parser does not yet support "
_FIXES: Final = {
    "cannot be interpreted as an integer": (
        "timedelta takes whole numbers: write timedelta(seconds=90), not timedelta(minutes=1.5)."
    ),
    "does not match format": "strptime needs a date: for a clock time, write time(7, 30).",
    "'datetime.datetime' has no attribute": "Use now() for the current time.",
    "object has no attribute": "If it is a method, call it: a method is no value here.",
    "yield": "Return a list.",
    "'del' statement": "Write state.pop(key, None), or make a new list.",
    "is not an iterator": "Write iter(...) around it, or use a loop.",
    "suspension limit": f"Condition functions may be called {_MOST_CALLS} times: call fewer.",
}
"""A part of an error text of Monty -> a sentence that says how to fix the code."""


_PROBE: Final = """\
import json, re

def probe():
    state["ran"] = json.loads(re.sub("[a-z]+", "1", "a2"))
    return state == {"ran": 12}
"""
"""Condition code that tests Monty at its start."""

MOST_WORKERS: Final = 2  # maximum number of worker processes


class Session:
    """One evaluation of condition code; each object is used once, in a thread."""

    def __init__(
        self,
        functions: Mapping[str, ConditionFunction],
        ask: Callable[[FunctionCall], Coroutine[Any, Any, FunctionResult]],
        at: datetime,
    ) -> None:
        """`ask` answers calls of `functions` in this event loop. `at`: the time for the code."""
        self._loop = asyncio.get_running_loop()
        self._functions = functions
        self._ask = ask
        self._at = at
        self._is_unknown = False

    def run(
        self, pool: Monty, source: str, function: str, state: Mapping[str, Value]
    ) -> CheckOutcome:
        """Run `function`; it may change `state`. Raises SandboxError, and exceptions of `ask`."""
        from pydantic_monty import MontyCrashedError, MontyError  # noqa: PLC0415 (see Sandbox)

        source = source.replace("\r\n", "\n")
        error: CheckError | None = None
        output: Any = None
        for left in range(MOST_WORKERS, -1, -1):
            try:
                output = self._feed(pool, source, function, state)
            except MontyCrashedError as err:
                if not err.timed_out and left:
                    # Each worker may have ended while it was idle; it is replaced.
                    continue
                error = CheckError(fault=Fault.CRASH, message="The sandbox broke off.")
                if err.timed_out:
                    error = _out_of_time()
            except MontyError as err:
                error = _error(err, source.count("\n") + 1)
            except (TimeoutError, OSError) as err:
                text = f"The worker of the sandbox does not start: {err}"
                raise SandboxError(text) from err
            break
        return self._outcome(output, error)

    def _feed(self, pool: Monty, source: str, function: str, state: Mapping[str, Value]) -> Any:
        import pydantic_monty as monty  # noqa: PLC0415 (see Sandbox)

        self._is_unknown = False
        # An import costs time, so only code that uses a module gets it.
        used = [name for name in _MODULES if re.search(rf"\b{name}\b", source)]
        imports = "".join(f"import {name}; " for name in used)
        with pool.checkout(
            limits={
                "max_feed_duration_secs": SECONDS,
                "max_memory": _MEMORY,
                "max_recursion_depth": _DEEPEST,
                "max_suspensions": _MOST_CALLS,
            },
            os_policy={
                "timezone": str(dt_util.get_default_time_zone()),
                "sleep": "zero",
                "datetime": "call_host",
            },
        ) as session:
            step = session.feed_start(
                f"{imports}{_HEAD}{source}{_TAIL.format(function=function)}",
                inputs={"state": dict(state)},
                external_lookup=dict.fromkeys(self._functions, print),
                print_callback=monty.CollectString(),
            )
            while not isinstance(step, monty.MontyComplete):
                if not isinstance(step, monty.FunctionSnapshot):
                    step = step.resume_auto()
                elif not step.is_os_function:
                    step = step.resume(self._call(step))
                elif step.function_name in ("datetime.now", "date.today"):
                    step = step.resume({"return_value": self._clock(step)})
                else:
                    step = step.resume_auto()
            return step.output

    def _call(self, step: Any) -> Any:
        name = str(step.function_name)
        if (function := self._functions.get(name)) is None:
            return {"exception": NameError(f"name {name[:80]!r} is not defined")}
        try:
            result = self._answer(to_call(function, step.args, step.kwargs))
            if result.error:
                return {"exception": ValueError(result.error)}
            self._is_unknown |= result.is_unknown
            return {"return_value": to_plain(result.value, RESULT_BYTES, "The result")}
        except (PlainError, TypeError, ValueError) as err:
            return {"exception": ValueError(str(err))}

    def _answer(self, call: FunctionCall) -> FunctionResult:
        return asyncio.run_coroutine_threadsafe(self._ask(call), self._loop).result()

    def _clock(self, step: Any) -> date:
        """Return the result of `datetime.now()` or `date.today()`, at which Monty is suspended."""
        if CLOCK in self._functions:
            # SAGE has to know that the code depends on the time.
            self._answer(FunctionCall(CLOCK))
        local = dt_util.as_local(self._at)
        if step.function_name == "date.today":
            return local.date()
        zone: tzinfo | None = step.args[0] if step.args else None
        return local.replace(tzinfo=None) if zone is None else self._at.astimezone(zone)

    def _outcome(self, output: Any, error: CheckError | None) -> CheckOutcome:
        value: bool | None = None
        new: Mapping[str, Value] | None = None
        if error is None:
            try:
                value, kind, state = output
                if value is None:
                    error = _no_bool(kind)
                elif not self._is_unknown:
                    new = to_state(state)
            except PlainError as err:
                text = str(err)[:_LONGEST_MESSAGE]
                error = CheckError(fault=Fault.STATE, message=text, detail=text)
            except TypeError, ValueError:
                error = CheckError(fault=Fault.CRASH, message="It gave no result.")
        if self._is_unknown:
            error = None
        return CheckOutcome(
            value=value if error is None and not self._is_unknown else None,
            error=error,
            is_unknown=self._is_unknown,
            state=new if error is None else None,
        )


def _error(err: MontyError, lines: int) -> CheckError:
    inner = err.exception()
    frames = err.traceback() if hasattr(err, "traceback") else ()
    passed = [each.line - 1 for each in frames if 1 <= each.line - 1 <= lines]
    line = passed[-1] if passed else None
    if isinstance(inner, TimeoutError) and not passed:
        return _out_of_time()
    if isinstance(inner, MemoryError):
        return CheckError(
            fault=Fault.MEMORY,
            message=f"It needs more than {_MEMORY // 1_000_000} MB.",
            line=line,
            hint="Build no large texts, lists or numbers.",
        )
    name, text = type(inner).__name__, str(inner)
    if isinstance(inner, SyntaxError | NotImplementedError):
        text = text.replace(_UNSUPPORTED, "Checks have no ")[:_LONGEST_MESSAGE]
        hint = next((fix for part, fix in _FIXES.items() if part in text), "")
        return CheckError(fault=Fault.SYNTAX, message=f"{text}.", line=line, hint=hint, detail=text)
    message = f"{name}: {text}"[:_LONGEST_MESSAGE] if text else f"{name}."
    fault = Fault.RECURSION if isinstance(inner, RecursionError) else Fault.EXCEPTION
    hint = next((fix for part, fix in _FIXES.items() if part in text), "")
    detail = message if fault is Fault.EXCEPTION else ""
    message += "." if hint else ""
    return CheckError(fault=fault, message=message, line=line, hint=hint, detail=detail)


def _no_bool(kind: object) -> CheckError:
    what = "nothing" if kind == "NoneType" else f"a value of type {kind}"
    return CheckError(
        fault=Fault.NO_BOOL,
        message=f"The function returned {what[:80]}.",
        hint="Return True or False on every way through it.",
    )


def _out_of_time() -> CheckError:
    return CheckError(
        fault=Fault.TIME,
        message=f"It did not end within {SECONDS:g} seconds.",
        hint="Do not wait or loop for a change: return False, the check runs again.",
    )


async def _async_no_answer(call: FunctionCall) -> FunctionResult:
    return FunctionResult(is_unknown=True)


class Workers:
    """The worker processes of Monty."""

    def __init__(self) -> None:
        self._pool: Monty | None = None
        self._resources = ExitStack()
        self._starting: asyncio.Future[None] | None = None
        self._free = asyncio.Semaphore(MOST_WORKERS)

    async def async_run(
        self, session: Session, source: str, function: str, state: Mapping[str, Value]
    ) -> CheckOutcome:
        """Evaluate code (`Session.run`) in a thread when a worker is free. Raises SandboxError."""
        async with self._free:
            if self._pool is None:
                raise SandboxError("The sandbox is closed.", LATER)
            return await asyncio.to_thread(session.run, self._pool, source, function, state)

    async def async_start(self) -> None:
        """Start and test a worker with as few rights as possible. Raises SandboxError."""
        from pydantic_monty import MontyError  # noqa: PLC0415 (see Sandbox)

        binary = await asyncio.to_thread(launcher.find_binary)
        trouble = ""
        for drop in await asyncio.to_thread(lambda: tuple(launcher.drops(binary))):
            try:
                starting = asyncio.to_thread(self._start, binary, drop)
                self._starting = asyncio.ensure_future(starting)
                await asyncio.shield(self._starting)
                session = Session({}, _async_no_answer, dt_util.utcnow())
                outcome = await self.async_run(session, _PROBE, "probe", {})
            except (SandboxError, MontyError, OSError, RuntimeError) as err:
                trouble = str(err)
            else:
                if outcome.value:
                    return
                trouble = str(outcome.error)
            await self.async_close()
        raise SandboxError(f"The worker of Monty does not work: {trouble}")

    def _start(self, binary: Path, drop: tuple[str, ...]) -> None:
        from pydantic_monty import Monty  # noqa: PLC0415 (see Sandbox)

        folder = tempfile.TemporaryDirectory(prefix="sage-sandbox-", ignore_cleanup_errors=True)
        pool = Monty(
            binary_path=launcher.write_launcher(
                Path(self._resources.enter_context(folder)), binary, drop
            ),
            min_processes=1,
            max_processes=MOST_WORKERS,
            checkout_timeout=_LONGEST_QUEUE,
            request_timeout=SECONDS + 2 * GRACE,
            feed_duration_limit_grace=GRACE,
            turn_duration_limit_grace=GRACE,
        )
        self._pool = self._resources.enter_context(pool)

    async def async_close(self) -> None:
        """Stop the workers and remove the start script; may be called more than once."""
        if self._starting is not None:
            await asyncio.wait((self._starting,))
        self._pool = None
        await asyncio.to_thread(self._resources.pop_all().close)
