"""Replies of servers that take liberties with the format."""

import pytest

from custom_components.sage.model.language_model import ModelError
from custom_components.sage.model.reply_parts import ReplyParts


def whole(completion: object):
    parts = ReplyParts((), None)
    parts.add_whole(completion)
    return parts.reply()


def test_content_in_parts_and_arguments_as_an_object_are_taken():
    call = {"function": {"name": "light", "arguments": {"on": True}}}
    message = {"content": [{"type": "text", "text": "Now"}, "?"], "tool_calls": [call, None]}

    reply = whole({"choices": [{"message": message}], "usage": {"prompt_tokens": "many"}})

    assert reply.text == "Now"
    assert reply.tool_calls[0].arguments == '{"on": true}'
    assert reply.tool_calls[0].id == "call_0"
    assert reply.usage.prompt_tokens == 0


@pytest.mark.parametrize(
    "completion",
    [
        None,
        [],
        "text",
        {},
        {"choices": []},
        {"choices": [None]},
        {"choices": [{"message": None}]},
        {"choices": [{"message": {"content": 7}}]},
        {"error": "overloaded"},
        {"error": {"message": "overloaded"}},
    ],
)
def test_what_is_no_completion_is_a_failed_attempt(completion: object):
    with pytest.raises(ModelError) as caught:
        whole(completion)

    assert caught.value.again


def test_what_is_no_arguments_is_left_out():
    call = {"function": {"name": "light", "arguments": 7}}

    reply = whole({"choices": [{"message": {"tool_calls": [call]}}]})

    assert reply.tool_calls[0].arguments == ""


def test_nothing_is_taken_after_a_stop_sequence():
    parts = ReplyParts(("END",), None)
    for piece in ("one END", "two"):
        parts.add_chunk({"choices": [{"delta": {"content": piece}}]})

    assert parts.stopped
    assert parts.reply().text == "one"


SENTENCE = "The TV is on, and I need to know which of the two you mean. "


def streamed(*pieces: str) -> ReplyParts:
    parts = ReplyParts((), None)
    for piece in pieces:
        parts.add_chunk({"choices": [{"delta": {"content": piece}}]})
    parts.has_end_mark = True
    return parts


def test_a_reply_that_repeats_itself_ends_as_cut_off():
    parts = streamed(*"Well: ", *SENTENCE * 20, " ...")

    assert parts.stopped
    assert parts.reply().truncated


BLINK = '{"tool": "execute_command", "input": {"devices": ["lamp"], "command": "turn_o%s"}}, '
CLAIMS = "".join(f'{{"devices": ["lamp_{n}"], "result": "verified"}}, ' for n in range(40))


@pytest.mark.parametrize(
    "text",
    [
        SENTENCE * 3,
        CLAIMS,
        f"[{'0, ' * 200}0]",
        f"[{'20.5, ' * 96}]",
        (BLINK % "n" + BLINK % "ff") * 4,
        "|---" * 100,
        "明かりをつけました。" * 6,
    ],
)
def test_lists_and_sentences_said_twice_are_no_repetition(text: str):
    parts = streamed(*text)

    assert not parts.stopped
    assert not parts.reply().truncated
