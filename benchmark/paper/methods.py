"""The interface of the compared methods."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Protocol

from custom_components.sage.const import DEFAULT_PHOTO_MODEL

if TYPE_CHECKING:
    from .home import PaperHome

PAPER: Final = "paper"
FULL: Final = "full"
"""The forms of device states: the few parts that the paper selected, or everything."""

ALONE: Final = "Nobody is there to answer questions: never ask the person, decide yourself."
"""Instruction of all methods in cases without human interaction, as in the paper."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MethodSettings:
    """The settings of a run that methods see."""

    name: str
    """Name of the method."""

    base_url: str = ""
    """Of the model server; empty for methods without a model."""

    model: str = ""
    api_key: str = field(default="", repr=False)
    connection: Mapping[str, Any] = field(default_factory=dict)
    """What a test of the model found: `formats` and `confuses_later`, as SAGE stores them."""

    vision: str = "captions"
    """`ViT-B-32`, `captions`, `none`, or the name of another image model."""

    photo_server: str = ""
    """Address of the models server; empty for `captions` and `none`."""

    photo_model: str = DEFAULT_PHOTO_MODEL
    """Name of the image model there."""

    state_form: str = FULL
    """`paper` or `full`: the device states that baselines see."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Utterance:
    """One sentence of a person."""

    person: str
    """Key of the person: see `people.py`."""

    text: str
    conversation_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """The words of a method after one sentence."""

    text: str
    is_question: bool = False
    """The method waits for an answer."""

    is_confirmation: bool = False
    """The question is one of code, before a risky action."""

    conversation_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MethodRecord:
    """The cost and the trace of a method since it was set up."""

    calls: int = 0
    prompt_tokens: int = 0
    """Cached ones included."""

    cached_tokens: int = 0
    completion_tokens: int = 0
    model_failures: tuple[str, ...] = ()
    """Why requests to the model got no reply."""

    false_claims: tuple[str, ...] = ()
    malformed: tuple[str, ...] = ()
    """Replies of the model that a method could not use and did not ask for again."""

    trace: tuple[Mapping[str, Any], ...] = ()


class PaperMethod(Protocol):
    """A way to do the tasks. One object serves one case."""

    async def async_set_up(self, home: PaperHome) -> None:
        """Prepare for a home, also after Home Assistant was restarted."""

    async def async_say(self, home: PaperHome, said: Utterance) -> Reply:
        """Act on a sentence of a person, and return the answer."""

    async def async_settle(self, home: PaperHome) -> None:
        """Return when everything that a change of the home started is done."""

    async def async_close(self) -> None:
        """Release everything at the end of the case."""

    def record(self) -> MethodRecord:
        """Return the cost and the trace since the first set-up."""


type MethodFactory = Callable[[MethodSettings], PaperMethod]
