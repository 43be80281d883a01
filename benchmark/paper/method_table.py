"""The compared methods by name, and what each of them sees."""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Final

from ..commands.methods import ASSIST, PAPER_FLOW, SAGE
from .assist_method import PaperAssistMethod
from .controls import IdleMethod, ParrotMethod
from .home import NONE
from .ideal_method import IdealMethod
from .methods import FULL, MethodFactory, MethodSettings
from .one_prompt_method import OnePromptMethod
from .sage_method import SageMethod
from .sasha_method import SashaMethod

ONE_PROMPT: Final = "one-prompt"
SASHA: Final = "sasha"
IDEAL: Final = "ideal"
IDLE: Final = "idle"
PARROT: Final = "parrot"

METHODS: Final[Mapping[str, MethodFactory]] = {
    SAGE: SageMethod,
    PAPER_FLOW: SageMethod,
    ONE_PROMPT: OnePromptMethod,
    SASHA: SashaMethod,
    ASSIST: PaperAssistMethod,
    IDEAL: IdealMethod,
    IDLE: IdleMethod,
    PARROT: ParrotMethod,
}
"""Name -> class of the method."""

WITHOUT_MODEL: Final = frozenset({IDEAL, IDLE, PARROT})
"""Methods that need no model server."""

BASELINES: Final = frozenset({ONE_PROMPT, SASHA})
"""Methods whose prompts hold device states, in the form of `--state`."""

_NO: Final = "no"


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """What a method sees and can use, in a few words each."""

    states: str
    guide: str = _NO
    memory: str = _NO
    photos: str = _NO
    mail: str = _NO
    calendar: str = _NO
    weather: str = _NO
    triggers: str = _NO
    questions: str = _NO
    """To the person."""

    @property
    def sees_photos(self) -> bool:
        """Return whether the vision path matters."""
        return self.photos != _NO


_SAGE_VIEW: Final = View(
    states="reads exposed devices as needed",
    guide="searches",
    memory="of the person",
    photos="or captions",
    mail="of the person, contacts too",
    calendar="of the person",
    weather="of any place",
    triggers="condition code",
    questions="in the dialog suite only",
)
_BASELINE_GUIDE: Final = "programmes on now"

VIEWS: Final[Mapping[str, View]] = {
    SAGE: _SAGE_VIEW,
    PAPER_FLOW: _SAGE_VIEW,
    ONE_PROMPT: View(states="all values, `--state`", guide=_BASELINE_GUIDE),
    SASHA: View(
        states="names of capabilities, then values of relevant devices, `--state`",
        guide=_BASELINE_GUIDE,
        triggers="one attribute equals a value",
    ),
    ASSIST: View(states="reads exposed entities as needed", calendar="exposed ones"),
    IDEAL: _SAGE_VIEW,
    IDLE: View(states=_NO),
    PARROT: View(states="ids only"),
}
"""Name -> what the method sees."""


def view_table() -> str:
    """Return the table of all methods and what they see, as Markdown."""
    names = [each.name for each in fields(View)]
    rows = [("method", *names), ("---",) * (len(names) + 1)]
    rows += [
        (f"`{method}`", *(getattr(view, name) for name in names)) for method, view in VIEWS.items()
    ]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def seen_settings(settings: MethodSettings) -> MethodSettings:
    """Return settings that name only what the method sees: photos and the form of states."""
    return replace(
        settings,
        vision=settings.vision if VIEWS[settings.name].sees_photos else NONE,
        state_form=settings.state_form if settings.name in BASELINES else FULL,
    )
