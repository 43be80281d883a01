"""Contacts: looked up by relation, added by voice, imported, and out of reach for others."""

from typing import Any

import pytest
from homeassistant.auth.models import User
from homeassistant.core import HomeAssistant

from custom_components.sage.external.address_book import AddressBooks, Contact
from custom_components.sage.text.speech import has_fence
from tests.calendar_house import async_add_calendar
from tests.decisions import NATIVE
from tests.end_to_end.attacker import observed
from tests.end_to_end.conftest import MakeSage, Sage


def books_of(sage: Sage) -> AddressBooks:
    books: AddressBooks = sage.entry.runtime_data.external.books
    return books


async def add(sage: Sage, user: User, name: str, **given: Any) -> None:
    await books_of(sage).async_put(user.id, [Contact(name=name, **given)])


def looks(**given: Any) -> list[Any]:
    return [
        NATIVE.call("email_and_calendar", request="the number of Tom", final=True),
        NATIVE.call("get_contacts", **given),
        NATIVE.finish("answered", "It is 1234.", about="other"),
    ]


async def test_a_contact_is_found_and_fenced_and_nobody_else_finds_it(
    make_sage: MakeSage, hass: HomeAssistant, user: User, other: User
) -> None:
    await async_add_calendar(hass, "Family")
    sage = await make_sage()
    await add(sage, user, "Tom Fox", phones=("1234",))
    await add(sage, other, "Kim")

    sage.model_says(*looks(name="Tom"))
    assert await sage.hear("the number of Tom", user_id=user.id) == "It is 1234."
    assert "Tom Fox | phone: 1234" in sage.server.completions[-1].prompt
    assert has_fence(sage.server.completions[-1].prompt)

    sage.conversation_id = None
    for user_id in (other.id, None):
        sage.model_says(*looks(name="Tom"))
        await sage.hear("the number of somebody", user_id=user_id)
        assert "tom fox" not in observed(sage)


async def test_a_contact_is_added_by_voice(
    make_sage: MakeSage, hass: HomeAssistant, user: User
) -> None:
    await async_add_calendar(hass, "Family")
    sage = await make_sage()
    sage.model_says(
        NATIVE.call("email_and_calendar", request="Tom's number is 1234", final=True),
        NATIVE.call("change_contacts", action="put", name="Tom Fox", phone="1234"),
        NATIVE.finish("acted", "I stored it.", about="other"),
    )

    assert await sage.hear("Tom's number is 1234", user_id=user.id) == "I stored it."

    (tom,) = await books_of(sage).async_contacts(user.id)
    assert (tom.name, tom.phones) == ("Tom Fox", ("1234",))


@pytest.mark.parametrize("asked", [{"relation": "mother"}, {"name": "my mother"}])
@pytest.mark.parametrize(("others", "is_whole"), [(1, True), (10, False)])
async def test_a_name_or_relation_that_no_contact_has_shows_all(
    make_sage: MakeSage, user: User, asked: dict[str, str], others: int, *, is_whole: bool
) -> None:
    sage = await make_sage()
    await add(sage, user, "Mom", emails=("mom@example.com",))
    for number in range(others):
        await add(sage, user, f"Tom Fox {number}")
    sage.model_says(
        NATIVE.call("email_and_calendar", request="my mother's address", final=True),
        NATIVE.call("get_contacts", **asked),
        NATIVE.call("get_contacts", name="Mom"),
        NATIVE.finish("answered", "It is mom@example.com.", about="other"),
    )

    assert await sage.hear("my mother's address?", user_id=user.id) == "It is mom@example.com."

    seen = sage.server.completions[2].prompt
    assert "None has this name or relation" in seen
    assert "Mom" in seen
    assert ("mom@example.com" in seen) is is_whole
