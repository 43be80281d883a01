"""Short forms for the cases."""

from collections.abc import Mapping
from typing import Any, Final

from .case import Category, Component, Criterion, Event, PaperCase, Place, Suite
from .criteria import (
    All,
    AtLeastOne,
    Decides,
    Higher,
    Holds,
    Hue,
    Is,
    Lower,
    Says,
    SaysNumber,
    Unchanged,
    Within,
)

BED: Final = "light_bed"
NEAR_TV: Final = "light_tv"
FIREPLACE: Final = "light_fireplace"
DINING: Final = "light_dining"
LIGHTS: Final = (BED, NEAR_TV, FIREPLACE, DINING)
CREDENZA: Final = "tv_credenza"
FRAME: Final = "tv_frame"
FRIDGE: Final = "fridge"
DISHWASHER: Final = "dishwasher"

P: Final = Category.PERSONALIZATION
IR: Final = Category.INTENT
DR: Final = Category.DEVICE
T: Final = Category.PERSISTENCE
CC: Final = Category.CHAINING
D: Final = Category.DIRECT


def place(device: str, capability: str, attribute: str, component: str = "main") -> Place:
    """Return an attribute, by default of the main component."""
    return Place(device, component, capability, attribute)


def whole(device: str) -> frozenset[Place]:
    """Return all attributes of a device."""
    return frozenset({Place(device, "*", "*", "*")})


def power(device: str) -> Place:
    return place(device, "switch", "switch")


def level(light: str) -> Place:
    return place(light, "switchLevel", "level")


def hue(light: str) -> Place:
    return place(light, "colorControl", "hue")


def saturation(light: str) -> Place:
    return place(light, "colorControl", "saturation")


def warmth(light: str) -> Place:
    return place(light, "colorTemperature", "colorTemperature")


def volume(tv: str) -> Place:
    return place(tv, "audioVolume", "volume")


def channel(tv: str) -> Place:
    return place(tv, "tvChannel", "tvChannel")


def shown(tv: str) -> frozenset[Place]:
    """Return all attributes of the picture that a TV shows."""
    return frozenset(
        {
            channel(tv),
            place(tv, "tvChannel", "tvChannelName"),
            place(tv, "mediaInputSource", "inputSource"),
            place(tv, "samsungvd.mediaInputSource", "inputSource"),
            place(tv, "mediaPlayback", "playbackStatus"),
        }
    )


def look(light: str) -> frozenset[Place]:
    """Return all attributes of the light that a lamp gives."""
    color = place(light, "colorControl", "color")
    return frozenset(
        {power(light), level(light), hue(light), saturation(light), warmth(light), color}
    )


def on(*devices: str) -> Criterion:
    """Return that all of them are on."""
    return All(tuple(Holds(power(each), Is(("on",))) for each in devices))


def off(*devices: str) -> Criterion:
    """Return that all of them are off."""
    return All(tuple(Holds(power(each), Is(("off",))) for each in devices))


def shows(tv: str, *numbers: int) -> Criterion:
    """Return that the TV is on with one of these channels."""
    tuned = Holds(channel(tv), Is(numbers), shown(tv))
    return All((on(tv), tuned))


def quieter(tv: str) -> Criterion:
    """Return that the volume is lower, or the TV muted."""
    mute = Holds(place(tv, "audioMute", "mute"), Is(("muted",)))
    return AtLeastOne((Holds(volume(tv), Lower()), mute))


def louder(tv: str) -> Criterion:
    return Holds(volume(tv), Higher(), frozenset({place(tv, "audioMute", "mute")}))


def dimmed(light: str, low: float, high: float) -> Criterion:
    return Holds(level(light), Within(low, high))


def colored(light: str, degrees: float, tolerance: float) -> Criterion:
    """Return that the light is on in this hue."""
    return All(
        (
            Holds(power(light), Is(("on",)), look(light)),
            Holds(hue(light), Hue(degrees, tolerance)),
            Holds(saturation(light), Within(40, 100)),
        )
    )


def warm(light: str) -> Criterion:
    """Return that the light is warm white, or of a warm colour that it did not have before."""
    orange = All((Holds(hue(light), Hue(35, 25)), Holds(saturation(light), Within(15, 100))))
    return AtLeastOne((Holds(warmth(light), Within(1000, 3000)), orange))


def white(light: str) -> Criterion:
    """Return that the light is on and white: without colour, or by its colour temperature.

    Devices do not report which of both was set last: a colour from before the command is none.
    """
    by_temperature = (
        Holds(warmth(light), Within(3500, 9000)),
        Holds(hue(light), Unchanged()),
        Holds(saturation(light), Unchanged()),
    )
    pale = Holds(saturation(light), Within(0, 15))
    return All(
        (
            Holds(power(light), Is(("on",)), look(light)),
            AtLeastOne((pale, All(by_temperature))),
        )
    )


def says(*texts: str, hides: tuple[str, ...] = ()) -> Criterion:
    """Return that the answer says one of the texts."""
    return Says((texts,), hides)


def says_all(*texts: str | tuple[str, ...], hides: tuple[str, ...] = ()) -> Criterion:
    """Return that the answer says all of these; a tuple lists ways to say one thing."""
    return Says(tuple((each,) if isinstance(each, str) else each for each in texts), hides)


def number(value: float, words: str) -> Criterion:
    """Return that the answer says this number."""
    return SaysNumber(value, words)


def yes(*proofs: str, denials: tuple[str, ...]) -> Criterion:
    """Return that the answer is yes; `proofs` say it in other words."""
    return Decides(is_so=True, proofs=proofs, denials=denials)


def no(*proofs: str, denials: tuple[str, ...]) -> Criterion:
    """Return that the answer is no; `proofs` say it in other words."""
    return Decides(is_so=False, proofs=proofs, denials=denials)


def says_is(*words: str) -> tuple[str, ...]:
    """Return ways to say that something is `words`: "it's off", "is not on", "TV: off"."""
    sentences = (
        f"{verb} {when}{how}{word}"
        for word in words
        for verb in ("is", "it's")
        for when in ("", "currently ", "now ", "still ")
        for how in ("", "switched ", "turned ")
    )
    return (*sentences, *(f": {word}" for word in words))


def asks_again(changed: Mapping[Place, Any], command: str, answered: Criterion) -> Event:
    """Return that a question has another answer after a change, so that no guess is right twice."""
    return Event(sets=changed, says=command, criteria=(answered,))


def lights(state: str, *which: str) -> dict[Place, Any]:
    """Return the given state of some lights, by default of all."""
    return {power(each): state for each in which or LIGHTS}


_ALWAYS: Final = {Component.PLANNER, Component.DOCUMENTATION}
_DOING: Final = _ALWAYS | {Component.COMMANDS}
_READING: Final = _ALWAYS | {Component.ATTRIBUTES}
_WATCHING: Final = _DOING | {Component.CODE_WRITING, Component.POLLING}


def doing(*more: Component) -> frozenset[Component]:
    """Return the components of a command to devices."""
    return frozenset(_DOING | {*more})


def reading(*more: Component) -> frozenset[Component]:
    """Return the components of a question about devices."""
    return frozenset(_READING | {*more})


def watching(*more: Component) -> frozenset[Component]:
    """Return the components of a persistent command."""
    return frozenset(_WATCHING | {*more})


def case(
    id_: str,
    person: str,
    command: str,
    categories: set[Category],
    components: frozenset[Component],
    *criteria: Criterion,
    given: Mapping[Place, Any] | None = None,
    **more: Any,
) -> PaperCase:
    """Return a case of the main suite, unless `more` says otherwise."""
    return PaperCase(
        id=id_,
        person=person,
        command=command,
        categories=frozenset(categories),
        components=components,
        criteria=criteria,
        given=given or {},
        **more,
    )


def unseen(id_: str, *arguments: Any, **more: Any) -> PaperCase:
    """Return a case of the unseen suite."""
    return case(id_, *arguments, suite=Suite.UNSEEN, **more)


def dialog(id_: str, *arguments: Any, **more: Any) -> PaperCase:
    """Return a case of the suite with a scripted person."""
    return case(id_, *arguments, suite=Suite.DIALOG, **more)
