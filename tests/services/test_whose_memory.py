"""Each person reaches their own memory by actions, and nobody else's."""

import json

import probatio
import pytest
from homeassistant.auth.const import GROUP_ID_ADMIN
from homeassistant.auth.models import User
from homeassistant.core import HomeAssistant

from custom_components.sage.services import MEMORY_SERVICES
from tests.end_to_end.conftest import Sage
from tests.memory_house import call, refused, remember, texts

READING = ("recall", "list_memories", "get_profile", "rebuild_profile", "export_memory")


async def test_nobody_reaches_what_another_person_said(
    hass: HomeAssistant, sage: Sage, anna: User, ben: User, admin: User
):
    (kept,) = await remember(hass, anna, "My MARKER is a secret of mine.")
    await call(hass, "remember", anna, text="MARKER is right.", origin="corrected")

    for other in (ben, admin, None):
        heard = [
            await call(hass, "recall", other, question="MARKER"),
            await call(hass, "list_memories", other, search="MARKER"),
            await call(hass, "get_profile", other),
            await call(hass, "rebuild_profile", other),
            await call(hass, "export_memory", other),
            await call(hass, "forget", other, topic="MARKER secret"),
            await call(hass, "forget", other, ids=[kept]),
            await call(hass, "set_memory", other, enabled=True),
        ]
        assert "MARKER" not in json.dumps(heard)
        assert heard[5] == heard[6] == {"forgotten": 0}
        assert await refused(hass, "correct_memory", other, id=kept, text="x") == "unknown_memory"
        assert await refused(hass, "list_memories", other, before=kept) == "unknown_memory"
    assert len(await texts(hass, anna)) == 2


async def test_no_action_that_reads_takes_a_user(sage: Sage, anna: User, admin: User):
    await remember(sage.hass, anna, "I like jazz.")

    for action in set(MEMORY_SERVICES) - {"forget"}:
        fields = {"question": "jazz"} if action == "recall" else {}
        with pytest.raises(probatio.Invalid, match="user"):
            await call(sage.hass, action, admin, user=anna.id, **fields)
    assert set(READING) <= set(MEMORY_SERVICES)


async def test_an_automation_has_the_memory_of_the_household(sage: Sage, anna: User):
    await remember(sage.hass, None, "The bins go out on Tuesday.")

    assert await texts(sage.hass, None) == ["The bins go out on Tuesday."]
    assert await texts(sage.hass, anna) == []
    exported = await call(sage.hass, "export_memory")
    # An automation may have read anything before.
    assert exported["memories"][0]["said"][0]["tainted"] is True
    assert await call(sage.hass, "forget", user="household", everything=True) == {"forgotten": 1}


async def test_what_a_person_says_themselves_is_not_tainted(sage: Sage, anna: User):
    await remember(sage.hass, anna, "I like jazz.")

    exported = await call(sage.hass, "export_memory", anna)

    assert exported["memories"][0]["said"][0]["tainted"] is False


@pytest.mark.parametrize("kind", ["deactivated", "system", "removed"])
async def test_who_is_nobody_of_flesh_and_blood_sees_nobodys_memory(
    hass: HomeAssistant, sage: Sage, anna: User, kind: str
):
    ghost = (
        await hass.auth.async_create_system_user("Machine", group_ids=[GROUP_ID_ADMIN])
        if kind == "system"
        else await hass.auth.async_create_user("Gus", group_ids=[GROUP_ID_ADMIN])
    )
    await remember(hass, anna, "I like jazz.")
    if kind != "system":
        await remember(hass, ghost, "I like opera.")
    await hass.async_block_till_done(wait_background_tasks=True)
    if kind == "deactivated":
        await hass.auth.async_update_user(ghost, is_active=False)
    if kind == "removed":
        await hass.auth.async_remove_user(ghost)
        await hass.async_block_till_done()
    await remember(hass, None, "The bins go out on Tuesday.")

    assert await texts(hass, ghost) == ["The bins go out on Tuesday."]
    assert await refused(hass, "forget", ghost, user=anna.id, everything=True) == "not_admin"
    assert await texts(hass, anna) == ["I like jazz."]
