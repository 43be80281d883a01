"""The order in which commands are sent: which ones wait for a reply, which run together."""

from collections.abc import Hashable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from ..home_types import RiskClass
from ..safety.risk import RESOLVED_DOMAINS, Effects

if TYPE_CHECKING:
    from .pipeline import Step


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
