"""One model call of a run: limited, counted and traced (SampleLLM of the paper)."""

import asyncio
import hashlib
import json
import re
from collections.abc import Mapping
from typing import Any, Final

from ..model.language_model import ChatMessage, DeltaSink, ModelError, ModelReply, ModelRequest
from ..text.fence import has_fence
from ..text.inert import inert
from .budget import Limit, LimitReached
from .decision import DecisionError, finish_from
from .run import Delta, FinalCheck, Run
from .trace import TraceNode

_UNFINISHED: Final = re.compile(r"(?<![\w@/:.-])[a-z][a-z0-9._]*\Z")
"""A last word that may be the start of an id."""


class AnswerStream:
    """Streams the final answer to the person while the model writes one reply.

    Streaming starts when all fields before the answer have passed the answer check.
    """

    def __init__(self, run: Run, check: FinalCheck) -> None:
        """Start before the first piece of a reply of `run`."""
        self._run = run
        self._check = check
        self._text = ""
        self._may_pass: bool | None = None

    def feed(self, piece: str) -> None:
        """Add the next piece of the reply; stream the part of the answer that may be shown."""
        self._text += piece
        if self._may_pass is False:
            return
        arguments = self._run.settings.decision_format.finish_so_far(self._text)
        if arguments is None:
            return
        if self._may_pass is None:
            self._may_pass = self._is_proven(arguments)
        answer = inert(_UNFINISHED.sub("", str(arguments["answer"]).lstrip()))
        if self._may_pass and self._check.identifiers(answer):
            self._may_pass = False
        if self._may_pass:
            self._pass_on(answer)

    def _is_proven(self, arguments: Mapping[str, Any]) -> bool:
        if "claims" not in arguments:
            # The claims may follow after the answer, so they cannot be checked yet.
            return False
        try:
            # The check uses only the fields, so a placeholder for the incomplete answer is enough.
            finish = finish_from({**arguments, "answer": "…"})
        except DecisionError:
            return False
        return self._check.may_stream(finish)

    def _pass_on(self, answer: str) -> None:
        heard = self._run.streamed
        if answer.startswith(heard) and len(answer) > len(heard):
            self._run.streamed = answer
            self._run.port.emit(Delta(answer.removeprefix(heard)))


def unheard(run: Run, answer: str) -> str:
    """Return the part of `answer` that the person has not heard yet.

    If another text was streamed, return the whole answer after a space.
    """
    if answer.startswith(run.streamed):
        return answer.removeprefix(run.streamed)
    return f" {answer}"


async def async_sample(
    run: Run, parent: TraceNode, request: ModelRequest, *, on_delta: DeltaSink | None = None
) -> ModelReply:
    """Return the model's reply to `request`.

    A prompt with fenced text taints the run. Raises ModelError if there is no reply, and
    LimitReached if the run's time ends first.
    """
    if any(has_fence(message.content or "") for message in request.messages):
        run.taint()
    model = run.settings.model
    node = parent.child("model", model.name, {})
    node.prefix = prefix_hash(request)
    # Yield to the event loop between building a long prompt and sending it: both take time.
    await asyncio.sleep(0)
    try:
        async with asyncio.timeout(run.budget.seconds_left()):
            reply = await model.async_complete(request, on_delta=on_delta)
    except TimeoutError:
        node.end("no reply within the limit of the run", error=True)
        raise LimitReached(Limit.SECONDS) from None
    except ModelError as err:
        node.end(str(err), error=True)
        raise
    run.budget.spend(reply.usage)
    node.end(_shown(reply), usage=reply.usage)
    return reply


def prefix_hash(request: ModelRequest) -> str:
    """Return a hash of the prompt's prefix, which must not change from turn to turn.

    System message, tools and response schema must be the same bytes each time, or the server's
    prompt cache misses. Examples follow the system message and change only together with it.
    """
    system: ChatMessage = request.messages[0]
    parts = [
        system.role,
        system.content,
        [[tool.name, tool.description, tool.parameters] for tool in request.tools],
        request.response_schema,
    ]
    return hashlib.sha256(json.dumps(parts, default=dict).encode()).hexdigest()[:16]


def _shown(reply: ModelReply) -> str:
    calls = [f"{call.name}({call.arguments})" for call in reply.tool_calls]
    return "\n".join(part for part in (reply.text, *calls) if part)
