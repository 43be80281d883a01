"""What somebody chose to have sent to them alone is sent to nobody else."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Any

import pytest
from homeassistant.auth.const import GROUP_ID_USER
from homeassistant.auth.models import User
from homeassistant.components import persistent_notification
from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant, ServiceCall
from homeassistant.helpers import entity_registry as er
from homeassistant.util import dt as dt_util

from custom_components.sage.delivery.delivery_method import targets
from custom_components.sage.routines.interfaces import DeliveryError

from ..conftest import Sage
from .conftest import Owns
from .phone import Phone
from .routine import Fires, commands, reminder_of, routine_of
from .test_delivery import ANSWER, TITLE, Pager, answered, deliverer, notes, pager, registry_id

__all__ = ["pager"]

BY_NAME = "notify.mobile_app_pixel"
HINT = (
    "A routine of Anna has a private message for Anna, but SAGE could not deliver it. SAGE shows "
    "the message to nobody else, and keeps trying for a week."
)

type Imposter = Callable[[str], Awaitable[Phone]]


@pytest.fixture
async def mallory(hass: HomeAssistant) -> User:
    """Somebody who may sign in and no more."""
    return await hass.auth.async_create_user("Mallory", group_ids=[GROUP_ID_USER])


@pytest.fixture
def names_phone(owns_phone: Owns, mallory: User) -> Imposter:
    """Have Mallory name a phone."""

    async def named(name: str) -> Phone:
        return await owns_phone(mallory, name)

    return named


def app_entry(hass: HomeAssistant, user: User) -> ConfigEntry[Any]:
    (entry,) = [
        each
        for each in hass.config_entries.async_entries("mobile_app")
        if each.data["user_id"] == user.id
    ]
    return entry


def app_entity(hass: HomeAssistant, user: User) -> str:
    """Return the registry id of the notify entity of somebody's phone."""
    rows = er.async_entries_for_config_entry(er.async_get(hass), app_entry(hass, user).entry_id)
    (row,) = [each for each in rows if each.domain == "notify"]
    return row.id


# ---------------------------------------------------------------- whose phone it is


async def test_phones_are_offered_to_their_person_and_never_by_name(
    hass: HomeAssistant, sage: Sage, user: User, mallory: User, owns_phone: Owns, pager: Pager
):
    await owns_phone(user, "Pixel")
    await owns_phone(mallory, "Galaxy")
    hass.services.async_register("notify", "anna", lambda _: None)

    assert targets(hass, user.id) == {
        app_entry(hass, user).entry_id: "Pixel",
        registry_id(hass, pager.entity_id): "Pager",
        "notify.anna": "notify.anna",
    }


@pytest.mark.parametrize("kept", ["entry", "entity", "name"])
@pytest.mark.parametrize("theirs", ["Pixel", "pixel"])
async def test_a_phone_of_the_same_name_gets_nothing(
    hass: HomeAssistant,
    sage: Sage,
    user: User,
    owns_phone: Owns,
    names_phone: Imposter,
    kept: str,
    theirs: str,
):
    annas = await owns_phone(user, "Pixel")
    mallorys = await names_phone(theirs)
    target = {
        "entry": app_entry(hass, user).entry_id,
        "entity": app_entity(hass, user),
        "name": BY_NAME,
    }[kept]
    routine = reminder_of(user, "remind me")

    await deliverer(hass, user, kind="notify", target=target).async_deliver(
        routine, answered(routine)
    )

    assert annas.messages == [ANSWER]
    assert mallorys.pushed == []
    assert notes(hass) == {}


@pytest.mark.parametrize("kept", ["entry", "entity", "name"])
async def test_the_phone_of_somebody_else_is_no_way(
    hass: HomeAssistant,
    sage: Sage,
    user: User,
    mallory: User,
    names_phone: Imposter,
    kept: str,
):
    """As after Anna's own phone is gone, or was never hers."""
    mallorys = await names_phone("Pixel")
    target = {
        "entry": app_entry(hass, mallory).entry_id,
        "entity": app_entity(hass, mallory),
        "name": BY_NAME,
    }[kept]
    routine = reminder_of(user, "remind me")

    with pytest.raises(DeliveryError):
        await deliverer(hass, user, kind="notify", target=target).async_deliver(
            routine, answered(routine)
        )

    assert mallorys.pushed == []
    assert ANSWER not in str(notes(hass))


async def test_a_phone_that_is_named_like_an_action_does_not_stand_for_it(
    hass: HomeAssistant, sage: Sage, user: User, names_phone: Imposter
):
    got: list[ServiceCall] = []
    hass.services.async_register("notify", "anna", got.append)
    mallorys = await names_phone("Anna")
    assert hass.states.get("notify.anna") is not None
    routine = reminder_of(user, "remind me")

    await deliverer(hass, user, kind="notify", target="notify.anna").async_deliver(
        routine, answered(routine)
    )

    assert [each.data["message"] for each in got] == [ANSWER]
    assert mallorys.pushed == []


async def test_what_reaches_all_phones_reaches_nobody(
    hass: HomeAssistant, sage: Sage, user: User, names_phone: Imposter
):
    """`notify.notify` goes to whatever was set up first; for the apps that is all of them."""
    mallorys = await names_phone("Galaxy")
    assert hass.services.has_service("notify", "notify")
    routine = reminder_of(user, "remind me")

    with pytest.raises(DeliveryError):
        await deliverer(hass, user, kind="notify", target="notify.notify").async_deliver(
            routine, answered(routine)
        )

    assert mallorys.pushed == []


async def test_a_question_is_asked_on_no_phone_of_the_same_name(
    hass: HomeAssistant, sage: Sage, user: User, owns_phone: Owns, names_phone: Imposter
):
    annas = await owns_phone(user, "Pixel")
    mallorys = await names_phone("pixel")
    ways = {user.id: {"kind": "notify", "target": BY_NAME}}
    hass.config_entries.async_update_entry(sage.entry, options={"delivery": ways})
    await hass.async_block_till_done()
    commands(sage, "front_door", command="unlock", answer="-")

    fires = Fires(sage)
    running = fires.begin(routine_of(user, "unlock the front door"))

    await annas.async_message("Shall I really unlock Front Door?")
    assert mallorys.pushed == []
    (await fires.async_asked()).answer("no")
    await running


async def test_the_options_keep_a_phone_by_its_entry(
    hass: HomeAssistant, sage: Sage, user: User, owns_phone: Owns, names_phone: Imposter
):
    await owns_phone(user, "Pixel")
    await names_phone("pixel")
    ways = {user.id: {"kind": "notify", "target": BY_NAME}}
    hass.config_entries.async_update_entry(sage.entry, options={"delivery": ways})
    await hass.async_block_till_done()
    flows, entry_id = hass.config_entries.options, app_entry(hass, user).entry_id

    form: Any = await flows.async_init(sage.entry.entry_id)
    for entered in (
        {"next_step_id": "routines"},
        {"user": user.id},
    ):
        form = await flows.async_configure(form["flow_id"], entered)
    (suggested,) = [each.description for each in form["data_schema"].schema if each.description]
    assert suggested == {"suggested_value": entry_id}
    await flows.async_configure(
        form["flow_id"], {"delivery_method": "notify", "notify_target": entry_id}
    )
    await hass.async_block_till_done()

    kept = sage.entry.options["delivery"]
    assert kept == {user.id: {"kind": "notify", "target": entry_id}}


# ---------------------------------------------------------------- when it does not get through


async def test_an_entity_whose_integration_is_loaded_anew_is_waited_for(
    hass: HomeAssistant, sage: Sage, user: User, pager: Pager
):
    way = deliverer(hass, user, kind="notify", target=registry_id(hass, pager.entity_id))
    routine = reminder_of(user, "remind me")
    hass.states.async_remove(pager.entity_id)

    with pytest.raises(DeliveryError):
        await way.async_deliver(routine, answered(routine))
    assert notes(hass) == {}

    pager.async_write_ha_state()
    await way.async_deliver(routine, answered(routine))
    assert pager.got == [(TITLE, ANSWER)]
    assert notes(hass) == {}


async def test_after_an_hour_all_see_that_there_is_an_answer_and_no_word_of_it(
    hass: HomeAssistant, sage: Sage, user: User, pager: Pager
):
    pager.is_broken = True
    way = deliverer(hass, user, kind="notify", target=registry_id(hass, pager.entity_id))
    routine = reminder_of(user, "remind me")
    firing = answered(routine, at=dt_util.utcnow() - timedelta(hours=1, seconds=1))

    for _ in range(2):
        with pytest.raises(DeliveryError):
            await way.async_deliver(routine, firing)
    # Nor is it said what was waited for.
    assert notes(hass) == {"sage_answer_5": ("SAGE", HINT)}

    pager.is_broken = False
    await way.async_deliver(routine, firing)
    assert pager.got == [(TITLE, ANSWER)]
    assert notes(hass) == {}


async def test_who_took_the_hint_away_does_not_see_it_again(
    hass: HomeAssistant, sage: Sage, user: User
):
    way = deliverer(hass, user, kind="notify", target="notify.gone")
    routine = reminder_of(user, "remind me")
    firing = answered(routine)
    with pytest.raises(DeliveryError):
        await way.async_deliver(routine, firing)
    persistent_notification.async_dismiss(hass, "sage_answer_5")

    with pytest.raises(DeliveryError):
        await way.async_deliver(routine, firing)

    assert notes(hass) == {}


@pytest.mark.parametrize("target", ["notify.gone", "01K9GONE", None])
@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "A routine of Anna has a private message for Anna, but SAGE could not"),
        ("de", "Eine Routine von Anna hat eine private Nachricht für Anna, aber SAGE"),
        ("fr", "Une routine de Anna a un message privé pour Anna, mais SAGE n'a pas"),
    ],
)
async def test_what_is_gone_is_told_of_in_the_language_of_the_routine(
    hass: HomeAssistant, sage: Sage, user: User, target: str | None, language: str, words: str
):
    routine = reminder_of(user, "remind me", language=language)

    with pytest.raises(DeliveryError):
        await deliverer(hass, user, kind="notify", target=target).async_deliver(
            routine, answered(routine)
        )

    ((_, shown),) = notes(hass).values()
    assert shown.startswith(words)
    assert ANSWER not in shown


async def test_ones_own_phone_stands_in_for_what_is_gone(
    hass: HomeAssistant, sage: Sage, user: User, phone: Phone
):
    routine = reminder_of(user, "remind me")

    await deliverer(hass, user, kind="notify", target="notify.gone").async_deliver(
        routine, answered(routine)
    )

    assert phone.messages == [ANSWER]
    assert notes(hass) == {}


async def test_after_a_week_an_answer_is_given_up(hass: HomeAssistant, sage: Sage, user: User):
    routine = reminder_of(user, "remind me")
    long_ago = dt_util.utcnow() - timedelta(days=7, seconds=1)

    await deliverer(hass, user, kind="notify", target="notify.gone").async_deliver(
        routine, answered(routine, at=long_ago)
    )

    assert notes(hass) == {"sage_answer_5": ("SAGE", HINT)}


async def test_a_disabled_entity_is_gone(
    hass: HomeAssistant, sage: Sage, user: User, pager: Pager, phone: Phone
):
    target = registry_id(hass, pager.entity_id)
    er.async_get(hass).async_update_entity(
        pager.entity_id, disabled_by=er.RegistryEntryDisabler.USER
    )
    await hass.async_block_till_done()
    routine = reminder_of(user, "remind me")

    await deliverer(hass, user, kind="notify", target=target).async_deliver(
        routine, answered(routine)
    )

    assert phone.messages == [ANSWER]


async def test_what_is_asked_stays_private_too(
    hass: HomeAssistant, sage: Sage, user: User, pager: Pager
):
    ways = {user.id: {"kind": "notify", "target": registry_id(hass, pager.entity_id)}}
    hass.config_entries.async_update_entry(sage.entry, options={"delivery": ways})
    await hass.async_block_till_done()
    hass.states.async_remove(pager.entity_id)
    commands(sage, "front_door", command="unlock", answer="-")

    fires = Fires(sage)
    running = fires.begin(routine_of(user, "unlock the front door"))
    question = await fires.async_asked()
    for _ in range(20):
        await asyncio.sleep(0)

    (shown,) = notes(hass).values()
    assert shown == (
        "SAGE is waiting for an answer from Anna.",
        "Answer yes or no in Assist.",
    )
    question.answer("no")
    await running
