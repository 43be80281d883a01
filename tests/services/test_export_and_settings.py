"""Memory that is taken along, switched off and kept for so long."""

import json
from datetime import timedelta

from homeassistant.auth.models import User
from homeassistant.core import HomeAssistant
from homeassistant.util import dt as dt_util

from benchmark.fake_model_server import FakeModelServer
from custom_components.sage.const import CONF_RETENTION_DAYS
from tests.end_to_end.conftest import Sage, async_make_sage
from tests.memory_house import call, refused, remember, said_at, texts


async def test_a_memory_is_taken_along(hass: HomeAssistant, sage: Sage, anna: User, ben: User):
    await remember(hass, anna, "I like jazz.", "I like jazz.", "I run.")
    await remember(hass, ben, "I swim.")

    exported = json.loads(json.dumps(await call(hass, "export_memory", anna)))

    said = {each["text"]: len(each["said"]) for each in exported["memories"]}
    assert said == {"I like jazz.": 2, "I run.": 1}
    assert (exported["profile"], exported["days"]) == (None, [])


async def test_who_switches_it_off_is_remembered_no_more(sage: Sage, anna: User, ben: User):
    await remember(sage.hass, anna, "I like jazz.")

    settings = await call(sage.hass, "set_memory", anna, enabled=False)

    assert settings == {
        "enabled": False,
        "retention_days": 0,
        "request_days": 90,
        "has_own_retention": False,
    }
    assert await refused(sage.hass, "remember", anna, text="I run.") == "memory_off"
    assert (await call(sage.hass, "recall", anna, question="jazz"))["memories"]
    await remember(sage.hass, ben, "I run.")
    assert (await call(sage.hass, "set_memory", anna, enabled=True))["enabled"]
    await remember(sage.hass, anna, "I run.")
    assert await texts(sage.hass, anna) == ["I like jazz.", "I run."]


async def test_people_choose_how_long_their_memories_stay(
    hass: HomeAssistant, model_server: FakeModelServer, anna: User, ben: User
):
    sage = await async_make_sage(hass, model_server, options={CONF_RETENTION_DAYS: 30})
    long_ago = dt_util.utcnow() - timedelta(days=100)
    for user in (anna, ben):
        await said_at(sage.entry, user, [(long_ago, "long ago")])

    assert await call(hass, "set_memory", anna) == {
        "enabled": True,
        "retention_days": 30,
        "request_days": 90,
        "has_own_retention": False,
    }
    own = await call(hass, "set_memory", anna, retention_days=365)
    assert (own["retention_days"], own["has_own_retention"]) == (365, True)
    await sage.entry.runtime_data.memory.async_expire()
    assert await texts(hass, anna) == ["long ago"]
    assert await texts(hass, ben) == []

    both = {"retention_days": 1, "household_retention": True}
    assert await refused(hass, "set_memory", anna, **both) == "retention_one_way"
    again = await call(hass, "set_memory", anna, household_retention=True)
    assert (again["retention_days"], again["has_own_retention"]) == (30, False)
    await sage.entry.runtime_data.memory.async_expire()
    assert await texts(hass, anna) == []

    own = await call(hass, "set_memory", anna, request_days=7)
    assert (own["retention_days"], own["request_days"], own["has_own_retention"]) == (30, 7, True)
    both = {"request_days": 1, "household_retention": True}
    assert await refused(hass, "set_memory", anna, **both) == "retention_one_way"
    again = await call(hass, "set_memory", anna, household_retention=True)
    assert (again["request_days"], again["has_own_retention"]) == (90, False)
