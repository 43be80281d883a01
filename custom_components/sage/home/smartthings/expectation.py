"""What a raw command should lead to, as far as its definition tells (DESIGN 5, evidence).

The definition says which attribute a command sets; where it does not, names tell:
`setCourse` sets `course`, `volumeUp` raises `volume`, `start` leads to `running`.
Nothing here knows a device.
"""

from collections.abc import Iterator, Mapping
from typing import Final

from ...text.words import id_key, id_words
from ..commands.expectation import Expectation
from ..commands.goals import Goal, Values
from .raw import AttributeDefinition, Definition

_NO_STATE: Final = frozenset(
    {"supported", "available", "minimum", "maximum", "range", "settable", "visible"}
)
"""Words of attributes that say what is possible, not what is."""

_BY_ITSELF: Final = frozenset({"progress", "percentage", "energy"})
"""Words of attributes that change without any command."""

_MOVING: Final = frozenset(
    {
        "arming",
        "closing",
        "disarming",
        "homing",
        "locking",
        "moving",
        "opening",
        "preparing",
        "returning",
        "starting",
        "stopping",
        "unlocking",
    }
)
"""Values that lead to another one by themselves."""

_STARTED: Final = frozenset(
    {"running", "run", "started", "active", "cleaning", "playing", "cooking"}
)
_STOPPED: Final = frozenset({"stopped", "stop", "ready", "idle", "none", "off"})
_ENABLED: Final = frozenset({"enabled", "activated", "active", "on", "true"})
_DISABLED: Final = frozenset({"disabled", "deactivated", "inactive", "off", "false"})

_LEADS_TO: Final[Mapping[str, frozenset[str]]] = {
    "on": frozenset({"on"}),
    "off": frozenset({"off"}),
    "open": frozenset({"open", "opened"}),
    "close": frozenset({"closed"}),
    "lock": frozenset({"locked"}),
    "unlock": frozenset({"unlocked", "unlocked with timeout"}),
    "start": _STARTED,
    "resume": _STARTED,
    "play": frozenset({"playing"}),
    "pause": frozenset({"paused", "pause", "partially open"}),
    "stop": _STOPPED,
    "cancel": _STOPPED | {"cancelled"},
    "mute": frozenset({"muted"}),
    "unmute": frozenset({"unmuted"}),
    "activate": _ENABLED,
    "enable": _ENABLED,
    "deactivate": _DISABLED,
    "disable": _DISABLED,
    "return": frozenset({"charging", "charged", "docked", "home"}),
    "dock": frozenset({"charging", "charged", "docked", "home"}),
}
"""Word of a command -> values that it stands for."""

_DIRECTIONS: Final[Mapping[str, int]] = {
    "up": 1,
    "raise": 1,
    "increase": 1,
    "down": -1,
    "lower": -1,
    "decrease": -1,
}
_OTHERS: Final = frozenset({"next", "previous"})
_SETTING: Final = frozenset({"set", "start", "select", "change", "play", "link"})
_CHOOSING: Final = frozenset({"type", "name", "id"})
_FILLING: Final = frozenset({"to", "the", "home"})
_STATE_WORDS: Final = ("operating", "machine", "state", "status", "mode")
"""Words of the attribute that tells best what a thing does, the surest first."""


def expectation_of(
    definition: Definition, command: str, arguments: Mapping[str, object], before: Values
) -> Expectation:
    """Return what a command with these named arguments should lead to.

    `before` are the values of the capability; they stand in for types that the
    definition does not tell.
    """
    attributes = tuple(each for each in definition.attributes if not _is_possibility(each))
    goals = (
        _by_enum_command(definition, command)
        or _by_setter(definition, command, arguments)
        or _by_names(attributes, command, arguments)
        or _relative(attributes, command, before)
        or _by_word(attributes, definition.id, command)
    )
    if goals:
        return Expectation(goals=goals, on_the_way=_MOVING, approaches=True)
    telling = (each.name for each in attributes if not _BY_ITSELF & set(id_words(each.name)))
    watched = frozenset(telling)
    return Expectation(watched=watched, observable=bool(watched))


def _is_possibility(attribute: AttributeDefinition) -> bool:
    return bool(_NO_STATE & set(id_words(attribute.name)))


def _by_enum_command(definition: Definition, command: str) -> tuple[Goal, ...]:
    return tuple(
        Goal(name=each.name, values=(each.enum_commands[command],))
        for each in definition.attributes
        if command in each.enum_commands
    )


def _by_setter(
    definition: Definition, command: str, arguments: Mapping[str, object]
) -> tuple[Goal, ...]:
    told = definition.command(command)
    if told is None or not told.arguments or told.arguments[0].name not in arguments:
        return ()
    value = arguments[told.arguments[0].name]
    return tuple(
        Goal(name=each.name, values=values)
        for each in definition.attributes
        if each.setter == command and (values := _led_to(each, value))
    )


def _led_to(attribute: AttributeDefinition, value: object) -> tuple[object, ...]:
    """Return what an attribute may become by being set: an oven that is set to `stop` is `ready`.

    Nothing where the attribute has no such value.
    """
    options = attribute.schema.get("enum")
    if not isinstance(options, list | tuple) or value in options:
        return (value,)
    return _values_for(attribute, _LEADS_TO.get(str(value), frozenset()), alone=False)


def _by_names(
    attributes: tuple[AttributeDefinition, ...], command: str, arguments: Mapping[str, object]
) -> tuple[Goal, ...]:
    """Return goals for what the command, then what its arguments have the name of."""
    if not (named := _by_command_name(attributes, command, arguments)):
        return _by_argument_names(attributes, arguments)
    others = dict(list(arguments.items())[1:])
    taken = {goal.name for goal in named}
    return named + tuple(
        goal for goal in _by_argument_names(attributes, others) if goal.name not in taken
    )


def _by_argument_names(
    attributes: tuple[AttributeDefinition, ...], arguments: Mapping[str, object]
) -> tuple[Goal, ...]:
    """Return goals for arguments, and parts of arguments, that have the name of an attribute."""
    known = {id_key(each.name): each for each in attributes}
    goals: list[Goal] = []
    for name, value in _named_values(arguments):
        attribute = known.get(id_key(name))
        # Beside others, such an argument says which one is meant.
        if attribute is None or (name in _CHOOSING and len(arguments) > 1):
            continue
        if _may_become(attribute, value):
            goals.append(Goal(name=attribute.name, values=(value,)))
    return tuple(goals)


def _may_become(attribute: AttributeDefinition, value: object) -> bool:
    # A colour as a whole is given as an object, but told as a text.
    return not isinstance(value, Mapping) or attribute.schema.get("type") == "object"


def _named_values(arguments: Mapping[str, object]) -> Iterator[tuple[str, object]]:
    for name, value in arguments.items():
        yield name, value
        if isinstance(value, Mapping):
            yield from ((str(part), inner) for part, inner in value.items())


def _by_command_name(
    attributes: tuple[AttributeDefinition, ...], command: str, arguments: Mapping[str, object]
) -> tuple[Goal, ...]:
    """Return the goal of `setWashingCourse(course)`: the attribute `washingCourse`."""
    verb, *rest = id_words(command) or ("",)
    if verb not in _SETTING or not rest or not arguments:
        return ()
    first, value = next(iter(arguments.items()))
    if first in _CHOOSING and len(arguments) > 1:
        return ()
    return tuple(
        Goal(name=each.name, values=(value,))
        for each in attributes
        if id_words(each.name) == tuple(rest) and _may_become(each, value)
    )


def _relative(
    attributes: tuple[AttributeDefinition, ...], command: str, before: Values
) -> tuple[Goal, ...]:
    words = id_words(command)
    direction = next((_DIRECTIONS[word] for word in words if word in _DIRECTIONS), 0)
    if not direction and not _OTHERS & set(words):
        return ()
    rest = {word for word in words if word not in {*_DIRECTIONS, *_OTHERS, "set"}}
    fitting = [each for each in attributes if rest and rest <= set(id_words(each.name))]
    if not fitting:
        return ()
    attribute = min(fitting, key=lambda each: len(id_words(each.name)))
    if direction and _is_number(attribute, before.get(attribute.name)):
        return (Goal(name=attribute.name, direction=direction),)
    # Channels are texts, and after the last one comes the first.
    return (Goal(name=attribute.name, differs=True),)


def _is_number(attribute: AttributeDefinition, value: object) -> bool:
    kind = attribute.schema.get("type")
    if kind is None:
        return isinstance(value, int | float) and not isinstance(value, bool)
    return kind in {"integer", "number"}


def _by_word(
    attributes: tuple[AttributeDefinition, ...], capability: str, command: str
) -> tuple[Goal, ...]:
    """Return the goal of `start`, `doNotDisturbOn`, `enableRepeatMode`."""
    words = id_words(command)
    own = set(id_words(capability))
    for verb, rest in _verbs(words):
        named = [each for each in attributes if rest and rest <= set(id_words(each.name))]
        if rest and not named and not rest <= own:
            continue
        candidates = [
            Goal(name=each.name, values=values)
            for each in sorted(named or attributes, key=_rank)
            if (values := _values_for(each, _LEADS_TO[verb], alone=len(attributes) == 1))
        ]
        if candidates:
            return (candidates[0],)
    return ()


def _verbs(words: tuple[str, ...]) -> Iterator[tuple[str, frozenset[str]]]:
    """Yield the first and the last word that stand for a state, with the other words."""
    for place in dict.fromkeys((0, len(words) - 1)):
        if words and words[place] in _LEADS_TO:
            rest = (*words[:place], *words[place + 1 :])
            yield words[place], frozenset(rest) - _FILLING


def _rank(attribute: AttributeDefinition) -> int:
    words = id_words(attribute.name)
    return next(
        (place for place, word in enumerate(_STATE_WORDS) if word in words), len(_STATE_WORDS)
    )


def _values_for(
    attribute: AttributeDefinition, wanted: frozenset[str], *, alone: bool
) -> tuple[object, ...]:
    """Return the values of an attribute that a word may stand for; all if they are not told."""
    kind, options = attribute.schema.get("type"), attribute.schema.get("enum")
    if kind == "boolean":
        return tuple(flag for flag in (True, False) if str(flag).lower() in wanted)
    if isinstance(options, list | tuple):
        return tuple(option for option in options if str(option).casefold() in wanted)
    return tuple(sorted(wanted)) if kind is None and alone else ()
