"""The common part of the paper's baselines: one model, prompts that ask for JSON, no tools.

As in the paper, a reply that is not in the wanted form is a failure; nothing is asked again.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import probatio

from custom_components.sage.agent.record import (
    Record,
)
from custom_components.sage.model.language_model import (
    ChatMessage,
    LanguageModel,
    ModelError,
    ModelRequest,
)
from custom_components.sage.model.openai_model import OpenAIModel, async_create_client

from ..commands.methods import Ledger
from .device_states import Capabilities, Changes, DeviceState, async_send, async_states
from .home import PaperHome
from .methods import MethodRecord, MethodSettings
from .world import CHANNELS

_PROMPTS: Final[Mapping[str, str]] = {
    path.stem: path.read_text(encoding="utf-8").strip()
    for path in (Path(__file__).parent / "prompts").glob("*.md")
}
_MOST_TOKENS: Final = 2048
"""Of one reply. The paper allows 1,000; the nesting of SmartThings needs more."""


def reply_schema(**members: Any) -> probatio.Schema:
    """Return the schema of an object with at least these members; others are ignored."""
    required = {probatio.Required(name): each for name, each in members.items()}
    return probatio.Schema(required, extra=probatio.REMOVE_EXTRA)


_CHANGES: Final = probatio.Schema(
    {str: {probatio.Optional("name"): str, str: {str: {str: object}}}}
)
"""Device id -> component -> capability -> attribute -> value.

A model may repeat the name of the device, as the states show it.
"""

NEW_STATES: Final = reply_schema(changes=_CHANGES, answer=str)
"""The values that change, and an answer."""


class NoReplyError(Exception):
    """The model gave no reply, or one that is not in the form that the prompt asks for."""


def guide_text() -> str:
    """Return what is on TV now: number, channel and programme, as in the paper."""
    rows = [f"{each.number} | {each.name} | {each.title}" for each in CHANNELS]
    return "\n".join(("number | channel | programme", *rows))


def as_text(value: object) -> str:
    """Return JSON for a prompt."""
    return json.dumps(value, ensure_ascii=False)


class Baseline:
    """The model and the trace of a baseline."""

    def __init__(self, settings: MethodSettings) -> None:
        """Use this model server."""
        self._settings = settings
        self._ledger = Ledger()
        self._model: LanguageModel | None = None
        self._capabilities = Capabilities()
        self._traces: list[Mapping[str, Any]] = []
        self._malformed: list[str] = []

    async def async_set_up(self, home: PaperHome) -> None:
        """Connect to the model."""
        settings = self._settings
        client = await async_create_client(home.hass, settings.base_url, settings.api_key or None)
        self._model = OpenAIModel(client, settings.model)
        self._ledger.watch(self._model)

    async def async_settle(self, home: PaperHome) -> None:
        """Wait for the home only."""
        await home.async_settle()

    async def async_close(self) -> None:
        """Do nothing."""

    def record(self) -> MethodRecord:
        """Return the cost and the traces."""
        usage = self._ledger.usage
        return MethodRecord(
            calls=self._ledger.calls,
            prompt_tokens=usage.prompt_tokens,
            cached_tokens=usage.cached_tokens,
            completion_tokens=usage.completion_tokens,
            model_failures=tuple(self._ledger.failures),
            malformed=tuple(self._malformed),
            trace=tuple(self._traces),
        )

    async def _async_states(self, home: PaperHome) -> list[DeviceState]:
        return await async_states(home.client, self._settings.state_form)

    async def _async_ask(
        self,
        record: Record,
        prompt: str,
        schema: probatio.Schema,
        parts: Mapping[str, str],
    ) -> dict[str, Any]:
        """Return the JSON object of the reply to a prompt of the folder `prompts`.

        `parts`: heading -> text that follows the prompt. Raises NoReplyError.
        """
        assert self._model is not None
        told = "\n\n".join(f"{heading}:\n{text}" for heading, text in parts.items())
        request = ModelRequest(
            messages=(
                ChatMessage(role="system", content=_PROMPTS[prompt]),
                ChatMessage(role="user", content=told),
            ),
            max_tokens=_MOST_TOKENS,
        )
        try:
            with record.steps("model", (prompt, {})) as (step,):
                reply = await self._model.async_complete(request)
                record.end(reply.text, usage=reply.usage, step=step)
        except ModelError as err:
            raise NoReplyError from err
        try:
            return _parsed(reply.text, schema)
        except (ValueError, TypeError, probatio.Invalid) as err:
            record.end(reply.text, is_error=True, usage=reply.usage, step=step)
            self._malformed.append(f"{prompt}: {err}")
            raise NoReplyError from err

    async def _async_apply(
        self, home: PaperHome, record: Record, states: Sequence[DeviceState], changes: Changes
    ) -> None:
        """Merge changes into the states, and send the commands that this takes."""
        plan = await self._capabilities.async_plan(home.client, states, changes)
        for problem in plan.problems:
            with record.steps("tool", ("merge", {})) as (step,):
                record.end(problem, is_error=True, step=step)
        for command in plan.commands:
            with record.steps("tool", ("command", command.as_json())) as (step,):
                refusal = await async_send(home.client, command)
                record.end(refusal or "sent", is_error=refusal is not None, step=step)

    def _note(self, command: str, answer: str, kind: str, record: Record) -> None:
        """Keep the trace of a command, in the form of SAGE's traces."""
        record.end(answer)
        root, *steps = record.tree()
        self._traces.append(
            {
                "command": command,
                "answer": answer,
                "kind": kind,
                "seconds": root["seconds"],
                "model_calls": sum(step["kind"] == "model" for step in steps),
                "usage": record.usage.as_dict(),
                "outcomes": [],
                "root": root,
            }
        )


def _parsed(text: str, schema: probatio.Schema) -> dict[str, Any]:
    """Return the JSON object in a text, which may have other words around it."""
    begin, end = text.find("{"), text.rfind("}")
    return dict(schema(json.loads(text[begin : end + 1])))
