"""Summaries follow the days, and nothing that was forgotten stays in them."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from custom_components.sage.memory.memories import Day, Memory, Origin, Profile
from custom_components.sage.memory.person_memory import PersonMemory

from .conftest import NOON, bytes_of, said

TORONTO = ZoneInfo("America/Toronto")
MINUTES_A_DAY = 24 * 60


def summarize(memory: PersonMemory, *days: Day) -> None:
    for day in days:
        assert memory.summaries.set_day(day, "; ".join(said_in(day)))


def said_in(day: Day) -> list[str]:
    return [line.partition(": ")[2] for line in day.text.splitlines()[1:]]


def profile(memory: PersonMemory) -> Profile:
    summaries = memory.summaries.days()
    made = Profile(
        text=" / ".join(summaries.values()), made_at=NOON, model="m", dates=tuple(summaries)
    )
    assert memory.summaries.set_profile(made, memory.summaries.notes())
    return made


def test_a_day_is_what_the_clocks_of_the_home_say(anna: PersonMemory):
    anna.add(Memory(text="late", at=datetime(2026, 5, 4, 3, 59, tzinfo=UTC)))
    anna.add(Memory(text="early", at=datetime(2026, 5, 4, 4, 0, tzinfo=UTC)))

    third, fourth = anna.summaries.changed_days(TORONTO)

    assert third.date == date(2026, 5, 3)
    assert said_in(third) == ["late"]
    assert third.ends == fourth.starts == datetime(2026, 5, 4, 4, tzinfo=UTC)
    assert fourth.date == date(2026, 5, 4)
    assert [day.date for day in anna.summaries.changed_days(UTC)] == [date(2026, 5, 4)]


@pytest.mark.parametrize(
    ("zone", "day", "hours"),
    [
        ("America/Toronto", date(2026, 3, 8), 23),
        ("America/Toronto", date(2026, 11, 1), 25),
        ("America/Asuncion", date(2023, 10, 1), 23),
        ("America/Sao_Paulo", date(2018, 2, 17), 25),
    ],
)
def test_days_on_which_the_clocks_change(anna: PersonMemory, zone: str, day: date, hours: int):
    middle = datetime(day.year, day.month, day.day, 12, tzinfo=ZoneInfo(zone))
    for hour in range(-15, 16):
        anna.add(Memory(text=f"hour {hour}", at=middle.astimezone(UTC) + timedelta(hours=hour)))

    days = anna.summaries.changed_days(ZoneInfo(zone))

    (changing,) = [each for each in days if each.date == day]
    assert changing.ends - changing.starts == timedelta(hours=hours)
    assert len(said_in(changing)) == hours
    assert sum(len(said_in(each)) for each in days) == 31
    summarize(anna, *days)
    assert anna.summaries.changed_days(ZoneInfo(zone)) == ()


def test_a_line_is_what_was_said_on_that_day(anna: PersonMemory):
    anna.add(said("I like tea", place="Hall", tainted=True))
    anna.add(said("Ben came", minutes=1))
    anna.add(said("I like tea", minutes=2, place="Kitchen", origin=Origin.TOLD))
    anna.add(said("I like tea", minutes=MINUTES_A_DAY, question="What do you like?"))

    (first, second) = anna.summaries.changed_days(UTC)

    tea, ben = first.text.splitlines()[1:]
    assert tea.endswith("in Hall (to be remembered) (2 times): I like tea")
    assert ben.endswith(": Ben came")
    assert 'asked "What do you like?": I like tea' in second.text
    assert "tea" not in repr(first)


def test_only_days_that_changed_are_summarized_again(anna: PersonMemory):
    anna.add(said("I like tea"))
    wrong = anna.add(said("Ben came", minutes=MINUTES_A_DAY))
    summarize(anna, *anna.summaries.changed_days(UTC))
    assert anna.summaries.changed_days(UTC) == ()

    anna.add(said("i like tea!", minutes=5))
    assert [day.date for day in anna.summaries.changed_days(UTC)] == [NOON.date()]

    anna.correct(wrong.id, "Lea came")
    assert len(anna.summaries.changed_days(UTC)) == 2


def test_forgetting_takes_summary_and_profile_along(anna: PersonMemory, path: Path):
    anna.add(said("I like tea"))
    secret = anna.add(said("The #surprise", minutes=MINUTES_A_DAY))
    summarize(anna, *anna.summaries.changed_days(UTC))
    before, notes = anna.summaries.days(), anna.summaries.notes()
    made = profile(anna)
    assert anna.summaries.profile() == made
    assert b"#surprise" in bytes_of(path)

    anna.forget([secret.id])

    assert anna.summaries.days() == {NOON.date(): before[NOON.date()]}
    assert anna.summaries.profile() is None
    assert b"#surprise" not in bytes_of(path)
    assert not anna.summaries.set_profile(made, notes)
    assert anna.summaries.set_profile(made, anna.summaries.notes())


@pytest.mark.parametrize("way", ["correct", "forget", "forget_period", "expire"])
def test_whatever_deletes_words_takes_the_summary_along(anna: PersonMemory, way: str):
    memory = anna.add(said("The surprise"))
    anna.add(said("I like tea", minutes=MINUTES_A_DAY))
    summarize(anna, *anna.summaries.changed_days(UTC))
    profile(anna)

    match way:
        case "correct":
            anna.correct(memory.id, "Nothing")
        case "forget":
            anna.forget([memory.id])
        case "forget_period":
            anna.forget_period(NOON, NOON + timedelta(hours=1))
        case "expire":
            anna.expire(NOON + timedelta(hours=1))

    assert list(anna.summaries.days().values()) == ["I like tea"]
    assert anna.summaries.profile() is None


def test_a_profile_of_summaries_that_changed_meanwhile_is_not_stored(anna: PersonMemory):
    anna.add(said("I like tea"))
    summarize(anna, *anna.summaries.changed_days(UTC))
    made, notes = profile(anna), anna.summaries.notes()
    anna.add(said("I like hockey", minutes=1))
    summarize(anna, *anna.summaries.changed_days(UTC))

    assert not anna.summaries.set_profile(replace(made, text="old"), notes)

    assert anna.summaries.profile() == made
    assert "tea" not in repr(made)
