"""Fields that several flows share."""

from collections.abc import Iterable, Mapping
from typing import Any, Final

import probatio
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers.selector import (
    SelectOptionDict,
    SelectSelector,
    SelectSelectorConfig,
    SelectSelectorMode,
    TextSelector,
    TextSelectorConfig,
    TextSelectorType,
)

from ..home.labels import quiet
from ..people.identity import async_all_users

PASSWORD: Final = TextSelector(
    TextSelectorConfig(type=TextSelectorType.PASSWORD, autocomplete="off")
)
SECRET: Final = TextSelector(
    TextSelectorConfig(type=TextSelectorType.PASSWORD, autocomplete="new-password")
)
URL_FIELD: Final = TextSelector(TextSelectorConfig(type=TextSelectorType.URL))


def required(key: str, shown: Mapping[str, Any]) -> probatio.Required:
    """Return a required field, filled with the value in `shown`, if there is one."""
    return probatio.Required(key, default=shown.get(key, probatio.UNDEFINED))


def model_selector(models: Iterable[str]) -> SelectSelector:
    """Return a selector for a model, which may be missing in the list."""
    return SelectSelector(
        SelectSelectorConfig(
            options=list(models), custom_value=True, mode=SelectSelectorMode.DROPDOWN
        )
    )


def escaped(text: str) -> str:
    """Return `text` on one line with escaped Markdown, for the description of a form."""
    return "".join(f"\\{each}" if each in "\\`*_[]<>#|~!{}" else each for each in quiet(text))


async def async_people(hass: HomeAssistant) -> SelectSelector:
    """Return a selector for users who can sign in."""
    people = [
        SelectOptionDict(value=user.id, label=user.name or user.id)
        for user in await async_all_users(hass)
    ]
    return SelectSelector(SelectSelectorConfig(options=people, mode=SelectSelectorMode.DROPDOWN))


async def async_name_of(hass: HomeAssistant, user_id: str) -> str:
    """Return the name of a user, or `user_id` if the user has no name or does not exist."""
    user = await hass.auth.async_get_user(user_id)
    return (user.name if user else None) or user_id


@callback
def entity_key(hass: HomeAssistant, entity_id: str) -> str:
    """Return the key that options use for an entity: its registry id, or else its entity id."""
    row = er.async_get(hass).async_get(entity_id)
    return entity_id if row is None else row.id
