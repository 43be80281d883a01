"""Summaries: the person says once which devices count; what is unavailable is never closed."""

import json

import pytest
from homeassistant.auth.models import User
from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers import label_registry as lr

from benchmark.model_script import Completion
from tests.decisions import NATIVE, claim, step

from .conftest import Sage

KITCHEN, BEDROOM = "binary_sensor.kitchen_window", "binary_sensor.bedroom_window"
AWAY = claim("bedroom_window", "unavailable", "read")

ALL = [
    ("en", "is everything closed?", "Everything is closed.", "All but the bedroom is closed."),
    ("de", "ist alles zu?", "Alles ist zu.", "Alles ist zu, das Schlafzimmer antwortet nicht."),
    ("fr", "tout est fermé ?", "Tout est fermé.", "Tout est fermé sauf la chambre, muette."),
]


async def leave_one(hass: HomeAssistant) -> None:
    """Label two windows: one is closed, one is unavailable."""
    night = lr.async_get(hass).async_create("Night check")
    for entity_id in (KITCHEN, BEDROOM):
        er.async_get(hass).async_update_entity(entity_id, labels={night.label_id})
    await hass.async_block_till_done()
    hass.states.async_set(KITCHEN, "off", {"device_class": "window"})
    hass.states.async_set(BEDROOM, "unavailable", {"device_class": "window"})


@pytest.mark.parametrize("group", ["all window", "Night check"])
@pytest.mark.parametrize(("language", "said", "wrong", "right"), ALL)
async def test_what_is_unavailable_is_not_claimed_as_closed(
    sage: Sage, language: str, said: str, wrong: str, right: str, group: str
) -> None:
    await leave_one(sage.hass)
    closed = claim(group, "closed", "read")
    reads = (*NATIVE.planned(said, step("read", group)),)
    sage.model_says(*reads, NATIVE.finish("answered", right, closed, AWAY))
    assert await sage.hear(said, language=language) == right

    sage.model_says(*reads, *[NATIVE.finish("answered", wrong, closed)] * 2)
    heard = await sage.hear(said, language=language)
    assert wrong not in heard
    assert (
        heard
        == {
            "en": "Kitchen Window: Closed. Bedroom Window: unavailable.",
            "de": "Kitchen Window: Geschlossen. Bedroom Window: nicht verfügbar.",
            "fr": "Kitchen Window : Fermé. Bedroom Window : indisponible.",
        }[language]
    )


async def test_it_is_asked_once_and_remembered(sage: Sage, user: User) -> None:
    await leave_one(sage.hass)
    recalls = NATIVE.call("personalization", question="What has to be closed at night?")
    sage.model_says(recalls, NATIVE.finish("asked", "Which windows and doors count?"))
    assert await sage.hear("good night", user_id=user.id) == "Which windows and doors count?"

    told = "for good night check the kitchen window and the bedroom window"
    answer = "The kitchen is closed; the bedroom does not answer."
    closed = claim("kitchen_window", "closed", "read")
    sage.model_says(
        NATIVE.call("memory", action="remember", text=told),
        NATIVE.finish("answered", answer, closed, AWAY),
    )
    heard = await sage.hear(told, user_id=user.id)
    assert heard == answer

    sage.conversation_id = None
    sage.model_says(
        recalls,
        Completion(text=json.dumps({"answer": told, "memories": [1]})),
        *NATIVE.planned(told, step("read", "kitchen_window", "bedroom_window")),
        NATIVE.finish("answered", answer, closed, AWAY),
    )
    heard = await sage.hear("good night", user_id=user.id)
    assert heard == answer
    assert any(told in each.prompt for each in sage.server.completions)
