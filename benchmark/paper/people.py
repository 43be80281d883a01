"""The three people of the home, and what each of them said in the weeks before.

The facts that cases depend on are a few among about a hundred utterances. The others come from
the tables below, in an order that depends on the person only.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from custom_components.sage.memory.memories import Memory

ROHAN: Final = "rohan"
NADIA: Final = "nadia"
VIKTOR: Final = "viktor"

_UTTERANCES: Final = 100
_DAYS: Final = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Resident:
    """A person of the home."""

    key: str
    facts: tuple[str, ...]
    """Utterances that cases depend on, or that are true of this person only."""

    foods: tuple[str, ...]
    errands: tuple[str, ...]

    @property
    def name(self) -> str:
        """The name in Home Assistant."""
        return self.key.title()

    @property
    def address(self) -> str:
        """The mail address."""
        return f"{self.key}@example.com"


PEOPLE: Final[tuple[Resident, ...]] = (
    Resident(
        key=ROHAN,
        facts=(
            "I feel snug when the light is dim and warm, most of all in the bedroom.",
            "My mother has lived in Quebec City for years, I visit her now and then.",
            "When I ask what I missed, summarise my two latest emails for me.",
            "If a TV is on and I just say light, I mean the one in the same place as that TV.",
            "My favourite hockey team is the Montreal Canadiens.",
            "The Raptors are the only basketball team I follow.",
            "I cycle along the canal on most Sundays.",
            "I could watch old episodes of Seinfeld for ever.",
            "Please never suggest a horror film to me.",
            "I play tennis with Elena on Thursday evenings.",
        ),
        foods=("lentil soup", "a dosa", "pad thai", "a bagel", "rice and beans", "an omelette"),
        errands=("pick up the racket", "pay the phone bill", "return the bike pump", "buy stamps"),
    ),
    Resident(
        key=NADIA,
        facts=(
            "I cannot fall asleep when it is completely dark.",
            "Red light in the bedroom helps me sleep.",
            "I like to watch documentaries, the more I learn the better.",
            "For me the game is always basketball, I am a fan of the Celtics.",
            "Hockey does nothing for me, I never watch it.",
            "I played football for Barcelona's junior team for one summer.",
            "I have boxing practice on Mondays.",
            "Modern Family makes me laugh every time.",
            "Violent films keep me awake.",
            "My sister Laila studies in Lyon.",
        ),
        foods=("fattoush", "a croissant", "grilled fish", "noodle salad", "pancakes", "hummus"),
        errands=(
            "call Laila",
            "wash the boxing wraps",
            "book a haircut",
            "return the library book",
        ),
    ),
    Resident(
        key=VIKTOR,
        facts=(
            "On cloudy days I like my lights blue.",
            "When the sun is out I want my lights yellow.",
            "I enjoy living in Montreal.",
            "After a long day I like to watch something light, a comedy or a quiz.",
            "The Twilight Zone is my favourite series.",
            "I swim forty lengths every Wednesday.",
            "Science fiction is the best kind of book.",
            "I do not watch horror.",
            "I grew up playing basketball behind our school.",
            "I collect classic films on disc.",
            "To read I need bright, cool white light, warm light makes me sleepy.",
        ),
        foods=("borscht", "a sandwich", "dumplings", "mushroom pasta", "pizza", "tomato salad"),
        errands=("buy chlorine drops", "renew the pass", "fix the bike chain", "post the parcel"),
    ),
)
"""The people, the owner of the home first."""

BY_KEY: Final = {each.key: each for each in PEOPLE}

_SAID: Final = (
    "Add {item} to the shopping list.",
    "How long does it take to cook {item}?",
    "I had {food} for lunch.",
    "Let us have {food} on {day}.",
    "Remind me to {errand} on {day}.",
    "I have to {errand} before {day}.",
    "Set a timer for {minutes} minutes.",
    "What time is it in {city}?",
    "How far is it to {city}?",
    "Is it warmer in {city} than here?",
    "I will be home late on {day}.",
    "The {room} smells of {food}.",
    "Turn the plug in the kitchen off in {minutes} minutes.",
    "How do you spell {word}?",
    "What does {word} mean?",
    "I slept badly on {day}.",
    "The neighbours were loud on {day}.",
    "There is no more {item} in the fridge.",
    "Someone left {item} on the counter in the {room}.",
    "I read about {city} in the paper.",
)
_ITEMS: Final = ("oat milk", "onions", "soap", "coffee", "apples", "foil", "yeast", "pepper")
_CITIES: Final = ("Lisbon", "Osaka", "Nairobi", "Oslo", "Lima", "Perth", "Tallinn", "Boston")
_DAYS_OF_WEEK: Final = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday")
_ROOMS: Final = ("kitchen", "hallway", "office", "cellar")
_WORDS: Final = ("rhubarb", "archipelago", "ceiling", "quotient", "almanac", "zeugma", "vestibule")


def utterances(person: Resident) -> Sequence[str]:
    """Return everything that a person said, each once; the same at every call."""
    chance = random.Random(person.key)
    found = dict.fromkeys(person.facts)
    while len(found) < _UTTERANCES:
        said = chance.choice(_SAID).format(
            item=chance.choice(_ITEMS),
            food=chance.choice(person.foods),
            day=chance.choice(_DAYS_OF_WEEK),
            errand=chance.choice(person.errands),
            minutes=chance.randrange(5, 60, 5),
            city=chance.choice(_CITIES),
            room=chance.choice(_ROOMS),
            word=chance.choice(_WORDS),
        )
        found[said] = None
    mixed = list(found)
    chance.shuffle(mixed)
    return mixed


def memories(person: Resident, now: datetime) -> list[Memory]:
    """Return the memories of a person, spread over the weeks before `now`."""
    said = utterances(person)
    step = timedelta(days=_DAYS) / len(said)
    begin = now - timedelta(days=_DAYS + 1)
    return [Memory(text=text, at=begin + step * number) for number, text in enumerate(said)]
