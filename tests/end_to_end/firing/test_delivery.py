"""The answer of a routine reaches its person, the way the options say."""

from datetime import UTC, datetime, time
from typing import Any

import pytest
from homeassistant.auth.models import User
from homeassistant.components import persistent_notification
from homeassistant.components.notify import NotifyEntity
from homeassistant.components.notify.const import NotifyEntityFeature
from homeassistant.config_entries import ConfigEntry, ConfigFlow
from homeassistant.core import HomeAssistant, ServiceCall
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import area_registry as ar
from homeassistant.helpers import entity_registry as er
from homeassistant.setup import async_setup_component
from pytest_homeassistant_custom_component.common import (
    MockConfigEntry,
    MockModule,
    mock_config_flow,
    mock_integration,
    mock_platform,
    setup_test_component_platform,
)

from custom_components.sage.delivery import deliverer as delivering
from custom_components.sage.delivery.deliverer import AnswerDeliverer
from custom_components.sage.routines.interfaces import DeliveryError
from custom_components.sage.routines.routine_types import Daily, Firing, FiringStep, Moment, Routine

from ..conftest import Sage
from .conftest import MakeBox, Owns
from .phone import Phone, PushServer
from .routine import firing_of, reminder_of, routine_of
from .voice import AskingBox

ANSWER = "Throw out the milk!"
TITLE = "SAGE: “the fridge is opened”"


class Pager(NotifyEntity):
    """A notify entity that may be out of order."""

    _attr_name = "Pager"
    _attr_unique_id = "pager"
    _attr_supported_features = NotifyEntityFeature.TITLE

    def __init__(self) -> None:
        self.got: list[tuple[str | None, str]] = []
        self.is_broken = False

    async def async_send_message(self, message: str, title: str | None = None) -> None:
        if self.is_broken:
            raise HomeAssistantError("no network")
        self.got.append((title, message))


@pytest.fixture
async def pager(hass: HomeAssistant, sage: Sage) -> Pager:
    async def setup(hass: HomeAssistant, entry: ConfigEntry) -> bool:
        await hass.config_entries.async_forward_entry_setups(entry, ["notify"])
        return True

    pager = Pager()
    mock_integration(hass, MockModule("test", async_setup_entry=setup))
    mock_platform(hass, "test.config_flow")
    setup_test_component_platform(hass, "notify", [pager], from_config_entry=True)
    entry = MockConfigEntry(domain="test")
    entry.add_to_hass(hass)
    assert await async_setup_component(hass, "notify", {})
    with mock_config_flow("test", ConfigFlow):
        assert await hass.config_entries.async_setup(entry.entry_id)
    await hass.async_block_till_done()
    return pager


def deliverer(
    hass: HomeAssistant, user: User | None = None, owners: dict[str, str] | None = None, **way: Any
) -> AnswerDeliverer:
    ways = {user.id: way} if user is not None else {}
    return AnswerDeliverer(hass, ways, owners or {})


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


# ---------------------------------------------------------------- nothing set


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


async def test_whoever_has_nothing_else_finds_it_in_home_assistant(
    hass: HomeAssistant, sage: Sage, user: User
):
    routine = reminder_of(user, "remind me")

    await deliverer(hass).async_deliver(routine, answered(routine))
    # A second time, as after a crash, it is seen once.
    await deliverer(hass).async_deliver(routine, answered(routine))

    assert notes(hass) == NOTE


@pytest.mark.parametrize("kind", ["automatic", "notification"])
@pytest.mark.parametrize(
    ("language", "hint"),
    [
        ("en", "A routine has a message for Anna. Only Anna can read it, "),
        ("de", "Eine Routine hat eine Nachricht für Anna. Nur Anna kann sie lesen, "),
        ("fr", "Une routine a un message pour Anna. Seul Anna peut le lire, "),
    ],
)
async def test_what_was_read_from_mail_is_shown_to_nobody_else(
    hass: HomeAssistant, sage: Sage, user: User, kind: str, language: str, hint: str
):
    of_mail = reminder_of(user, ANSWER, language=language, tainted=True)
    reads_mail = reminder_of(user, "tell me about my mail", language=language)
    way = deliverer(hass, user, kind=kind)

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
    hass: HomeAssistant,
    sage: Sage,
    user: User,
    other: User,
    owns_phone: Owns,
    make_box: MakeBox,
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


# ---------------------------------------------------------------- set in the options


async def test_a_notify_entity(hass: HomeAssistant, sage: Sage, user: User, pager: Pager):
    target = registry_id(hass, pager.entity_id)
    er.async_get(hass).async_update_entity(pager.entity_id, new_entity_id="notify.renamed")
    await hass.async_block_till_done()
    routine = reminder_of(user, "remind me")

    await deliverer(hass, user, kind="notify", target=target).async_deliver(
        routine, answered(routine)
    )

    assert pager.got == [(TITLE, ANSWER)]
    assert notes(hass) == {}


async def test_an_older_action_of_notify(hass: HomeAssistant, sage: Sage, user: User):
    got: list[ServiceCall] = []
    hass.services.async_register("notify", "anna", got.append)
    routine = reminder_of(user, "remind me")

    await deliverer(hass, user, kind="notify", target="notify.anna").async_deliver(
        routine, answered(routine)
    )

    assert [each.data for each in got] == [{"message": ANSWER, "title": TITLE}]
    # It is the household that set this up: nobody's permissions are asked.
    assert got[0].context.user_id is None


async def test_what_does_not_get_through_now_is_tried_again(
    hass: HomeAssistant, sage: Sage, user: User, pager: Pager
):
    pager.is_broken = True
    way = deliverer(hass, user, kind="notify", target=registry_id(hass, pager.entity_id))
    routine = reminder_of(user, "remind me")

    with pytest.raises(DeliveryError):
        await way.async_deliver(routine, answered(routine))
    assert notes(hass) == {}

    pager.is_broken = False
    await way.async_deliver(routine, answered(routine))
    assert pager.got == [(TITLE, ANSWER)]


async def test_an_unavailable_entity_is_waited_for(
    hass: HomeAssistant, sage: Sage, user: User, pager: Pager
):
    hass.states.async_set(pager.entity_id, "unavailable")
    way = deliverer(hass, user, kind="notify", target=registry_id(hass, pager.entity_id))
    routine = reminder_of(user, "remind me")

    with pytest.raises(DeliveryError):
        await way.async_deliver(routine, answered(routine))


async def test_a_chosen_satellite(
    hass: HomeAssistant, sage: Sage, user: User, owns_phone: Owns, make_box: MakeBox
):
    box = await make_box()
    phone = await owns_phone(user, "Pixel")
    target = registry_id(hass, box.satellite.entity_id)
    routine = reminder_of(user, "remind me")

    await deliverer(hass, user, kind="satellite", target=target).async_deliver(
        routine, answered(routine)
    )

    assert box.satellite.announced == [ANSWER]
    assert phone.pushed == []


@pytest.mark.parametrize("is_own", [True, False])
async def test_ones_own_satellite_or_that_in_the_room(
    hass: HomeAssistant, sage: Sage, user: User, make_box: MakeBox, is_own: bool
):
    box = await make_box()
    owners = {registry_id(hass, box.satellite.entity_id): user.id} if is_own else {}
    assert ar.async_get(hass).async_get_area_by_name("Kitchen")
    routine = reminder_of(user, "remind me", room=None if is_own else "Kitchen")

    way = deliverer(hass, user, owners, kind="satellite")
    await way.async_deliver(routine, answered(routine))

    assert box.satellite.announced == [ANSWER]


async def test_a_satellite_that_cannot_speak_now_is_tried_again(
    hass: HomeAssistant, sage: Sage, user: User, make_box: MakeBox, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(delivering, "IDLE_SECONDS", 0.1)
    box: AskingBox = await make_box()
    target = registry_id(hass, box.satellite.entity_id)
    way = deliverer(hass, user, kind="satellite", target=target)
    routine = reminder_of(user, "remind me")

    box.satellite.be("listening")
    with pytest.raises(DeliveryError):
        await way.async_deliver(routine, answered(routine))
    box.satellite.be("idle")
    box.satellite.can_do(0)
    with pytest.raises(DeliveryError):
        await way.async_deliver(routine, answered(routine))

    assert box.satellite.announced == []
    assert notes(hass) == {}


async def test_a_notification_in_home_assistant(
    hass: HomeAssistant, sage: Sage, user: User, phone: Phone
):
    routine = reminder_of(user, "remind me")

    await deliverer(hass, user, kind="notification").async_deliver(routine, answered(routine))

    assert notes(hass) == NOTE
    assert phone.pushed == []


# ---------------------------------------------------------------- interrupted


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "SAGE restarted while a routine ran this action: turn on the light. "),
        ("de", "während eine Routine diese Aktion ausführte: turn on the light. "),
        ("fr", "pendant qu'une routine exécutait cette action : turn on the light. "),
        ("tlh", "SAGE restarted while a routine ran this action: turn on the light. "),
    ],
)
async def test_what_a_restart_broke_off_is_told(
    hass: HomeAssistant, sage: Sage, user: User, language: str, words: str
):
    routine = routine_of(user, "turn on the light.", language=language)

    assert words in await deliverer(hass).async_interrupted(routine, firing_of(routine))


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "when this action of a routine was due: turn on the light. "),
        ("de", "als diese Aktion einer Routine fällig war: turn on the light. "),
        (
            "fr",
            ("quand cette action d'une routine devait être exécutée : turn on the light. "),
        ),
    ],
)
async def test_what_it_is_too_late_for_is_told(
    hass: HomeAssistant, sage: Sage, user: User, language: str, words: str
):
    routine = routine_of(user, "turn on the light.", language=language)
    missed = firing_of(routine, step=FiringStep.JOURNALED)

    assert words in await deliverer(hass).async_interrupted(routine, missed)
