"""What the cloud says of commands that make no sense."""

from typing import Any

import aiohttp
import pytest

from benchmark.simulator.cloud import SimulatedCloud
from benchmark.simulator.schema import faults

from .small_home import LAMP

SET_LEVEL = {"component": "main", "capability": "switchLevel", "command": "setLevel"}


async def _post(session: aiohttp.ClientSession, *commands: Any) -> tuple[int, Any]:
    body = {"commands": list(commands)}
    async with session.post(f"/v1/devices/{LAMP}/commands", json=body) as response:
        return response.status, await response.json()


async def _detail(session: aiohttp.ClientSession, **command: Any) -> tuple[str, str, str]:
    """Return code, target and message of the only thing that is wrong with a command."""
    status, body = await _post(session, {**SET_LEVEL, **command})
    assert status == 422
    assert body["requestId"]
    assert body["error"]["code"] == "ConstraintViolationError"
    assert body["error"]["message"] == "The request is malformed."
    [detail] = body["error"]["details"]
    assert detail["details"] == []
    return detail["code"], detail["target"], detail["message"]


async def test_a_valid_command_is_accepted_and_done(
    session: aiohttp.ClientSession, small_cloud: SimulatedCloud
) -> None:
    status, body = await _post(session, {**SET_LEVEL, "arguments": [70]})
    assert status == 200
    assert [result["status"] for result in body["results"]] == ["ACCEPTED"]
    assert small_cloud.device("Lamp").value("main", "switchLevel", "level") == 70


async def test_without_a_component_the_main_one_is_meant(
    session: aiohttp.ClientSession, small_cloud: SimulatedCloud
) -> None:
    status, _ = await _post(session, {"capability": "switch", "command": "on"})
    assert status == 200
    assert small_cloud.device("Lamp").value("main", "switch", "switch") == "on"


async def test_a_component_that_there_is_not(session: aiohttp.ClientSession) -> None:
    assert await _detail(session, component="freezer", arguments=[1]) == (
        "NotValidValue",
        "commands[0].component",
        "freezer is not a valid value.",
    )


@pytest.mark.parametrize("capability", ["thermostat", "colorControl"])
async def test_a_capability_that_the_device_has_not(
    session: aiohttp.ClientSession, capability: str
) -> None:
    assert await _detail(session, capability=capability, arguments=[1]) == (
        "NotValidValue",
        "commands[0].capability",
        f"{capability} is not a valid value.",
    )


async def test_a_command_that_the_capability_has_not(session: aiohttp.ClientSession) -> None:
    assert await _detail(session, command="dim", arguments=[1]) == (
        "NotValidValue",
        "commands[0].command",
        "dim is not a valid value.",
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([101], "commands[0].arguments[0]: must have a maximum value of 100"),
        ([-1], "commands[0].arguments[0]: must have a minimum value of 0"),
        (["50"], "commands[0].arguments[0]: string found, integer expected"),
        ([True], "commands[0].arguments[0]: boolean found, integer expected"),
        ([50, "fast"], "commands[0].arguments[1]: string found, integer expected"),
    ],
)
async def test_an_argument_that_does_not_fit(
    session: aiohttp.ClientSession,
    small_cloud: SimulatedCloud,
    arguments: list[Any],
    message: str,
) -> None:
    place = message.split(":", maxsplit=1)[0]
    expected = ("UnprocessableEntityError", place, message)
    assert await _detail(session, arguments=arguments) == expected
    assert small_cloud.device("Lamp").value("main", "switchLevel", "level") == 30


@pytest.mark.parametrize(("arguments", "found"), [([], 0), ([1, 2, 3], 3)])
async def test_too_few_and_too_many_arguments(
    session: aiohttp.ClientSession, arguments: list[int], found: int
) -> None:
    assert await _detail(session, arguments=arguments) == (
        "UnprocessableEntityError",
        "commands[0].arguments",
        f"commands[0].arguments: expected 1 to 2 arguments but found {found}",
    )


async def test_arguments_that_are_no_list(session: aiohttp.ClientSession) -> None:
    code, target, _ = await _detail(session, arguments={"level": 5})
    assert (code, target) == ("BodyMalformedError", "commands.arguments")


async def test_what_must_not_be_missing(session: aiohttp.ClientSession) -> None:
    code, target, _ = await _detail(session, command=None)
    assert (code, target) == ("NotNullError", "commands[0].command")


@pytest.mark.parametrize("count", [0, 11])
async def test_one_to_ten_commands(session: aiohttp.ClientSession, count: int) -> None:
    status, body = await _post(session, *[{**SET_LEVEL, "arguments": [1]}] * count)
    assert status == 422
    assert body["error"]["details"][0]["code"] == "SizeError"


async def test_ten_commands_at_once(
    session: aiohttp.ClientSession, small_cloud: SimulatedCloud
) -> None:
    commands = [{**SET_LEVEL, "arguments": [level]} for level in range(10)]
    status, body = await _post(session, *commands)
    assert status == 200
    assert len(body["results"]) == len(small_cloud.commands) == 10
    assert small_cloud.device("Lamp").value("main", "switchLevel", "level") == 9


async def test_of_several_commands_none_is_done_if_one_is_wrong(
    session: aiohttp.ClientSession, small_cloud: SimulatedCloud
) -> None:
    status, body = await _post(
        session, {**SET_LEVEL, "arguments": [70]}, {**SET_LEVEL, "arguments": [700]}
    )
    assert status == 422
    [detail] = body["error"]["details"]
    assert detail["target"] == "commands[1].arguments[0]"
    assert small_cloud.device("Lamp").value("main", "switchLevel", "level") == 30


@pytest.mark.parametrize("body", ["[]", '{"commands": 5}', '{"commands": ["on"]}', "{", ""])
async def test_a_body_that_is_something_else(session: aiohttp.ClientSession, body: str) -> None:
    async with session.post(f"/v1/devices/{LAMP}/commands", data=body) as response:
        assert response.status == 422
        [detail] = (await response.json())["error"]["details"]
    assert detail["code"] == "BodyMalformedError"


@pytest.mark.parametrize(
    ("value", "schema", "wrong"),
    [
        ("eco", {"enum": ["eco", "auto"]}, []),
        (
            "fast",
            {"type": "string", "enum": ["eco", "auto"]},
            [("x", "does not have a value in the enumeration [eco, auto]")],
        ),
        ("", {"type": "string", "minLength": 1}, [("x", "must be at least 1 characters long")]),
        ("abc", {"maxLength": 2}, [("x", "may only be 2 characters long")]),
        ("abc", {"pattern": "^[0-9]+$"}, [("x", "does not match the regex pattern ^[0-9]+$")]),
        (2.0, {"type": "integer"}, []),
        (2.5, {"type": "integer"}, [("x", "number found, integer expected")]),
        (2.5, {"type": ["integer", "string"]}, [("x", "number found, [integer, string] expected")]),
        (None, {"type": "string"}, [("x", "null found, string expected")]),
        ({"a": 1}, {"required": ["b"]}, [("x.b", "is missing but it is required")]),
        (
            {"a": "1"},
            {"properties": {"a": {"type": "number"}}},
            [("x.a", "string found, number expected")],
        ),
        (
            {"c": 1},
            {"properties": {}, "additionalProperties": False},
            [("x.c", "is not defined in the schema and the schema does not allow it")],
        ),
        ([1, "2"], {"items": {"type": "integer"}}, [("x[1]", "string found, integer expected")]),
        ([], {"minItems": 1}, [("x", "there must be a minimum of 1 items in the array")]),
        ([1, 2], {"maxItems": 1}, [("x", "there must be a maximum of 1 items in the array")]),
    ],
)
def test_json_schema(value: Any, schema: dict[str, Any], wrong: list[tuple[str, str]]) -> None:
    assert list(faults(value, schema, "x")) == wrong
