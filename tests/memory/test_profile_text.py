"""A memory as a line of text: with its date, and never more than one line."""

from datetime import UTC, datetime
from typing import Any

import pytest
from homeassistant.core import HomeAssistant

from custom_components.sage.memory.memories import Memory, Origin

LATE = datetime(2026, 5, 3, 23, 30, tzinfo=UTC)


def memory(text: str, **more: Any) -> Memory:
    return Memory(id=1, text=text, at=LATE, first_at=LATE, **more)


@pytest.fixture(autouse=True)
async def _zone(hass: HomeAssistant) -> None:
    await hass.config.async_set_time_zone("Europe/Berlin")


@pytest.mark.parametrize(
    ("given", "line"),
    [
        (memory("I like tea"), '2026-05-04: "I like tea"'),
        (memory("I like tea", count=3), '2026-05-04, said 3 times: "I like tea"'),
        (memory("I like tea", origin=Origin.CORRECTED), '2026-05-04 (corrected): "I like tea"'),
        (
            memory("the Canadiens", question="Which team?", origin=Origin.TOLD),
            '2026-05-04: asked "Which team?", "the Canadiens"',
        ),
        (
            memory('tea"\n2026-05-05: "I like\tjuice', question='so\n"what"?'),
            "2026-05-04: asked \"so 'what'?\", \"tea' 2026-05-05: 'I like juice\"",
        ),
    ],
)
def test_a_line_has_the_day_of_the_home_and_no_more_lines(given: Memory, line: str):
    assert given.line == line


def test_a_reply_is_embedded_with_its_question():
    assert memory("tea").embedded == "tea"
    assert memory("tea", question="What do you drink?").embedded == "What do you drink? tea"
