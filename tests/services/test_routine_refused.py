"""Given code that ran once, when the routine cannot be created, then no value is revealed."""

import logging
from datetime import timedelta

import pytest
from homeassistant.auth.models import User
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import ServiceValidationError
from homeassistant.util import dt as dt_util

from custom_components.sage.routines import routines as all_routines
from custom_components.sage.routines.api import routine_creation as making
from custom_components.sage.routines.routine_types import Routine, Watched
from custom_components.sage.routines.routines import Routines
from tests.memory_house import call, key_of, refused
from tests.routine_house import WORD, anna

from .test_routine_code import FRIDGE, MAKE, fridge, mock_recorder_before_hass, routines, sage

__all__ = ["anna", "fridge", "mock_recorder_before_hass", "routines", "sage"]


async def test_code_that_fails_only_the_second_time_is_not_told_of_either(
    hass: HomeAssistant,
    routines: Routines,
    anna: User,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
):
    """Something changes between the two times that it runs."""
    caplog.set_level(logging.INFO)
    code = (
        "def check():\n"
        f'    if get_state("{FRIDGE}") == "on":\n'
        f'        raise ValueError("{WORD} is on")\n'
        "    return False"
    )
    create = routines.async_create

    async def opened_first(routine: Routine) -> Watched:
        hass.states.async_set(FRIDGE, "on", {"friendly_name": "Fridge"})
        return await create(routine)

    monkeypatch.setattr(routines, "async_create", opened_first)

    refusal = await refused(hass, "create_routine", anna, **{**MAKE, "code": code})

    assert refusal == "routine_code_fails_again"
    assert routines.list_all() == ()
    logged = [each for each in caplog.records if not each.name.startswith("sqlalchemy")]
    assert not any(WORD in each.getMessage() for each in logged)


@pytest.mark.parametrize("is_full", [True, False])
async def test_what_is_refused_before_the_code_runs_is_told(
    hass: HomeAssistant,
    routines: Routines,
    anna: User,
    monkeypatch: pytest.MonkeyPatch,
    is_full: bool,
):
    if is_full:
        for module in (making, all_routines):
            monkeypatch.setattr(module, "MOST_PER_PERSON", 1)
        await call(hass, "create_routine", anna, **MAKE)
    until = (dt_util.now() + timedelta(minutes=5)).isoformat()
    more = {} if is_full else {"until": until, "hold": {"minutes": 10}}

    with pytest.raises(ServiceValidationError) as caught:
        await call(hass, "create_routine", anna, **MAKE, **more)

    assert key_of(caught.value) == "routine_refused"
    assert ("Delete one" if is_full else "a later end") in str(caught.value)
