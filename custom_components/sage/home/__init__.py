"""All devices of the home: listing, documentation, current values, commands."""

from .claims.claimed_facts import Terms
from .claims.comparison import Comparison
from .code_attributes import attribute_name
from .code_values import CodeEvent, CodeValues
from .commands.confirmation_text import confirmation_question, say_commands, say_names
from .commands.evidence import Evidence, ExternalAction, ExternalActionKind, RunEvent, RunEventKind
from .commands.outcome_text import describe_for_model, say_outcomes
from .commands.pipeline import ValidatedCommand
from .commands.spoken_values import cleaned, say_readings, say_seen
from .commands.undo_history import outcomes_of, undo_record
from .directory import render_index, render_matches
from .disambiguation import Description, Looks, render_ranking
from .entities.reading import ForecastKind, async_home_weather
from .home import Home, HomeView
from .home_types import (
    Command,
    Device,
    Documentation,
    HomeError,
    Outcome,
    OutcomeKind,
    Reading,
    RiskClass,
)
from .labels import flat_name, quiet, room_of
from .listing import Found, Listing
from .matching import said_groups
from .recorded import Recorded
from .rendering import render_documentation, render_readings, states_by_kind
from .resolver import find_all, names_in
from .safety.authority import Confirmation, RiskyAction
from .safety.consequences import effects_of
from .safety.gate import Gate
from .safety.risk_classification import RiskClassification
from .safety.risk_levels import Level
from .values import STATE, is_known, without_codes
