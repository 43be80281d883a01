"""SAGE in the furnished demo home, with a scripted model on loopback."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest
from homeassistant.auth.const import GROUP_ID_ADMIN
from homeassistant.auth.models import User
from homeassistant.components.conversation import ConversationResult, async_converse
from homeassistant.config_entries import ConfigSubentryData
from homeassistant.core import Context, HomeAssistant, State
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers.entity_platform import async_get_platforms
from homeassistant.setup import async_setup_component
from pytest_homeassistant_custom_component.common import MockConfigEntry

from benchmark.fake_model_server import FakeModelServer, RecordedRequest
from benchmark.model_script import Answer, verifies
from benchmark.simulator.cloud import SimulatedCloud
from custom_components.sage.agent.port import Exchange
from custom_components.sage.const import DOMAIN
from custom_components.sage.home.home_types import Outcome
from custom_components.sage.model import openai_model
from custom_components.sage.model.language_model import RetryPolicy
from custom_components.sage.people.person import Person
from tests.decisions import NATIVE, Decides, step
from tests.demo_home import demo_home
from tests.smartthings_home import SmartThings

__all__ = ["demo_home"]

AGENT = "conversation.sage"


class Sage:
    """SAGE from a person's view: say something, hear the answer."""

    decides = NATIVE
    smartthings: SmartThings
    """The SmartThings home, in the tests that have one."""

    def __init__(self, hass: HomeAssistant, server: FakeModelServer, entry: MockConfigEntry):
        self.hass = hass
        self.server = server
        self.entry = entry
        self.conversation_id: str | None = None
        self.conversations: set[str] = set()
        self.speakers: set[str | None] = {None}

    def model_says(self, *answers: Answer) -> None:
        """Script the model's decisions, one answer after the other."""
        self.server.requests.clear()
        self.server.say(answers)

    async def say(
        self, text: str, *, user_id: str | None = None, language: str = "en", **more: Any
    ) -> ConversationResult:
        """Say something in the current conversation; return the result."""
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
        self.conversations.add(result.conversation_id or "")
        self.speakers.add(user_id)
        return result

    async def hear(self, text: str, **more: Any) -> str:
        """Say something; return the spoken answer."""
        result = await self.say(text, **more)
        return spoken(result)

    @property
    def cloud(self) -> SimulatedCloud:
        return self.smartthings.cloud

    def state(self, entity_id: str) -> str:
        """Return the state of an entity that exists."""
        return self.shown(entity_id).state

    def attributes(self, entity_id: str) -> Mapping[str, Any]:
        return self.shown(entity_id).attributes

    def shown(self, entity_id: str) -> State:
        state = self.hass.states.get(entity_id)
        assert state is not None, entity_id
        return state

    @property
    def trace(self) -> dict[str, Any]:
        return self.traces(None)[-1]

    def traces(self, user_id: str | None) -> list[dict[str, Any]]:
        return list(self.entry.runtime_data.runs.traces(user_id))

    def turns(self, user_id: str | None) -> list[Exchange]:
        """The stored turns of a person in all conversations."""
        runs, person = self.entry.runtime_data.runs, Person(user_id=user_id, name="")
        return [each for talk in self.conversations for each in runs.earlier(talk, person)]

    def changes(self, user_id: str | None) -> list[Outcome]:
        """The changes of a person that can be undone, in all conversations."""
        undo, person = self.entry.runtime_data.home.undo, Person(user_id=user_id, name="")
        return [each for talk in self.conversations for each in undo.changed(person, talk)]

    @property
    def decisions(self) -> list[RecordedRequest]:
        """The requests to the model, without those that verify an answer."""
        return [each for each in self.server.completions if not verifies(each.body)]

    @property
    def model_calls(self) -> int:
        """Number of model calls since the script was set."""
        return len(self.server.completions)


def spoken(result: ConversationResult) -> str:
    return str(result.response.speech["plain"]["speech"])


type MakeSage = Callable[..., Any]


async def async_make_sage(
    hass: HomeAssistant,
    server: FakeModelServer,
    decision_format: str = "native",
    options: dict[str, Any] | None = None,
    subentries: Sequence[ConfigSubentryData] = (),
    **agent: Any,
) -> Sage:
    """Set up SAGE in the given home, with these settings of its agent and options.

    The model decides about plain requests, too, unless the options say otherwise.
    `subentries`: further ones, such as mail accounts.
    """
    assert await async_setup_component(hass, "conversation", {})
    entry = MockConfigEntry(
        domain=DOMAIN,
        title="SAGE",
        data={
            "base_url": server.url,
            "model": "test-model",
            "formats": ["native", "constrained", "react"],
        },
        options={"plain_requests": False} | (options or {}),
        subentries_data=[
            ConfigSubentryData(
                subentry_type="agent",
                title="SAGE",
                unique_id=None,
                data={"decision_format": decision_format, **agent},
            ),
            *subentries,
        ],
    )
    entry.add_to_hass(hass)
    assert await hass.config_entries.async_setup(entry.entry_id)
    await hass.async_block_till_done()
    sage = Sage(hass, server, entry)
    sage.decides = Decides(decision_format)
    return sage


@pytest.fixture
async def make_sage(
    hass: HomeAssistant, demo_home: HomeAssistant, model_server: FakeModelServer
) -> MakeSage:
    """Set up SAGE in the demo home, with any settings of its agent and options."""

    async def make(
        decision_format: str = "native", options: dict[str, Any] | None = None, **agent: Any
    ) -> Sage:
        return await async_make_sage(hass, model_server, decision_format, options, **agent)

    return make


@pytest.fixture
def decision_format() -> str:
    """The format of `sage`; tests in each format replace it by their parameter."""
    return "native"


@pytest.fixture
async def sage(make_sage: MakeSage, decision_format: str) -> Sage:
    made: Sage = await make_sage(decision_format)
    return made


@pytest.fixture
def thing(hass: HomeAssistant, demo_home: HomeAssistant) -> Callable[[str], Any]:
    """Return a function: entity id -> its simulated device in the demo home."""

    def find(entity_id: str) -> Any:
        for platform in async_get_platforms(hass, "sage_demo_home"):
            if entity_id in platform.entities:
                return platform.entities[entity_id]
        raise AssertionError(f"the demo home has no {entity_id}")

    return find


@pytest.fixture
def hasty_model(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shorten the timeout of a model server that hangs."""
    _try(
        monkeypatch,
        RetryPolicy(
            attempts=2, request_seconds=2.0, connect_seconds=2.0, total_seconds=6.0, first_wait=0.01
        ),
    )


@pytest.fixture
def swift_model(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shorten the waits between attempts, so that a refusing model server is retried at once."""
    _try(monkeypatch, RetryPolicy(attempts=2, first_wait=0.01))


def _try(monkeypatch: pytest.MonkeyPatch, policy: RetryPolicy) -> None:
    monkeypatch.setattr(openai_model, "RetryPolicy", lambda: policy)


class Clock:
    """A stopped clock that replaces the module `time` in `agent.port`."""

    now = 0.0

    def monotonic(self) -> float:
        return self.now


def impatient(sage: Sage, seconds: float = 0.05) -> Sage:
    """Shorten the time that commands wait for their evidence."""
    sage.entry.runtime_data.home.waits.state_seconds = seconds
    return sage


def device_of(hass: HomeAssistant, entity_id: str) -> str:
    row = er.async_get(hass).async_get(entity_id)
    assert row is not None
    assert row.device_id is not None
    return row.device_id


async def commanded(sage: Sage, request: str, *script: Answer, **more: Any) -> str:
    """Say a request whose plan is a command; return the answer. `script`: the decisions then."""
    devices, language = more.pop("devices", ("kitchen_light",)), more.pop("language", "en")
    sage.model_says(*sage.decides.planned(request, step("command", *devices)), *script)
    return await sage.hear(request, language=language, **more)


@pytest.fixture
async def user(hass: HomeAssistant) -> User:
    return await hass.auth.async_create_user("Anna", group_ids=[GROUP_ID_ADMIN])


@pytest.fixture
async def other(hass: HomeAssistant) -> User:
    return await hass.auth.async_create_user("Ben", group_ids=[GROUP_ID_ADMIN])
