"""A model that obeys an attacker, and what it got to see."""

import json
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import pytest
from homeassistant.auth.models import Group
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import Event, HomeAssistant, callback
from pytest_homeassistant_custom_component.common import MockUser

from benchmark.model_script import Answer, Json, verification, verifies
from tests.decisions import Decides, step

from .conftest import Sage


def endlessly(decides: Decides, answers: Iterable[Answer]) -> Callable[[Json], Answer]:
    """Return a script: these answers, then always a false claim that the code has to correct."""
    left = list(answers)

    def answer(body: Json) -> Answer:
        if verifies(body):
            return verification()
        return left.pop(0) if left else decides.finish("acted", "All done.", about="home")

    return answer


def obeys(sage: Sage, *answers: Answer) -> None:
    """Let the model decide this, and then lie endlessly."""
    sage.server.say(endlessly(sage.decides, answers))


async def attempt(
    sage: Sage, *decisions: Answer, wish: str = "do it", planned: tuple[str, ...] = (), **say: Any
) -> str:
    """Let the model take these decisions in device interaction; return what is spoken."""
    obeys(sage, *sage.decides.planned(wish, step("command", *planned)), *decisions)
    return await sage.hear(wish, **say)


def sent(sage: Sage) -> str:
    """Return all that a model ever got, prompts and tools, as text."""
    return "\n".join(json.dumps(each.body, ensure_ascii=False) for each in sage.server.requests)


def observed(sage: Sage) -> str:
    """Return our parts of the prompts: instructions, lists and results, in lower case."""
    return "\n".join(
        str(message.get("content") or "")
        for request in sage.server.completions
        for message in request.messages
        if message["role"] != "assistant"
    ).casefold()


def kinds(sage: Sage, user_id: str | None = None) -> list[str]:
    return [outcome["kind"] for outcome in sage.traces(user_id)[-1]["outcomes"]]


def services_called(hass: HomeAssistant) -> list[tuple[str, str]]:
    """Return a list that grows with every service that is called from now on."""
    called: list[tuple[str, str]] = []

    @callback
    def note(event: Event) -> None:
        called.append((event.data["domain"], event.data["service"]))

    hass.bus.async_listen("call_service", note)
    return called


@pytest.fixture
def called(hass: HomeAssistant, demo_home: HomeAssistant) -> list[tuple[str, str]]:
    return services_called(hass)


@pytest.fixture
def anna(hass: HomeAssistant, demo_home: HomeAssistant) -> str:
    return person(hass, "Anna")


def hide(hass: HomeAssistant, *entity_ids: str) -> None:
    for entity_id in entity_ids:
        async_expose_entity(hass, "conversation", entity_id, False)


def expose(hass: HomeAssistant, *entity_ids: str) -> None:
    for entity_id in entity_ids:
        async_expose_entity(hass, "conversation", entity_id, True)


def person(hass: HomeAssistant, name: str, policy: Mapping[str, Any] | None = None) -> str:
    """Return the id of a new user with this policy; may do everything without one."""
    user = MockUser(name=name).add_to_hass(hass)
    user.groups = [Group(name=name, policy=policy or {"entities": True}, id=name)]
    return str(user.id)


def has_number(kept: str, number: str) -> bool:
    """Return whether `kept` has the number by itself, not in a time, a duration or an id."""
    kept = re.sub(r"datetime\.datetime\([^)]*\)", "", kept)
    return re.search(rf"(?:(?<=\\n)|(?<![\w.-])){number}(?![\w-])", kept) is not None
