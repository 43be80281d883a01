"""The model repairs failing code once, at the latest when it is available again."""

import asyncio

import pytest

from custom_components.sage.routines.routine_types import Memo, Routine, Status
from custom_components.sage.routines.sandbox.contract import CheckError, SandboxError

from .house import DOOR, FRAGILE, LIGHT, SOUND, House, fails


@pytest.mark.parametrize(
    "source",
    [
        "def is_warm():\n    return 1 / 0\n",
        "def other():\n    return True\n",
        "def is_warm(:\n",
        f'def is_warm():\n    return get_state("{DOOR}") == "on" and "yes"\n',
    ],
)
async def test_other_code_has_to_run(numbers: House, source: str) -> None:
    numbers.hass.states.async_set(DOOR, "on")
    numbers.repairer.sources = [source]
    watched = await numbers.async_create(FRAGILE)
    await fails(numbers, 3)
    now = numbers.now_of(watched.routine.id)
    assert now.routine.trigger == FRAGILE
    assert now.routine.status is Status.FAILING
    assert "line 2" in str(now.routine.trouble)


async def test_a_repair_runs_until_its_result_is_stored(
    numbers: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    watched = await numbers.async_create(FRAGILE)
    replace = numbers.store.async_replace

    async def slowly(routine: Routine, memo: Memo) -> None:
        for _ in range(100):
            await asyncio.sleep(0)
        await replace(routine, memo)

    monkeypatch.setattr(numbers.store, "async_replace", slowly)
    await fails(numbers, 3)
    assert numbers.now_of(watched.routine.id).routine.status is Status.FAILING


async def test_while_the_model_is_away_it_is_asked_again_now_and_then(numbers: House) -> None:
    numbers.repairer.is_away = True
    watched = await numbers.async_create(FRAGILE)
    numbers.hass.states.async_set(LIGHT, "off")
    await numbers.async_pass(hours=1)
    for _ in range(60):
        await numbers.async_pass(minutes=1)
    assert 10 <= len(numbers.repairer.asked) <= 15
    assert numbers.now_of(watched.routine.id).routine.status is Status.WATCHING
    # It is there again, as it was with the first failure.
    numbers.repairer.is_away = False
    numbers.repairer.sources = [SOUND]
    await numbers.async_pass(minutes=15)
    await numbers.async_pass(minutes=5)
    await numbers.async_set(LIGHT, "21")
    assert numbers.now_of(watched.routine.id).routine.is_repaired
    assert numbers.fired == [watched.routine.id]


async def test_what_works_again_while_the_model_is_away_goes_on(numbers: House) -> None:
    numbers.repairer.is_away = True
    watched = await numbers.async_create(FRAGILE)
    await fails(numbers, 5)
    await numbers.async_restart()
    numbers.hass.states.async_set(LIGHT, "19")
    await numbers.async_pass(301)
    await numbers.async_set(LIGHT, "22")
    assert numbers.fired == [watched.routine.id]
    now = numbers.now_of(watched.routine.id)
    assert (now.routine.status, now.routine.trigger) == (Status.WATCHING, FRAGILE)


async def test_a_sandbox_that_breaks_while_other_code_is_tried_is_no_verdict(
    numbers: House,
) -> None:
    numbers.repairer.sources = [SOUND, SOUND]
    watched = await numbers.async_create(FRAGILE)
    sandbox = numbers.routines.sandbox
    validate = sandbox.async_validate
    broken = iter([True])

    async def breaks_once(source: str, function: str) -> CheckError | None:
        if source == SOUND and next(broken, False):
            raise SandboxError("The worker does not start.")
        return await validate(source, function)

    sandbox.async_validate = breaks_once  # type: ignore[method-assign]
    await fails(numbers, 3)
    assert not numbers.now_of(watched.routine.id).routine.is_repaired
    await fails(numbers, 3)
    assert numbers.now_of(watched.routine.id).routine.is_repaired


async def test_code_that_was_repaired_is_not_repaired_again(numbers: House) -> None:
    numbers.repairer.sources = [FRAGILE.source + "\n# other\n", SOUND]
    numbers.repairer.gate = asyncio.Event()
    watched = await numbers.async_create(FRAGILE)
    await fails(numbers, 3)
    numbers.hass.states.async_set(LIGHT, "18")
    numbers.repairer.gate.set()
    await numbers.async_pass(10)
    assert numbers.now_of(watched.routine.id).routine.is_repaired
    await fails(numbers, 3)
    now = numbers.now_of(watched.routine.id)
    assert now.routine.status is Status.FAILING
    assert len(numbers.repairer.asked) == 1


async def test_others_are_watched_while_one_is_repaired(numbers: House) -> None:
    numbers.repairer.gate = asyncio.Event()
    bad = await numbers.async_create(FRAGILE)
    good = await numbers.async_create()
    await fails(numbers, 4)
    assert len(numbers.repairer.asked) == 1
    await numbers.async_set(DOOR, "on")
    assert numbers.fired == [good.routine.id]
    # Somebody else was quicker.
    await numbers.routines.async_pause(bad.routine.id)
    numbers.repairer.gate.set()
    await numbers.async_pass(1)
    assert numbers.now_of(bad.routine.id).routine.status is Status.PAUSED


async def test_a_repair_of_what_was_deleted_is_for_nothing(numbers: House) -> None:
    numbers.repairer.gate = asyncio.Event()
    numbers.repairer.sources = [SOUND]
    bad = await numbers.async_create(FRAGILE)
    await fails(numbers, 3)
    await numbers.routines.async_delete(bad.routine.id)
    numbers.repairer.gate.set()
    await numbers.async_pass(1)
    assert numbers.routines.list_all() == ()


async def test_a_repair_is_begun_anew_after_a_restart(numbers: House) -> None:
    numbers.repairer.gate = asyncio.Event()
    numbers.repairer.sources = [SOUND]
    bad = await numbers.async_create(FRAGILE)
    await fails(numbers, 3)
    await numbers.async_restart()
    numbers.repairer.gate.set()
    await fails(numbers, 3)
    assert numbers.now_of(bad.routine.id).routine.is_repaired
