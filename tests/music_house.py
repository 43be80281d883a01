"""A media player with a library of artists, albums, playlists and radio stations."""

from dataclasses import dataclass
from typing import Any, Final

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

from tests.home.entity_kinds import Player


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


class MusicPlayer(Player):
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
    _queue: tuple[str, ...] = ()
    _at = 0
    wrong: str | None = None
    """A title that it plays in place of the right one."""

    async def async_search_media(self, query: SearchMediaQuery) -> SearchMedia:
        self.noted("search", query=query.search_query)
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
        self.noted("play_media", media_type=media_type, media_id=media_id, **kwargs)
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
        self.set(state=MediaPlayerState.PLAYING, media_title=title, media_content_id=content_id)

    async def async_join_players(self, group_members: list[str]) -> None:
        self.set(group_members=[self.entity_id, *group_members])

    async def async_unjoin_player(self) -> None:
        self.set(group_members=[])


class DeafPlayer(MusicPlayer):
    """Takes every command, and plays on."""

    def _show(self, content_id: str) -> None:
        pass

    async def async_join_players(self, group_members: list[str]) -> None:
        pass

    async def async_unjoin_player(self) -> None:
        pass
