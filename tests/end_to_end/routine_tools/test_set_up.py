"""From a request for later to a routine: what the model decides, and what the person hears."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from homeassistant.auth.models import User
from homeassistant.core import HomeAssistant
from homeassistant.util import dt as dt_util

from custom_components.sage.people.person import KnownBy
from custom_components.sage.routines.routine_types import Condition, Decide, Repeat, RoutineKind
from tests.decisions import FORMATS, NATIVE, Decides, plan, step
from tests.end_to_end.conftest import MakeSage, Sage, device_of

from .setting_up import DOOR, REQUEST, SET_UP, at_a_time, commands, polls, routines_of, writes


@pytest.mark.parametrize("decision_format", FORMATS)
async def test_condition_is_written_tried_and_watched(
    hass: HomeAssistant, sage: Sage, user: User
) -> None:
    sage.model_says(*writes(sage.decides), polls(sage.decides))
    heard = await sage.hear(REQUEST, user_id=user.id)
    assert heard == SET_UP
    assert sage.model_calls == 4
    assert "gives False now. It reads Garage Door." in sage.server.completions[-1].prompt
    assert hass.states.is_state("light.kitchen_light", "off")
    (routine,) = routines_of(sage, user)
    assert routine.trigger == Condition(function="is_garage_open", source=DOOR)
    assert routine.bindings["garage_door"]
    assert (routine.owner, routine.known_by) == (user.id, KnownBy.SIGN_IN)
    assert (routine.request, routine.when) == (REQUEST, "the garage door opens")
    assert routine.command == "turn on the kitchen light"
    assert (routine.repeat, routine.language) == (Repeat.ALWAYS, "en")
    assert routine.agent_id in sage.entry.runtime_data.agents
    assert not routine.tainted


async def test_prefix_of_the_condition_agent_is_stable(sage: Sage, user: User) -> None:
    prompts = []
    for _ in range(2):
        sage.model_says(*writes(), polls())
        await sage.hear(REQUEST, user_id=user.id)
        body = sage.server.completions[2].body
        prompts.append((body["messages"][0], body["tools"]))
    assert prompts[0] == prompts[1]
    told = str(prompts[0])
    assert "get_state(device: str)" in told
    assert "generators (`yield`)" in told
    assert "{functions}" not in told
    assert "{missing}" not in told


async def test_condition_agent_is_told_what_can_be_read_and_no_commands(
    sage: Sage, user: User
) -> None:
    sage.model_says(*writes(), polls())
    await sage.hear(REQUEST, user_id=user.id)
    told = sage.server.completions[2].prompt
    assert "garage_door: state closed\nstate: closed|closing|open|opening|stopped\n" in told
    assert "get_state('garage_door')" in told
    assert "open_cover" not in told
    # What is only watched is not to be done now. Small models would write code that does it.
    assert "execute_command" not in told
    for planned_or_written in sage.server.completions[1:3]:
        assert "Task: the garage door opens" in planned_or_written.prompt
        assert "turn on the kitchen light" not in planned_or_written.prompt


async def test_flow_of_the_paper(make_sage: MakeSage, user: User) -> None:
    sage = await make_sage("react", paper_flow=True)
    decides = Decides("react")
    sage.model_says(
        decides.call("condition_code_writing", condition="is the garage door open?"),
        decides.call("device_interaction_planner", command="is the garage door open?"),
        plan(step("read", "garage_door")),
        decides.call("api_documentation", devices=["garage_door"]),
        decides.call("code_execution", function="is_garage_open", code=DOOR),
        decides.finish("answered", "is_garage_open"),
        polls(decides, final=False),
        decides.finish("acted", "I will do that."),
    )
    assert await sage.hear(REQUEST, user_id=user.id) == "I will do that."
    assert sage.model_calls == 8
    (routine,) = routines_of(sage, user)
    assert routine.action == Decide()


async def test_repeated_call_sets_up_one_routine(sage: Sage, user: User) -> None:
    sage.model_says(*writes(), polls(final=False), polls(final=False), polls())
    assert await sage.hear(REQUEST, user_id=user.id) == SET_UP
    assert len(routines_of(sage, user)) == 1


async def test_equal_routine_of_an_earlier_request_is_set_up(sage: Sage, user: User) -> None:
    for _ in range(2):
        sage.model_says(at_a_time(daily="23:00"))
        await sage.hear("turn off the kitchen light at 23:00 each day", user_id=user.id)
    assert len(routines_of(sage, user)) == 2


async def test_faulty_code_is_mended(sage: Sage, user: User) -> None:
    first, planned, _ = writes()
    sage.model_says(
        first,
        planned,
        NATIVE.call(
            "code_execution", function="is_open", code='def is_open():\n    return get_stat("x")'
        ),
        NATIVE.call(
            "code_execution",
            function="is_garage_open",
            code='def is_garage_open():\n    return get_state("garage_dor") == "open"',
        ),
        NATIVE.call("code_execution", function="is_garage_open()", code=f"```python\n{DOOR}```"),
        polls(),
    )
    await sage.hear(REQUEST, user_id=user.id)
    last = sage.server.completions[4].prompt
    assert "line 2" in last
    assert "get_stat" in last
    # A wrong id names the right one.
    assert "garage_door" in last.rpartition("garage_dor")[2]
    (routine,) = routines_of(sage, user)
    assert routine.trigger == Condition(function="is_garage_open", source=DOOR)


async def test_what_cannot_be_told_now_is_watched_all_the_same(
    hass: HomeAssistant, sage: Sage, user: User, thing: Any
) -> None:
    thing("cover.garage_door").become(available=False)
    await hass.async_block_till_done()
    assert hass.states.is_state("cover.garage_door", "unavailable")
    sage.model_says(*writes(), polls())
    heard = await sage.hear(REQUEST, user_id=user.id)
    assert "cannot tell now" in sage.server.completions[3].prompt
    assert heard.endswith("I cannot evaluate the condition right now.")
    assert len(routines_of(sage, user)) == 1


async def test_all_that_can_be_asked_for(sage: Sage, user: User) -> None:
    sage.model_says(
        *writes(), polls(repeat="once", hold_minutes=10, until="2099-03-04T05:06", undo_after=True)
    )
    heard = await sage.hear(REQUEST, user_id=user.id)
    assert heard == (
        "All right. The next time the garage door opens, for 10 minutes without interruption: "
        "I'll turn on Kitchen Light. When the condition is no longer true, I undo my changes. "
        "This routine ends on March 4, 2099, at 05:06. I am watching Garage Door."
    )
    (routine,) = routines_of(sage, user)
    assert isinstance(routine.trigger, Condition)
    assert routine.trigger.hold == timedelta(minutes=10)
    assert (routine.repeat, routine.undo_after) == (Repeat.ONCE, True)
    assert routine.expires == dt_util.as_utc(
        datetime(2099, 3, 4, 5, 6, tzinfo=dt_util.get_default_time_zone())
    )


ASKS = "I will ask you before I run the action."


@pytest.mark.parametrize(
    ("given", "asks"),
    [
        ({"commands": commands("unlock", "front_door")}, True),
        ({"commands": [*commands("turn_on"), *commands("unlock", "Front Door")]}, True),
        ({"commands": commands("lock", "front_door")}, False),
        ({"commands": commands("unlock", "front_door"), "kind": "tell"}, False),
        ({"commands": commands("turn_on")}, False),
        ({"kind": "decide"}, False),
    ],
)
async def test_who_will_be_asked_first_is_told_so(
    hass: HomeAssistant, sage: Sage, user: User, given: dict[str, Any], asks: bool
) -> None:
    sage.model_says(*writes(), polls(**{"action": "let the cat in"} | given))
    heard = await sage.hear(REQUEST, user_id=user.id)
    assert (ASKS in heard) == asks
    assert len(routines_of(sage, user)) == 1
    assert hass.states.is_state("lock.front_door", "locked")


async def test_the_choice_of_the_household_decides_whether_it_asks(
    make_sage: MakeSage, user: User
) -> None:
    sage = await make_sage(options={"risk_levels": {"light.kitchen_light": "ask"}})
    sage.model_says(*writes(), polls())
    assert ASKS in await sage.hear(REQUEST, user_id=user.id)


FRIDGE = """def is_fridge_open():
    return get_state("binary_sensor.fridge_door") == "on"
"""
ENDS: dict[str, Any] = {"end_function": "is_fridge_open"}


def writes_both() -> list[Any]:
    """Return what the model decides for a condition and another one that ends it."""
    ends = writes(code=FRIDGE, function="is_fridge_open", condition="the fridge is opened")
    return [*writes(), *ends]


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("do", "I'll turn on Kitchen Light. When the fridge is opened, I undo my changes."),
        (
            "tell",
            (
                "I'll tell you “Shut it.” Then I wait until the fridge is opened before I tell "
                "you again."
            ),
        ),
        ("decide", "Shut it. When the fridge is opened, I undo my changes."),
    ],
)
async def test_a_condition_of_its_own_ends_it(sage: Sage, user: User, kind: str, said: str) -> None:
    sage.model_says(*writes_both(), polls(kind=kind, action="Shut it.", **ENDS))
    heard = await sage.hear(f"{REQUEST} until the fridge is opened", user_id=user.id)
    assert heard.startswith(
        f"All right. Whenever the garage door opens: {said} I am watching Garage Door and "
    )
    (routine,) = routines_of(sage, user)
    assert routine.trigger == Condition(function="is_garage_open", source=DOOR)
    assert routine.end == Condition(function="is_fridge_open", source=FRIDGE)
    assert (routine.end_when, routine.undo_after) == ("the fridge is opened", True)
    assert {"garage_door", "binary_sensor.fridge_door"} <= routine.bindings.keys()


async def test_an_end_that_is_only_filled_in_is_none(sage: Sage, user: User) -> None:
    """Small models fill in every argument."""
    sage.model_says(*writes(), polls(end_function="is_garage_open", weekdays=[], until=""))
    assert await sage.hear(REQUEST, user_id=user.id) == SET_UP
    assert routines_of(sage, user)[0].end is None


async def test_a_condition_that_ends_it_was_written_and_goes_with_another_one(
    sage: Sage, user: User
) -> None:
    sage.model_says(
        *writes_both(),
        polls(end_function="is_fridge_shut"),
        at_a_time(daily="07:00", **ENDS),
        polls(**ENDS),
    )
    await sage.hear(REQUEST, user_id=user.id)
    told = [each.prompt for each in sage.server.completions[7:]]
    assert "No function `is_fridge_shut` was written" in told[0]
    assert "`end_function` goes with `function`" in told[1].rpartition("07:00")[2]
    (routine,) = routines_of(sage, user)
    assert isinstance(routine.trigger, Condition)
    assert routine.end is not None
    assert (routine.trigger.function, routine.end.function) == ("is_garage_open", "is_fridge_open")


async def test_it_is_asked_where_and_by_whom(hass: HomeAssistant, sage: Sage) -> None:
    kitchen = device_of(hass, "light.kitchen_light")
    sage.model_says(at_a_time(in_minutes=5))
    await sage.hear("in 5 minutes turn off the kitchen light", device_id=kitchen)
    (routine,) = routines_of(sage, None)
    assert (routine.owner, routine.room, routine.device_id) == (None, "Kitchen", kitchen)
    assert not routine.person.is_certain


async def test_function_that_is_left_out_is_the_one_that_was_written(
    sage: Sage, user: User
) -> None:
    sage.model_says(*writes(), polls(function=""))
    await sage.hear(REQUEST, user_id=user.id)
    (routine,) = routines_of(sage, user)
    assert isinstance(routine.trigger, Condition)
    assert routine.trigger.function == "is_garage_open"


async def test_function_that_is_left_out_is_asked_for_where_two_were_written(
    sage: Sage, user: User
) -> None:
    sage.model_says(
        *writes(),
        *writes(code=DOOR.replace("is_garage_open", "is_it_open"), function="is_it_open"),
        polls(function=""),
        polls(function="is_it_open"),
    )
    await sage.hear(REQUEST, user_id=user.id)
    assert "exactly one of" in sage.server.completions[-1].prompt
    (routine,) = routines_of(sage, user)
    assert isinstance(routine.trigger, Condition)
    assert routine.trigger.function == "is_it_open"


async def test_wrong_name_of_a_function_is_told_the_right_one(sage: Sage, user: User) -> None:
    sage.model_says(
        *writes(),
        polls(function="garage_open"),
        polls(hold_minutes=1e9),
        polls(hold_minutes=-1),
        polls(),
    )
    await sage.hear(REQUEST, user_id=user.id)
    assert "There is: is_garage_open." in sage.server.completions[4].prompt
    for refused in sage.server.completions[5:7]:
        assert "hold_minutes" in refused.messages[-1]["content"]
    (routine,) = routines_of(sage, user)
    assert isinstance(routine.trigger, Condition)


async def test_function_and_time_are_not_one(sage: Sage, user: User) -> None:
    sage.model_says(*writes(), polls(at="21:00"), polls())
    await sage.hear(REQUEST, user_id=user.id)
    assert "exactly one of" in sage.server.completions[4].prompt
    (routine,) = routines_of(sage, user)
    assert isinstance(routine.trigger, Condition)


@pytest.mark.parametrize("kind", list(RoutineKind))
@pytest.mark.parametrize(
    ("language", "action"),
    [
        ("en", "tell me to lock up when the garage door opens"),
        ("de", "sag mir, dass ich abschließen soll, sobald das Garagentor aufgeht"),
        ("es", "dime que cierre con llave"),
        ("ja", "鍵をかけるように言って"),
    ],
)
async def test_words_and_kind_are_the_model_s_in_any_language(
    sage: Sage, user: User, kind: RoutineKind, language: str, action: str
) -> None:
    sage.model_says(*writes(), polls(kind=kind.value, action=action))
    await sage.hear("later", user_id=user.id, language=language)
    (routine,) = routines_of(sage, user)
    assert (routine.command, routine.kind) == (action, kind)


@pytest.mark.parametrize("kind", [None, "remind"])
async def test_kind_has_to_be_one_of_two(sage: Sage, user: User, kind: str | None) -> None:
    sage.model_says(at_a_time(in_minutes=5, kind=kind), at_a_time(in_minutes=5, kind="tell"))
    await sage.hear("later", user_id=user.id)
    assert "wrong arguments" in sage.server.completions[1].prompt
    (routine,) = routines_of(sage, user)
    assert routine.kind is RoutineKind.TELL


async def test_two_things_at_once(sage: Sage, user: User) -> None:
    """Several in one decision: none of them ends the run before the other."""
    sage.model_says(
        NATIVE.calls(
            (
                "condition_polling",
                {"kind": "tell", "action": "tell me to stretch", "in_minutes": 5, "final": True},
            ),
            (
                "condition_polling",
                {"kind": "tell", "action": "tell me to rest", "in_minutes": 9, "final": True},
            ),
        )
    )
    heard = await sage.hear("remind me twice", user_id=user.id)
    assert (heard.count("to stretch"), heard.count("to rest")) == (1, 1)
    told = [each.command for each in routines_of(sage, user)]
    assert told == ["tell me to stretch", "tell me to rest"]


async def test_now_and_later(hass: HomeAssistant, sage: Sage, user: User) -> None:
    request = "turn on the kitchen light and turn it off in 20 minutes"
    sage.model_says(
        *NATIVE.planned("turn on the kitchen light", step("command", "kitchen_light"), final=False),
        NATIVE.execute("kitchen_light", command="turn_on"),
        NATIVE.finish("acted", "The kitchen light is on."),
        at_a_time(in_minutes=20),
        NATIVE.finish("acted", "The light is on, and goes off in 20 minutes."),
    )
    heard = await sage.hear(request, user_id=user.id)
    assert heard == "The light is on, and goes off in 20 minutes."
    assert hass.states.is_state("light.kitchen_light", "on")
    assert len(routines_of(sage, user)) == 1


async def test_condition_may_need_no_device(sage: Sage, user: User) -> None:
    sage.model_says(
        NATIVE.call("condition_code_writing", condition="it gets dark"),
        plan(),
        NATIVE.call(
            "code_execution",
            function="is_it_dark",
            code="def is_it_dark():\n    print(now().year)\n    return is_dark()",
        ),
        polls(function="is_it_dark"),
    )
    heard = await sage.hear("kitchen light on whenever it gets dark", user_id=user.id)
    assert heard.startswith("All right. Whenever it gets dark: I'll turn on Kitchen Light.")
    (routine,) = routines_of(sage, user)
    assert not routine.bindings
