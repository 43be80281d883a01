"""A media player with a library of artists, albums, playlists and radio stations, and wishes."""

from dataclasses import dataclass
from typing import Any, Final

from homeassistant.components.media_player import MediaPlayerEntity
from homeassistant.components.media_player.browse_media import (
    BrowseMedia,
    SearchMedia,
    SearchMediaQuery,
)
from homeassistant.components.media_player.const import (
    MediaClass,
    MediaPlayerEntityFeature,
    MediaPlayerState,
)


@dataclass(frozen=True)
class Medium:
    """An item of the library, with the titles of its tracks and the words that find it."""

    kind: str
    title: str
    tracks: tuple[str, ...] = ()
    words: str = ""

    @property
    def id(self) -> str:
        return f"library://{self.kind}/{LIBRARY.index(self) + 1}"

    def found(self, *children: Medium) -> BrowseMedia:
        return BrowseMedia(
            title=self.title,
            media_class=MediaClass(self.kind if self.kind != "radio" else "music"),
            media_content_type=self.kind,
            media_content_id=self.id,
            can_play=True,
            can_expand=bool(self.tracks),
            children=[child.found() for child in children],
            thumbnail="http://192.168.1.4/cover.png",
        )


LIBRARY: Final = (
    Medium("artist", "Ella Fitzgerald", ("Summertime", "Misty"), "jazz singer"),
    Medium("artist", "Kraftwerk", ("Autobahn", "Das Model"), "electronic"),
    Medium("album", "Kind of Blue", ("So What", "Blue in Green"), "miles davis jazz"),
    Medium("album", "Abbey Road", ("Come Together", "Something"), "beatles"),
    Medium("album", "Die Mensch-Maschine", ("Die Roboter", "Spacelab"), "kraftwerk"),
    Medium("playlist", "Calm Evening", ("Clair de lune", "Gymnopédie No. 1"), "quiet relax"),
    Medium("playlist", "Dinner Jazz", ("Take Five", "Blue Rondo"), "jazz"),
    Medium("playlist", "Workout", ("Eye of the Tiger", "Thunderstruck"), "sport energetic"),
    Medium("radio", "FIP", ("FIP",), "france radio"),
    Medium("radio", "Deutschlandfunk", ("Deutschlandfunk",), "news germany radio"),
    Medium("track", "Yesterday", ("Yesterday",), "beatles"),
    Medium("track", "La vie en rose", ("La vie en rose",), "edith piaf chanson"),
    Medium("track", "99 Luftballons", ("99 Luftballons",), "nena"),
)


def media(title: str) -> dict[str, str]:
    """Return what plays an item of the library."""
    medium = next(each for each in LIBRARY if each.title == title)
    return {"media_content_id": medium.id, "media_content_type": medium.kind}


WISHES: Final = (
    ("en", "play something calm", "quiet", "Calm Evening", "Clair de lune"),
    ("en", "put on some jazz for dinner", "dinner jazz", "Dinner Jazz", "Take Five"),
    ("en", "play Kind of Blue", "kind of blue", "Kind of Blue", "So What"),
    ("en", "I want to hear Yesterday by the Beatles", "yesterday", "Yesterday", "Yesterday"),
    ("en", "something by Ella Fitzgerald", "fitzgerald", "Ella Fitzgerald", "Summertime"),
    ("en", "music for my workout", "workout", "Workout", "Eye of the Tiger"),
    ("en", "play the Abbey Road album", "abbey road", "Abbey Road", "Come Together"),
    ("de", "spiel etwas Ruhiges", "calm", "Calm Evening", "Clair de lune"),
    ("de", "mach Deutschlandfunk an", "deutschlandfunk", "Deutschlandfunk", "Deutschlandfunk"),
    ("de", "spiel 99 Luftballons", "luftballons", "99 Luftballons", "99 Luftballons"),
    ("de", "etwas von Kraftwerk", "kraftwerk", "Kraftwerk", "Autobahn"),
    ("de", "das Album Mensch-Maschine bitte", "maschine", "Die Mensch-Maschine", "Die Roboter"),
    ("fr", "mets La vie en rose", "vie en rose", "La vie en rose", "La vie en rose"),
    ("fr", "mets FIP", "fip", "FIP", "FIP"),
    ("fr", "un peu de jazz pour le dîner", "jazz", "Dinner Jazz", "Take Five"),
    ("es", "pon algo tranquilo", "relax", "Calm Evening", "Clair de lune"),
    ("it", "metti un po' di Miles Davis", "miles davis", "Kind of Blue", "So What"),
    ("nl", "zet Yesterday op", "yesterday", "Yesterday", "Yesterday"),
    ("pl", "włącz coś do ćwiczeń", "sport", "Workout", "Eye of the Tiger"),
    ("tr", "Édith Piaf çal", "piaf", "La vie en rose", "La vie en rose"),
)
"""Language, words of a person, words of the search, item of the library, and its first title."""


class MusicPlayer(MediaPlayerEntity):
    """Plays from the library, and forms groups with other players."""

    _attr_state = MediaPlayerState.IDLE
    _attr_supported_features = (
        MediaPlayerEntityFeature.PLAY_MEDIA
        | MediaPlayerEntityFeature.BROWSE_MEDIA
        | MediaPlayerEntityFeature.SEARCH_MEDIA
        | MediaPlayerEntityFeature.MEDIA_ENQUEUE
        | MediaPlayerEntityFeature.NEXT_TRACK
        | MediaPlayerEntityFeature.GROUPING
        | MediaPlayerEntityFeature.VOLUME_SET
    )
    _attr_should_poll = False
    domain = "media_player"
    _queue: tuple[str, ...] = ()
    _at = 0
    wrong: str | None = None
    """A title that it plays in place of the right one."""

    def __init__(self, name: str) -> None:
        self._attr_unique_id = self._attr_name = name
        self.entity_id = f"media_player.{name.lower().replace(' ', '_')}"
        self.calls: list[tuple[str, dict[str, Any]]] = []

    def show(self, **values: Any) -> None:
        """Change values and write the state."""
        for name, value in values.items():
            setattr(self, f"_attr_{name}", value)
        self.async_write_ha_state()

    async def async_search_media(self, query: SearchMediaQuery) -> SearchMedia:
        self.calls.append(("search", {"query": query.search_query}))
        words = query.search_query.casefold().split()
        texts = {each: f"{each.title} {each.words}".casefold() for each in LIBRARY}
        return SearchMedia(
            result=[item.found() for item, text in texts.items() if all(w in text for w in words)]
        )

    async def async_browse_media(
        self, media_content_type: str | None = None, media_content_id: str | None = None
    ) -> BrowseMedia:
        if media_content_id is not None:
            return next(each for each in LIBRARY if each.id == media_content_id).found()
        return BrowseMedia(
            title="Library",
            media_class=MediaClass.DIRECTORY,
            media_content_type="library",
            media_content_id="",
            can_play=False,
            can_expand=True,
            children=[each.found() for each in LIBRARY],
        )

    async def async_play_media(self, media_type: str, media_id: str, **kwargs: Any) -> None:
        self.calls.append(("play_media", {"media_id": media_id, **kwargs}))
        medium = next(each for each in LIBRARY if each.id == media_id)
        if kwargs.get("enqueue") in ("add", "next"):
            return
        self._queue, self._at = medium.tracks, 0
        self._show(medium.id if medium.kind in ("track", "radio") else f"{medium.id}/track")

    def become_playing(self, *titles: str) -> None:
        self._queue, self._at = titles, 0
        MusicPlayer._show(self, "queue/0")

    async def async_media_next_track(self) -> None:
        self._at = min(self._at + 1, len(self._queue) - 1)
        self._show(f"queue/{self._at}")

    def _show(self, content_id: str) -> None:
        title = self.wrong or self._queue[self._at]
        self.show(state=MediaPlayerState.PLAYING, media_title=title, media_content_id=content_id)

    async def async_join_players(self, group_members: list[str]) -> None:
        self.show(group_members=[self.entity_id, *group_members])

    async def async_unjoin_player(self) -> None:
        self.show(group_members=[])


class DeafPlayer(MusicPlayer):
    """Takes every command, and plays on."""

    def _show(self, content_id: str) -> None:
        pass

    async def async_join_players(self, group_members: list[str]) -> None:
        pass

    async def async_unjoin_player(self) -> None:
        pass
