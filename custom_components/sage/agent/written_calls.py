"""Find the tool calls that a model wrote into the text of its reply.

Models write calls as text if the server does not know their own form of a call, or if the prompt
asks for it (decision formats `constrained` and `react`). All common forms are read, whatever the
decision format: JSON objects, tags of Llama, Qwen, Mistral, DeepSeek, Kimi, Gemma and gpt-oss, XML
parameters, Python calls, and the lines `Action:` and `Action Input:` of ReAct.
"""

import json
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

from ..model import fitted, read_json
from .decision import FINISH, DecisionError

_LONGEST_HEAD: Final = 200  # maximum number of characters between a tag and the JSON of its call
_SENTENCE: Final = re.compile(r"[()!?]|[.,](?:\s|$)")
_MOST_WORDS: Final = 4  # maximum number of words in which the name of a tool is searched
_TAG: Final = re.compile(
    r"(?:<\|start\|>assistant)?<\|channel\|>final<\|message\|>"
    r"|<[|｜][^|｜<>\n]{1,40}[|｜]>|\[/?(?:(?:END_)?TOOL_(?:CALLS?|REQUEST)|ARGS|CALL_ID)\]"
    r"|</?(?:tool_?calls?|function_?calls?|tools?|tool_code|functions?|invoke|response)>"
    r"|functools(?=\[)|<\|tool_call>|<tool_call\|>|<(?:start|end)_function_call>",
    re.IGNORECASE,
)
"""A word of a chat template that surrounds a call."""

_TAG_PREFIX: Final = re.compile(r"(?<=[</])[|｜]DSML[|｜]")  # in each tag of DeepSeek's calls
_QUOTED: Final = re.compile(r'(<\|"\|>|<escape>)(.*?)\1', re.DOTALL)  # a text in Gemma's calls
_FENCE: Final = re.compile(r"```[\w-]*|~~~[\w-]*")
_GAP: Final = re.compile(rf"(?:\s|[;,}}\])]|{_FENCE.pattern})*")  # around and between calls
_JSON_START: Final = re.compile(r"\{|\[\s*\{")
_JSON: Final = re.compile(r"\{|\[\s*(?:[{\]]|\Z)")
_IN_BRACKETS: Final = re.compile(r"\(\s*\{")
_BRACKET: Final = re.compile(r"\s*\)?")

_THINKING: Final = re.compile(
    r"<(think|thinking|thought|reasoning)>.*?(?:</\1>|\Z)|\[THINK\].*?(?:\[/THINK\]|\Z)"
    r"|<\|channel\|>analysis.*?(?:<\|end\|>|<\|start\|>|\Z)"
    r"|<\|START_THINKING\|>.*?(?:<\|END_THINKING\|>|\Z)",
    re.IGNORECASE | re.DOTALL,
)
_OBSERVATION: Final = re.compile(r"[*_]*Observation[*_]*[ \t]*\d*[ \t]*[:：]", re.IGNORECASE)
_LABEL: Final = r"[ \t#*_`\-]{0,12}(?:\d{1,3}[.)][ \t]{0,4})?[*_`]{0,3}"
_COLON: Final = r"[ \t]*\d*[*_`]*[ \t]*[:：][ \t*_`]*"
ACTION: Final = re.compile(
    rf"{_LABEL}Action{_COLON}(?P<name>[^\n]*?)(?=[ \t]*(?:Action[ \t_]+Input|\n|\Z))", re.IGNORECASE
)
"""A line `Action: name` of ReAct, also with a number, as list item, or in bold."""

FIRST_ACTION: Final = re.compile(rf"^{ACTION.pattern}", re.IGNORECASE | re.MULTILINE)
INPUT: Final = re.compile(
    rf"{_LABEL}(?:Action[ \t_]*)?(?:Input|Arguments|Parameters)s?{_COLON}", re.IGNORECASE
)
_FINAL: Final = re.compile(rf"^{_LABEL}Final[ \t]+Answer{_COLON}", re.IGNORECASE | re.MULTILINE)
_LABELLED: Final = re.compile(
    rf"^{_LABEL}(?:Thought|Action|Action[ \t_]+Input){_COLON}", re.IGNORECASE | re.MULTILINE
)
_NOTHING: Final = re.compile(r"[\s`*]*(?:(?:none|null|n/?a|-|\(\))[\s`*.]*)?", re.IGNORECASE)
_XML_CALL: Final = re.compile(
    r"<(?P<tag>function|invoke|tool)(?:=|\s+name=)[\"']?"
    r"(?P<name>[^\"'>{\n]+)[\"']?\s*(?:>|(?=\{))"
    r"|<tool_call>\s*(?P<glm>[\w.\-]+)\s*(?=<arg_key>)",
    re.IGNORECASE,
)
_XML_ARGUMENT: Final = re.compile(
    r"\s*<(?P<tag>parameter|param)(?:=|\s+name=)[\"']?(?P<key>[^\"'>\n]+?)[\"']?(?:\s[^>]*)?>"
    r"(?P<value>.*?)</(?P=tag)>"
    r"|\s*<arg_key>(?P<glm>.*?)</arg_key>\s*<arg_value>(?P<glm_value>.*?)</arg_value>",
    re.IGNORECASE | re.DOTALL,
)
_INLINE: Final = (_TAG, _THINKING, _XML_CALL)  # constructs that may begin within a line
_XML_END: Final = re.compile(r"\s*(?:</(?:function|invoke|tool|tool_call)>|\Z)", re.IGNORECASE)
_NAMED: Final = re.compile(
    r"(?:print\()?\[?[ \t]*`?(?P<name>[\w.\-]+)`?[ \t]*:?\s*(?P<open>\((?=\s*(?:[{)]|\w+\s*=))|\{)"
)
"""A call such as `name(argument=1)` or `name {"argument": 1}` at the beginning of a line."""

ARGUMENT_NAMES: Final = frozenset(
    {
        "arguments",
        "parameters",
        "input",
        "args",
        "params",
        "kwargs",
        "action_input",
        "tool_input",
        "tool_args",
        "tool_arguments",
        "tool_parameters",
        "function_args",
        "function_arguments",
        "properties",
    }
)
"""Names under which models write the arguments of a tool call."""

_NAME_KEYS: Final = (
    "tool",
    "name",
    "tool_name",
    "function_name",
    "function",
    "action",
    "recipient_name",
)
_WRAPPERS: Final = (
    "actions",
    "tool_calls",
    "calls",
    "tool_uses",
    "action",
    "tool_call",
    "function_call",
    "function",
)


@dataclass(frozen=True, slots=True)
class WrittenCall:
    """A tool call in the text of a reply; `tool` is the name as the model wrote it."""

    tool: str
    arguments: object


def tool_named(written: str, tools: Mapping[str, object]) -> str | None:
    """Return the tool that a name such as `functions.x:0` or `sage__x` certainly means, or None."""
    if written in tools:
        return written
    parts = re.split(r"[^\w-]+", written)[: _MOST_WORDS * 2]
    inner = [piece for part in parts for piece in part.split("__")]
    names = {"enum": list(tools)}
    for candidates in ([written], parts, inner):
        named = {fitted(names, each) for each in candidates} & tools.keys()
        if named:
            return named.pop() if len(named) == 1 else None
    return None


def calls_in(value: object, tools: Mapping[str, Mapping[str, Any]]) -> list[WrittenCall] | None:
    """Return the tool calls in a JSON value, in any common form; None if it contains no call."""
    if isinstance(value, str) and value.lstrip().startswith(("{", "[")):
        # JSON in a text.
        with suppress(ValueError):
            value = read_json(value.strip())[0]
    if isinstance(value, list):
        parts = [calls_in(each, tools) for each in value]
        return [call for part in parts if part for call in part] if parts and all(parts) else None
    if not isinstance(value, dict):
        return None
    if FINISH in tools and {"kind", "answer"} <= value.keys() <= set(
        tools[FINISH].get("properties", ())
    ):
        return [WrittenCall(FINISH, value)]
    if not any(isinstance(value.get(key), str) for key in ("tool", "name")):
        for wrapper in _WRAPPERS:
            inner = value.get(wrapper)
            if calls := calls_in(inner, tools):
                return calls
    return _call_in(value, tools)


def _call_in(
    value: Mapping[str, Any], tools: Mapping[str, Mapping[str, Any]]
) -> list[WrittenCall] | None:
    named = {key: value[key] for key in _NAME_KEYS if isinstance(value.get(key), str)}
    known = {key: name for key, each in named.items() if (name := tool_named(each, tools))}
    if len(set(known.values())) > 1 or (not known and len(named) > 1):
        raise DecisionError(f"Write the name of one tool only, not {', '.join(named.values())}.")
    inputs = [value[key] for key in value if key in ARGUMENT_NAMES and key not in named]
    if len(inputs) > 1 and any(each != inputs[0] for each in inputs):
        raise DecisionError("Write the arguments of a tool only once.")
    if not named:
        ((key, inner),) = value.items() if len(value) == 1 else (("", None),)
        is_call = key in tools and isinstance(inner, dict)
        return [WrittenCall(key, inner)] if is_call else None
    key = next(iter(known or named))
    tool = known.get(key, value[key])
    schema = tools.get(tool, {})
    own = set(schema.get("required", ())) - ARGUMENT_NAMES
    if inputs and not (own and own <= value.keys() - {key}):
        return [WrittenCall(value[key], inputs[0])]
    # The arguments are in the same object as the name.
    rest = {
        each: value[each] for each in value if each != key and each in schema.get("properties", ())
    }
    return [WrittenCall(value[key], rest)] if known else None


class WrittenCalls:
    """The tool calls in the text of a reply, and the other text.

    A call begins at the start of a line, at a tag, or right after another call. Text inside JSON,
    such as a mail that an answer quotes, is never searched for calls.
    """

    def __init__(
        self, text: str, tools: Mapping[str, Mapping[str, Any]], *, may_close: bool
    ) -> None:
        """Read `text`. Raises DecisionError if a call cannot be read for certain.

        - `tools`: name -> JSON schema of the arguments
        - `may_close`: whether closing brackets may be missing, because the reply was not cut off
        """
        self._text = _QUOTED.sub(lambda quoted: json.dumps(quoted[2]), _TAG_PREFIX.sub("", text))
        self._tools = tools
        self._may_close = may_close
        self._at = 0
        self._is_labelled = False  # whether the calls that were read last stand on a line `Action:`
        self.calls: list[WrittenCall] = []
        self.has_words = False  # whether words stand before, between or after the calls
        self.are_labelled = True  # whether all calls stand on lines `Action:`
        words = self._scan()
        self.is_thought = _LABELLED.match(words) is not None
        """Whether the words begin with the label `Thought:`."""

        self.words = "" if self.calls or self._read_inline(words) else _words(words)
        """The text for the person, if the reply has no call; may be empty."""

    def _scan(self) -> str:
        words = ""
        has_new_words = False
        while (start := self._after(_GAP)) < len(self._text):
            self._at = start
            if _OBSERVATION.match(self._text, start):
                break
            if thinking := _THINKING.match(self._text, start):
                self._at = thinking.end()
            elif calls := self._read():
                is_labelled = self._is_labelled and self.are_labelled
                if has_new_words and self.calls and not is_labelled:
                    raise DecisionError(
                        "Words stand between the calls, so it is not clear which is meant."
                    )
                self.are_labelled = is_labelled
                self.calls += calls
                has_new_words = False
            elif self._at == start:
                self._at = self._end_of_words()
                words += self._text[start : self._at]
                self.has_words = has_new_words = True
        return words

    def _after(self, pattern: re.Pattern[str]) -> int:
        matched = pattern.match(self._text, self._at)
        return matched.end() if matched is not None else self._at

    def _end_of_words(self) -> int:
        """Return where the next call may begin: at a tag, or at the beginning of a line."""
        start, text = self._at, self._text
        end = text.find("\n", start) + 1 or len(text)
        if (brace := text.find("{", start, end)) >= 0:
            with suppress(ValueError):
                # Do not search for calls inside JSON.
                end = read_json(text, brace, may_close=self._may_close)[1]
                end = text.find("\n", end) + 1 or len(text)
                return end
        tags = (each.search(text, start + 1, end) for each in _INLINE)
        return min([end, *(tag.start() for tag in tags if tag is not None)])

    def _read(self) -> list[WrittenCall]:
        """Read the calls or the tag at the current position and move on; empty without a call."""
        self._is_labelled = True
        if action := ACTION.match(self._text, self._at):
            return self._read_action(action)
        self._is_labelled = False
        if xml := _XML_CALL.match(self._text, self._at):
            return [self._read_xml(xml)]
        if tag := _TAG.match(self._text, self._at):
            return self._read_tagged(tag)
        label = _FINAL.match(self._text, self._at)
        start = label.end() if label is not None else self._at
        if _JSON.match(self._text, start):
            return self._read_json_calls(start)
        return self._read_named(start)

    def _read_json(self, start: int) -> Any:
        try:
            value, self._at = read_json(self._text, start, may_close=self._may_close)
        except ValueError as err:
            raise DecisionError(f"The JSON of your reply is not valid ({err}).") from None
        return value

    def _read_json_calls(self, start: int) -> list[WrittenCall]:
        calls = calls_in(self._read_json(start), self._tools)
        if calls is None:
            raise DecisionError("The JSON of your reply names no tool.")
        return calls

    def _read_named(self, start: int) -> list[WrittenCall]:
        named = _NAMED.match(self._text, start)
        if named is None or tool_named(named["name"], self._tools) is None:
            return []
        return [WrittenCall(named["name"], self._read_arguments(named.start("open")))]

    def _read_arguments(self, start: int) -> Any:
        inner = _IN_BRACKETS.match(self._text, start)
        if inner is None:
            return self._read_json(start)
        value = self._read_json(inner.end() - 1)
        self._at = self._after(_BRACKET)
        return value

    def _read_tagged(self, tag: re.Match[str]) -> list[WrittenCall]:
        """Read the JSON after a tag; the name of the tool may stand between them."""
        self._at = tag.end()
        begun = _JSON_START.search(self._text, self._at, self._at + _LONGEST_HEAD)
        if begun is None:
            return []
        head = _FENCE.sub(" ", _TAG.sub(" ", self._text[self._at : begun.start()])).strip()
        if not head:
            return self._read_json_calls(begun.start())
        is_name = len(head.split()) <= _MOST_WORDS and not _SENTENCE.search(head)
        if not is_name or tool_named(head, self._tools) is None:
            return []
        return [WrittenCall(head, self._read_json(begun.start()))]

    def _read_xml(self, call: re.Match[str]) -> WrittenCall:
        name = call["name"] or call["glm"]
        self._at = call.end()
        start = self._after(_GAP)
        if self._text[start : start + 1] == "{":
            return WrittenCall(name, self._read_json(start))
        arguments: dict[str, str] = {}
        while argument := _XML_ARGUMENT.match(self._text, self._at):
            key = (argument["key"] or argument["glm"]).strip()
            value = argument["value"] if argument["key"] else argument["glm_value"]
            if arguments.setdefault(key, value.strip()) != value.strip():
                raise DecisionError(f"`{key}` has two values.")
            self._at = argument.end()
        end = _XML_END.match(self._text, self._at)
        if end is None or not (self._may_close or end.group().strip()):
            raise DecisionError(f"The call of `{name}` is not complete.")
        self._at = end.end()
        return WrittenCall(name, arguments)

    def _read_action(self, action: re.Match[str]) -> list[WrittenCall]:
        """Read the call that begins with a line `Action:`."""
        start = action.start("name")
        if _JSON.match(self._text, start):
            return self._read_json_calls(start)
        if called := self._read_named(start):
            return called
        name = action["name"].strip(" \t*_`\"'.")
        self._at = action.end()
        if label := INPUT.match(self._text, self._after(_GAP)):
            self._at = label.end()
        start = self._after(_GAP)
        if not name and _JSON.match(self._text, start):
            return self._read_json_calls(start)
        if self._text[start : start + 1] == "{":
            return [WrittenCall(name, self._read_json(start))]
        tool = tool_named(name, self._tools)
        self._at = self._after(_NOTHING)
        if tool is None and _NOTHING.fullmatch(name):
            return []
        if tool is None or self._tools[tool].get("required") or not self._is_at_label():
            raise DecisionError(
                f"`Action: {name}` needs a line `Action Input:` with one JSON object, "
                'such as {"argument": "value"}.'
            )
        return [WrittenCall(name, {})]

    def _is_at_label(self) -> bool:
        """Return whether the text ends here, or a new part of a ReAct reply begins."""
        labels = (_LABELLED, _FINAL, _OBSERVATION)
        start = self._after(_GAP)
        return start == len(self._text) or any(each.match(self._text, start) for each in labels)

    def _read_inline(self, words: str) -> bool:
        """Read a decision at the end of a text; one within a sentence may be quoted: an error."""
        try:
            value, end = read_json(words, words.index("{"), may_close=self._may_close)
            calls = calls_in(value, self._tools)
        except ValueError, DecisionError:
            calls = None
        if calls is None:
            return False
        if "actions" not in value or not _GAP.fullmatch(words, end):
            raise DecisionError("A call stands within a sentence.")
        self.calls, self.are_labelled = calls, False
        return True


def _words(text: str) -> str:
    """Return the words for the person, without the labels of ReAct; empty for a mere thought."""
    if final := _FINAL.search(text):
        return text[final.end() :].strip()
    return "" if _LABELLED.search(text) else text.strip()
