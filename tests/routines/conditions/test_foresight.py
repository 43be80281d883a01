"""Static analysis of condition code: the calls in all branches."""

from custom_components.sage.routines.sandbox.sandbox_types import FunctionCall
from tests.routines.conditions.calling import Asking


def test_branches_that_do_not_run_are_found(asking: Asking):
    calls = asking.functions.foresee(
        "LAMP = 'lamp'\n"
        "def check():\n"
        "    if not is_dark():\n"
        "        return False\n"
        "    if get_state(device='front_door') == 'off':\n"
        "        return get_attribute(LAMP, 'brightness') > 3\n"
        "    return any(held_minutes(d) > 3 for d in ['warmth', 'nothing'])\n",
    )

    assert calls == {
        FunctionCall("is_dark"): 3,
        FunctionCall("get_state", ("front_door",)): 5,
        FunctionCall("get_attribute", ("lamp", "brightness", "")): 6,
        FunctionCall("held_minutes", ("warmth",)): 7,
        FunctionCall("held_minutes", ("nothing",)): 7,
    }


def test_names_that_may_be_something_else_are_not_followed(asking: Asking):
    source = (
        "def check(b='lamp'):\n"
        "    a = 'lamp'\n"
        "    a = other()\n"
        "    c, d = 'x', 'y'\n"
        "    for e in things:\n"
        "        pass\n"
        "    f = ['x', 'y']\n"
        "    g = 'one'\n"
        "    g = 'two'\n"
        "    return [get_state(n) for n in (a, b, c, d, e, f, g, 'x')]\n"
        "    return get_state(a), get_state(b), get_state(c), get_state(e), get_state(f)\n"
        "    return get_state(g), other.get_state('x'), get_state(*g), get_state(**g)\n"
    )

    questions = asking.functions.foresee(source)

    assert questions == {
        FunctionCall("get_state", ("one",)): 12,
        FunctionCall("get_state", ("two",)): 12,
    }
