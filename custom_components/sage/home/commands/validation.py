"""Find the command of an entity that a request asks for, and validate its arguments.

Unambiguous values are converted to the documented type. For other values, an error says how to fix
them.
"""

import json
import logging
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, Final

import probatio
from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er

from ...text import FORM, content_words, id_key, nearest
from ..components import component_of, with_entity_ids
from ..entities.documentation import Documenter
from ..entities.expected_effect import TOGGLES, toggled
from ..home_types import (
    Argument,
    Command,
    CommandDescription,
    Component,
    Device,
    DevicePart,
    Documentation,
    HomeError,
    NoCommandError,
)
from ..listing import Listing
from ..matching import component_indexes
from ..prompt_text import labels
from ..values import STATE
from .expectation import as_number
from .pipeline import RUN_SCRIPT, ValidatedCommand

_LOGGER = logging.getLogger(__name__)

_IF_MEANT: Final = (
    "Only if it is meant, call the tool again with it as device, without `component`."
)

_NUMBER: Final = re.compile(
    r"([-+]?\d+(?:[.,]\d+)?)\s*(%|°|k|kelvin|percent|prozent|[^\d]*)?", re.IGNORECASE
)
_PERCENT: Final = frozenset({"%", "percent", "prozent"})
_TRUE: Final = frozenset({"true", "on", "yes", "1"})
_FALSE: Final = frozenset({"false", "off", "no", "0"})
_MEDIA: Final = ("media_content_id", "media_content_type")
_BLACK: Final = frozenset({"black", "[0, 0, 0]"})
_SHOWN: Final = 30  # maximum number of allowed values in an error
_COMPONENTS: Final = 12  # maximum number of components whose commands are in an error


class EntityCommandFinder:
    """Finds the commands of entities."""

    def __init__(self, hass: HomeAssistant, documenter: Documenter) -> None:
        self._hass = hass
        self._documenter = documenter

    async def async_find(
        self, listing: Listing, request: Command, said: str = ""
    ) -> ValidatedCommand:
        """Return the validated command that a request asks for.

        `listing`: the devices that the person may see. `said`: the words of the person, which may
        tell components apart. Call `Documenter.async_refresh` first. Raises HomeError for an
        invalid request.
        """
        found = listing.find(request.device_id)
        device = found.device
        if request.component_id is None and found.component is not None:
            request = replace(request, component_id=found.component.id)
        try:
            part, document, command = await self._async_documented(device, request, said)
        except NoCommandError as err:
            raise await self._async_other(device, request, err) from None
        is_script, written = document.capability == "script", request.arguments
        if command.name == "play_media":
            written = _media_together(written)
        arguments = validated(command, _script_fields(command, written) if is_script else written)
        if any(each.is_reference for each in command.arguments):
            arguments = with_entity_ids(
                self._hass, listing, command, document.capability, arguments
            )
        entry = er.async_get(self._hass).async_get(document.component_id)
        prepared = ValidatedCommand(
            **document.fields_of(DevicePart) | {"device_name": device.spoken_name(part)},
            registry_id=None if entry is None else entry.id,
            description=command,
            asked_for=request.asked_for,
            arguments=arguments,
        )
        if arguments:
            _check_together(self._hass, prepared)
        return prepared

    async def _async_other(
        self, device: Device, request: Command, error: NoCommandError
    ) -> HomeError:
        """Return the error, or one that names the other component that has the command."""
        if request.component_id is None:
            return error
        try:
            part, *_ = await self._async_documented(device, replace(request, component_id=None))
        except HomeError as other:
            return error if isinstance(other, NoCommandError) else other
        return NoCommandError(
            f"{request.component_id} has no command {request.name}. Another component of "
            f"{device.name} has it: {part.id}. {_IF_MEANT}",
            has_other=True,
        )

    async def _async_documented(self, device: Device, request: Command, said: str = "") -> _Found:
        """Return the only component with this command, and its documentation. Raises HomeError."""
        components = list(device.components)
        if request.capability is not None:
            components = [e for e in components if request.capability in e.capabilities]
        if request.component_id is not None or not components:
            # If none has the capability, the error lists the components.
            components = [component_of(device, request.component_id, request.capability)]
        found: list[_Found] = []
        commanded: list[Documentation] = []
        for component in components:
            document = await self._documenter.async_document(device, component.id)
            try:
                name = request.name
                if document.capability == "script":
                    name = _name_of_script(document, name)
                found.append((component, document, command_named(document, name)))
            except NoCommandError:
                commanded += [document] if document.commands else []
        if len(found) == 1:
            return found[0]
        if found:
            return _meant(device, request, said, found)
        raise _no_command(device.name, request.name, commanded)


type _Found = tuple[Component, Documentation, CommandDescription]


def _meant(device: Device, request: Command, said: str, found: Sequence[_Found]) -> _Found:
    """Return the component that takes the arguments and that the words mean. Raises HomeError.

    A valid value alone does not show which one the person means.
    """
    parts = [part for part, *_ in found]
    accepting = [part for part, _, command in found if _accepts(command, request.arguments)]
    index, _ = component_indexes(tuple(parts))
    hits = (index.hits(word) for word in content_words(said))
    by_word = [[place for place, worth in own.items() if worth >= FORM] for own in hits]
    told = {places[0] for places in by_word if len(places) == 1}
    if len(told) == 1 and parts[each := told.pop()] in accepting:
        return found[each]
    names = ", ".join(f"{each.id} ({each.name})" for each in accepting or parts)
    raise HomeError(
        f"Several components of {device.name} have {request.name}. Call the tool again with the "
        f"one that is meant as device, without `component`: {names}."
    )


def _check_together(hass: HomeAssistant, command: ValidatedCommand) -> None:
    """Raise HomeError if arguments, each valid alone, exclude each other, as two colours do.

    Also for black: Home Assistant takes it as a colour, and the light turns white.
    """
    domain, name = command.action
    if domain == "light" and any(
        str(each).casefold() in _BLACK for each in command.arguments.values()
    ):
        raise HomeError(f"No light is black: leave the colour out of {name}, or use turn_off.")
    if (domain, name) == RUN_SCRIPT:
        return
    service = hass.services.async_services_for_domain(domain).get(name)
    if service is None or service.schema is None:
        return
    try:
        # Home Assistant's action does not take the rule of an event that recurs.
        taken = {name: each for name, each in command.arguments.items() if name != "rrule"}
        service.schema({**taken, "entity_id": [command.component_id]})
    except probatio.Invalid as err:
        raise HomeError(
            f"Home Assistant does not take these arguments of {command.name} together: {err}"
        ) from None
    except Exception as err:  # noqa: BLE001 - a validator of any integration
        _LOGGER.debug("The schema of %s failed: %r", command.name, err)


def _name_of_script(document: Documentation, name: str) -> str:
    is_known = any(each.name == name for each in document.commands)
    own = {document.component_id, document.component_id.removeprefix("script.")}
    return "turn_on" if name in own and not is_known else name


def _script_fields(command: CommandDescription, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the arguments of a command; those of `script.turn_on` may stand in `variables`."""
    variables = arguments.get("variables")
    is_own = any(each.name == "variables" for each in command.arguments)
    if is_own or not isinstance(variables, Mapping):
        return arguments
    return {**variables, **{name: each for name, each in arguments.items() if name != "variables"}}


def _media_together(arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the arguments of a command; id and type of what to play may stand outside `media`."""
    media = {name: arguments[name] for name in _MEDIA if name in arguments}
    if len(media) < len(_MEDIA) or "media" in arguments:
        return arguments
    return {"media": media, **{name: arguments[name] for name in arguments if name not in media}}


def _accepts(command: CommandDescription, arguments: Mapping[str, Any]) -> bool:
    with suppress(HomeError):
        validated(command, arguments)
        return True
    return False


def command_named(documentation: Documentation, name: str) -> CommandDescription:
    """Return the documented command of this name. Raises NoCommandError with similar names.

    `toggle` and `media_play_pause` are not documented where the state tells which they mean.
    """
    if (toggle := name.rpartition(".")[2]) in TOGGLES:
        meant = toggled(documentation.capability, toggle, str(documentation.values.get(STATE)))
        name = next((each.name for each in documentation.commands if each.name == meant), name)
    wanted = id_key(name)
    for command in documentation.commands:
        if command.name == name:
            return command
    own = f"{documentation.capability}."
    for command in documentation.commands:
        if id_key(command.name) in {wanted, id_key(name.removeprefix(own))}:
            return command
    commanded = (documentation,) if documentation.commands else ()
    raise _no_command(documentation.device_name, name, commanded)


def _no_command(device_name: str, name: str, documents: Sequence[Documentation]) -> NoCommandError:
    """Return the error for a command that no component has; `documents`: those with commands."""
    error = f"{device_name} has no command {name}."
    if not documents:
        return NoCommandError(
            f"{error} It has none: it can only be read. Say that this cannot be done."
        )
    having: dict[str, list[str]] = {}
    for document in documents[:_COMPONENTS]:
        signatures = ", ".join(
            f"{command.name}({', '.join(argument.name for argument in command.arguments)})"
            for command in document.commands
        )
        having.setdefault(signatures, []).append(document.component_id)
    near = _nearest(name, dict.fromkeys(each.name for one in documents for each in one.commands))
    listed = "; ".join(f"{', '.join(ids)}: {commands}" for commands, ids in having.items())
    more = len(documents) - _COMPONENTS
    listed += f"; and {more} more components" if more > 0 else ""
    is_one = len(documents) == 1
    those = f"It has: {next(iter(having))}" if is_one else f"Its components have: {listed}"
    return NoCommandError(
        f"{error} {near}{those}. Use one of these, or say that this cannot be done."
    )


def validated(command: CommandDescription, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments converted to their documented types. Raises HomeError."""
    known = {argument.name: argument for argument in command.arguments}
    values: dict[str, Any] = {}
    for name, value in arguments.items():
        alike = (each for each in command.arguments if id_key(each.name) == id_key(name))
        argument = known.get(name) or next(alike, None)
        if value is None and (argument is None or not argument.required):
            continue
        if argument is None:
            error = f"{command.name} has no argument {name}. {_nearest(name, known)}"
            raise HomeError(
                f"{error}It takes: {_listed(known)}."
                if known
                else f"{command.name} takes no arguments; leave {name} out."
            )
        if argument.name in values:
            raise HomeError(f"The argument {argument.name} of {command.name} is given twice.")
        values[argument.name] = _fitted(argument, value)
    missing = [each for each in command.arguments if each.required and each.name not in values]
    if needed := [_wanted(each) for each in missing if each.default is None]:
        raise HomeError(f"{command.name} needs {'; '.join(needed)}.")
    return values | {each.name: each.default for each in missing}


def _fitted(argument: Argument, value: Any) -> Any:
    if (
        argument.type in {"object", "list"}
        and isinstance(value, str)
        and value.strip().startswith(("{", "["))
    ):
        with suppress(ValueError):
            value = json.loads(value)
    match argument.type:
        case "number" | "integer":
            return _number(argument, value)
        case "boolean":
            return _boolean(argument, value)
        case "list":
            return _list(argument, value)
        case "object":
            return value
        case _:
            return _text(argument, value)


def _number(argument: Argument, value: Any) -> float:
    is_percent = False
    if isinstance(value, str) and (found := _NUMBER.fullmatch(value.strip())):
        value = float(found[1].replace(",", "."))
        is_percent = found[2] is not None and found[2].casefold() in _PERCENT
    number = value if isinstance(value, int | float) and not isinstance(value, bool) else None
    # Very large integers have no finite float.
    if number is None or not abs(number) <= sys.float_info.max:
        raise HomeError(f"{_wanted(argument)} is wanted, not {value!r}.")
    is_whole = float(number) == int(number)
    if argument.type == "integer" and not is_whole:
        raise HomeError(f"{_wanted(argument)} is wanted, not {value!r}: no fraction.")
    number = int(number) if is_whole else float(number)
    low, high = argument.minimum, argument.maximum
    # A share of 1, such as a volume, given in percent
    if argument.type == "number" and (low, high) == (0, 1) and (is_percent or 1 < number <= 100):
        number /= 100
    if argument.values and number not in map(_maybe_number, argument.values):
        raise HomeError(f"{argument.name} cannot be {number:g}: {_wanted(argument)} is wanted.")
    if (low is not None and number < low) or (high is not None and number > high):
        raise HomeError(f"{number:g} is out of range: {_wanted(argument)} is wanted.")
    return number


def _boolean(argument: Argument, value: Any) -> bool:
    if isinstance(value, bool):
        return value
    text = str(value).strip().casefold()
    if text in _TRUE | _FALSE:
        return text in _TRUE
    raise HomeError(f"{_wanted(argument)} is wanted, not {value!r}.")


def _list(argument: Argument, value: Any) -> list[Any]:
    if isinstance(value, str):
        value = [part.strip() for part in value.strip("[]() ").split(",") if part.strip()]
        value = [_maybe_number(part) for part in value]
    if isinstance(value, Mapping):
        raise HomeError(f"{_wanted(argument)} is wanted, not {dict(value)!r}.")
    items = list(value) if isinstance(value, Iterable) else [value]
    return [_option(argument, each) for each in items] if argument.values else items


def _maybe_number(text: str) -> Any:
    if (number := as_number(text)) is None:
        return text
    return int(number) if number == int(number) else number


def _text(argument: Argument, value: Any) -> Any:
    if argument.values:
        return _option(argument, value)
    if isinstance(value, Mapping | list | tuple):
        # References may be lists; the gate checks each item.
        if argument.is_reference:
            return value
        raise HomeError(f"{_wanted(argument)} is wanted, not {value!r}.")
    if isinstance(value, bool):
        return "on" if value else "off"
    return str(value)


def _option(argument: Argument, value: Any) -> str:
    wanted = "on" if value is True else "off" if value is False else str(value).strip()
    if isinstance(value, bool) and "true" in argument.values:
        wanted = str(value).lower()
    for same in (str, str.casefold, id_key):
        # Options may differ only in symbols or accents: accept a loose match only if unique.
        fitting = [option for option in argument.values if same(option) == same(wanted)]
        if len(fitting) == 1:
            return fitting[0]
    nearest = _nearest(str(value), argument.values)
    raise HomeError(
        f"{argument.name} cannot be {value!r}. {nearest}It must be one of: "
        f"{_listed(argument.values)}."
    )


def _wanted(argument: Argument) -> str:
    """Return an argument with its type and range: `brightness_pct (number, 0..100 %)`."""
    kind = argument.type
    if argument.values:
        kind = f"one of {_listed(argument.values)}"
    elif argument.minimum is not None or argument.maximum is not None:
        low = "" if argument.minimum is None else f"{argument.minimum:g}"
        high = "" if argument.maximum is None else f"{argument.maximum:g}"
        kind = f"{kind}, {low}..{high}"
    return f"{argument.name} ({kind}{f' {argument.unit}' if argument.unit else ''})"


def _nearest(name: str, names: Iterable[str]) -> str:
    close = labels(nearest(name, names))
    return f"Nearest: {', '.join(close)}. " if close else ""


def _listed(values: Iterable[str]) -> str:
    listed = list(values)
    shown = labels(listed)[:_SHOWN]
    more = f", and {len(listed) - len(shown)} more" if len(listed) > len(shown) else ""
    return ", ".join(shown) + more
