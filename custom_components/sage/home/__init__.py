"""All devices of the home: listing, documentation, current values, commands."""

from .claims.answer_words import AnswerWords
from .claims.comparison import Comparison
from .claims.number_words import is_number
from .code_values import CodeValues
from .commands.confirmation_text import confirmation_question, say_commands
from .commands.evidence import Evidence, RunEvent, RunEventKind
from .commands.outcome_text import describe_for_model, say_outcomes
from .commands.pipeline import ValidatedCommand
from .commands.spoken_values import cleaned, say_readings, state_name
from .commands.undo_history import NoUndoError, outcomes_of, undo_record
from .disambiguation import Looks
from .entities.reading import ForecastKind
from .home import Home, HomeView
from .home_types import (
    Command,
    Device,
    Documentation,
    HomeError,
    NoCommandError,
    Outcome,
    OutcomeKind,
    Reading,
    RiskClass,
)
from .listing import Listing
from .past import PER, Measure
from .prompt_text import quiet
from .recorded import Recorded
from .rendering import render_documentation, render_readings
from .safety.authority import Confirmation, RiskyAction
from .safety.risk_levels import Level
from .values import STATE, is_known, leaves, without_codes
