"""The built-in embedder: loaded once, computed in the executor."""

import asyncio
import threading
from collections.abc import Sequence
from pathlib import Path

import pytest
from homeassistant.core import HomeAssistant

from benchmark.reference_vectors import read_utterances
from custom_components.sage.embeddings.embedder import Vectors
from custom_components.sage.embeddings.minilm import MODEL_FILE, BuiltinEmbedder, MiniLM
from custom_components.sage.model.language_model import ModelError
from tests.waiting import until


@pytest.fixture
def loads(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """Note each time that the model is loaded, and insist on another thread."""
    loads: list[Path] = []
    load = MiniLM.load

    def watched(path: Path) -> MiniLM:
        assert threading.current_thread() is not threading.main_thread()
        loads.append(path)
        return load(path)

    monkeypatch.setattr(MiniLM, "load", watched)
    return loads


async def test_the_model_is_loaded_once_and_only_when_it_is_needed(hass: HomeAssistant, loads):
    embedder = BuiltinEmbedder(hass)
    assert loads == []

    found = await asyncio.gather(*(embedder.async_embed([text]) for text in ("lamp", "lamp", "")))
    await embedder.async_embed([])

    assert loads == [MODEL_FILE]
    assert found[0] == pytest.approx(found[1], abs=1e-6)


async def test_a_long_list_leaves_room_for_a_question_between(
    hass: HomeAssistant, monkeypatch: pytest.MonkeyPatch
):
    utterances, _ = read_utterances()
    embedder = BuiltinEmbedder(hass)
    await embedder.async_embed([])
    jobs: list[int] = []
    encode = MiniLM.encode

    def watched(model: MiniLM, texts: Sequence[str]) -> Vectors:
        jobs.append(len(texts))
        return encode(model, texts)

    monkeypatch.setattr(MiniLM, "encode", watched)
    finished: list[str] = []

    async def embed(name: str, texts: list[str]) -> None:
        await embedder.async_embed(texts)
        finished.append(name)

    await asyncio.gather(embed("list", utterances), embed("question", ["Is it raining?"]))

    assert finished == ["question", "list"]
    assert max(jobs) <= 32
    assert sum(jobs) == len(utterances) + 1


async def test_a_cancelled_request_leaves_no_thread_behind(
    hass: HomeAssistant, monkeypatch: pytest.MonkeyPatch
):
    began, may_end, ended = threading.Event(), threading.Event(), threading.Event()
    encode = MiniLM.encode

    def slowly(model: MiniLM, texts: Sequence[str]) -> Vectors:
        began.set()
        may_end.wait()
        ended.set()
        return encode(model, texts)

    monkeypatch.setattr(MiniLM, "encode", slowly)
    asking = hass.async_create_task(BuiltinEmbedder(hass).async_embed(["tea"]))
    await until(began.is_set)

    asking.cancel()
    for _ in range(5):
        await asyncio.sleep(0)
    waits = not asking.done()
    may_end.set()
    with pytest.raises(asyncio.CancelledError):
        await asking

    assert waits
    assert ended.is_set()


async def test_a_missing_file_is_told_each_time_until_it_is_there(
    hass: HomeAssistant, tmp_path: Path
):
    file = tmp_path / "model.safetensors"
    embedder = BuiltinEmbedder(hass, file=file)
    for _ in range(2):
        with pytest.raises(ModelError, match="install SAGE again"):
            await embedder.async_embed([])

    file.write_bytes(MODEL_FILE.read_bytes())

    assert (await embedder.async_embed(["lamp"])).shape == (1, 384)
