"""Whom an utterance comes from (DESIGN 10)."""

from homeassistant.core import Context, HomeAssistant

from .person import HOUSEHOLD, Person


async def async_identify(hass: HomeAssistant, context: Context) -> Person:
    """Return the person of `context`; the household if it has no user of flesh and blood.

    Voice satellites and automations have no user. System users (VoIP, the
    supervisor) and deactivated ones count as the household.
    """
    if context.user_id is None:
        return HOUSEHOLD
    user = await hass.auth.async_get_user(context.user_id)
    if user is None or not user.is_active or user.system_generated:
        return HOUSEHOLD
    return Person(user_id=user.id, name=user.name or "someone")
