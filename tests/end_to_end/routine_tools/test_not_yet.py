"""What is for later is not done at once; what is for now is done without a detour."""

import json

import pytest
from homeassistant.auth.models import User
from homeassistant.core import HomeAssistant

from benchmark.model_script import Completion
from custom_components.sage.routines.routine_types import RoutineKind
from tests.decisions import FORMATS, NATIVE, Decides, plan, step
from tests.end_to_end.conftest import MakeSage, Sage

from .setting_up import REQUEST, SET_UP, at_a_time, polls, routines_of, writes

ON = "light.kitchen_light"


def asks(timing: str, decides: Decides = NATIVE) -> Completion:
    return decides.call(
        "device_interaction", command="turn on the kitchen light", timing=timing, final=True
    )


def operates() -> list[Completion]:
    return [
        asks("now"),
        plan(step("command", "kitchen_light")),
        NATIVE.execute("kitchen_light", command="turn_on", arguments={}),
        NATIVE.finish("acted", "The kitchen light is on."),
    ]


@pytest.mark.parametrize("decision_format", FORMATS)
async def test_what_is_for_later_leads_to_the_tools_for_it(
    hass: HomeAssistant, sage: Sage, user: User
) -> None:
    sage.model_says(asks("later", sage.decides), *writes(sage.decides), polls(sage.decides))
    heard = await sage.hear(REQUEST, user_id=user.id)
    assert heard == SET_UP
    told = sage.server.completions[1].prompt
    assert "if something has to happen first, `condition_code_writing`" in told
    assert hass.states.is_state(ON, "off")
    assert len(routines_of(sage, user)) == 1


async def test_it_has_to_be_said_which(sage: Sage) -> None:
    sage.model_says(
        NATIVE.call("device_interaction", command="turn on the kitchen light", final=True),
        asks("soon"),
        *operates(),
    )
    assert await sage.hear("turn on the kitchen light") == "The kitchen light is on."
    assert "timing" in sage.server.completions[1].prompt.rpartition("wrong arguments")[2]
    assert "wrong arguments" in sage.server.completions[2].prompt


FOR_NOW = (
    "turn on the kitchen light when you get a chance",
    "turn on the kitchen light if you can",
    "could you turn on the light when it is dark?",
    "play the song If I could turn back time in the kitchen light",
    "If the bedroom is over 25 degrees, turn on the kitchen light. Otherwise leave it alone.",
    "mach bitte das Küchenlicht an, wenn es geht",
    "allume la cuisine, s'il te plaît",
    "enciende la luz de la cocina cuando puedas",
    "できたら台所の明かりをつけて",
)


async def test_what_is_for_now_costs_no_call_more(sage: Sage, subtests: pytest.Subtests) -> None:
    for said in FOR_NOW:
        with subtests.test(said):
            sage.conversation_id = None
            sage.model_says(*operates())
            assert await sage.hear(said) == "The kitchen light is on."
            assert sage.state(ON) == "on"
            assert sage.model_calls == len(operates())
        await sage.hass.services.async_call("light", "turn_off", {"entity_id": ON}, blocking=True)


WEAK = {
    "model": "test-model",
    "formats": ["native", "constrained", "react"],
    "confuses_later": True,
}
"""An agent whose model does at once what is for later, as the probe has found out."""


def wants(what: str) -> Completion:
    return Completion(text=json.dumps({"wants": what}))


def waits_for(what: str) -> Completion:
    return Completion(text=json.dumps({"waits_for": what}))


@pytest.mark.parametrize("name", FORMATS)
async def test_a_weak_model_is_asked_first(make_sage: MakeSage, user: User, name: str) -> None:
    sage, decides = await make_sage(name, **WEAK), Decides(name)
    sage.model_says(
        *(wants("event"), waits_for("event"), wants("change")),
        *(asks("now", decides), *writes(decides), polls(decides)),
    )
    assert await sage.hear(REQUEST, user_id=user.id) == SET_UP
    for number, field in ((0, "wants"), (1, "waits_for"), (2, "wants")):
        asked = sage.server.completions[number]
        assert asked.prompt.rstrip().endswith(f"Request: {REQUEST}")
        schema = asked.body["response_format"]["json_schema"]["schema"]
        assert [*schema["properties"]] == [field]
    assert schema["properties"]["wants"]["enum"] == ["change", "tell"]
    assert sage.state(ON) == "off"
    assert len(routines_of(sage, user)) == 1


NOTHING = waits_for("nothing")
OF_OTHERS = Completion(text='{"about": "world"}')
EVENT = (wants("event"), waits_for("event"), wants("change"))
FOR_NOW_ONLY = "For now: `execute_command`."
QUESTION_ONLY = "A question: `finish`."
BOTH = f"{FOR_NOW_ONLY} {QUESTION_ONLY}"


@pytest.mark.parametrize(
    ("judged", "shown"),
    [
        ((wants("change"), NOTHING), FOR_NOW_ONLY),
        ((wants("tell"), NOTHING, OF_OTHERS), QUESTION_ONLY),
        ((wants("tell"), waits_for("event")), BOTH),
        ((wants("event"), NOTHING), BOTH),
        ((wants("time"),), BOTH),
    ],
)
async def test_a_weak_model_reads_at_the_end_what_the_request_wants(
    make_sage: MakeSage, judged: tuple[Completion, ...], shown: str
) -> None:
    sage = await make_sage("constrained", **WEAK)
    sage.model_says(*judged, Decides("constrained").finish("could_not", "No."))
    await sage.hear("turn on the kitchen light")
    decided = sage.server.completions[len(judged)]
    assert decided.prompt.rstrip().endswith(f"\n{shown}\nRequest: turn on the kitchen light")
    devices = decided.prompt.rpartition("Devices the request may mean")[2]
    assert ("commands:" in devices) is (shown != QUESTION_ONLY)


@pytest.mark.parametrize(("wanted", "may_list"), [("change", False), ("other", True)])
async def test_for_a_command_a_weak_model_chooses_among_the_tools_that_do_it(
    make_sage: MakeSage, wanted: str, may_list: bool
) -> None:
    sage = await make_sage("constrained", **WEAK)
    judged = (wants(wanted), NOTHING)[: 1 if may_list else 2]
    sage.model_says(*judged, Decides("constrained").finish("could_not", "No."))
    await sage.hear("turn on the kitchen light")
    decided = sage.server.completions[len(judged)]
    assert "- routines(" in decided.prompt
    listed = decided.body["response_format"]["json_schema"]["schema"]["properties"]["actions"]
    tools = {
        each["properties"]["tool"]["enum"][0]: each["properties"]["input"]["properties"]
        for each in listed["items"]["anyOf"]
    }
    assert {"execute_command", "device_interaction", "finish"} <= tools.keys()
    assert ("routines" in tools) is may_list
    assert tools["execute_command"]["devices"]["items"] == {"type": "string"}


def tools_of(sage: Sage, number: int) -> set[str]:
    """Return the names of the tools that the reply of a request to the model can call."""
    schema = sage.server.completions[number].body["response_format"]["json_schema"]["schema"]
    listed = schema["properties"]["actions"]["items"]["anyOf"]
    return {each["properties"]["tool"]["enum"][0] for each in listed}


async def test_an_event_that_comes_first_is_written_first(make_sage: MakeSage, user: User) -> None:
    sage, decides = await make_sage("constrained", **WEAK), Decides("constrained")
    sage.model_says(*EVENT, *writes(decides), polls(decides))
    assert await sage.hear(REQUEST, user_id=user.id) == SET_UP
    assert tools_of(sage, 3) == {"condition_code_writing"}
    assert tools_of(sage, -1) == {"condition_polling"}


async def test_an_event_that_cannot_be_written_is_said(make_sage: MakeSage) -> None:
    sage, decides = await make_sage("constrained", **WEAK), Decides("constrained")
    sage.model_says(
        *EVENT,
        decides.call("condition_code_writing", condition="the unicorn comes"),
        plan(missing=("unicorn",)),
        decides.finish("could_not", "There is no unicorn."),
        decides.finish("could_not", "There is no unicorn."),
    )
    assert await sage.hear("turn on the kitchen light when the unicorn comes")
    assert tools_of(sage, -1) == {"condition_code_writing", "finish"}


TOLD = {"kind": "tell", "action": "Lock up.", "commands": []}


@pytest.mark.parametrize("is_late", [False, True])
@pytest.mark.parametrize(("wanted", "is_told"), [("tell", True), ("change", False)])
async def test_what_a_weak_model_sets_up_is_what_it_said_before(
    make_sage: MakeSage, user: User, wanted: str, *, is_told: bool, is_late: bool
) -> None:
    """The other kind is refused, also if the event shows only in the first decision."""
    sage, decides = await make_sage("constrained", **WEAK), Decides("constrained")
    event = (wants("event"), waits_for("event"), wants(wanted))
    now = (wants(wanted), NOTHING, *([OF_OTHERS] if is_told else []))
    early = decides.call("condition_polling", **TOLD, final=True)
    do, tell = polls(decides), polls(decides, **TOLD)
    sage.model_says(
        *((*now, early) if is_late else event),
        *(*writes(decides), *((do, tell) if is_told else (tell, do))),
    )
    await sage.hear("remind me to lock up when the garage door opens", user_id=user.id)
    (routine,) = routines_of(sage, user)
    assert (routine.kind is RoutineKind.TELL) is is_told


async def test_what_a_weak_model_insists_on_is_set_up(make_sage: MakeSage, user: User) -> None:
    """The first of its two replies may have been the wrong one."""
    sage, decides = await make_sage("constrained", **WEAK), Decides("constrained")
    event = (wants("event"), waits_for("event"), wants("tell"))
    sage.model_says(*event, *writes(decides), polls(decides), polls(decides))
    assert await sage.hear(REQUEST, user_id=user.id) == SET_UP
    assert tools_of(sage, -1) == {"condition_polling", "finish"}


@pytest.mark.parametrize(("waits", "is_event"), [("nothing", True), ("time", False)])
async def test_what_is_to_be_watched_without_a_time_waits_for_an_event(
    make_sage: MakeSage, user: User, waits: str, *, is_event: bool
) -> None:
    """The model may not say so before, but shows it with its first decision."""
    sage, decides = await make_sage("constrained", **WEAK), Decides("constrained")
    early = decides.call(
        "condition_polling", kind="tell", action="Lock up.", commands=[], final=True
    )
    sage.model_says(wants("?"), early, waits_for(waits), *writes(decides), polls(decides))
    assert await sage.hear(REQUEST, user_id=user.id) == SET_UP
    assert "condition_polling" in tools_of(sage, 1)
    assert ("condition_polling" in tools_of(sage, 3)) is not is_event


@pytest.mark.parametrize(
    ("wanted", "actions"),
    [
        ("change", ["command", "read"]),
        ("tell", ["read", "before", "past"]),
        ("other", ["command", "read", "before", "past"]),
    ],
)
async def test_a_plan_of_a_weak_model_only_has_actions_that_the_request_wants(
    make_sage: MakeSage, wanted: str, actions: list[str]
) -> None:
    sage, decides = await make_sage("constrained", **WEAK), Decides("constrained")
    judged = (wants(wanted), NOTHING, OF_OTHERS)[: ("other", "change", "tell").index(wanted) + 1]
    sage.model_says(
        *judged,
        decides.call("device_interaction", timing="now", final=True),
        *([] if len(judged) > 1 else [NOTHING]),
        plan(),
        decides.finish("could_not", "There is no such device."),
    )
    await sage.hear("do something with the kitchen light")
    planned = next(
        each.body["response_format"]["json_schema"]["schema"]
        for each in sage.server.completions
        if "steps" in str(each.body.get("response_format"))
    )
    action = planned["properties"]["steps"]["items"]["properties"]["action"]
    assert action["enum"] == actions


HM = Completion(text="Hm.")


@pytest.mark.parametrize(
    ("before", "waits"),
    [((wants("change"), NOTHING), ()), ((wants("?"),), (waits_for("?"),)), ((HM,), (HM,))],
)
async def test_a_weak_model_goes_on_with_what_is_for_now(
    make_sage: MakeSage, before: tuple[Completion, ...], waits: tuple[Completion, ...]
) -> None:
    sage = await make_sage(**WEAK)
    first, *rest, _ = operates()
    sage.model_says(*before, first, *waits, *rest)
    assert await sage.hear("turn on the kitchen light if you can") == "Kitchen Light is now on."


async def test_a_weak_model_is_asked_once(make_sage: MakeSage) -> None:
    """It may know better than its own first answer."""
    sage = await make_sage(**WEAK)
    sage.model_says(wants("?"), asks("now"), waits_for("event"), *operates()[:-1])
    assert await sage.hear("turn on the kitchen light") == "Kitchen Light is now on."


async def test_a_weak_model_is_not_asked_after_the_set_up(make_sage: MakeSage) -> None:
    sage = await make_sage(**WEAK)
    sage.model_says(wants("time"), at_a_time(in_minutes=20, final=False), *operates())
    await sage.hear("turn on the kitchen light, and off in 20 minutes")
    assert sage.state(ON) == "on"


async def test_the_flow_of_the_paper_asks_nothing_of_its_own(make_sage: MakeSage) -> None:
    sage = await make_sage(**WEAK, paper_flow=True)
    _, planned, executed, finished = operates()
    command = "turn on the kitchen light"
    sage.model_says(
        NATIVE.call("device_interaction", command=command),
        NATIVE.call("device_interaction_planner", command=command),
        planned,
        executed,
        finished,
        finished,
    )
    assert await sage.hear(command) == "The kitchen light is on."
