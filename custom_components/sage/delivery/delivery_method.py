"""The delivery method of answers to a person: its options and its errors."""

import asyncio
import logging
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from homeassistant.core import Context, HomeAssistant, ServiceResponse

_LOGGER = logging.getLogger(__name__)


class NoDeliveryMethodError(Exception):
    """The chosen delivery method does not exist; somebody must set it up."""


class DeliveryUnavailableError(Exception):
    """The chosen delivery method exists but does not work at the moment."""


class DeliveryMethodKind(StrEnum):
    """The kind of a delivery method."""

    AUTOMATIC = "automatic"
    """The person's app, else the satellite of the request, else a persistent notification."""
    NOTIFY = "notify"
    """An app of the person, a notify entity, or an action of `notify`."""
    SATELLITE = "satellite"
    """A voice satellite: the target, otherwise one that `satellites.satellite_for` finds."""
    NOTIFICATION = "notification"
    """A persistent notification in Home Assistant, visible to all users."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeliveryMethod:
    """The delivery method of answers to one person."""

    kind: DeliveryMethodKind = DeliveryMethodKind.AUTOMATIC
    target: str | None = None
    """Registry id of an entity.

    For notify also the config entry id of an app of the person, or the name of an action, such as
    `notify.anna`.
    """

    @property
    def is_private(self) -> bool:
        """Whether only the person may read delivered answers."""
        return self.kind is DeliveryMethodKind.NOTIFY

    def as_dict(self) -> dict[str, Any]:
        """Return the method as a dict for the options."""
        return {"kind": self.kind.value} | ({"target": self.target} if self.target else {})


def delivery_method_of(methods: Mapping[str, Any], user_id: str | None) -> DeliveryMethod:
    """Return the delivery method that is stored for a user; automatic by default."""
    kept = methods.get(user_id) if user_id is not None else None
    if kept is None:
        return DeliveryMethod()
    return DeliveryMethod(kind=DeliveryMethodKind(kept["kind"]), target=kept.get("target"))


async def async_call(
    hass: HomeAssistant,
    domain: str,
    service: str,
    data: dict[str, Any],
    *,
    seconds: float,
    answers: bool = False,
) -> ServiceResponse:
    """Call the action and wait at most `seconds`. Raises DeliveryUnavailableError if it fails.

    The household has chosen this delivery method, so the call runs without a user.
    """
    try:
        async with asyncio.timeout(seconds):
            return await hass.services.async_call(
                domain, service, data, blocking=True, context=Context(), return_response=answers
            )
    except Exception as err:
        _LOGGER.debug("%s.%s failed", domain, service, exc_info=True)
        raise DeliveryUnavailableError(f"{domain}.{service}: {type(err).__name__}") from err
