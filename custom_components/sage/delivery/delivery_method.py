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
    """The chosen delivery method does not exist, and a person must change the options."""


class DeliveryUnavailableError(Exception):
    """The chosen delivery method exists but does not work at the moment."""


class DeliveryMethodKind(StrEnum):
    """The kind of a delivery method."""

    AUTOMATIC = "automatic"
    """The person's companion app, else a satellite, else a persistent notification."""
    NOTIFY = "notify"
    """A companion app of the person, a notify entity, or an action of the domain `notify`."""
    SATELLITE = "satellite"
    """A voice satellite: `target`, or if empty, the result of `satellites.satellite_for`."""
    NOTIFICATION = "notification"
    """A persistent notification in Home Assistant, which all users see."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeliveryMethod:
    """The way in which answers of routines reach one person."""

    kind: DeliveryMethodKind = DeliveryMethodKind.AUTOMATIC
    target: str | None = None
    """Registry id of an entity; None if SAGE chooses the entity or none is needed.

    For the kind NOTIFY it may also be the config entry id of a companion app, or the name of an
    action, such as `notify.anna`.
    """

    @property
    def is_private(self) -> bool:
        """Whether only the person may read the delivered answers."""
        return self.kind is DeliveryMethodKind.NOTIFY

    def as_dict(self) -> dict[str, Any]:
        """Return the method as a JSON dict for the options."""
        return {"kind": self.kind.value} | ({"target": self.target} if self.target else {})


def delivery_method_of(methods: Mapping[str, Any], user_id: str | None) -> DeliveryMethod:
    """Return the delivery method of a user; AUTOMATIC if the options contain none.

    `methods` are the options: user id -> result of `DeliveryMethod.as_dict`.
    """
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
    """Call a Home Assistant action; return its response if `answers` is true, else None.

    Raises DeliveryUnavailableError if the action fails or takes longer than `seconds`. The call has
    no user, so no permissions are checked, because the household has chosen this delivery method.
    """
    try:
        async with asyncio.timeout(seconds):
            return await hass.services.async_call(
                domain, service, data, blocking=True, context=Context(), return_response=answers
            )
    except Exception as err:
        _LOGGER.debug("%s.%s failed", domain, service, exc_info=True)
        raise DeliveryUnavailableError(f"{domain}.{service}: {type(err).__name__}") from err
