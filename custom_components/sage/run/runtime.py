"""The runtime data of the loaded config entry."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from homeassistant.config_entries import ConfigEntry
from homeassistant.helpers.device_registry import DeviceEntryType, DeviceInfo

from ..agent import AgentSettings
from ..const import DOMAIN
from ..external import External
from ..home import Home
from ..memory import LongTermMemory
from ..model import LanguageModel
from ..people import Pin
from ..photos import PhotoAlbum
from ..routines import Routines
from .run_registry import RunRegistry
from .speakers import Speakers

type SageConfigEntry = ConfigEntry[SageRuntime]


@dataclass(frozen=True, slots=True, kw_only=True)
class SageAgent:
    """One SAGE agent, defined by a config subentry."""

    settings: AgentSettings
    tool_apis: tuple[str, ...]  # ids of other integrations' LLM APIs that the agent may use
    answers_plainly: bool = False
    """Whether plain commands and questions are executed without the model (`plain_requests`)."""
    second_model: LanguageModel | None = None
    """The model that replies while that of the settings does not; None without one."""

    seeing_model: LanguageModel | None = None
    """The model of the settings, without the second one; None if it accepts no pictures."""

    warmed_model: LanguageModel | None = None
    """Client with longer timeouts to fill the server's prompt cache; None if not filled."""

    @property
    def device_info(self) -> DeviceInfo:
        """The device info of the agent, for its entities."""
        return DeviceInfo(
            identifiers={(DOMAIN, self.settings.agent_id)},
            name=self.settings.name,
            manufacturer="SAGE",
            model=self.settings.model.name,
            entry_type=DeviceEntryType.SERVICE,
        )


class PrefixState(StrEnum):
    """Whether the model server has cached the constant beginnings of an agent's prompts."""

    WAITING = "waiting"
    EVALUATING = "evaluating"
    READY = "ready"
    AWAY = "away"  # the last attempt failed, usually because the model is unavailable


@dataclass(frozen=True, slots=True, kw_only=True)
class Prefixes:
    """Progress of filling the model server's prompt cache for one agent."""

    state: PrefixState = PrefixState.WAITING
    done: float = 0.0
    """Share of the constant prompt beginnings that are in the server's cache, 0 to 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SageRuntime:
    """The runtime data of the config entry: the objects that all agents share."""

    home: Home
    photos: PhotoAlbum
    memory: LongTermMemory
    routines: Routines
    external: External
    runs: RunRegistry
    pin: Pin
    satellites: Mapping[str, str]
    """Entity registry id of a voice satellite -> user id of the person assigned to it."""

    speakers: Speakers
    fall_back: bool  # whether Home Assistant's built-in agent helps while the model is unavailable
    agents: Mapping[str, SageAgent]  # subentry id -> agent
    prefixes: dict[str, Prefixes] = field(default_factory=dict)
    """Subentry id -> progress of filling the prompt cache; only agents with a `warmed_model`."""

    @property
    def first_agent(self) -> SageAgent | None:
        """The agent whose model writes profiles, captions and summaries, or None."""
        return next(iter(self.agents.values()), None)
