"""Fills the prompt cache of a model server with the constant beginnings of SAGE's prompts.

This happens while SAGE processes no command. A local server needs half a minute for 2,000 new
tokens, but hardly any time for cached tokens.
"""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from homeassistant.components.homeassistant.exposed_entities import async_listen_entity_updates
from homeassistant.core import Context, HomeAssistant, callback
from homeassistant.helpers import area_registry as ar
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers import floor_registry as fr
from homeassistant.helpers import llm
from homeassistant.util import dt as dt_util

from ..agent import Utterance, new_run
from ..model import LanguageModel, ModelError, ModelErrorKind, ModelRequest
from ..people import HOUSEHOLD, Person
from ..text import async_load_sentences
from ..tools import async_foreign_tools, async_prefixes
from .answering import Answering
from .run_registry import SETTLED_SECONDS
from .runtime import Prefixes, PrefixState, SageAgent, SageConfigEntry

_LOGGER = logging.getLogger(__name__)

_AWAY_SECONDS: Final = 60.0  # delay before the next attempt if the server is unavailable
_MAY_COME: Final = {ModelErrorKind.UNREACHABLE, ModelErrorKind.SERVER_ERROR}


@dataclass(slots=True, eq=False)
class PrefixWarmer:
    """Sends one agent's constant prompt beginnings to its server, while no command runs."""

    _hass: HomeAssistant
    _entry: SageConfigEntry
    _agent: SageAgent
    _model: LanguageModel  # the agent's model with longer timeouts
    _task: asyncio.Task[None] | None = None
    _unsubscribe: list[Callable[[], None]] = field(default_factory=list)

    @callback
    def start(self) -> None:
        """Fill the server's prompt cache now, and after each change of the home until `stop`."""
        listen = self._hass.bus.async_listen
        self._unsubscribe = [
            async_listen_entity_updates(self._hass, "conversation", self._changed),
            listen(er.EVENT_ENTITY_REGISTRY_UPDATED, self._changed),
            listen(dr.EVENT_DEVICE_REGISTRY_UPDATED, self._changed),
            listen(ar.EVENT_AREA_REGISTRY_UPDATED, self._changed),
            listen(fr.EVENT_FLOOR_REGISTRY_UPDATED, self._changed),
        ]
        self._begin(0)

    @callback
    def stop(self) -> None:
        """Stop refilling the prompt cache, and cancel a running request to the server."""
        while self._unsubscribe:
            self._unsubscribe.pop()()
        if self._task is not None:
            self._task.cancel()
            self._task = None

    @callback
    def _changed(self, *_: object) -> None:
        self._begin(SETTLED_SECONDS)

    @callback
    def _begin(self, seconds: float) -> None:
        """Fill the cache `seconds` from now, instead of the requests so far."""
        if self._task is not None:
            self._task.cancel()
        self._note(PrefixState.WAITING)
        work = self._async_work(seconds)
        self._task = self._entry.async_create_background_task(
            self._hass, work, "sage prompt prefixes"
        )

    async def _async_work(self, seconds: float) -> None:
        while True:
            await asyncio.sleep(seconds)
            if await self._entry.runtime_data.runs.async_while_idle(self._async_fill):
                return
            seconds = _AWAY_SECONDS

    async def _async_fill(self) -> bool:
        """Send the requests; return False if the server is unavailable at the moment."""
        self._note(PrefixState.EVALUATING)
        try:
            requests = await self._async_requests()
            for number, request in enumerate(requests):
                self._note(PrefixState.EVALUATING, number / len(requests))
                await self._model.async_complete(request)
        except asyncio.CancelledError:
            self._note(PrefixState.WAITING)
            raise
        except ModelError as err:
            _LOGGER.debug("The prefixes could not be evaluated: %s", err)
            self._note(PrefixState.AWAY)
            return err.kind not in _MAY_COME
        except Exception:
            _LOGGER.exception("The prefixes could not be evaluated")
            self._note(PrefixState.WAITING)
            return True
        self._note(PrefixState.READY, 1.0)
        return True

    def _note(self, state: PrefixState, done: float = 0.0) -> None:
        prefixes = self._entry.runtime_data.prefixes
        prefixes[self._agent.settings.agent_id] = Prefixes(state=state, done=done)

    async def _async_requests(self) -> list[ModelRequest]:
        """Return model requests with all prompt prefixes.

        People with mail, calendars or contacts have additional prefixes. The last request has the
        prefix of the entry agent, since some servers keep only the last prompt.
        """
        runtime = self._entry.runtime_data
        requests = await self._async_requests_of(HOUSEHOLD)
        for user in await self._hass.auth.async_get_users():
            person = Person(user_id=user.id, name=user.name or "")
            calendars = runtime.home.of(person).entities_of("calendar")
            if user.is_active and (calendars or runtime.external.has_mail_or_contacts(person)):
                requests += await self._async_requests_of(person)
        distinct: list[ModelRequest] = []
        for request in reversed(requests):
            if request not in distinct:
                distinct.append(request)
        return distinct

    async def _async_requests_of(self, person: Person) -> list[ModelRequest]:
        language = self._hass.config.language
        utterance = Utterance(
            text="",
            person=person,
            context=Context(user_id=person.user_id),
            language=language,
            conversation_id="",
            now=dt_util.now(),
        )
        run = new_run(utterance, self._agent.settings)
        sentences = await async_load_sentences(self._hass, language)
        answering = Answering(self._hass, self._entry, self._agent, run, sentences)
        try:
            situation = await answering.async_situation()
            there = {api.id for api in llm.async_get_apis(self._hass)}
            apis = [each for each in self._agent.tool_apis if each in there]
            foreign = await async_foreign_tools(situation, apis)
            return list(await async_prefixes(situation, foreign))
        finally:
            # Break the reference cycles: both objects refer to the run.
            run.record.listeners.clear()
            run.answer_check = None
