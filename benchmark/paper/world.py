"""Everything outside the devices that is the same in all cases: time, TV, weather, mail, calendars.

All times are relative to `NOW`, which is the time of the home when a case begins.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from ..open_meteo_server import Climate, Json, place
from ..xmltv_text import Broadcast, channel_text, guide_text
from .people import NADIA, ROHAN, VIKTOR

ZONE: Final = ZoneInfo("America/Toronto")
NOW: Final = datetime(2026, 11, 24, 18, 0, tzinfo=ZONE)
"""A Tuesday."""

TODAY: Final = NOW.date()
SATURDAY: Final = TODAY + timedelta(days=4)
NEXT_MONDAY: Final = TODAY + timedelta(days=6)


@dataclass(frozen=True, slots=True, kw_only=True)
class Channel:
    """A channel with the programme that is on now."""

    number: str
    name: str
    title: str
    description: str
    category: str


CHANNELS: Final = (
    Channel(
        number="1",
        name="CBC",
        title="CBC News",
        description="Headlines of the day from across Canada.",
        category="News",
    ),
    Channel(
        number="2",
        name="CTV",
        title="Big Bang Theory",
        description="Sitcom: the physicists try to share one umbrella.",
        category="Comedy",
    ),
    Channel(
        number="3",
        name="PBS Kids",
        title="Sesame Street",
        description="The monsters learn to count with songs, for pre-school children.",
        category="Children",
    ),
    Channel(
        number="4",
        name="BBC",
        title="BBC News",
        description="World news with reports from correspondents.",
        category="News",
    ),
    Channel(
        number="5",
        name="Food Network",
        title="Jamie Oliver",
        description="Three quick dinners from one tray.",
        category="Cooking",
    ),
    Channel(
        number="6",
        name="TSN 1",
        title="NHL: Montreal vs Philadelphia",
        description="Live hockey: the Canadiens visit the Flyers.",
        category="Sports",
    ),
    Channel(
        number="7",
        name="TSN 2",
        title="NBA: Toronto vs Atlanta",
        description="Live basketball: the Raptors host the Hawks.",
        category="Sports",
    ),
    Channel(
        number="8",
        name="Sportsnet",
        title="NHL: Detroit vs Colorado",
        description="Live hockey: the Red Wings meet the Avalanche.",
        category="Sports",
    ),
    Channel(
        number="9",
        name="National Geographic",
        title="Life on the Reef",
        description="Documentary about the animals of a coral reef.",
        category="Documentary",
    ),
    Channel(
        number="10",
        name="Yes TV",
        title="Jeopardy!",
        description="Quiz show: three contestants and clues from many subjects.",
        category="Quiz",
    ),
)


def broadcasts() -> list[Broadcast]:
    """Return the programmes that are on now, and one evening programme for each channel."""
    begin = NOW.astimezone(UTC) - timedelta(minutes=15)
    return [
        Broadcast(
            channel=f"{each.number}.example",
            start=begin + timedelta(hours=2 * later),
            minutes=120,
            title=("Evening magazine" if later else each.title),
            description=("Reports and talk." if later else each.description),
            category=("Magazine" if later else each.category),
        )
        for each in CHANNELS
        for later in (0, 1)
    ]


def guide() -> str:
    """Return the TV guide as XMLTV."""
    channels = [
        channel_text(f"{each.number}.example", each.name, number=each.number) for each in CHANNELS
    ]
    return guide_text(channels, broadcasts())


MONTREAL: Final = "Montreal"
"""The place of the home."""

QUEBEC_CITY: Final = "Quebec City"

PLACES: Final[Mapping[str, Sequence[Json]]] = {
    name.casefold(): [
        place(
            name,
            latitude,
            id=number,
            country="Canada",
            country_code="CA",
            admin1="Quebec",
            timezone="America/Toronto",
            population=population,
        )
    ]
    for number, (name, latitude, population) in enumerate(
        (
            (QUEBEC_CITY, 46.81, 531_902),
            ("Québec", 46.81, 531_902),
            (MONTREAL, 45.51, 1_762_949),
        ),
        start=1,
    )
} | {
    "quebec": [
        place(
            QUEBEC_CITY,
            46.81,
            id=1,
            country="Canada",
            country_code="CA",
            admin1="Quebec",
            timezone="America/Toronto",
            population=531_902,
        )
    ]
}


def climates(rains: Collection[str]) -> Mapping[int, Climate]:
    """Return the weather by degree of latitude; `rains`: the places with rain at all hours."""
    always = range(24 * 8)
    return {
        round(latitude): Climate(
            temperature=temperature,
            rain=always if name in rains else (),
            timezone="America/Toronto",
        )
        for name, latitude, temperature in ((MONTREAL, 45.51, 7.0), (QUEBEC_CITY, 46.81, 2.0))
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class Letter:
    """A message in an inbox."""

    sender: str
    subject: str
    text: str
    hours_ago: float


INBOXES: Final[Mapping[str, Sequence[Letter]]] = {
    ROHAN: (
        Letter(
            sender="Shop <shop@example.com>",
            subject="Your order",
            text="Your order of two bicycle tubes was delivered.",
            hours_ago=50,
        ),
        Letter(
            sender="Elena <elena@example.com>",
            subject="Tennis",
            text="Same court as last week? I bring the balls.",
            hours_ago=30,
        ),
        Letter(
            sender="City works <works@example.com>",
            subject="Water shut-off",
            text="On Thursday from 9 to 11 the water will be shut off in your street.",
            hours_ago=5,
        ),
        Letter(
            sender="Dr. Moreau's practice <practice@example.com>",
            subject="Your appointment",
            text="Your dentist appointment is moved to December 3 at 14:30.",
            hours_ago=2,
        ),
    ),
    NADIA: (
        Letter(
            sender="Library <library@example.com>",
            subject="Reminder",
            text="One book is due on Friday.",
            hours_ago=70,
        ),
        Letter(
            sender="Hiking club <club@example.com>",
            subject="Sunday",
            text="The hike on Sunday starts at 8 at the chalet on Mount Royal. Bring crampons.",
            hours_ago=3,
        ),
    ),
    VIKTOR: (
        Letter(
            sender="Pool <pool@example.com>",
            subject="Closed",
            text="The pool stays closed on Friday.",
            hours_ago=20,
        ),
    ),
}

CONTACTS: Final[Mapping[str, Mapping[str, str]]] = {
    ROHAN: {"Mom": "mom.rohan@example.com", "Elena": "elena@example.com"},
    NADIA: {
        "Mom": "mom.nadia@example.com",
        "Dad": "dad.nadia@example.com",
        "Adam": "adam@example.com",
        "Laila": "laila@example.com",
    },
    VIKTOR: {"Oleg": "oleg@example.com"},
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Appointment:
    """An event of an hour in a calendar."""

    title: str
    day: date
    at: time
    minutes: int = 60

    @property
    def start(self) -> datetime:
        """Return the beginning, in the time of the home."""
        return datetime.combine(self.day, self.at, ZONE)

    @property
    def end(self) -> datetime:
        """Return the end."""
        return self.start + timedelta(minutes=self.minutes)


CALENDARS: Final[Mapping[str, Sequence[Appointment]]] = {
    ROHAN: (Appointment(title="Tennis with Elena", day=TODAY + timedelta(days=2), at=time(19)),),
    NADIA: (
        Appointment(title="Watch Casablanca with Mom", day=SATURDAY, at=time(20), minutes=120),
        Appointment(title="Boxing practice", day=NEXT_MONDAY, at=time(18)),
    ),
    VIKTOR: (
        Appointment(title="Swimming", day=NEXT_MONDAY + timedelta(days=2), at=time(7)),
        Appointment(title="Cook dinner for Oleg", day=NEXT_MONDAY + timedelta(days=4), at=time(18)),
        Appointment(title="Pick up new glasses", day=SATURDAY, at=time(11)),
    ),
}
