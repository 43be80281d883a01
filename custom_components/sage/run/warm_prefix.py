"""Fills the prompt cache of a model server with the constant beginnings of SAGE's prompts.

This happens while SAGE processes no command. A local server needs half a minute for 2,000 new
tokens, but hardly any time for cached tokens.
"""

import asyncio
import contextvars
import logging
from collections.abc import Callable, Coroutine
from datetime import datetime, timedelta
from typing import Any, Final

from homeassistant.components.homeassistant.exposed_entities import async_listen_entity_updates
from homeassistant.config_entries import ConfigEntry
from homeassistant.core import Context, HassJob, HomeAssistant, callback
from homeassistant.helpers import area_registry as ar
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers import floor_registry as fr
from homeassistant.helpers import llm
from homeassistant.helpers.event import async_call_later
from homeassistant.util import dt as dt_util

from ..agent.run import Utterance, new_run
from ..helpers.weakly import weakly
from ..model.language_model import LanguageModel, ModelError, ModelErrorKind, ModelRequest
from ..people.person import HOUSEHOLD, Person
from ..text.speech import async_load_sentences
from ..tools.foreign import async_foreign_tools
from ..tools.sage import async_prefixes
from .answering import Answering
from .run_registry import RunRegistry
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
        self._is_due = True
        name = f"prompt prefixes of {agent.settings.name}"
        runs, work = entry.runtime_data.runs, weakly(self._async_fill)
        self._quiet = QuietTime(hass, entry, runs, work, name=name, after=SETTLED)
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
        ]
        self._quiet.start()
        self._quiet.begin()

    @callback
    def stop(self) -> None:
        """Stop refilling the prompt cache, and cancel a running request to the server."""
        while self._unsubscribe:
            self._unsubscribe.pop()()
        self._quiet.stop()

    @callback
    def _changed(self, *_: object) -> None:
        self._is_due = True
        self._note(PrefixState.WAITING)
        self._quiet.restart()

    async def _async_fill(self) -> None:
        if not self._is_due:
            return
        try:
            async with self._turn:
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
            if err.kind in _MAY_COME:
                self._quiet.restart(_AWAY)
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
        external = self._entry.runtime_data.external
        requests = await self._async_requests_of(HOUSEHOLD)
        for user in await self._hass.auth.async_get_users():
            person = Person(user_id=user.id, name=user.name or "")
            if user.is_active and external.has_mail_or_calendar(person):
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
            # Break the reference cycle: the check refers to the run.
            run.answer_check = None


QUIET_AFTER: Final = timedelta(minutes=5)
"""Time without a command after which background jobs start."""


class QuietTime:
    """Executes a background job once in each idle period of SAGE.

    The job starts some minutes after the last command. A new command cancels it.
    """

    def __init__(
        self,
        hass: HomeAssistant,
        entry: ConfigEntry[Any],
        runs: RunRegistry,
        work: Callable[[], Coroutine[Any, Any, object]],
        *,
        name: str,
        after: timedelta = QUIET_AFTER,
    ) -> None:
        """Prepare the job `work`, which will run as a background task of the config entry.

        `after`: the duration of the timer. `name`: the name of the job in the log.
        """
        self._hass = hass
        self._entry = entry
        self._runs = runs
        self._work = work
        self._name = name
        self._after = after
        self._stop_listening: Callable[[], None] | None = None
        self._stop_timer: Callable[[], None] | None = None
        self._task: asyncio.Task[None] | None = None
        self._has_failed = False

    @callback
    def start(self) -> None:
        """Start to watch for idle periods, until `stop` is called."""
        self._stop_listening = self._runs.listen(self.restart)

    @callback
    def stop(self) -> None:
        """Stop watching for idle periods; cancel the timer and the job."""
        if self._stop_listening is not None:
            self._stop_listening()
            self._stop_listening = None
        self._end()

    @callback
    def request(self) -> None:
        """Start the job's timer now.

        Does nothing if the timer already runs, or a command is in progress.
        """
        if not self._runs.is_active and self._stop_timer is None:
            self._wait(self._after)

    @callback
    def restart(self, after: timedelta | None = None) -> None:
        """Cancel timer and job; restart the timer if no run is active.

        `after`: the duration of the timer, if it is not the usual one.
        """
        self._end()
        if not self._runs.is_active:
            self._wait(after or self._after)

    def _end(self) -> None:
        if self._stop_timer is not None:
            self._stop_timer()
            self._stop_timer = None
        task = self._task
        # The job itself may restart the timer.
        if task is not None and task is not asyncio.current_task() and not task.cancelling():
            # A local model server handles one request at a time.
            task.cancel()

    def _wait(self, after: timedelta) -> None:
        job = HassJob(self.begin, f"sage quiet time: {self._name}", cancel_on_shutdown=True)
        self._stop_timer = async_call_later(self._hass, after, job)

    @callback
    def begin(self, _: datetime | None = None) -> None:
        """Execute the job now, if no command is in progress."""
        self._stop_timer = None
        if not self._hass.is_running or self._runs.is_active:
            return
        if self._task is not None and not self._task.done():
            # The cancelled task has not ended yet.
            self._wait(self._after)
            return
        # Use an empty context, so that the job does not inherit context variables of a run.
        self._task = contextvars.Context().run(
            self._entry.async_create_background_task,
            self._hass,
            self._async_work(),
            f"sage quiet time: {self._name}",
        )
        self._task.add_done_callback(self._ended)

    @callback
    def _ended(self, task: asyncio.Task[None]) -> None:
        """Drop the finished task, whose exception would keep this object alive."""
        if self._task is task:
            self._task = None

    async def _async_work(self) -> None:
        try:
            await self._work()
        except Exception:
            level = logging.DEBUG if self._has_failed else logging.WARNING
            _LOGGER.log(level, "Failed in a quiet time: %s", self._name, exc_info=True)
            self._has_failed = True
        else:
            self._has_failed = False
