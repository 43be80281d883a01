"""Levels that a command needs and that are missing: the model classifies first, then SAGE asks."""

import asyncio
import json
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from homeassistant.auth.models import User
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity_platform import async_get_platforms
from pytest_homeassistant_custom_component.common import MockConfigEntry

from benchmark.model_script import Answer, Completion, Fault, FaultKind, Json
from benchmark.risk_script import classify, controls_in
from custom_components.sage.home.home_types import RiskClass
from custom_components.sage.home.safety.risk_levels import RiskVerdict, levels_of, subject_of
from custom_components.sage.people.person import Person
from custom_components.sage.tools.routines.condition_polling import async_stored_commands
from tests.decisions import NATIVE, claim
from tests.home.entity_kinds import Plug
from tests.waiting import until

from .attacker import person, services_called
from .conftest import MakeSage, Sage, impatient
from .firing.routine import Fires, routine_of
from .routine_tools.setting_up import REQUEST, commands, polls, writes

NAMES = (
    *("Treadmill Plug", "Fish Tank", "Printer", "Stereo", "Coffee Machine", "Bedside", "Xmas Star"),
    *("Fountain", "Record Player", "Screen", "Console", "Charger", "Mixer", "Kettle Shelf"),
    *("Radio", "Sewing Machine", "Projector", "Air Purifier", "Aquarium Pump", "Modem"),
)
LONGEST = 300


def name_of(control: Json) -> str:
    return str(control.get("name") or [*control.get("device", ()), control["id"]][0])


class Classifier:
    """A model that classifies by name and keeps what it was asked."""

    def __init__(self, answer: Callable[[Json], Answer | None] | None = None) -> None:
        self.asked: list[list[str]] = []
        self.risks: dict[str, str] = {}
        self._answer = answer

    def __call__(self, body: Json) -> Answer | None:
        if (controls := controls_in(body)) is None:
            return None
        self.asked.append([name_of(control) for control in controls])
        if self._answer is not None:
            return self._answer(body)
        return classify(body, lambda control: self.risks.get(name_of(control), "none"))


@pytest.fixture
def levels() -> None:
    """Begin without any classification."""


@pytest.fixture
def classifier() -> Classifier:
    """A model that classifies everything as harmless, unless `risks` says otherwise."""
    return Classifier()


@pytest.fixture
async def sage(
    hass: HomeAssistant, make_sage: MakeSage, model_server: Any, classifier: Classifier
) -> Sage:
    """SAGE in the demo home, before new plugs are exposed."""
    model_server.background = classifier
    made: Sage = impatient(await make_sage())
    return made


async def plug_in(
    hass: HomeAssistant, names: Sequence[str] = NAMES, *, is_on: bool = False
) -> list[str]:
    """Add plugs that SAGE has not classified; return their entity ids."""
    platform = next(
        each for each in async_get_platforms(hass, "sage_demo_home") if each.domain == "switch"
    )
    plugs = [Plug(name) for name in names]
    for plug in plugs:
        plug.begin(is_on=is_on)
    await platform.async_add_entities(plugs)
    await hass.async_block_till_done()
    for plug in plugs:
        async_expose_entity(hass, "conversation", plug.entity_id, True)
    await hass.async_block_till_done()
    return [plug.entity_id for plug in plugs]


def turn_on(*devices: str, command: str = "turn_on") -> tuple[str, Json]:
    given = {"devices": [*devices], "command": command, "timing": "now", "final": True}
    return "execute_command", given


def said(sage: Sage, *calls: tuple[str, Json]) -> None:
    sage.model_says(NATIVE.calls(*calls), NATIVE.finish("acted", "They are on."))


def still_off(hass: HomeAssistant, plugs: Sequence[str]) -> list[str]:
    return [plug for plug in plugs if hass.states.is_state(plug, "off")]


async def test_one_call_classifies_what_a_command_needs(hass, sage, classifier) -> None:
    plugs = await plug_in(hass)
    said(sage, turn_on(*plugs))
    heard = await sage.say("turn on all plugs")
    assert not heard.continue_conversation
    assert not still_off(hass, plugs)
    assert [sorted(names) for names in classifier.asked] == [sorted(NAMES)]
    trace = sage.trace
    assert trace["model_calls"] == sage.model_calls + 1
    said(sage, turn_on(*plugs))
    await sage.hear("turn on all plugs")
    assert len(classifier.asked) == 1
    assert sage.trace["model_calls"] == sage.model_calls


async def test_the_call_counts_against_the_limit_of_tokens(hass, sage) -> None:
    plugs = await plug_in(hass, NAMES[:2])
    said(sage, turn_on(plugs[0]))
    await sage.hear("turn on the treadmill")
    with_call = sage.trace["usage"]["prompt_tokens"]
    said(sage, turn_on(plugs[0]))
    await sage.hear("turn on the treadmill")
    assert with_call > sage.trace["usage"]["prompt_tokens"]


async def test_only_the_dangerous_one_is_asked_about(hass, sage, classifier) -> None:
    classifier.risks["Fish Tank"] = "security_off"
    plugs, anna = await plug_in(hass), person(hass, "Anna")
    said(sage, turn_on(*plugs))
    asked = await sage.hear("turn on all plugs", user_id=anna)
    assert asked == "Shall I also turn on Fish Tank?"
    assert still_off(hass, plugs) == ["switch.fish_tank"]
    await sage.hear("no", user_id=anna)
    assert still_off(hass, plugs) == ["switch.fish_tank"]


async def test_a_plug_that_matters_is_asked_about(hass, sage, classifier) -> None:
    classifier.risks["Oxygen Concentrator"] = "unclear"
    plugs, anna = await plug_in(hass, ("Oxygen Concentrator", "Stereo")), person(hass, "Anna")
    said(sage, turn_on(*plugs))
    assert await sage.hear("turn on both", user_id=anna) == (
        "I don't know what depends on Oxygen Concentrator. It could be something important, such "
        "as a medical device. Shall I also turn on Oxygen Concentrator?"
    )
    await sage.hear("no", user_id=anna)
    assert still_off(hass, plugs) == [plugs[0]]
    said(sage, turn_on(*plugs))
    await sage.hear("turn on both", user_id=anna, conversation_id=None)
    assert len(classifier.asked) == 1


NONSENSE: dict[str, Callable[[Json], Answer | None]] = {
    "unclear": lambda body: classify(body, lambda _: "unclear"),
    "unknown word": lambda body: classify(body, lambda _: "perhaps"),
    "nonsense": lambda _: Completion(text="I am a teapot."),
    "nobody": lambda _: Completion(text="{}"),
    "empty": lambda _: Completion(text=""),
    "refused": lambda _: Fault(kind=FaultKind.REFUSED),
    "broken": lambda _: Fault(kind=FaultKind.CUT),
}


@pytest.mark.parametrize("answer", NONSENSE.values(), ids=NONSENSE)
async def test_what_stays_unclear_is_asked_about_in_one_sentence(
    hass, swift_model, sage, classifier, answer
) -> None:
    classifier._answer = answer
    plugs, anna = await plug_in(hass), person(hass, "Anna")
    said(sage, turn_on(*plugs))
    asked = await sage.hear("turn on all plugs", user_id=anna)
    assert asked == (
        f"Shall I really turn on {', '.join(NAMES[:-1])} and {NAMES[-1]} (purpose unknown)?"
    )
    assert len(asked) < LONGEST
    assert len(still_off(hass, plugs)) == 20
    await sage.hear("yes", user_id=anna)
    assert not still_off(hass, plugs)
    assert sage.traces(anna)[-1]["confirmations"][0]["risks"] == ("unclear",)


LANGUAGES = {
    "de": ("Soll ich wirklich {} und {} (Zweck unbekannt) einschalten?", "ja"),
    "fr": ("Dois-je vraiment allumer {} et {} (usage inconnu) ?", "oui"),
}


@pytest.mark.parametrize("language", LANGUAGES)
async def test_the_question_in_other_languages(hass, sage, classifier, language) -> None:
    classifier._answer = NONSENSE["nobody"]
    question, yes = LANGUAGES[language]
    plugs, anna = await plug_in(hass), person(hass, "Anna")
    said(sage, turn_on(*plugs))
    asked = await sage.hear("...", user_id=anna, language=language)
    assert asked == question.format(", ".join(NAMES[:-1]), NAMES[-1])
    assert len(asked) < LONGEST
    await sage.hear(yes, user_id=anna, language=language)
    assert not still_off(hass, plugs)


async def test_those_that_the_model_leaves_out_are_asked_about(hass, sage, classifier) -> None:
    def answer(body: Json) -> Answer | None:
        controls = controls_in(body) or []
        kept = [each for each in controls if name_of(each) not in {"Modem", "Screen"}]
        fewer = {"role": "user", "content": "\n".join(map(json.dumps, kept))}
        return classify({"messages": [body["messages"][0], fewer]}, lambda _: "none")

    classifier._answer = answer
    plugs, anna = await plug_in(hass), person(hass, "Anna")
    said(sage, turn_on(*plugs))
    asked = await sage.hear("turn on all plugs", user_id=anna)
    assert asked.endswith("Shall I also turn on Screen and Modem?")
    await sage.hear("no", user_id=anna)
    assert still_off(hass, plugs) == ["switch.screen", "switch.modem"]


async def test_several_calls_of_one_reply_need_one_classification(hass, sage, classifier) -> None:
    plugs = await plug_in(hass, NAMES[:4])
    said(sage, *(turn_on(plug) for plug in plugs))
    await sage.hear("turn on the treadmill, the fish tank, the printer and the stereo")
    assert not still_off(hass, plugs)
    assert [sorted(names) for names in classifier.asked] == [sorted(NAMES[:4])]


async def test_what_waits_for_a_yes_does_not_stop_earlier_calls(hass, sage, classifier) -> None:
    classifier.risks["Printer"] = "unclear"
    plugs, anna = await plug_in(hass, NAMES[:3]), person(hass, "Anna")
    said(sage, *(turn_on(plug) for plug in plugs))
    asked = await sage.hear("turn them on", user_id=anna)
    assert asked.endswith("Shall I also turn on Printer?")
    assert still_off(hass, plugs) == ["switch.printer"]
    assert len(classifier.asked) == 1


@pytest.mark.parametrize("level", ["free", "ask", "never"])
async def test_a_level_of_the_household_needs_no_classification(
    hass, make_sage, model_server, classifier, level
) -> None:
    model_server.background = classifier
    sage = impatient(await make_sage(options={"risk_levels": {"switch.stereo": level}}))
    (plug,), anna = await plug_in(hass, ["Stereo"]), person(hass, "Anna")
    classifier.asked.clear()
    said(sage, turn_on(plug))
    heard = await sage.say("turn on the stereo", user_id=anna)
    question = "Your household wants me to ask before I use Stereo. Shall I really turn on Stereo?"
    spoken = heard.response.speech["plain"]["speech"]
    assert (spoken == question) == (level == "ask")
    assert bool(still_off(hass, [plug])) == (level != "free")
    assert not [names for names in classifier.asked if "Stereo" in names]


async def test_a_person_who_cannot_confirm_is_refused(hass, sage, classifier) -> None:
    classifier._answer = NONSENSE["nobody"]
    plugs = await plug_in(hass, NAMES[:2])
    called = services_called(hass)
    said(sage, turn_on(*plugs))
    heard = await sage.say("turn on both")
    assert not heard.continue_conversation
    assert {each["reason"] for each in sage.trace["outcomes"]} == {"outcome_refused_cannot_ask"}
    assert not [each for each in called if each[0] == "switch"]


async def test_the_model_is_asked_only_once_in_a_command(hass, sage, classifier) -> None:
    classifier._answer = NONSENSE["nobody"]
    plugs = await plug_in(hass, NAMES[:2])
    sage.model_says(
        NATIVE.calls(turn_on(*plugs)),
        NATIVE.calls(turn_on(plugs[0])),
        NATIVE.finish("could_not", "I may not."),
    )
    await sage.hear("turn on both")
    assert len(classifier.asked) == 1


async def test_two_commands_at_once_do_not_ask_twice(hass, sage, classifier) -> None:
    plugs = await plug_in(hass, NAMES[:2])
    sage.server.say(
        lambda body: (
            NATIVE.calls(turn_on(*plugs))
            if body["messages"][-1]["role"] == "user"
            else NATIVE.finish("acted", "They are on.")
        )
    )
    heard = await asyncio.gather(
        *(
            sage.say("turn on both", conversation_id=None, user_id=person(hass, name))
            for name in ("Anna", "Ben")
        )
    )
    assert not any(each.continue_conversation for each in heard)
    assert len(classifier.asked) == 1
    assert not still_off(hass, plugs)


async def test_a_classification_under_way_is_waited_for(hass, sage, classifier) -> None:
    (plug,) = await plug_in(hass, ["Stereo"])
    begun, go = asyncio.Event(), asyncio.Event()

    async def slowly(*_: Any, **_more: Any) -> str:
        begun.set()
        await go.wait()
        return json.dumps({plug: {"risk": "none"}})

    under_way = asyncio.create_task(levels_of(hass).async_classify([plug], slowly))
    await begun.wait()
    said(sage, turn_on(plug))
    speaking = asyncio.create_task(sage.say("turn on the stereo"))
    await until(lambda: sage.model_calls)
    go.set()
    await under_way
    assert not (await speaking).continue_conversation
    assert not still_off(hass, [plug])
    assert not classifier.asked


async def test_what_becomes_dangerous_is_covered_by_the_yes(hass, sage, classifier) -> None:
    """The question said that SAGE does not know what depends on the plug."""
    classifier.risks["Stereo"] = "unclear"
    (plug,), anna = await plug_in(hass, ["Stereo"]), person(hass, "Anna")
    said(sage, turn_on(plug))
    await sage.hear("turn on the stereo", user_id=anna)
    levels_of(hass).note(subject_of(hass, plug), RiskVerdict(risk=RiskClass.SECURITY_OFF))
    await sage.hear("yes", user_id=anna)
    assert not still_off(hass, [plug])


async def test_the_members_of_a_group(hass, sage, classifier) -> None:
    plugs, anna = await plug_in(hass), person(hass, "Anna")
    options = {"group_type": "switch", "name": "All Plugs", "entities": plugs}
    group = MockConfigEntry(domain="group", title="All Plugs", options=options)
    group.add_to_hass(hass)
    assert await hass.config_entries.async_setup(group.entry_id)
    await hass.async_block_till_done()
    async_expose_entity(hass, "conversation", "switch.all_plugs", True)
    await hass.async_block_till_done()
    classifier._answer = NONSENSE["nobody"]
    said(sage, turn_on("all_plugs"))
    asked = await sage.hear("turn on all plugs", user_id=anna)
    assert asked == (
        "Through All Plugs, this also affects Air Purifier, Aquarium Pump, Bedside, Charger and 16 "
        "more. I don't know what depends on that. It could be something important, such as a "
        "medical device. Shall I really run All Plugs?"
    )
    assert len(asked) < LONGEST
    await sage.hear("no", user_id=anna)
    assert len(still_off(hass, plugs)) == 20
    classifier._answer = None
    said(sage, turn_on("all_plugs"))
    await sage.hear("turn on all plugs", user_id=anna)
    assert [len(names) for names in classifier.asked] == [20, 20]
    assert not still_off(hass, plugs)


async def test_a_routine_classifies_when_it_fires(hass, sage, classifier, user: User) -> None:
    plugs = await plug_in(hass, NAMES[:3])
    home = sage.entry.runtime_data.home.of(Person(user_id=user.id, name="Anna"))
    given = {"devices": plugs, "command": "turn_on", "arguments": {}}
    action = (await async_stored_commands(hass, home, [given]))[0]
    routine = routine_of(user, "turn on the plugs", action=action, notify=False)
    report = await Fires(sage).fire(routine)
    assert not report.is_failure
    assert not still_off(hass, plugs)
    assert [sorted(names) for names in classifier.asked] == [sorted(NAMES[:3])]
    assert sage.traces(user.id)[-1]["model_calls"] == 1


@pytest.mark.parametrize("risk", ["none", "unclear"])
async def test_who_sets_up_a_routine_hears_whether_it_will_ask(
    hass, sage, classifier, user: User, risk: str
) -> None:
    classifier.risks["Stereo"] = risk
    await plug_in(hass, ["Stereo"])
    sage.model_says(*writes(), polls(commands=commands("turn_on", "stereo")))
    heard = await sage.hear(REQUEST, user_id=user.id)
    assert ("I will ask you before I run the action." in heard) == (risk == "unclear"), heard
    assert len(classifier.asked) == 1


async def test_the_fall_back_asks_about_what_is_unclassified(swift_model, sage) -> None:
    plugs, anna = await plug_in(sage.hass, ["Oxygen Concentrator"]), person(sage.hass, "Anna")
    await sage.server.async_stop()
    asked = await sage.hear("turn on Oxygen Concentrator", user_id=anna)
    assert asked == (
        "I don't know what depends on Oxygen Concentrator. It could be something important, such "
        "as a medical device. Shall I really turn on Oxygen Concentrator?"
    )
    assert still_off(sage.hass, plugs)
    heard = await sage.hear("yes", user_id=anna)
    assert "Home Assistant handled your command without the model" in heard
    assert not still_off(sage.hass, plugs)


async def test_the_fall_back_ends_with_another_request(hass, swift_model, sage) -> None:
    (plug,), anna = await plug_in(hass, ["Stereo"]), person(hass, "Anna")
    await sage.server.async_stop()
    await sage.hear("turn on stereo", user_id=anna)
    await sage.hear("what?", user_id=anna)
    heard = await sage.hear("turn on the kitchen light", user_id=anna)
    assert "Kitchen Light" in heard
    assert still_off(hass, [plug])


@pytest.mark.parametrize("answer", NONSENSE.values(), ids=NONSENSE)
async def test_what_stays_unclear_is_not_switched_off_at_once(
    hass, swift_model, sage, classifier, answer
) -> None:
    classifier._answer = answer
    plugs, anna = await plug_in(hass, ("Modem", "Stereo"), is_on=True), person(hass, "Anna")
    said(sage, turn_on("light.kitchen_light", *plugs, command="turn_off"))
    asked = await sage.hear("turn off everything", user_id=anna)
    assert asked.endswith("Shall I also turn off Modem and Stereo?"), asked
    assert not still_off(hass, plugs)
    await sage.hear("yes", user_id=anna)
    assert still_off(hass, plugs) == plugs


@pytest.fixture
def freezer(classifier: Classifier) -> None:
    """Let the model find out what depends on the freezer."""
    classifier.risks["Freezer"] = "food"


@pytest.mark.usefixtures("freezer")
async def test_a_no_leaves_the_rest_and_the_answer_is_about_both(hass, sage) -> None:
    plugs, anna = await plug_in(hass, ("Freezer", "Stereo"), is_on=True), person(hass, "Anna")
    lie = NATIVE.call(
        "finish",
        kind="acted",
        about=["home"],
        claims=[claim("freezer", "off"), claim("stereo", "off")],
        answer="Both are off.",
    )
    sage.model_says(NATIVE.calls(turn_on(*plugs, command="turn_off")), lie, lie)
    asked = await sage.hear("turn off both", user_id=anna)
    assert asked == "Shall I also turn off Freezer (food)?"
    assert still_off(hass, plugs) == [plugs[1]]
    answer = await sage.hear("no", user_id=anna)
    assert answer == "Stereo is now off. I have left Freezer as it is."
    assert still_off(hass, plugs) == [plugs[1]]
    kinds = {each["name"]: each["kind"] for each in sage.traces(anna)[-1]["outcomes"]}
    assert kinds == {"Stereo": "verified", "Freezer": "refused"}


@pytest.mark.usefixtures("freezer")
async def test_what_was_done_before_the_question_is_recorded_without_a_reply(hass, sage) -> None:
    plugs, anna = await plug_in(hass, ("Freezer", "Stereo"), is_on=True), person(hass, "Anna")
    said(sage, turn_on(*plugs, command="turn_off"))
    await sage.hear("turn off both", user_id=anna)
    for _ in range(2):
        sage.model_says(NATIVE.finish("answered", "It is sunny.", about="other"))
        await sage.hear("what is the weather like?", user_id=anna)
    outcomes = [each for trace in sage.traces(anna) for each in trace["outcomes"]]
    assert [(each["name"], each["kind"]) for each in outcomes] == [("Stereo", "verified")]
    sage.model_says(NATIVE.call("undo"), NATIVE.finish("acted", "Stereo is on again."))
    await sage.hear("undo", user_id=anna)
    assert not still_off(hass, plugs)


@pytest.mark.usefixtures("freezer")
async def test_a_yes_and_an_undo_are_for_the_whole_command(hass, sage) -> None:
    names = ("Freezer", "Stereo", "Xmas Star")
    plugs, anna = await plug_in(hass, names, is_on=True), person(hass, "Anna")
    said(sage, turn_on(*plugs, command="turn_off"))
    await sage.hear("turn off all", user_id=anna)
    await sage.hear("yes", user_id=anna)
    assert still_off(hass, plugs) == plugs
    sage.model_says(NATIVE.call("undo"), NATIVE.finish("acted", "They are on again."))
    await sage.hear("undo", user_id=anna)
    assert not still_off(hass, plugs)


@pytest.mark.usefixtures("freezer")
async def test_an_unknown_voice_switches_off_only_plain_plugs(hass, sage) -> None:
    plugs = await plug_in(hass, ("Freezer", "Stereo"), is_on=True)
    said(sage, turn_on(*plugs, command="turn_off"))
    heard = await sage.say("turn off both")
    assert not heard.continue_conversation
    assert still_off(hass, plugs) == [plugs[1]]
    assert [each["kind"] for each in sage.trace["outcomes"]] == ["verified", "refused"]
