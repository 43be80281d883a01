"""Somebody who sees everything: what reaches a person, what anybody can see, what is kept."""

import asyncio
import gc
import json
import logging
from collections.abc import Iterable
from types import ModuleType
from typing import Any, Final

import pytest
from homeassistant.components.conversation.chat_log import DATA_CHAT_LOGS
from homeassistant.const import MATCH_ALL
from homeassistant.core import Context, Event, HomeAssistant, callback
from homeassistant.helpers import issue_registry as ir

from custom_components.sage.const import DOMAIN
from custom_components.sage.diagnostics import async_get_config_entry_diagnostics
from tests.end_to_end.conftest import Sage

from .story import memory_files

_WITHIN: Final = ("custom_components.sage", "builtins", "collections", "asyncio", "_asyncio")
"""Modules of the types that SAGE holds its data in."""

_OTHERS: Final = (HomeAssistant, asyncio.AbstractEventLoop, type, ModuleType)
"""Objects at which the search of SAGE's objects ends."""


class PrivacyObserver:
    """Watches from its creation."""

    def __init__(self, hass: HomeAssistant, sage: Sage, caplog: pytest.LogCaptureFixture) -> None:
        self.hass, self.sage = hass, sage
        self._caplog = caplog
        self._events: list[str] = []
        self._states: list[str] = []
        caplog.set_level(logging.DEBUG)
        hass.bus.async_listen(MATCH_ALL, self._note)

    @callback
    def _note(self, event: Event) -> None:
        self._events.append(f"{event.event_type} {event.data}")
        self._states.append(repr([each.as_dict() for each in self.hass.states.async_all()]))

    async def async_public(self) -> dict[str, str]:
        hass = self.hass
        diagnostics = await async_get_config_entry_diagnostics(hass, self.sage.entry)
        issues = [each for key, each in ir.async_get(hass).issues.items() if key[0] == DOMAIN]
        # What an action was called with is on the bus by the ways of Home Assistant.
        events = [each for each in self._events if not each.startswith("call_service ")]
        return {
            "diagnostics": json.dumps(diagnostics),
            "issues": repr(issues),
            "events": "\n".join(events),
            "states": "\n".join(self._states),
            "log": "\n".join(
                f"{each.getMessage()} {each.exc_text or ''}"
                for each in self._caplog.records
                # Home Assistant itself logs at this level what is said to any agent.
                if not each.name.startswith("homeassistant.")
            ),
        }

    async def async_answers_to(self, user_id: str | None) -> dict[str, str]:
        """Return the results of actions and tools for a person, by their names."""
        told: dict[str, str] = {}
        for service, data in (
            ("recall", {"question": "What do you know?", "count": 50}),
            ("list_memories", {"count": 500}),
            ("get_profile", {}),
            ("export_memory", {}),
            ("set_memory", {}),
        ):
            told[service] = json.dumps(await self.async_act(user_id, service, **data))
        return told

    async def async_act(self, user_id: str | None, service: str, **data: Any) -> Any:
        """Call an action of SAGE as somebody; return its response."""
        return await self.hass.services.async_call(
            DOMAIN,
            service,
            data,
            blocking=True,
            context=Context(user_id=user_id),
            return_response=True,
        )

    def kept_of(self, user_id: str | None) -> dict[str, str]:
        return {
            "traces": json.dumps(self.sage.traces(user_id)),
            "turns": repr(self.sage.turns(user_id)),
            "files": memory_files(self.hass, user_id).decode("latin-1"),
        }

    def chat(self, conversation_id: str | None) -> str:
        logs = self.hass.data[DATA_CHAT_LOGS]
        assert conversation_id is not None
        return repr(logs[conversation_id].content) if conversation_id in logs else ""

    def forget_prompts(self) -> None:
        self.sage.server.requests.clear()

    def prompts(self) -> str:
        """Return all that the model was asked since, as it was sent."""
        return "\n".join(
            json.dumps(each.body, ensure_ascii=False) for each in self.sage.server.requests
        )

    def holders(self, *words: str) -> list[str]:
        """Return where in what SAGE holds in memory one of the words is: the types on the way."""
        return [" > ".join(path) for path in _paths(self.sage.entry.runtime_data, words)]


def _paths(root: object, words: Iterable[str]) -> list[tuple[str, ...]]:
    """Return the ways from `root` to every text with one of the words."""
    found: list[tuple[str, ...]] = []
    seen = {id(root)}
    reached: list[tuple[object, tuple[str, ...]]] = [(root, (type(root).__name__,))]
    while reached:
        holder, path = reached.pop()
        for held in gc.get_referents(holder):
            is_within = type(held).__module__.startswith(_WITHIN)
            if id(held) in seen or not is_within or isinstance(held, _OTHERS):
                continue
            seen.add(id(held))
            here = (*path, type(held).__name__)
            if isinstance(held, str) and any(word in held for word in words):
                found.append((*path, held[:80]))
            elif not isinstance(held, str | bytes | int | float):
                reached.append((held, here))
    return found
