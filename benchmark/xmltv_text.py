"""Writes XMLTV files: small ones from programmes, and large ones of made-up programmes."""

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final
from xml.sax.saxutils import escape, quoteattr

HEAD: Final = '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE tv SYSTEM "xmltv.dtd">\n<tv>\n'
TAIL: Final = "</tv>\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class Broadcast:
    """A programme to write."""

    channel: str
    start: datetime
    minutes: int
    title: str
    subtitle: str = ""
    description: str = ""
    category: str = ""


def channel_text(own: str, *names: str, number: str = "") -> str:
    """Return the element of a channel."""
    shown = "".join(f"<display-name>{escape(each)}</display-name>" for each in names)
    lcn = f"<lcn>{number}</lcn>" if number else ""
    return f"<channel id={quoteattr(own)}>{shown}{lcn}</channel>\n"


def broadcast_text(each: Broadcast) -> str:
    """Return the element of a programme."""
    stop = each.start + timedelta(minutes=each.minutes)
    texts = (
        ("title", each.title),
        ("sub-title", each.subtitle),
        ("desc", each.description),
        ("category", each.category),
    )
    inner = "".join(f"<{name}>{escape(text)}</{name}>" for name, text in texts if text)
    times = f'start="{_time(each.start)}" stop="{_time(stop)}"'
    return f"<programme {times} channel={quoteattr(each.channel)}>{inner}</programme>\n"


def guide_text(channels: Iterable[str], broadcasts: Iterable[Broadcast]) -> str:
    """Return a guide of elements of channels and of programmes."""
    return "".join((HEAD, *channels, *map(broadcast_text, broadcasts), TAIL))


_SYLLABLES: Final = ("ka", "lo", "mi", "ra", "tu", "ven", "sol", "dor", "fen", "lin", "mar", "nor")
_CHANNELS: Final = 500
_MINUTES: Final = 45


def write_large_guide(path: Path, size: int, start: datetime) -> int:
    """Write a guide of about `size` bytes; return its number of programmes."""
    numbers = random.Random(1)
    written = count = 0
    with path.open("w", encoding="utf-8") as file:
        file.write(HEAD)
        for channel in range(_CHANNELS):
            file.write(channel_text(f"c{channel}", f"Channel {channel}", number=str(channel + 1)))
        for text in _made_up(numbers, start):
            written += file.write(text)
            count += 1
            if written >= size:
                break
        file.write(TAIL)
    return count


def _made_up(numbers: random.Random, start: datetime) -> Iterator[str]:
    """Yield programmes, slot by slot on all channels; every other one is a repeat."""
    words = ["".join(numbers.choices(_SYLLABLES, k=numbers.randint(1, 4))) for _ in range(20_000)]
    series = [(_text(numbers, words, 3), _text(numbers, words, 35)) for _ in range(20_000)]
    while True:
        for channel in range(_CHANNELS):
            title, description = numbers.choice(series)
            if numbers.random() < 0.5:
                description = _text(numbers, words, 35)
            yield broadcast_text(
                Broadcast(
                    channel=f"c{channel}",
                    start=start,
                    minutes=_MINUTES,
                    title=title,
                    subtitle=f"Episode {numbers.randint(1, 300)}",
                    description=description,
                    category="Series",
                )
            )
        start += timedelta(minutes=_MINUTES)


def _text(numbers: random.Random, words: list[str], count: int) -> str:
    return " ".join(numbers.choices(words, k=count)).capitalize()


def _time(at: datetime) -> str:
    return f"{at.astimezone(UTC):%Y%m%d%H%M%S} +0000"
