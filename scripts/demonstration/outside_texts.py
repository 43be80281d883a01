"""The mail, appointments, contacts and TV programmes of the demo."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from email import utils
from email.message import EmailMessage
from typing import Final

from benchmark.ical_text import calendar_text, event_text
from benchmark.mail_servers import letter
from benchmark.xmltv_text import Broadcast, channel_text, guide_text

OWNER: Final = "owner"
ALEX: Final = "alex"
PEOPLE: Final = (OWNER, ALEX)
"""User names of the people; the second part of their address is `example.com`."""


def address(person: str) -> str:
    """Return the mail address of a person."""
    return f"{person}@example.com"


@dataclass(frozen=True, slots=True, kw_only=True)
class Letter:
    """A message in an inbox."""

    sender: str
    subject: str
    text: str
    hours_ago: int
    is_read: bool = False


INBOXES: Final[Mapping[str, tuple[Letter, ...]]] = {
    OWNER: (
        Letter(
            sender="City Library <desk@library.example>",
            subject="Two books are due",
            text="Dear reader,\n\nplease return two books within a week.\n\nYour library",
            hours_ago=50,
            is_read=True,
        ),
        Letter(
            sender="Tom Fox <tom@example.com>",
            subject="Lunch on Thursday",
            text="Hi,\n\nshall we have lunch on Thursday at one, at the usual place?\n\nTom",
            hours_ago=20,
        ),
        Letter(
            sender="Ida Berg <ida@example.com>",
            subject="The roof",
            text=(
                "Hello,\n\nthe roof leaks again since Monday, this time over the stairs. Can you "
                "come by on Saturday and have a look?\n\nIda"
            ),
            hours_ago=2,
        ),
    ),
    ALEX: (
        Letter(
            sender="Nora Lind <nora@example.com>",
            subject="Tickets for the concert",
            text="Hey Alex,\n\nI got two tickets for Friday. Doors open at seven.\n\nNora",
            hours_ago=5,
        ),
    ),
}
"""The messages of each person, the oldest first."""

CONTACTS: Final[Mapping[str, Mapping[str, tuple[str, ...]]]] = {
    OWNER: {
        "Erika Winter": (
            "NICKNAME:Mom",
            "EMAIL:erika@example.com",
            "TEL:+49 30 5550101",
            "BDAY:1958-04-12",
        ),
        "Tom Fox": ("EMAIL:tom@example.com", "TEL:+49 30 5550102"),
        "Ida Berg": ("EMAIL:ida@example.com",),
    },
    ALEX: {"Nora Lind": ("EMAIL:nora@example.com", "TEL:+49 30 5550103")},
}
"""Person -> name -> further lines of the vCard."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Appointment:
    """An event, `days` after the day on which the demo was started."""

    title: str
    days: int
    clock: time | None = None
    """When it begins; None: the whole day."""

    hours: int = 1
    is_weekly: bool = False


APPOINTMENTS: Final[Mapping[str, tuple[Appointment, ...]]] = {
    OWNER: (
        Appointment(title="Dentist", days=1, clock=time(10)),
        Appointment(title="Choir", days=2, clock=time(19, 30), hours=2, is_weekly=True),
        Appointment(title="Dinner with Tom", days=5, clock=time(19), hours=2),
        Appointment(title="Trip to Lyon", days=9),
    ),
    ALEX: (Appointment(title="Football training", days=1, clock=time(18), is_weekly=True),),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Channel:
    """A channel that shows its programmes in turn."""

    number: str
    name: str
    shows: tuple[tuple[str, str, str], ...]
    """Title, category and description."""


CHANNELS: Final = (
    Channel(
        number="4",
        name="City News",
        shows=(("World at a Glance", "News", "Headlines and reports from all over the world."),),
    ),
    Channel(
        number="7",
        name="Giggle",
        shows=(
            ("Neighbours Upstairs", "Comedy", "Sitcom: a flat share tries to hide a goat."),
            ("Stand-up Night", "Comedy", "Three comedians talk about their first cars."),
        ),
    ),
    Channel(
        number="9",
        name="Stadium",
        shows=(
            ("Ice hockey: Polar Bears vs Comets", "Sports", "Live from the northern arena."),
            ("Football: Rovers vs United", "Sports", "Live: second leg of the cup."),
        ),
    ),
    Channel(
        number="12",
        name="Green Planet",
        shows=(
            ("Life on the Reef", "Documentary", "How fish and corals live together."),
            ("The Last Glaciers", "Documentary", "A journey to the ice of the Alps."),
        ),
    ),
    Channel(
        number="15",
        name="Quiz TV",
        shows=(("Jeopardy!", "Quiz", "Three contestants, many subjects."),),
    ),
)
_SHOW: Final = timedelta(hours=1)
_GUIDE_DAYS: Final = 7


def message(person: str, each: Letter, now: datetime) -> EmailMessage:
    """Return a message as it arrives."""
    return letter(
        each.sender,
        each.subject,
        each.text,
        to=address(person),
        date=utils.format_datetime(now.astimezone(UTC) - timedelta(hours=each.hours_ago)),
        message_id=f"<{person}-{each.hours_ago}@example.com>",
    )


def cards_of(person: str) -> str:
    """Return the vCards of a person, one after the other."""
    return "".join(
        "\r\n".join(
            (
                *("BEGIN:VCARD", "VERSION:3.0", f"UID:{person} {name}", f"FN:{name}"),
                *(*lines, "END:VCARD", ""),
            )
        )
        for name, lines in CONTACTS[person].items()
    )


def events(person: str, today: date, zone: tzinfo) -> Mapping[str, str]:
    """Return the iCalendar files of a person by file name."""
    return {
        f"event{number}": calendar_text([_event(each, today, zone)])
        for number, each in enumerate(APPOINTMENTS[person])
    }


def _event(each: Appointment, today: date, zone: tzinfo) -> str:
    day = today + timedelta(days=each.days)
    more = {"rrule": "FREQ=WEEKLY"} if each.is_weekly else {}
    if each.clock is None:
        return event_text(each.title, day, None, **more)
    start = datetime.combine(day, each.clock, zone)
    return event_text(each.title, start, start + timedelta(hours=each.hours), **more)


def guide(now: datetime) -> str:
    """Return a TV guide in the XMLTV format, from an hour ago on."""
    begin = now.replace(minute=0, second=0, microsecond=0) - _SHOW
    channels = (channel_text(each.name, each.name, number=each.number) for each in CHANNELS)
    return guide_text(channels, _broadcasts(begin))


def _broadcasts(begin: datetime) -> Iterator[Broadcast]:
    for channel in CHANNELS:
        for number in range(_GUIDE_DAYS * 24):
            title, category, description = channel.shows[number % len(channel.shows)]
            yield Broadcast(
                channel=channel.name,
                start=begin + number * _SHOW,
                minutes=60,
                title=title,
                category=category,
                description=description,
            )
