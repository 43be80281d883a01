"""Functions of condition code, the replay of the last day, and the stored commands of routines."""

from .condition_functions import ConditionFunctions
from .last_day import async_would_have_fired
from .stored_commands import async_commands, async_stored
