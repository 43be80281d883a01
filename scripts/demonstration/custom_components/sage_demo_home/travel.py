"""Things that take their time from one end to the other."""

from typing import Any

from .thing import DemoThing

STEP = 1.0  # seconds between two positions


class Traveller(DemoThing):
    """A cover: its position goes from 0 (closed) to 100 (open), a step a second."""

    _position: float
    _goal: float

    @property
    def position(self) -> int:
        return round(self._position)

    def travel(self, goal: float) -> None:
        """Begin to move; the state says so at once."""
        self._goal = goal
        if self._position == goal:
            self.stop_here()
            return
        self._show(is_opening=goal > self._position, is_closing=goal < self._position)
        self.later(min(STEP, self._seconds_left), self._advance)

    def stop_here(self) -> None:
        """Stand still where it is."""
        self.cancel()
        self._goal = self._position
        self._show(is_opening=False, is_closing=False)

    @property
    def _seconds_left(self) -> float:
        return abs(self._goal - self._position) / 100 * self.thing.seconds

    def _advance(self) -> None:
        way = min(STEP / self.thing.seconds * 100, abs(self._goal - self._position))
        self._position += way if self._goal > self._position else -way
        self.travel(self._goal)

    def _show(self, **values: Any) -> None:
        self.become(is_closed=self.position == 0, **values)
