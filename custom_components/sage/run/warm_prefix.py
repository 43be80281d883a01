"""Fills the prompt cache of a model server with the constant beginnings of SAGE's prompts.

A local server needs half a minute for 2,000 new tokens, but hardly any time for cached tokens.
"""

import asyncio
import contextvars
import logging
from collections.abc import Callable
from datetime import datetime, timedelta
from time import monotonic
from typing import Any, Final

from homeassistant.components.homeassistant.exposed_entities import async_listen_entity_updates
from homeassistant.core import Context, HassJob, HomeAssistant, callback
from homeassistant.helpers import area_registry as ar
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers import floor_registry as fr
from homeassistant.helpers import llm
from homeassistant.helpers.event import async_call_later
from homeassistant.util import dt as dt_util

from ..agent.run import Run, Utterance, new_run
from ..agent.sampling import prefix_hash
from ..agent.trace import model_calls
from ..helpers.weakly import weakly
from ..model.language_model import LanguageModel, ModelError, ModelErrorKind, ModelRequest
from ..people.person import HOUSEHOLD, Person
from ..text.speech import async_load_sentences
from ..tools.foreign import async_foreign_tools
from ..tools.sage import async_prefixes
from .answering import Answering
from .runtime import Prefixes, PrefixState, SageAgent, SageConfigEntry

_LOGGER = logging.getLogger(__name__)

SETTLED: Final = timedelta(seconds=10)
"""Delay between a command or a change of the home and the refill of the prompt cache."""

# Shorter than the 5 minutes after which Ollama unloads an idle model.
FIRST_PAUSE: Final = timedelta(minutes=4)
"""Idle time until the first refresh of the prompt cache."""

_LONGEST_PAUSE: Final = timedelta(hours=1)
_AWAY: Final = timedelta(minutes=1)
"""Delay before the next attempt if the server is unavailable."""

_MAY_COME: Final = {ModelErrorKind.UNREACHABLE, ModelErrorKind.SERVER_ERROR}
_CHANGES: Final[tuple[Any, ...]] = (
    er.EVENT_ENTITY_REGISTRY_UPDATED,
    dr.EVENT_DEVICE_REGISTRY_UPDATED,
    ar.EVENT_AREA_REGISTRY_UPDATED,
    fr.EVENT_FLOOR_REGISTRY_UPDATED,
)


class PrefixWarmer:
    """Keeps the constant beginnings of one agent's prompts in the model server's cache.

    It sends them to the server at these times:

    - at start, and after changes of the home
    - after an idle time
    - after a command that may have displaced them from the cache
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
        self._turn = turn
        self._cache = _PromptCache(model)
        self._pause, self._longest = FIRST_PAUSE, _LONGEST_PAUSE
        self._is_due = True
        """Whether a prefix may be missing in the server's cache."""
        self._has_failed = False
        self._task: asyncio.Task[None] | None = None
        self._stop_timer: Callable[[], None] | None = None
        self._unsubscribe: list[Callable[[], None]] = []

    @callback
    def start(self) -> None:
        """Fill the server's prompt cache now, and refill it when necessary until `stop`."""
        runs = self._entry.runtime_data.runs
        self._unsubscribe = [
            runs.listen_to_ends(self._learn),
            runs.listen(self._look),
            async_listen_entity_updates(self._hass, "conversation", self._changed),
            *(self._hass.bus.async_listen(each, self._changed) for each in _CHANGES),
        ]
        self._begin()

    @callback
    def stop(self) -> None:
        """Stop refilling the prompt cache, and cancel a running request to the server."""
        while self._unsubscribe:
            self._unsubscribe.pop()()
        self._halt()

    @callback
    def _look(self) -> None:
        """Cancel a running evaluation of prefixes; schedule the next one if no run is active."""
        self._halt()
        if not self._entry.runtime_data.runs.is_active:
            self._wait(SETTLED if self._is_due else self._pause)

    @callback
    def _learn(self, run: Run) -> None:
        """Update the assumed content of the server's cache, from a finished run's model calls."""
        calls = [each for each in model_calls(run.root) if each.usage is not None]
        if not calls:
            return
        first = next((each for each in calls if each.prefix == self._cache.first), None)
        if first is not None and first.usage and self._cache.lacked(first.usage.cached_tokens):
            self._pause = FIRST_PAUSE
            self._is_due = True
        # A server's cache may hold only the last prompt.
        if calls[-1].prefix != self._cache.first:
            self._is_due = True

    @callback
    def _changed(self, *_: object) -> None:
        """Let the server evaluate the new prompt prefixes soon, after a change of the home."""
        if self._is_due and self._stop_timer is not None:
            return
        self._halt()
        self._is_due = True
        if not self._entry.runtime_data.runs.is_active:
            self._note(PrefixState.WAITING)
            self._wait(SETTLED)

    def _halt(self) -> None:
        if self._stop_timer is not None:
            self._stop_timer()
            self._stop_timer = None
        if self._task is not None and not self._task.cancelling():
            self._task.cancel()

    def _wait(self, pause: timedelta) -> None:
        if self._stop_timer is not None:
            self._stop_timer()
        job = HassJob(weakly(self._begin), "sage waits to warm prefixes", cancel_on_shutdown=True)
        self._stop_timer = async_call_later(self._hass, pause, job)

    @callback
    def _begin(self, _: datetime | None = None) -> None:
        self._stop_timer = None
        if not self._hass.is_running or self._entry.runtime_data.runs.is_active:
            return
        if self._task is not None and not self._task.done():
            # The cancelled task has not ended yet.
            self._wait(SETTLED)
            return
        # Use an empty context, so that the task does not inherit context variables of a run.
        self._task = contextvars.Context().run(
            self._entry.async_create_background_task,
            self._hass,
            self._async_work(),
            f"sage warms prefixes of {self._agent.settings.name}",
        )
        self._task.add_done_callback(self._ended)

    @callback
    def _ended(self, task: asyncio.Task[None]) -> None:
        """Drop the finished task, whose exception would keep this object alive."""
        if self._task is task:
            self._task = None

    async def _async_work(self) -> None:
        was_idle, self._is_due = not self._is_due, False
        self._note(PrefixState.EVALUATING)
        pause: timedelta | None
        try:
            async with self._turn:
                requests = await self._async_requests()
                was_cached = await self._cache.async_fill(requests, self._note_progress)
        except asyncio.CancelledError as err:
            self._is_due = True
            self._note(PrefixState.WAITING)
            # Avoid a reference cycle: the task refers to this object, and its frames to the task.
            err.__traceback__ = None
            raise
        except ModelError as err:
            self._report(err)
            pause = _AWAY if err.kind in _MAY_COME else None
        except Exception as err:  # noqa: BLE001 - nobody waits for it, and commands work without
            self._report(err)
            pause = None
        else:
            self._has_failed = False
            self._note(PrefixState.READY, 1.0)
            if was_idle:
                self._adapt(was_cached=was_cached)
            pause = self._pause
        if pause is not None:
            self._wait(pause)

    def _adapt(self, *, was_cached: bool) -> None:
        """Adapt the idle time before the next refresh.

        `was_cached`: whether the prefix was still cached after the last idle time.
        """
        if was_cached:
            self._pause = min(2 * self._pause, self._longest)
        elif self._pause > FIRST_PAUSE:
            self._pause = self._longest = max(self._pause / 2, FIRST_PAUSE)
        else:
            self._pause = _LONGEST_PAUSE

    def _note(self, state: PrefixState, done: float = 0.0) -> None:
        prefixes = self._entry.runtime_data.prefixes
        prefixes[self._agent.settings.agent_id] = Prefixes(state=state, done=done)

    def _note_progress(self, done: float) -> None:
        self._note(PrefixState.EVALUATING, done)

    def _report(self, err: Exception) -> None:
        self._is_due = True
        self._note(PrefixState.AWAY)
        if not self._has_failed:
            _LOGGER.debug("The prefixes could not be evaluated: %s", err)
        self._has_failed = True

    async def _async_requests(self) -> tuple[ModelRequest, ...]:
        """Return model requests with all prompt prefixes, those of HOUSEHOLD first.

        People with mail, calendars or contacts have additional prefixes.
        """
        external = self._entry.runtime_data.external
        people = [HOUSEHOLD]
        for user in await self._hass.auth.async_get_users():
            person = Person(user_id=user.id, name=user.name or "")
            if user.is_active and external.of(person).has_mail_or_calendar:
                people.append(person)
        found: dict[str, ModelRequest] = {}
        for person in people:
            for request in await self._async_requests_of(person):
                found.setdefault(prefix_hash(request), request)
        return tuple(found.values())

    async def _async_requests_of(self, person: Person) -> tuple[ModelRequest, ...]:
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
            return await async_prefixes(situation, await async_foreign_tools(situation, apis))
        finally:
            # Break the reference cycle: the check refers to the run.
            run.answer_check = None


class _PromptCache:
    """The assumed state of a model server's prompt cache.

    The prompt prefix of the entry agent, which gets each new command first, is most important.
    """

    def __init__(self, model: LanguageModel) -> None:
        self._model = model
        self.first: str | None = None
        """Hash of the prompt prefix of the entry agent."""
        self._tokens = 0
        self._evaluated: set[str] = set()
        self._slowest = 0.0
        """Longest evaluation time of the entry agent's prefix in seconds."""
        self._counts = False
        """Whether the server reports cached tokens."""
        self._keeps_one = False
        """Whether the server's cache holds only the last prompt."""

    def lacked(self, cached_tokens: int) -> bool:
        """Return whether the entry agent's prefix was missing in the cache.

        `cached_tokens`: the number that the server reported for a request of the entry agent.
        """
        return self._counts and 2 * cached_tokens < self._tokens

    async def async_fill(
        self, requests: tuple[ModelRequest, ...], report: Callable[[float], None]
    ) -> bool:
        """Let the server evaluate the prompt prefixes of `requests`, so that it caches them.

        The first request has the prefix of the entry agent; return whether it was already cached.
        The other prefixes are evaluated only if the cache may lack them. After them, the first one
        is evaluated again, to keep it in the cache. `report` receives the progress, 0 to 1. Raises
        ModelError.
        """
        first, *others = requests
        was_cached = await self._async_is_cached(first)
        if not was_cached:
            self._evaluated.clear()
        stale = [each for each in others if prefix_hash(each) not in self._evaluated]
        if stale and not self._keeps_one:
            done, total = _length(first), sum(map(_length, (first, *stale)))
            for each in stale:
                report(done / total)
                await self._model.async_complete(each)
                self._evaluated.add(prefix_hash(each))
                done += _length(each)
            self._keeps_one = not await self._async_is_cached(first)
        self._evaluated &= {prefix_hash(each) for each in others}
        return was_cached

    async def _async_is_cached(self, first: ModelRequest) -> bool:
        """Let the server evaluate the entry agent's prefix; return whether it was cached before."""
        started = monotonic()
        usage = (await self._model.async_complete(first)).usage
        seconds = monotonic() - started
        self.first, self._tokens = prefix_hash(first), usage.prompt_tokens
        self._counts = self._counts or usage.cached_tokens > 0
        is_quick = seconds < self._slowest / 2
        self._slowest = max(self._slowest, seconds)
        return not self.lacked(usage.cached_tokens) if self._counts else is_quick


def _length(request: ModelRequest) -> int:
    """Return the approximate length of a request's prompt prefix in characters."""
    return len(request.messages[0].content or "") + sum(len(str(tool)) for tool in request.tools)
