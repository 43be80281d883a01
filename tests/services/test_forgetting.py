"""What people forget by actions is gone, and an administrator can delete for others."""

from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest
from homeassistant.auth.models import User
from homeassistant.core import HomeAssistant
from homeassistant.setup import async_setup_component

from custom_components.sage.memory.long_term_memory import FOLDER
from custom_components.sage.people.person import Person
from tests.decisions import NATIVE
from tests.end_to_end.conftest import Sage
from tests.memory_house import call, refused, remember, said_at, texts


async def test_memories_are_forgotten_one_by_one(hass: HomeAssistant, sage: Sage, anna: User):
    first, second, third = await remember(hass, anna, "I like jazz.", "I run.", "I cook.")

    # As the form of the action sends them, and with one that never was.
    assert await call(hass, "forget", anna, ids=[str(first), str(third), "999"]) == {"forgotten": 2}

    assert await texts(hass, anna) == ["I run."]
    assert await call(hass, "forget", anna, ids=second) == {"forgotten": 1}
    assert await texts(hass, anna) == []


async def test_a_topic_is_forgotten(hass: HomeAssistant, sage: Sage, anna: User):
    await remember(
        hass, anna, "I love watching hockey.", "Hockey on Saturday is great.", "I am out of milk."
    )

    gone = await call(hass, "forget", anna, topic="watching hockey")

    left = await texts(hass, anna)
    assert "I am out of milk." in left
    assert "I love watching hockey." not in left
    assert gone == {"forgotten": 3 - len(left)}


async def test_days_are_forgotten_by_the_clocks_of_the_home(sage: Sage, anna: User):
    await sage.hass.config.async_set_time_zone("America/Toronto")
    days = [
        (datetime(2026, 3, 2, 4, 59, tzinfo=UTC), "still Sunday"),
        (datetime(2026, 3, 2, 5, 0, tzinfo=UTC), "Monday begins"),
        (datetime(2026, 3, 4, 4, 59, tzinfo=UTC), "Tuesday ends"),
        (datetime(2026, 3, 4, 5, 0, tzinfo=UTC), "Wednesday begins"),
    ]
    await said_at(sage.entry, anna, days)

    gone = await call(sage.hass, "forget", anna, first_day="2026-03-02", last_day="2026-03-03")

    assert gone == {"forgotten": 2}
    assert await texts(sage.hass, anna) == ["still Sunday", "Wednesday begins"]
    assert await call(sage.hass, "forget", anna, first_day=date(2026, 3, 1)) == {"forgotten": 1}
    assert await texts(sage.hass, anna) == ["Wednesday begins"]


@pytest.mark.parametrize(
    "days",
    [
        {"last_day": "2026-03-02"},
        {"first_day": "2026-03-03", "last_day": "2026-03-02"},
        {"first_day": "9999-12-31"},
    ],
)
async def test_days_that_are_none_are_refused(sage: Sage, anna: User, days: dict[str, str]):
    assert await refused(sage.hass, "forget", anna, **days) == "period"


@pytest.mark.parametrize(
    "ways",
    [
        {},
        {"everything": False},
        {"ids": []},
        {"ids": [1], "everything": True},
        {"topic": "jazz", "first_day": "2026-03-02"},
    ],
)
async def test_what_is_to_be_forgotten_is_said_in_one_way(
    hass: HomeAssistant, sage: Sage, anna: User, ways: dict[str, Any]
):
    await remember(hass, anna, "I like jazz.")

    assert await refused(hass, "forget", anna, **ways) == "forget_one_way"
    assert await texts(hass, anna) == ["I like jazz."]


async def test_everything_is_forgotten_and_leaves_no_trace_on_the_disk(sage: Sage, anna: User):
    await remember(sage.hass, anna, "My MARKER is a secret.")
    await call(sage.hass, "remember", anna, text="MARKER is right.", origin="corrected")

    assert await call(sage.hass, "forget", anna, everything=True) == {"forgotten": 2}
    await sage.hass.async_block_till_done(wait_background_tasks=True)

    assert await texts(sage.hass, anna) == []
    assert (await call(sage.hass, "get_profile", anna))["corrections"] == []
    folder = Path(sage.hass.config.path(FOLDER))
    files = await sage.hass.async_add_executor_job(
        lambda: [each.read_bytes() for each in folder.iterdir()]
    )
    assert files
    assert not any(b"MARKER" in each for each in files)


async def test_an_administrator_deletes_what_others_said(
    hass: HomeAssistant, sage: Sage, anna: User, ben: User, admin: User
):
    assert await async_setup_component(
        hass, "person", {"person": {"id": "anna", "name": "Anna", "user_id": anna.id}}
    )
    first, _ = await remember(hass, anna, "I like jazz.", "I run.")
    await said_at(sage.entry, anna, [(datetime(2026, 3, 2, 12, tzinfo=UTC), "long ago")])
    await remember(hass, ben, "I like opera.")
    await remember(hass, None, "The bins go out on Tuesday.")
    mine = await remember(hass, admin, "I like rock.")

    assert await call(hass, "forget", admin, user="person.anna", ids=[first]) == {"forgotten": 1}
    gone = await call(
        hass, "forget", admin, user=anna.id, first_day="2026-03-01", last_day="2026-03-31"
    )
    assert gone == {"forgotten": 1}
    assert await texts(hass, anna) == ["I run."]
    assert await call(hass, "forget", admin, user=anna.id, everything=True) == {"forgotten": 1}
    assert await call(hass, "forget", admin, user="household", everything=True) == {"forgotten": 1}

    assert [await texts(hass, each) for each in (anna, None)] == [[], []]
    assert await texts(hass, ben) == ["I like opera."]
    assert await call(hass, "forget", admin, user=admin.id, ids=mine) == {"forgotten": 1}


async def test_an_administrator_learns_no_topic_of_others(
    hass: HomeAssistant, sage: Sage, anna: User, admin: User
):
    await remember(hass, anna, "I like jazz.")
    await remember(hass, admin, "I like jazz.")

    assert await refused(hass, "forget", admin, user=anna.id, topic="jazz") == "topic_of_others"
    assert await texts(hass, anna) == ["I like jazz."]
    assert await call(hass, "forget", admin, user=admin.id, topic="jazz") == {"forgotten": 1}


async def test_traces_and_turns_go_with_what_was_said(hass: HomeAssistant, sage: Sage, anna: User):
    sage.model_says(NATIVE.finish("answered", "Hello!"))
    await sage.hear("hello, it is me", user_id=anna.id)
    assert sage.traces(anna.id)

    assert (await call(hass, "forget", anna, everything=True))["forgotten"] == 1

    assert sage.traces(anna.id) == []
    assert (
        sage.entry.runtime_data.runs.earlier(
            sage.conversation_id, Person(user_id=anna.id, name="Anna")
        )
        == ()
    )
