"""One model call of a run: bounded, counted, traced (SampleLLM of the paper)."""

import asyncio
import hashlib
import json

from ..model.language_model import ChatMessage, DeltaSink, ModelError, ModelReply, ModelRequest
from ..text.fence import has_fence
from .budget import Limit, LimitReached
from .run import Run
from .trace import TraceNode


async def async_sample(
    run: Run, parent: TraceNode, request: ModelRequest, *, on_delta: DeltaSink | None = None
) -> ModelReply:
    """Return the model's reply to `request`.

    A prompt that holds fenced text taints the run (DESIGN 10).
    Raises ModelError if there is no reply, and LimitReached if the wall time of the run ends
    first.
    """
    if any(has_fence(message.content or "") for message in request.messages):
        run.taint()
    model = run.settings.model
    node = parent.child("model", model.name, {})
    node.prefix = prefix_hash(request)
    # Yield to the event loop: a long prompt was built just now, and sending it takes time, too.
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
    """Return a hash of the prompt up to the part that changes from turn to turn.

    System message, tools and response schema must be the same bytes from turn
    to turn, or the server's prompt cache is lost (DESIGN 6). Examples, which follow
    the system message, belong to it in the same way, and only change with it.
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
