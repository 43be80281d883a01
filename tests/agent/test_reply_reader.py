"""All the forms in which models write a call are read, in every decision format."""

import json
from typing import Any

import pytest

from custom_components.sage.agent.decision import Decision, FinishKind, answer_schema
from custom_components.sage.agent.reply_reader import read_reply
from custom_components.sage.agent.written_calls import tool_named
from custom_components.sage.model.language_model import ModelReply, ToolCall, ToolSpec
from tests.agent.test_formats import make
from tests.decisions import FORMATS

RUN = ToolSpec(
    name="execute_command",
    description="Run a command.",
    parameters={
        "type": "object",
        "properties": {
            "devices": {"type": "array", "items": {"type": "string"}},
            "command": {"type": "string"},
            "arguments": {"type": "object", "additionalProperties": True},
            "component": {"type": "string"},
            "timing": {"type": "string", "enum": ["now", "later"]},
            "final": {"type": "boolean"},
            "minutes": {"type": "integer"},
            "seconds": {"type": "number"},
        },
        "required": ["devices", "command"],
        "additionalProperties": False,
    },
)
UNDO = ToolSpec(
    name="undo",
    description="Put it back.",
    parameters={"type": "object", "properties": {}, "required": []},
)
MEMORY = ToolSpec(
    name="memory",
    description="Remember.",
    parameters={
        "type": "object",
        "properties": {"action": {"type": "string"}, "name": {"type": "string"}},
        "required": ["action"],
    },
)
TOOLS = (RUN, UNDO, MEMORY, ToolSpec(name="finish", description="End.", parameters=answer_schema()))
GIVEN: dict[str, Any] = {"devices": ["lamp"], "command": "turn_on", "arguments": {"level": 5}}
ARGS = json.dumps(GIVEN)
NAME = "execute_command"
ENVELOPE = json.dumps({"name": NAME, "arguments": GIVEN})
DECISION = json.dumps({"thought": "Next.", "actions": [{"tool": NAME, "input": GIVEN}]})
XML = (
    '<parameter=devices>\n["lamp"]\n</parameter>\n<parameter=command>turn_on</parameter>\n'
    '<parameter=arguments>{"level": 5}</parameter>'
)
PYTHON = 'devices=["lamp"], command="turn_on", arguments={"level": 5}'

WRITTEN = {
    "llama": f'{{"name": "{NAME}", "parameters": {ARGS}}}',
    "llama with type": f'{{"type": "function", "name": "{NAME}", "parameters": {ARGS}}}',
    "llama python tag": f'<|python_tag|>{{"name": "{NAME}", "parameters": {ARGS}}}<|eom_id|>',
    "llama function tag": f"<function={NAME}>{ARGS}</function>",
    "llama function tag, not closed": f"<function={NAME}{ARGS}</function>",
    "llama python call": f"[{NAME}({PYTHON})]",
    "llama tagged python call": f"<|python_tag|>{NAME}({PYTHON})",
    "qwen": f"<tool_call>\n{ENVELOPE}\n</tool_call>",
    "qwen, not closed": f"<tool_call>\n{ENVELOPE}",
    "qwen after words": f"I switch it on.\n<tool_call>\n{ENVELOPE}\n</tool_call>",
    "qwen coder": f"<tool_call>\n<function={NAME}>\n{XML}\n</function>\n</tool_call>",
    "invoke": (
        f'<function_calls><invoke name="{NAME}"><parameter name="devices">["lamp"]</parameter>'
        '<parameter name="command">turn_on</parameter><parameter name="arguments">{"level": 5}'
        "</parameter></invoke></function_calls>"
    ),
    "glm": (
        f'<tool_call>{NAME}\n<arg_key>devices</arg_key>\n<arg_value>["lamp"]</arg_value>\n'
        "<arg_key>command</arg_key>\n<arg_value>turn_on</arg_value>\n<arg_key>arguments</arg_key>"
        '\n<arg_value>{"level": 5}</arg_value>\n</tool_call>'
    ),
    "mistral list": f"[TOOL_CALLS] [{ENVELOPE}]",
    "mistral name": f"[TOOL_CALLS]{NAME}[ARGS]{ARGS}",
    "mistral id": f"[TOOL_CALLS]{NAME}[CALL_ID]abc123[ARGS]{ARGS}",
    "deepseek": (
        f"<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>{NAME}\n```json\n{ARGS}\n"
        "```<｜tool▁call▁end｜><｜tool▁calls▁end｜>"
    ),
    "deepseek 3.1": f"<｜tool▁call▁begin｜>{NAME}<｜tool▁sep｜>{ARGS}<｜tool▁call▁end｜>",
    "deepseek 3.2": (
        f'<｜DSML｜function_calls>\n<｜DSML｜invoke name="{NAME}">\n'
        '<｜DSML｜parameter name="devices" string="false">["lamp"]</｜DSML｜parameter>\n'
        '<｜DSML｜parameter name="command" string="true">turn_on</｜DSML｜parameter>\n'
        '<｜DSML｜parameter name="arguments" string="false">{"level": 5}</｜DSML｜parameter>\n'
        "</｜DSML｜invoke>\n</｜DSML｜function_calls>"
    ),
    "functioncall": f"<functioncall> {ENVELOPE} </functioncall>",
    "kimi": (
        f"<|tool_calls_section_begin|><|tool_call_begin|>functions.{NAME}:0"
        f"<|tool_call_argument_begin|>{ARGS}<|tool_call_end|><|tool_calls_section_end|>"
    ),
    "gpt-oss": (
        "<|channel|>analysis<|message|>Switch it on.<|end|><|start|>assistant<|channel|>"
        f"commentary to=functions.{NAME} <|constrain|>json<|message|>{ARGS}<|call|>"
    ),
    "phi": f"<|tool_call|>[{ENVELOPE}]<|/tool_call|>",
    "functools": f"functools[{ENVELOPE}]",
    "gemma": f"```tool_code\n{NAME}({PYTHON})\n```",
    "gemma print": f"```tool_code\nprint(default_api.{NAME}({PYTHON}))\n```",
    "gemma 4": (
        f'<|tool_call>call:{NAME}{{arguments:{{level:5}},command:<|"|>turn_on<|"|>,'
        'devices:[<|"|>lamp<|"|>]}<tool_call|>'
    ),
    "function gemma": (
        f"<start_function_call>call:{NAME}{{command:<escape>turn_on<escape>,arguments:{{level:5}},"
        "devices:[<escape>lamp<escape>]}<end_function_call>"
    ),
    "nemotron": f"<TOOLCALL>[{ENVELOPE}]</TOOLCALL>",
    "LM Studio": f"[TOOL_REQUEST]\n{ENVELOPE}\n[END_TOOL_REQUEST]",
    "lfm": f"<|tool_call_start|>[{NAME}({PYTHON})]<|tool_call_end|>",
    "command-r": (
        "<|START_THINKING|>Switch it on.<|END_THINKING|><|START_ACTION|>"
        f'[{{"tool_call_id": "0", "tool_name": "{NAME}", "parameters": {ARGS}}}]<|END_ACTION|>'
    ),
    "fence": f"```json\n{ENVELOPE}\n```",
    "fence after words": f"Here is the call:\n\n```json\n{ENVELOPE}\n```\nIt switches the lamp on.",
    "list": f"[{ENVELOPE}]",
    "tool and input": f'{{"tool": "{NAME}", "input": {ARGS}}}',
    "tool and args as text": json.dumps({"tool": NAME, "args": ARGS}),
    "tool_calls": f'{{"tool_calls": [{ENVELOPE}]}}',
    "openai": json.dumps(
        {
            "tool_calls": [
                {"id": "1", "type": "function", "function": {"name": NAME, "arguments": ARGS}}
            ]
        }
    ),
    "function": f'{{"function": {ENVELOPE}}}',
    "function_call": f'{{"function_call": {ENVELOPE}}}',
    "tool_uses": json.dumps(
        {"tool_uses": [{"recipient_name": f"functions.{NAME}", "parameters": GIVEN}]}
    ),
    "langchain": f'{{"action": "{NAME}", "action_input": {ARGS}}}',
    "action object": f'{{"thought": "x", "action": {{"tool": "{NAME}", "input": {ARGS}}}}}',
    "flat": json.dumps({"tool": NAME, **GIVEN}),
    "name as key": f'{{"{NAME}": {ARGS}}}',
    "name before": f"{NAME} {ARGS}",
    "name on a line": f"{NAME}\n{ARGS}",
    "call of an object": f"{NAME}({ARGS})",
    "decision": DECISION,
    "decision in a fence": f"```json\n{DECISION}\n```",
    "decision after words": f"Here it is:\n{DECISION}",
    "decision in a sentence": f"Here it is: {DECISION}",
    "decision before words": f"{DECISION}\n\nThat switches it on.",
    "decision after thinking": f"Hm. <think>What now?</think>\n{DECISION}",
    "decision as list": f'[{{"tool": "{NAME}", "input": {ARGS}}}]',
    "actions as text": json.dumps({"actions": json.dumps([{"tool": NAME, "input": GIVEN}])}),
    "one action": f'{{"thought": "", "actions": {{"tool": "{NAME}", "input": {ARGS}}}}}',
    "function_name": f'{{"function_name": "{NAME}", "function_arguments": {ARGS}}}',
    "trailing commas": f'{{"tool": "{NAME}", "input": {ARGS[:-1]},}},}}',
    "python literal": str({"tool": NAME, "input": GIVEN, "note": None, "sure": True}),
    "comment": f'{{"tool": "{NAME}", // the lamp\n"input": {ARGS}}}',
    "keys without quotes": f'{{tool: "{NAME}", input: {ARGS}}}',
    "closing brace missing": f'{{"tool": "{NAME}", "input": {ARGS}',
    "brace missing in a tag": f'<tool_call>{{"name": "{NAME}", "arguments": {ARGS}</tool_call>',
    "superfluous brace": f"{ENVELOPE}}}",
    "react": f"Thought: Next.\nAction: {NAME}\nAction Input: {ARGS}",
    "react bold": f"**Thought:** Next.\n**Action:** {NAME}\n**Action Input:** {ARGS}",
    "react bold name": f"Thought: Next.\n**Action**: `{NAME}`\n**Action Input**: `{ARGS}`",
    "react numbered": f"Thought 1: Next.\nAction 1: {NAME}\nAction Input 1: {ARGS}",
    "react list": f"1. Thought: Next.\n2. Action: {NAME}\n3. Action Input: {ARGS}",
    "react heading": f"### Action: {NAME}\n### Action Input:\n{ARGS}",
    "react fence": f"Action: {NAME}\nAction Input:\n```json\n{ARGS}\n```",
    "react call": f"Thought: Next.\nAction: {NAME}({PYTHON})",
    "react call of an object": f"Action: {NAME}({ARGS})",
    "react on one line": f"Action: {NAME} Action Input: {ARGS}",
    "react name and object": f"Action: {NAME} {ARGS}",
    "react JSON": f'Action: {{"tool": "{NAME}", "input": {ARGS}}}',
    "react JSON in a fence": f'Action:\n```\n{{"action": "{NAME}", "action_input": {ARGS}}}\n```',
    "react underscore": f"Action: {NAME}\nAction_Input: {ARGS}",
    "react small letters": f"thought: next\naction: {NAME}\naction input: {ARGS}",
    "react decorated": f'Action: "functions.{NAME}"\nAction Input: {ARGS}',
    "react and its own observation": f"Action: {NAME}\nAction Input: {ARGS}\nObservation: On.",
}


def read(name: str, text: str, *, is_tainted: bool = False) -> Decision:
    return read_reply(ModelReply(text=text), make(name), TOOLS, is_tainted=is_tainted)


def read_cut_off(text: str) -> Decision:
    return read_reply(ModelReply(text=text, truncated=True), make("native"), TOOLS)


def native(*calls: tuple[str, str], truncated: bool = False) -> Decision:
    wired = [
        ToolCall(id=f"c{n}", name=name, arguments=given) for n, (name, given) in enumerate(calls)
    ]
    reply = ModelReply(tool_calls=tuple(wired), truncated=truncated)
    return read_reply(reply, make("native"), TOOLS)


def called(reading: Decision) -> list[tuple[str, dict[str, Any]]]:
    return [(call.tool, dict(call.arguments)) for call in reading.calls]


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("form", WRITTEN)
def test_written_call(name: str, form: str) -> None:
    assert called(read(name, WRITTEN[form])) == [(NAME, GIVEN)]


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize(
    "text",
    [
        f'<tool_call>{ENVELOPE}</tool_call>\n<tool_call>{{"name": "undo"}}</tool_call>',
        f'<tool_call>{ENVELOPE}</tool_call>\n<tool_call>{{"name": "undo", "arguments": {{}}}}',
        f'{ENVELOPE}; {{"name": "undo", "parameters": {{}}}}',
        f'{ENVELOPE}\n{{"name": "undo", "parameters": {{}}}}',
        f'[TOOL_CALLS][{ENVELOPE}, {{"name": "undo", "arguments": {{}}}}]',
        f"[{NAME}({PYTHON}), undo()]",
        f"<function={NAME}>{ARGS}</function><function=undo></function>",
        f"Thought: a\nAction: {NAME}\nAction Input: {ARGS}\nThought: b\nAction: undo",
        f"Action: {NAME}\nAction Input: {ARGS}\nAction: undo\nAction Input: None",
    ],
)
def test_several_written_calls(name: str, text: str) -> None:
    assert called(read(name, text)) == [(NAME, GIVEN), ("undo", {})]


@pytest.mark.parametrize("name", FORMATS)
def test_answer_that_follows_a_call(name: str) -> None:
    end = {"kind": "acted", "about": ["home"], "claims": [], "answer": "It is on."}
    text = f"{ENVELOPE}\n{json.dumps({'name': 'finish', 'arguments': end})}"
    decision = read(name, text)
    assert decision.finish is not None
    assert decision.finish.answer == "It is on."
    bare = read(name, json.dumps(end)).finish
    assert bare is not None
    assert (bare.kind, bare.answer) == (FinishKind.ACTED, "It is on.")


NAMES = [
    "functions.execute_command",
    "sage__execute_command",
    "mcp__sage__execute_command",
    "tools.execute_command",
    "default_api.execute_command",
    "default_api:execute_command",
    "Execute_Command",
    "EXECUTE_COMMAND",
    "executeCommand",
    "ExecuteCommand",
    "execute command",
    "execute-command",
    " execute_command ",
    "`execute_command`",
    '"execute_command"',
    "execute_command()",
    "execute_command<|channel|>commentary",
    "execute_command<|channel|>json",
    "execute_command json",
    "functions.execute_command:0",
    "functions/execute_command",
    "commentary to=functions.execute_command",
]


@pytest.mark.parametrize("name", NAMES)
def test_decorated_name(name: str) -> None:
    reading = native((name, ARGS))
    assert called(reading) == [(NAME, GIVEN)]
    assert reading.repairs == (f"name `{name}` read as `{NAME}`",)


@pytest.mark.parametrize(
    "name",
    ["execute", "command", "execute_commands", "exec", "undo.memory", "undo_memory", "", "."],
)
def test_name_that_means_no_tool(name: str) -> None:
    assert tool_named(name, {tool.name: {} for tool in TOOLS}) is None
    assert called(native((name, "{}"))) == [(name, {})]


def test_two_tools_with_nearly_the_same_name() -> None:
    assert tool_named("Set-Light", {"set_light": {}, "setlight": {}}) is None
    assert tool_named("setlight", {"set_light": {}, "setlight": {}}) == "setlight"


SLOPPY: dict[str, tuple[Any, dict[str, Any]]] = {
    "null": ({"component": None, "timing": None}, {}),
    "null that is no argument": ({"language": None}, {}),
    "text for a list": ({"devices": "lamp"}, {"devices": ["lamp"]}),
    "list as text": ({"devices": '["lamp", "fan"]'}, {"devices": ["lamp", "fan"]}),
    "list as Python text": ({"devices": "['lamp']"}, {"devices": ["lamp"]}),
    "object as text": ({"arguments": '{"level": 7}'}, {"arguments": {"level": 7}}),
    "object in a list": ({"arguments": [{"level": 7}]}, {"arguments": {"level": 7}}),
    "list for a text": ({"command": ["turn_on"]}, {"command": "turn_on"}),
    "boolean as text": ({"final": "true"}, {"final": True}),
    "Python's boolean as text": ({"final": "False"}, {"final": False}),
    "number as text": ({"minutes": "5"}, {"minutes": 5}),
    "whole number": ({"minutes": "5.0"}, {"minutes": 5}),
    "decimal number as text": ({"seconds": "1.5"}, {"seconds": 1.5}),
    "empty text for a number": ({"minutes": ""}, {}),
    "empty object for a boolean": ({"final": {}}, {}),
    "empty text for an enum": ({"timing": ""}, {}),
    "empty list for a text": ({"component": []}, {}),
    "case of an enum": ({"timing": "NOW"}, {"timing": "now"}),
    "list for an enum": ({"timing": ["Later "]}, {"timing": "later"}),
}


@pytest.mark.parametrize("form", SLOPPY)
def test_arguments_are_fitted_to_the_schema(form: str) -> None:
    more, expected = SLOPPY[form]
    reading = native((NAME, json.dumps({**GIVEN, **more})))
    assert called(reading) == [(NAME, {**GIVEN, **expected})]
    (repair,) = reading.repairs
    assert repair == f"arguments of `{NAME}` adjusted: {', '.join(more)}"


@pytest.mark.parametrize(
    "more",
    [
        {"minutes": "soon"},
        {"minutes": 1.5},
        {"minutes": "1.5"},
        {"final": "perhaps"},
        {"timing": "tomorrow"},
        {"command": 5},
        {"command": ["turn_on", "turn_off"]},
        {"devices": None},
        {"reason": "because"},
        {"arguments": "level 5"},
    ],
)
def test_arguments_that_would_have_to_be_guessed_stay_unchanged(more: dict[str, Any]) -> None:
    assert called(native((NAME, json.dumps({**GIVEN, **more})))) == [(NAME, {**GIVEN, **more})]


@pytest.mark.parametrize(
    "given",
    [
        json.dumps({"arguments": GIVEN}),
        json.dumps({"arguments": ARGS}),
        json.dumps({"input": GIVEN}),
        json.dumps({"parameters": GIVEN}),
        json.dumps({"name": NAME, "arguments": GIVEN}),
        json.dumps({"tool": f"functions.{NAME}", "input": ARGS}),
        json.dumps(ARGS),
        f"[{ARGS}]",
        f"```json\n{ARGS}\n```",
        f"{{}}{ARGS}",
        ARGS + ARGS,
        f"{ARGS}}}",
        f"{ARGS}<|im_end|>",
        f"{ARGS}</tool_call>",
        f"{ARGS}\n\nThe lamp is on.",
        json.dumps({"Devices": ["lamp"], "Command": "turn_on", "Arguments": {"level": 5}}),
        json.dumps({"device": "lamp", "command": "turn_on", "argument": {"level": 5}}),
        ARGS[:-1],
        f"{ARGS[:-1]},}}",
        str(GIVEN),
    ],
)
def test_arguments_in_another_form(given: str) -> None:
    assert called(native((NAME, given))) == [(NAME, GIVEN)]


def test_empty_list_for_an_object() -> None:
    given = {"devices": ["lamp"], "command": "turn_on"}
    assert called(native((NAME, json.dumps({**given, "arguments": []})))) == [(NAME, given)]


def test_name_that_may_mean_two_arguments_stays() -> None:
    given = {**GIVEN, "device": "fan"}
    assert called(native((NAME, json.dumps(given)))) == [(NAME, given)]


def test_wrapped_without_other_name() -> None:
    inner = json.dumps({"name": NAME, "arguments": GIVEN})
    assert called(native(("", inner))) == [(NAME, GIVEN)]


def test_argument_of_the_same_name_stays() -> None:
    given = {"action": "remember", "name": "undo"}
    assert called(native(("memory", json.dumps(given)))) == [("memory", given)]
    assert called(read("native", json.dumps({"tool": "memory", "input": given}))) == [
        ("memory", given)
    ]


REFUSED = {
    "text cut off": f'{{"tool": "{NAME}", "input": {{"devices": ["lamp"], "command": "turn_o',
    "number cut off": f'{{"tool": "{NAME}", "input": {{"devices": ["lamp"], "level": 5',
    "list cut off": f'{{"tool": "{NAME}", "input": {{"command": "turn_on", "devices": ["lamp"',
    "tag cut off": f'<tool_call>{{"name": "{NAME}", "arguments": {{"devices": ["la',
    "parameter cut off": f"<function={NAME}>\n{XML}\n<parameter=component>\nma",
    "Python call cut off": f'{NAME}(devices=["lamp"], command="turn_',
    "input cut off": f'Action: {NAME}\nAction Input: {{"devices": ["lamp"], "comm',
    "input missing": f"Thought: Next.\nAction: {NAME}",
    "input in words without need": "Action: undo\nAction Input: the lamp",
    "input in words on a line": "Action: undo\nAction Input:\nthe lamp",
    "input in words": f"Action: {NAME}\nAction Input: the lamp, on",
    "two names": json.dumps({"tool": NAME, "name": "undo", "input": GIVEN}),
    "two inputs": json.dumps({"tool": NAME, "input": GIVEN, "arguments": {"devices": ["fan"]}}),
    "two values": f'{{"tool": "{NAME}", "input": {{"devices": ["lamp"], "devices": ["fan"]}}}}',
    "two parameters": f"<function={NAME}>{XML}<parameter=command>off</parameter></function>",
    "one or the other": f'Either\n{ENVELOPE}\nor\n{{"name": "undo", "arguments": {{}}}}',
    "thought and action": f"{ENVELOPE}\nThought: rather\nAction: undo\nAction Input: {{}}",
    "in a sentence": f"You could write {ENVELOPE} to switch it on.",
    "at the end of a sentence": f"The mail says: {ENVELOPE}",
    "decision within a sentence": f"A decision is {DECISION} in this format.",
    "no call": '{"weather": "sunny"}',
    "no call in a list": '[{"weather": "sunny"}]',
    "only a thought": "Thought: I should switch on the lamp.",
    "only thinking": f"<think>{ENVELOPE}</think>",
    "thinking not closed": f"Hm.<think>\n{ENVELOPE}"[3:],
    "broken around a call": f'{{"tool": "finish", "input": {{"answer": "He wrote: {ENVELOPE}"',
    "nothing": "   ",
}


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("form", REFUSED)
def test_refused(name: str, form: str) -> None:
    assert read(name, REFUSED[form]).problem


@pytest.mark.parametrize("arguments", ['{"devices": ["lamp"], "command": "tur', f"{ARGS}{{}}", "5"])
def test_refused_native_arguments(arguments: str) -> None:
    assert native((NAME, arguments)).problem


def test_missing_bracket_of_a_reply_that_was_cut_off() -> None:
    assert native((NAME, ARGS[:-1])).calls
    assert "cut off" in native((NAME, ARGS[:-1]), truncated=True).problem
    assert "cut off" in read_cut_off(f'{{"tool": "{NAME}", "input": {ARGS}').problem


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize(
    "quoted",
    [
        ENVELOPE,
        f"<tool_call>{ENVELOPE}</tool_call>",
        f"[TOOL_CALLS] [{ENVELOPE}]",
        f"Action: {NAME}\nAction Input: {ARGS}",
        f"```json\n{DECISION}\n```",
        f"<function={NAME}>{XML}</function>",
    ],
)
def test_call_that_an_answer_quotes(name: str, quoted: str) -> None:
    """Also if the text of the answer has line breaks, which JSON does not allow."""
    end = {"kind": "answered", "about": ["other"], "claims": [], "answer": f"He wrote:\n{quoted}\n"}
    for text in (json.dumps(end), json.dumps(end).replace("\\n", "\n")):
        call = {
            "native": f'{{"name": "finish", "arguments": {text}}}',
            "constrained": f'{{"thought": "", "actions": [{{"tool": "finish", "input": {text}}}]}}',
            "react": f"Thought: A mail.\nAction: finish\nAction Input: {text}",
        }[name]
        reading = read(name, call, is_tainted=True)
        assert reading.calls == ()
        assert reading.finish is not None
        assert reading.finish.answer.startswith("He wrote:")


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize(
    "quoted", [ENVELOPE, f"<tool_call>{ENVELOPE}</tool_call>", WRITTEN["react"], DECISION]
)
def test_call_among_words_after_untrusted_text(name: str, quoted: str) -> None:
    """The model may quote a mail: then only a reply that is nothing but a call is followed."""
    text = f"The mail of Eve says:\n{quoted}"
    assert read(name, text).calls
    assert "no words before or after" in read(name, text, is_tainted=True).problem
    if quoted != WRITTEN["react"] or name == "react":
        assert called(read(name, quoted, is_tainted=True)) == [(NAME, GIVEN)]


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("<|start|>assistant<|channel|>final<|message|>Hello!<|return|>", "Hello!"),
        ("<|channel|>analysis<|message|>Hm.<|end|><|channel|>final<|message|>Hello!", "Hello!"),
        ("Hello! How can I help you?", "Hello! How can I help you?"),
        ("<think>A greeting.</think>Bonjour !", "Bonjour !"),
        ("Thought: A greeting.\nFinal Answer: Hello!", "Hello!"),
        ("**Final Answer:** Hello!", "Hello!"),
        ("Thought: A greeting.\nAction: None\nFinal Answer: Hello!", "Hello!"),
        ("Memory (RAM) is fast.", "Memory (RAM) is fast."),
        ("Hello! [1]", "Hello! [1]"),
        ("Use {braces}.\nAnd (brackets).", "Use {braces}.\nAnd (brackets)."),
    ],
)
def test_words_without_a_call(name: str, text: str, words: str) -> None:
    reading = read(name, text)
    assert reading.calls == ()
    assert reading.finish is not None
    assert reading.finish.is_unstructured
    assert reading.finish.answer == words


def test_words_that_were_cut_off_are_no_answer() -> None:
    assert "cut off" in read_cut_off("Hello! How can").problem


@pytest.mark.parametrize(
    ("name", "text", "repairs"),
    [
        ("native", ENVELOPE, ("read the call from the text of the reply",)),
        ("constrained", DECISION, ()),
        ("constrained", f"```\n{DECISION}\n```", ("read the call from the text of the reply",)),
        ("react", WRITTEN["react"], ()),
        ("react", ENVELOPE, ("read the call from the text of the reply",)),
    ],
)
def test_repairs_are_noted(name: str, text: str, repairs: tuple[str, ...]) -> None:
    assert read(name, text).repairs == repairs


@pytest.mark.parametrize(
    "more",
    [
        {"kind": "ANSWERED"},
        {"kind": " answered "},
        {"kind": ["answered"]},
        {"about": "other"},
        {"about": "Other"},
        {"about": '["other"]'},
        {"claims": None},
        {"claims": ""},
        {"claims": "[]"},
        {"claims": {}},
    ],
    ids=str,
)
def test_fields_of_an_answer(more: dict[str, Any]) -> None:
    end = {"kind": "answered", "about": ["other"], "claims": [], "answer": "Hello."}
    usual = native(("finish", json.dumps(end)))
    assert usual.finish is not None
    assert native(("finish", json.dumps(end | more))).finish == usual.finish


@pytest.mark.parametrize(
    "claims",
    [
        {"devices": ["lamp"], "result": "not_confirmed", "value": "on"},
        json.dumps([{"devices": ["lamp"], "result": "not_confirmed", "value": "on"}]),
        [{"devices": "lamp", "result": "NOT CONFIRMED", "value": ["on"], "attribute": None}],
        [{"devices": '["lamp"]', "result": "Not-Confirmed", "value": "on", "attribute": "state"}],
    ],
)
def test_claims_of_an_answer(claims: object) -> None:
    end = {"kind": "could_not", "about": ["home"], "claims": claims, "answer": "No."}
    finish = native(("finish", json.dumps(end))).finish
    assert finish is not None
    (claim,) = finish.claims
    assert (claim.devices, claim.result, claim.value) == (("lamp",), "not_confirmed", "on")
