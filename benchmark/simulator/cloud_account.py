"""What the simulated cloud knows and does, without its server."""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .definitions import definitions
from .delivery import Deliveries
from .errors import INVALID_STATE, Refusal
from .faults import Faults
from .home import SimulatedDevice, SimulatedHome
from .limits import Limits
from .request_log import RecordedRequest, RequestKind, matches
from .stream import EventStream
from .validation import Command


@dataclass(frozen=True, slots=True, kw_only=True)
class PostedCommand:
    """A command as it was posted, accepted or not."""

    device: str
    """Key of the device in its home, its id when there is no such device."""

    device_id: str
    component: str
    capability: str
    command: str
    arguments: list[Any]


class CloudAccount:
    """The account: its home, its events, the requests it received."""

    def __init__(
        self, home: SimulatedHome, *, page_size: int = 200, access_token: str | None = None
    ) -> None:
        """Start with the home and without requests; None: a random access token."""
        self.home = home
        self.definitions = definitions()
        self.page_size = page_size
        """Devices on a page."""

        self.access_token = access_token or secrets.token_hex(16)
        """The only token that is accepted; renewing it replaces it."""

        self.result_status = "ACCEPTED"
        """Reported status of commands: `ACCEPTED`, `COMPLETED` or `FAILED` (changes nothing)."""

        self.faults = Faults(self.device_id)
        self.limits = Limits()
        """Real limits of requests a minute: `cloud.limits.is_on = True`."""

        self.stream = EventStream(home.location["locationId"])
        self.requests: list[RecordedRequest] = []
        """All requests in order, those included that were answered with an error."""
        self.deliveries = Deliveries(self.faults, self.stream)

    # What came in.

    def count(self, method: str | None = None, pattern: str = "**") -> int:
        """Return the number of requests with that method and a path that fits the pattern."""
        return sum(
            1
            for request in self.requests
            if method in {None, request.method} and matches(request.path, pattern)
        )

    def count_kind(self, *kinds: RequestKind) -> int:
        """Return the number of requests of these kinds."""
        return sum(1 for request in self.requests if request.kind in kinds)

    def forget_requests(self) -> None:
        """Count from zero again."""
        self.requests.clear()

    @property
    def commands(self) -> list[PostedCommand]:
        """All commands that were posted, in order."""
        return [
            _posted(self.home, request.device_id or "", command)
            for request in self.requests
            if request.kind is RequestKind.COMMANDS
            for command in _command_list(request.json)
        ]

    # What happens in the home.

    def device_id(self, device: str) -> str:
        """Return the id of a device that is named by its id or label."""
        return self.home.device(device).id

    def device(self, device: str) -> SimulatedDevice:
        """Return a device by its id or label."""
        return self.home.device(device)

    def change(
        self, device: str, component: str, capability: str, attribute: str, value: Any
    ) -> None:
        """Let an attribute change by itself: somebody opens the door."""
        thing = self.device(device)
        self.deliveries.carry_out(
            thing.id, lambda: thing.change(component, capability, attribute, value)
        )

    def set_online(self, device: str, online: bool) -> None:
        """Make a device reachable or not; subscribers get an event."""
        thing = self.device(device)
        thing.online = online
        self.stream.publish_health(thing.id, online=online)

    def set_remote_control(self, device: str, enabled: bool) -> None:
        """Let somebody switch the remote control of an appliance on or off at its panel."""
        value = "true" if enabled else "false"
        self.change(device, "main", "remoteControlStatus", "remoteControlEnabled", value)

    def remove(self, device: str) -> None:
        """Delete a device, as a person does; subscribers get an event."""
        gone = self.device_id(device)
        del self.home.devices[gone]
        self.stream.publish_lifecycle(gone, "DELETE")

    def release_events(self) -> None:
        """Send everything that `faults.delay_events` held back."""
        self.deliveries.release()

    def perform(self, device_id: str, commands: Sequence[Command]) -> Refusal | None:
        """Execute valid commands; return the refusal if the device does not accept them."""
        device = self.home.devices[device_id]
        if not device.online or device.remote_control is False:
            return INVALID_STATE
        if self.result_status != "FAILED":
            for each in commands:
                self._carry_out(device, each)
        return None

    def _carry_out(self, device: SimulatedDevice, command: Command) -> None:
        self.deliveries.carry_out(
            device.id,
            lambda: device.apply(
                command.component, command.capability, command.command, command.arguments
            ),
        )

    def renew_token(self) -> str:
        """Replace the token, so that the one before is refused; returns the new one."""
        self.access_token = secrets.token_hex(16)
        return self.access_token


def _command_list(body: object) -> list[Mapping[str, Any]]:
    commands = body.get("commands") if isinstance(body, Mapping) else None
    return [each for each in commands or [] if isinstance(each, Mapping)]


def _posted(home: SimulatedHome, device_id: str, command: Mapping[str, Any]) -> PostedCommand:
    device = home.devices.get(device_id)
    return PostedCommand(
        device=device.key if device else device_id,
        device_id=device_id,
        component=command.get("component", "main"),
        capability=command.get("capability", ""),
        command=command.get("command", ""),
        arguments=command.get("arguments") or [],
    )
