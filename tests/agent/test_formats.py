"""A reply becomes a decision, or an error that says what the model should write."""

import json
from collections.abc import Mapping
from typing import Any

import pytest

from custom_components.sage.agent.decision import (
    INNER_KINDS,
    About,
    Call,
    Decision,
    DecisionError,
    Observation,
    Observed,
    finish_schema,
)
from custom_components.sage.agent.formats import (
    ConstrainedFormat,
    DecisionFormat,
    Example,
    NativeFormat,
    ReactFormat,
)
from custom_components.sage.agent.reply_reader import finish_from, read_reply
from custom_components.sage.model.language_model import ModelReply, ModelRequest, ToolCall, ToolSpec
from tests.decisions import FORMATS, NATIVE, Decides, claim

LAMP = ToolSpec(
    name="switch_lamp",
    description="Switch a lamp.",
    parameters={
        "type": "object",
        "properties": {
            "lamp": {"type": "string", "description": "its id"},
            "to": {"type": "string", "enum": ["on", "off"]},
            "levels": {"type": "array", "items": {"type": "integer"}},
        },
        "required": ["lamp"],
        "additionalProperties": False,
    },
)
TOOLS = (LAMP, ToolSpec(name="finish", description="End.", parameters=finish_schema(INNER_KINDS)))
INPUT = "Time: now\nRequest: light, please"


def make(name: str) -> DecisionFormat:
    made: dict[str, DecisionFormat] = {
        "native": NativeFormat("Call tools."),
        "constrained": ConstrainedFormat("Reply with JSON."),
        "react": ReactFormat("Thought, Action, Action Input."),
    }
    return made[name]


def read(name: str, reply: ModelReply) -> Decision:
    return read_reply(reply, make(name), TOOLS)


def requested(name: str, *history: Observed, examples: tuple[Example, ...] = ()) -> ModelRequest:
    return make(name).request("You switch lamps.", TOOLS, INPUT, examples, history)


def refused(reply: ModelReply) -> Observed:
    """Return a reply that is no decision, with what the model is told."""
    return Observed(Decision(reply=reply, problem="Shorter."), (Observation("", "Shorter."),))


def reply_of(completion) -> ModelReply:
    calls = tuple(
        ToolCall(id=f"call_{number}", name=call.name, arguments=call.text())
        for number, call in enumerate(completion.calls)
    )
    return ModelReply(text=completion.text, tool_calls=calls)


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize(
    ("kind", "answer", "mend"),
    [("done", "It is on.", "acted, answered, asked, could_not"), ("acted", "  ", "`answer`")],
)
def test_finish_without_kind_or_answer_names_the_mend(name, kind, answer, mend) -> None:
    assert mend in read(name, reply_of(Decides(name).finish(kind, answer))).problem


@pytest.mark.parametrize(
    ("name", "text", "mend"),
    [
        ("constrained", '{"thought": "x"}', "one JSON object"),
        ("constrained", '{"action": {"tool": "finish", "input": "x"}}', "arguments of `finish`"),
        ("constrained", "[]", "one JSON object"),
        ("react", "Thought: I turn on the light.", "`Action:`"),
        ("react", "Thought: x\nAction: switch_lamp", "`Action Input:`"),
        ("react", "Thought: x\nAction: switch_lamp\nAction Input: hall", "`Action Input:`"),
    ],
)
def test_what_is_no_decision_names_the_mend(name: str, text: str, mend: str) -> None:
    assert mend in read(name, ModelReply(text=text)).problem


def test_reply_that_was_cut_off_asks_for_a_shorter_one() -> None:
    reply = ModelReply(text='{"thought": "and so', truncated=True)
    assert "cut off" in read("constrained", reply).problem


@pytest.mark.parametrize("name", ["constrained", "react"])
def test_of_a_reply_that_was_cut_off_the_model_sees_the_beginning(name: str) -> None:
    cut_off = ModelReply(text="Over and over. " * 100, truncated=True)

    written = requested(name, refused(cut_off)).messages[-2].content or ""

    assert written.startswith("Over and over. ")
    assert len(written) < 400
    done = Observed(Decision(reply=cut_off), (Observation("1", "On."),))
    assert requested(name, done).messages[-2].content == cut_off.text


def test_a_native_reply_that_was_cut_off_is_called_so() -> None:
    call = ToolCall(id="1", name="switch_lamp", arguments='{"lamp": "hall, hall, ')
    reply = ModelReply(tool_calls=(call,), truncated=True)
    assert "cut off" in read("native", reply).problem
    *_, written, told = requested("native", refused(reply)).messages
    assert [each.arguments for each in written.tool_calls] == ["{}"]
    assert told.content == "Shorter."


def test_react_does_not_believe_its_own_observation() -> None:
    text = (
        'Thought: first look\nAction: switch_lamp\nAction Input: {"lamp": "hall"}\n'
        "Observation: it is on\nThought: fine\nAction: finish\n"
        'Action Input: {"kind": "acted", "answer": "Done."}'
    )
    decision = read("react", ModelReply(text=text))
    assert decision.finish is None
    assert decision.calls[0].tool == "switch_lamp"


@pytest.mark.parametrize("name", FORMATS)
def test_history_follows_the_unchanged_beginning(name: str) -> None:
    decision = read(name, reply_of(Decides(name).call("switch_lamp", lamp="hall")))
    observed = Observed(decision, (Observation(decision.calls[0].id, "it is on"),))
    first, second = requested(name), requested(name, observed)
    assert second.messages[: len(first.messages)] == first.messages
    assert second.tools == first.tools
    assert "it is on" in (second.messages[-1].content or "")
    told = json.dumps([message.content for message in first.messages]) + str(first.tools)
    assert "switch_lamp" in told
    assert "finish" in told


def test_native_gives_every_call_its_tool_message() -> None:
    said = reply_of(NATIVE.calls(("switch_lamp", {"lamp": "a"}), ("finish", {"kind": "acted"})))
    mend = Observation("", "`finish` needs `answer`.")
    request = requested("native", Observed(Decision(reply=said), (mend,)))
    answers = [message for message in request.messages if message.role == "tool"]
    assert [answer.tool_call_id for answer in answers] == ["call_0", "call_1"]
    assert {answer.content for answer in answers} == {"`finish` needs `answer`."}


def test_constrained_schema_offers_only_the_tools() -> None:
    schema = requested("constrained").response_schema
    assert schema is not None
    actions = schema["properties"]["actions"]["items"]["anyOf"]
    assert [action["properties"]["tool"]["enum"] for action in actions] == [
        ["switch_lamp"],
        ["finish"],
    ]
    assert "description" not in json.dumps(actions[0])


def test_tools_are_told_as_signatures() -> None:
    told = str(requested("react").messages[0].content)
    assert "- switch_lamp(lamp: string, to?: on|off, levels?: list of integer): " in told
    assert "lamp: its id" in told


@pytest.mark.parametrize("name", FORMATS)
def test_answer_streams_after_its_claims(name: str) -> None:
    words, lamp = 'The "hall" lamp\n is on – ja 💡.', claim("hall_lamp", "on", "read")
    said = reply_of(Decides(name).finish("answered", words, lamp))
    text = said.text or said.tool_calls[0].arguments
    chosen = make(name)
    heard = ""
    for end in range(len(text) + 1):
        so_far = chosen.finish_so_far(text[:end])
        if so_far is not None:
            assert so_far["claims"] == [lamp]
            assert so_far["answer"].startswith(heard)
            heard = so_far["answer"]
    assert heard == words


def so_far(text: str) -> Mapping[str, Any] | None:
    return make("native").finish_so_far(text)


def test_unfinished_escapes_wait() -> None:
    begun = '{"kind": "answered", "about": ["other"], "claims": [], "answer": "a'

    def heard(text: str) -> str | None:
        found = so_far(text)
        return None if found is None else found["answer"]

    assert heard(begun) == "a"
    assert heard(begun + "\\") == "a"
    assert heard(begun + "\\u00") == "a"
    assert heard(begun + "\\u00e9") == "aé"
    assert heard(begun + "\\ud83d") == "a"


def test_nothing_streams_before_the_claims_are_complete() -> None:
    assert so_far('{"kind": "answered", "answer": "a", "claims": [') is not None
    assert so_far('{"answer": "a", "kind": "answered"') is None
    assert so_far('{"kind": "answered", "claims": [{"value": ", \\"answer\\": \\"a"') is None
    assert so_far('{"kind": "answered", "claims": [{"x": 1, "answer": "a') is None


@pytest.mark.parametrize(
    ("arguments", "fix"),
    [
        ({"claims": "lamp is on"}, "`claims` is a list of objects"),
        ({"claims": [{"result": "read"}]}, "needs `devices`"),
        ({"claims": [{"devices": ["a"], "result": "done"}]}, "one of verified"),
    ],
)
def test_claims_that_cannot_be_read_are_answered_with_the_fix(arguments, fix: str) -> None:
    with pytest.raises(DecisionError, match=fix):
        finish_from({"kind": "acted", "answer": "Done.", **arguments})


def test_subjects_that_do_not_exist_are_left_out() -> None:
    given = {"kind": "answered", "answer": "It rains.", "about": ["weather", "other"]}
    assert finish_from(given).about == {About.OTHER}


EXAMPLE = Example(
    given="Request: two lamps, please",
    thought="Both stand there.",
    calls=(
        Call(id="action0", tool="switch_lamp", arguments={"lamp": "été", "levels": [1]}),
        Call(id="action1", tool="switch_lamp", arguments={"lamp": "b", "to": "off"}),
    ),
)


@pytest.mark.parametrize("name", ["constrained", "react"])
def test_an_example_is_a_turn_that_the_format_itself_reads(name: str) -> None:
    system, given, decided, last = requested(name, examples=(EXAMPLE,)).messages
    assert (system.role, given.role, decided.role, last.role) == (
        "system",
        "user",
        "assistant",
        "user",
    )
    assert (given.content, last.content) == (EXAMPLE.given, INPUT)
    text = decided.content or ""
    assert read(name, ModelReply(text=text)).calls == EXAMPLE.calls
    assert EXAMPLE.thought in text


def test_an_example_has_no_line_breaks_in_the_constrained_format() -> None:
    """Small models write as the example does; the line breaks were half of what they wrote."""
    written = requested("constrained", examples=(EXAMPLE,)).messages[2].content
    assert written is not None
    assert "\n" not in written
