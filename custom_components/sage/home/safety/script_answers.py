"""Find out whether a script returns a response, and where its text comes from."""

import re
from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Any, Final

from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity_component import EntityComponent
from homeassistant.helpers.template import Template, is_template_string

_MOST_NESTED: Final = 12
_WRITTEN_BY_OTHERS: Final = re.compile(r"\b(?:calendar|media_player|todo|input_text|text)\.\w")
"""An entity in a template whose state or attributes may be text by other people."""


class AnswerSource(StrEnum):
    """The source of a script's response."""

    SCRIPT = "script"
    """The household wrote it into the script."""

    HOME = "home"
    """Templates, or the forecast of a weather entity."""

    OUTSIDE = "outside"
    """The response of another action, such as a web request, or an unknown source."""


def answer_source(hass: HomeAssistant, entity_id: str, depth: int = 0) -> AnswerSource | None:
    """Return the source of a script's response; None if the script returns no response."""
    component = hass.data.get("script")
    entity = component.get_entity(entity_id) if isinstance(component, EntityComponent) else None
    script = getattr(entity, "script", None)
    content = (getattr(script, "sequence", ()), getattr(script, "variables", None))
    steps = [*_mappings(content)]
    if not any("stop" in each and each.get("response_variable") for each in steps):
        return None
    if depth > _MOST_NESTED or any(_is_outside(hass, each, depth) for each in steps):
        return AnswerSource.OUTSIDE
    templates = [each for each in _texts(content) if is_template_string(each)]
    if any(map(_WRITTEN_BY_OTHERS.search, templates)):
        return AnswerSource.OUTSIDE
    fetches = any(map(_fetched, steps))
    return AnswerSource.HOME if templates or fetches else AnswerSource.SCRIPT


def _is_outside(hass: HomeAssistant, step: Mapping[str, Any], depth: int) -> bool:
    """Return whether a step may bring text from outside the home into a variable."""
    if "wait_for_trigger" in step:
        return True
    action = _fetched(step)
    domain, _, name = str(action or "").lower().partition(".")
    if domain == "script":
        called = f"script.{name}"
        return answer_source(hass, called, depth + 1) in {None, AnswerSource.OUTSIDE}
    return action is not None and domain != "weather"


def _fetched(step: Mapping[str, Any]) -> object | None:
    """Return the action whose response the step stores, else None."""
    return (step.get("action") or step.get("service")) if step.get("response_variable") else None


def _mappings(value: Any) -> Iterator[Mapping[str, Any]]:
    value = getattr(value, "variables", value)
    if isinstance(value, Mapping):
        yield value
        value = list(value.values())
    if isinstance(value, list | tuple):
        for each in value:
            yield from _mappings(each)


def _texts(value: Any) -> Iterator[str]:
    value = getattr(value, "variables", value)
    if isinstance(value, Mapping):
        value = [*value.keys(), *value.values()]
    if isinstance(value, list | tuple):
        for each in value:
            yield from _texts(each)
    elif isinstance(value, Template):
        yield value.template
    elif isinstance(value, str):
        yield value
