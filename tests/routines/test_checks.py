"""Conditions are watched: what fires when, and when not."""

from dataclasses import replace
from datetime import timedelta

from custom_components.sage.routines.registry import RoutineEventKind as Kind
from custom_components.sage.routines.routine_types import Condition, Memo, Repeat, Routine, Status
from custom_components.sage.routines.sandbox.contract import Fault, FunctionCall

from .house import ANNA, BOB, DOOR, LIGHT, House, when_on

HOLD = timedelta(minutes=10)


async def test_an_edge_fires_once_and_again_at_the_next(house: House) -> None:
    watched = await house.async_create()
    await house.async_pass(10)
    assert house.fired == []
    await house.async_set(DOOR, "on")
    assert house.fired == [watched.routine.id]
    for _ in range(5):
        await house.async_pass(10)
    assert house.fired == [watched.routine.id]
    await house.async_set(DOOR, "off")
    await house.async_set(DOOR, "on")
    assert house.fired == [watched.routine.id] * 2
    assert house.deliverer.delivered == ["Done."] * 2
    assert house.now_of(watched.routine.id).memo.fired == 2


async def test_a_change_while_it_is_made_is_not_lost(house: House) -> None:
    store = house.store.async_add

    async def slowly(routine: Routine, memo: Memo) -> Routine:
        stored = await store(routine, memo)
        house.hass.states.async_set(DOOR, "on")
        return stored

    house.store.async_add = slowly  # type: ignore[method-assign]
    await house.async_create()
    assert len(house.fired) == 1


async def test_the_same_function_twice_with_other_code(house: House) -> None:
    first = await house.async_create(when_on(DOOR))
    second = await house.async_create(when_on(LIGHT))
    third = await house.async_create(when_on(DOOR), owner=BOB)
    await house.async_set(LIGHT, "on")
    assert house.fired == [second.routine.id]
    await house.async_set(DOOR, "on")
    assert sorted(house.fired) == sorted([first.routine.id, second.routine.id, third.routine.id])


async def test_each_asks_as_its_own_person(house: House) -> None:
    await house.async_create()
    await house.async_create(owner=BOB)
    await house.async_create(owner=None)
    house.answers.askers.clear()
    await house.async_set(DOOR, "on")
    owners = {person.user_id for person in house.answers.askers}
    assert owners == {ANNA, BOB, None}


async def test_the_next_time_is_once_and_then_it_is_gone(house: House) -> None:
    watched = await house.async_create(repeat=Repeat.ONCE)
    await house.async_set(DOOR, "on")
    assert house.fired == [watched.routine.id]
    assert house.routines.get(watched.routine.id) is None
    assert house.kinds(watched.routine.id) == [
        Kind.CREATED,
        Kind.CHANGED,
        Kind.FIRED,
        Kind.DONE,
        Kind.REMOVED,
    ]
    assert house.events[1].routine.status is Status.ENDED
    await house.async_restart()
    assert house.routines.list_all() == ()


async def test_it_fires_when_it_has_held_for_so_long(house: House) -> None:
    watched = await house.async_create(replace(when_on(), hold=HOLD))
    await house.async_set(DOOR, "on")
    await house.async_pass(minutes=9)
    await house.async_set(DOOR, "off")
    await house.async_set(DOOR, "on")
    await house.async_pass(minutes=9)
    assert house.fired == []
    assert house.now_of(watched.routine.id).next_check is not None
    await house.async_pass(minutes=1)
    assert house.fired == [watched.routine.id]
    await house.async_pass(minutes=30)
    assert house.fired == [watched.routine.id]


async def test_holding_goes_on_over_a_restart(house: House) -> None:
    watched = await house.async_create(replace(when_on(), hold=HOLD))
    await house.async_set(DOOR, "on")
    await house.async_pass(minutes=4)
    await house.async_restart(down=timedelta(minutes=2))
    assert house.fired == []
    await house.async_pass(minutes=3)
    assert house.fired == []
    await house.async_pass(minutes=1)
    assert house.fired == [watched.routine.id]


async def test_what_the_code_keeps_lives_between_runs(house: House) -> None:
    source = (
        "def is_third():\n"
        f'    on = get_state("{DOOR}") == "on"\n'
        '    if on and not state.get("was"):\n'
        '        state["count"] = state.get("count", 0) + 1\n'
        '    state["was"] = on\n'
        '    return state.get("count", 0) >= 3\n'
    )
    watched = await house.async_create(Condition(function="is_third", source=source))
    for _ in range(2):
        await house.async_set(DOOR, "on")
        await house.async_set(DOOR, "off")
    await house.async_restart()
    assert house.fired == []
    await house.async_set(DOOR, "on")
    assert house.fired == [watched.routine.id]


async def test_code_that_counts_runs_although_nothing_changes(house: House) -> None:
    source = 'def later():\n    state["n"] = state.get("n", 0) + 1\n    return state["n"] > 5\n'
    watched = await house.async_create(Condition(function="later", source=source))
    for _ in range(6):
        await house.async_pass(10)
    assert house.fired == [watched.routine.id]


async def test_time_goes_by_without_a_change(house: House) -> None:
    source = "def late():\n    return now() >= datetime(2026, 6, 1, 10, 1, tzinfo=timezone.utc)\n"
    watched = await house.async_create(Condition(function="late", source=source, interval=5))
    assert house.now_of(watched.routine.id).next_check is not None
    await house.async_pass(50)
    assert house.fired == []
    await house.async_pass(10)
    assert house.fired == [watched.routine.id]


async def test_what_nothing_changed_for_is_not_run_again(house: House) -> None:
    watched = await house.async_create()
    await house.async_pass(1)
    house.answers.asked.clear()
    for _ in range(5):
        await house.async_pass(10)
    assert house.answers.asked.total() == 0
    # Now and then it is asked again all the same.
    await house.async_pass(20)
    assert house.answers.asked.total() == 1
    assert house.now_of(watched.routine.id).next_check is None


async def test_bindings_of_others_do_not_answer_for_a_new_name(house: House) -> None:
    house.answers.entities |= {"old": DOOR, "new": LIGHT}
    house.answers.references["it"] = "old"
    await house.async_create(when_on("it"))
    house.answers.references["it"] = "new"
    second = await house.async_create(when_on("it"))
    assert second.routine.bindings == {"it": "new"}
    await house.async_set(LIGHT, "on")
    assert house.fired == [second.routine.id]


async def test_a_name_in_a_branch_is_bound_when_it_is_used(house: House) -> None:
    house.answers.references["lamp"] = "registry-1"
    house.answers.entities["registry-1"] = LIGHT
    lamp = 'get_state("la" + "mp")'
    source = f'def both():\n    return get_state("{DOOR}") == "on" and {lamp} == "on"\n'
    watched = await house.async_create(Condition(function="both", source=source))
    assert watched.routine.bindings == {}
    await house.async_set(DOOR, "on")
    assert house.now_of(watched.routine.id).routine.bindings == {"lamp": "registry-1"}
    await house.async_set(LIGHT, "on")
    assert house.fired == [watched.routine.id]


async def test_what_may_not_be_seen_any_more_stops_it(house: House) -> None:
    watched = await house.async_create()
    other = await house.async_create(when_on(LIGHT))
    house.answers.withheld.add(DOOR)
    await house.async_pass(70)
    now = house.now_of(watched.routine.id)
    assert now.routine.status is Status.NOT_EXPOSED
    assert now.routine.trouble is not None
    assert now.routine.trouble.fault is Fault.WITHHELD
    assert now.routine.trouble.detail == f"get_state('{DOOR}')"
    await house.async_set(DOOR, "on")
    await house.async_set(LIGHT, "on")
    assert house.fired == [other.routine.id]
    house.answers.withheld.clear()
    resumed = await house.routines.async_resume(watched.routine.id)
    assert (resumed.routine.status, resumed.memo.before) == (Status.WATCHING, True)
    await house.async_set(DOOR, "off")
    await house.async_set(DOOR, "on")
    assert house.fired == [other.routine.id, watched.routine.id]


async def test_nothing_is_looked_at_before_the_start(house: House) -> None:
    watched = await house.async_create()
    await house.async_set(DOOR, "on")
    await house.routines.async_close()
    # States are not there yet when Home Assistant begins.
    house.hass.states.async_remove(DOOR)
    house.answers.asked.clear()
    await house.async_boot()
    await house.async_pass(60)
    assert house.answers.asked.total() == 0
    assert house.routines.list(ANNA)[0].routine.id == watched.routine.id
    house.hass.states.async_set(DOOR, "on")
    await house.routines.async_start()
    await house.async_pass(1)
    assert house.fired == [watched.routine.id]
    assert house.answers.asked.total() > 0


async def test_what_became_true_while_it_was_down_fires_at_the_start(house: House) -> None:
    watched = await house.async_create()
    await house.routines.async_close()
    house.hass.states.async_set(DOOR, "on")
    await house.async_start()
    await house.async_pass(1)
    assert house.fired == [watched.routine.id]
    await house.async_restart()
    await house.async_pass(1)
    assert house.fired == [watched.routine.id]


LIT_AND_SHUT = Condition(
    function="is_so",
    source=(
        "def is_so():\n"
        f'    shut = get_state("{DOOR}") == "off"\n'
        f'    return shut and get_state("{LIGHT}") == "on"\n'
    ),
)


async def test_answers_of_two_moments_are_not_believed(house: House) -> None:
    """The door opens, and with it the light goes on, just while both are being read."""
    watched = await house.async_create(LIT_AND_SHUT)
    await house.async_pass(1)

    def opens(question: FunctionCall) -> None:
        if question.arguments == (DOOR,):
            house.answers.after = lambda _: None
            house.hass.states.async_set(DOOR, "on")
            house.hass.states.async_set(LIGHT, "on")

    house.answers.after = opens
    await house.async_pass(61)
    await house.async_pass(1)
    assert house.fired == []
    await house.async_set(DOOR, "off")
    assert house.fired == [watched.routine.id]


async def test_what_changes_at_every_moment_is_believed_in_the_end(house: House) -> None:
    watched = await house.async_create(LIT_AND_SHUT)
    await house.async_pass(1)
    numbers = iter(range(1000))

    def flickers(question: FunctionCall) -> None:
        if question.arguments == (LIGHT,):
            house.hass.states.async_set(LIGHT, "on", {"flickers": next(numbers)})

    house.answers.after = flickers
    house.hass.states.async_set(LIGHT, "on")
    for _ in range(6):
        await house.async_pass(0.2)
    assert house.fired == [watched.routine.id]
