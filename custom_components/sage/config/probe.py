"""Find a server's models and test what they can do, which may take minutes."""

import io
import json
import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import httpx
import openai
from homeassistant.core import HomeAssistant
from PIL import Image

from ..agent import make_format, read_reply
from ..const import FORMAT_CONSTRAINED, FORMAT_NATIVE, FORMAT_REACT
from ..model import (
    AITaskModel,
    ChatMessage,
    LanguageModel,
    ModelError,
    ModelErrorKind,
    ModelReply,
    ModelRequest,
    OpenAIModel,
    RetryPolicy,
    Structure,
    ToolSpec,
    async_create_client,
    client_failure,
    first_object,
)
from .connection import Connection, async_first_usable
from .verdict import Probe, Verdict, async_decide

_LOGGER = logging.getLogger(__name__)

PATIENT: Final = RetryPolicy(attempts=2, request_seconds=300.0, total_seconds=300.0)
"""Timeouts of the first request; a local server may have to load the model."""

_ONCE: Final = RetryPolicy(attempts=1, request_seconds=240.0, total_seconds=240.0)
_LIST_SECONDS: Final = 15.0

_NO_FORMAT_HELPS: Final = frozenset(
    {
        ModelErrorKind.UNREACHABLE,
        ModelErrorKind.WRONG_ADDRESS,
        ModelErrorKind.CERTIFICATE,
        ModelErrorKind.KEY_REFUSED,
        ModelErrorKind.NO_CREDIT,
        ModelErrorKind.NO_SUCH_MODEL,
        ModelErrorKind.AI_TASK_GONE,
        ModelErrorKind.AI_TASK_KEY,
    }
)


def _tool(name: str, description: str, **properties: Mapping[str, Any]) -> ToolSpec:
    """Return a tool whose arguments are all required; `properties` are their JSON schemas."""
    schema = {"type": "object", "properties": properties, "required": list(properties)}
    return ToolSpec(name=name, description=description, parameters=schema)


type _Call = tuple[ToolSpec, Mapping[str, Any]]

_TEXT: Final = {"type": "string"}
_LAMP: Final = _tool("switch_lamp", "Switch a lamp.", lamp=_TEXT, on={"type": "boolean"})
_SCENE: Final = _tool(
    "set_scene",
    "Set several lamps at once.",
    lamps={
        "type": "array",
        "items": {
            "type": "object",
            "properties": {"name": _TEXT, "brightness": {"type": "integer"}},
            "required": ["name", "brightness"],
        },
    },
)
_VALUES: Final = _tool("set_values", "Set values by their names.", values={"type": "object"})
_SIMPLE: Final = {"lamp": "desk", "on": True}
_NESTED: Final = {
    "lamps": [{"name": "desk", "brightness": 40}, {"name": "shelf", "brightness": 70}]
}
_OTHER: Final = {"lamp": "shelf", "on": False}
_INFOS: Final = {
    "format_native": "Call one tool, or several at once. After commands, call `finish` as well.",
    "format_constrained": (
        'Reply with one JSON object: {"thought": "...", "actions": [{"tool": "...", "input": '
        "{...}}]}. `actions`: one tool, or several. After commands, add `finish`."
    ),
    "format_react": (
        "Reply in this format, and stop after the action input:\nThought: a few words\n"
        "Action: the name of one tool\nAction Input: its arguments as one JSON object"
    ),
}
"""Descriptions of the decision formats for the model."""

_COLORS: Final = {"top": "yellow", "bottom": "blue"}  # half of the test picture -> its colour
_WHICH_COLORS: Final = (
    "Which colour has each half of the picture: red, yellow, green, blue, black or white? Reply "
    'with one JSON object: {"top": "...", "bottom": "..."}. Write "none" if you see no picture.'
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Server:
    """A model server that responded."""

    base_url: str  # the working base URL, e.g. `http://box:8080/v1`
    models: tuple[str, ...]  # names of the models on the server, sorted


async def async_find_server(hass: HomeAssistant, address: str, api_key: str | None) -> Server:
    """Find the API at an address, which may lack scheme or `/v1`. Raises ModelError."""

    async def async_try(base_url: str) -> Server:
        client = await async_create_client(hass, base_url, api_key)
        return Server(base_url=base_url, models=await async_list_models(client))

    return await async_first_usable(address, async_try)


async def async_list_models(
    client: openai.AsyncOpenAI, *, seconds: float = _LIST_SECONDS
) -> tuple[str, ...]:
    """Return the names of the server's models, sorted; raises ModelError."""
    try:
        listed = await client.get("/models", cast_to=object, options={"timeout": seconds})
    except (openai.OpenAIError, httpx.HTTPError, ValueError) as err:
        raise client_failure(err, client) from None
    entries = listed.get("data") if isinstance(listed, Mapping) else None
    if not isinstance(entries, list):
        # The address may belong to another service, such as a router's login page.
        raise ModelError(ModelErrorKind.WRONG_ADDRESS, "no list of models at this address")
    rows = (entry for entry in entries if isinstance(entry, Mapping) and entry.get("id"))
    return tuple(sorted({str(row["id"]) for row in rows}))


async def async_probe_connection(
    hass: HomeAssistant, connection: Connection, on_step: Callable[[], None] = lambda: None
) -> tuple[Connection, Probe]:
    """Test the model of a connection; return the connection with the model's capabilities.

    `on_step`: called after each request. Raises ModelError if the model does not respond, or if no
    decision format works.
    """
    model: LanguageModel
    if connection.ai_task:
        probe = await async_probe_ai_task(hass, connection.ai_task, connection.model, on_step)
        model = AITaskModel(hass, connection.ai_task, connection.model, policy=_ONCE)
    else:
        client = await async_create_client(hass, connection.base_url, connection.api_key)
        probe = await async_probe(client, connection.model, on_step=on_step)
        model = OpenAIModel(client, connection.model, policy=_ONCE)
    if not probe.formats:
        raise ModelError(ModelErrorKind.NO_FORMAT)
    tested = replace(
        connection,
        formats=probe.formats,
        misjudges_timing=probe.misjudges_timing,
        structure=probe.structure,
        sees=await _async_sees(model),
    )
    return tested, probe


async def async_probe_ai_task(
    hass: HomeAssistant,
    entity: str,
    name: str,
    on_step: Callable[[], None] = lambda: None,
) -> Probe:
    """Test the model of an AI Task entity with a few requests, and return its capabilities.

    `entity`: registry id or entity id. `name`: name for the log. `on_step`: called after each
    request. Raises ModelError if the model does not respond.
    """
    patient = AITaskModel(hass, entity, name, policy=PATIENT)
    formats = [FORMAT_REACT] if await _async_writes_react(patient) else []
    on_step()
    tools = (_LAMP, _SCENE, _VALUES)
    model = patient
    for structure in Structure:
        model = AITaskModel(hass, entity, name, structure=structure, policy=_ONCE)
        has_free_input = structure is Structure.FLAT
        is_constrained = await _async_is_constrained(model, tools, has_free_input=has_free_input)
        on_step()
        if is_constrained:
            formats.insert(0, FORMAT_CONSTRAINED)
            return replace(await _async_judged(model, formats, on_step), structure=structure)
    return await _async_judged(model, formats, on_step)


async def async_probe(
    client: openai.AsyncOpenAI,
    model: str,
    *,
    patience: RetryPolicy = PATIENT,
    on_step: Callable[[], None] = lambda: None,
) -> Probe:
    """Test `model` on a server with a few requests, and return its capabilities.

    `on_step`: called after each request. Raises ModelError if the model does not respond.
    """
    patient = OpenAIModel(client, model, policy=patience)
    formats = [FORMAT_REACT] if await _async_writes_react(patient) else []
    on_step()
    probed = OpenAIModel(client, model, policy=_ONCE)
    is_constrained = await _async_is_constrained(probed, (_LAMP, _SCENE))
    on_step()
    if is_constrained and "response_format" not in probed.refused_parameters:
        formats.insert(0, FORMAT_CONSTRAINED)
    if await _async_calls_tools(probed):
        formats.insert(0, FORMAT_NATIVE)
    on_step()
    return await _async_judged(probed, formats, on_step)


async def _async_judged(
    model: LanguageModel, formats: Sequence[str], on_step: Callable[[], None]
) -> Probe:
    """Return what a model is good for, in the best of the formats that work."""

    async def async_reply(request: ModelRequest) -> ModelReply | None:
        return await _async_reply(model, request)

    judged: dict[str, Probe] = {}
    for name in formats:
        judged[name] = await async_decide(async_reply, make_format(name, _INFOS), on_step)
        if judged[name].verdict is Verdict.GOOD:
            break
    if not judged:
        return Probe()
    ranks = list(Verdict)
    best = min(judged, key=lambda name: ranks.index(judged[name].verdict))
    return replace(judged[best], formats=(best, *(name for name in formats if name != best)))


def _decided(reply: ModelReply) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield name and arguments of each tool call in the text of the reply, a JSON object."""
    try:
        decided = json.loads(reply.text)
    except ValueError:
        return
    match decided:
        case {"actions": [*actions]}:
            for action in actions:
                match action:
                    case {"tool": str(name), "input": dict(given)}:
                        yield name, given


async def _async_writes_react(model: LanguageModel) -> bool:
    """Return whether the model, loaded if necessary, writes a call as text. Raises ModelError."""
    wish = _request_text((_LAMP, _SIMPLE))
    request = make_format(FORMAT_REACT, _INFOS).request("You switch lamps.", (_LAMP, _SCENE), wish)
    reply = await model.async_complete(request, on_delta=_ignore)
    return _read(reply, FORMAT_REACT, (_LAMP, _SIMPLE)) is not None


async def _async_calls_tools(model: OpenAIModel) -> bool:
    """Return whether two calls in a stream work, which servers may mix up, then another one."""
    first = ChatMessage(role="user", content=_request_text((_LAMP, _SIMPLE), (_SCENE, _NESTED)))
    called = await _async_calls(model, (first,), (_LAMP, _SIMPLE), (_SCENE, _NESTED))
    if called is None:
        return False
    history = (
        first,
        called,
        *(
            ChatMessage(role="tool", tool_call_id=call.id, content="Done.")
            for call in called.tool_calls
        ),
        ChatMessage(role="user", content=_request_text((_LAMP, _OTHER))),
    )
    return await _async_calls(model, history, (_LAMP, _OTHER)) is not None


async def _async_calls(
    model: OpenAIModel, messages: tuple[ChatMessage, ...], *expected: _Call
) -> ChatMessage | None:
    request = ModelRequest(messages=messages, tools=(_LAMP, _SCENE))
    reply = await _async_reply(model, request)
    if reply is None or not reply.tool_calls:
        return None
    readable = _read(reply, FORMAT_NATIVE, *expected)
    if readable is None:
        return None
    return ChatMessage(role="assistant", tool_calls=readable.tool_calls)


def _read(reply: ModelReply, decision_format: str, *expected: _Call) -> ModelReply | None:
    """Return the reply, with calls as SAGE reads them, if they are the expected ones."""
    decision = read_reply(reply, make_format(decision_format, _INFOS), (_LAMP, _SCENE))
    calls = [(call.tool, call.arguments) for call in decision.calls]
    is_expected = len(calls) == len(expected) and all(
        (tool.name, arguments) in calls for tool, arguments in expected
    )
    return decision.reply if is_expected else None


async def _async_is_constrained(
    model: LanguageModel, tools: Sequence[ToolSpec], *, has_free_input: bool = False
) -> bool:
    """Return whether the server or AI Task entity enforces a JSON schema.

    The prompt does not mention JSON, so the model returns JSON only if the schema is enforced.
    `has_free_input`: whether the arguments of the actions are not part of the schema.
    """
    message = ChatMessage(role="user", content="Say hello and switch on the lamp.")
    schema = make_format(FORMAT_CONSTRAINED, _INFOS).request("", tools, "").response_schema
    request = ModelRequest(messages=(message,), response_schema=schema)
    reply = await _async_reply(model, request)
    calls = list(_decided(reply)) if reply is not None and not reply.tool_calls else []
    names = {tool.name: tool.parameters["properties"].keys() for tool in tools}
    return bool(calls) and all(
        tool in names and (has_free_input or arguments.keys() == names[tool])
        for tool, arguments in calls
    )


async def _async_sees(model: LanguageModel) -> bool:
    """Return whether the model tells the colours of a picture; many servers drop pictures."""
    picture, jpeg = Image.new("RGB", (128, 128), _COLORS["top"]), io.BytesIO()
    picture.paste(_COLORS["bottom"], (0, 64, 128, 128))
    picture.save(jpeg, "JPEG")
    message = ChatMessage(role="user", content=_WHICH_COLORS, images=(jpeg.getvalue(),))
    try:
        reply = await model.async_complete(ModelRequest(messages=(message,)))
    except ModelError as err:
        _LOGGER.debug("%s accepts no pictures: %s", model.name, err)
        return False
    colors = first_object(reply.text) or {}
    return all(str(colors.get(half)).casefold() == color for half, color in _COLORS.items())


async def _async_reply(model: LanguageModel, request: ModelRequest) -> ModelReply | None:
    """Return the reply; None if the server does not support the request. Raises ModelError."""
    try:
        return await model.async_complete(request, on_delta=_ignore)
    except ModelError as err:
        if err.kind in _NO_FORMAT_HELPS:
            raise
        _LOGGER.debug("A decision format does not work with %s: %s", model.name, err)
        return None


def _ignore(_: str) -> None:
    """Receive the pieces of a stream, as conversations do."""


def _request_text(*calls: _Call) -> str:
    lines = (
        f"Call the tool `{tool.name}` with these arguments: {json.dumps(arguments)}"
        for tool, arguments in calls
    )
    return "\n".join(lines) + ("\nMake both calls in one reply." if len(calls) > 1 else "")
