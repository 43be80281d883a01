"""The condition function for the TV guide."""

from datetime import timedelta

import pytest
from freezegun.api import FrozenDateTimeFactory
from homeassistant.core import HomeAssistant
from homeassistant.util import dt as dt_util

from custom_components.sage.external import External
from custom_components.sage.home.home import Home
from tests.guide_house import GuideSource, guide_source, make_guide, on_air
from tests.routines.conditions.calling import Asking

__all__ = ["guide_source"]


@pytest.fixture
async def outside(
    hass: HomeAssistant,
    home: Home,
    guide_source: GuideSource,
    freezer: FrozenDateTimeFactory,
) -> Asking:
    """Ask in a household with a guide."""
    freezer.move_to("2026-03-02T12:00:00+00:00")
    guide = make_guide(hass, guide_source.url)
    external = External(guides=(guide,))
    guide_source.show(
        on_air("bbc1.uk", "EastEnders", minutes=30),
        on_air("abc.us", "Jeopardy!", begins=60, minutes=30),
    )
    await guide.async_refresh()
    return Asking(hass, home, external=external)


async def test_a_programme_is_on_from_its_start_to_its_end(
    outside: Asking, freezer: FrozenDateTimeFactory
) -> None:
    start = dt_util.utcnow()
    answers = {}
    for minutes in (0, 59, 60, 89, 90):
        freezer.move_to(start + timedelta(minutes=minutes))
        answers[minutes] = await outside.value("is_on_tv", "Jeopardy")
    assert answers == {0: False, 59: False, 60: True, 89: True, 90: False}


async def test_it_is_asked_again_when_the_programme_starts(
    outside: Asking, freezer: FrozenDateTimeFactory
) -> None:
    start = dt_util.utcnow() + timedelta(minutes=60)
    freezer.move_to(start - timedelta(minutes=10))
    answered = await outside("is_on_tv", "jeopardy")
    assert answered.value is False
    assert answered.fresh_until == start
    assert not answered.is_free_text


@pytest.mark.parametrize(
    ("arguments", "value"),
    [
        (("Jeopardy", 45), False),
        (("Jeopardy", 61), True),
        (("jeopardy", 61, "ABC"), True),
        (("jeopardy", 61, "BBC One"), False),
        (("EastEnders",), True),
        (("East Enders Omnibus",), False),
    ],
)
async def test_soon_and_on_one_channel(
    outside: Asking, arguments: tuple[object, ...], value: bool
) -> None:
    assert await outside.value("is_on_tv", *arguments) is value


async def test_what_cannot_be_asked_says_how_to_fix_it(outside: Asking) -> None:
    assert 'no channel "Nowhere"' in await outside.error("is_on_tv", "News", 0, "Nowhere")
    assert "words of the title" in await outside.error("is_on_tv", " ")


def test_without_sources_there_are_no_such_functions(asking: Asking) -> None:
    names = {each.name for each in asking.functions.functions}
    assert "is_on_tv" not in names
