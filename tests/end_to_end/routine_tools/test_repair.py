"""The model of the agent that wrote failing condition code repairs it."""

import json
from typing import Any
from unittest.mock import patch

import pytest
from homeassistant.auth.models import User

from benchmark.model_script import Answer, Completion, Fault, FaultKind
from custom_components.sage.routines.host.firing_runs import RoutineRuns
from custom_components.sage.routines.routine_types import Condition, Routine, RoutineError
from custom_components.sage.routines.sandbox.contract import CheckError
from custom_components.sage.routines.sandbox.contract import Fault as CheckFault
from tests.end_to_end.conftest import MakeSage, Sage
from tests.routine_house import a_routine

BROKEN = 'def is_open():\n    return get_state("garage_door") > 3\n'
MENDED = 'def is_open():\n    return get_state("garage_door") == "open"\n'
WATCHED = Condition(function="is_open", source=BROKEN)
ERROR = CheckError(fault=CheckFault.EXCEPTION, message="TypeError: '>' not supported", line=2)


async def rewritten(sage: Sage, routine: Routine) -> str:
    assert isinstance(routine.trigger, Condition)
    return await RoutineRuns(sage.hass, sage.entry).async_rewrite(routine, routine.trigger, ERROR)


def broken(user: User | None, **more: Any) -> Routine:
    return a_routine(
        user,
        when="the garage is open",
        trigger=WATCHED,
        **({"bindings": {"garage_door": "device:1", "garage_door\t\tstate": "x"}} | more),
    )


@pytest.mark.parametrize(
    "text",
    [json.dumps({"code": MENDED}), f"Here it is:\n```python\n{MENDED}```\nThat should do.", MENDED],
)
async def test_code_is_written_anew(sage: Sage, user: User, text: str) -> None:
    sage.model_says(Completion(text=text))
    assert await rewritten(sage, broken(user)) == MENDED
    (asked,) = sage.server.completions
    prompt = asked.prompt
    assert "get_state(device: str)" in prompt
    assert "generators (`yield`)" in prompt
    assert "Condition: the garage is open" in prompt
    assert "closed|closing|open|opening" in prompt
    assert BROKEN.strip() in prompt
    assert "line 2: TypeError" in prompt
    assert "open_cover" not in prompt
    assert asked.body["response_format"]


async def test_devices_are_those_that_the_owner_may_see(sage: Sage, user: User) -> None:
    sage.model_says(Completion(text=MENDED))
    await rewritten(sage, broken(user, bindings={"garage_dor": "device:1"}))
    prompt = sage.server.completions[0].prompt
    # The name no longer exists: the error lists similar ones.
    assert "garage_door" in prompt.rpartition("garage_dor:")[2]
    sage.model_says(Completion(text=MENDED))
    await rewritten(sage, broken(user, bindings={}))
    assert "not known" in sage.server.completions[0].prompt


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (Completion(text=json.dumps({"code": BROKEN})), "changed nothing"),
        (Completion(text="def other():\n    return True"), "no code with that function"),
        (Completion(text="I cannot."), "no code with that function"),
        (Fault(kind=FaultKind.KEY_REFUSED), "no answer"),
    ],
)
async def test_no_other_code_can_be_had(sage: Sage, user: User, answer: Answer, why: str) -> None:
    sage.model_says(answer)
    with pytest.raises(RoutineError, match=why) as refused:
        await rewritten(sage, broken(user))
    assert not refused.value.is_temporary


@pytest.mark.parametrize(
    "kind", [FaultKind.DROPPED, FaultKind.RATE_LIMITED, FaultKind.SERVER_ERROR, FaultKind.CUT]
)
async def test_a_model_that_is_away_may_be_there_later(
    sage: Sage, user: User, kind: FaultKind
) -> None:
    sage.model_says(*[Fault(kind=kind)] * 9)
    with pytest.raises(RoutineError, match="no answer") as refused:
        await rewritten(sage, broken(user))
    assert refused.value.is_temporary


async def test_no_agent_is_left(make_sage: MakeSage, user: User) -> None:
    sage = await make_sage()
    agents = sage.entry.runtime_data.agents
    with patch.dict(agents, clear=True), pytest.raises(RoutineError, match="Add one"):
        await RoutineRuns(sage.hass, sage.entry).async_rewrite(broken(user), WATCHED, ERROR)
