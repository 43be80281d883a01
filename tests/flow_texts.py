"""The texts of a flow's step, with the placeholders that Home Assistant's frontend gives them."""

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from homeassistant.components.repairs import RepairsFlow
from homeassistant.config_entries import ConfigFlow, ConfigSubentryFlow, OptionsFlow
from homeassistant.data_entry_flow import FlowHandler, FlowResultType
from homeassistant.helpers import issue_registry as ir

from custom_components import sage
from custom_components.sage.const import DOMAIN

TEXTS: Final = json.loads(
    (Path(sage.__file__).parent / "translations" / "en.json").read_text(encoding="utf-8")
)
_SHOWN: Final = {
    FlowResultType.FORM,
    FlowResultType.MENU,
    FlowResultType.SHOW_PROGRESS,
    FlowResultType.ABORT,
}
"""Types of steps that a person sees."""

_BARE_TITLES: Final = {FlowResultType.MENU, FlowResultType.SHOW_PROGRESS}
"""Types of steps whose title the frontend shows without placeholders in most flows."""


def missing_placeholders(flow: FlowHandler[Any, Any, Any], step: Mapping[str, Any]) -> list[str]:
    """Return each text of the step that needs a placeholder which the frontend does not have."""
    found = _texts_and_placeholders(flow)
    if found is None or step["type"] not in _SHOWN:
        return []
    texts, placeholders = found
    given = placeholders | set(step.get("description_placeholders") or {})
    return [
        f"{key}: {text}"
        for key, text in _shown(texts, step)
        if not set(re.findall(r"{(\w+)}", text))
        <= (set() if key == "title" and _has_bare_title(flow, step) else given)
    ]


def _has_bare_title(flow: FlowHandler[Any, Any, Any], step: Mapping[str, Any]) -> bool:
    if step["type"] is FlowResultType.MENU and isinstance(flow, ConfigSubentryFlow | RepairsFlow):
        return False
    return step["type"] in _BARE_TITLES


def _texts_and_placeholders(
    flow: FlowHandler[Any, Any, Any],
) -> tuple[Mapping[str, Any], set[str]] | None:
    """Return the texts of a flow and the placeholders of all its steps; None for others' flows."""
    match flow:
        case RepairsFlow() if flow.handler == DOMAIN:
            issue = ir.async_get(flow.hass).async_get_issue(DOMAIN, flow.issue_id)
            if issue is None:
                return None
            texts = TEXTS["issues"][issue.translation_key].get("fix_flow", {})
            return texts, set(issue.translation_placeholders or {})
        case _ if not type(flow).__module__.startswith(sage.__name__):
            return None
        case OptionsFlow():
            return TEXTS["options"], set()
        case ConfigSubentryFlow():
            return TEXTS["config_subentries"][flow.handler[1]], set()
        case ConfigFlow():
            return TEXTS["config"], set()
    return None


def _shown(texts: Mapping[str, Any], step: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the texts of the step with their keys."""
    if step["type"] is FlowResultType.ABORT:
        yield from _leaves(texts.get("abort", {}), {step["reason"]})
        return
    yield from _leaves(texts.get("step", {}).get(step.get("step_id"), {}))
    yield from _leaves(texts.get("error", {}), set((step.get("errors") or {}).values()))
    yield from _leaves(texts.get("progress", {}), {step.get("progress_action")})


def _leaves(
    tree: Mapping[str, Any], only: set[str | None] | None = None
) -> Iterator[tuple[str, str]]:
    for key, value in tree.items():
        if only is not None and key not in only:
            continue
        if isinstance(value, Mapping):
            yield from _leaves(value)
        else:
            yield key, value
