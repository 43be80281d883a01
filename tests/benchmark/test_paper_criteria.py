"""The paper's criteria, on devices of the simulated cloud: what they accept, what passes none."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from email.message import EmailMessage
from typing import Any

import pytest

from benchmark.paper.case import (
    Category,
    Criterion,
    Observation,
    PaperCase,
    Place,
    SentMail,
    State,
    StoredEvent,
)
from benchmark.paper.cases import BY_ID, CASES
from benchmark.paper.criteria import numbers
from benchmark.paper.forms import (
    BED,
    CREDENZA,
    DINING,
    DISHWASHER,
    FIREPLACE,
    FRAME,
    NEAR_TV,
    channel,
    hue,
    level,
    place,
    power,
    saturation,
    volume,
    warmth,
)
from benchmark.paper.home import state_of
from benchmark.paper.people import NADIA, ROHAN, VIKTOR
from benchmark.paper.servers import start_home
from benchmark.paper.trial import calm, unwanted_changes
from benchmark.paper.world import CALENDARS, CONTACTS, NOW

type Values = Mapping[Place, Any]

MUTE = place(CREDENZA, "audioMute", "mute")
MACHINE = place(DISHWASHER, "dishwasherOperatingState", "machineState")
COURSE = place(DISHWASHER, "samsungce.dishwasherWashingCourse", "washingCourse")
TOMORROW_AT_4 = (NOW + timedelta(days=1)).replace(hour=16)


def known_events() -> list[StoredEvent]:
    return [
        StoredEvent(person=person, title=each.title, start=each.start)
        for person, appointments in CALENDARS.items()
        for each in appointments
    ]


@dataclass
class Acted:
    """The world of a case after a method acted and answered."""

    case: PaperCase
    answer: str = ""
    mails: Sequence[SentMail] = ()
    drafts: Sequence[SentMail] = ()
    events: Sequence[StoredEvent] | None = None  # None: the calendars are as before
    routines: Sequence[str] = ()

    def __post_init__(self) -> None:
        self.home = start_home(self.case, lambda: NOW)
        self.before = state_of(self.home)

    def change(self, values: Values) -> None:
        """Change attributes, with everything that follows from that."""
        for at, value in values.items():
            self.home.device(at.device).change(at.component, at.capability, at.attribute, value)

    def problems(self) -> list[str]:
        criteria = (*self.case.criteria, calm(self.case))
        return self.judged(self.before, criteria, self.case.allowed)

    def problems_of_events(self) -> list[str]:
        """Return what is wrong if nothing follows from the events."""
        found = []
        for event in self.case.events:
            self.change(event.sets)
            found += self.judged(state_of(self.home), event.criteria, event.allowed)
        return found

    def judged(
        self, before: State, criteria: Sequence[Criterion], allowed: frozenset[Place]
    ) -> list[str]:
        seen = Observation(
            state=state_of(self.home),
            before=before,
            answer=self.answer,
            sent=self.mails,
            drafts=self.drafts,
            events=known_events() if self.events is None else self.events,
            routines=self.routines,
        )
        found = [problem for each in criteria for problem in each.problems(seen)]
        return found + unwanted_changes(seen, criteria, allowed)


def passes_without_a_deed(case: PaperCase, answer: str) -> bool:
    acted = Acted(case, answer)
    return not acted.problems() and not acted.problems_of_events()


def after(case: str, values: Values) -> list[str]:
    acted = Acted(BY_ID[case])
    acted.change(values)
    return acted.problems()


def lamp(device: str, **values: float) -> Values:
    """Return a lamp that is on, with a hue in degrees and the others as the cloud has them."""
    places = {"level": level, "hue": hue, "saturation": saturation, "warmth": warmth}
    found: dict[Place, Any] = {power(device): "on"}
    for name, value in values.items():
        found[places[name](device)] = round(value / 3.6, 2) if name == "hue" else value
    return found


def mail(person: str, to: str, text: str) -> SentMail:
    message = EmailMessage()
    message["Subject"] = "Hello"
    message.set_content(text)
    return SentMail(person=person, recipients=(to,), message=message)


# The cases.


@pytest.mark.parametrize(
    "case", [each for each in CASES if Category.PERSISTENCE in each.categories], ids=lambda x: x.id
)
def test_a_persistent_case_checks_before_and_after_and_a_restart(case: PaperCase) -> None:
    """Nothing may happen before the event, nor again while it lasts; a restart changes nothing."""
    acting = [number for number, each in enumerate(case.events) if calls_for_action(case, number)]
    assert acting
    assert any(each.restarts for each in case.events)
    assert acting[-1] < len(case.events) - 1 or len(acting) > 1
    kept = case.events[acting[0] + 1]
    assert kept.minutes >= 5
    assert Acted(case).problems() == []


def calls_for_action(case: PaperCase, number: int) -> bool:
    """Return whether the criteria of an event fail if nothing follows from it."""
    acted = Acted(case)
    for event in case.events[:number]:
        acted.change(event.sets)
    (event,) = case.events[number : number + 1]
    acted.change(event.sets)
    return bool(acted.judged(state_of(acted.home), event.criteria, event.allowed))


# What must not pass.


@pytest.mark.parametrize("case", CASES, ids=lambda each: each.id)
def test_silence_and_repetition_are_no_success(case: PaperCase) -> None:
    devices = start_home(case, lambda: NOW).devices.values()
    parrot = " ".join([case.command, *(each.label for each in devices)])
    for answer in ("", parrot):
        assert passes_without_a_deed(case, answer) is case.is_passed_by_idle


@pytest.mark.parametrize(
    "answer",
    [
        "Done.",
        "OK, I have taken care of it.",
        "Nothing was changed.",
        "No change was made.",
        "I do not know.",
        "I am not sure whether it is on or off, open or closed.",
        "Yes and no.",
        "No, it is off; or yes, it is on.",
        "Maybe it rains, or it does not rain.",
        f"One of these: {', '.join(map(str, range(-30, 61)))}.",
        "prewash, wash, rinse, spin, dry or finish",
        "Monday, Tuesday, Wednesday, Thursday, Friday, Saturday or Sunday",
        "Swimming, dinner for Oleg, new glasses, boxing, tennis, Casablanca",
        ", ".join(address for book in CONTACTS.values() for address in book.values()),
    ],
)
def test_no_sentence_stands_for_a_deed_or_a_look(answer: str) -> None:
    assert [each.id for each in CASES if passes_without_a_deed(each, answer)] == []


@pytest.mark.parametrize(
    ("case", "first", "second"),
    [
        ("is-main-tv-on", "The TV there is currently turned off.", "Yes, it is on now."),
        ("is-main-tv-on", "No, it\u2019s off.", "It is now switched on."),
        ("is-main-tv-on", "Samsung 8 Series: off.", "Samsung 8 Series: **on**"),
        ("is-main-tv-on", "TV: `off` (standby)", "TV: on \u2013 playing."),
        ("all-lights-on-question", "Yes, they are all on now.", "**No**: one lamp is off."),
        ("fridge-open-question", "The door is still open.", "No \u2013 it is closed."),
    ],
)
def test_a_question_is_asked_again_after_a_change(case: str, first: str, second: str) -> None:
    for answers in ((first, second), (first, first), (second, second), ("Maybe.", "Maybe.")):
        acted = Acted(BY_ID[case], answers[0])
        found = acted.problems()
        acted.answer = answers[1]
        found += acted.problems_of_events()
        assert (found == []) is (answers == (first, second))


def test_only_one_answer_can_be_guessed() -> None:
    guessed = {
        answer: {each.id for each in CASES if passes_without_a_deed(each, answer)}
        for answer in ("Yes.", "No.")
    }
    assert guessed == {"Yes.": {"umbrella"}, "No.": set()}


def test_numbers_are_read_with_their_sign() -> None:
    assert numbers("-17 °C, −17.0 or minus 17 degrees") == [-17, -17, -17]
    assert numbers("17 °C below zero, 17 degrees below freezing") == [-17, -17]
    assert numbers("10-12, 3,5 and TSN2 at 42.") == [10, 12, 3.5, 42]


@pytest.mark.parametrize(
    ("case", "right", "wrong"),
    [
        ("current-channel", "Channel 42 is on.", "Channel 421 is on."),
        ("current-channel", "The TV shows channel 42.0", "Channel 4, 2nd from the left"),
        ("dishwasher-phase", "It is pre-washing now.", "It is washing."),
        ("freezer-temperature", "The freezer is at −17.0 °C.", "The freezer is at 17 °C."),
        ("freezer-temperature", "17 degrees below zero", "-18 °C, it shall be at -17.5"),
        ("fridge-temperature", "11.0 °C; it is set to 4 °C.", "-11 °C"),
        ("cold-at-mothers", "It is 2°C in Quebec City.", "It is 7 °C."),
        ("mothers-address", f"<{CONTACTS[ROHAN]['Mom']}>", CONTACTS[NADIA]["Mom"]),
        ("umbrella", "Yes, it\u2019s raining there now.", "It will not rain, leave it at home."),
        ("umbrella", "I recommend one: it will rain.", "No, there is no need for one."),
        ("umbrella", "Please bring an umbrella.", "Do not bring an umbrella."),
        ("next-time-mother", "On Saturday at 20:00.", "On Sunday or on Saturday."),
        ("next-week", "You swim on Wednesday, and cook for Oleg.", "You pick up new glasses."),
        ("weekend-plans", "You pick up your glasses.", "The glasses, and you swim on Wednesday."),
    ],
)
def test_answers_are_graded_by_their_values(case: str, right: str, wrong: str) -> None:
    assert Acted(BY_ID[case], right).problems() == []
    assert Acted(BY_ID[case], wrong).problems() != []


@pytest.mark.parametrize(
    ("case", "values"),
    [
        ("lower-volume", {volume(CREDENZA): 45}),
        ("lower-volume", {MUTE: "muted"}),
        ("getting-a-call", {MUTE: "muted"}),
        ("cozy-bedroom", lamp(BED, level=30)),
        ("cozy-bedroom", lamp(BED, warmth=2700)),
        ("cozy-bedroom", lamp(BED, hue=30, saturation=70)),
        ("light-for-sleeping", lamp(BED, hue=0, saturation=100)),
        ("light-for-sleeping", lamp(BED, hue=355, saturation=90, level=5)),
        ("too-bright", {level(DINING): 60}),
        ("too-bright", {power(DINING): "off"}),
        ("christmas-mood", lamp(FIREPLACE, hue=120)),
        ("christmas-mood", lamp(FIREPLACE, hue=358)),
        ("fireplace-to-a-third", {level(FIREPLACE): 29}),
        ("tv-informative", {power(FRAME): "on", channel(FRAME): "1"}),
        ("light-like-weather", lamp(DINING, hue=60)),
        ("reading-in-bed", lamp(BED, warmth=5000, level=90)),
        ("reading-in-bed", lamp(BED, saturation=0, level=100)),
        (
            "team-colours",
            {
                **lamp(NEAR_TV, hue=240, saturation=100),
                **lamp(DINING, warmth=6000),
                **lamp(FIREPLACE, hue=356),
            },
        ),
    ],
)
def test_equivalent_solutions_pass(case: str, values: Values) -> None:
    assert after(case, values) == []


@pytest.mark.parametrize(
    ("case", "values"),
    [
        ("lower-volume", {volume(FRAME): 3}),
        ("lower-volume", {volume(CREDENZA): 45, volume(FRAME): 3}),
        ("getting-a-call", {power(CREDENZA): "off"}),
        ("cozy-bedroom", lamp(BED)),
        ("cozy-bedroom", {**lamp(BED, level=30), **lamp(NEAR_TV, level=30)}),
        ("light-for-sleeping", lamp(BED)),
        ("light-for-sleeping", lamp(BED, hue=240, saturation=100)),
        ("christmas-mood", lamp(FIREPLACE)),
        ("lights-for-dinner", {**lamp(DINING), power(BED): "on"}),
        ("fireplace-to-a-third", {level(FIREPLACE): 45}),
        ("greasy-dishes", {COURSE: "heavy", MACHINE: "run"}),
        ("start-dishwasher", {COURSE: "heavy", MACHINE: "run"}),
        ("turn-on-tv", {power(FRAME): "off", power(CREDENZA): "on"}),
        ("switch-to-other-tv", {power(FRAME): "on", channel(FRAME): "7"}),
        ("reading-in-bed", lamp(BED, level=90)),
        ("reading-in-bed", lamp(BED, warmth=2700, level=90)),
        ("team-colours", {**lamp(NEAR_TV), **lamp(DINING), **lamp(FIREPLACE)}),
        ("light-like-weather", lamp(DINING, hue=240)),
    ],
)
def test_near_misses_fail(case: str, values: Values) -> None:
    assert after(case, values) != []


def test_a_routine_is_left_behind_only_where_something_is_to_be_watched() -> None:
    left = ["switch.routine_1"]
    lit = Acted(BY_ID["bedside-light"], routines=left)
    lit.change(lamp(BED))
    assert lit.problems() == ["watches: switch.routine_1"]
    assert Acted(BY_ID["light-when-tv-off"], routines=left).problems() == []


# Mail and calendars.


def test_mail_goes_to_one_person_in_the_right_way() -> None:
    case, adam = BY_ID["time-for-adam"], CONTACTS[NADIA]["Adam"]
    right = mail(NADIA, adam, "I pick you up at 7:15.")
    assert Acted(case, mails=[right]).problems() == []
    wrong = [
        Acted(case, mails=[right, right]),
        Acted(case, drafts=[right]),
        Acted(case, mails=[mail(NADIA, adam, "I pick you up at 17:15.")]),
        Acted(case, mails=[mail(NADIA, CONTACTS[NADIA]["Dad"], "I pick you up at 7:15.")]),
        Acted(case, mails=[mail(VIKTOR, adam, "I pick you up at 7:15.")]),
        Acted(BY_ID["weekend-plans"], "Pick up your glasses.", mails=[right]),
    ]
    assert all(each.problems() for each in wrong)


def test_an_event_is_in_the_right_calendar_at_the_right_time_and_nothing_else_changed() -> None:
    case, old = BY_ID["create-event"], known_events()
    right = StoredEvent(person=NADIA, title="Meeting with Viktor", start=TOMORROW_AT_4)
    assert Acted(case, events=[*old, right]).problems() == []
    for wrong in (
        [*old, right, right],
        [*old[1:], right],
        [*old, StoredEvent(person=VIKTOR, title="Meeting with Viktor", start=TOMORROW_AT_4)],
        [*old, StoredEvent(person=NADIA, title="Meeting", start=TOMORROW_AT_4)],
        [
            *old,
            StoredEvent(
                person=NADIA,
                title="Meeting with Viktor",
                start=TOMORROW_AT_4 + timedelta(minutes=30),
            ),
        ],
    ):
        assert Acted(case, events=wrong).problems() != []
    moved = Acted(BY_ID["bedside-light"], events=[*old[1:], right])
    moved.change(lamp(BED))
    assert moved.problems() != []
