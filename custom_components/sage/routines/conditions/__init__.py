"""The functions that condition code may call, and the reports of changes of what they read.

Condition code is the Python code of a routine's condition. A watched value has a key: an entity id,
or a key of an extension (`MoreAttribute.key`).
"""

from .condition_functions import ConditionFunctions
from .last_day import async_would_have_fired
from .outside import get_weather_at
from .references import async_commands, async_stored
