"""Commands that are ready to be sent, and the order of sending.

Some wait for the reply to a question; others run together.
"""

from abc import abstractmethod
from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ..home_types import Outcome, OutcomeKind, RiskClass, Source
from ..safety.risk import RESOLVED_DOMAINS, Effects


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One command that is ready to be sent: a validated request or an undo."""

    device_id: str
    device_name: str
    component_id: str
    capability: str
    arguments: Mapping[str, Any]
    """Argument name -> validated value."""

    area: str | None = None
    """Name of the device's area."""

    alias: str = ""
    """The alias that the request uses for the device; `device_name` contains it, too."""

    source: Source = Source.HOME_ASSISTANT
    raw_device_id: str | None = None
    """SmartThings device id; None for a command to an entity."""

    @property
    @abstractmethod
    def name(self) -> str:
        """Name of the command for `Outcome.command`."""

    @property
    def shown_arguments(self) -> Mapping[str, Any]:
        """The arguments to store in `Outcome.arguments`."""
        return self.arguments

    @property
    @abstractmethod
    def batch(self) -> Hashable:
        """Key of commands that may run concurrently.

        Consecutive commands run concurrently if their `batch` is equal and their `target` differs.
        """

    @property
    def joint(self) -> str | None:
        """Key of commands that one service call can execute; None to send the command alone.

        Commands share a call, such as `light.turn_on` for three lamps, if they have an equal
        `joint` and an equal `batch`.
        """
        return None

    @property
    @abstractmethod
    def target(self) -> Hashable:
        """Key of the component; commands with an equal key run one after the other."""

    def outcome(self, kind: OutcomeKind, detail: str = "", **more: Any) -> Outcome:
        """Return an outcome of this step; `more` are other fields of `Outcome`."""
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


def waiting(steps: Mapping[int, Step], effects: Mapping[int, Effects]) -> set[int]:
    """Return the indices of the steps that must not be sent before the reply to the question.

    Those are the risky steps, and each later step whose result may depend on one of them: a step
    for the same entity, and every step after disarming an alarm or after a script or scene whose
    effects are not fully known.
    """
    found: set[int] = set()
    touched: set[Hashable] = set()
    holds_all = False
    for place, of_step in effects.items():
        step = steps[place]
        own: set[Hashable] = {step.target, *of_step.entities}
        if of_step.risk is None and not holds_all and own.isdisjoint(touched):
            continue
        found.add(place)
        touched |= own
        is_open = bool(of_step.unresolved) and step.capability in RESOLVED_DOMAINS
        holds_all = holds_all or is_open or RiskClass.DISARM in of_step.risks
    return found


def batches(steps: Mapping[int, Step]) -> Iterator[list[int]]:
    """Yield groups of indices: consecutive steps with an equal `batch` and different targets."""
    batch: list[int] = []
    targets: set[Hashable] = set()
    for place, step in steps.items():
        if batch and (steps[batch[0]].batch != step.batch or step.target in targets):
            yield batch
            batch, targets = [], set()
        batch.append(place)
        targets.add(step.target)
    if batch:
        yield batch


def calls(steps: Mapping[int, Step]) -> Iterable[Mapping[int, Step]]:
    """Return the steps of a batch, in groups that are sent together (see `Step.joint`)."""
    calls: dict[Hashable, dict[int, Step]] = {}
    for place, step in steps.items():
        key = place if step.joint is None else step.joint
        calls.setdefault(key, {})[place] = step
    return calls.values()
