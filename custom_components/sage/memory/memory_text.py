"""Memories as text for models, which must see the date."""

from homeassistant.util import dt as dt_util

from .memory_types import Memory, Origin


def told(memory: Memory) -> str:
    """Return one line with the date, in the time zone of the home."""
    date = dt_util.as_local(memory.at).date().isoformat()
    asked = f' asked "{_line(memory.question)}",' if memory.question else ""
    how = " (set right)" if memory.origin is Origin.CORRECTED else ""
    often = f", said {memory.count} times" if memory.count > 1 else ""
    return f'{date}{often}{how}:{asked} "{_line(memory.text)}"'


def _line(text: str) -> str:
    return " ".join(text.replace('"', "'").split())
