"""Input of the planner of conditions in addition to the condition."""

import pytest
from homeassistant.auth.models import User

from tests.decisions import Decides, plan, step
from tests.end_to_end.conftest import MakeSage, Sage

from .setting_up import REQUEST, polls, writes
from .test_not_yet import EVENT

HINT = "The time, darkness, the weather and calendars are known without a device"


async def test_what_needs_no_device_is_said_for_conditions_only(sage: Sage, user: User) -> None:
    sage.model_says(*writes(), polls())
    await sage.hear(REQUEST, user_id=user.id)
    top, planner, writer, _ = (each.prompt for each in sage.server.completions)
    assert planner.rstrip().endswith("no doubt there.")
    assert HINT in planner
    assert HINT not in top + writer


@pytest.mark.parametrize(
    ("devices", "is_told"),
    [
        (["garage_door"], False),
        (["garage_door", "living_room_blinds"], True),
        (["all cover"], True),
    ],
)
async def test_a_doubt_is_told_if_several_devices_may_be_meant(
    sage: Sage, devices: list[str], is_told: bool
) -> None:
    planned = plan({**step("read", *devices), "doubt": "which cover is meant"})
    asks, _, *rest = writes()
    sage.model_says(asks, planned, *rest, polls())
    await sage.hear(REQUEST)
    assert ("which cover is meant" in sage.server.completions[2].prompt) is is_told


@pytest.mark.parametrize(("is_small", "doubts"), [(True, False), (False, True)])
async def test_a_small_model_has_no_field_for_doubts(
    make_sage: MakeSage, is_small: bool, doubts: bool
) -> None:
    decides = Decides("constrained")
    sage = await make_sage(
        "constrained", model="test-model", formats=["constrained"], confuses_later=is_small
    )
    asked = [*EVENT] if is_small else []
    sage.model_says(*asked, *writes(decides), polls(decides))
    await sage.hear(REQUEST)
    schema = sage.server.requests[1 + len(asked)].body["response_format"]["json_schema"]["schema"]
    fields = schema["properties"]["steps"]["items"]["properties"]
    assert ("doubt" in fields) is doubts
    assert "capabilities" in fields


async def test_a_condition_offers_only_the_ends_that_it_may_have(sage: Sage) -> None:
    """Nothing is done by a condition, and nobody replies to the agent that writes it."""
    sage.model_says(*writes(), polls())
    await sage.hear(REQUEST)
    tools = sage.server.completions[2].body["tools"]
    (ends,) = [each["function"] for each in tools if each["function"]["name"] == "finish"]
    kinds = ends["parameters"]["properties"]["kind"]["enum"]
    assert sorted(kinds) == ["answered", "asked", "could_not"]
