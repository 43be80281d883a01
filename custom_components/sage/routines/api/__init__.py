"""What people and the page see of routines: switches, events, issues, actions, their view."""

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
