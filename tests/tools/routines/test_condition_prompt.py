"""The prompt for condition code, and the parsing of the code."""

from dataclasses import replace
from inspect import signature

import pytest

from custom_components.sage.home.home_types import (
    ENTITIES,
    Attribute,
    CommandDescription,
    Documentation,
)
from custom_components.sage.home.smartthings.raw import SMARTTHINGS
from custom_components.sage.routines.sandbox.contract import ConditionFunction, condition_task_info
from custom_components.sage.tools.routines.condition_code_writing import (
    entry_of,
    readable,
    reading_calls,
    without_fence,
)
from tests.home.listings import plain_device, plain_listing


def document(device: str, component: str, *attributes: str, raw: bool = False) -> Documentation:
    return Documentation(
        device_id=device,
        device_name=device,
        component_id=component,
        capability="c",
        attributes=tuple(Attribute(name=each, type="string") for each in attributes),
        commands=(CommandDescription(name="press", description="Presses it"),),
        source=SMARTTHINGS if raw else ENTITIES,
    )


LISTING = plain_listing(
    plain_device("door", "Door", "binary_sensor.door"),
    plain_device("fridge", "Fridge", "a.a", "b.b"),
    plain_device("washer", "Washer", "button.stop", "sensor.job"),
)


@pytest.mark.parametrize(
    ("documents", "calls"),
    [
        ([document("door", "binary_sensor.door", "state")], "get_state('door')"),
        (
            [document("fridge", "a.a", "state", "x", "y", "z")],
            "get_state('a.a'), get_attribute('a.a', 'x'), get_attribute('a.a', 'y')",
        ),
        ([document("fridge", "main", "door", raw=True)], "get_attribute('fridge', 'c.door')"),
        (
            [document("fridge", "freezer", "door", raw=True)],
            "get_attribute('fridge', 'c.door', 'freezer')",
        ),
        (
            [document("door", "binary_sensor.door", "state")] * 17,
            ", ".join(["get_state('door')"] * 16) + " and so on",
        ),
        (
            [
                *[document("washer", "button.stop", "state")] * 16,
                document("washer", "sensor.job", "state"),
            ],
            ", ".join(["get_state('sensor.job')"] + ["get_state('button.stop')"] * 15)
            + " and so on",
        ),
    ],
)
def test_calls(documents, calls) -> None:
    assert reading_calls(documents, LISTING) == calls


def test_values_that_mean_something_are_told_as_code() -> None:
    opened = Attribute(
        name="state", type="string", values=("off", "on"), meanings={"off": "Closed", "on": "Open"}
    )
    door = replace(document("door", "binary_sensor.door"), attributes=(opened,))
    assert reading_calls([door], LISTING) == "get_state('door'): 'off' (Closed), 'on' (Open)"


def test_commands_are_left_out() -> None:
    (read,) = readable([document("door", "binary_sensor.door", "state")])
    assert read.commands == ()
    assert read.attributes


def test_functions_are_told() -> None:
    def get(device: str, hours: float = 1.5) -> None: ...

    parameters = tuple(signature(get).parameters.values())
    function = ConditionFunction(
        name="get", parameters=parameters, returns="str", description="Gets it."
    )
    told = condition_task_info("{functions}\n{missing}", [function, ConditionFunction(name="now")])
    assert told.startswith(
        "- get(device: str, hours: float = 1.5) -> str: Gets it.\n- now() -> object\n"
    )
    assert "{" not in told.splitlines()[2]


def test_code_without_marks() -> None:
    assert without_fence("```python\ndef f():\n    pass\n```") == "def f():\n    pass\n"
    assert without_fence("Here:\n```\ndef f(): pass") == "def f(): pass\n"
    assert without_fence("\ndef f(): pass") == "def f(): pass\n"


def test_entry() -> None:
    source = "def helper():\n    pass\n\ndef check():\n    pass\n"
    assert entry_of(source, "helper") == "helper"
    assert entry_of(source, "check()") == "check"
    assert entry_of(source, "is_on") == "check"
    assert entry_of("nothing", "is_on") == "is_on"
