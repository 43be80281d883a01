"""The TV schedule in conversations: what is on, and putting it on."""

from typing import Any

import pytest
from homeassistant.core import HomeAssistant

from custom_components.sage.text.fence import has_fence
from tests.decisions import FORMATS, Decides
from tests.end_to_end.conftest import Sage
from tests.guide_house import GuideSource, async_add_guide, guide_source, on_air

__all__ = ["guide_source"]

NATIVE = Decides("native")


def observed(sage: Sage) -> str:
    """Return the last observation of the model."""
    return str(sage.server.completions[-1].messages[-1]["content"])


@pytest.mark.parametrize("decision_format", FORMATS)
async def test_what_is_on_now(
    hass: HomeAssistant, make_sage: Any, guide_source: GuideSource, decision_format: str
) -> None:
    sage: Sage = await make_sage(decision_format)
    decides = Decides(decision_format)
    guide_source.show(
        on_air("bbc1.uk", "EastEnders", category="Soap"),
        on_air("abc.us", "Jeopardy!", begins=60, category="Quiz"),
    )
    await async_add_guide(hass, sage.entry, guide_source)
    sage.model_says(
        decides.call("search_tv_schedule"),
        decides.finish("answered", "EastEnders is on BBC One.", about="other"),
    )
    assert await sage.hear("what is on?") == "EastEnders is on BBC One."
    seen = observed(sage)
    assert "BBC One, channel 101: EastEnders (Soap)" in seen
    assert "Jeopardy" not in seen
    assert has_fence(seen)


async def test_without_a_guide_there_is_no_such_tool(sage: Sage) -> None:
    sage.model_says(NATIVE.finish("answered", "Hello!", about="other"))
    await sage.hear("hello")
    names = [each["function"]["name"] for each in sage.server.completions[0].body["tools"]]
    assert "search_tv_schedule" not in names
    assert "weather" not in names
