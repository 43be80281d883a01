"""Delays and clock times: the same road, without code."""

import pytest
from homeassistant.auth.models import User

from custom_components.sage.home.home import Home
from tests.decisions import NATIVE
from tests.without_monty import without_monty

from .acts import starts_anew
from .clock import Clock
from .household import Household
from .stories import stories

PILL = "Take the pill."
IN_TWENTY = "in 20 minutes remind me to take the pill"


async def ask(household: Household, said: str, **polling: object) -> str:
    given = {"kind": "tell", "action": PILL, "final": True, **polling}
    return await household.hear(said, NATIVE.call("condition_polling", **given))


@pytest.mark.parametrize("is_restarted", [False, True], ids=["running", "loaded_anew"])
async def test_in_20_minutes(household: Household, clock: Clock, is_restarted: bool) -> None:
    heard = await ask(household, IN_TWENTY, in_minutes=20)
    assert heard.startswith("All right. In 20 minutes, today at ")
    await household.stays_calm(lambda: clock.pass_by(minutes=10))
    if is_restarted:
        await starts_anew(household)
    await household.stays_calm(lambda: clock.pass_by(minutes=9))
    await household.fires(happen=lambda: clock.pass_by(minutes=2))
    assert household.told == [PILL]
    await household.stays_calm(lambda: clock.pass_by(minutes=25))
    assert household.routines.list_all() == ()


async def test_while_nobody_was_there(household: Household, clock: Clock) -> None:
    """What was due meanwhile is made up for, once."""
    await ask(household, IN_TWENTY, in_minutes=20)
    entry = household.sage.entry
    assert await household.hass.config_entries.async_unload(entry.entry_id)
    clock.leap(minutes=40)
    household.sage.model_says()
    assert await household.hass.config_entries.async_setup(entry.entry_id)
    await household.rest()
    assert household.told == [PILL]
    await starts_anew(household)
    assert household.told == [PILL]


async def test_texts_that_cannot_be_loaded_cost_no_routine(
    household: Household,
    clock: Clock,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Translations of other integrations may be broken; the reminder still arrives."""

    async def broken(_home: Home) -> None:
        raise ValueError("a text of another integration is broken")

    await ask(household, IN_TWENTY, in_minutes=20)
    monkeypatch.setattr(Home, "async_warm", broken)
    await starts_anew(household)
    await household.fires(happen=lambda: clock.pass_by(minutes=21))
    assert household.told == [PILL]
    assert "a text of another integration is broken" in caplog.text


async def test_without_monty_what_is_settled_is_done_without_a_model(
    household: Household, clock: Clock, user: User
) -> None:
    """Another routine's condition cannot be checked: it is kept, reported, and continues later."""
    lamp = stories("entities")["lamp"]
    await household.ask_for(lamp.wish, user.id)
    await ask(household, IN_TWENTY, in_minutes=20)
    with without_monty():
        await starts_anew(household)
        await household.fires(happen=lambda: clock.pass_by(minutes=21))
        assert household.told == [PILL]
        await household.stays_calm(lambda: lamp.begins(household))
        heard = await household.hear(
            "what are you watching for?",
            NATIVE.call("routines", action="list", final=True),
            user_id=user.id,
        )
        assert "I cannot run the code of this routine's condition on this system" in heard
        heard = await household.hear(
            "watch the TV again",
            NATIVE.call("routines", action="resume", numbers=[1], final=True),
            user_id=user.id,
        )
        assert "I cannot run the code of this routine's condition on this system" in heard
    await household.fires(happen=lambda: starts_anew(household))
    assert household.done == lamp.does_each(1)
