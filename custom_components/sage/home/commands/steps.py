"""Commands that are ready to be sent."""

from abc import abstractmethod
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any

from ..home_types import CommandTarget, Outcome, OutcomeKind


@dataclass(frozen=True, slots=True, kw_only=True)
class Step(CommandTarget):
    """One command that is ready to be sent: a validated request or an undo."""

    arguments: Mapping[str, Any]
    """Argument name -> validated value."""

    alias: str = ""
    """The alias that the request uses for the device; `device_name` contains it, too."""

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
        own = {"command": self.name, "arguments": self.shown_arguments}
        return CommandTarget.outcome(self, kind, detail, **own, **more)
