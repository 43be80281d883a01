"""The runtime data of a loaded config entry."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from homeassistant.config_entries import ConfigEntry
from homeassistant.helpers.device_registry import DeviceEntryType, DeviceInfo

from ..agent.run import AgentSettings
from ..background.absent_owners import AbsentOwners
from ..const import DOMAIN
from ..external import External
from ..home.home import Home
from ..memory.long_term_memory import LongTermMemory
from ..model.language_model import LanguageModel
from ..people.pin import PinGuard, PinRedaction
from ..photos.photo_album import PhotoAlbum
from ..routines.routines import Routines
from .run_registry import RunRegistry

type SageConfigEntry = ConfigEntry[SageRuntime]


@dataclass(frozen=True, slots=True, kw_only=True)
class SageAgent:
    """One agent of the household: a config subentry."""

    settings: AgentSettings
    tool_apis: tuple[str, ...]
    """Ids of other integrations' LLM APIs that the agent may use."""

    warmed_model: LanguageModel | None = None
    """The agent's model with longer timeouts, to evaluate prompt prefixes in advance.

    None if they are not evaluated in advance.
    """

    @property
    def device_info(self) -> DeviceInfo:
        """The device that the entities of the agent belong to."""
        return DeviceInfo(
            identifiers={(DOMAIN, self.settings.agent_id)},
            name=self.settings.name,
            manufacturer="SAGE",
            model=self.settings.model.name,
            entry_type=DeviceEntryType.SERVICE,
        )


class PrefixState(StrEnum):
    """Whether the model server has evaluated the prompt prefixes of an agent in advance."""

    WAITING = "waiting"
    EVALUATING = "evaluating"
    READY = "ready"
    AWAY = "away"
    """The model is unavailable, or the home could not be read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Prefixes:
    """Progress of evaluating the prompt prefixes of an agent in advance."""

    state: PrefixState = PrefixState.WAITING
    done: float = 0.0
    """Share of the text that the server has evaluated, 0 to 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SageRuntime:
    """The parts of SAGE that all agents share."""

    home: Home
    photos: PhotoAlbum
    memory: LongTermMemory
    routines: Routines
    external: External
    absent_owners: AbsentOwners
    runs: RunRegistry
    pin_guard: PinGuard
    pin_hash: str | None
    pin_redaction: PinRedaction
    satellites: Mapping[str, str]
    """Registry id of a voice satellite -> user id of its person."""

    fall_back: bool
    """Whether the built-in agent may recognise sentences while the model is unavailable."""

    agents: Mapping[str, SageAgent]
    """Subentry id -> agent."""

    prefixes: dict[str, Prefixes] = field(default_factory=dict)
    """Subentry id -> progress; only agents whose prompt prefixes are evaluated in advance."""
