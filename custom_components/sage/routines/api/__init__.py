"""What people and the page see of routines: switches, events, issues, actions, their view."""

from .public_routines import (
    PublicEventType,
    async_publish_routines,
    firing_context_id,
)
from .routine_json import routine_figures
from .routine_page import ROUTINE_COMMANDS, async_answer_routine
from .routine_services import ROUTINE_SERVICES
from .switches import async_set_up_switches
