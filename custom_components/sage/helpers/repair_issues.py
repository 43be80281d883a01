"""The repair issues of SAGE."""

from collections.abc import Mapping
from typing import Any

from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers import issue_registry as ir

from ..const import DOMAIN


@callback
def show_issue(
    hass: HomeAssistant,
    issue_id: str,
    key: str | None,
    severity: ir.IssueSeverity = ir.IssueSeverity.ERROR,
    values: Mapping[str, str] | None = None,
    **more: Any,
) -> None:
    """Create a repair issue with `more` arguments, by default not fixable; None deletes it."""
    if key is None:
        ir.async_delete_issue(hass, DOMAIN, issue_id)
        return
    ir.async_create_issue(
        hass,
        DOMAIN,
        issue_id,
        severity=severity,
        translation_key=key,
        translation_placeholders=dict(values) if values else None,
        **{"is_fixable": False, **more},
    )
