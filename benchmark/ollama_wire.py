"""How Ollama's own chat API looks on the wire, for the fake model server."""

import json
from collections.abc import Iterable, Mapping

from aiohttp import web

from .completion_wire import deltas
from .model_script import Completion, Json


def as_completion_body(body: Json) -> Json:
    """Return a request to `/api/chat` as the request of OpenAI's API that scripts know."""
    completion: Json = {
        "model": str(body.get("model")).removesuffix(":latest"),
        "messages": [_message(each) for each in body.get("messages", [])],
        "stream": bool(body.get("stream")),
    }
    if wanted := body.get("format"):
        completion["response_format"] = {
            "type": "json_schema",
            "json_schema": {"name": "reply", "schema": wanted},
        }
    if tools := body.get("tools"):
        completion["tools"] = tools
    return completion


def _message(message: Mapping[str, object]) -> Json:
    told: Json = {"role": message["role"], "content": message.get("content") or ""}
    return told | ({"images": message["images"]} if message.get("images") else {})


def tags(models: Iterable[str]) -> web.Response:
    """Return the list of models that `/api/tags` shows."""
    entries = [{"name": name, "model": name} for name in models]
    return web.json_response({"models": entries})


def lines(body: Json, answer: Completion) -> Iterable[bytes]:
    """Return the lines of a streamed reply."""
    for delta in deltas(answer):
        if text := delta.get("reasoning_content"):
            yield _line(body, {"thinking": text, "content": ""})
        elif text := delta.get("content"):
            yield _line(body, {"content": text})
    yield _line(body, {"content": ""}, done=True)


def _line(body: Json, message: Json, *, done: bool = False) -> bytes:
    line: Json = {
        "model": body.get("model"),
        "created_at": "2026-01-01T00:00:00Z",
        "message": {"role": "assistant", **message},
        "done": done,
    }
    if done:
        line["done_reason"] = "stop"
    return f"{json.dumps(line, ensure_ascii=False)}\n".encode()


def as_ollama_error(error: web.Response) -> web.Response:
    """Return an error of OpenAI's API as Ollama words it."""
    body = error.text or ""
    try:
        told = json.loads(body)["error"]["message"]
    except ValueError, KeyError, TypeError:
        return error
    return web.json_response({"error": told}, status=error.status)
