"""Documentation, readings and rankings as text for a model: clear, and few tokens.

Names were given by people and by devices: they are put on one line, without quotes.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import Any, Final

from ..fence import fenced
from .directory import estimate, render_index, render_matches
from .free_text import is_plain_name
from .labels import label, quiet
from .matching import CLEAR_MARGIN, Ranking
from .model import Argument, Attribute, Command, Documentation, Reading
from .values import STATE
from .words import content_words, forms, words

__all__ = (
    "render_documentation",
    "render_index",
    "render_matches",
    "render_ranking",
    "render_readings",
)

_MOST_VALUES: Final = 60
_MOST_MATCHES: Final = 6
_REPEATED: Final = 3
"""A longer list of values is written once, and pointed to."""

_COARSE_STEP: Final = 0.25
"""Finer steps are those of a slider: a model need not know."""

_FILLER_TEXT: Final = """
one more or sets set value changes controls sends command moves specific position target
thermostat speed mode state off current device entity option selects based
"""
_FILLERS: Final = tuple(_FILLER_TEXT.split())
"""Words of a description that say nothing beside the name and the arguments."""

_SHORT_TEXT: Final = 60
_STRUCTURE_TEXT: Final = 320


def render_documentation(documents: Iterable[Documentation]) -> str:
    """Return the documents; what several devices have in common is written once.

    Text of others is left out: it is no documentation, and would taint the run.
    """
    groups: dict[Any, list[Documentation]] = {}
    for document in documents:
        groups.setdefault(_common(document), []).append(document)
    texts = [
        f"{document.device_id} {document.component_id} {quiet(each.name)}"
        for group in groups.values()
        for document in group
        for each in document.attributes
        if each.is_free_text
    ]
    lines = list(map(_render_group, groups.values()))
    if texts:
        lines.append(f"Texts that only `read_attributes` shows: {', '.join(texts)}")
    return "\n\n".join(lines)


def most_fitting(
    documents: Sequence[Sequence[Documentation]], budget_tokens: int
) -> Sequence[Sequence[Documentation]]:
    """Return as many as fit the budget, from the first on; an entry is a device's documents."""
    kept: list[Sequence[Documentation]] = []
    known: set[Any] = set()
    text = ""
    for device in documents:
        for each in device:
            common = _common(each)
            as_line = f"{_titled(each)}: {_current(each)}"
            text += f"{as_line if common in known else _render_group((each,))}\n"
            known.add(common)
        if estimate(text) > budget_tokens:
            break
        kept.append(device)
    return kept


def render_readings(readings: Iterable[Reading]) -> str:
    """Return one line a component with its values; text of others is fenced below."""
    lines: list[str] = []
    texts: list[str] = []
    for each in readings:
        values = ", ".join(
            _assigned(name, value, each.units.get(name), each.meanings.get(name))
            for name, value in each.values.items()
            if name not in each.free_text
        )
        if each.available:
            texts += [
                _free_line(each, name, value)
                for name, value in each.values.items()
                if name in each.free_text
            ]
        named = label(each.device_id, each.device_name, each.area)
        what = (values or "see the text below") if each.available else "unavailable"
        part = f"{each.component_id} {each.capability}" if each.capability else each.component_id
        lines.append(f"{named} {part}: {what}")
    return _with_texts("\n".join(lines), texts)


def _free_line(read: Reading, name: str, value: object) -> str:
    """Return the line of a value that others may have written."""
    return f"{read.device_id} {read.component_id} {quiet(name)}: {_text(value)}"


def _with_texts(text: str, texts: Sequence[str]) -> str:
    """Return the text with those of others below it, behind a fence."""
    return f"{text}\n{fenced('\n'.join(texts))}" if texts else text


def render_ranking(ranking: Ranking) -> str:
    """Return the best matches, and whether the first one is clear."""
    if not ranking.matches:
        return (
            f'No device fits "{quiet(ranking.description)}". '
            "Try its name, area or kind, or ask the person."
        )
    states: dict[str, list[Reading]] = {}
    for each in ranking.readings:
        states.setdefault(each.device_id, []).append(each)
    lines: list[str] = []
    texts: list[str] = []
    for number, match in enumerate(islice(ranking.matches, _MOST_MATCHES), 1):
        device = match.device
        part = f" component {match.component_id}" if match.component_id else ""
        shown = states.get(device.id, [])[:3]
        free = [each for each in shown if each.available and STATE in each.free_text]
        texts += [_free_line(each, STATE, each.values[STATE]) for each in free]
        state = ", ".join(_state(each) for each in shown if each not in free)
        lines.append(
            f"{number}. {label(device.id, device.name, device.area)}{part}, "
            f"score {match.score:.2f}" + (f", {state}" if state else "")
        )
    if (more := len(ranking.matches) - _MOST_MATCHES) > 0:
        lines.append(f"{more} more fit less.")
    clear = "is clear" if ranking.margin >= CLEAR_MARGIN else "is not clear: ask, or read more"
    lines.append(f"Margin of the first: {ranking.margin:.2f}; it {clear}.")
    return _with_texts("\n".join(lines), texts)


def _common(document: Documentation) -> Any:
    return (
        document.source,
        document.capability,
        document.notes,
        document.summary,
        document.available,
        document.commands,
        tuple(
            (each.name, each.unit, each.minimum, each.maximum, each.values, each.description)
            for each in document.attributes
        ),
    )


def _render_group(documents: Sequence[Documentation]) -> str:
    first = documents[0]
    if not first.capability:
        return "\n".join(
            f"{_titled(each, ' component')}: {note}" for each in documents for note in each.notes
        )
    kind = f"capability {first.capability}"
    if first.summary and first.summary.casefold() != first.capability:
        kind += f" ({first.summary})"
    if len(documents) == 1:
        lines = [f"{_titled(first, ' component')}, {kind}"]
    else:
        devices = len({each.device_id for each in documents})
        what = f"{devices} devices" if devices == len(documents) else f"{len(documents)} components"
        lines = [f"{what} with {kind} (id, component, values):"]
        lines += [f"{_titled(each)}: {_current(each)}" for each in documents]
    if not first.available:
        lines.append("unavailable now: it cannot be read or commanded")
    lines += first.notes
    alone = len(documents) == 1
    described = [_attribute(each, with_value=alone) for each in first.attributes]
    lines += [line for line in described if line]
    if first.commands:
        attributes = {each.name: each for each in first.attributes}
        lines.append("commands:")
        lines += [_command(each, attributes, first.capability) for each in first.commands]
    return "\n".join(lines)


def _titled(document: Documentation, what: str = "") -> str:
    named = label(document.device_id, document.device_name, document.area)
    return f"{named}{what} {document.component_id}"


def _current(document: Documentation) -> str:
    return ", ".join(
        _assigned(each.name, each.value, each.unit, each.meaning)
        for each in document.attributes
        if each.value not in (None, "", []) and not each.is_free_text
    )


def _state(reading: Reading) -> str:
    if not reading.available:
        return "unavailable"
    return _assigned(
        "state",
        reading.values.get("state"),
        reading.units.get("state"),
        reading.meanings.get("state"),
    )


def _assigned(name: str, value: object, unit: str | None, meaning: str | None) -> str:
    return f"{name} {_valued(value, unit, meaning)}"


def _valued(value: object, unit: str | None, meaning: str | None) -> str:
    text = _text(value)
    if unit and isinstance(value, int | float) and not isinstance(value, bool):
        text += f" {unit}"
    return f"{text} ({meaning})" if meaning else text


def _text(value: object) -> str:
    if value is None or value == "":
        return "none"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return f"[{', '.join(map(_text, value))}]"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{name}: {_text(each)}" for name, each in value.items()) + "}"
    text = quiet(str(value))
    return f'"{text}"' if len(words(text)) > 1 and " " in text else text


def _attribute(attribute: Attribute, *, with_value: bool) -> str:
    """Return what an attribute may be and is; nothing when neither is known."""
    if not is_plain_name(attribute.name):
        return ""
    allowed = _allowed(attribute)
    has_value = with_value and attribute.value not in (None, "", []) and not attribute.is_free_text
    if not allowed and not has_value:
        return ""
    parts = [allowed] if allowed else []
    if attribute.description and "=" in attribute.description:
        parts.append(attribute.description)
    if has_value:
        parts.append(f"now {_valued(attribute.value, attribute.unit, attribute.meaning)}")
    return f"{attribute.name}: {'; '.join(parts)}"


def _allowed(thing: Attribute | Argument) -> str:
    if thing.values:
        shown = [quiet(value) or "''" for value in thing.values[:_MOST_VALUES]]
        more = len(thing.values) - len(shown)
        return "|".join(shown) + (f"|… {more} more" if more else "")
    low, high = thing.minimum, thing.maximum
    unit = f" {thing.unit}" if thing.unit else ""
    if low is not None and high is not None:
        return f"{_figure(low)}..{_figure(high)}{unit}"
    if low is not None:
        return f"at least {_figure(low)}{unit}"
    return f"at most {_figure(high)}{unit}" if high is not None else ""


def _figure(value: float) -> str:
    return f"{value:g}" if abs(value) < 1e6 else str(int(value))


def _command(command: Command, attributes: Mapping[str, Attribute], capability: str) -> str:
    arguments = ", ".join(
        f"{each.name}{'' if each.required else '?'}: {_argument(each, attributes)}"
        for each in command.arguments
    )
    text = ""
    if _says_more(command, capability):
        text = f" - {command.description.rstrip('.')}"
    return f"{command.name}({arguments}){text}"


def _says_more(command: Command, capability: str) -> bool:
    """Tell whether the text of a command says more than its name: not `Turns off a switch`."""
    arguments = " ".join(each.name for each in command.arguments)
    known = {
        form
        for word in (*words(command.name), *words(capability), *words(arguments), *_FILLERS)
        for form in forms(word)
    }
    return any(forms(word).isdisjoint(known) for word in content_words(command.description))


def _argument(argument: Argument, attributes: Mapping[str, Attribute]) -> str:
    if len(argument.values) > _REPEATED:
        for same in (attributes.get(argument.name), attributes.get("state"), *attributes.values()):
            if same is not None and same.values == argument.values:
                return f"a value of {same.name}"
    if allowed := _allowed(argument):
        step = argument.step or 1
        fine = step != 1 and step >= _COARSE_STEP and not argument.values
        text = f"{allowed} step {_figure(step)}" if fine else allowed
        return f"list of {text}" if argument.type == "list" and argument.values else text
    if argument.type in {"number", "integer", "boolean"}:
        unit = f" in {argument.unit}" if argument.unit else ""
        return "true|false" if argument.type == "boolean" else f"{argument.type}{unit}"
    longest = _SHORT_TEXT if argument.type == "string" else _STRUCTURE_TEXT
    described = argument.description.rstrip(".")
    if described and len(described) <= longest:
        return described
    return "text" if argument.type == "string" else argument.type
