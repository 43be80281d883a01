"""Whether the cloud takes a request for commands, and what it says if it does not."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .errors import Detail
from .schema import faults

MOST_COMMANDS = 10

type Json = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """A command that the cloud has taken."""

    component: str
    capability: str
    command: str
    arguments: list[Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Validated:
    """What came of looking at a request."""

    commands: tuple[Command, ...] = ()
    details: tuple[Detail, ...] = ()
    """What is wrong with it; empty when the commands may be carried out."""


def validate(body: object, description: Json, definitions: Mapping[str, Json]) -> Validated:
    """Look at the body of a request to a device.

    `description` is the device as the list of devices has it, `definitions` are the
    capabilities as `GET /v1/capabilities/{id}/{version}` has them.
    """
    given = body.get("commands") if isinstance(body, Mapping) else None
    if not isinstance(given, list):
        return Validated(details=(_body_malformed("commands"),))
    if not 1 <= len(given) <= MOST_COMMANDS:
        text = f"commands: size must be between 1 and {MOST_COMMANDS}"
        return Validated(details=(Detail(code="SizeError", target="commands", message=text),))
    commands, details = [], []
    for index, each in enumerate(given):
        wrong = list(_faults(each, f"commands[{index}]", description, definitions))
        details += wrong
        if not wrong:
            commands.append(_command(each))
    return Validated(commands=tuple(commands), details=tuple(details))


def _command(given: Json) -> Command:
    return Command(
        component=given.get("component", "main"),
        capability=given["capability"],
        command=given["command"],
        arguments=list(given.get("arguments") or []),
    )


def _body_malformed(target: str) -> Detail:
    text = f"The request body is malformed: {target}"
    return Detail(code="BodyMalformedError", target=target, message=text)


def _not_valid(target: str, value: object) -> Detail:
    return Detail(code="NotValidValue", target=target, message=f"{value} is not a valid value.")


def _faults(
    given: object, path: str, description: Json, definitions: Mapping[str, Json]
) -> Iterator[Detail]:
    if not isinstance(given, Mapping):
        yield _body_malformed("commands")
        return
    missing = [name for name in ("capability", "command") if given.get(name) is None]
    for name in missing:
        yield Detail(
            code="NotNullError", target=f"{path}.{name}", message=f"{path}.{name} may not be null"
        )
    if missing:
        return
    if not isinstance(given.get("arguments") or [], list):
        yield _body_malformed("commands.arguments")
        return
    component = given.get("component", "main")
    capabilities = _capabilities(description, component)
    if capabilities is None:
        yield _not_valid(f"{path}.component", component)
        return
    capability, command = given["capability"], given["command"]
    definition = definitions.get(capability) if capability in capabilities else None
    if definition is None:
        yield _not_valid(f"{path}.capability", capability)
        return
    if command not in definition.get("commands", {}):
        yield _not_valid(f"{path}.command", command)
        return
    wanted = definition["commands"][command].get("arguments", [])
    yield from _argument_faults(given.get("arguments") or [], wanted, path)


def _capabilities(description: Json, component: object) -> set[str] | None:
    """Return what a component of the device offers, None if there is no such component."""
    for each in description["components"]:
        if each["id"] == component:
            return {capability["id"] for capability in each["capabilities"]}
    return None


def _argument_faults(
    given: Sequence[object], wanted: Sequence[Json], path: str
) -> Iterator[Detail]:
    least = sum(1 for argument in wanted if not argument.get("optional"))
    if not least <= len(given) <= len(wanted):
        count = str(least) if least == len(wanted) else f"{least} to {len(wanted)}"
        yield _unprocessable(
            f"{path}.arguments", f"expected {count} arguments but found {len(given)}"
        )
        return
    for index, (value, argument) in enumerate(zip(given, wanted, strict=False)):
        place = f"{path}.arguments[{index}]"
        for target, text in faults(value, argument.get("schema", {}), place):
            yield _unprocessable(target, text)


def _unprocessable(target: str, text: str) -> Detail:
    return Detail(code="UnprocessableEntityError", target=target, message=f"{target}: {text}")
