"""Analyse the actions of scripts and automations; every branch counts as taken."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from os.path import normpath
from pathlib import PurePath
from typing import Any, Final

from homeassistant.const import ENTITY_MATCH_ALL, ENTITY_MATCH_NONE
from homeassistant.core import HomeAssistant, split_entity_id, valid_entity_id
from homeassistant.helpers import config_validation as cv
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers.entity_component import EntityComponent
from homeassistant.helpers.target import TargetSelection, async_extract_referenced_entity_ids
from homeassistant.helpers.template import Template, is_template_string

from ..values import leaves, names_in

TARGET_KEYS: Final = ("entity_id", "device_id", "area_id", "floor_id", "label_id")


KNOWN_DOMAINS: Final = names_in(
    "light switch fan cover valve lock alarm_control_panel climate humidifier water_heater "
    "vacuum lawn_mower media_player remote siren camera select number text date time "
    "datetime button update input_boolean input_button input_number input_select input_text "
    "input_datetime counter timer todo calendar automation script scene group homeassistant "
    "weather event schedule"
)
"""Domains with services that affect only their target entities."""

HARMLESS_DOMAINS: Final = names_in(
    "notify persistent_notification tts logbook shopping_list assist_satellite counter timer "
    "todo input_text input_datetime system_log weather chime light"
)
"""Domains with services that are harmless for any target."""


def mappings_in(value: object) -> Iterator[Mapping[str, Any]]:
    """Yield all mappings in the steps or variables of a script, at any depth."""
    value = getattr(value, "variables", value)
    if isinstance(value, Mapping):
        yield value
        value = list(value.values())
    if isinstance(value, list | tuple):
        for item in value:
            yield from mappings_in(item)


def targeted_entities(
    hass: HomeAssistant, target: Mapping[str, Any], domain: str, service: str = ""
) -> frozenset[str] | None:
    """Return the ids of the entities that the target of an action selects.

    `entity_id: all` selects all entities of `domain`, or every entity if `domain` is
    `homeassistant`. With a `service`, only the entities and groups that the service takes are
    returned. None if the target contains a template or an unknown registry id.
    """
    flat: dict[str, list[str]] = {}
    for name in TARGET_KEYS:
        values = _strings(target.get(name))
        if values is None:
            return None
        if values := [value for value in values if value != ENTITY_MATCH_NONE]:
            flat[name] = values
    if ENTITY_MATCH_ALL in flat.get("entity_id", ()):
        everything = None if domain == "homeassistant" else domain
        return frozenset(hass.states.async_entity_ids(everything))
    registry = er.async_get(hass)
    if "entity_id" in flat:
        resolved = [er.async_resolve_entity_id(registry, each) for each in flat["entity_id"]]
        if None in resolved:
            return None
        flat["entity_id"] = [each.lower() for each in resolved if each]
    selected = async_extract_referenced_entity_ids(hass, TargetSelection(flat), expand_group=False)
    named = {each for each in selected.referenced if valid_entity_id(each)}
    if service and domain != "homeassistant":
        taken = named | selected.indirectly_referenced
        return frozenset(each for each in taken if split_entity_id(each)[0] in {domain, "group"})
    # homeassistant.turn_on calls the service of each domain that has one.
    return frozenset(named).union(
        each
        for each in selected.indirectly_referenced
        if not service or hass.services.has_service(split_entity_id(each)[0], service)
    )


def _strings(value: Any) -> list[str] | None:
    """Return the ids in one value of an action's target; None if it contains a template."""
    if value is None:
        return []
    if isinstance(value, str):
        value = [each.strip() for each in value.split(",") if each.strip()]
    if not isinstance(value, list | tuple | set | frozenset):
        return None
    for each in value:
        if isinstance(each, Template) or not isinstance(each, str) or is_template_string(each):
            return None
    return list(value)


_PATHS: Final = frozenset(
    {"directory", "download_path", "file", "file_path", "filename", "filepath", "folder", "path"}
)
"""Arguments of Home Assistant actions that contain the path of a file or folder."""

_RECORDING: Final = frozenset({"camera", "image"})  # write only their own picture to it


def leaves_media_folders(hass: HomeAssistant, domain: str, arguments: Mapping[str, Any]) -> bool:
    """Return whether the arguments of an action contain a file path that needs confirmation.

    Paths inside the media folders need no confirmation in actions of `camera` and `image`.
    """
    return any(domain not in _RECORDING or not _is_media(hass, path) for path in _paths(arguments))


def _paths(arguments: Mapping[str, Any]) -> Iterator[str]:
    """Yield the paths in arguments: values of path arguments, and texts that look like paths."""
    for name, value in leaves(arguments):
        text = value.template if isinstance(value, Template) else value
        if text and isinstance(text, str):
            is_of_www = PurePath(text).is_absolute() and "www" in PurePath(normpath(text)).parts
            if name in _PATHS or is_of_www or _climbs(text):
                yield text


def _is_media(hass: HomeAssistant, path: str) -> bool:
    if not PurePath(path).is_absolute() or _climbs(path):
        return False
    # Only the folder before a template is known.
    fixed = path.partition("{")[0].rpartition("/")[0]
    return any(
        PurePath(normpath(fixed)).is_relative_to(normpath(folder))
        for folder in hass.config.media_dirs.values()
    )


def _climbs(text: str) -> bool:
    return ".." in PurePath(text).parts


@dataclass(frozen=True, slots=True)
class SequenceCall:
    """A Home Assistant action (`domain.service`) in a sequence, also of a device or a scene."""

    domain: str
    service: str
    data: Mapping[str, Any]  # arguments without the target
    target: Mapping[str, Any]

    @property
    def is_of_place(self) -> bool:
        """Whether the target is an entity, device, area, floor or label, and not `all`."""
        is_all = self.target.get("entity_id") in (ENTITY_MATCH_ALL, [ENTITY_MATCH_ALL])
        return not is_all and any(self.target.get(name) for name in TARGET_KEYS)


type Step = SequenceCall | str
"""A step of a sequence; a string describes a step that cannot be analysed."""

EVENT: Final = "event"
"""`SequenceCall.domain` of a step that fires an event; its service is the type of the event."""

_QUIET = frozenset(
    {
        cv.SCRIPT_ACTION_CHECK_CONDITION,
        cv.SCRIPT_ACTION_DELAY,
        cv.SCRIPT_ACTION_SET_CONVERSATION_RESPONSE,
        cv.SCRIPT_ACTION_STOP,
        cv.SCRIPT_ACTION_VARIABLES,
        cv.SCRIPT_ACTION_WAIT_FOR_TRIGGER,
        cv.SCRIPT_ACTION_WAIT_TEMPLATE,
    }
)


_BRANCHES: Final = ("choose", "default", "then", "else", "repeat", "parallel", "sequence")
"""Keys of sequences, and of steps with sequences, in a step."""


def calls_of(sequence: Sequence[Any]) -> Iterator[Step]:
    """Yield the actions of a validated script sequence, in all branches, except disabled steps.

    For a step that cannot be analysed, such as one with a template, yield a sentence about it.
    """
    for step in sequence:
        if not isinstance(step, Mapping):
            yield "a step is not readable"
        elif step.get("enabled", True) is not False:
            yield from _actions_in(step)


def _actions_in(step: Mapping[str, Any]) -> Iterator[Step]:
    try:
        kind = cv.determine_script_action(dict(step))
    except ValueError, KeyError, IndexError:
        yield "a step is not known"
        return
    if kind in _QUIET:
        return
    match kind:
        case cv.SCRIPT_ACTION_CALL_SERVICE:
            yield from _call(step)
        case cv.SCRIPT_ACTION_ACTIVATE_SCENE:
            scene = step["scene"]
            is_known = isinstance(scene, str) and not is_template_string(scene)
            call = SequenceCall("scene", "turn_on", {}, {"entity_id": scene})
            yield call if is_known else "a scene is chosen at run time"
        case cv.SCRIPT_ACTION_DEVICE_AUTOMATION:
            yield _device_action(step)
        case cv.SCRIPT_ACTION_FIRE_EVENT:
            yield SequenceCall(EVENT, step["event"], {}, {})
        case _:
            branches = [step[name] for name in _BRANCHES if name in step]
            if not branches:
                yield f"a step of the kind {kind} is not known"
            for branch in branches:
                yield from calls_of([branch] if isinstance(branch, Mapping) else branch or ())


def _call(step: Mapping[str, Any]) -> Iterator[Step]:
    action = step.get("action") or step.get("service") or step.get("service_template")
    if not isinstance(action, str) or is_template_string(action) or "." not in action:
        yield "an action is chosen at run time"
        return
    domain, service = action.lower().split(".", maxsplit=1)
    data: dict[str, Any] = {}
    for name in ("data_template", "data"):
        part = step.get(name)
        if isinstance(part, Template):
            yield f"what {action} is given is made at run time"
            part = {"entity_id": part}
        data.update(part or {})
    target: dict[str, Any] = {name: data.pop(name) for name in TARGET_KEYS if name in data}
    wanted = step.get("target")
    target.update({"entity_id": wanted} if isinstance(wanted, Template | str) else wanted or {})
    if "entity_id" in step:
        target["entity_id"] = step["entity_id"]
    yield SequenceCall(domain, service, data, target)


def _device_action(step: Mapping[str, Any]) -> Step:
    domain, kind = str(step.get("domain", "")), str(step.get("type", ""))
    service = kind
    if domain == "alarm_control_panel":
        service = f"alarm_{kind}"
    elif domain in {"cover", "valve"}:
        # `set_position` calls `set_cover_position`.
        verb, _, what = kind.partition("_")
        service = "_".join(filter(None, (verb, domain, what)))
    return SequenceCall(domain, service, step, {"entity_id": step.get("entity_id")})


# ------------------------------------------------------------ the response of a script


def answers_in_own_words(hass: HomeAssistant, entity_id: str) -> bool | None:
    """Return whether the response of a script has only words that stand in the script.

    False if they may come from a template, a trigger, or the response of another action. None if
    the script returns no response.
    """
    component = hass.data.get("script")
    entity = component.get_entity(entity_id) if isinstance(component, EntityComponent) else None
    script = getattr(entity, "script", None)
    steps = [*mappings_in([*getattr(script, "sequence", ()), getattr(script, "variables", None)])]
    if not any("stop" in each and each.get("response_variable") for each in steps):
        return None
    for step in steps:
        action = step.get("action") or step.get("service")
        if "wait_for_trigger" in step or (action and step.get("response_variable")):
            return False
    values = [value for each in steps for value in (*each.keys(), *each.values())]
    texts = (str(getattr(each, "template", each)) for _, each in leaves(values))
    return not any(map(is_template_string, texts))
