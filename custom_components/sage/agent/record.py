"""The record of a run: an append-only list of all that happened in it.

Everything that is known about a run is a function of these entries: the messages of the next
prompt, the proof of a claim, the details in the chat, the tree of steps on the page. The contents
below are those of the agent; tools add their own, e.g. the outcome of a command.
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Final, Literal

from ..model.language_model import ModelReply, Usage
from .decision import Call
from .formats import HistoryStep, Observation

type StepKind = Literal["agent", "model", "tool"]

ROOT: Final = 0
"""Number of the step that is the whole run."""

_STEP: Final = ContextVar("sage_step", default=ROOT)
"""Number of the step that is being executed."""

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Decided:
    """What the model decided in its last reply."""

    reply: ModelReply
    calls: tuple[Call, ...] = ()
    repairs: tuple[str, ...] = ()
    """What was read differently from what the model wrote."""

    is_error: bool = False
    """Whether the reply is no valid decision."""


@dataclass(frozen=True, slots=True)
class Observed:
    """What the model gets to read about its last decision."""

    observations: tuple[Observation, ...]


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


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedConfirmation:
    """A question of SAGE's code, not of the model, whether to execute actions; and its result.

    The person's reply is not stored, because it may be a PIN.
    """

    question: str
    risks: tuple[str, ...]
    """Risk classes of the actions, e.g. `unlock`."""

    result: str


@dataclass(frozen=True, slots=True)
class Streamed:
    """The part of the answer that was streamed to the person so far; empty for a new attempt."""

    answer: str


class Tainted:
    """The model read untrusted text, such as a mail, or the utterance itself may be such a text."""


class ActIntended:
    """The model wanted to act in the home, even if nothing is executed."""


@dataclass(frozen=True, slots=True)
class Stopped:
    """The person stopped the run."""

    answer: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One entry of the record."""

    content: object
    at: float
    """Time in seconds of a monotonic clock."""

    step: int
    """The model or tool call that caused the entry; `ROOT` for the run itself."""

    is_tainted: bool
    """Whether untrusted text may have caused the entry."""


# ------------------------------------------------------------ the record


class Record:
    """The entries of one run, and the only thing in it that changes."""

    def __init__(self, name: str, arguments: Mapping[str, Any] | None = None) -> None:
        """Begin the record of a run: `name` of the entry agent, `arguments` with the command."""
        self._entries: list[Entry] = []
        self._contents: list[object] = []
        self._steps = ROOT
        self._listener: Callable[[Sequence[object]], None] | None = None
        self.add(Begun(step=ROOT, kind="agent", name=name, arguments=arguments or {}))

    @property
    def entries(self) -> Sequence[Entry]:
        """All entries, oldest first."""
        return self._entries

    @property
    def contents(self) -> Sequence[object]:
        """The contents of all entries, oldest first; it grows with the record."""
        return self._contents

    def all[T](self, kind: type[T]) -> tuple[T, ...]:
        """Return all contents of one kind, oldest first."""
        return tuple(each for each in self._contents if isinstance(each, kind))

    @property
    def is_tainted(self) -> bool:
        """Whether the model has read untrusted text; never reset."""
        return bool(self._entries) and self._entries[-1].is_tainted

    def add(self, *contents: object) -> None:
        """Append entries that the current step caused."""
        now, step, is_tainted = time.monotonic(), _STEP.get(), self.is_tainted
        for content in contents:
            is_tainted = is_tainted or isinstance(content, Tainted)
            self._entries.append(Entry(content=content, at=now, step=step, is_tainted=is_tainted))
            self._contents.append(content)
        if self._listener is not None:
            self._listener(contents)

    def listen(self, listener: Callable[[Sequence[object]], None] | None) -> None:
        """Call `listener` with all new contents; None for no listener any more."""
        self._listener = listener

    @contextmanager
    def steps(
        self, kind: StepKind, *named: tuple[str, Mapping[str, Any]]
    ) -> Iterator[Sequence[int]]:
        """Record steps by name and arguments; yield their numbers, to `end` them.

        An exception ends them all.
        """
        numbers = range(self._steps + 1, self._steps + 1 + len(named))
        self._steps += len(named)
        self.add(
            *(
                Begun(step=number, kind=kind, name=name, arguments=arguments)
                for number, (name, arguments) in zip(numbers, named, strict=True)
            )
        )
        token = _STEP.set(numbers[0])
        try:
            yield numbers
        except BaseException as err:
            why = str(err) or type(err).__name__
            self.add(*(Ended(step=number, result=why, is_error=True) for number in numbers))
            raise
        finally:
            _STEP.reset(token)

    def end(
        self, step: int, result: str, *, is_error: bool = False, usage: Usage | None = None
    ) -> None:
        """Record the end of a step."""
        self.add(Ended(step=step, result=result, is_error=is_error, usage=usage))


def current_step() -> int:
    """Return the number of the step that is being executed; `ROOT` outside of any."""
    return _STEP.get()


# ------------------------------------------------------------ questions to the record


def history(entries: Sequence[Entry], step: int) -> list[HistoryStep]:
    """Return the decisions of one agent, which runs as this step, with their observations."""
    own = [entry.content for entry in entries if entry.step == step]
    decided = [content for content in own if isinstance(content, Decided)]
    observed = [content for content in own if isinstance(content, Observed)]
    return [
        HistoryStep(reply=one.reply, observations=other.observations)
        for one, other in zip(decided, observed, strict=False)
    ]


def own_calls(entries: Sequence[Entry]) -> list[Call]:
    """Return the tool calls that the model chose without untrusted text in its prompt."""
    # Untrusted text may have led to the calls of a tainted run.
    return [
        call
        for entry in entries
        if (isinstance(entry.content, Decided) and not entry.is_tainted)
        or isinstance(entry.content, DecidedAlone)
        for call in entry.content.calls
    ]


@dataclass(slots=True, kw_only=True)
class TraceNode:
    """One step of a run: an agent, model call or tool call, with its result and duration."""

    kind: StepKind
    name: str
    arguments: Mapping[str, Any]
    started: float
    result: str = ""
    is_error: bool = False
    """Whether the step failed; a model call also fails if its reply cannot be parsed."""

    usage: Usage | None = None
    seconds: float = 0.0
    repairs: tuple[str, ...] = ()
    children: list[TraceNode] = field(default_factory=list)

    def walk(self) -> list[TraceNode]:
        """Return this step and all its descendants, parents first."""
        return [self, *(node for child in self.children for node in child.walk())]

    @property
    def without_words(self) -> TraceNode:
        """This step alone, without words of the person and of the answer."""
        return replace(self, arguments={}, result="", is_error=False, usage=None, children=[])

    def as_dict(self) -> dict[str, Any]:
        """Return the step and its descendants as a JSON-compatible dict with shortened results."""
        shown = self.result
        if len(shown) > _RESULT_CHARACTERS:
            shown = f"{shown[:_RESULT_CHARACTERS]} ... ({len(shown)} characters)"
        repairs = [f"Repaired: {repair}." for repair in self.repairs]
        return {
            "kind": self.kind,
            "name": self.name,
            "arguments": dict(self.arguments),
            "result": "\n".join([shown, *repairs]),
            "error": self.is_error,
            "usage": usage_dict(self.usage) if self.usage else None,
            "seconds": round(self.seconds, 3),
            "children": [child.as_dict() for child in self.children],
        }


def tree(entries: Sequence[Entry]) -> TraceNode:
    """Return the steps of a run as a tree."""
    nodes: dict[int, TraceNode] = {}
    for entry in entries:
        match entry.content:
            case Begun() as begun:
                nodes[begun.step] = node = TraceNode(
                    kind=begun.kind,
                    name=begun.name,
                    arguments=begun.arguments,
                    started=entry.at,
                )
                if begun.step != ROOT:
                    nodes[entry.step].children.append(node)
            case Ended() as ended:
                node = nodes[ended.step]
                node.result, node.is_error, node.usage = ended.result, ended.is_error, ended.usage
                node.seconds = entry.at - node.started
            case Decided() as decided:
                # It is what the last model call of the agent returned.
                node = nodes[entry.step].children[-1]
                node.repairs, node.is_error = decided.repairs, decided.is_error
    return nodes[ROOT]


def usage_dict(usage: Usage) -> dict[str, int | bool]:
    """Return token counts as a JSON-compatible dict.

    The key `is_estimated` exists only if SAGE estimated the counts.
    """
    counts = asdict(usage)
    if not usage.is_estimated:
        del counts["is_estimated"]
    return counts


def total_usage(root: TraceNode) -> Usage:
    """Return the total token usage of a step and its descendants."""
    return sum((node.usage for node in root.walk() if node.usage), Usage())


def model_calls(root: TraceNode) -> list[TraceNode]:
    """Return the model calls among a step and its descendants, in the order of `walk`."""
    return [node for node in root.walk() if node.kind == "model"]
