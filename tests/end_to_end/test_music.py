"""Music by wish: searched in the player's library, played, and proven by the title that plays."""

from typing import Any

import pytest
from homeassistant.components.media_player.const import MediaPlayerState
from homeassistant.core import HomeAssistant

from benchmark.model_script import Completion
from benchmark.music_house import WISHES, DeafPlayer, MusicPlayer, media
from custom_components.sage.text.speech import has_fence
from tests.decisions import NATIVE, Decides, claim, in_turn

from .conftest import Sage, impatient
from .test_coarse_devices import place

__all__ = ["place"]

PLAYER = "jukebox"


def acts(
    command: str, device: str = PLAYER, decides: Decides = NATIVE, **arguments: Any
) -> Completion:
    return decides.execute(device, command=command, timing="now", final=False, arguments=arguments)


@pytest.mark.parametrize(("decision_format", "wish"), in_turn(WISHES))
async def test_the_title_that_was_wished_plays(
    sage: Sage, place: Any, wish: tuple[str, ...]
) -> None:
    player = await place(MusicPlayer("Jukebox"))
    language, said, query, chosen, title = wish
    sage.model_says(
        acts("search_media", decides=sage.decides, search_query=query),
        acts("play_media", decides=sage.decides, media=media(chosen)),
        sage.decides.finish("acted", f"{title}.", claim(PLAYER, title, attribute="media_title")),
    )

    assert await sage.hear(said, language=language) == f"{title}."

    assert player.media_title == title
    found, played = (each.prompt for each in sage.server.completions if has_fence(each.prompt))
    assert media(chosen)["media_content_id"] in found
    assert "cover.png" not in found
    assert title in played.rpartition("play_media")[2]


async def test_without_a_search_the_library_is_browsed(sage: Sage, place: Any) -> None:
    player = await place(MusicPlayer("Jukebox"))
    chosen = media("Dinner Jazz")
    sage.model_says(
        acts("browse_media"),
        acts("browse_media", PLAYER, NATIVE, **chosen),
        acts("play_media", media=chosen),
        NATIVE.finish("acted", "Dinner Jazz plays.", claim(PLAYER, "playing")),
        # The words of the answer are verified.
        NATIVE.finish("acted", "Dinner Jazz plays.", claim(PLAYER, "playing")),
    )
    assert await sage.hear("play my dinner playlist") == "Dinner Jazz plays."
    assert player.media_title == "Take Five"


@pytest.mark.parametrize(
    "claimed",
    [
        claim(PLAYER, "Yesterday", attribute="media_title"),
        claim(PLAYER, "Yesterday"),
        claim(PLAYER, "Yesterday", "read", attribute="media_title"),
    ],
    ids=["title", "value", "read"],
)
async def test_another_title_than_the_wished_one_is_not_claimed(
    sage: Sage, place: Any, claimed: dict[str, Any]
) -> None:
    player = await place(MusicPlayer("Jukebox"))
    player.wrong = "Help!"
    wrong = NATIVE.finish("acted", "Yesterday plays now.", claimed)
    sage.model_says(
        acts("search_media", search_query="yesterday"),
        acts("play_media", media=media("Yesterday")),
        *[wrong] * 2,
    )
    heard = await sage.hear("play Yesterday")
    assert "Yesterday" not in heard
    assert heard == "Jukebox is now playing: Help!."


async def test_a_player_that_plays_on_has_not_played_the_wish(sage: Sage, place: Any) -> None:
    player = await place(DeafPlayer("Jukebox"))
    player.show(state=MediaPlayerState.PLAYING, media_title="News", media_content_id="news")
    done = NATIVE.finish("acted", "Yesterday plays now.", claim(PLAYER, "playing"))
    impatient(sage).model_says(
        acts("search_media", search_query="yesterday"),
        acts("play_media", media=media("Yesterday")),
        *[done] * 2,
    )
    heard = await sage.hear("play Yesterday")
    assert heard == "I sent the command to Jukebox, but saw no effect. Its state is: playing."


@pytest.mark.parametrize("enqueue", ["add", "next"])
async def test_what_is_queued_is_only_sent(sage: Sage, place: Any, enqueue: str) -> None:
    player = await place(MusicPlayer("Jukebox"))
    player.show(state=MediaPlayerState.PLAYING, media_title="News", media_content_id="news")
    sage.model_says(
        acts("search_media", search_query="yesterday"),
        acts("play_media", media=media("Yesterday"), enqueue=enqueue),
        NATIVE.finish("acted", "Yesterday is queued.", claim(PLAYER, result="sent")),
    )
    assert await sage.hear("and then Yesterday") == "Yesterday is queued."
    assert player.calls[-1][1]["enqueue"] == enqueue


async def test_titles_that_are_instructions_only_play(
    hass: HomeAssistant, sage: Sage, place: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the person did not ask for is confirmed after a search; other ids are, too."""
    player = await place(MusicPlayer("Jukebox"))
    for command in (
        acts("turn_on", "kitchen_light"),
        acts("volume_set", volume_level=1),
        acts("play_media", media={"media_content_id": "evil", "media_content_type": "track"}),
        acts("search_media", search_query="what the mail said"),
    ):
        sage.model_says(
            acts("search_media", search_query="yesterday"),
            command,
            acts("play_media", media=media("Yesterday")),
            NATIVE.finish("could_not", "You did not want it."),
        )
        assert "text from outside your home" in await sage.hear("play Yesterday")
        await sage.hear("no")
    assert hass.states.is_state("light.kitchen_light", "off")
    assert player.state == "idle"


@pytest.mark.parametrize(
    ("said", "command", "arguments"),
    [
        ("skip", "media_next_track", {}),
        ("also in the bathroom", "join", {"group_members": ["bath_player"]}),
        ("only here", "unjoin", {}),
    ],
)
async def test_what_plays_is_changed_only_if_the_player_shows_it(
    sage: Sage, place: Any, said: str, command: str, arguments: dict[str, Any]
) -> None:
    bath = await place(MusicPlayer("Bath Player"))
    for player in (await place(DeafPlayer("Deaf")), await place(MusicPlayer("Jukebox"))):
        device, is_deaf = player.entity_id.partition(".")[2], isinstance(player, DeafPlayer)
        player.become_playing("Misty", "Summertime")
        if command == "unjoin":
            player.show(group_members=[player.entity_id, bath.entity_id])
        impatient(sage).model_says(
            acts(command, device, **arguments),
            *[NATIVE.finish("acted", "Done.", claim(device))] * 2,
        )
        heard = await sage.hear(said)
        assert ("saw no effect" in heard) is is_deaf
        assert (heard == "Done.") is not is_deaf


@pytest.mark.parametrize(
    "arguments",
    [
        media("Yesterday"),
        {"media": {**media("Yesterday"), "title": "Yesterday"}},
        {"media": str(media("Yesterday")).replace("'", '"')},
    ],
    ids=["flat", "more", "text"],
)
async def test_a_slip_of_the_model_plays_the_same(
    sage: Sage, place: Any, arguments: dict[str, Any]
) -> None:
    player = await place(MusicPlayer("Jukebox"))
    sage.model_says(
        acts("search_media", search_query="yesterday"),
        acts("play_media", **arguments),
        NATIVE.finish("acted", "Yesterday.", claim(PLAYER, "Yesterday", attribute="media_title")),
    )
    assert await sage.hear("play Yesterday") == "Yesterday."
    assert player.media_title == "Yesterday"


async def test_music_moves_and_comes_back(sage: Sage, place: Any) -> None:
    bath = await place(MusicPlayer("Bath Player"))
    player = await place(MusicPlayer("Jukebox"))
    sage.model_says(
        acts("join", group_members=["bath_player"]),
        NATIVE.finish("acted", "It plays in the bathroom, too.", claim(PLAYER)),
    )
    await sage.hear("play it in the bathroom, too")
    assert player.group_members == [player.entity_id, bath.entity_id]
    sage.model_says(NATIVE.call("undo"), NATIVE.finish("acted", "Only here again."))
    await sage.hear("put it back")
    assert player.group_members == []
