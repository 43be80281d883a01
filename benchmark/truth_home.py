"""The demo home with SAGE in it: it is put into the state of a case, and a person speaks."""

import json
import re
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from homeassistant.auth.models import Group
from homeassistant.components.conversation import async_converse, async_get_chat_log
from homeassistant.config_entries import ConfigEntry
from homeassistant.core import Context, HomeAssistant
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers.chat_session import async_get_chat_session
from homeassistant.util import dt as dt_util

from custom_components.sage.people.person import HOUSEHOLD as NOBODY
from custom_components.sage.people.person import KnownBy
from custom_components.sage.routines.host.firing_runs import RoutineRuns
from custom_components.sage.routines.routine_types import (
    EdgeKind,
    Firing,
    FiringStep,
    Moment,
    Repeat,
    Routine,
)
from scripts.demonstration.furnish import async_furnish, make_importable

from .demo_things import DemoThings
from .fake_model_server import FakeModelServer
from .honest_claims import MEANT
from .model_script import Answer, Call, Completion, answer_obediently, verification, verifies
from .model_script import Json as Body
from .overhead_home import async_add_sage, home_assistant
from .truth_corpus.model import CHILD, HOUSEHOLD, OWNER, REQUEST, VALUE, WORDS, Case, Given, Reply

FORMATS: Final = ("native", "constrained", "react")
VERIFYING: Final = "verifying"
"""The agent that verifies its answers."""

_AGENTS: Final[Mapping[str, Mapping[str, Any]]] = {
    **{name: {"decision_format": name} for name in FORMATS},
    VERIFYING: {"decision_format": FORMATS[0], "verify_answers": True},
}
_PATIENCE: Final = 0.05
"""Seconds that a command waits for its effect; the demo home needs none."""

_MADE: Final = re.compile(r"Set up: (.*) When all is done")


@dataclass(slots=True)
class Heard:
    """The answers of a case."""

    spoken: str = ""
    """The last answer."""

    before: list[str] = field(default_factory=list)
    """Questions that were asked first."""

    streamed: list[str] = field(default_factory=list)
    """All pieces, in the order in which they were spoken."""

    requests: int = 0
    """Number of requests to the model."""

    verified: int = 0
    """Number of these requests that verified an answer."""

    made: str = ""
    """The sentence of the routine that was set up."""

    shown: str = ""
    """The devices that the first prompt shows, with their values."""

    @property
    def everything(self) -> str:
        """All words that the person may have heard."""
        return "\n".join([*self.before, "".join(self.streamed), self.spoken])


class TruthHome:
    """The home; `server` plays the model."""

    def __init__(
        self, hass: HomeAssistant, entry: ConfigEntry[Any], server: FakeModelServer
    ) -> None:
        """Keep what is needed to reset the home."""
        self._hass = hass
        self._entry = entry
        self._server = server
        self._things = DemoThings(hass)
        self._people: dict[str, str | None] = {HOUSEHOLD: None}
        self._verify: Callable[[Body], Completion] | None = None
        self._dulled: list[tuple[str, str]] = []

    async def async_begin(self) -> None:
        """Add people, and set short timeouts."""
        # The first user is the owner.
        owner = await self._hass.auth.async_create_user("Owner")
        child = await self._hass.auth.async_create_user("Kim")
        child.groups = [Group(name="Looks only", policy={"entities": {"all": {"read": True}}})]
        self._people |= {OWNER: owner.id, CHILD: child.id}
        runtime = self._entry.runtime_data
        runtime.home.waits.state_seconds = _PATIENCE
        await runtime.memory.async_do(NOBODY, lambda file: file.change_settings(enabled=False))

    def verify_with(self, verify: Callable[[Body], Completion] | None) -> None:
        """Let `verify` answer the calls that verify an answer; None: who knows the truth."""
        self._verify = verify

    def name_in_all_languages(self) -> None:
        """Give the devices of the lies the names that the words of the lies have for them."""
        path = Path(__file__).parent / "truth_corpus" / "aliases.json"
        entities = er.async_get(self._hass)
        for entity_id, names in json.loads(path.read_text(encoding="utf-8")).items():
            entities.async_update_entity(entity_id, aliases=names)

    async def async_hear(self, case: Case, agent: str) -> Heard:
        """Play a case with the agent of this name, and return what is spoken."""
        await self._async_reset(case.given)
        heard = Heard()
        user_id = self._people[case.given.person]
        if case.fires:
            self._say(case, case.request, case.replies, agent)
            heard.spoken = await self._async_fire(case, agent, user_id)
        else:
            await self._async_talk(case, agent, user_id, heard)
        requests = [
            each
            for each in self._server.completions
            if not _instructions(each.body).startswith(_BESIDE)
        ]
        heard.requests = len(requests)
        heard.verified = sum(verifies(each.body) for each in requests)
        if requests and (shown := MEANT.search(str(requests[0].messages[-1]["content"]))):
            heard.shown = shown[0]
        if requests and (made := _MADE.search(requests[-1].prompt)):
            heard.made = made[1]
        return heard

    async def _async_talk(self, case: Case, agent: str, user_id: str | None, heard: Heard) -> None:
        conversation_id = None
        if (earlier := case.earlier) is not None:
            self._say(case, earlier.request, earlier.replies, agent)
            conversation_id, *_ = await self._async_say(
                earlier.request, None, agent, case.language, user_id, Heard()
            )
        self._refuse(case.given)
        self._say(case, case.request, case.replies, agent)
        conversation_id, asks = await self._async_say(
            case.request, conversation_id, agent, case.language, user_id, heard
        )
        if asks and case.person_replies:
            heard.before.append(heard.spoken)
            for entity_id, values in case.changed.items():
                self._things.become(entity_id, **values)
            await self._hass.async_block_till_done()
            await self._async_say(
                case.person_replies, conversation_id, agent, case.language, user_id, heard
            )

    async def _async_say(
        self,
        text: str,
        conversation_id: str | None,
        agent: str,
        language: str,
        user_id: str | None,
        heard: Heard,
    ) -> tuple[str, bool]:
        """Say something; return the conversation, and whether it goes on with a reply."""

        def listen(_log: object, delta: Mapping[str, Any]) -> None:
            heard.streamed.append(str(delta.get("content") or ""))

        hass = self._hass
        with (
            async_get_chat_session(hass, conversation_id) as session,
            async_get_chat_log(hass, session, chat_log_delta_listener=listen),
        ):
            result = await async_converse(
                hass,
                text,
                session.conversation_id,
                Context(user_id=user_id),
                language=language,
                agent_id=f"conversation.{agent}",
            )
        heard.spoken = str(result.response.speech["plain"]["speech"])
        return session.conversation_id, result.continue_conversation

    async def _async_fire(self, case: Case, agent: str, user_id: str | None) -> str:
        now = dt_util.utcnow()
        agents = self._entry.runtime_data.agents
        routine = Routine(
            id="01K9ROUTINE0000000000000000",
            owner=user_id,
            known_by=KnownBy.SIGN_IN,
            agent_id=next(key for key, each in agents.items() if each.settings.name == agent),
            language=case.language,
            request=case.request,
            when="21:00",
            command=case.request,
            trigger=Moment(at=now),
            repeat=Repeat.ONCE,
            created_at=datetime(2026, 3, 2, 12, tzinfo=UTC),
            notify=True,
        )
        firing = Firing(
            id=1, routine_id=routine.id, edge=EdgeKind.ON, at=now, step=FiringStep.STARTED
        )
        report = await RoutineRuns(self._hass, self._entry).async_run(routine, firing)
        return report.answer

    # ------------------------------------------------------------ the model

    def _say(self, case: Case, request: str, replies: Sequence[Reply], agent: str) -> None:
        """Let the model give these replies, the last one again and again."""
        given = {REQUEST: request, WORDS: case.words, VALUE: case.value}
        name = agent if agent in FORMATS else FORMATS[0]
        script = [each for reply in replies for each in _written(reply, name, given)]
        asked = 0

        def answer(body: Body) -> Answer:
            nonlocal asked
            if _instructions(body).startswith(_BESIDE):
                return answer_obediently(body)
            if verifies(body):
                return self._verify(body) if self._verify is not None else _verified(case)
            asked += 1
            return script[min(asked, len(script)) - 1]

        self._server.forget()
        self._server.say(answer)

    # ------------------------------------------------------------ the home

    async def _async_reset(self, given: Given) -> None:
        """Put the home into the state in which the case begins."""
        routines = self._entry.runtime_data.routines
        for watched in routines.list_all():
            await routines.async_delete(watched.routine.id)
        for entity_id, command in self._dulled:
            delattr(self._things.by_id[entity_id], command)
        self._dulled = []
        for entity_id in self._things.by_id:
            if entity_id.startswith(_ACTS):
                self._things.restart(entity_id)
        for entity_id, values in given.values.items():
            self._things.become(entity_id, **values)
        for entity_id in given.away:
            self._things.become(entity_id, available=False)

    def _refuse(self, given: Given) -> None:
        async def nothing(*_: object, **__: object) -> None:
            return

        for entity_id, command in given.stubborn.items():
            setattr(self._things.by_id[entity_id], f"async_{command}", nothing)
            self._dulled.append((entity_id, f"async_{command}"))


_ACTS: Final = ("light.", "lock.", "cover.", "climate.", "fan.", "media_player.", "switch.")
"""Beginnings of the ids of what the cases operate."""


def _written(reply: Reply, name: str, given: Mapping[str, str]) -> list[Completion]:
    """Return a reply as a model writes it; several calls are several replies where need be."""
    if reply.data is not None:
        return [Completion(text=_json(_filled(reply.data, given)))]
    calls = [(tool, _filled(arguments, given)) for tool, arguments in reply.calls]
    match name:
        case "native":
            return [Completion(calls=[Call(name=tool, arguments=each) for tool, each in calls])]
        case "constrained":
            actions = [{"tool": tool, "input": each} for tool, each in calls]
            return [Completion(text=_json({"thought": "So.", "actions": actions}))]
    lines = [f"Action: {tool}\nAction Input: {_json(each)}" for tool, each in calls]
    return [Completion(text="\n".join(("Thought: So.", *lines)))]


def _filled(value: Any, given: Mapping[str, str]) -> Any:
    """Return JSON with the words of the case where they belong."""
    if isinstance(value, Mapping):
        return {name: _filled(each, given) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_filled(each, given) for each in value]
    return given.get(value, value) if isinstance(value, str) else value


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


_PROMPTS: Final = Path(__file__).parents[1] / "custom_components/sage/agent/prompts"
_BESIDE: Final = tuple(
    (_PROMPTS / f"{name}.md").read_text(encoding="utf-8").splitlines()[0]
    for name in ("risk_level", "day_summary", "profile")
)
"""Beginnings of the prompts of requests that are no step of a command."""


def _instructions(body: Body) -> str:
    return str(body["messages"][0].get("content")).strip()


def _verified(case: Case) -> Completion:
    """Return the verification of one who knows the truth."""
    return verification(*(() if case.is_true else (case.words,)))


@asynccontextmanager
async def truth_home(folder: Path) -> AsyncGenerator[TruthHome]:
    """Run the home; `folder` is a laid out configuration."""
    make_importable()
    # In a thread of its own, so that a call to another model does not hold the home.
    with FakeModelServer(models=("measured",)) as server:
        async with home_assistant(folder) as hass:
            await async_furnish(hass)
            entry = await async_add_sage(hass, server.url, _AGENTS)
            home = TruthHome(hass, entry, server)
            await home.async_begin()
            yield home
