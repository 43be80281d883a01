"""What the cloud says of commands that make no sense."""

from typing import Any

import aiohttp
import pytest

from benchmark.simulator.cloud import SimulatedCloud

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


@pytest.mark.parametrize(
    ("part", "name"),
    [
        ("component", "freezer"),
        ("capability", "thermostat"),
        ("capability", "colorControl"),
        ("command", "dim"),
    ],
)
async def test_a_name_that_the_device_has_not(
    session: aiohttp.ClientSession, part: str, name: str
) -> None:
    assert await _detail(session, **{part: name}, arguments=[1]) == (
        "NotValidValue",
        f"commands[0].{part}",
        f"{name} is not a valid value.",
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
    session: aiohttp.ClientSession, small_cloud: SimulatedCloud, arguments: list[Any], message: str
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


@pytest.mark.parametrize("count", [0, 11])
async def test_one_to_ten_commands(session: aiohttp.ClientSession, count: int) -> None:
    status, body = await _post(session, *[{**SET_LEVEL, "arguments": [1]}] * count)
    assert status == 422
    assert body["error"]["details"][0]["code"] == "SizeError"


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
