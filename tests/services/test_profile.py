"""The profile by actions: read, and built on demand."""

import json
from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from freezegun.api import FrozenDateTimeFactory
from homeassistant.auth.models import User
from homeassistant.core import Context, HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from homeassistant.util import dt as dt_util

from benchmark.model_script import Completion, Fault, FaultKind, Json
from custom_components.sage.const import DOMAIN
from tests.end_to_end.conftest import Sage
from tests.memory_house import call, key_of, refused, remember, said_at


def writes_profiles(day: str) -> Callable[[Json], Completion]:
    def write(body: Json) -> Completion:
        if "claims" in str(body["messages"][0]["content"]):
            claims = {"claims": [{"claim": "Likes jazz", "dates": [day]}]}
            return Completion(text=json.dumps(claims))
        return Completion(text="- likes jazz")

    return write


async def test_a_profile_is_built_on_demand(sage: Sage, anna: User, freezer: FrozenDateTimeFactory):
    """The clock stands still: it does not become midnight."""
    today = dt_util.now().date().isoformat()
    sage.server.say(writes_profiles(today))
    await remember(sage.hass, anna, "I like jazz.")
    (earlier,) = await said_at(
        sage.entry, anna, [(datetime(2026, 3, 2, 12, tzinfo=UTC), "I like jazz a lot.")]
    )

    built = await call(sage.hass, "rebuild_profile", anna)
    again = await call(sage.hass, "rebuild_profile", anna)

    assert earlier
    assert built["days"] == 2
    assert (built["days_left"], built["changed"], built["error"]) == (0, True, None)
    assert again == {"days": 0, "days_left": 0, "changed": False, "error": None}
    profile = await call(sage.hass, "get_profile", anna)
    assert profile["text"] == f"- Likes jazz ({today})"
    assert profile["dates"] == [today]
    assert profile["model"] == "test-model"
    assert datetime.fromisoformat(profile["made_at"]).utcoffset() is not None


async def test_a_model_that_is_away_is_told(hass: HomeAssistant, sage: Sage, anna: User):
    sage.server.say(lambda _: Fault(kind=FaultKind.NO_SUCH_MODEL))
    await remember(hass, anna, "I like jazz.")

    built = await call(hass, "rebuild_profile", anna)

    assert (built["days"], built["days_left"], built["changed"]) == (0, 1, False)
    assert "model" in built["error"]
    with pytest.raises(HomeAssistantError) as caught:
        await hass.services.async_call(
            DOMAIN, "rebuild_profile", blocking=True, context=Context(user_id=anna.id)
        )
    assert key_of(caught.value) == "profile_unfinished"


async def test_without_an_agent_nobody_writes_a_profile(sage: Sage, anna: User):
    (subentry_id,) = sage.entry.subentries
    sage.hass.config_entries.async_remove_subentry(sage.entry, subentry_id)
    await sage.hass.async_block_till_done()

    assert await refused(sage.hass, "rebuild_profile", anna) == "no_agent"
