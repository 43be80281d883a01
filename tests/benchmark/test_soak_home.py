"""The home of the soak test does not add to the memory that the test measures."""

import ctypes
import gc
import logging

import pytest
from homeassistant.components.assist_pipeline import audio_enhancer
from homeassistant.core import HomeAssistant
from homeassistant.helpers import chat_session
from homeassistant.setup import async_setup_component
from pytest_homeassistant_custom_component.typing import WebSocketGenerator

from benchmark.custom_components import sage_soak

RUNS = 200
BYTES_PER_RUN = 3_000


class MallInfo(ctypes.Structure):
    """`struct mallinfo2` of glibc."""

    _fields_ = [
        (name, ctypes.c_size_t)
        for name in (
            "arena",
            "ordblks",
            "smblks",
            "hblks",
            "hblkhd",
            "usmblks",
            "fsmblks",
            "uordblks",
            "fordblks",
            "keepcost",
        )
    ]


def allocated() -> int:
    """Return the bytes that native code and large Python objects hold."""
    gc.collect()
    mallinfo = ctypes.CDLL(None).mallinfo2
    mallinfo.restype = MallInfo
    return int(mallinfo().uordblks)


@pytest.mark.skipif(not hasattr(ctypes.CDLL(None), "mallinfo2"), reason="needs glibc")
async def test_runs_of_assist_leave_no_memory_behind(
    hass: HomeAssistant, hass_ws_client: WebSocketGenerator, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Both are replaced for the process: restore them after the test.
    monkeypatch.setattr(audio_enhancer, "MicroVad", audio_enhancer.MicroVad)  # type: ignore[attr-defined]
    monkeypatch.setattr(chat_session, "CONVERSATION_TIMEOUT", chat_session.CONVERSATION_TIMEOUT)
    for component in ("homeassistant", "conversation", "assist_pipeline"):
        assert await async_setup_component(hass, component, {})
    assert await sage_soak.async_setup(hass, {})
    client = await hass_ws_client(hass)

    async def talk() -> None:
        for _ in range(RUNS):
            await client.send_json_auto_id(
                {
                    "type": "assist_pipeline/run",
                    "start_stage": "intent",
                    "end_stage": "intent",
                    "input": {"text": "hello"},
                }
            )
            while (message := await client.receive_json())["type"] != "event" or (
                message["event"]["type"] != "run-end"
            ):
                pass

    # Records that pytest keeps of what is logged would be counted.
    logging.disable()
    try:
        await talk()
        before = allocated()
        await talk()
        grown = allocated() - before
    finally:
        logging.disable(logging.NOTSET)
    assert grown < RUNS * BYTES_PER_RUN
