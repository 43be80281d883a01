"""Fills the prompt cache of a model server with the constant beginnings of SAGE's prompts.

This happens while SAGE processes no command. A local server needs half a minute for 2,000 new
tokens, but hardly any time for cached tokens.
"""

import asyncio
import logging
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Final

from homeassistant.components.homeassistant.exposed_entities import async_listen_entity_updates
from homeassistant.core import Context, HassJob, HomeAssistant, callback
from homeassistant.helpers import area_registry as ar
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers import floor_registry as fr
from homeassistant.helpers import llm
from homeassistant.helpers.event import async_call_later
from homeassistant.util import dt as dt_util

from ..agent import Utterance, new_run
from ..model import LanguageModel, ModelError, ModelErrorKind, ModelRequest
from ..people import HOUSEHOLD, Person
from ..text import async_load_sentences
from ..tools import async_foreign_tools, async_prefixes
from .answering import Answering
from .runtime import Prefixes, PrefixState, SageAgent, SageConfigEntry

_LOGGER = logging.getLogger(__name__)

SETTLED: Final = timedelta(seconds=10)
"""Delay between a change of the home, or an interruption, and filling the prompt cache."""

_AWAY: Final = timedelta(minutes=1)
"""Delay before the next attempt if the server is unavailable."""

_MAY_COME: Final = {ModelErrorKind.UNREACHABLE, ModelErrorKind.SERVER_ERROR}


class PrefixWarmer:
    """Sends the constant beginnings of one agent's prompts to its model server.

    At start, and after each change of the home; only while no command is in progress.
    """

    def __init__(
        self,
        hass: HomeAssistant,
        entry: SageConfigEntry,
        agent: SageAgent,
        model: LanguageModel,
        turn: asyncio.Lock,
    ) -> None:
        """Prepare the evaluation of the prompt prefixes of `agent`.

        `model`: the agent's model with longer timeouts. `turn`: a lock that all background model
        calls share, so that only one is active at a time.
        """
        self._hass = hass
        self._entry = entry
        self._agent = agent
        self._model = model
        self._turn = turn
        self._runs = entry.runtime_data.runs
        self._is_due = True
        self._task: asyncio.Task[None] | None = None
        self._stop_timer: Callable[[], None] | None = None
        self._unsubscribe: list[Callable[[], None]] = []

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
            self._runs.listen(self._wait),
        ]
        self._begin()

    @callback
    def stop(self) -> None:
        """Stop refilling the prompt cache, and cancel a running request to the server."""
        while self._unsubscribe:
            self._unsubscribe.pop()()
        self._end()

    @callback
    def _changed(self, *_: object) -> None:
        self._is_due = True
        self._note(PrefixState.WAITING)
        self._wait()

    @callback
    def _wait(self, after: timedelta = SETTLED) -> None:
        """Cancel the requests, and begin again later, unless a command is in progress."""
        self._end()
        if self._is_due and not self._runs.is_active:
            job = HassJob(self._begin, "sage prompt prefixes", cancel_on_shutdown=True)
            self._stop_timer = async_call_later(self._hass, after, job)

    def _end(self) -> None:
        if self._stop_timer is not None:
            self._stop_timer()
            self._stop_timer = None
        if self._task is not None:
            # A local model server handles one request at a time.
            self._task.cancel()
            self._task = None

    @callback
    def _begin(self, _: datetime | None = None) -> None:
        self._stop_timer = None
        if self._hass.is_running and not self._runs.is_active:
            self._task = self._entry.async_create_background_task(
                self._hass, self._async_fill(), "sage prompt prefixes"
            )

    async def _async_fill(self) -> None:
        try:
            async with self._turn:
                requests = await self._async_requests()
                for number, request in enumerate(requests):
                    self._note(PrefixState.EVALUATING, number / len(requests))
                    await self._model.async_complete(request)
        except asyncio.CancelledError:
            # The exception would keep the task in memory: a frame of the HTTP client refers to it.
            self._note(PrefixState.WAITING)
        except ModelError as err:
            _LOGGER.debug("The prefixes could not be evaluated: %s", err)
            self._note(PrefixState.AWAY)
            self._task = None
            if err.kind in _MAY_COME:
                self._wait(_AWAY)
        except Exception:
            _LOGGER.exception("The prefixes could not be evaluated")
        else:
            self._is_due = False
            self._note(PrefixState.READY, 1.0)

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
        """Return model requests with the prompt prefixes for commands of this person."""
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
