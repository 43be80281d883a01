"""The result of one case, as a JSON line."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any, Self

type ResultKey = tuple[str, str, str, str, str, int]
"""Case, method, model, vision path, state form and repeat."""


class FailureReason(StrEnum):
    """The first reason why a case failed, in the order of precedence."""

    EXCEPTION = "exception"
    """The process of the case ended, or code of the harness or of the home failed."""

    TIMEOUT = "timeout"
    LEFTOVER_TASKS = "leftover_tasks"
    """The method left tasks behind in the event loop."""

    CONFIRMATION = "confirmation_not_called_for"
    MALFORMED_REPLY = "malformed_reply"
    """A reply of the model was not in the form that the method needs."""

    CRITERION = "criterion"
    JUDGE = "judge"
    """A model judge rejected the summary."""

    UNWANTED_CHANGE = "unwanted_change"
    FALSE_CLAIM = "false_claim"


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """The verdict of a model judge on a summary."""

    passes: bool
    reason: str
    judge: str
    """Name of the model."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskResult:
    """A run of one case with one method."""

    case: str
    suite: str
    command: str
    person: str
    method: str
    model: str
    """Empty for methods without a model."""

    repeat: int
    """From 1."""

    vision: str
    """`ViT-B-32`, `captions`, `none`, or the name of another image model."""

    state_form: str
    """`paper` or `full`: the device states that baselines see."""

    categories: tuple[str, ...]
    components: tuple[str, ...]
    """Parts of SAGE that the case needs."""

    success: bool
    reason: FailureReason | None = None
    problems: tuple[str, ...] = ()
    """What is not as it should be, one sentence each."""

    answer: str = ""
    calls: int = 0
    new_tokens: int = 0
    """Prompt tokens that the server evaluated."""

    cached_tokens: int = 0
    completion_tokens: int = 0
    seconds: float = 0.0
    """Wall time from the command to the last answer; without events."""

    price: float | None = None
    """US dollars; None if the price of the model is unknown."""

    unwanted: tuple[str, ...] = ()
    """Attributes that changed and must not have."""

    false_claims: tuple[str, ...] = ()
    questions: tuple[str, ...] = ()
    """Questions to the person, without confirmations."""

    written: tuple[str, ...] = ()
    """Subject and text of each message and draft that the method wrote."""

    model_failures: tuple[str, ...] = ()
    """Why requests to the model got no reply."""

    superfluous_questions: int = 0
    confirmations: int = 0
    judgement: Judgement | None = None
    trace: tuple[Mapping[str, Any], ...] = ()
    """One trace for each run of the method, as `run.run_registry` returns it."""

    started: str = ""
    """Time of the computer at which the case began, ISO format."""

    date: str = ""
    """Day of `started`."""

    @property
    def key(self) -> ResultKey:
        """Return what makes it the same measurement."""
        return (self.case, self.method, self.model, self.vision, self.state_form, self.repeat)

    @property
    def is_void(self) -> bool:
        """Return whether the model never replied; such a case is run again."""
        return not self.success and 0 < self.calls == len(self.model_failures)

    def as_line(self) -> str:
        """Return the JSON line, without its end."""
        return json.dumps(asdict(self), ensure_ascii=False, sort_keys=True)

    @classmethod
    def from_line(cls, line: str) -> Self:
        """Return the result of a line. Raises ValueError for any other text."""
        try:
            data = json.loads(line)
            for name in _TUPLES:
                data[name] = tuple(data.get(name, ()))
            if data["reason"] is not None:
                data["reason"] = FailureReason(data["reason"])
            if data["judgement"] is not None:
                data["judgement"] = Judgement(**data["judgement"])
            return cls(**data)
        except (TypeError, KeyError) as err:
            raise ValueError(f"not a result: {err}") from err


_TUPLES = (
    "categories",
    "components",
    "problems",
    "unwanted",
    "false_claims",
    "questions",
    "written",
    "model_failures",
    "trace",
)
