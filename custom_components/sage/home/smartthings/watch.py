"""Sees what a device reports, from before a command is sent (DESIGN 5, evidence)."""

from ...helpers.weakly import weakly
from ..commands.expectation import Expectation
from ..commands.goals import Values
from ..entities.watch import Watch
from .parts import Mirror
from .raw import RawEvent


class ReportWatch(Watch):
    """The values of one capability of one component."""

    def __init__(self, mirror: Mirror, device_id: str, component_id: str, capability: str) -> None:
        """Note the values before, and listen from now on."""
        super().__init__()
        self._mirror = mirror
        self._place = (device_id, component_id, capability)
        self._reported: dict[str, object] = {}
        self.before = self._mirrored()
        self._close = mirror.listen(device_id, weakly(self._heard))

    def close(self) -> None:
        """Stop listening."""
        self._close()

    @property
    def now(self) -> Values:
        """The values at this moment; what was reported last counts."""
        return {**self._mirrored(), **self._reported}

    @property
    def reported(self) -> frozenset[str]:
        """The attributes that the device has reported since, changed or not."""
        return frozenset(self._reported)

    def trust_mirror(self) -> None:
        """Take the values that were just fetched for truer than earlier reports."""
        self._reported.clear()

    def has_seen(self, expectation: Expectation) -> bool:
        """Tell whether the expectation is met, and the device itself has said so since."""
        return expectation.is_met(self.before, self.now) and (
            not expectation.is_met(self.before, self.before)
            or all(goal.name in self._reported for goal in expectation.goals)
        )

    def _mirrored(self) -> dict[str, object]:
        attributes = self._mirror.attributes(*self._place)
        return {name: each.value for name, each in attributes.items()}

    def _heard(self, event: RawEvent) -> None:
        if (event.device_id, event.component_id, event.capability) == self._place:
            self._reported[event.attribute] = event.value
            self._news.set()
