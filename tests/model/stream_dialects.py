"""How servers write tool calls into a stream, by their releases and bug reports."""

import json
from collections.abc import Callable, Iterable, Sequence
from typing import Any

type Json = dict[str, Any]
type Calls = Sequence[tuple[str, str]]
"""Name and arguments (JSON text) of each call."""

USAGE = {"prompt_tokens": 20, "completion_tokens": 9, "total_tokens": 29}
DONE = b"data: [DONE]\n\n"


def chunk(delta: Json | None, finish_reason: str | None = None, **more: Any) -> Json:
    choice = {"index": 0, "delta": delta, "finish_reason": finish_reason, **more}
    return {"id": "c-1", "object": "chat.completion.chunk", "model": "m", "choices": [choice]}


def piece(arguments: Any = None, name: str | None = None, **more: Any) -> Json:
    """A chunk with one piece of a call; what is None is left out."""
    function = {"name": name, "arguments": arguments}
    kept = {key: value for key, value in function.items() if value is not None}
    return chunk({"tool_calls": [{**more, "function": kept}]})


def cut(text: str, size: int = 6) -> list[str]:
    return [text[start : start + size] for start in range(0, len(text), size)]


def sent(chunks: Iterable[Json], *, end: bytes = DONE, space: str = " ") -> bytes:
    lines = (f"data:{space}{json.dumps(each, ensure_ascii=False)}\n\n" for each in chunks)
    return "".join(lines).encode() + end


def _usage_chunk() -> Json:
    return {"id": "c-1", "object": "chat.completion.chunk", "choices": [], "usage": USAGE}


def openai(calls: Calls) -> bytes:
    chunks = [chunk({"role": "assistant", "content": None, "refusal": None})]
    for index, (name, arguments) in enumerate(calls):
        chunks.append(piece("", name, index=index, id=f"call_{index}", type="function"))
        chunks += [piece(text, index=index) for text in cut(arguments)]
    return sent([*chunks, chunk({}, "tool_calls"), _usage_chunk()])


def ollama(calls: Calls) -> bytes:
    """Each call whole, in its own chunk, all with the index 0 (vercel/ai #14277)."""
    chunks = []
    for number, (name, arguments) in enumerate(calls):
        head = piece(arguments, name, id=f"call_x{number}", index=0, type="function")
        head["choices"][0]["delta"] |= {"role": "assistant", "content": ""}
        chunks.append(head)
    end = chunk({"role": "assistant", "content": ""}, "tool_calls")
    return sent([*chunks, end, _usage_chunk()])


def litellm(calls: Calls) -> bytes:
    """All calls have the index 0, in pieces (BerriAI/litellm #37792)."""
    chunks = []
    for number, (name, arguments) in enumerate(calls):
        chunks.append(piece("", name, id=f"call_u{number}", index=0, type="function"))
        chunks += [piece(text, id=None, index=0, type="function") for text in cut(arguments)]
    for each in chunks:
        each["choices"][0]["delta"] |= {"function_call": None, "audio": None, "content": None}
    return sent([*chunks, chunk({}, "tool_calls")])


def vllm(calls: Calls) -> bytes:
    """A name without arguments first, the token counts in every chunk."""
    chunks = [chunk({"role": "assistant", "content": ""}, logprobs=None)]
    for index, (name, arguments) in enumerate(calls):
        chunks.append(piece(None, name, id=f"chatcmpl-tool-{index}", index=index, type="function"))
        chunks += [piece(text, index=index) for text in cut(arguments)]
    chunks.append(chunk({"content": ""}, "tool_calls", stop_reason=None))
    return sent([each | {"usage": USAGE} for each in chunks])


def vllm_with_new_ids(calls: Calls) -> bytes:
    """Earlier releases invented an id for each piece."""
    chunks = []
    for index, (name, arguments) in enumerate(calls):
        chunks.append(piece(None, name, id=f"chatcmpl-tool-{index}", index=index, type="function"))
        for number, text in enumerate(cut(arguments)):
            chunks.append(piece(text, id=f"chatcmpl-tool-{index}-{number}", index=index))
    return sent([*chunks, chunk({"content": "", "tool_calls": []}, "tool_calls")])


def lm_studio(calls: Calls) -> bytes:
    chunks = [chunk({"role": "assistant"})]
    for index, (name, arguments) in enumerate(calls):
        chunks.append(piece("", name, index=index, id=f"32{index}", type="function"))
        chunks.append(piece(arguments, index=index, type="function"))
    return sent([*chunks, chunk({}, "tool_calls")])


def llama_cpp(calls: Calls) -> bytes:
    """The head has the first character of the arguments; comments keep the connection alive."""
    chunks = [chunk({"role": "assistant", "content": None})]
    for index, (name, arguments) in enumerate(calls):
        chunks.append(piece(arguments[:1], name, index=index, id=f"L{index}", type="function"))
        chunks += [piece(text, index=index) for text in cut(arguments[1:])]
    return b":\n\n" + sent([*chunks, chunk({}, "tool_calls"), _usage_chunk()])


def llama_cpp_python(calls: Calls) -> bytes:
    """The id and the name in every piece, and the same piece in the old form."""
    chunks = [chunk({"role": "assistant"})]
    for index, (name, arguments) in enumerate(calls):
        for text in cut(arguments):
            id_ = f"call__{index}_{name}_cmpl-1"
            chunks.append(piece(text, name, index=index, id=id_, type="function"))
            delta = chunks[-1]["choices"][0]["delta"]
            delta |= {"function_call": {"name": name, "arguments": text}, "content": None}
    return sent([*chunks, chunk({}, "tool_calls")])


def gemini(calls: Calls) -> bytes:
    """All calls in one chunk, without ids and with the index 0."""
    wires = [
        {"id": "", "index": 0, "type": "function", "function": {"name": name, "arguments": text}}
        for name, text in calls
    ]
    delta = {"role": "assistant", "tool_calls": wires}
    return sent([chunk(delta, "tool_calls") | {"usage": USAGE}], space="")


def mistral(calls: Calls) -> bytes:
    """All calls in one chunk, together with the end."""
    wires = [
        {"id": f"D681PevK{index}", "index": index, "function": {"name": name, "arguments": text}}
        for index, (name, text) in enumerate(calls)
    ]
    start = chunk({"role": "assistant", "content": ""})
    delta = {"content": "", "tool_calls": wires}
    return sent([start, chunk(delta, "tool_calls") | {"usage": USAGE}])


def deepseek(calls: Calls) -> bytes:
    chunks = [chunk({"role": "assistant", "content": None, "reasoning_content": ""})]
    chunks += [chunk({"content": None, "reasoning_content": text}) for text in ("The ", "lamp.")]
    for index, (name, arguments) in enumerate(calls):
        chunks.append(piece("", name, index=index, id=f"call_0_{index}", type="function"))
        chunks += [piece(text, index=index) for text in cut(arguments, 3)]
    end = chunk({"content": "", "reasoning_content": None}, "tool_calls") | {"usage": USAGE}
    return b": keep-alive\n\n" * 2 + sent([*chunks, end])


def without_ids(calls: Calls) -> bytes:
    """Neither ids nor an index; a new name begins a call."""
    chunks = []
    for name, arguments in calls:
        chunks.append(piece("", name))
        chunks += [piece(text) for text in cut(arguments)]
    return sent([*chunks, chunk({}, "stop")])


def without_finish_reason(calls: Calls) -> bytes:
    """`[DONE]` comes, a `finish_reason` never does (anomalyco/opencode #43379)."""
    chunks = [
        piece(arguments, name, index=index, id=f"c{index}")
        for index, (name, arguments) in enumerate(calls)
    ]
    return sent([*chunks, _usage_chunk()])


def names_in_pieces(calls: Calls) -> bytes:
    chunks = []
    for index, (name, arguments) in enumerate(calls):
        first, *rest = cut(name, 4)
        chunks.append(piece(None, first, index=index, id=f"c{index}"))
        chunks += [piece(None, text, index=index) for text in rest]
        chunks += [piece(text, index=index) for text in cut(arguments)]
    return sent([*chunks, chunk({}, "tool_calls")])


def placeholder_first(calls: Calls) -> bytes:
    """An empty object before the real arguments, as of Anthropic's API behind proxies."""
    chunks = []
    for index, (name, arguments) in enumerate(calls):
        chunks.append(piece("{}", name, index=index, id=f"c{index}"))
        chunks += [piece(text, index=index) for text in cut(arguments)]
    return sent([*chunks, chunk({}, "tool_calls")])


def snapshots(calls: Calls) -> bytes:
    """Each piece has the whole call so far."""
    chunks = []
    for index, (name, arguments) in enumerate(calls):
        ends = range(0, len(arguments) + 9, 9)
        chunks += [piece(arguments[:end], name, index=index, id=f"c{index}") for end in ends]
    return sent([*chunks, chunk({}, "tool_calls")])


def repeated_at_the_end(calls: Calls) -> bytes:
    """After the pieces, the last chunk has all calls again, and the whole message."""
    chunks, wires = [], []
    for index, (name, arguments) in enumerate(calls):
        chunks.append(piece("", name, index=index, id=f"c{index}"))
        chunks += [piece(text, index=index) for text in cut(arguments)]
        spaced = json.dumps(json.loads(arguments), indent=1)
        function = {"name": name, "arguments": spaced}
        wires.append({"index": index, "id": f"c{index}", "function": function})
    message = {"role": "assistant", "content": None, "tool_calls": wires}
    chunks.append(chunk({"tool_calls": wires}, "tool_calls"))
    return sent([*chunks, chunk(None, "tool_calls", message=message)])


def arguments_as_objects(calls: Calls) -> bytes:
    chunks = [
        piece(json.loads(arguments), name, index=None, id=f"c{index}")
        for index, (name, arguments) in enumerate(calls)
    ]
    return sent([chunk({"content": [], "tool_calls": None}), *chunks, chunk({}, "stop")])


def one_message(calls: Calls) -> bytes:
    """A stream of one event with a whole message."""
    wires = [
        {"id": f"c{index}", "function": {"name": name, "arguments": arguments}}
        for index, (name, arguments) in enumerate(calls)
    ]
    message = {"role": "assistant", "content": None, "tool_calls": wires}
    choice = {"index": 0, "message": message, "finish_reason": "tool_calls"}
    return sent([{"object": "chat.completion", "choices": [choice], "usage": USAGE}])


def same_ids(calls: Calls) -> bytes:
    """The id says nothing: all calls have the same one."""
    chunks = [
        piece(arguments, name, index=index, id="call_1")
        for index, (name, arguments) in enumerate(calls)
    ]
    return sent([*chunks, chunk({}, "tool_calls")])


def interleaved(calls: Calls) -> bytes:
    """Pieces of several calls in turn, told apart by their ids alone."""
    chunks = [piece("", name, id=f"c{index}") for index, (name, _) in enumerate(calls)]
    longest = max(len(arguments) for _, arguments in calls)
    for start in range(0, longest, 7):
        for index, (_, arguments) in enumerate(calls):
            chunks.append(piece(arguments[start : start + 7], id=f"c{index}"))
    return sent([*chunks, chunk({}, "tool_calls")])


DIALECTS: dict[str, Callable[[Calls], bytes]] = {
    each.__name__: each
    for each in (
        openai,
        ollama,
        litellm,
        vllm,
        vllm_with_new_ids,
        lm_studio,
        llama_cpp,
        llama_cpp_python,
        gemini,
        mistral,
        deepseek,
        without_ids,
        without_finish_reason,
        names_in_pieces,
        placeholder_first,
        snapshots,
        repeated_at_the_end,
        arguments_as_objects,
        one_message,
        same_ids,
        interleaved,
    )
}


def old_function_call(name: str, arguments: str) -> bytes:
    """The form of OpenAI's API before tools; a reply has at most one call."""
    chunks = [chunk({"role": "assistant", "function_call": {"name": name, "arguments": ""}})]
    chunks += [chunk({"function_call": {"arguments": text}}) for text in cut(arguments)]
    return sent([*chunks, chunk({}, "function_call")])
