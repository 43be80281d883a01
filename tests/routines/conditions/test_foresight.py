"""Static analysis of condition code: the calls in all branches."""

from custom_components.sage.routines.sandbox.contract import FunctionCall, constant_calls
from tests.routines.conditions.calling import Asking


def test_branches_that_do_not_run_are_found(asking: Asking):
    calls = constant_calls(
        "def check():\n"
        "    if not is_dark():\n"
        "        return False\n"
        "    if get_state(device='front_door') == 'off':\n"
        "        return get_attribute('lamp', 'brightness') > 3\n"
        "    return get_state(n) or other.get_state('x') or get_state(*g) or get_state(**g)\n",
        {each.name: each for each in asking.functions.functions},
    )

    assert calls == {
        FunctionCall("is_dark"): 2,
        FunctionCall("get_state", ("front_door",)): 4,
        FunctionCall("get_attribute", ("lamp", "brightness", "")): 5,
    }
