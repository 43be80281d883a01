"""The entry of a household with an agent, as the set-up stores it."""

from collections.abc import Mapping, Sequence
from typing import Any

from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.sage.config.agents import AGENT_DEFAULTS
from custom_components.sage.const import DOMAIN


def household_entry(
    base_url: str,
    formats: Sequence[str],
    *,
    agents: int = 1,
    options: Mapping[str, Any] | None = None,
    **data: Any,
) -> MockConfigEntry:
    """Return an entry with agents as the flow adds them; `data` is further data of its own."""
    subentry = {
        "data": dict(AGENT_DEFAULTS),
        "subentry_type": "agent",
        "title": "SAGE",
        "unique_id": None,
    }
    return MockConfigEntry(
        domain=DOMAIN,
        data={"base_url": base_url, "model": "test-model", "formats": [*formats], **data},
        options=options,
        subentries_data=[subentry] * agents,
    )
