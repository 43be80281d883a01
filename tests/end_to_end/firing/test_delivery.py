"""The answer of a routine reaches its person: on the phone, at the satellite, in a notification."""

from datetime import UTC, datetime, time
from typing import Any

import pytest
from homeassistant.auth.models import User
from homeassistant.components import persistent_notification
from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er

from custom_components.sage.delivery import AnswerDeliverer
from custom_components.sage.delivery import deliverer as delivering
from custom_components.sage.routines.routine_types import Daily, Firing, FiringStep, Moment, Routine

from ..conftest import Sage
from .conftest import MakeBox, Owns
from .phone import Phone, PushServer
from .routine import firing_of, reminder_of, routine_of

ANSWER = "Throw out the milk!"
TITLE = "SAGE: “the fridge is opened”"


def deliverer(hass: HomeAssistant, owners: dict[str, str] | None = None) -> AnswerDeliverer:
    return AnswerDeliverer(hass, owners or {})


def answered(routine: Routine, **more: Any) -> Firing:
    return firing_of(routine, 5, **({"answer": ANSWER} | more))


def notes(hass: HomeAssistant) -> dict[str, tuple[str | None, str]]:
    found = persistent_notification._async_get_or_create_notifications(hass)
    return {key: (each["title"], each["message"]) for key, each in found.items()}


def registry_id(hass: HomeAssistant, entity_id: str) -> str:
    row = er.async_get(hass).async_get(entity_id)
    assert row is not None
    return row.id


NOTE = {"sage_routine_5": (TITLE, ANSWER)}
JOURNALED, STARTED, *_ = FiringStep


@pytest.mark.parametrize(
    ("language", "title"),
    [
        ("en", TITLE),
        ("de", "SAGE: „the fridge is opened“"),
        ("fr", "SAGE : « the fridge is opened »"),
    ],
)
async def test_what_was_waited_for_heads_it_in_the_words_of_the_person(
    hass: HomeAssistant, sage: Sage, user: User, language: str, title: str
):
    routine = reminder_of(user, "remind me", language=language)

    await deliverer(hass).async_deliver(routine, answered(routine))

    assert notes(hass) == {"sage_routine_5": (title, ANSWER)}


@pytest.mark.parametrize(
    "trigger", [Moment(at=datetime(2026, 11, 22, 10, 20, tzinfo=UTC)), Daily(at=time(10, 20))]
)
async def test_a_reminder_at_a_time_is_not_headed_with_the_time(
    hass: HomeAssistant, sage: Sage, user: User, trigger: Moment | Daily
):
    routine = reminder_of(user, "remind me", when="2026-11-22 10:20", trigger=trigger)

    await deliverer(hass).async_deliver(routine, answered(routine))

    assert notes(hass) == {"sage_routine_5": ("SAGE", ANSWER)}


async def test_whoever_has_nothing_else_finds_it_in_home_assistant(sage: Sage, user: User):
    routine = reminder_of(user, "remind me")

    await deliverer(sage.hass).async_deliver(routine, answered(routine))
    # A second time, as after a crash, it is seen once.
    await deliverer(sage.hass).async_deliver(routine, answered(routine))

    assert notes(sage.hass) == NOTE


@pytest.mark.parametrize(
    ("language", "hint"),
    [
        ("en", "A routine has a message for Anna. Only Anna can read it, "),
        ("de", "Eine Routine hat eine Nachricht für Anna. Nur Anna kann sie lesen, "),
        ("fr", "Une routine a un message pour Anna. Seul Anna peut le lire, "),
    ],
)
async def test_what_was_read_from_mail_is_shown_to_nobody_else(
    hass: HomeAssistant, sage: Sage, user: User, language: str, hint: str
):
    of_mail = reminder_of(user, ANSWER, language=language, tainted=True)
    reads_mail = reminder_of(user, "tell me about my mail", language=language)
    way = deliverer(hass)

    await way.async_deliver(of_mail, answered(of_mail))
    assert notes(hass)["sage_routine_5"][1].startswith(hint)
    persistent_notification.async_dismiss(hass, "sage_routine_5")
    await way.async_deliver(reads_mail, answered(reads_mail, tainted=True))

    ((title, text),) = notes(hass).values()
    assert title == "SAGE"
    assert text.startswith(hint)
    assert ANSWER not in str(notes(hass))


async def test_a_message_of_the_household_is_for_everybody(hass: HomeAssistant, sage: Sage):
    routine = reminder_of(None, "tell us the headlines")

    await deliverer(hass).async_deliver(routine, answered(routine, tainted=True))

    assert notes(hass) == NOTE


async def test_ones_own_phone_comes_first(
    hass: HomeAssistant, sage: Sage, user: User, other: User, owns_phone: Owns, make_box: MakeBox
):
    box = await make_box()
    phone, others = await owns_phone(user, "Pixel"), await owns_phone(other, "Galaxy")
    routine = reminder_of(user, "remind me", satellite_id=box.satellite.entity_id)

    await deliverer(hass).async_deliver(routine, answered(routine))

    (pushed,) = phone.pushed
    assert (pushed["title"], pushed["message"]) == (TITLE, ANSWER)
    assert others.pushed == []
    assert box.satellite.announced == []
    assert notes(hass) == {}


async def test_phones_of_one_name_get_what_is_theirs(
    hass: HomeAssistant, sage: Sage, user: User, other: User, owns_phone: Owns
):
    annas, bens = await owns_phone(user, "iPhone"), await owns_phone(other, "iPhone")

    for owner in (user, other):
        routine = reminder_of(owner, "remind me")
        firing = answered(routine, answer=f"For {owner.name}")
        await deliverer(hass).async_deliver(routine, firing)

    assert (annas.messages, bens.messages) == (["For Anna"], ["For Ben"])


async def test_what_a_phone_does_not_get_is_not_lost(
    hass: HomeAssistant, sage: Sage, user: User, phone: Phone, push: PushServer
):
    push.is_down = True
    routine = reminder_of(user, "remind me")

    await deliverer(hass).async_deliver(routine, answered(routine))

    assert notes(hass) == NOTE


@pytest.mark.parametrize("is_household", [True, False])
async def test_without_a_phone_the_satellite_speaks_where_it_was_asked_for(
    hass: HomeAssistant, sage: Sage, user: User, make_box: MakeBox, is_household: bool
):
    box = await make_box()
    owner = None if is_household else user
    routine = reminder_of(owner, "remind me", satellite_id=box.satellite.entity_id)

    await deliverer(hass).async_deliver(routine, answered(routine))

    assert box.satellite.announced == [ANSWER]
    assert notes(hass) == {}


async def test_a_renamed_satellite_is_found_by_its_device(
    hass: HomeAssistant, sage: Sage, user: User, make_box: MakeBox
):
    box = await make_box()
    row = er.async_get(hass).async_get(box.satellite.entity_id)
    assert row is not None
    routine = reminder_of(
        user, "remind me", satellite_id="assist_satellite.old", device_id=row.device_id
    )

    await deliverer(hass).async_deliver(routine, answered(routine))

    assert box.satellite.announced == [ANSWER]


async def test_a_satellite_that_is_broken_does_not_keep_the_answer(
    hass: HomeAssistant, sage: Sage, user: User, make_box: MakeBox
):
    box = await make_box()
    box.satellite.is_broken = True
    routine = reminder_of(user, "remind me", satellite_id=box.satellite.entity_id)

    await deliverer(hass).async_deliver(routine, answered(routine))

    assert notes(hass) == NOTE


async def test_what_anna_asked_for_is_not_told_at_a_satellite_that_is_now_bens(
    hass: HomeAssistant, sage: Sage, user: User, other: User, make_box: MakeBox
):
    box = await make_box()
    bens = {registry_id(hass, box.satellite.entity_id): other.id}
    routine = reminder_of(user, "remind me", satellite_id=box.satellite.entity_id)

    await deliverer(hass, bens).async_deliver(routine, answered(routine))

    assert box.satellite.announced == []
    assert notes(hass) == NOTE


@pytest.mark.parametrize(("state", "features"), [("listening", 3), ("idle", 0)])
async def test_a_satellite_that_cannot_speak_now_keeps_no_answer(
    sage: Sage,
    user: User,
    make_box: MakeBox,
    monkeypatch: pytest.MonkeyPatch,
    state: str,
    features: int,
):
    monkeypatch.setattr(delivering, "IDLE_SECONDS", 0.1)
    box = await make_box()
    box.satellite.be(state)
    box.satellite.can_do(features)
    routine = reminder_of(user, "remind me", satellite_id=box.satellite.entity_id)

    await deliverer(sage.hass).async_deliver(routine, answered(routine))

    assert box.satellite.announced == []
    assert notes(sage.hass) == NOTE


@pytest.mark.parametrize(
    ("step", "language", "words"),
    [
        (STARTED, "en", "SAGE restarted while a routine ran this action: turn on the light. "),
        (STARTED, "de", "während eine Routine diese Aktion ausführte: turn on the light. "),
        (STARTED, "fr", "pendant qu'une routine exécutait cette action : turn on the light. "),
        (STARTED, "tlh", "SAGE restarted while a routine ran this action: turn on the light. "),
        (JOURNALED, "en", "when this action of a routine was due: turn on the light. "),
        (JOURNALED, "de", "als diese Aktion einer Routine fällig war: turn on the light. "),
        (
            JOURNALED,
            "fr",
            "quand cette action d'une routine devait être exécutée : turn on the light. ",
        ),
    ],
)
async def test_what_a_restart_broke_off_or_came_too_late_for_is_told(
    hass: HomeAssistant, sage: Sage, user: User, step: FiringStep, language: str, words: str
):
    routine = routine_of(user, "turn on the light.", language=language)
    firing = firing_of(routine, step=step)

    assert words in await deliverer(hass).async_interrupted(routine, firing)
