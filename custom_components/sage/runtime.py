"""What a loaded config entry of SAGE holds."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from homeassistant.config_entries import ConfigEntry

from .absent_owners import AbsentOwners
from .agent.language_model import LanguageModel
from .agent.run import AgentSettings
from .home.home import Home
from .home.undo import UndoHistory
from .memory.long_term_memory import LongTermMemory
from .people.pin import PinGuard
from .people.pin_redaction import PinRedaction
from .routines.routines import Routines
from .runs import Runs

type SageConfigEntry = ConfigEntry[SageRuntime]


@dataclass(frozen=True, slots=True, kw_only=True)
class SageAgent:
    """One agent of the household: a config subentry."""

    settings: AgentSettings
    tool_apis: tuple[str, ...]
    """Ids of other integrations' LLM APIs that it may use."""

    warmed_model: LanguageModel | None = None
    """Its model with more patience, where the prefixes are evaluated ahead."""


class PrefixState(StrEnum):
    """Whether the server of a model has evaluated the beginnings of the prompts."""

    WAITING = "waiting"
    EVALUATING = "evaluating"
    READY = "ready"
    AWAY = "away"
    """The model is away, or the home could not be read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Prefixes:
    """How far the evaluation of the prefixes of an agent is."""

    state: PrefixState = PrefixState.WAITING
    done: float = 0.0
    """Share of the text that the server has evaluated, 0 to 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SageRuntime:
    """The house that the agents share."""

    home: Home
    memory: LongTermMemory
    routines: Routines
    absent_owners: AbsentOwners
    runs: Runs
    undo: UndoHistory
    pin_guard: PinGuard
    pin_hash: str | None
    pin_redaction: PinRedaction
    satellites: Mapping[str, str]
    """Registry id of a voice satellite -> id of the user whose it is."""

    fall_back: bool
    """The built-in agent may serve a sentence when the model is away."""

    agents: Mapping[str, SageAgent]
    """By subentry id."""

    prefixes: dict[str, Prefixes] = field(default_factory=dict)
    """By subentry id; only agents whose prefixes are evaluated ahead."""
