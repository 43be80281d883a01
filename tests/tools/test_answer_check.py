"""Final answers and questions, held against the evidence of a run."""

from collections.abc import Sequence

import pytest

from custom_components.sage.agent.decision import Finish, FinishKind
from custom_components.sage.agent.run import Exchange, Run, VerdictKind
from custom_components.sage.home.evidence import Evidence
from custom_components.sage.home.model import Outcome, OutcomeKind, Reading
from custom_components.sage.speech import Sentences
from custom_components.sage.tools.answer_check import EvidenceCheck
from tests.test_runs import a_run

SENTENCES = Sentences(
    {
        "nothing_changed": "Nothing changed.",
        "only_memory": "Only memory changed.",
        "kept_anyway": "I remember what you say.",
        "command_words": "turn,off",
        "remember_words": "remember",
        "forget_words": "forget",
        "routine_words": "remind,whenever",
        "message_words": "tell,remind",
        "routine_not_made": "Nothing was set up.",
        "routine_only": "Nothing changed yet.",
    }
)


@pytest.fixture
async def run() -> Run:
    return a_run()


def outcome(kind: OutcomeKind) -> Outcome:
    return Outcome(
        kind=kind,
        device_id="lamp",
        device_name="Lamp",
        component_id="light.lamp",
        capability="light",
        command="turn_on",
    )


def make(
    run: Run,
    *outcomes: Outcome,
    read: bool = False,
    kept: bool = False,
    is_remembered: bool = True,
    unwatched: bool = False,
    routines: Sequence[str] = (),
) -> EvidenceCheck:
    evidence = Evidence()
    evidence.record_outcomes(outcomes)
    for each in routines:
        evidence.record_routine(each)
    if unwatched:
        evidence.record_condition()
    if kept:
        evidence.record_kept()
    if read:
        reading = Reading(
            device_id="lamp", device_name="Lamp", component_id="light.lamp", values={"state": "on"}
        )
        evidence.record_reads([reading])

    def told(each: Sequence[Outcome]) -> str:
        return " ".join(f"{one.device_name} {one.kind.value}." for one in each)

    return EvidenceCheck(
        run,
        evidence,
        SENTENCES,
        say_outcomes=told,
        speaks_of_home=lambda text: "lamp" in text.casefold(),
        is_remembered=lambda: is_remembered,
    )


def finish(kind: FinishKind, answer: str = "It is all done now, as you wished.") -> Finish:
    return Finish(kind=kind, answer=answer)


PROBLEMS = [OutcomeKind.NOT_CONFIRMED, OutcomeKind.FAILED]
TRUE_AS_THEY_ARE = [
    OutcomeKind.ALREADY,
    OutcomeKind.UNDER_WAY,
    OutcomeKind.SENT,
    OutcomeKind.REFUSED,
]


@pytest.mark.parametrize("kind", list(FinishKind)[:4])
async def test_verified_keeps_the_words(run: Run, kind) -> None:
    verdict = make(run, outcome(OutcomeKind.VERIFIED)).judge(finish(kind))
    assert (verdict.kind, verdict.text) == (VerdictKind.ACCEPT, finish(kind).answer)


@pytest.mark.parametrize("problem", PROBLEMS)
@pytest.mark.parametrize("kind", [FinishKind.ACTED, FinishKind.ANSWERED])
async def test_problem_is_sent_back_once(run: Run, problem, kind) -> None:
    check = make(run, outcome(problem))
    assert check.judge(finish(kind)).kind is VerdictKind.SEND_BACK
    verdict = check.judge(finish(kind))
    assert (verdict.kind, verdict.text) == (VerdictKind.REPLACE, f"Lamp {problem.value}.")


@pytest.mark.parametrize("kind", TRUE_AS_THEY_ARE)
async def test_what_no_further_try_can_mend_is_told_at_once(run: Run, kind) -> None:
    verdict = make(run, outcome(kind)).judge(finish(FinishKind.ACTED))
    assert (verdict.kind, verdict.text) == (VerdictKind.REPLACE, f"Lamp {kind.value}.")


@pytest.mark.parametrize("kind", [*PROBLEMS, *TRUE_AS_THEY_ARE])
async def test_giving_up_is_told_by_the_code(run: Run, kind) -> None:
    verdict = make(run, outcome(kind)).judge(finish(FinishKind.COULD_NOT))
    assert verdict.text == f"Lamp {kind.value}."


async def test_streaming_needs_a_read_and_no_command(run: Run) -> None:
    assert not make(run).may_stream()
    assert make(run, read=True).may_stream()
    assert not make(run, outcome(OutcomeKind.VERIFIED), read=True).may_stream()
    run.act_intended = True
    assert not make(run, read=True).may_stream()


async def test_answer_after_a_read_stands(run: Run) -> None:
    verdict = make(run, read=True).judge(finish(FinishKind.ANSWERED, "The lamp is on."))
    assert verdict.text == "The lamp is on."


async def test_answer_after_a_read_when_something_was_to_be_done(run: Run) -> None:
    run.act_intended = True
    check = make(run, read=True)
    assert check.judge(finish(FinishKind.ANSWERED)).kind is VerdictKind.SEND_BACK
    assert check.judge(finish(FinishKind.ANSWERED)).text == "Nothing changed."


async def test_greeting_is_answered(run: Run) -> None:
    """The run's utterance is "hello"."""
    assert make(run).judge(finish(FinishKind.ANSWERED, "Hello!")).text == "Hello!"
    assert make(run).judge(finish(FinishKind.ANSWERED, "Done!")).kind is VerdictKind.SEND_BACK


@pytest.mark.parametrize(
    "question",
    ["Which lamp do you mean?", "Welche Lampe?", "¿Qué lámpara?", "哪个灯？", "أي مصباح؟", "Ποια;"],
)
async def test_plain_question_is_asked_as_it_is(run: Run, question) -> None:
    run.act_intended = True
    assert make(run).question(question) == question


@pytest.mark.parametrize(
    "question",
    ["Done. Anything else?", "It is on, all right?", "The light is on.", "好了。还有吗？"],
)
async def test_question_with_room_for_a_claim(run: Run, question) -> None:
    run.act_intended = True
    check = make(run)
    assert check.question(question) == f"Nothing changed. {question}"
    assert check.question(question) == question, "once is enough"


async def test_question_after_a_read_may_tell_what_was_read(run: Run) -> None:
    question = "It is 19 degrees. Warmer?"
    assert make(run, read=True).question(question) == question


async def test_question_after_commands(run: Run) -> None:
    question = "Done. Anything else?"
    assert make(run, outcome(OutcomeKind.VERIFIED)).question(question) == question
    check = make(run, outcome(OutcomeKind.FAILED))
    assert check.question(question) == f"Lamp failed. {question}"


@pytest.mark.parametrize(
    ("said", "told"), [("now turn it off", "Nothing changed. {}"), ("any jokes", "{}")]
)
async def test_repeated_answer_in_a_follow_up(said, told) -> None:
    answer = "As you wish, it has become dark and quiet."
    run = a_run(said=said, earlier=(Exchange(said="on", answered="On.", done="lamp on"),))
    check = make(run)
    assert check.judge(finish(FinishKind.ANSWERED, answer)).kind is VerdictKind.SEND_BACK
    assert check.judge(finish(FinishKind.ANSWERED, answer)).text == told.format(answer)


CLAIM = "All right, I will remember that from now on."


@pytest.mark.parametrize("kind", [FinishKind.ACTED, FinishKind.ANSWERED])
@pytest.mark.parametrize(
    ("is_remembered", "truth"), [(True, "I remember what you say."), (False, "Nothing changed.")]
)
async def test_claim_to_remember_without_the_tool(kind, is_remembered, truth) -> None:
    run = a_run(said="remember that I like tea")
    check = make(run, is_remembered=is_remembered)
    assert check.judge(finish(kind, CLAIM)).kind is VerdictKind.SEND_BACK
    verdict = check.judge(finish(kind, CLAIM))
    assert (verdict.kind, verdict.text) == (VerdictKind.REPLACE, truth)


@pytest.mark.parametrize("kind", [FinishKind.ACTED, FinishKind.ANSWERED])
@pytest.mark.parametrize(
    ("said", "told"),
    [("forget that I like tea", "Nothing changed."), ("please forget it", "Nothing changed. {}")],
)
async def test_claim_to_forget_without_the_tool(kind, said, told) -> None:
    answer = "I have forgotten that you like tea."
    check = make(a_run(said=said))
    assert check.judge(finish(kind, answer)).kind is VerdictKind.SEND_BACK
    text = check.judge(finish(kind, answer)).text
    assert text == ("Nothing changed." if kind is FinishKind.ACTED else told.format(answer))


@pytest.mark.parametrize("kind", list(FinishKind)[:4])
async def test_what_was_kept_may_be_claimed(kind) -> None:
    run = a_run(said="remember that I like tea")
    assert make(run, kept=True).judge(finish(kind, CLAIM)).text == CLAIM


@pytest.mark.parametrize("intended", [True, False])
async def test_memory_is_no_ground_for_a_claim_about_the_home(intended) -> None:
    run = a_run(said="turn on the lamp and remember that I like it")
    run.act_intended = intended
    check = make(run, kept=True)
    answer = "The lamp is on, and I will remember that."
    assert check.judge(finish(FinishKind.ACTED, answer)).kind is VerdictKind.SEND_BACK
    verdict = check.judge(finish(FinishKind.ACTED, answer))
    assert (verdict.kind, verdict.text) == (VerdictKind.REPLACE, "Only memory changed.")
    assert check.judge(finish(FinishKind.COULD_NOT, answer)).text == answer


@pytest.mark.parametrize(
    "said", ["remember that I like the lamp", "stop remembering", "turn off your memory"]
)
async def test_words_of_the_home_in_a_wish_to_the_memory(said) -> None:
    answer = "All right, I will remember that you like the lamp."
    assert make(a_run(said=said), kept=True).judge(finish(FinishKind.ACTED, answer)).text == answer
