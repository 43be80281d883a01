"""What a device itself says is possible: `supportedCourses`, `levelRange` and their like.

The definition does not tell which attribute a list is about, its name does. A wrong
guess would refuse what is right, so only what clearly belongs together is joined.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final

from ...text.words import id_words
from .parts import Attributes
from .raw import Definition
from .schemas import figure, shape_of

_LISTING: Final = frozenset(
    {"supported", "available", "allowed", "selectable", "possible", "candidate"}
)
"""Words that make a list one of possibilities."""

_NO_CONTENT: Final = _LISTING | {"list", "map", "range", "table"}
_LOWEST: Final = frozenset({"min", "minimum", "lowest"})
_HIGHEST: Final = frozenset({"max", "maximum", "highest"})
_OF_COMMANDS: Final = frozenset({"command", "action"})
_SAME_IN_PLURAL: Final = ("ss", "us", "is")


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """A list of values that the device offers."""

    attribute: str
    stems: frozenset[str]
    """What the name is about, without words such as `supported`."""

    values: tuple[object, ...] = ()
    """Empty when the device does not say."""

    names: Mapping[str, str] = field(default_factory=dict)
    """Value -> what people call it."""

    @property
    def is_of_commands(self) -> bool:
        """Whether it tells which commands there are."""
        return not self.stems.isdisjoint(_OF_COMMANDS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """A range that the device offers."""

    attributes: tuple[str, ...]
    stems: frozenset[str]
    minimum: float | None = None
    maximum: float | None = None
    step: float | None = None
    unit: str | None = None


@lru_cache(maxsize=4096)
def stems_of(identifier: str) -> tuple[str, ...]:
    """Return the words of an identifier in the singular: `supportedCourses`, supported course."""
    return tuple(map(_singular, id_words(identifier)))


def offers_of(definition: Definition, values: Attributes) -> tuple[Offer, ...]:
    """Return the lists of possibilities of a capability, those without a value, too."""
    found = []
    for attribute in definition.attributes:
        stems = stems_of(attribute.name)
        if _LISTING.isdisjoint(stems) or _is_pair(stems):
            continue
        told = values.get(attribute.name)
        value = told.value if told else None
        if attribute.schema.get("type", "array") != "array" and not isinstance(value, list):
            continue
        content = frozenset(stems) - _NO_CONTENT
        items, names = _items(value, content)
        found.append(Offer(attribute=attribute.name, stems=content, values=items, names=names))
    return tuple(found)


def spans_of(values: Attributes) -> tuple[Span, ...]:
    """Return the ranges among values: objects with two ends, and pairs of attributes."""
    found = [
        Span(
            attributes=(name,),
            stems=frozenset(stems_of(name)) - _NO_CONTENT,
            minimum=figure(_first(told.value, _LOWEST)),
            maximum=figure(_first(told.value, _HIGHEST)),
            step=figure(told.value.get("step")),
            unit=told.unit,
        )
        for name, told in values.items()
        if isinstance(told.value, Mapping)
    ]
    pairs: dict[frozenset[str], dict[bool, str]] = {}
    for name in values:
        stems = frozenset(stems_of(name))
        if _is_pair(stems):
            about = stems - _LOWEST - _HIGHEST - _NO_CONTENT
            pairs.setdefault(about, {})[not stems.isdisjoint(_HIGHEST)] = name
    found += [_span_of_pair(about, names, values) for about, names in pairs.items()]
    return tuple(each for each in found if _is_range(each))


def is_possibility(attribute: str) -> bool:
    """Tell whether an attribute, by its name, says what is possible rather than what is."""
    stems = stems_of(attribute)
    return not _LISTING.isdisjoint(stems) or stems[-1:] == ("range",) or _is_pair(stems)


def listed_attributes(definition: Definition, offers: Iterable[Offer]) -> Offer | None:
    """Return the list that names attributes of the capability itself; None if none does."""
    names = {each.name for each in definition.attributes}
    found = (each for each in offers if len(each.values) > 1 and set(each.values) <= names)
    return next(found, None)


def unsupported_attributes(
    definition: Definition, values: Attributes, listing: Offer | None
) -> frozenset[str]:
    """Return attributes without a value that the list of attributes leaves out."""
    if listing is None:
        return frozenset()
    return frozenset(
        each.name
        for each in definition.attributes
        if each.name not in listing.values
        and each.name != listing.attribute
        and ((told := values.get(each.name)) is None or told.value is None)
    )


def unsupported_commands(definition: Definition, offers: Iterable[Offer]) -> frozenset[str]:
    """Return commands without arguments that a list such as `supportedCommands` leaves out."""
    names = {each.name for each in definition.commands if not each.arguments}
    for offer in offers:
        if not offer.is_of_commands:
            continue
        known = definition.attribute(offer.attribute)
        items = known.schema.get("items") if known else None
        listable = set(shape_of(items).values) if isinstance(items, Mapping) else set()
        listed = {str(each) for each in offer.values}
        if listed & names and listed <= (listable or names):
            return frozenset(names & (listable or names)) - listed
    return frozenset()


def overlap(target: Iterable[str], stems: frozenset[str]) -> float:
    """Return how well a list or range is about a target; 0 for not at all.

    English names end with what they are about: this last word must be shared.
    """
    words = tuple(target)
    if not words or words[-1] not in stems:
        return 0.0
    shared = len(stems & set(words))
    return shared - 0.5 * len(stems - set(words)) - 0.01 * len(set(words) - stems)


def _items(value: object, content: frozenset[str]) -> tuple[tuple[object, ...], Mapping[str, str]]:
    if not isinstance(value, list) or not value:
        return (), {}
    if not all(isinstance(each, Mapping) for each in value):
        plain = [each for each in value if isinstance(each, str | int | float)]
        return (tuple(dict.fromkeys(plain)) if len(plain) == len(value) else ()), {}
    key = _key(value[0], content)
    if key is None:
        return (), {}
    found: dict[object, str] = {}
    for each in value:
        item, name = each.get(key), each.get("name")
        if isinstance(item, str | int | float) and item != "":
            found[item] = name if isinstance(name, str) else ""
    return tuple(found), {str(item): name for item, name in found.items() if name}


def _key(item: Mapping[str, Any], content: frozenset[str]) -> str | None:
    """Return which member of an object is the value: its id, or what the list is about."""
    if "id" in item:
        return "id"
    return next((each for each in item if not content.isdisjoint(stems_of(each))), None)


def _span_of_pair(about: frozenset[str], names: Mapping[bool, str], values: Attributes) -> Span:
    low, high = names.get(False), names.get(True)
    told = values[low or high or ""]
    return Span(
        attributes=tuple(each for each in (low, high) if each),
        stems=about,
        minimum=figure(values[low].value) if low else None,
        maximum=figure(values[high].value) if high else None,
        unit=told.unit,
    )


def _is_pair(stems: Iterable[str]) -> bool:
    return not (_LOWEST | _HIGHEST).isdisjoint(stems)


def _is_range(span: Span) -> bool:
    if span.minimum is None or span.maximum is None:
        return span.minimum is not None or span.maximum is not None
    return span.minimum < span.maximum


def _first(value: Mapping[str, Any], names: Iterable[str]) -> object:
    return next((value[each] for each in names if each in value), None)


def _singular(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return f"{word[:-3]}y"
    if word.endswith(("sses", "uses", "xes", "ches", "shes")) and len(word) > 5:
        return word[:-2]
    if word.endswith("s") and len(word) > 3 and not word.endswith(_SAME_IN_PLURAL):
        return word[:-1]
    return word
