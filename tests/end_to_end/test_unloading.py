"""An unloaded SAGE is freed at once: no reload adds to the memory of Home Assistant."""

import asyncio
import weakref
from contextlib import suppress

import pytest
from homeassistant.auth.models import User
from homeassistant.core import HomeAssistant

from benchmark.model_script import Fault, FaultKind
from custom_components.sage.embeddings.minilm import MiniLM
from custom_components.sage.home.home import Home
from tests.decisions import NATIVE
from tests.without_collector import garbage_of

from .conftest import Sage, commanded, swift_model
from .routine_tools.setting_up import SET_UP, polls, writes

__all__ = ["swift_model"]

UNKNOWN = "I could not find that out."


async def talk(sage: Sage, anna: User) -> None:
    """Have Anna say something of every kind; her last question stays open."""
    sage.conversation_id = None
    sage.model_says(
        NATIVE.call("memory", action="remember", text="I like tea."),
        NATIVE.finish("acted", "I will remember it."),
    )
    assert await sage.hear("remember that I like tea", user_id=anna.id) == "I will remember it."
    sage.model_says(*writes(), polls())
    assert await sage.hear("light on when the garage opens", user_id=anna.id) == SET_UP
    sage.model_says(*[Fault(kind=FaultKind.SERVER_ERROR)] * 2)
    assert "reports an error" in await sage.hear("what is up?", user_id=anna.id)
    sage.model_says(*[NATIVE.call("nonsense")] * 20)
    assert UNKNOWN in await sage.hear("what is up?", user_id=anna.id)
    assert await turn_on(sage, anna) == "The kitchen light is on."
    sage.model_says(NATIVE.call("undo"), NATIVE.finish("acted", "It is off again."))
    assert await sage.hear("put it back", user_id=anna.id) == "It is off again."
    assert await open_garage(sage, anna) == "Shall I really open Garage Door?"
    assert await sage.hear("yes", user_id=anna.id) == "The garage door opens."
    assert await open_garage(sage, anna) == "Shall I really open Garage Door?"


async def turn_on(sage: Sage, anna: User) -> str:
    return await commanded(
        sage,
        "turn on the kitchen light",
        NATIVE.execute("kitchen_light", command="turn_on"),
        NATIVE.finish("acted", "The kitchen light is on."),
        user_id=anna.id,
    )


async def open_garage(sage: Sage, anna: User) -> str:
    return await commanded(
        sage,
        "open the garage door",
        NATIVE.execute("garage_door", command="open_cover"),
        NATIVE.finish("acted", "The garage door opens."),
        devices=("garage_door",),
        user_id=anna.id,
        conversation_id=None,
    )


class Parts:
    """The parts of a runtime that hold something large."""

    def __init__(self, sage: Sage, **more: object) -> None:
        """Watch the parts of the runtime of `sage`, and other objects by name."""
        self._gone: dict[str, asyncio.Event] = {}
        loop = asyncio.get_running_loop()
        names = ("home", "memory", "routines", "runs")
        parts = {name: getattr(sage.entry.runtime_data, name) for name in names} | more
        for name, part in parts.items():
            gone = self._gone[name] = asyncio.Event()
            weakref.finalize(part, loop.call_soon_threadsafe, gone.set).atexit = False

    async def async_kept(self) -> list[str]:
        """Return the parts that still exist; a thread that works may hold one for a moment."""
        with suppress(TimeoutError):
            async with asyncio.timeout(10):
                for gone in self._gone.values():
                    await gone.wait()
        return [name for name, gone in self._gone.items() if not gone.is_set()]


async def test_what_was_unloaded_is_freed_by_reference_counts(
    hass: HomeAssistant, swift_model: None, sage: Sage, user: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    weights: list[MiniLM] = []
    # Not the model that all tests share.
    load = MiniLM.load.__wrapped__  # type: ignore[attr-defined]

    def watched(path) -> MiniLM:
        model = load(path)
        weights.append(model)
        return model

    monkeypatch.setattr(MiniLM, "load", watched)
    async with garbage_of(hass) as garbage:
        await talk(sage, user)
        memory = sage.entry.runtime_data.memory
        assert await memory.of(user.id).async_recall("what do I drink?")
        del memory
        parts = Parts(sage, weights=weights.pop())
        assert not weights
        await hass.config_entries.async_unload(sage.entry.entry_id)
        await hass.async_block_till_done(wait_background_tasks=True)
        assert await parts.async_kept() == []
    assert garbage == []


async def test_a_reload_leaves_one_runtime(hass: HomeAssistant, sage: Sage, user: User) -> None:
    async with garbage_of(hass) as garbage:
        for _ in range(3):
            before = Parts(sage)
            assert await turn_on(sage, user) == "The kitchen light is on."
            assert await hass.config_entries.async_reload(sage.entry.entry_id)
            await hass.async_block_till_done(wait_background_tasks=True)
            assert await before.async_kept() == []
            await hass.services.async_call(
                "light", "turn_off", {"entity_id": "light.kitchen_light"}, blocking=True
            )
    assert garbage == []


async def test_an_unload_ends_what_began_with_the_start(
    hass: HomeAssistant, sage: Sage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Loading the texts of a home can take a while: no such task outlives SAGE."""
    begun: list[asyncio.Task[None] | None] = []

    async def without_end(home: Home) -> None:
        begun.append(asyncio.current_task())
        await asyncio.Event().wait()

    monkeypatch.setattr(Home, "async_warm", without_end)
    assert await hass.config_entries.async_reload(sage.entry.entry_id)
    (task,) = begun
    assert task is not None
    assert not task.done()
    assert await hass.config_entries.async_unload(sage.entry.entry_id)
    assert task.cancelled()
