"""A satellite that the options give to somebody else is no place to speak to a person."""

import pytest
from homeassistant.auth.models import User
from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er

from custom_components.sage.routines.interfaces import DeliveryError

from ..conftest import Sage
from .conftest import MakeBox
from .routine import DECIDES, Fires, reminder_of
from .test_delivery import NOTE, answered, deliverer, notes, registry_id


@pytest.mark.parametrize("is_chosen", [True, False])
async def test_what_anna_asked_for_there_is_not_told_to_ben(
    hass: HomeAssistant, sage: Sage, user: User, other: User, make_box: MakeBox, is_chosen: bool
):
    """She spoke to it, or chose it, before it was his."""
    box = await make_box()
    row = er.async_get(hass).async_get(box.satellite.entity_id)
    assert row is not None
    way = {"kind": "satellite", "target": row.id} if is_chosen else {"kind": "automatic"}
    routine = reminder_of(
        user, "remind me", satellite_id=box.satellite.entity_id, device_id=row.device_id
    )

    await deliverer(hass, user, {row.id: other.id}, **way).async_deliver(routine, answered(routine))

    assert box.satellite.announced == []
    assert notes(hass) == NOTE


async def test_a_satellite_of_somebody_else_in_the_room_is_passed_over(
    hass: HomeAssistant, sage: Sage, user: User, other: User, make_box: MakeBox
):
    box = await make_box()
    bens = {registry_id(hass, box.satellite.entity_id): other.id}
    routine = reminder_of(user, "remind me", room="Kitchen")

    with pytest.raises(DeliveryError):
        await deliverer(hass, user, bens, kind="satellite").async_deliver(
            routine, answered(routine)
        )

    assert box.satellite.announced == []


async def test_ben_is_not_asked_in_the_place_of_anna(
    hass: HomeAssistant, sage: Sage, user: User, other: User, make_box: MakeBox
):
    box = await make_box()
    bens = {registry_id(hass, box.satellite.entity_id): other.id}
    hass.config_entries.async_update_entry(sage.entry, options={"satellites": bens})
    await hass.async_block_till_done()
    box.satellite.replies = ["the oat milk"]
    sage.model_says(
        DECIDES.call("human_interaction", question="Which milk?"),
        DECIDES.finish("answered", "Milk!"),
    )
    fires = Fires(sage)

    running = fires.begin(reminder_of(user, "remind me", satellite_id=box.satellite.entity_id))
    question = await fires.async_asked()
    await hass.async_block_till_done()

    assert box.satellite.asked == []
    question.answer("the soy milk")
    assert (await running).answer == "Milk!"
