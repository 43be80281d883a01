"""The demo's side of the conversation, with a real Home Assistant and its built-in agent."""

from typing import Any

import pytest
from homeassistant.core import HomeAssistant

from benchmark.fake_model_server import FakeModelServer
from scripts.demonstration.client import Client
from scripts.demonstration.configure import SetUpError, preferred_pipeline, set_up_sage
from scripts.demonstration.model_choice import ModelServer
from scripts.demonstration.options import Saying
from scripts.demonstration.say import Speaker
from tests.demo_home import demo_home  # noqa: F401
from tests.fake_model import model_server  # noqa: F401

BUILT_IN = "conversation.home_assistant"


@pytest.fixture
def furnished(demo_home: HomeAssistant) -> None:  # noqa: F811
    """It is the demo home."""


@pytest.fixture
async def speaker(owner: Client) -> Speaker:
    return Speaker(owner, owner, await preferred_pipeline(owner, BUILT_IN, "en"))


async def test_a_command_comes_back_with_its_answer_and_what_changed(speaker: Speaker) -> None:
    said = await speaker.say(Saying(text="turn on the kitchen light"))
    assert said.answer
    assert ("light.kitchen_light", "off", "on") in {
        (change.entity_id, change.before, change.after) for change in said.changes
    }
    assert {change.entity_id for change in said.changes} == {"light.kitchen_light"}


async def test_another_agent_than_sage_never_counts_as_verified(speaker: Speaker) -> None:
    said = await speaker.say(Saying(text="turn on the kitchen light"))
    assert said.trace is None
    assert said.complaints == ("there is no trace of SAGE for it",)
    assert said.as_json()["passed"] is False


async def test_commands_of_one_session_are_one_conversation(speaker: Speaker) -> None:
    first = await speaker.say(Saying(text="turn on the kitchen light"))
    second = await speaker.say(Saying(text="which lights are on?"))
    speaker.begin_anew()
    third = await speaker.say(Saying(text="turn off the kitchen light"))
    assert first.conversation_id == second.conversation_id != third.conversation_id
    assert "Floor Lamp" in second.answer


# The server's websocket has a heartbeat a while longer.


class ScriptedForms:
    """The forms of an integration, one after the other."""

    def __init__(self, *steps: dict[str, Any]) -> None:
        self._steps = list(steps)
        self.answers: list[Any] = []

    async def call(self, kind: str, **values: Any) -> Any:
        if kind == "frontend/get_translations":
            return {"resources": {"component.sage.config.error.auth": "The key was refused."}}
        return []

    async def get(self, path: str) -> dict[str, Any]:
        return {"flow_id": "f"} | self._steps.pop(0)

    async def post(self, path: str, data: Any) -> dict[str, Any]:
        self.answers.append(data)
        return await self.get(path)


async def fill_in(*steps: dict[str, Any]) -> list[Any]:
    forms = ScriptedForms(*steps)
    server = ModelServer(base_url="http://box/v1", model="m", api_key=None)
    await set_up_sage(forms, server)  # type: ignore[arg-type]
    return forms.answers[1:]


def form(*fields: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"type": "form", "step_id": "user", "errors": None, "data_schema": list(fields)} | more


async def test_forms_are_filled_in_by_the_names_of_their_fields() -> None:
    answers = await fill_in(
        form({"name": "base_url", "required": True}, {"name": "api_key", "optional": True}),
        form({"name": "model", "required": True}, {"name": "format", "default": "auto"}),
        {"type": "progress", "step_id": "probe"},
        form(step_id="finish"),
        {"type": "create_entry"},
    )
    assert answers == [{"base_url": "http://box/v1"}, {"model": "m", "format": "auto"}, {}]


async def test_a_kept_home_gets_the_model_of_today() -> None:
    answers = await fill_in(
        form({"name": "base_url", "required": True}),
        {"type": "abort", "reason": "reconfigure_successful"},
    )
    assert answers == [{"base_url": "http://box/v1"}]


@pytest.mark.parametrize(
    ("step", "complaint"),
    [
        (form(errors={"base": "auth"}), "The key was refused"),
        (form(errors={"base": "other"}), "other"),
        (form({"name": "colour", "required": True}), "colour"),
        ({"type": "abort", "reason": "single_instance_allowed"}, "single_instance_allowed"),
    ],
)
async def test_a_form_that_is_not_accepted_ends_the_set_up(
    step: dict[str, Any], complaint: str
) -> None:
    with pytest.raises(SetUpError, match=complaint):
        await fill_in(step)


async def test_sage_is_set_up_through_its_own_forms(
    hass: HomeAssistant,
    owner: Client,
    model_server: FakeModelServer,  # noqa: F811
) -> None:
    for model in ("test-model", "test-model"):  # the second time it is a kept home
        await set_up_sage(owner, ModelServer(base_url=model_server.url, model=model))
        (entry,) = hass.config_entries.async_entries("sage")
        assert (entry.data["base_url"], entry.data["model"]) == (model_server.url, model)
