"""The Home Assistant actions for routines, such as `sage.pause_routine`, and their permissions.

- A person can read and change their own routines.
- Administrators can also read the routines of the household, and pause, resume and delete all
  routines.
- An automation, or another call without a user, can read and change the routines of the household.

Errors must contain no data of a routine, because Home Assistant logs them.
"""

from .public_routines import (
    PublicEventType,
    async_forget_strange_switches,
    async_forget_switch,
    async_publish_routines,
    async_switch_of,
    device_info,
    firing_context_id,
)
from .routine_json import routine_figures
from .routine_page import ROUTINE_COMMANDS, async_answer_routine
from .routine_services import ROUTINE_SERVICES
