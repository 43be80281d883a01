"""What one call of the data does with one entity, and how the entity is then."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from homeassistant.components.cover.const import CoverEntityFeature
from homeassistant.components.fan.const import FanEntityFeature
from homeassistant.components.lawn_mower.const import LawnMowerEntityFeature
from homeassistant.components.media_player.const import MediaPlayerEntityFeature
from homeassistant.components.vacuum.const import VacuumEntityFeature
from homeassistant.components.valve.const import ValveEntityFeature

from ..commands.case import Between, Seen
from .appliances import VOLUME
from .case import IntentCall, OutsideEntity

_MODES: Final = ("heat", "cool", "heat_cool", "auto", "dry", "fan_only")
_PLAYING: Final = ("playing", "paused", "idle", "on", "buffering")
_AT_REST: Final = ("docked", "error", "idle", "paused")


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    """What one call does with one entity."""

    service: str
    data: Mapping[str, Any] = field(default_factory=dict)
    entity_id: str = ""
    states: tuple[str, ...] = ()
    """States that are right afterwards; empty for any."""

    values: Mapping[str, tuple[Between, ...]] = field(default_factory=dict)
    """Ranges of numeric attributes, several for a list of numbers."""

    texts: Mapping[str, str] = field(default_factory=dict)
    """Texts that attributes contain, whatever their case."""

    begins: tuple[str, ...] = ()
    """States from which the action has an effect, the usual one first; empty for any."""

    given: Mapping[str, Any] = field(default_factory=dict)
    """Properties that the entity must have before."""

    feature: int = 0
    """The feature that the entity must have."""

    def unmet(self, seen: Seen | None) -> str:
        """Return what is wrong with the entity, empty if nothing is."""
        if seen is None:
            return f"{self.entity_id} is not there"
        if self.states and seen.state not in self.states:
            return f"{self.entity_id} is {seen.state}, not {self.states[0]}"
        for name, ranges in self.values.items():
            actual = seen.attributes.get(name)
            numbers = actual if isinstance(actual, list | tuple) else (actual,)
            if len(numbers) != len(ranges) or not all(map(_within, numbers, ranges, strict=True)):
                return f"{self.entity_id}: {name} is {actual}"
        for name, text in self.texts.items():
            if text not in str(seen.attributes.get(name)).casefold():
                return f"{self.entity_id}: {name} is {seen.attributes.get(name)}"
        return ""


def _within(number: object, between: Between) -> bool:
    return isinstance(number, int | float) and between.low <= number <= between.high


def _around(value: float, by: float) -> tuple[Between, ...]:
    return (Between(value - by, value + by),)


_SWITCHED: Final[Mapping[str, tuple[Action, Action]]] = {
    **dict.fromkeys(
        ("light", "switch", "fan"),
        (
            Action(service="turn_on", states=("on",), begins=("off",)),
            Action(service="turn_off", states=("off",), begins=("on",)),
        ),
    ),
    "climate": (
        Action(service="turn_on", states=_MODES, begins=("off",)),
        Action(service="turn_off", states=("off",), begins=_MODES),
    ),
    "media_player": (
        Action(
            service="turn_on",
            states=_PLAYING,
            begins=("off",),
            feature=MediaPlayerEntityFeature.TURN_ON,
        ),
        Action(
            service="turn_off",
            states=("off",),
            begins=("on", *_PLAYING),
            feature=MediaPlayerEntityFeature.TURN_OFF,
        ),
    ),
    "cover": (
        Action(
            service="open_cover",
            states=("open",),
            begins=("closed",),
            feature=CoverEntityFeature.OPEN,
        ),
        Action(
            service="close_cover",
            states=("closed",),
            begins=("open",),
            feature=CoverEntityFeature.CLOSE,
        ),
    ),
    "valve": (
        Action(
            service="open_valve",
            states=("open",),
            begins=("closed",),
            feature=ValveEntityFeature.OPEN,
        ),
        Action(
            service="close_valve",
            states=("closed",),
            begins=("open",),
            feature=ValveEntityFeature.CLOSE,
        ),
    ),
    "lock": (
        Action(service="lock", states=("locked",), begins=("unlocked", "jammed")),
        Action(service="unlock", states=("unlocked", "open"), begins=("locked", "jammed")),
    ),
}
"""Domain -> what HassTurnOn and HassTurnOff do there."""

_ALL: Final = ("light", "switch", "fan", "media_player", "climate")
"""Domains that "everything" switches; other entities of the area may follow."""

_PLAYER: Final = MediaPlayerEntityFeature
_FIXED: Final[Mapping[str, Action]] = {
    "HassVacuumStart": Action(
        service="start", states=("cleaning",), begins=_AT_REST, feature=VacuumEntityFeature.START
    ),
    "HassVacuumReturnToBase": Action(
        service="return_to_base",
        states=("docked", "returning"),
        begins=("cleaning", "error"),
        feature=VacuumEntityFeature.RETURN_HOME,
    ),
    "HassLawnMowerStartMowing": Action(
        service="start_mowing",
        states=("mowing",),
        begins=_AT_REST,
        feature=LawnMowerEntityFeature.START_MOWING,
    ),
    "HassLawnMowerDock": Action(
        service="dock",
        states=("docked", "returning"),
        begins=("mowing", "error"),
        feature=LawnMowerEntityFeature.DOCK,
    ),
    "HassMediaPause": Action(
        service="media_pause", states=("paused",), begins=("playing",), feature=_PLAYER.PAUSE
    ),
    "HassMediaUnpause": Action(
        service="media_play", states=("playing",), begins=("paused",), feature=_PLAYER.PLAY
    ),
    "HassMediaNext": Action(
        service="media_next_track",
        values={"media_track": _around(6, 0)},
        begins=("playing",),
        feature=_PLAYER.NEXT_TRACK,
    ),
    "HassMediaPrevious": Action(
        service="media_previous_track",
        values={"media_track": _around(4, 0)},
        begins=("playing",),
        feature=_PLAYER.PREVIOUS_TRACK,
    ),
    "HassMediaPlayerMute": Action(
        service="volume_mute",
        data={"is_volume_muted": True},
        values={"is_volume_muted": _around(1, 0)},
        begins=_PLAYING,
        feature=_PLAYER.VOLUME_MUTE,
    ),
    "HassMediaPlayerUnmute": Action(
        service="volume_mute",
        data={"is_volume_muted": False},
        values={"is_volume_muted": _around(0, 0)},
        begins=_PLAYING,
        given={"is_volume_muted": True},
        feature=_PLAYER.VOLUME_MUTE,
    ),
}
"""Intents of one domain without arguments."""

_COLORS: Final[Mapping[str, tuple[str, Any, Mapping[str, tuple[Between, ...]]]]] = {
    "blue": ("color_name", "blue", {"hs_color": (Between(220, 260), Between(80, 100))}),
    "red": ("color_name", "red", {"hs_color": (Between(0, 15), Between(80, 100))}),
    "warm white": ("color_temp_kelvin", 2700, {"color_temp_kelvin": (Between(2000, 3500),)}),
}
"""Color -> name and value of the argument, and the attribute that is then right."""


def action(call: IntentCall, entity: OutsideEntity, start: str) -> Action | None:
    """Return what a call does with an entity in the state `start`; None if it does nothing."""
    if call.name in {"HassTurnOn", "HassTurnOff", "HassToggle"}:
        return _switch(call, entity, start)
    if (make := _MADE.get(call.name)) is not None:
        return make(call.arguments, entity)
    return _FIXED.get(call.name)


def _switch(call: IntentCall, entity: OutsideEntity, start: str) -> Action | None:
    is_bound = "domain" in call.arguments or "name" in call.arguments
    if entity.domain not in (_SWITCHED if is_bound else _ALL):
        return None
    on, off = _SWITCHED[entity.domain]
    if call.name != "HassToggle":
        return on if call.name == "HassTurnOn" else off
    return replace(off if start in off.begins else on, begins=())


def _light(given: Mapping[str, Any], entity: OutsideEntity) -> Action | None:
    modes = {*entity.attributes["supported_color_modes"]}
    if (color := given.get("color", given.get("color_temp"))) is not None:
        name, value, right = _COLORS[color]
        return Action(service="turn_on", data={name: value}, states=("on",), values=right)
    if modes == {"onoff"}:
        return None
    percent = given["brightness"]
    return Action(
        service="turn_on",
        data={"brightness_pct": percent},
        states=("on",),
        values={"brightness": _around(percent * 2.55, 3)},
    )


def _speed(given: Mapping[str, Any], entity: OutsideEntity) -> Action:
    """Return the action; the speed is right if the fan rounds it to the same step."""
    percentage = given["percentage"]
    step = float(entity.attributes.get("percentage_step", 1))
    steps = -(-percentage // step)
    return Action(
        service="set_percentage",
        data={"percentage": percentage},
        values={"percentage": (Between((steps - 1) * step + 2, steps * step + 2),)},
        feature=FanEntityFeature.SET_SPEED,
    )


def _temperature(given: Mapping[str, Any], entity: OutsideEntity) -> Action | None:
    temperature = given["temperature"]
    low, high = entity.attributes["min_temp"], entity.attributes["max_temp"]
    if not low <= temperature <= high:
        return None
    return Action(
        service="set_temperature",
        data={"temperature": temperature},
        values={"temperature": _around(temperature, 0.5)},
    )


def _volume(given: Mapping[str, Any], entity: OutsideEntity) -> Action:
    step = given.get("volume_step")
    level = VOLUME - 0.1 if step == "down" else VOLUME + (step or 0) / 100
    level = given["volume_level"] / 100 if "volume_level" in given else level
    return Action(
        service="volume_set",
        data={"volume_level": level},
        values={"volume_level": _around(level, 0.011)},
        begins=_PLAYING,
        feature=_PLAYER.VOLUME_SET,
    )


def _position(given: Mapping[str, Any], entity: OutsideEntity) -> Action:
    position = given["position"]
    return Action(
        service="set_cover_position",
        data={"position": position},
        values={"current_position": _around(position, 1)},
        begins=("open",),
        feature=CoverEntityFeature.SET_POSITION,
    )


def _play(given: Mapping[str, Any], entity: OutsideEntity) -> Action:
    query = given["search_query"]
    return Action(
        service="play_media",
        data={"media_content_id": query, "media_content_type": "music"},
        states=("playing",),
        texts={"media_content_id": query},
        feature=_PLAYER.PLAY_MEDIA | _PLAYER.SEARCH_MEDIA,
    )


def _add(given: Mapping[str, Any], entity: OutsideEntity) -> Action:
    item = given["item"]
    return Action(service="add_item", data={"item": item}, texts={"open": item})


def _complete(given: Mapping[str, Any], entity: OutsideEntity) -> Action:
    entry = given["item"].capitalize()
    return Action(
        service="update_item",
        data={"item": entry, "status": "completed"},
        texts={"done": given["item"]},
        given={"entry": entry},
    )


_MADE: Final[Mapping[str, Callable[[Mapping[str, Any], OutsideEntity], Action | None]]] = {
    "HassLightSet": _light,
    "HassSetPosition": _position,
    "HassFanSetSpeed": _speed,
    "HassClimateSetTemperature": _temperature,
    "HassSetVolume": _volume,
    "HassSetVolumeRelative": _volume,
    "HassMediaSearchAndPlay": _play,
    "HassListAddItem": _add,
    "HassShoppingListAddItem": _add,
    "HassListCompleteItem": _complete,
    "HassShoppingListCompleteItem": _complete,
}
"""Intents whose arguments make the action."""
