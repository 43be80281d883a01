"""Final answers about what is to be done later, and of runs in which a routine fires."""

from dataclasses import replace

import pytest

from custom_components.sage.agent.decision import FinishKind
from custom_components.sage.agent.run import FiredRoutine, Run, VerdictKind
from custom_components.sage.home.model import OutcomeKind
from tests.test_runs import a_run
from tests.tools.test_answer_check import finish, make, outcome

MADE = "Whenever it opens: turn on the lamp."
FIRED = FiredRoutine(id="1", when="it opens")

ACCEPT, SEND_BACK, REPLACE = VerdictKind.ACCEPT, VerdictKind.SEND_BACK, VerdictKind.REPLACE


def fired(command: str) -> Run:
    """Return the run of a routine that fires."""
    run = a_run(said=command)
    run.utterance = replace(run.utterance, routine=FIRED)
    return run


@pytest.mark.parametrize("kind", [FinishKind.ACTED, FinishKind.ANSWERED])
async def test_promise_is_sent_back_once(kind) -> None:
    check = make(a_run(said="Remind me of the milk tomorrow"), read=True)
    assert not check.may_stream()
    assert check.judge(finish(kind)).kind is SEND_BACK
    verdict = check.judge(finish(kind))
    assert (verdict.kind, verdict.text) == (REPLACE, "Nothing was set up.")


async def test_giving_up_is_no_promise() -> None:
    check = make(a_run(said="Remind me of the milk tomorrow"), read=True)
    assert check.judge(finish(FinishKind.COULD_NOT, "I cannot.")).text == "I cannot."


async def test_condition_that_nothing_watches() -> None:
    check = make(a_run(said="light when it opens"), read=True, unwatched=True)
    assert not check.may_stream()
    assert check.judge(finish(FinishKind.ANSWERED)).kind is SEND_BACK
    assert check.judge(finish(FinishKind.ANSWERED)).text == "Nothing was set up."


async def test_condition_that_was_asked_about() -> None:
    """A function may be written to answer a question."""
    check = make(a_run(said="has it been open all day?"), read=True, unwatched=True)
    assert check.judge(finish(FinishKind.ANSWERED, "No.")).text == "No."


async def test_done_and_promised_in_vain() -> None:
    run = a_run(said="turn it on, and off when it opens")
    check = make(run, outcome(OutcomeKind.VERIFIED), unwatched=True)
    assert check.judge(finish(FinishKind.ACTED)).kind is SEND_BACK
    assert check.judge(finish(FinishKind.ACTED)).text == "Lamp verified. Nothing was set up."


async def test_words_for_what_was_set_up_are_the_code_s() -> None:
    check = make(a_run(said="turn on the lamp when it opens"), routines=[MADE], read=True)
    assert not check.may_stream()
    verdict = check.judge(finish(FinishKind.ACTED, "The lamp is on."))
    assert (verdict.kind, verdict.text) == (REPLACE, MADE)


async def test_answer_beside_what_was_set_up() -> None:
    check = make(a_run(said="is the lamp on? remind me at 9"), routines=[MADE], read=True)
    verdict = check.judge(finish(FinishKind.ANSWERED, "The lamp is on."))
    assert verdict.text == f"{MADE} The lamp is on."


async def test_remembered_beside_what_was_set_up() -> None:
    check = make(a_run(said="remember that"), routines=[MADE], kept=True)
    assert check.judge(finish(FinishKind.ACTED, "Noted.")).text == f"{MADE} Noted."
    assert check.judge(finish(FinishKind.ACTED, "The lamp is on.")).text == MADE


async def test_what_was_to_be_done_beside_is_not_forgotten() -> None:
    run = a_run(said="turn it on now, and off at 9")
    run.act_intended = True
    check = make(run, routines=[MADE])
    assert check.judge(finish(FinishKind.ACTED)).kind is SEND_BACK
    assert check.judge(finish(FinishKind.ACTED)).text == f"{MADE} Nothing changed yet."


async def test_problem_with_what_was_done_beside() -> None:
    check = make(a_run(), outcome(OutcomeKind.ALREADY), routines=[MADE])
    assert check.judge(finish(FinishKind.ACTED)).text == f"Lamp already. {MADE}"


@pytest.mark.parametrize("kind", [FinishKind.ACTED, FinishKind.ANSWERED])
@pytest.mark.parametrize(
    "command",
    ["tell me to throw out the milk", "Remind me to turn off the lamp", "please tell me: lamp!"],
)
async def test_reminder_is_what_it_says(command, kind) -> None:
    verdict = make(fired(command)).judge(finish(kind, "Turn off the lamp."))
    assert (verdict.kind, verdict.text) == (ACCEPT, "Turn off the lamp.")


@pytest.mark.parametrize("kind", [FinishKind.ACTED, FinishKind.ANSWERED])
async def test_command_that_fires_stays_to_be_proven(kind) -> None:
    check = make(fired("turn on the lamp"))
    assert check.judge(finish(kind, "The lamp is on.")).kind is SEND_BACK
    assert check.judge(finish(kind, "The lamp is on.")).text == "Nothing changed."


async def test_reminder_with_a_command_that_was_planned() -> None:
    run = fired("tell me, and turn on the lamp")
    run.act_intended = True
    assert make(run).judge(finish(FinishKind.ACTED)).kind is SEND_BACK


async def test_message_of_somebody_who_speaks_is_no_routine() -> None:
    check = make(a_run(said="tell me the lamp is on"))
    assert check.judge(finish(FinishKind.ACTED, "The lamp is on.")).kind is SEND_BACK
