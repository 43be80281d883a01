"""What a model decides to set something up for later, and what was set up then."""

from typing import Any

from homeassistant.auth.models import User

from benchmark.model_script import Completion
from custom_components.sage.routines.routine_types import Routine
from tests.decisions import NATIVE, Decides, plan, step
from tests.end_to_end.conftest import Sage

REQUEST = "turn on the kitchen light when the garage door opens"
SET_UP = (
    "All right. Whenever the garage door opens: I'll turn on Kitchen Light. "
    "I am watching Garage Door."
)
DOOR = """def is_garage_open():
    return get_state("garage_door") == "open"
"""


def writes(
    decides: Decides = NATIVE,
    code: str = DOOR,
    function: str = "is_garage_open",
    condition: str = "the garage door opens",
) -> list[Completion]:
    """Return the decisions of the model until the trial of the code."""
    return [
        decides.call("condition_code_writing", condition=condition),
        plan(step("read", "garage_door")),
        decides.call("code_execution", function=function, code=code),
    ]


def commands(command: str, *devices: str, **more: Any) -> list[dict[str, Any]]:
    return [{"devices": [*(devices or ("kitchen_light",))], "command": command, **more}]


def polls(decides: Decides = NATIVE, **more: Any) -> Completion:
    """Return what the model decides to have the condition watched."""
    given = {
        "function": "is_garage_open",
        "kind": "do",
        "action": "turn on the kitchen light",
        "commands": commands("turn_on"),
        "repeat": "always",
        "final": True,
    }
    return decides.call("condition_polling", **(given | more))


def at_a_time(**given: Any) -> Completion:
    arguments = {
        "kind": "do",
        "action": "turn off the kitchen light",
        "commands": commands("turn_off"),
        "final": True,
    }
    return NATIVE.call("condition_polling", **(arguments | given))


def routines_of(sage: Sage, user: User | None) -> list[Routine]:
    """Return the routines of somebody, of the household for None."""
    watched = sage.entry.runtime_data.routines.list(user.id if user else None)
    return [each.routine for each in watched]
