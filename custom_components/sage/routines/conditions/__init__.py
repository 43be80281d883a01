"""The functions that condition code may call, and the replay of the last day."""

from .condition_functions import ConditionFunctions
from .last_day import async_would_have_fired
from .outside import get_weather_at
from .stored_commands import async_commands, async_stored
