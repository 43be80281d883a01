"""Inside the Home Assistant of the soak: things that change, and figures of the process.

Never shipped. Its dependency `sage_demo_home` is the home whose sensors change here.
"""

import asyncio
import gc
import os
import sys
import tracemalloc
from collections import Counter
from datetime import datetime, timedelta
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any

import probatio
from homeassistant.components.assist_pipeline import audio_enhancer
from homeassistant.components.websocket_api import async_register_command
from homeassistant.components.websocket_api.connection import ActiveConnection
from homeassistant.components.websocket_api.decorators import async_response, websocket_command
from homeassistant.core import HomeAssistant
from homeassistant.helpers import chat_session
from homeassistant.helpers import config_validation as cv
from homeassistant.helpers.event import async_track_time_interval
from homeassistant.helpers.typing import ConfigType

DOMAIN = "sage_soak"
CONFIG_SCHEMA = cv.empty_config_schema(DOMAIN)

PERIOD = timedelta(seconds=0.5)
CONVERSATION = timedelta(seconds=30)
"""Instead of five minutes: so that a short run sees conversations go, too."""

_PAGE = os.sysconf("SC_PAGE_SIZE")
_FRAMES = 6
_LINES = 40


async def async_setup(hass: HomeAssistant, config: ConfigType) -> bool:
    """Change the home regularly, and serve the commands of the soak test."""
    chat_session.CONVERSATION_TIMEOUT = CONVERSATION
    _share_voice_detector()
    turn = count()

    async def change(_: datetime) -> None:
        for entity_id, values in _changes(next(turn)).items():
            if hass.states.get(entity_id) is not None:
                data = {"entity_id": entity_id, "values": values}
                await hass.services.async_call("sage_demo_home", "inject", data, blocking=True)

    async_track_time_interval(hass, change, PERIOD, cancel_on_shutdown=True)
    async_register_command(hass, _measure)
    async_register_command(hass, _look_closer)
    return True


def _share_voice_detector() -> None:
    """Give all pipeline runs one voice detector instead of one each.

    Assist creates a `MicroVad` for each run, also for text, where nothing uses it. pymicro-vad
    1.0.1 never frees its 11 kB, with any agent. The soak measures SAGE.
    """
    audio_enhancer.MicroVad = cache(audio_enhancer.MicroVad)  # type: ignore[attr-defined]


def _changes(turn: int) -> dict[str, dict[str, Any]]:
    """Return what each thing is at a turn: it differs from the turn before."""
    return {
        "sensor.fridge_temperature": {"native_value": round(3 + turn % 30 / 10, 1)},
        "sensor.garden_temperature": {"native_value": round(10 + turn % 50 / 10, 1)},
        "sensor.bedroom_temperature": {"native_value": round(18 + turn % 20 / 10, 1)},
        "sensor.bathroom_humidity": {"native_value": 50 + turn % 17},
        "binary_sensor.hallway_motion": {"is_on": turn % 2 == 0},
    }


@websocket_command({probatio.Required("type"): "sage_soak/measure"})
@async_response
async def _measure(
    hass: HomeAssistant, connection: ActiveConnection, message: dict[str, Any]
) -> None:
    """Return the figures of this process, and collect its garbage.

    Memory is in bytes, with the garbage; `objects` are the blocks that Python has allocated,
    without it.
    """
    tasks = len(asyncio.all_tasks())
    figures = await hass.async_add_executor_job(_figures)
    connection.send_result(message["id"], {**figures, "tasks": tasks})


def _figures() -> dict[str, int]:
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    figures = {
        "memory": pages * _PAGE,
        "threads": len(list(Path("/proc/self/task").iterdir())),
        "descriptors": len(list(Path("/proc/self/fd").iterdir())),
    }
    gc.collect()
    return {**figures, "objects": sys.getallocatedblocks()}


@websocket_command({probatio.Required("type"): "sage_soak/look_closer"})
@async_response
async def _look_closer(
    hass: HomeAssistant, connection: ActiveConnection, message: dict[str, Any]
) -> None:
    """Return the number of objects by class, and bytes by line from the second call on."""
    connection.send_result(message["id"], await hass.async_add_executor_job(_closer))


def _closer() -> dict[str, dict[str, int]]:
    gc.collect()
    classes = Counter(
        f"{type(each).__module__}.{type(each).__qualname__}" for each in gc.get_objects()
    )
    if not tracemalloc.is_tracing():
        tracemalloc.start(_FRAMES)
        return {"classes": dict(classes), "lines": {}}
    found = tracemalloc.take_snapshot().statistics("traceback")[:_LINES]
    lines = {
        " < ".join(f"{frame.filename}:{frame.lineno}" for frame in reversed(each.traceback)): (
            each.size
        )
        for each in found
    }
    return {"classes": dict(classes), "lines": lines}
