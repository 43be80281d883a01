"""Short texts for the language model: documentation and current values of devices.

Names are on one line without quotation marks, so that they cannot imitate prompt text.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Final

from ..text import content_words, fenced, forms, words
from .commands.expectation import as_number
from .home_types import Argument, Attribute, CommandDescription, Documentation, Fact, Reading
from .prompt_text import is_plain_name, label, labels, part_label, quiet
from .values import STATE, grouped

_CHARACTERS: Final = 4  # approximate characters per token
_MOST_VALUES: Final = 60
_REPEATED: Final = 3  # maximum values to repeat; a longer list is written once
_COARSE_STEP: Final = 0.25  # minimum step that is written; smaller steps do not matter to the model
_FILLER_TEXT: Final = """
one more or sets set value changes controls sends command moves specific position target
thermostat speed mode state off current device entity option selects based turns adjusts
properties even when they are turned already power movement specified starts resumes playing
playback unmutes oscillation input task cleaner cleaning tells
"""
_FILLERS: Final = tuple(_FILLER_TEXT.split())
"""Words in command descriptions that add no information to the name of the command."""

_FOLLOWS_FROM: Final = {"rgb_color": "color_temp_kelvin"}
"""Attribute -> attribute that makes it redundant: white light needs no RGB colour."""

_SWITCHED: Final = frozenset({"on", "off"})  # not listed: `turn_on` and `turn_off` imply them
_FEW_STATES: Final = 4
_SCRIPT: Final = "script"
_SHORT_TEXT: Final = 60
_STRUCTURE_TEXT: Final = 320


def render_documentation(documents: Iterable[Documentation], *, with_states: bool = False) -> str:
    """Return documentation as text; parts that several devices share are written once.

    Values that may be untrusted, such as a media title, are left out; a line names their
    attributes. `with_states` adds the lines of `states_by_kind`.
    """
    documents = tuple(documents)
    groups = grouped((_common(document), document) for document in documents)
    texts = [
        text for group in groups.values() for document in group if (text := _free_names(document))
    ]
    lines = list(map(_render_group, groups.values()))
    if texts:
        # If the model read such a text, more of its commands would need confirmation.
        lines.append(f"Texts not shown: {'; '.join(texts)}")
    return "\n".join(("\n\n".join(lines), *(states_by_kind(documents) if with_states else ())))


def _free_names(document: Documentation) -> str:
    """Return the names of what has untrusted values or options; empty if nothing has."""
    things: list[Attribute | Argument] = [*document.attributes]
    things += [argument for command in document.commands for argument in command.arguments]
    free = [each.name for each in document.attributes if each.is_free_text]
    free += [each.name for each in things if len(labels(each.values)) < len(each.values)]
    names = dict.fromkeys(map(quiet, free))
    part = f" {document.component_id}" if _needs_component(document) else ""
    return f"{document.device_id}{part}: {', '.join(names)}" if names else ""


def most_fitting(
    documents: Sequence[Sequence[Documentation]], budget_tokens: int
) -> Sequence[Sequence[Documentation]]:
    """Return those `documents`, one per device, that together fit a token budget, in order."""
    included: list[Sequence[Documentation]] = []
    known: set[Documentation] = set()
    text = ""
    for device in documents:
        longer, common_parts = text, set(known)
        for each in device:
            common = _common(each)
            as_line = f"{_titled(each, is_part=_needs_component(each))}: {_current(each)}"
            longer += f"{as_line if common in common_parts else _render_group((each,))}\n"
            common_parts.add(common)
        if estimate(longer) <= budget_tokens:
            text, known = longer, common_parts
            included.append(device)
    return included


def estimate(text: str) -> int:
    """Return the approximate number of tokens in a text."""
    return len(text) // _CHARACTERS


def render_readings(readings: Sequence[Reading]) -> str:
    """Return one line per component with its values.

    Untrusted values come after these lines, between the marks `<<<` and `>>>`; at the end stand the
    lines of `states_by_kind`.
    """
    lines: list[str] = []
    texts: list[str] = []
    for each in readings:
        values = ", ".join(assigned(fact) for fact in each.attributes if not fact.is_free_text)
        if each.available:
            texts += [free_line(each, fact) for fact in each.attributes if fact.is_free_text]
        named = label(each.device_id, each.device_name, each.area)
        what = (values or "see the text below") if each.available else "unavailable"
        part = each.component_id if each.is_entity else f"{each.component_id} {each.capability}"
        lines.append(f"{named} {part}: {what}")
    return "\n".join((with_texts("\n".join(lines), texts), *states_by_kind(readings)))


def free_line(read: Reading, fact: Fact) -> str:
    """Return the line for a value that is text from an untrusted source."""
    return f"{read.device_id} {read.component_id} {quiet(fact.name)}: {_text(fact.value)}"


def with_texts(text: str, texts: Sequence[str]) -> str:
    """Return the text, then the untrusted `texts` between the marks `<<<` and `>>>`."""
    return f"{text}\n{fenced('\n'.join(texts))}" if texts else text


def _common(document: Documentation) -> Documentation:
    """Return the part of a documentation that equal devices share: without names and values."""
    return Documentation(
        device_id="",
        device_name="",
        component_id="",
        capability=document.capability,
        source=document.source,
        available=document.available,
        notes=document.notes,
        commands=document.commands,
        attributes=tuple(
            replace(each, value=None, meaning=None, is_free_text=False)
            for each in document.attributes
        ),
    )


def _render_group(documents: Sequence[Documentation]) -> str:
    first = documents[0]
    if not first.capability:
        return "\n".join(
            f"{_titled(each, is_part=True)}: {note}" for each in documents for note in each.notes
        )
    kinds = {_summary(each) for each in documents}
    summary = kinds.pop() if len(kinds) == 1 else ""
    lines = [f"{first.capability} ({summary}):" if summary else f"{first.capability}:"]
    # One line for each combination of kind and values, with its devices.
    parts = Counter(each.device_id for each in documents)
    by_values: dict[tuple[str, str], list[str]] = {}
    for each in documents:
        is_part = parts[each.device_id] > 1 or _needs_component(each)
        alike = (_summary(each) if kinds else "", _current(each))
        by_values.setdefault(alike, []).append(_titled(each, is_part=is_part))
    lines += [
        ": ".join(filter(None, (", ".join(named), ", ".join(filter(None, alike)))))
        for alike, named in by_values.items()
    ]
    return "\n".join((*lines, *_described(_common(first))))


@lru_cache(maxsize=512)
def _described(common: Documentation) -> tuple[str, ...]:
    lines = [] if common.available else ["unavailable now: it cannot be read or commanded"]
    lines += common.notes
    described = [_attribute(each, common.commands) for each in common.attributes]
    lines += [line for line in described if line]
    if common.commands:
        attributes = {each.name: each for each in common.attributes}
        lines.append("commands:")
        lines += [_command(each, attributes, common.capability) for each in common.commands]
    return tuple(lines)


def _summary(document: Documentation) -> str:
    """Return the summary; empty if it only repeats the capability."""
    summary = quiet(document.summary)
    return "" if summary.casefold() == document.capability else summary


def _needs_component(document: Documentation) -> bool:
    """Return whether a command or a read of the device must name the component."""
    if not document.is_entity:
        return True
    if document.commands:
        return not document.is_alone
    is_named_alike = document.component_id.partition(".")[2] == document.device_id
    return not (_summary(document) or is_named_alike)


def _titled(document: Documentation, *, is_part: bool = False) -> str:
    named = label(document.device_id, document.device_name, document.area)
    if document.caption:
        named += f' [photo: "{quiet(document.caption)}"]'
    return part_label(named, document.component_id) if is_part else named


def _current(document: Documentation) -> str:
    shown = {
        each.name: each
        for each in document.attributes
        if each.value not in (None, "", []) and not each.is_free_text
        if is_plain_name(each.name)
    }
    return ", ".join(
        assigned(each) for name, each in shown.items() if _FOLLOWS_FROM.get(name) not in shown
    )


def assigned(fact: Fact) -> str:
    """Return the name, value and unit of an attribute: `state on`, `temperature 21 °C`."""
    text = f"{fact.name} {_text(fact.value)}"
    if fact.unit and isinstance(fact.value, int | float) and not isinstance(fact.value, bool):
        text += f" {fact.unit}"
    return f"{text} ({fact.meaning})" if fact.meaning else text


def _text(value: object) -> str:
    if value is None or value == "":
        return "none"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        items = [*map(_text, value)]
        if any(item.startswith('"') for item in items):
            # Items without a space, too, so that the list is read as one.
            items = [f'"{item.strip('"')}"' for item in items]
        return f"[{', '.join(items)}]"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{name}: {_text(each)}" for name, each in value.items()) + "}"
    text = quiet(str(value))
    return f'"{text}"' if len(words(text)) > 1 and " " in text else text


def _attribute(attribute: Attribute, commands: Sequence[CommandDescription]) -> str:
    if not is_plain_name(attribute.name) or _is_said(attribute, commands):
        return ""
    meanings = attribute.meanings
    allowed = "" if meanings and meanings.keys() >= {*attribute.values} else _allowed(attribute)
    listed = ", ".join(f"{value} = {label}" for value, label in meanings.items())
    details = "; ".join(filter(None, (allowed, listed)))
    return f"{attribute.name}: {details}" if details else ""


def _is_said(attribute: Attribute, commands: Sequence[CommandDescription]) -> bool:
    """Return whether a command or an argument already shows the possible values."""
    if attribute.meanings:
        return False
    if commands and set(attribute.values) == _SWITCHED:
        return True
    return any(
        _allowed(each) == _allowed(attribute)
        and (each.values or attribute.name.casefold().endswith(each.name.casefold()))
        for command in commands
        for each in command.arguments
        if len(each.values) <= _REPEATED
    )


def _allowed(thing: Attribute | Argument) -> str:
    if thing.values:
        shown = [quiet(value) or "''" for value in labels(thing.values)[:_MOST_VALUES]]
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


def _command(
    command: CommandDescription, attributes: Mapping[str, Attribute], capability: str
) -> str:
    """Return one line; two if the command can also be used without its arguments.

    Only a command with a list, such as a colour, has two lines: small models otherwise add a
    colour to "turn on the light".
    """
    is_script = capability == _SCRIPT and command.name == "turn_on"
    shown = _script_argument if is_script else _argument
    arguments = ", ".join(
        f"{each.name}{'?' if not each.required or each.default is not None else ''}: "
        f"{shown(each, attributes)}"
        for each in command.arguments
    )
    text = ""
    if _says_more(command, capability):
        text = f" - {quiet(command.description).rstrip('.')}"
    line = f"{command.name}({arguments}){text}"
    has_list = any(each.type == "list" for each in command.arguments)
    if has_list and not any(each.required for each in command.arguments):
        return f"{command.name}()\n{line}"
    return line


def _says_more(command: CommandDescription, capability: str) -> bool:
    """Return whether the description of a command says more than its name and arguments.

    Example: "Turns off a switch" says no more than `turn_off`.
    """
    arguments = " ".join(each.name for each in command.arguments)
    known = {
        form
        for word in (*words(command.name), *words(capability), *words(arguments), *_FILLERS)
        for form in forms(word)
    }
    return any(forms(word).isdisjoint(known) for word in content_words(command.description))


def _script_argument(argument: Argument, attributes: Mapping[str, Attribute]) -> str:
    """Return the values of a script's field and what the household wrote about it."""
    kind = _argument(replace(argument, description=""), attributes)
    text = quiet(argument.description)[:_STRUCTURE_TEXT]
    if not text:
        return kind
    return text if kind in {"text", "object"} else f"{kind} ({text})"


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


# ------------------------------------------------------------ devices by state


def states_by_kind(contents: Iterable[Reading]) -> list[str]:
    """Return lines such as "All light devices above with state on: Desk".

    Small models need them after a list of devices, because they miscount states in long lists.
    There is one line for each domain and state, but none for a domain with:

    - only one device, or two devices of the same name, such as the doors of one refrigerator
    - more than 4 states, or a state that is a number
    """
    kinds: dict[str, dict[str, list[str]]] = {}
    for each in contents:
        state = each.fact(STATE)
        if not each.available or not each.is_entity or state is None or state.is_free_text:
            continue
        name = each.device_name
        if each.area and each.area.casefold() not in name.casefold():
            name = f"{name} ({each.area})"
        kinds.setdefault(each.capability, {}).setdefault(str(state.shown), []).append(name)
    lines: list[str] = []
    for capability, states in kinds.items():
        names = [name for group in states.values() for name in group]
        are_distinct = len(names) == len({*names}) > 1
        are_numbers = any(as_number(each) is not None for each in states)
        if not are_distinct or len(states) > _FEW_STATES or are_numbers:
            continue
        if len(states) == 1:
            lines.append(f"All {len(names)} {capability} devices above: state {min(states)}.")
        else:
            lines += (
                f"All {capability} devices above with state {state}: {', '.join(names)}."
                for state, names in sorted(states.items(), reverse=True)
            )
    return lines
