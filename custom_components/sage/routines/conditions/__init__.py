"""The functions that condition code may call, and the stored commands of routines."""

from .condition_functions import ConditionFunctions
from .stored_commands import async_commands, async_stored
