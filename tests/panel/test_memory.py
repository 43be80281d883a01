"""The view Memory: what SAGE knows about the signed-in user, and nobody else."""

import json
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

from homeassistant.auth.models import User

from custom_components.sage.memory.memories import Memory, Origin, Profile
from custom_components.sage.memory.person_memory import PersonMemory
from custom_components.sage.people.person import Person
from tests.end_to_end.conftest import Sage
from tests.fake_model import model_server  # noqa: F401

from .conftest import Call

DAY = datetime(2026, 3, 8, 12, tzinfo=UTC)


def conclude(memory: PersonMemory) -> None:
    """Store a summary of the day, and a profile made from it."""
    (day,) = memory.summaries.changed_days(ZoneInfo("UTC"))
    memory.summaries.set_day(day, "Anna likes jazz.")
    profile = Profile(text="Anna loves jazz.", made_at=DAY, model="m", dates=(day.date,))
    memory.summaries.set_profile(profile, memory.summaries.notes())


async def tell(sage: Sage, user: User, *said: tuple[str, Origin]) -> None:
    person = Person(user_id=user.id, name="")
    for number, (text, origin) in enumerate(said):
        new = Memory(text=text, at=DAY + timedelta(minutes=number), origin=origin)
        await sage.entry.runtime_data.memory.async_do(person, PersonMemory.add, new)


async def test_the_overview_is_of_the_caller_alone(
    sage: Sage, call: Call, anna: User, ben: User, admin: User
):
    await tell(sage, anna, ("I like jazz", Origin.SAID))
    person = Person(user_id=anna.id, name="")
    await sage.entry.runtime_data.memory.async_do(person, conclude)

    own = (await call(anna, "sage/memory/overview"))["result"]
    others = [(await call(user, "sage/memory/overview"))["result"] for user in (ben, admin)]

    assert own["profile"]["text"] == "Anna loves jazz."
    assert own["profile"]["dates"] == [date(2026, 3, 8).isoformat()]
    assert own["days"] == [{"date": "2026-03-08", "text": "Anna likes jazz."}]
    assert own["settings"]["enabled"]
    assert own["total"] == 1
    assert others[0] == others[1]
    assert "jazz" not in json.dumps(others)
    assert others[0]["total"] == 0


async def test_what_was_told_is_listed_apart_and_found_by_words(
    sage: Sage, call: Call, anna: User, admin: User
):
    await tell(
        sage,
        anna,
        ("My shoe size is 43", Origin.TOLD),
        ("Turn on the light", Origin.REQUEST),
        ("The jazz was too loud", Origin.SAID),
        ("I prefer tea", Origin.CORRECTED),
    )

    async def texts(user: User, **data: object) -> list[str]:
        answer = await call(user, "sage/memory/list", data=data)
        return [each["text"] for each in answer["result"]["memories"]]

    assert await texts(anna, group="told") == ["I prefer tea", "My shoe size is 43"]
    assert await texts(anna, group="said") == ["The jazz was too loud", "Turn on the light"]
    assert await texts(anna, group="said", search="JAZ") == ["The jazz was too loud"]
    assert await texts(anna, group="told", search="jazz") == []
    for group, words, found in (("said", "jazz", 1), ("told", "jazz", 0), ("told", "", 2)):
        data = {"group": group, "search": words, "count": 1}
        answer = await call(anna, "sage/memory/list", data=data)
        assert answer["result"]["found"] == found
    assert await texts(admin, group="told") == await texts(admin, group="said") == []


async def test_odd_numbers_and_huge_searches_are_refused_before_the_store(
    sage: Sage, call: Call, anna: User
):
    for odd in ({"before": 2**63}, {"before": 0}, {"search": "a" * 5_000}):
        answer = await call(anna, "sage/memory/list", data={"group": "said", **odd})
        assert answer["error"]["code"] == "invalid_format"
