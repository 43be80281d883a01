"""The tools of the SAGE paper (Table I): one file for each tool or group of related tools."""

from .confirmation import AskedConfirmation, RunAuthority
from .execute_command import CHANGE, TELL, wish_of
from .foreign import async_foreign_tools
from .routines.condition_code_writing import async_rewritten
from .routines.routine_words import RoutineWords, written_time
from .routines.run_routines import RunRoutines
from .run_memory import RunMemory
from .sage import async_prefixes, async_run_sage
from .sage_tool import Situation
