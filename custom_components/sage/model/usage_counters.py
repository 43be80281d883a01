"""Count model calls, tokens and seconds per day and agent across restarts, no text."""

import contextlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from datetime import date, timedelta
from time import monotonic
from typing import Any, Final

from homeassistant.core import HomeAssistant, callback
from homeassistant.util import dt as dt_util
from homeassistant.util.hass_dict import HassKey

from ..storage import SmallStore
from .language_model import DeltaSink, LanguageModel, ModelReply, ModelRequest, Usage

STORAGE_KEY: Final = "sage.model_usage"
_STORAGE_VERSION: Final = 1
_SAVE_DELAY: Final = 10.0  # delay between a model call and saving the counters, in seconds
_MOST_DAYS: Final = 366  # number of days to keep counters


@dataclass(frozen=True, slots=True, kw_only=True)
class DayUsage:
    """Model usage of one conversation agent on one day."""

    calls: int = 0
    failed: int = 0
    """Number of failed calls, also counted in `calls`; a cancelled call is not a failure."""

    prompt_tokens: int = 0
    cached_tokens: int = 0
    completion_tokens: int = 0
    seconds: float = 0.0  # total duration of all calls in seconds


class UsageCounters:
    """Counters of the model usage of all conversation agents, by local date."""

    def __init__(self, hass: HomeAssistant) -> None:
        """Create empty counters; `async_load` reads the stored ones."""
        self._hass = hass
        self._store = SmallStore(hass, _STORAGE_VERSION, STORAGE_KEY)
        self._days: dict[date, dict[str, DayUsage]] = {}
        self._is_loaded = False

    async def async_load(self) -> None:
        """Read the stored counters; a second call has no effect."""
        if self._is_loaded:
            return
        self._is_loaded = True
        for day, agents in (await self._store.async_load()).items():
            with contextlib.suppress(ValueError, AttributeError):
                at = date.fromisoformat(day)
                read = {agent: _read(each) for agent, each in agents.items()}
                self._days[at] = {agent: each for agent, each in read.items() if each}

    @callback
    def note(self, agent_id: str, usage: Usage, seconds: float, *, is_failure: bool) -> None:
        """Count one model call of an agent; `seconds` is the duration of the call."""
        today = dt_util.now().date()
        agents = self._days.setdefault(today, {})
        so_far = agents.get(agent_id, DayUsage())
        agents[agent_id] = DayUsage(
            calls=so_far.calls + 1,
            failed=so_far.failed + is_failure,
            prompt_tokens=so_far.prompt_tokens + usage.prompt_tokens,
            cached_tokens=so_far.cached_tokens + usage.cached_tokens,
            completion_tokens=so_far.completion_tokens + usage.completion_tokens,
            seconds=so_far.seconds + seconds,
        )
        self._store.async_delay_save(self._stored, _SAVE_DELAY)

    def counted(self, agent_id: str, model: LanguageModel) -> LanguageModel:
        """Return `model`, whose calls count as those of an agent."""
        return CountedModel(self, agent_id, model)

    def of(self, agent_id: str, days: int) -> dict[date, DayUsage]:
        """Return an agent's counters by date for the last `days` days that have calls."""
        first = dt_util.now().date() - timedelta(days=min(days, _MOST_DAYS) - 1)
        return {
            day: agents[agent_id]
            for day, agents in sorted(self._days.items())
            if day >= first and agent_id in agents
        }

    def _stored(self) -> dict[str, Any]:
        first = dt_util.now().date() - timedelta(days=_MOST_DAYS - 1)
        self._days = {day: agents for day, agents in self._days.items() if day >= first}
        return {
            day.isoformat(): {agent: asdict(each) for agent, each in agents.items()}
            for day, agents in self._days.items()
        }


_COUNTERS: Final[HassKey[UsageCounters]] = HassKey("sage_model_usage")


@callback
def usage_of(hass: HomeAssistant) -> UsageCounters:
    """Return the shared counters of this Home Assistant instance."""
    return hass.data.setdefault(_COUNTERS, UsageCounters(hass))


class CountedModel:
    """Wraps a language model; counts the tokens and the duration of each call for an agent."""

    def __init__(self, counters: UsageCounters, agent_id: str, model: LanguageModel) -> None:
        self.name = model.name
        self._counters = counters
        self._agent_id = agent_id
        self._model = model

    async def async_complete(
        self, request: ModelRequest, *, on_delta: DeltaSink | None = None
    ) -> ModelReply:
        """Send a request to the wrapped model and count it; return the model's complete reply.

        `on_delta` receives the pieces of the reply as they arrive. Raises ModelError if all
        attempts fail.
        """
        started = monotonic()
        usage, is_failure = Usage(), False
        try:
            reply = await self._model.async_complete(request, on_delta=on_delta)
            usage = reply.usage
        except Exception:
            is_failure = True
            raise
        finally:
            # SAGE cancels background calls when a command arrives; these are not failures.
            seconds = monotonic() - started
            self._counters.note(self._agent_id, usage, seconds, is_failure=is_failure)
        return reply


def _read(stored: object) -> DayUsage | None:
    if not isinstance(stored, Mapping):
        return None
    numbers = {
        each.name: stored[each.name]
        for each in fields(DayUsage)
        if isinstance(stored.get(each.name), int | float)
    }
    return replace(DayUsage(), **numbers)
