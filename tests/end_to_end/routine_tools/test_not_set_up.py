"""Nothing is promised that was not set up."""

from typing import Any

import pytest
from homeassistant.auth.models import User

from benchmark.model_script import Completion
from custom_components.sage.agent.run import new_run
from custom_components.sage.routines.routine_types import RoutineError, Status
from tests.decisions import NATIVE, plan
from tests.end_to_end.conftest import Sage
from tests.without_monty import without_monty

from .setting_up import REQUEST, at_a_time, polls, routines_of, writes


def promises(words: str) -> Completion:
    """Return the end of a model that claims to have set something up for later."""
    return NATIVE.call("finish", kind="acted", about=["later"], claims=[], answer=words)


async def test_promise_without_a_routine_is_sent_back(sage: Sage, user: User) -> None:
    sage.model_says(
        promises("Sure, I will do that for you as soon as it opens."),
        *writes(),
        promises("I am watching the door now."),
    )
    heard = await sage.hear("remind me to lock up when the garage opens", user_id=user.id)
    assert "Nothing was set up for later" in sage.server.completions[1].prompt
    assert heard == "I have not set up a routine."
    assert not routines_of(sage, user)


async def test_untrusted_text_asks_first(sage: Sage, user: User, monkeypatch: Any) -> None:
    taint(monkeypatch)
    sage.model_says(at_a_time(at="2099-01-01 09:00"), NATIVE.finish("could_not", "I left it."))
    asked = await sage.hear("turn it off when the mail says", user_id=user.id)
    assert asked.endswith("On January 1, 2099, at 09:00: I'll turn off Kitchen Light.")
    assert "Shall I set up the routine?" in asked
    assert not routines_of(sage, user)
    await sage.hear("no", user_id=user.id)
    assert not routines_of(sage, user)

    sage.model_says(at_a_time(at="2099-01-01 09:00"))
    await sage.hear("turn it off when the mail says", user_id=user.id)
    heard = await sage.hear("yes", user_id=user.id)
    assert heard.startswith("All right.")
    (routine,) = routines_of(sage, user)
    assert routine.tainted
    assert routine.status is Status.WATCHING


def taint(monkeypatch: Any) -> None:
    real = new_run

    def tainted(*given: Any, **more: Any) -> Any:
        run = real(*given, **more)
        run.taint()
        return run

    monkeypatch.setattr("custom_components.sage.conversation.new_run", tainted)


async def test_condition_is_written_and_not_answered(sage: Sage, user: User) -> None:
    first, planned, coded = writes()
    sage.model_says(
        first, planned, NATIVE.finish("answered", "The garage door is closed."), coded, polls()
    )
    await sage.hear(REQUEST, user_id=user.id)
    assert "No function was written yet" in sage.server.completions[3].prompt
    assert len(routines_of(sage, user)) == 1


async def test_condition_that_nothing_can_tell(sage: Sage, user: User) -> None:
    sage.model_says(
        NATIVE.call("condition_code_writing", condition="is the neighbour at home?"),
        plan(),
        NATIVE.finish("could_not", "Nothing here knows the neighbour."),
        NATIVE.finish("could_not", "Nothing here knows the neighbour."),
    )
    heard = await sage.hear("tell the neighbour hello when they come", user_id=user.id)
    assert "no device fits" in sage.server.completions[2].prompt
    assert "No function was written" in sage.server.completions[3].prompt
    assert "Nothing here knows the neighbour." in heard
    assert not routines_of(sage, user)


async def test_without_monty_no_code_is_written(sage: Sage, user: User) -> None:
    first, *_ = writes()
    sage.model_says(first, NATIVE.finish("could_not", "I cannot watch that here."))
    with without_monty():
        heard = await sage.hear(REQUEST, user_id=user.id)
    told = sage.server.completions[1].prompt
    assert "Conditions cannot be checked on this machine: " in told
    assert "free memory and free disk space, then restart it" in told
    assert "Only the clock can trigger something here" in told
    assert "I cannot watch that here." in heard
    assert not routines_of(sage, user)


async def test_what_cannot_be_stored_is_not_promised(
    sage: Sage, user: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def full(_: object) -> None:
        raise RoutineError("There are too many. Delete one first.")

    monkeypatch.setattr(sage.entry.runtime_data.routines, "async_create", full)
    sage.model_says(
        at_a_time(in_minutes=5),
        NATIVE.finish("acted", "It is set up."),
        NATIVE.finish("could_not", "There are too many already."),
    )
    heard = await sage.hear("turn it off in 5 minutes", user_id=user.id)
    assert "Delete one first. Nothing was set up." in sage.server.completions[1].prompt
    assert "There are too many already." in heard
    assert not routines_of(sage, user)
