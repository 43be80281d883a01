"""SAGE, Assist with the same model, core's sentences, and three methods that check the data."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from homeassistant.config_entries import ConfigEntry

from custom_components.sage.agent.port import Wanted
from custom_components.sage.config.probe import async_probe
from custom_components.sage.const import CONF_PLAIN_REQUESTS
from custom_components.sage.model.openai_model import OpenAIModel, async_create_client
from custom_components.sage.people.person import KnownBy, Person

from ..commands.methods import AssistMethod, Ledger, Sentence
from ..commands.methods import SageMethod as Agent
from ..overhead_home import async_add_sage
from .case import OutsideCase
from .expected import Plan
from .home import OutsideHome
from .questions import right_answer

SAGE: Final = "sage"
INSTANT: Final = "instant"
"""SAGE with a model that fails: what its own code does."""

ASSIST: Final = "assist"
BUILTIN: Final = "builtin"
IDEAL: Final = "ideal"
IDLE: Final = "idle"
METHODS: Final = (SAGE, ASSIST, BUILTIN, INSTANT, IDEAL, IDLE)
WITH_MODEL: Final = (SAGE, ASSIST)
_LANGUAGE: Final = "en"


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelServer:
    """An OpenAI-compatible server and its model."""

    base_url: str = ""
    model: str = ""
    api_key: str = field(default="", repr=False)
    decision_format: str = ""
    """Empty: the one that the set-up of SAGE finds."""

    plain_requests: bool = False
    """Whether SAGE handles plain commands without the model."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """The answer to a sentence."""

    text: str
    confirmations: int = 0
    """Questions of SAGE's code that were answered with yes."""


type Say = Callable[[OutsideCase, Plan], Awaitable[Reply]]
"""Says the sentence of a case, and returns the reply; the plan is for the ideal method."""


async def async_method(name: str, home: OutsideHome, server: ModelServer, ledger: Ledger) -> Say:
    """Set a method up in a home; `ledger` counts the calls of its model."""
    if name in {SAGE, INSTANT}:
        return await _async_sage(home, server, ledger)
    if name == ASSIST:
        client = await async_create_client(home.hass, server.base_url, server.api_key or None)
        model = OpenAIModel(client, server.model)
        ledger.watch(model)
        return _speaking(home, AssistMethod(home.hass, model))
    if name == BUILTIN:
        return _speaking(home, _agent(home, BUILTIN, "conversation.home_assistant"))
    return _Ideal(home).async_say if name == IDEAL else _async_idle


def _agent(home: OutsideHome, name: str, agent_id: str) -> Agent:
    return Agent(home.hass, name=name, decision_format="native", agent_id=agent_id)


def _sentence(home: OutsideHome, text: str, conversation_id: str | None = None) -> Sentence:
    return Sentence(
        text=text,
        language=_LANGUAGE,
        user_id=home.user_id,
        conversation_id=conversation_id,
    )


def _speaking(home: OutsideHome, method: Agent | AssistMethod) -> Say:
    async def say(case: OutsideCase, _plan: Plan) -> Reply:
        heard = await method.async_say(_sentence(home, case.said))
        return Reply(text=heard.answer)

    return say


async def _async_idle(_case: OutsideCase, _plan: Plan) -> Reply:
    return Reply(text="")


class _Ideal:
    """Executes the calls that the data expects."""

    def __init__(self, home: OutsideHome) -> None:
        self._home = home

    async def async_say(self, case: OutsideCase, plan: Plan) -> Reply:
        for action in plan.actions:
            domain, _, service = action.service.partition(".")
            data = {**action.data, "entity_id": action.entity_id}
            await self._home.hass.services.async_call(domain, service, data, blocking=True)
        seen = self._home.snapshot()
        return Reply(
            text=" ".join(
                right_answer(case.said, each, seen.get(each.entity_id)) for each in plan.readings
            )
        )


class _Sage:
    """An agent of SAGE; a confirmation that its code asks for is given where a call is right."""

    def __init__(self, home: OutsideHome, entry: ConfigEntry[Any]) -> None:
        self._home = home
        self._runtime = entry.runtime_data
        self._agent = _agent(home, SAGE, "conversation.sage")
        self.owner = Person(user_id=home.user_id, name="Owner", known_by=KnownBy.SIGN_IN)

    async def async_say(self, case: OutsideCase, _plan: Plan) -> Reply:
        heard = await self._agent.async_say(_sentence(self._home, case.said))
        confirmations = 0
        while (run := self._runtime.runs.waiting(heard.conversation_id, self.owner)) is not None:
            question = run.port.open_question
            if case.wants_no_call or question is None or question.wanted is Wanted.TEXT:
                run.port.withdraw()
                break
            confirmations += 1
            said = _sentence(self._home, "yes", heard.conversation_id)
            heard = await self._agent.async_say(said)
        return Reply(text=heard.answer, confirmations=confirmations)


async def _async_sage(home: OutsideHome, server: ModelServer, ledger: Ledger) -> Say:
    hass = home.hass
    formats = [server.decision_format] if server.decision_format else []
    connection: dict[str, Any] = {"model": server.model}
    if server.api_key:
        connection["api_key"] = server.api_key
    if not formats:
        client = await async_create_client(hass, server.base_url, server.api_key or None)
        probe = await async_probe(client, server.model)
        formats = list(probe.formats)
        connection["confuses_later"] = probe.misjudges_timing
    options: Mapping[str, Any] = {CONF_PLAIN_REQUESTS: server.plain_requests}
    agents = {SAGE: {"decision_format": formats[0]}}
    connection["formats"] = formats
    entry = await async_add_sage(hass, server.base_url, agents, options=options, **connection)
    for agent in entry.runtime_data.agents.values():
        ledger.watch(agent.settings.model)
    sage = _Sage(home, entry)
    # A case must not find in the memory what another one said.
    memory = entry.runtime_data.memory
    await memory.async_do(sage.owner, lambda file: file.change_settings(enabled=False))
    home.routines = entry.runtime_data.routines
    return sage.async_say
