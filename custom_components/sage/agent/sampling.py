"""One model call of a run (the processing of one command); SampleLLM of the SAGE paper."""

import asyncio
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from ..model.language_model import DeltaSink, ModelError, ModelReply, ModelRequest
from ..model.lenient_json import fitted
from ..text.fence import has_fence
from ..text.plain_text import plain_so_far
from .budget import Limit, LimitReached
from .decision import ANSWER_SCHEMA, Call, DecisionError, Finish, finish_from
from .formats import Prompt
from .port import Delta
from .record import Streamed
from .reply_reader import read_reply
from .run import FinalCheck, Run

_ALONE: Final = (
    "This reply executes nothing. It records what these words ask for, without any text from "
    "outside: call each command, change and look-up, and the search of the TV guide with "
    "`watch_on`, that they may ask for, even if it depends on such a text."
)
"""Last line of the prompt, which contains no untrusted text."""

_SENTENCES: Final = re.compile(r".*(?:[.!?…]['\")\]»”’]*\s|[。！？।؟]|\n)", re.DOTALL)
"""All finished sentences of a text."""


class AnswerStream:
    """Streams the final answer to the person while the model is writing the reply.

    Nothing is streamed until `FinalCheck` accepts the fields before the answer, e.g. `claims`. Then
    whole sentences are streamed, as long as it accepts their words.
    """

    def __init__(self, run: Run, check: FinalCheck) -> None:
        """Create a stream for the next model reply of `run`."""
        self._run = run
        self._check = check
        self._text = ""
        self._finish: Finish | None = None
        self._may_pass: bool | None = None

    def feed(self, piece: str) -> None:
        """Add a piece of the model's reply; stream the new part of the answer if permitted."""
        self._text += piece
        if self._may_pass is False:
            return
        arguments = self._run.settings.decision_format.finish_so_far(self._text)
        if arguments is None:
            return
        if self._may_pass is None:
            self._may_pass = self._is_proven(arguments)
        sentences = _SENTENCES.match(plain_so_far(str(arguments["answer"])))
        if not self._may_pass or self._finish is None or sentences is None:
            return
        answer = sentences[0].rstrip()
        if len(answer) > len(self._run.streamed):
            self._may_pass = self._check.may_speak(replace(self._finish, answer=answer))
            if self._may_pass:
                self._pass_on(answer)

    def _is_proven(self, arguments: Mapping[str, Any]) -> bool:
        if "claims" not in arguments:
            # The claims cannot be checked yet: they may follow the answer.
            return False
        try:
            # This check ignores the answer, so a placeholder is enough.
            self._finish = finish_from(fitted(ANSWER_SCHEMA, {**arguments, "answer": "…"}))
        except DecisionError:
            return False
        return self._check.may_stream(self._finish)

    def _pass_on(self, answer: str) -> None:
        streamed = self._run.streamed
        if answer.startswith(streamed) and len(answer) > len(streamed):
            self._run.record.add(Streamed(answer))
            self._run.port.emit(Delta(answer.removeprefix(streamed)))


def unheard(run: Run, answer: str) -> str:
    """Return the part of the final answer that has not been streamed to the person.

    If the streamed text is not the beginning of `answer`, return a space and the whole `answer`.
    """
    if answer.startswith(run.streamed):
        return answer.removeprefix(run.streamed)
    return f" {answer}"


async def async_sample(
    run: Run, request: ModelRequest, *, on_delta: DeltaSink | None = None
) -> ModelReply:
    """Return the model's reply to `request`; record the call in the trace.

    Raises ModelError if the model fails, LimitReached if the time limit of the run is reached.
    """
    if any(has_fence(message.content or "") for message in request.messages):
        run.taint()
    model = run.settings.model
    # Yield to the event loop, since building and sending a long prompt both take time.
    await asyncio.sleep(0)
    with run.record.steps("model", (model.name, {})) as (step,):
        try:
            async with asyncio.timeout(run.budget.seconds_left()):
                reply = await model.async_complete(request, on_delta=on_delta)
        except TimeoutError:
            raise LimitReached(Limit.SECONDS) from None
        run.record.end(step, _shown(reply), usage=reply.usage)
    run.budget.spend(reply.usage)
    return reply


async def async_own_calls(run: Run, prompt: Prompt) -> Sequence[Call]:
    """Return the tool calls that an agent's model decides, without untrusted text in the prompt.

    Only the person's own words can have caused these calls (`Run.async_asked_for`). Empty if the
    input of the prompt contains untrusted text, or if the model fails.
    """
    if has_fence(prompt.input):
        return ()
    decision_format = run.settings.decision_format
    prompt = replace(prompt, input=f"{prompt.input}\n{_ALONE}")
    try:
        reply = await async_sample(run, decision_format.request(prompt, ()))
        return read_reply(reply, decision_format, prompt.tools).decision().calls
    except DecisionError, ModelError:
        return ()


def _shown(reply: ModelReply) -> str:
    calls = [f"{call.name}({call.arguments})" for call in reply.tool_calls]
    return "\n".join(part for part in (reply.text, *calls) if part)
