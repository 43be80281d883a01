"""How completions and errors look on the wire of the OpenAI chat API."""

import json
from collections.abc import Iterable

from aiohttp import web

from .model_script import Completion, FaultKind, Json, Raw

_ERRORS: dict[FaultKind, tuple[int, str, str | None]] = {
    FaultKind.RATE_LIMITED: (429, "Rate limit reached for requests", "rate_limit_exceeded"),
    FaultKind.NO_QUOTA: (429, "You exceeded your current quota", "insufficient_quota"),
    FaultKind.SERVER_ERROR: (500, "The server had an error", None),
    FaultKind.KEY_REFUSED: (401, "Incorrect API key provided", "invalid_api_key"),
    FaultKind.NO_SUCH_MODEL: (404, "The model does not exist", "model_not_found"),
    FaultKind.CONTEXT_TOO_LONG: (
        400,
        "This model's maximum context length is 8192 tokens.",
        "context_length_exceeded",
    ),
    FaultKind.NOT_A_CHAT_MODEL: (400, "This model does not support chat completions", None),
    FaultKind.REFUSED: (400, "The request was rejected by the content policy", None),
}


_PAGES: dict[FaultKind, tuple[str, str]] = {
    FaultKind.INVALID_JSON: ('{"choices": [', "application/json"),
    FaultKind.HTML: ("<!doctype html><title>Router</title><p>Please log in.</p>", "text/html"),
}


def error(kind: FaultKind, *, retry_after: str | None = None) -> web.Response:
    """Return the response that a fault of this kind shows."""
    if page := _PAGES.get(kind):
        return web.Response(text=page[0], content_type=page[1])
    status, text, code = _ERRORS[kind]
    response = error_response(status, text, code)
    if retry_after is not None:
        response.headers["Retry-After"] = retry_after
    return response


def error_response(
    status: int, text: str, code: str | None, parameter: str | None = None
) -> web.Response:
    """Return an error as OpenAI words it."""
    body = {"message": text, "type": "error", "param": parameter, "code": code}
    return web.json_response({"error": body}, status=status)


def raw(answer: Raw) -> web.Response:
    """Return a response as it was scripted."""
    headers = {"Content-Type": answer.content_type}
    if answer.location:
        headers["Location"] = answer.location
    return web.Response(status=answer.status, body=answer.body, headers=headers)


def common_beginning(one: str, other: str) -> int:
    """Return how many characters both begin with alike."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one.startswith(other[:middle]):
            low = middle
        else:
            high = middle - 1
    return low


def _ended(body: Json, answer: Completion) -> Completion:
    """Return the completion, cut where the request wants it to stop."""
    stops = body.get("stop") or []
    text = answer.text
    for stop in [stops] if isinstance(stops, str) else stops:
        text = text.split(stop, maxsplit=1)[0]
    return Completion(
        text=text,
        calls=answer.calls,
        reasoning=answer.reasoning,
        finish_reason=answer.finish_reason or ("tool_calls" if answer.calls else "stop"),
        piece=answer.piece,
    )


def _wire_calls(answer: Completion) -> list[Json]:
    return [
        {
            "id": f"call_{index}",
            "type": "function",
            "function": {"name": call.name, "arguments": call.text()},
        }
        for index, call in enumerate(answer.calls)
    ]


def whole(body: Json, answer: Completion, usage: Json) -> Json:
    """Return a completion that is not streamed."""
    answer = _ended(body, answer)
    message: Json = {"role": "assistant", "content": answer.text or None}
    if answer.reasoning:
        message["reasoning_content"] = answer.reasoning
    if answer.calls:
        message["tool_calls"] = _wire_calls(answer)
    choice = {"index": 0, "message": message, "finish_reason": answer.finish_reason}
    return {
        "id": "completion",
        "object": "chat.completion",
        "created": 0,
        "model": body.get("model"),
        "choices": [choice],
        "usage": usage,
    }


def chunk(body: Json, delta: Json, finish_reason: str | None = None) -> Json:
    return {
        "id": "completion",
        "object": "chat.completion.chunk",
        "created": 0,
        "model": body.get("model"),
        "choices": [{"index": 0, "delta": delta, "finish_reason": finish_reason}],
    }


def deltas(answer: Completion) -> Iterable[Json]:
    """Return what each chunk of a stream adds."""
    yield {"role": "assistant", "content": ""}
    for text in _cut(answer.reasoning, answer.piece):
        yield {"reasoning_content": text}
    for text in _cut(answer.text, answer.piece):
        yield {"content": text}
    for index, call in enumerate(_wire_calls(answer)):
        arguments = call["function"]["arguments"]
        head = {**call, "index": index, "function": {**call["function"], "arguments": ""}}
        yield {"tool_calls": [head]}
        for text in _cut(arguments, answer.piece):
            yield {"tool_calls": [{"index": index, "function": {"arguments": text}}]}


def pieces(body: Json, answer: Completion, usage: Json) -> Iterable[Json]:
    answer = _ended(body, answer)
    for delta in deltas(answer):
        yield chunk(body, delta)
    yield chunk(body, {}, answer.finish_reason)
    if (body.get("stream_options") or {}).get("include_usage"):
        yield {**chunk(body, {}), "choices": [], "usage": usage}


def _cut(text: str, size: int) -> Iterable[str]:
    return (text[start : start + size] for start in range(0, len(text), size))


def event(data: Json) -> bytes:
    return f"data: {json.dumps(data, ensure_ascii=False)}\n\n".encode()
