"""What has to be true after each sentence that the documents propose.

A check looks at the home, the memory, the calendar and the mail that was sent. It compares the
words of an answer only with values of the home, and never takes them as a proof of an action.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from scripts.demonstration.changes import Change, States
from scripts.demonstration.furnished_homes import DEMO, SMARTTHINGS
from scripts.demonstration.happen import FIRED_AT, Happened
from scripts.demonstration.outside_texts import INBOXES, OWNER
from scripts.demonstration.say import Said

from .promises_sentences import key_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """What can be seen from outside after a sentence, its replies and its event."""

    said: Said
    """The proposed sentence, not the replies."""

    replied: tuple[Said, ...]
    """The replies, and what was said afterwards."""

    before: States
    after: States
    happened: Happened | None
    """The event after the sentence, if the promise has one."""

    memories: str
    """All memories of the person as JSON."""

    appointments: str
    """All appointments of the person in the next month as JSON."""

    sent: tuple[str, ...]
    """A line for each mail that was sent."""

    cloud: tuple[str, ...]
    """A line for each attribute that changed at the SmartThings cloud."""

    @property
    def changed(self) -> dict[str, str]:
        """The entities with another state than before, and their new state."""
        return {
            name: str(row["state"])
            for name, row in self.after.items()
            if self.before.get(name, {}).get("state") != row["state"]
        }

    @property
    def is_read(self) -> bool:
        """Whether SAGE read something for its answer."""
        return any(int((each.trace or {}).get("reads") or 0) for each in (self.said, *self.replied))

    @property
    def answer(self) -> str:
        """The last answer, in small letters."""
        return (self.said, *self.replied)[-1].answer.casefold()


type Check = Callable[[Evidence], str]
"""Returns what is wrong, or an empty text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Promise:
    """A sentence with its checks."""

    checks: tuple[Check, ...] = ()
    before: tuple[str, ...] = ()
    """What is said first, in the same conversation."""

    reply: str = ""
    """Said if SAGE asks something back."""

    after: tuple[str, ...] = ()
    """What is said afterwards; `says` checks the last answer."""

    event: str = ""
    """What happens in the home after the sentence; see `scripts/demo --help`."""

    home: str = DEMO
    person: str = "owner"


def becomes(entity: str, *states: str, **attributes: Any) -> Check:
    """Check that the entity has this state and these attributes, and changed."""

    def check(seen: Evidence) -> str:
        row, old = seen.after.get(entity, {}), seen.before.get(entity, {})
        wanted = {name: value for name, value in attributes.items() if row.get(name) != value}
        if (states and row.get("state") not in states) or wanted:
            return f"{entity} is {row.get('state')} {[row.get(name) for name in attributes]}"
        return f"{entity} was so before" if row == old else ""

    return check


def only(*entities: str) -> Check:
    """Check that nothing else changed; new entities of SAGE do not count."""

    def check(seen: Evidence) -> str:
        others = [name for name in seen.changed if name in seen.before and name not in entities]
        moving = ("sensor.", "weather.", "calendar.", "conversation.", "person.")
        others = [name for name in others if not name.startswith(moving)]
        return f"{', '.join(others)} changed, too" if others else ""

    return check


def device(change: str, *values: str) -> Check:
    """Check that a line about a change at the SmartThings cloud contains these texts."""

    def check(seen: Evidence) -> str:
        hits = [line for line in seen.cloud if all(each in line for each in (change, *values))]
        return "" if hits else f"no change of {change} {' '.join(values)}"

    return check


def asks_first(seen: Evidence) -> str:
    """Check that SAGE asks, and does nothing before the reply."""
    if not seen.said.asks:
        return "it does not ask"
    return _of_devices("changed before the reply", seen.said.changes)


def changes_nothing(seen: Evidence) -> str:
    """Check that no device changed, also not by a reply."""
    return only()(seen)


def _of_devices(what: str, changed: Iterable[Change]) -> str:
    kinds = ("light.", "switch.", "lock.", "cover.", "media_player.", "climate.")
    names = {change.entity_id for change in changed if change.entity_id.startswith(kinds)}
    return f"{', '.join(sorted(names))} {what}" if names else ""


def says(
    *texts: str,
    of: Callable[[Evidence], Iterable[str]] | None = None,
    from_memory: bool = False,
) -> Check:
    """Check that the answer contains these texts and those of the home, and was read there.

    `from_memory`: they are in the person's memory, and nothing has to be read in the home.
    """

    def check(seen: Evidence) -> str:
        missing = [
            each
            for each in (*texts, *(of(seen) if of else ()))
            if each.casefold() not in seen.answer
        ]
        if missing:
            return f"the answer lacks {', '.join(missing)}"
        return "" if seen.is_read or from_memory else "nothing was read"

    return check


def says_not(of: Callable[[Evidence], Iterable[str]]) -> Check:
    """Check that the answer contains none of these texts."""

    def check(seen: Evidence) -> str:
        wrong = [each for each in of(seen) if each.casefold() in seen.answer]
        return f"the answer holds {', '.join(wrong)}" if wrong else ""

    return check


def lights(state: str) -> Callable[[Evidence], Iterable[str]]:
    """Return the names of the lights with a state; two of the home have the name of a part."""

    def names(seen: Evidence) -> Iterable[str]:
        for entity, row in seen.after.items():
            if entity.startswith("light.") and row["state"] == state and entity not in _LAMPS:
                yield entity.partition(".")[2].replace("_", " ")

    return names


_LAMPS: Final = ("light.living_room_lamp", "light.office_lamp")
"""Both are "Lamp", which is also in the name of another one."""


def routine(seen: Evidence) -> str:
    """Check that a routine was stored."""
    new = [name for name, row in seen.after.items() if FIRED_AT in row and name not in seen.before]
    return "" if new else "no routine was stored"


def brings(*texts: str) -> Check:
    """Check that words with these texts reached the person after the event."""

    def check(seen: Evidence) -> str:
        assert seen.happened is not None
        words = " ".join(each.text for each in seen.happened.delivered).casefold()
        missing = [each for each in texts if each.casefold() not in words]
        return f"what was brought lacks {', '.join(missing)}" if missing else ""

    return check


def remembers(*texts: str) -> Check:
    """Check that the memory contains these texts."""

    def check(seen: Evidence) -> str:
        missing = [each for each in texts if each.casefold() not in seen.memories.casefold()]
        return f"the memory lacks {', '.join(missing)}" if missing else ""

    return check


def forgets(*texts: str) -> Check:
    """Check that the memory contains none of these texts."""

    def check(seen: Evidence) -> str:
        left = [each for each in texts if each.casefold() in seen.memories.casefold()]
        return f"the memory still has {', '.join(left)}" if left else ""

    return check


def sends(*texts: str) -> Check:
    """Check that one mail was sent, and that the line about it contains these texts."""

    def check(seen: Evidence) -> str:
        if len(seen.sent) != 1:
            return f"{len(seen.sent)} messages were sent"
        missing = [each for each in texts if each.casefold() not in seen.sent[0].casefold()]
        return f"{seen.sent[0]} lacks {', '.join(missing)}" if missing else ""

    return check


def restores(*entities: str) -> Check:
    """Check that these entities are as at the start, though they were changed meanwhile."""

    def check(seen: Evidence) -> str:
        start: Mapping[str, str] = START
        wrong = [
            name
            for name in entities
            if seen.after[name]["state"] != start[name] or seen.before[name]["state"] == start[name]
        ]
        return f"{', '.join(wrong)} not restored" if wrong else ""

    return check


def keeps(*entities: str) -> Check:
    """Check that these entities have the state that they had before the sentence."""

    def check(seen: Evidence) -> str:
        wrong = [name for name in entities if name in seen.changed]
        return f"{', '.join(wrong)} changed" if wrong else ""

    return check


def tells(entity: str, **words: tuple[str, ...]) -> Check:
    """Check that the answer has a word for the state of the entity, and none for another state.

    SAGE may know the state without reading, from a command in the same conversation.
    """

    def check(seen: Evidence) -> str:
        now = str(seen.after[entity]["state"])
        others = (word for state, row in words.items() if state != now for word in row)
        wrong = [word for word in others if word in seen.answer]
        if wrong or not any(word in seen.answer for word in words[now]):
            return f"the answer does not say that {entity} is {now}"
        return ""

    return check


def says_one_of(*texts: str, is_shown: bool = False) -> Check:
    """Check that the answer contains one of these texts, and that something was read for it.

    `is_shown`: SAGE knows it from the start, and no tool has to read it.
    """

    def check(seen: Evidence) -> str:
        if not any(each.casefold() in seen.answer for each in texts):
            return f"the answer has none of {', '.join(texts)}"
        return "" if seen.is_read or is_shown else "nothing was read"

    return check


def reads(seen: Evidence) -> str:
    """Check that something was read for the answer."""
    return "" if seen.is_read else "nothing was read"


def fires(seen: Evidence) -> str:
    """Check that a routine fired by the event."""
    return "" if seen.happened and seen.happened.fired else "no routine fired"


def brightness(entity: str, percent: int) -> Check:
    """Check the brightness of a light."""

    def check(seen: Evidence) -> str:
        value = seen.after[entity].get("brightness") or 0
        return "" if abs(value * 100 / 255 - percent) < 1 else f"its brightness is {value} of 255"

    return check


START: Final = {"light.living_room_lamp": "off", "light.kitchen_light": "off"}
"""Of the demo home; see `furniture.py`."""

_NEW_MAIL: Final = tuple(
    each.sender.partition(" ")[0] for each in INBOXES[OWNER] if not each.is_read
)
_BED: Final = "light.bedroom_light"
_TV: Final = "media_player.living_room_tv"
_TELLS_MOTHER: Final = "my mother lives in Quebec"


EXPECTED: Final[Mapping[str, Promise]] = {
    key_of(text): promise
    for text, promise in {
        # README
        "turn on the kitchen light": Promise(
            checks=(becomes("light.kitchen_light", "on"), only("light.kitchen_light"))
        ),
        "is the kitchen light on?": Promise(
            before=("turn on the kitchen light",),
            checks=(
                tells("light.kitchen_light", on=("is on", "yes"), off=("not on", "is off", "no, ")),
                changes_nothing,
            ),
        ),
        "open the garage door": Promise(
            reply="yes",
            checks=(
                asks_first,
                becomes("cover.garage_door", "opening", "open"),
                only("cover.garage_door"),
            ),
        ),
        "what do you know about me?": Promise(
            before=(f"remember that {_TELLS_MOTHER}",),
            checks=(remembers("Quebec"), says("Quebec", from_memory=True), changes_nothing),
        ),
        "when the TV turns off turn on the light by the bed": Promise(
            event="tv-off",
            checks=(routine, becomes(_BED, "on"), only(_BED, _TV), fires),
        ),
        "stop remembering what I say": Promise(
            reply="yes", after=("is the kitchen light on?",), checks=(forgets("kitchen light"),)
        ),
        "forget everything": Promise(
            before=(f"remember that {_TELLS_MOTHER}",), reply="yes", checks=(forgets("Quebec"),)
        ),
        # demo
        "which lights are on?": Promise(
            checks=(says(of=lights("on")), says_not(lights("off")), changes_nothing)
        ),
        "unlock the front door": Promise(
            reply="yes",
            checks=(asks_first, becomes("lock.front_door", "unlocking", "unlocked")),
        ),
        "set the bedroom light to 30 percent": Promise(
            checks=(becomes(_BED, "on"), brightness(_BED, 30), only(_BED))
        ),
        "put it back": Promise(
            before=("turn on the kitchen light",),
            checks=(restores("light.kitchen_light"), only("light.kitchen_light")),
        ),
        "do I have new mail?": Promise(checks=(says(*_NEW_MAIL), changes_nothing)),
        # the SmartThings home
        "turn on the light by the bed": Promise(
            home=SMARTTHINGS, checks=(device("Light strip", "switch.switch", "→ on"),)
        ),
        "turn off the light in the dining room": Promise(
            home=SMARTTHINGS, checks=(device("switch.switch", "→ off"),)
        ),
        "is the cooler door open?": Promise(
            home=SMARTTHINGS,
            checks=(says_one_of("closed", "not open", is_shown=True), changes_nothing),
        ),
        # how it works
        # mail, calendars, contacts
        # memory
        "remember that my mother lives in Quebec": Promise(checks=(remembers("Quebec"),)),
        "forget what I said about hockey": Promise(
            before=("remember that I watch every hockey game",),
            reply="yes",
            checks=(forgets("every hockey game"),),
        ),
        # photos
        "turn on the light on the dresser": Promise(
            checks=(becomes("light.dresser_light", "on"), only("light.dresser_light"))
        ),
        # routines
        # set-up
        # weather and TV
    }.items()
}
"""The promise of each proposed sentence, by `key_of` the sentence."""
