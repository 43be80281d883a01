"""Final answers and their claims, compared with the record of a run."""

import json
from collections.abc import Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from custom_components.sage.agent.decision import About, Claim, ClaimResult, Finish, FinishKind
from custom_components.sage.agent.port import FiredRoutine
from custom_components.sage.agent.record import ActIntended, Record
from custom_components.sage.agent.run import AgentSettings, Run
from custom_components.sage.home.commands.evidence import Evidence, RunEvent, RunEventKind, Unasked
from custom_components.sage.home.home_types import Fact, Outcome, OutcomeKind, Reading
from custom_components.sage.home.listing import Listing
from custom_components.sage.model.language_model import DeltaSink, ModelReply, ModelRequest
from custom_components.sage.run.claim_check import AnswerCheck
from custom_components.sage.text.speech import Sentences
from tests.agent.test_formats import make as make_format
from tests.home.listings import plain_device, plain_listing, reading_of
from tests.run.test_run_registry import a_run

SENTENCES = Sentences(
    {
        "nothing_changed": "Nothing changed.",
        "nothing_more_changed": "Nothing else changed.",
        "nothing_looked_up": "Nothing looked up.",
        "only_memory": "Only memory changed.",
        "routine_not_made": "Nothing was set up.",
        "seen_state": "{device}: {state}.",
        "state_on": "on",
        "state_off": "off",
    }
)
LISTING = plain_listing(
    plain_device("lamp", "Lamp", "light.lamp", area="Hall"),
    plain_device("spot", "Spot", "light.spot", area="Hall"),
    plain_device("door", "Door", "lock.door", area="Hall"),
    plain_device("set", "Set", "switch.set", "sensor.set_power", "sensor.set_channel=Channel"),
)
ANSWER = "It is all done now, as you wished."
MADE = "Whenever it opens: turn on the lamp."
ACTED, ANSWERED, ASKED, COULD_NOT = list(FinishKind)[:4]


class Verifier:
    """A model that verifies answers: it finds the statements of `unproven` in each.

    Asked what an answer speaks of, it says `speaks_of`.
    """

    name = "verifier"

    def __init__(self) -> None:
        self.unproven: list[str] = []
        self.speaks_of = "life"
        self.asked: list[ModelRequest] = []

    async def async_complete(
        self, request: ModelRequest, *, on_delta: DeltaSink | None = None
    ) -> ModelReply:
        self.asked.append(request)
        said = {"unproven": self.unproven, "speaks_of": self.speaks_of}
        (name,) = (request.response_schema or {"properties": said})["properties"]
        return ModelReply(text=json.dumps({name: said[name]}))


@pytest.fixture
def verifier() -> Verifier:
    return Verifier()


@pytest.fixture
async def run(verifier: Verifier) -> Run:
    made = a_run()
    made.settings = AgentSettings(
        name="SAGE",
        model=verifier,
        decision_format=make_format("native"),
        schema_works=True,
        prompts={"verify_answer": "", "small_talk": "\n\nThe person said: hi\nSentence: Hi!\n{}"},
    )
    return made


def outcome(
    kind: OutcomeKind, device: str = "lamp", state: str | None = "on", **more: Any
) -> Outcome:
    domain = "lock" if device == "door" else "light"
    return Outcome(
        kind=kind,
        device_id=device,
        device_name=device.title(),
        component_id=f"{domain}.{device}",
        capability=domain,
        command="turn_on",
        after={**({} if state is None else {"state": state}), **more.pop("after", {})},
        **more,
    )


def reading(device: str = "lamp", **values: object) -> Reading:
    domain = "lock" if device == "door" else "light"
    return reading_of(f"{domain}.{device}", values)


def claim(device: str, value: str = "", result: str = "verified", attribute: str = "") -> Claim:
    return Claim(devices=(device,), result=ClaimResult(result), value=value, attribute=attribute)


def finish(kind: FinishKind, *claims: Claim, about: str = "home") -> Finish:
    subjects = frozenset(map(About, about.split()))
    return Finish(kind=kind, answer=ANSWER, about=subjects, claims=claims)


def make(
    run: Run,
    *record: Outcome | Reading,
    kept: bool = False,
    unwatched: bool = False,
    routines: Sequence[str] = (),
    names: Sequence[str] = (),
    changed: Sequence[Reading] = (),
    listing: Listing = LISTING,
) -> AnswerCheck:
    run.record, evidence = Record("sage"), Evidence()
    run.record.listeners.append(evidence.take)
    changes = (RunEvent(kind=RunEventKind.ROUTINE_CHANGED, text=told) for told in routines)
    run.record.add(*record, *changes)
    if unwatched:
        run.record.add(RunEvent(kind=RunEventKind.CONDITION_WRITTEN))
    if kept:
        run.record.add(RunEvent(kind=RunEventKind.MEMORY_CHANGED))

    def told_outcomes(outcomes: Sequence[Outcome]) -> str:
        return " ".join(f"{each.device_name} {each.kind.value}." for each in outcomes)

    async def read_again(_: Sequence[Reading]) -> None:
        run.record.add(*map(Unasked, changed))

    async def read(_: Sequence[str]) -> None:
        """Read nothing new."""

    situation: Any = SimpleNamespace(
        hass=None,
        run=run,
        evidence=evidence,
        sentences=SENTENCES,
        say_outcomes=told_outcomes,
        home=SimpleNamespace(async_read_again=read_again, async_read=read, synonyms={}),
        routines=SimpleNamespace(names=lambda: names, has_some=bool(names)),
    )
    return AnswerCheck(situation, listing)


async def passes(check: AnswerCheck, said: Finish) -> bool:
    return await check.async_judge(said) == said


async def spoken_by_code(check: AnswerCheck, said: Finish) -> str:
    """Return what is spoken when the model keeps to its claims."""
    judged = await check.async_judge(said)
    told = judged.answer if isinstance(judged, Finish) else await answered(check, said)
    assert check.has_corrected
    return told


async def answered(check: AnswerCheck, said: Finish) -> str:
    judged = await check.async_judge(said)
    assert isinstance(judged, Finish)
    return judged.answer


async def objection(check: AnswerCheck, said: Finish) -> str:
    judged = await check.async_judge(said)
    assert isinstance(judged, str)
    return judged


V, ALREADY = OutcomeKind.VERIFIED, OutcomeKind.ALREADY
SENT, NOT_SEEN, FAILED = OutcomeKind.SENT, OutcomeKind.NOT_CONFIRMED, OutcomeKind.FAILED


async def test_states_of_many_parts_are_not_spoken(run: Run) -> None:
    """Nobody would know whether the set is on or its clock."""
    parts = {"switch.set": "on", "sensor.set_power": "214.3", "sensor.set_channel": "4"}
    read = [reading_of(part, {"state": state}, device_id="set") for part, state in parts.items()]
    lie = claim("set", "7")
    assert await spoken_by_code(make(run, *read), finish(ACTED, lie)) == "Nothing changed."
    of_part = claim("switch.set", "off")
    said = await spoken_by_code(make(run, *read), finish(ACTED, of_part))
    assert said == "Nothing changed. Set: on."
    of_sensor = claim("sensor.set_channel", "7", "read")
    assert await spoken_by_code(make(run, *read), finish(ANSWERED, of_sensor)) == "Set Channel: 4."
    from_outside = [
        reading_of(
            part, {"state": Fact(name="state", value=state, is_free_text=True)}, device_id="set"
        )
        for part, state in parts.items()
    ]
    check = make(run, *from_outside)
    assert "4" not in await spoken_by_code(check, finish(ANSWERED, of_sensor))
    away = [reading_of(part, {"state": "off"}, device_id="set") for part in parts]
    assert await spoken_by_code(make(run, *away), finish(ACTED, lie)) == (
        "Nothing changed. Set: off."
    )


@pytest.mark.parametrize("kind", [NOT_SEEN, FAILED, OutcomeKind.REFUSED])
@pytest.mark.parametrize(
    "said",
    [
        finish(ACTED, claim("lamp", "", "not_confirmed")),
        finish(ACTED),
        finish(ANSWERED, claim("lamp", "", "failed")),
        finish(ANSWERED, claim("lamp", "off", "read")),
        finish(COULD_NOT, claim("lamp", "", "refused")),
        finish(COULD_NOT),
        finish(COULD_NOT, about="other"),
    ],
)
async def test_code_says_what_failed(run: Run, verifier: Verifier, kind, said) -> None:
    """The words of the model may say that it worked, whatever the claims are."""
    check = make(run, outcome(kind, state="off"))
    assert not check.may_stream(said)
    assert await answered(check, said) == f"Lamp {kind.value}."
    assert not verifier.asked


async def test_failure_is_told_once_before_questions(run: Run, verifier: Verifier) -> None:
    check = make(run, outcome(FAILED, "spot"))
    asked = finish(ASKED, claim("spot", "", "failed"))
    assert await answered(check, asked) == f"Spot failed. {ANSWER}"
    assert await answered(check, asked) == ANSWER
    assert len(verifier.asked) == 2, "the words of the question are verified"
    verifier.unproven = ["It is on."]
    assert await objection(check, asked)


async def test_claim_without_the_state_is_verified(run: Run, verifier: Verifier) -> None:
    """The words may name the opposite of what was done."""
    check = make(run, outcome(V))
    assert not check.may_stream(finish(ACTED, claim("lamp")))
    assert await passes(check, finish(ACTED, claim("lamp")))
    verifier.unproven = ["all is done"]
    assert await spoken_by_code(check, finish(ACTED, claim("lamp"))) == "Lamp verified."


@pytest.mark.parametrize("is_small", [False, True])
async def test_a_small_model_proves_what_it_has_not_read(
    run: Run, verifier: Verifier, *, is_small: bool
) -> None:
    """Such as "You have no new mail", said to be about nothing in the home."""
    run.settings = replace(
        run.settings, decision_format=make_format("constrained"), misjudges_timing=is_small
    )
    verifier.unproven = ["all is done"]
    invented = finish(ANSWERED, about="other")
    check = make(run)
    assert check.may_stream(invented) is not is_small
    assert await passes(check, invented) is not is_small
    assert await passes(make(run, reading("lamp", state="on")), invented)


SMALL: dict[str, Any] = {"decision_format": make_format("constrained"), "misjudges_timing": True}


@pytest.mark.parametrize("speaks_of", ["talk", "home", "life", "later", "news", "nothing"])
async def test_small_talk_of_a_small_model_needs_no_proof(
    run: Run, verifier: Verifier, speaks_of
) -> None:
    """Asked for proof, a small model refuses its own "You're welcome"."""
    run.settings = replace(run.settings, **SMALL)
    verifier.unproven, verifier.speaks_of = ["all"], speaks_of
    assert await passes(make(run), finish(ANSWERED, about="other")) is (speaks_of == "talk")
    _, shown, decided, last = verifier.asked[0].messages
    assert (shown.content, decided.content) == ("The person said: hi\nSentence: Hi!", "{}")
    assert (last.content or "").startswith(f"The person said: {run.utterance.text}\n")


@pytest.mark.parametrize(
    ("record", "claims", "said"),
    [
        ((outcome(OutcomeKind.VERIFIED),), (claim("lamp"),), "Lamp verified."),
        (
            (outcome(OutcomeKind.VERIFIED), reading("spot", state="off")),
            (claim("lamp"), claim("spot", "off", "read")),
            ANSWER,
        ),
    ],
)
async def test_code_says_what_the_commands_of_a_small_model_did(
    run: Run, record, claims, said: str
) -> None:
    """Such as "It is at 21.5 °C, which is warmer than what the person wanted."."""
    run.settings = replace(run.settings, **SMALL)
    check = make(run, *record)
    assert await answered(check, finish(ACTED, *claims)) == said
    assert check.may_speak(finish(ACTED, *claims)) is (said == ANSWER)


async def test_what_was_sent_back_becomes_no_small_talk(run: Run, verifier: Verifier) -> None:
    run.settings = replace(run.settings, **SMALL)
    verifier.unproven, verifier.speaks_of = ["all"], "talk"
    check = make(run)
    assert not await passes(check, finish(ANSWERED, about="home"))
    assert not await passes(check, finish(ANSWERED, about="other"))


async def test_the_answer_to_a_wish_to_act_is_no_small_talk(run: Run, verifier: Verifier) -> None:
    run.settings = replace(run.settings, **SMALL)
    verifier.unproven, verifier.speaks_of = ["all"], "talk"
    check = make(run)
    run.record.add(ActIntended())
    assert not await passes(check, finish(ANSWERED, about="other"))


@pytest.mark.parametrize(
    ("said", "more"),
    [
        (finish(ANSWERED, about="home"), {}),
        (finish(ANSWERED, about="person"), {}),
        (finish(ANSWERED, about="other memory"), {}),
        (finish(ANSWERED, about="other"), {"verify_answers": True}),
    ],
)
async def test_what_may_be_more_than_small_talk_needs_proof(
    run: Run, verifier: Verifier, said: Finish, more
) -> None:
    run.settings = replace(run.settings, **SMALL, **more)
    verifier.unproven, verifier.speaks_of = ["all"], "talk"
    assert not await passes(make(run), said)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (finish(ACTED, claim("door", "locked")), finish(COULD_NOT)),
        (finish(ACTED, claim("door", "locked")), finish(ASKED, about="other")),
        (finish(ACTED, claim("door", "locked")), finish(ANSWERED, about="other person")),
        (finish(ANSWERED, claim("door", "locked", "read")), finish(ANSWERED, about="other")),
        (finish(ACTED, about="later"), finish(COULD_NOT, about="later")),
        (finish(ACTED, about="later"), finish(ANSWERED, about="other")),
        (finish(ACTED, about="memory"), finish(ASKED, about="memory")),
        (finish(ACTED, about="other"), finish(COULD_NOT, about="other")),
    ],
)
async def test_refused_words_with_other_fields_are_verified(
    run: Run, verifier: Verifier, first: Finish, second: Finish
) -> None:
    check = make(run, reading("lamp", state="on"))
    assert await objection(check, first)
    other_words = replace(second, answer="Something else, in other words.")
    assert not check.may_stream(other_words)
    assert await check.async_judge(other_words) == other_words
    verifier.unproven = ["all is done"]
    for said in (second, other_words):
        assert ANSWER not in await answered(check, said)


LAMP_ON = claim("lamp", "on", "read")


@pytest.mark.parametrize(
    ("answer", "claims", "is_verified"),
    [
        ("The lamp is on and the door is locked.", [LAMP_ON], True),
        ("The DOOR is locked; so is the lamp.", [LAMP_ON], True),
        ("Everything else is fine, set channel too.", [LAMP_ON], True),
        ("The lamp is on.", [LAMP_ON], False),
        ("The lamp is on in all doorways.", [LAMP_ON], False),
        ("Lamp and spot are on.", [claim("all light", "on", "read")], False),
        ("The set is on.", [claim("switch.set", "on", "read")], False),
    ],
)
async def test_devices_that_no_claim_names_are_verified(
    run: Run, verifier: Verifier, answer: str, claims: list[Claim], is_verified: bool
) -> None:
    lights = [reading(each, state="on") for each in ("lamp", "spot")]
    on = reading_of("switch.set", {"state": "on"})
    check = make(run, *lights, on)
    said = replace(finish(ANSWERED, *claims), answer=answer)
    assert check.may_speak(said) is not is_verified
    assert await check.async_judge(said) == said
    assert bool(verifier.asked) is is_verified


@pytest.mark.parametrize("kind", [ANSWERED, ASKED, COULD_NOT])
@pytest.mark.parametrize(
    ("name", "answer"),
    [
        ("Küchenlicht", "Das Küchenlicht ist jetzt an."),
        ("Lumière de la cuisine", "La lumière de la cuisine est allumée."),
        ("Puerta principal", "La puerta principal está cerrada con llave."),
        ("Luce della cucina", "La luce della cucina adesso è accesa."),
        ("Voordeur", "De voordeur zit op slot."),
        ("Свет на кухне", "Свет на кухне теперь включён."),
        ("キッチンの照明", "キッチンの照明をつけました。"),
        ("前门", "前门已经锁好了。"),
        ("ضوء المطبخ", "ضوء المطبخ مضاء الآن."),
        ("Front-Door", "OK: the front door is locked now."),
    ],
)
async def test_names_in_all_languages_are_verified(
    run: Run, verifier: Verifier, kind: FinishKind, name: str, answer: str
) -> None:
    listing = plain_listing(*LISTING.devices, plain_device("x", name, "light.x"))
    verifier.unproven = [answer]
    check = make(run, listing=listing)
    said = replace(finish(kind, about="other"), answer=answer)
    assert await objection(check, said)
    assert answer not in await answered(check, said)


async def test_routines_that_were_not_read_are_verified(run: Run, verifier: Verifier) -> None:
    names = ["the fridge is opened", "turn on the lamp"]
    said = replace(
        finish(ANSWERED, about="other"), answer="I watch whether the fridge is opened at 21:00."
    )
    assert not make(run, names=names).may_speak(said)
    assert make(run, names=["the door is opened", "fridge"]).may_speak(said)
    known = replace(said, about=frozenset({About.LATER}))
    assert make(run, names=names, routines=[MADE]).may_speak(known)
    verifier.unproven = ["the fridge"]
    assert not await passes(make(run, names=names), said)


async def test_values_are_read_again_after_a_question(run: Run) -> None:
    check = make(run, reading(state="off"), outcome(V, "spot"), changed=[reading(state="on")])
    told = finish(ANSWERED, claim("lamp", "off", "read"), claim("spot", "on"))
    assert await passes(check, told)
    run.port.asked_at = 1.0
    assert not check.may_stream(told)
    assert not await passes(check, told)
    assert await passes(check, finish(ANSWERED, claim("lamp", "on", "read"), claim("spot", "on")))


async def test_reminder_that_lies_is_spoken_in_the_words_of_the_person(
    run: Run, verifier: Verifier
) -> None:
    run.utterance = replace(
        run.utterance,
        text="Please lock the front door!",
        routine=FiredRoutine(id="1", when="it is ten", tells=True),
    )
    check = make(run)
    reminder = replace(finish(ANSWERED, about="other"), answer="Please lock the front door!")
    assert await check.async_judge(reminder) == reminder
    assert not verifier.asked
    assert await passes(check, finish(ANSWERED, about="other"))
    assert len(verifier.asked) == 1, "other words are verified"
    lie = finish(ACTED, claim("door", "locked"))
    assert await spoken_by_code(check, lie) == "Please lock the front door!"
    verifier.unproven = ["all is done"]
    assert await spoken_by_code(make(run), finish(ANSWERED, about="other")) == (
        "Please lock the front door!"
    )


# ------------------------------------------------------------------ plain words


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        ("The attic_lamp is on.", "The attic lamp is on."),
        ("Es gibt kein study_lamp.", "Es gibt kein study lamp."),
        ("I called sage__execute_command.", "I called sage execute command."),
        ("The tool execute_command says verified.", "The tool execute command says verified."),
        ("它是 heat_cool 模式", "它是 heat cool 模式"),
        ("It is light.secret_lamp.", "It is secret lamp."),
    ],
)
async def test_answer_with_unknown_ids_goes_back_once(run: Run, words: str, shown: str) -> None:
    check = make(run, outcome(OutcomeKind.VERIFIED))
    said = replace(finish(ACTED, claim("lamp", "on")), answer=words)
    assert "plain words" in await objection(check, said)
    # It is right: if the model does not change it, only the names are made readable.
    assert await answered(check, said) == shown


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        ("La lampe light.lamp est allumée.", "La lampe Lamp est allumée."),
        ("The hall_lamp is on.", "The Lamp is on."),
        ("It is on (light.lamp).", "It is on."),
        ("Die Lampe (light.lamp) und light.lamp sind an.", "Die Lampe und Lamp sind an."),
    ],
)
async def test_ids_of_devices_become_their_names(run: Run, words: str, shown: str) -> None:
    check = make(run, outcome(OutcomeKind.VERIFIED))
    said = replace(finish(ACTED, claim("lamp", "on")), answer=words)
    assert await answered(check, said) == shown


@pytest.mark.parametrize(
    "words",
    [
        "The lamp is on.",
        "I wrote to kim_lee@example.org and opened https://example.org/a_page/b_c.",
        "Das Licht ist an, d.h. es leuchtet; z.B. 21.5 Grad.",
        "The lamp is on.It was off.",
        "My own_word is kept.",
        "The attic_set is on.",
    ],
)
async def test_words_of_people_are_no_ids(run: Run, words: str) -> None:
    run.utterance = replace(run.utterance, text="remember own_word")
    named = plain_device("tv", "attic_set", "media_player.tv")
    listing = plain_listing(*LISTING.devices, named)
    check = make(run, outcome(OutcomeKind.VERIFIED), listing=listing)
    said = replace(finish(ACTED, claim("lamp", "on")), answer=words)
    assert await answered(check, said) == words
