"""Matrix products stay in the thread that asks for them."""

import ctypes
import threading

import numpy as np
import pytest

from custom_components.sage.embeddings.blas_threads import (
    OneThread,
    ThreadCount,
    find_thread_count,
)
from custom_components.sage.embeddings.builtin import MODEL_FILE
from custom_components.sage.embeddings.minilm import MiniLM


@pytest.fixture
def count():
    found = find_thread_count()
    assert found is not None
    before = found.get()
    found.set(2)
    yield found
    found.set(before)


def test_one_thread_is_used_inside_and_as_many_as_before_outside(count: ThreadCount):
    held = OneThread(count)

    with held.hold():
        assert count.get() == 1
    assert count.get() == 2
    with pytest.raises(ZeroDivisionError), held.hold():
        assert 1 / 0
    assert count.get() == 2


def test_the_last_of_several_sets_back_what_was(count: ThreadCount):
    held = OneThread(count)
    inside, leave = threading.Event(), threading.Event()

    def other() -> None:
        with held.hold():
            inside.set()
            leave.wait(10)

    thread = threading.Thread(target=other)
    with held.hold():
        thread.start()
        assert inside.wait(10)
    assert count.get() == 1
    leave.set()
    thread.join()
    assert count.get() == 2


def test_the_model_computes_on_one_thread(count: ThreadCount, monkeypatch: pytest.MonkeyPatch):
    seen: list[int] = []
    tanh = np.tanh

    def watched(*arguments, **options):
        seen.append(count.get())
        return tanh(*arguments, **options)

    monkeypatch.setattr(np, "tanh", watched)

    MiniLM.load(MODEL_FILE).encode(["Is it raining?"])

    assert seen == [1] * 6
    assert count.get() == 2


@pytest.mark.parametrize("module", ["no_such_module", "sys", "json", "numpy.random.bit_generator"])
def test_another_library_is_left_alone(module: str):
    found = find_thread_count(module)

    assert found is None
    with OneThread(found).hold():
        assert np.ones((3, 3)) @ np.ones(3) == pytest.approx([3, 3, 3])


def test_the_functions_are_found_under_each_of_their_names(monkeypatch: pytest.MonkeyPatch):
    class Library:
        def __getattr__(self, name: str):
            if name not in {"openblas_get_num_threads", "openblas_set_num_threads"}:
                raise AttributeError(name)
            return lambda *_: 3

    monkeypatch.setattr(ctypes, "CDLL", lambda _: Library())

    found = find_thread_count()

    assert found is not None
    assert found.get() == 3
