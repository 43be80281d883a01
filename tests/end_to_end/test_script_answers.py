"""Given a script that returns a response, a person who runs it hears that (core #125879)."""

from datetime import UTC, datetime
from typing import Any
from unittest.mock import patch

import pytest
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import HomeAssistant, ServiceCall, SupportsResponse

from benchmark.model_script import Completion
from tests.decisions import FORMATS, NATIVE, claim

from .conftest import MakeSage, Sage, impatient

GREEN = {"bin": "green", "day": "Tuesday"}
LIGHT = {"action": "light.turn_on", "target": {"entity_id": "light.kitchen_light"}}
RETURN = {"stop": "", "response_variable": "answer"}
GREEN_BIN = "The green bin, on Tuesday."


async def script(hass: HomeAssistant, *sequence: dict[str, Any], **more: Any) -> None:
    """Set up the exposed script Bin Day with this sequence."""
    config = {"bin_day": {"alias": "Bin Day", "sequence": [*sequence], **more}}
    with patch("homeassistant.config.load_yaml_config_file", return_value={"script": config}):
        await hass.services.async_call("script", "reload", blocking=True)
    async_expose_entity(hass, "conversation", "script.bin_day", True)
    await hass.async_block_till_done()


def literal(answer: Any) -> dict[str, Any]:
    return {"variables": {"answer": answer}}


def runs(final: bool = False, command: str = "turn_on", **arguments: Any) -> Completion:
    more = {"arguments": arguments} if arguments else {}
    return NATIVE.execute("bin_day", command=command, timing="now", final=final, **more)


def answers(value: str = "green", result: str = "read", kind: str = "answered") -> Completion:
    return NATIVE.finish(kind, GREEN_BIN, claim("bin_day", value, result))


async def read(sage: Sage, *script: Completion) -> str:
    """Ask for the bin; return what the model read after its first reply."""
    sage.model_says(*(script or (runs(), *[NATIVE.finish("could_not", "No.")] * 2)))
    await sage.hear("run bin day: which bin is next?")
    return str(sage.server.completions[1].messages[-1]["content"])


@pytest.mark.parametrize("decision_format", FORMATS)
async def test_answer_reaches_the_person(hass, sage: Sage) -> None:
    await script(hass, literal(GREEN), RETURN)
    sage.model_says(
        sage.decides.execute("bin_day", command="turn_on", timing="now", final=True),
        sage.decides.finish("answered", GREEN_BIN, claim("bin_day", "green", "read")),
    )
    assert await sage.hear("which bin is next?") == GREEN_BIN
    assert [each["kind"] for each in sage.trace["outcomes"]] == ["verified"]


@pytest.mark.parametrize(
    "finish",
    [
        answers("Tuesday"),
        answers("green", "verified", "acted"),
        answers("", "verified", "acted"),
        NATIVE.finish("answered", GREEN_BIN, about="home"),
    ],
)
async def test_honest_answer_passes(hass, sage: Sage, finish: Completion) -> None:
    await script(hass, literal(GREEN), RETURN)
    sage.model_says(runs(), finish)
    assert await sage.hear("which bin is next?") == GREEN_BIN


async def test_invented_answer_is_refused(hass, sage: Sage) -> None:
    await script(hass, literal(GREEN), RETURN)
    sage.model_says(answers(), answers())
    assert await sage.hear("which bin is next?") != GREEN_BIN
    wrong = NATIVE.finish("answered", "The blue bin.", claim("bin_day", "blue", "read"))
    sage.model_says(runs(), wrong, wrong)
    assert "green" in await sage.hear("which bin is next?")


async def test_answer_in_the_reply_of_the_call_waits_for_the_response(hass, sage: Sage) -> None:
    await script(hass, literal(GREEN), RETURN)
    done = {"kind": "acted", "about": ["home"], "answer": "Bin Day has run."}
    call = {"devices": ["bin_day"], "command": "turn_on", "timing": "now", "final": True}
    sage.model_says(
        NATIVE.calls(
            ("execute_command", call),
            ("finish", {**done, "claims": [claim("bin_day", result="sent")]}),
        ),
        answers(),
    )
    assert await sage.hear("which bin is next?") == GREEN_BIN


async def test_script_without_a_response_ends_with_one_call(hass, sage: Sage) -> None:
    await script(hass, LIGHT)
    sage.model_says(runs(final=True))
    await sage.hear("run bin day")
    assert sage.model_calls == 1


# ---------------------------------------------------------------- responses of all kinds


@pytest.mark.parametrize(
    ("answer", "shown"),
    [
        ({"bin": 3}, '{"bin": 3}'),
        ({"at": datetime(2026, 3, 3, 6, 0, tzinfo=UTC)}, "2026-03-0"),
        ({"list": [{"a": 1}, {"b": None}]}, '"list": [{"a": 1}, {"b": null}]'),
        ({"text": "x" * 20_000}, "xxx"),
        ({"many": [*range(9_000)]}, "more"),
        ("just a text", "no dictionary"),
        ([1, 2], "no dictionary"),
        ({"pin_code": "4711", "day": "Tuesday"}, "Tuesday"),
    ],
)
async def test_response_of_any_kind(hass, sage: Sage, answer: object, shown: str) -> None:
    await script(hass, literal(answer), RETURN)
    told = await read(sage)
    assert shown in told
    assert len(told) < 6_000
    assert "4711" not in told


async def test_error_in_the_script(hass, sage: Sage) -> None:
    failing = {**LIGHT, "data": {"brightness_pct": "{{ 1 / 0 }}"}}
    await script(hass, failing, literal(GREEN), RETURN)
    told = await read(sage)
    assert "FAILED" in told
    assert "Tuesday" not in told


async def test_script_that_lasts_longer_than_the_person_waits(hass, sage: Sage) -> None:
    impatient(sage).entry.runtime_data.home.waits.call_seconds = 0.05
    await script(hass, {"wait_template": "{{ is_state('sun.x', 'y') }}"}, literal(GREEN), RETURN)
    told = await read(sage)
    assert "still runs" in told
    await hass.services.async_call("script", "turn_off", {"entity_id": "script.bin_day"})


@pytest.mark.parametrize(
    ("answer", "value", "attribute", "is_true"),
    [
        ({"count": 120}, "12", "", False),
        ({"count": 120}, "20", "", False),
        ({"price": 12.5}, "2.5", "", False),
        ({"price": 12.5}, "12,5", "", True),
        ({"km": 7}, "7 km", "km", True),
        ({"bin": "evergreen"}, "green", "", False),
        # A part of a text may be the opposite of it.
        ({"bin": "not green"}, "green", "", False),
        ({"bin": "The GREEN bin"}, "the green bin", "", True),
        ({"found": True, "late": False}, "yes", "found", True),
        ({"found": True, "late": False}, "no", "found", False),
        ({"week": {"Monday": "green"}}, "green", "week.Monday", True),
        ({"at": "06:30:00"}, "06:30", "at", True),
    ],
)
async def test_claim_about_a_response(
    hass, sage: Sage, answer, value: str, attribute: str, is_true: bool
) -> None:
    await script(hass, literal(answer), RETURN)
    claimed = claim("bin_day", value, "read", **({"attribute": attribute} if attribute else {}))
    sage.model_says(runs(), *[NATIVE.finish("answered", "So it is.", claimed)] * 2)
    assert (await sage.hear("which bin is next?") == "So it is.") == is_true


@pytest.mark.parametrize(
    ("answer", "language", "said"),
    [
        ({"bins": [{"bin": "green", "at": None}], "ok": True}, "en", "bins bin green, ok yes."),
        ({"da": False}, "de", "Bin Day antwortet: nein."),
        ({"là": True, "rien": None}, "fr", "Bin Day répond : là oui."),
        ({"note": "", "more": []}, "en", "worked."),
        ({"rows": [{"text": "green bin"}] * 400}, "en", "rows: text: green bin, text: green"),
    ],
)
async def test_response_is_spoken_without_signs(
    hass, sage: Sage, answer, language: str, said: str
) -> None:
    await script(hass, literal(answer), RETURN)
    wrong = NATIVE.finish("answered", "Blue.", claim("bin_day", "blue", "read"))
    sage.model_says(runs(), wrong, wrong)
    heard = await sage.hear("bin day", language=language)
    assert said in heard
    assert not {"{", '"', "None"}.intersection(heard)
    assert len(heard) < 400


# ---------------------------------------------------------------- untrusted text

PAGE = {"action": "web.page", "response_variable": "answer"}
SENTENCE = "Put the green bin out on Tuesday evening."


@pytest.mark.parametrize(
    ("sequence", "is_fenced"),
    [
        ([literal({"say": SENTENCE})], False),
        ([literal({"say": "Take {{ 'the green bin' }} out, please."})], True),
        ([literal({"say": "{{ 40 + 2 }}"})], False),
        ([PAGE], True),
        ([{**PAGE, "action": "web.word"}], True),
        ([literal({"say": "{{ states('input_text.note') or 'Dentist' }}"})], True),
        ([{"if": "{{ true }}", "then": [PAGE]}, literal({"say": "{{ answer.say }}"})], True),
    ],
)
async def test_text_from_outside_is_fenced(
    hass, make_sage: MakeSage, sequence, is_fenced: bool
) -> None:
    async def page(call: ServiceCall) -> dict[str, str]:
        return {"say": SENTENCE if call.service == "page" else "Dentist"}

    for name in ("page", "word"):
        hass.services.async_register("web", name, page, supports_response=SupportsResponse.OPTIONAL)
    await script(hass, *sequence, RETURN)
    # Unknown actions are risky; the household allows them.
    told = await read(await make_sage(options={"risk_levels": {"script.bin_day": "free"}}))
    assert ("<<<" in told) == is_fenced, told


# ---------------------------------------------------------------- documentation and fields

FIELDS = {
    "street": {
        "description": "Street of the house.",
        "required": True,
        "example": "High Street",
        "selector": {"text": {}},
    },
    "weeks": {
        "description": "How many weeks to look ahead.",
        "default": 1,
        "required": True,
        "selector": {"number": {"min": 1, "max": 4}},
    },
    "kind": {"selector": {"select": {"options": ["green", "paper"]}}},
    "who": {
        "selector": {
            "select": {
                "options": [{"value": "p1", "label": "Anna"}, {"value": "ben", "label": "Ben"}]
            }
        }
    },
    "entity_id": {"description": "A lamp that blinks.", "selector": {"entity": {}}},
    "anything": {"description": "Free."},
}
ECHO = literal({"street": "{{ street }}", "weeks": "{{ weeks }}"})


async def test_documentation_in_the_first_prompt(hass, sage: Sage) -> None:
    await script(hass, ECHO, RETURN, description="Tells which bin is next.\nAsk it.", fields=FIELDS)
    sage.model_says(NATIVE.finish("could_not", "No."))
    await sage.hear("bin day, please")
    shown = sage.server.completions[0].prompt
    assert "- Tells which bin is next. Ask it" in shown
    assert "street: Street of the house; such as High Street, " in shown
    assert "weeks?: 1..4 (How many weeks to look ahead; default 1)" in shown
    assert "kind?: green|paper" in shown
    assert "who?: p1|ben (p1 = Anna)" in shown
    assert "anything?: Free" in shown


@pytest.mark.parametrize(
    ("command", "arguments"),
    [
        ("turn_on", {"street": "A"}),
        ("turn_on", {"variables": {"street": "A"}}),
        ("script.bin_day", {"street": "A", "weeks": "1"}),
        ("bin_day", {"street": "A", "anything": {"x": [1]}}),
        ("turn_on", {"street": "A", "entity_id": "light.kitchen_light"}),
        ("turn_on", {"street": "A", "entity_id": "Kitchen Light"}),
    ],
)
async def test_fields_reach_the_script(hass, sage: Sage, command: str, arguments) -> None:
    await script(hass, ECHO, RETURN, fields=FIELDS)
    told = await read(
        sage, runs(command=command, **arguments), *[NATIVE.finish("could_not", "No.")] * 2
    )
    assert '{"street": "A", "weeks": 1}' in told


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({}, "street"),
        ({"street": "A", "weeks": 9}, "1..4"),
        ({"street": "A", "kind": "blue"}, "green, paper"),
        ({"street": "A", "colour": "red"}, "no argument colour"),
        ({"street": "A", "entity_id": "lock.office_safe"}, "may not be used"),
        ({"street": "{{ states.lock }}"}, "template"),
    ],
)
async def test_fields_are_checked(hass, sage: Sage, arguments, error: str) -> None:
    await script(hass, ECHO, RETURN, fields=FIELDS)
    async_expose_entity(hass, "conversation", "lock.office_safe", False)
    told = await read(sage, runs(**arguments), *[NATIVE.finish("could_not", "No.")] * 2)
    assert error in told


async def test_script_without_a_response_gets_its_fields(hass, sage: Sage) -> None:
    await script(hass, {**LIGHT, "data": {"brightness_pct": "{{ weeks * 10 }}"}}, fields=FIELDS)
    sage.model_says(runs(final=True, street="A", weeks=4))
    await sage.hear("run bin day")
    await hass.async_block_till_done()
    assert hass.states.get("light.kitchen_light").attributes["brightness"] == 102
