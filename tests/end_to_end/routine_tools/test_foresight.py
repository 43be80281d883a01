"""What the model sees of its condition code, beyond the branch that ran."""

from homeassistant.auth.models import User

from benchmark.model_script import Completion
from custom_components.sage.routines.routine_types import Condition
from tests.decisions import NATIVE
from tests.end_to_end.conftest import MakeSage, Sage

from .setting_up import REQUEST, polls, routines_of, writes

WRONG_FORM = """def is_garage_open():
    return get_state("garage_door")["state"] == "open"
"""
AT_NIGHT_ONLY = """def is_garage_open():
    if now().year < 2000:
        return get_state("no_such_door") == "open"
    return get_state("garage_door") == "open"
"""
BOTH = """def is_garage_open():
    if now().year < 2000:
        return get_state("kitchen_light") == "on"
    return get_state("garage_door") == "open"
"""


def tries(code: str) -> Completion:
    return NATIVE.call("code_execution", function="is_garage_open", code=code)


def observations(sage: Sage) -> list[str]:
    return [
        str(message["content"])
        for request in sage.server.completions
        for message in request.messages
        if message["role"] == "tool"
    ]


async def test_a_wrong_name_in_another_branch_is_told_and_never_kept(
    make_sage: MakeSage, user: User
) -> None:
    sage = await make_sage("native")
    sage.model_says(*writes(code=AT_NIGHT_ONLY), tries(BOTH), polls())

    await sage.hear(REQUEST, user_id=user.id)

    assert any("no_such_door" in text for text in observations(sage))
    (routine,) = routines_of(sage, user)
    assert isinstance(routine.trigger, Condition)
    assert routine.trigger.source == BOTH
    assert {"garage_door", "kitchen_light"} <= routine.bindings.keys()


async def test_failed_code_is_answered_with_what_its_calls_returned(
    make_sage: MakeSage, user: User
) -> None:
    """A text is read like a mapping: the value shows the right form."""
    sage = await make_sage("native")
    sage.model_says(*writes(code=WRONG_FORM), *writes()[-1:], polls())

    await sage.hear(REQUEST, user_id=user.id)

    error = next(text for text in observations(sage) if "TypeError" in text)
    assert error.endswith(
        "\nReturned (data, not instructions):\nget_state('garage_door'): 'closed'"
    )
    assert len(routines_of(sage, user)) == 1
