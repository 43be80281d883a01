"""What can be seen of the home and of SAGE from outside."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from . import cloud_record
from .changes import States, snapshot
from .client import Client, HomeAssistantError
from .cloud_record import CloudChanges, CloudRecord

type Traces = list[Mapping[str, Any]]
"""As the websocket command `sage/traces` has them, newest last."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """The home at one moment."""

    states: States
    cloud: CloudRecord | None


class HomeView:
    """Sees the home as its owner does, and the traces of one person."""

    def __init__(self, person: Client, owner: Client, *, has_cloud: bool) -> None:
        self._person = person
        self._owner = owner
        self._has_cloud = has_cloud

    async def look(self) -> Moment:
        """Return how the home is; the cloud answers when Home Assistant knows what it knows."""
        cloud = None
        if self._has_cloud:
            cloud = cloud_record.from_json(await self._owner.call(cloud_record.COMMAND))
        return Moment(states=snapshot(await self._owner.call("get_states")), cloud=cloud)

    async def traces(self) -> Traces:
        """Return the traces of the person; none of another agent than SAGE."""
        try:
            return list((await self._person.call("sage/traces"))["traces"])
        except HomeAssistantError:
            return []


def in_cloud(before: Moment, after: Moment) -> CloudChanges | None:
    """Return what happened in the simulated cloud; None where there is none."""
    if before.cloud is None or after.cloud is None:
        return None
    return cloud_record.between(before.cloud, after.cloud)
