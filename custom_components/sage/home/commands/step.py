"""A step of the command pipeline: one command, or one restored component."""

from abc import abstractmethod
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from ..home_types import Outcome, OutcomeKind, Source

REFUSED_NOT_PERMITTED: Final = "outcome_refused_not_permitted"
REFUSED_REFERENCE: Final = "outcome_refused_reference"
REFUSED_DECLINED: Final = "outcome_refused_declined"
REFUSED_CANNOT_ASK: Final = "outcome_refused_cannot_ask"
REFUSED_NEVER: Final = "outcome_refused_never"
NEVER_DETAIL: Final = "The household wants this never done. Do not try another way."
REFUSED_CHANGED: Final = "outcome_refused_changed"
FAILED_UNAVAILABLE: Final = "outcome_failed_unavailable"
FAILED_GONE: Final = "outcome_failed_gone"
FAILED_ERROR: Final = "outcome_failed_error"


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """The fields that all backends share."""

    device_id: str
    device_name: str
    component_id: str
    capability: str
    arguments: Mapping[str, Any]
    """Argument name -> validated value."""

    area: str | None = None
    """Name of the device's area."""

    source: Source = Source.HOME_ASSISTANT
    raw_device_id: str | None = None
    """SmartThings device id of a raw command."""

    @property
    @abstractmethod
    def name(self) -> str:
        """Name of the command in outcomes."""

    @property
    def shown_arguments(self) -> Mapping[str, Any]:
        """The arguments as outcomes show them."""
        return self.arguments

    @property
    @abstractmethod
    def batch(self) -> Hashable:
        """Neighbouring steps with an equal key run concurrently."""

    @property
    def joint(self) -> str | None:
        """Key of steps in a batch that one call can serve; None if the step needs its own call."""
        return None

    @property
    @abstractmethod
    def target(self) -> Hashable:
        """Key of the component; steps with an equal key run one after the other."""

    def outcome(self, kind: OutcomeKind, detail: str = "", **more: Any) -> Outcome:
        """Return an outcome of this step."""
        return Outcome(
            kind=kind,
            device_id=self.device_id,
            device_name=self.device_name,
            component_id=self.component_id,
            capability=self.capability,
            command=self.name,
            arguments=self.shown_arguments,
            detail=detail,
            source=self.source,
            raw_device_id=self.raw_device_id,
            area=self.area,
            **more,
        )
