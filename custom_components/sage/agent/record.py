"""The record of a run: an append-only list of all that happened in it.

Everything that is known about a run is a function of these entries: the messages of the next
prompt, the proof of a claim, the details in the chat, the tree of steps on the page. The contents
below are those of the agent, besides its decisions and what it observed
(`agent/decision.py`); tools add their own, e.g. the outcome of a command.
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from ..model import ModelErrorKind, Usage
from ..text import has_fence
from .decision import Call, Decision, Observed

type StepKind = Literal["agent", "model", "tool"]

ROOT: Final = 0  # number of the step that is the whole run
STEP: Final = ContextVar("sage_step", default=ROOT)  # number of the step that is being executed
_RESULT_CHARACTERS: Final = 2_000
"""Maximum length of a result in the JSON trace, in characters; the model gets the full text."""


# ------------------------------------------------------------ contents


@dataclass(frozen=True, slots=True, kw_only=True)
class Begun:
    """A step began: the run itself, with what the person said, a model call or a tool call."""

    step: int
    kind: StepKind
    name: str
    arguments: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """A step ended."""

    step: int
    result: str
    is_error: bool = False
    usage: Usage | None = None


@dataclass(frozen=True, slots=True)
class DecidedAlone:
    """Tool calls that the model of an agent chose when asked again, without untrusted text."""

    agent: str
    calls: tuple[Call, ...]


@dataclass(frozen=True, slots=True)
class Replied:
    """The person's reply to a question of the model; confirmations and PINs are none."""

    question: str
    reply: str


@dataclass(frozen=True, slots=True)
class Streamed:
    """The part of the answer that was streamed to the person so far; empty for a new attempt."""

    answer: str


@dataclass(frozen=True, slots=True)
class SecondReplied:
    """The second model replied, because of this error of the first one."""

    why: ModelErrorKind


class Tainted:
    """The model read untrusted text, such as a mail, or the utterance itself may be such a text."""


class ActIntended:
    """The model wanted to act in the home, even if nothing is executed."""


@dataclass(frozen=True, slots=True)
class Wasted:
    """A decision of the model was in vain: an error, an objection or a repetition."""

    has_acted: bool  # whether it called a tool that acts


@dataclass(frozen=True, slots=True)
class Stopped:
    """The person stopped the run."""

    answer: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One entry of the record."""

    content: object
    at: float  # time in seconds of a monotonic clock
    step: int  # the model or tool call that caused the entry; `ROOT` for the run itself
    is_tainted: bool  # whether untrusted text may have caused the entry


# ------------------------------------------------------------ the record


class Record:
    """The entries of one run, and the only thing in it that changes."""

    def __init__(self, name: str, arguments: Mapping[str, Any] | None = None) -> None:
        """Begin the record of a run: `name` of the entry agent, `arguments` with the command."""
        self.entries: list[Entry] = []  # all entries, oldest first; only `add` appends to it
        self.is_tainted = False  # whether the model has read untrusted text; never reset
        self.usage = Usage()  # the tokens of all model calls of the run
        self.streamed = ""  # the part of the answer that was already streamed to the person
        self.listeners: list[Callable[[Sequence[object]], None]] = []
        """They are called with the contents of all new entries."""

        self._steps = ROOT
        self.add(Begun(step=ROOT, kind="agent", name=name, arguments=arguments or {}))

    def add(self, *contents: object) -> None:
        """Append entries that the current step caused."""
        now, step = time.monotonic(), STEP.get()
        for content in contents:
            match content:
                case Tainted():
                    self.is_tainted = True
                case Ended(usage=Usage() as usage):
                    self.usage += usage
                case Streamed():
                    self.streamed = content.answer
            self.entries.append(
                Entry(content=content, at=now, step=step, is_tainted=self.is_tainted)
            )
        for listener in self.listeners:
            listener(contents)

    def all[T](self, kind: type[T]) -> tuple[T, ...]:
        """Return all contents of one kind, oldest first."""
        contents = (entry.content for entry in self.entries)
        return tuple(content for content in contents if isinstance(content, kind))

    @contextmanager
    def steps(
        self, kind: StepKind, *named: tuple[str, Mapping[str, Any]]
    ) -> Iterator[Sequence[int]]:
        """Record steps by name and arguments; yield their numbers. An exception ends them all."""
        numbers = range(self._steps + 1, self._steps + 1 + len(named))
        self._steps += len(named)
        self.add(
            *(
                Begun(step=number, kind=kind, name=name, arguments=arguments)
                for number, (name, arguments) in zip(numbers, named, strict=True)
            )
        )
        token = STEP.set(numbers[0])
        try:
            yield numbers
        except BaseException as err:
            why = str(err) or type(err).__name__
            self.add(*(Ended(step=number, result=why, is_error=True) for number in numbers))
            raise
        finally:
            STEP.reset(token)

    def end(
        self, result: str, *, step: int = ROOT, is_error: bool = False, usage: Usage | None = None
    ) -> None:
        """Record the end of a step; without `step`, of the whole run."""
        self.add(Ended(step=step, result=result, is_error=is_error, usage=usage))

    # -------------------------------------------------------- questions to the record

    @property
    def answer(self) -> str:
        """The final answer of the run; empty before its end."""
        return "".join([each.result for each in self.all(Ended) if each.step == ROOT][-1:])

    def history(self, start: int, step: int) -> list[Observed]:
        """Return an agent's decisions and observations: the step `step`, from the index `start`."""
        own = (entry.content for entry in self.entries[start:] if entry.step == step)
        return [content for content in own if isinstance(content, Observed)]

    def own_calls(self) -> list[Call]:
        """Return the tool calls that the model chose without untrusted text in its prompt."""
        # Untrusted text may have led to the calls of a tainted run.
        return [
            call
            for entry in self.entries
            if (isinstance(entry.content, Decision) and not entry.is_tainted)
            or isinstance(entry.content, DecidedAlone)
            for call in entry.content.calls
        ]

    def is_in_vain(self, most: int, since: float) -> bool:
        """Return whether there were `most` model calls since then, and one was in vain.

        There may be one more if a tool has found something out after that. What the model was
        asked before its first decision does not count.
        """
        own = [entry.content for entry in self.entries if entry.at >= since]
        wasted = [place for place, content in enumerate(own) if isinstance(content, Wasted)]
        if not wasted:
            return False
        begun = [content for content in own if isinstance(content, Begun)]
        tools = {content.step for content in begun if content.kind == "tool"}
        is_new = any(
            isinstance(content, Ended) and content.step in tools and not content.is_error
            for content in own[wasted[-1] :]
        )
        decided = (place for place, content in enumerate(own) if isinstance(content, Decision))
        asked = [content for content in own[: next(decided, 0)] if isinstance(content, Begun)]
        # The last of these led to the decision.
        calls = begun[max(0, len(asked) - 1) :]
        return sum(content.kind == "model" for content in calls) >= most + is_new

    def has_failed(self, tool: str) -> bool:
        """Return whether an earlier call of a tool returned an error."""
        failed = {ended.step for ended in self.all(Ended) if ended.is_error}
        return any(begun.name == tool and begun.step in failed for begun in self.all(Begun))

    def looked_up(self) -> Iterator[tuple[str, str]]:
        """Yield name and result of each successful tool call of the entry agent.

        For an agent-tool (a tool with its own tools), yield only the results of its own tools that
        contain untrusted text; other entries have what the others read.
        """
        ended = {end.step: end for end in self.all(Ended)}
        calls = [
            (entry.step, begun)
            for entry in self.entries
            if isinstance(begun := entry.content, Begun) and begun.kind == "tool"
        ]
        for parent, call in calls:
            if parent != ROOT:
                continue
            inner = [other for step, other in calls if step == call.step]
            for shown in inner or [call]:
                end = ended.get(shown.step)
                if end and end.result and not end.is_error and (not inner or has_fence(end.result)):
                    yield shown.name, end.result

    def tree(self) -> list[dict[str, Any]]:
        """Return all steps as JSON-compatible dicts, the run first; results are shortened."""
        steps: dict[int, dict[str, Any]] = {}
        begun_at: dict[int, float] = {}
        for entry in self.entries:
            match entry.content:
                case Begun() as begun:
                    begun_at[begun.step] = entry.at
                    steps[begun.step] = {
                        "kind": begun.kind,
                        "name": begun.name,
                        "arguments": dict(begun.arguments),
                        "result": "",
                        "error": False,
                        "usage": None,
                        "seconds": 0.0,
                        "children": [],
                    }
                    if begun.step != ROOT:
                        steps[entry.step]["children"].append(steps[begun.step])
                case Ended() as ended:
                    shown = ended.result
                    if len(shown) > _RESULT_CHARACTERS:
                        shown = f"{shown[:_RESULT_CHARACTERS]} ... ({len(shown)} characters)"
                    steps[ended.step] |= {
                        "result": shown,
                        "error": ended.is_error,
                        "usage": ended.usage.as_dict() if ended.usage else None,
                        "seconds": round(entry.at - begun_at[ended.step], 3),
                    }
                case Decision() as decision:
                    # It is what the last model call of the agent returned.
                    step = steps[entry.step]["children"][-1]
                    repairs = [f"Repaired: {repair}." for repair in decision.repairs]
                    step["result"] = "\n".join([step["result"], *repairs])
                    step["error"] = bool(decision.problem)
        return list(steps.values())
