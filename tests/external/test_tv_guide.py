"""A TV guide: fetched, kept current, searched; the old one stays until a new one is complete."""

import gzip
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from freezegun.api import FrozenDateTimeFactory
from homeassistant.core import HomeAssistant
from homeassistant.util import dt as dt_util

from custom_components.sage.external import ExternalError
from custom_components.sage.external.guide_file import GuideQuery, Showing
from custom_components.sage.external.tv_guide import TvGuide
from custom_components.sage.external.xmltv import GuideError
from tests.guide_house import GuideSource, guide_source, make_guide, on_air

__all__ = ["guide_source"]


@pytest.fixture
def reports() -> list[str]:
    return []


@pytest.fixture
async def guide(hass: HomeAssistant, guide_source: GuideSource, reports: list[str]) -> TvGuide:
    return make_guide(hass, guide_source.url, reports=reports)


async def search(guide: TvGuide, words: str = "", **more: Any) -> tuple[Showing, ...]:
    """Return what fits from now for a week; without words, what is on now."""
    now = dt_util.utcnow()
    end = now + timedelta(days=7) if words else now
    query = GuideQuery(start=now, end=end, words=words, **more)
    return tuple((await guide.async_search(query))[0])


async def titles(guide: TvGuide, words: str = "", **more: Any) -> list[str]:
    return [each.title for each in await search(guide, words, **more)]


def files(hass: HomeAssistant) -> set[str]:
    return {each.name for each in Path(hass.config.path("guides")).iterdir()}


def write(hass: HomeAssistant, name: str, content: bytes) -> str:
    path = Path(hass.config.path(name))
    path.write_bytes(content)
    return str(path)


def remove(path: str) -> None:
    Path(path).unlink()


def block(hass: HomeAssistant) -> None:
    """Put something in the place of the new file."""
    Path(hass.config.path("guides/guide.new.part")).mkdir()


SOAP = on_air("bbc1.uk", "EastEnders", category="Soap", description="Trouble in the Queen Vic.")
QUIZ = on_air("abc.us", "Jeopardy!", begins=60, category="Quiz")
STANDUP = on_air("comedy", "Stand-up Night", begins=-5, description="Comedians make people laugh.")
TRAINS = on_air("bbc1.uk", "Great Railway Journeys", begins=60, description="By train to Wales.")


async def test_words_in_any_form_and_field(guide: TvGuide, guide_source: GuideSource) -> None:
    guide_source.show(SOAP, QUIZ, TRAINS, on_air("comedy", "Das Märchen", begins=30))
    await guide.async_refresh()
    assert (await titles(guide, "soaps"))[0] == "EastEnders"
    assert (await titles(guide, "trains"))[0] == "Great Railway Journeys"
    assert (await titles(guide, "marchen"))[0] == "Das Märchen"
    assert (await titles(guide, "queen vic"))[0] == "EastEnders"
    assert await titles(guide, "marchen", title_only=True) == ["Das Märchen"]
    assert await titles(guide, "queen vic", title_only=True) == []


async def test_a_script_without_spaces(guide: TvGuide, guide_source: GuideSource) -> None:
    guide_source.show(SOAP, on_air("comedy", "紅白歌合戦スペシャル", begins=30))
    await guide.async_refresh()
    assert await titles(guide, "歌合戦", title_only=True) == ["紅白歌合戦スペシャル"]


async def test_what_is_often_repeated_leaves_room_for_the_rest(
    guide: TvGuide, guide_source: GuideSource
) -> None:
    repeats = [on_air("abc.us", "Comedy Hour", begins=60 * hour) for hour in range(30)]
    guide_source.show(*repeats, on_air("comedy", "Comedy Tonight"))
    await guide.async_refresh()
    now = dt_util.utcnow()
    wish = GuideQuery(start=now, end=now + timedelta(days=7), words="comedy", most=20)
    showings, more = await guide.async_search(wish)
    assert {each.title for each in showings} == {"Comedy Hour", "Comedy Tonight"}
    assert more
    (hour,) = {each.title for each in await search(guide, "hour", title_only=True)}
    assert hour == "Comedy Hour"
    assert len(await search(guide, "hour", title_only=True)) == 20


async def test_times_and_channels_limit_the_search(
    guide: TvGuide, guide_source: GuideSource
) -> None:
    guide_source.show(SOAP, QUIZ, STANDUP, TRAINS)
    await guide.async_refresh()
    (bbc,) = await guide.async_channels("bbc one")
    assert await titles(guide, channels=(bbc.id,)) == ["EastEnders"]
    assert await titles(guide, channels=()) == []
    later = dt_util.utcnow() + timedelta(minutes=70)
    showings, more = await guide.async_search(GuideQuery(start=later, end=later, most=1))
    assert [each.title for each in showings] == ["Jeopardy!"]
    assert more == 1


@pytest.mark.parametrize(
    ("named", "found"),
    [
        ("BBC One", ["bbc1.uk"]),
        ("bbc-one", ["bbc1.uk"]),
        ("101", ["bbc1.uk"]),
        ("7", ["abc.us"]),
        ("abc", ["abc.us"]),
        ("55", ["comedy"]),
        ("BBC Onne", ["bbc1.uk"]),
        ("comedy", ["comedy"]),
        ("zzz", []),
        ("", []),
    ],
)
async def test_channels_by_name_and_number(
    hass: HomeAssistant, guide_source: GuideSource, named: str, found: list[str]
) -> None:
    guide = make_guide(hass, guide_source.url, numbers={"comedy central": "55"})
    guide_source.show(SOAP, QUIZ, STANDUP)
    await guide.async_refresh()
    assert [each.id for each in await guide.async_channels(named)] == found


async def test_the_own_number_of_a_channel_comes_first(
    hass: HomeAssistant, guide_source: GuideSource
) -> None:
    guide = make_guide(hass, guide_source.url, numbers={"abc": "12"})
    guide_source.show(QUIZ)
    await guide.async_refresh()
    (found,) = await search(guide, "jeopardy")
    assert found.channel.number == "12"


async def test_a_programme_without_an_end_ends_with_the_next(
    guide: TvGuide, guide_source: GuideSource
) -> None:
    guide_source.show(SOAP, TRAINS)
    text = guide_source.content.decode()
    stop = text.partition('stop="')[2].partition('"')[0]
    guide_source.content = text.replace(f' stop="{stop}"', "").encode()
    await guide.async_refresh()
    soap, trains = await search(guide, "queen train")
    first, second = sorted((soap, trains), key=lambda each: each.start)
    assert first.stop == second.start


async def test_what_is_over_is_dropped(guide: TvGuide, guide_source: GuideSource) -> None:
    guide_source.show(SOAP, on_air("abc.us", "Yesterday", begins=-1500))
    assert await guide.async_refresh() == 1


BROKEN = [
    pytest.param(b"", "no element", id="empty file"),
    pytest.param(b"<tv></tv>", "no programmes", id="empty guide"),
    pytest.param(b"<html></html>", "not XMLTV", id="a web page"),
    pytest.param(b"<tv><channel id='a'/>", "no element", id="cut"),
    pytest.param(b'<!DOCTYPE tv [<!ENTITY a "b">]><tv/>', "entities", id="entities"),
    pytest.param(gzip.compress(b"<tv>" * 999)[:20], "gzip", id="cut gzip"),
]


@pytest.mark.parametrize(("content", "why"), BROKEN)
async def test_the_old_guide_stays_when_the_new_one_is_broken(
    guide: TvGuide, guide_source: GuideSource, reports: list[str], content: bytes, why: str
) -> None:
    guide_source.show(SOAP)
    await guide.async_refresh()
    guide_source.content = content
    with pytest.raises(GuideError, match=why):
        await guide.async_refresh()
    assert await titles(guide) == ["EastEnders"]
    assert [not each for each in reports] == [True, False]


@pytest.mark.parametrize("fault", ["refused", "cut", "gone"])
async def test_the_old_guide_stays_when_the_server_fails(
    hass: HomeAssistant, guide: TvGuide, guide_source: GuideSource, fault: str
) -> None:
    guide_source.show(SOAP)
    await guide.async_refresh()
    if fault == "refused":
        guide_source.status = 403
    elif fault == "cut":
        guide_source.breaks_after = 100
    else:
        await guide_source.async_stop()
    with pytest.raises(GuideError):
        await guide.async_refresh()
    assert await titles(guide) == ["EastEnders"]
    assert files(hass) <= {"guide.db", ".guide.db.made"}


async def test_without_a_guide_it_says_so(guide: TvGuide) -> None:
    with pytest.raises(ExternalError, match="has not been fetched"):
        await titles(guide)


async def test_a_file_of_the_machine(hass: HomeAssistant, guide_source: GuideSource) -> None:
    guide_source.show(SOAP)
    path = write(hass, "guide.xml.gz", gzip.compress(guide_source.content))
    guide = make_guide(hass, path)
    await guide.async_refresh()
    assert await titles(guide) == ["EastEnders"]
    remove(path)
    with pytest.raises(GuideError, match="No such file"):
        await guide.async_refresh()
    assert await titles(guide) == ["EastEnders"]


async def test_it_is_refreshed_when_due_and_kept_over_a_restart(
    hass: HomeAssistant, guide: TvGuide, guide_source: GuideSource, freezer: FrozenDateTimeFactory
) -> None:
    guide_source.show(SOAP, TRAINS)
    await guide.async_keep()
    await guide.async_keep()
    assert guide_source.requests == 1
    again = make_guide(hass, guide_source.url)
    await again.async_keep()
    assert await titles(again) == ["EastEnders"]
    assert guide_source.requests == 1
    freezer.tick(timedelta(hours=25))
    guide_source.show(on_air("bbc1.uk", "Tomorrow"))
    await again.async_keep()
    assert await titles(again) == ["Tomorrow"]


async def test_a_failed_refresh_is_tried_again_after_an_hour(
    guide: TvGuide, guide_source: GuideSource, freezer: FrozenDateTimeFactory
) -> None:
    guide_source.status = 500
    await guide.async_keep()
    await guide.async_keep()
    assert guide_source.requests == 1
    guide_source.status = 200
    guide_source.show(on_air("bbc1.uk", "EastEnders", minutes=180))
    freezer.tick(timedelta(minutes=61))
    await guide.async_keep()
    assert await titles(guide) == ["EastEnders"]


async def test_a_damaged_file_is_fetched_again(
    hass: HomeAssistant, guide: TvGuide, guide_source: GuideSource
) -> None:
    guide_source.show(SOAP)
    await guide.async_keep()
    write(hass, "guides/guide.db", b"\x07" * 40_000)
    with pytest.raises(ExternalError):
        await titles(guide)
    await guide.async_keep()
    assert await titles(guide) == ["EastEnders"]


async def test_closing_stops_a_refresh(guide: TvGuide, guide_source: GuideSource) -> None:
    guide_source.show(SOAP)
    await guide.async_refresh()
    await guide.async_close()
    guide_source.show(QUIZ)
    with pytest.raises(GuideError, match="stopped"):
        await guide.async_refresh()
    assert await titles(guide) == ["EastEnders"]


async def test_a_file_that_cannot_be_written_is_reported(
    hass: HomeAssistant, guide: TvGuide, guide_source: GuideSource, reports: list[str]
) -> None:
    guide_source.show(SOAP)
    await guide.async_refresh()
    await hass.async_add_executor_job(block, hass)
    with pytest.raises(GuideError, match="could not be used"):
        await guide.async_refresh()
    assert [not each for each in reports] == [True, False]
    assert await titles(guide) == ["EastEnders"]
