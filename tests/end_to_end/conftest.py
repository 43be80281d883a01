"""SAGE in the furnished demo home, with a scripted model on loopback."""

from collections.abc import Callable
from typing import Any

import pytest
from homeassistant.components.conversation import ConversationResult, async_converse
from homeassistant.config_entries import ConfigSubentryData
from homeassistant.core import Context, HomeAssistant
from homeassistant.setup import async_setup_component
from pytest_homeassistant_custom_component.common import MockConfigEntry

from benchmark.fake_model_server import FakeModelServer
from benchmark.model_script import Answer
from custom_components.sage.const import DOMAIN
from tests.demo_home import demo_home

__all__ = ["demo_home"]

AGENT = "conversation.sage"


class Sage:
    """SAGE as a person meets it: say something, hear the answer."""

    def __init__(self, hass: HomeAssistant, server: FakeModelServer, entry: MockConfigEntry):
        self.hass = hass
        self.server = server
        self.entry = entry
        self.conversation_id: str | None = None

    def model_says(self, *answers: Answer) -> None:
        """Script what the model decides, one answer after the other."""
        self.server.requests.clear()
        self.server.say(answers)

    async def say(
        self, text: str, *, user_id: str | None = None, language: str = "en", **more: Any
    ) -> ConversationResult:
        """Say something in the running conversation and return the result."""
        conversation_id = more.pop("conversation_id", self.conversation_id)
        result = await async_converse(
            self.hass,
            text,
            conversation_id,
            Context(user_id=user_id),
            language=language,
            agent_id=AGENT,
            **more,
        )
        self.conversation_id = result.conversation_id
        return result

    async def hear(self, text: str, **more: Any) -> str:
        """Say something and return what is spoken back."""
        result = await self.say(text, **more)
        return spoken(result)

    @property
    def trace(self) -> dict[str, Any]:
        """The last trace of the household."""
        return self.traces(None)[-1]

    def traces(self, user_id: str | None) -> list[dict[str, Any]]:
        """The traces of a person."""
        return list(self.entry.runtime_data.runs.traces(user_id))

    @property
    def model_calls(self) -> int:
        """How often the model was asked since its script was set."""
        return len(self.server.completions)


def spoken(result: ConversationResult) -> str:
    """Return the words of a result."""
    return str(result.response.speech["plain"]["speech"])


type MakeSage = Callable[..., Any]


@pytest.fixture
async def make_sage(
    hass: HomeAssistant, demo_home: HomeAssistant, model_server: FakeModelServer
) -> MakeSage:
    """Set SAGE up with any settings of its agent and options."""

    async def make(
        decision_format: str = "native", options: dict[str, Any] | None = None, **agent: Any
    ) -> Sage:
        assert await async_setup_component(hass, "conversation", {})
        entry = MockConfigEntry(
            domain=DOMAIN,
            title="SAGE",
            data={
                "base_url": model_server.url,
                "model": "test-model",
                "formats": ["native", "constrained", "react"],
            },
            options=options or {},
            subentries_data=[
                ConfigSubentryData(
                    subentry_type="agent",
                    title="SAGE",
                    unique_id=None,
                    data={"decision_format": decision_format, **agent},
                )
            ],
        )
        entry.add_to_hass(hass)
        assert await hass.config_entries.async_setup(entry.entry_id)
        await hass.async_block_till_done()
        return Sage(hass, model_server, entry)

    return make


@pytest.fixture
async def sage(make_sage: MakeSage) -> Sage:
    """Return SAGE with native decisions."""
    made: Sage = await make_sage()
    return made
