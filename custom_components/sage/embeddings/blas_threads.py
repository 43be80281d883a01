"""Keeping numpy's matrix products in the thread that asks for them.

numpy's wheels bring OpenBLAS, which shares each product among threads for all processors.
These wait for one another in loops that burn time. A sentence is too small to gain from it,
and what else runs on the machine loses: measured with both cores of a machine busy, a sentence
took 44 ms on one thread and 258 ms on two.
"""

import ctypes
import importlib.util
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

_MODULE: Final = "numpy.linalg._umath_linalg"
"""Linked with the library, so that the library's functions are found through it."""

_PREFIXES: Final = ("scipy_openblas", "openblas")
_SUFFIXES: Final = ("64_", "")
"""The library is built under several names: by numpy, by distributions."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreadCount:
    """How many threads the library uses in this process."""

    get: Callable[[], int]
    set: Callable[[int], None]


def find_thread_count(module: str = _MODULE) -> ThreadCount | None:
    """Return the library's own functions; None when numpy has another library."""
    spec = importlib.util.find_spec(module)
    if spec is None or spec.origin is None:
        return None
    try:
        library = ctypes.CDLL(spec.origin)
    except OSError:
        return None
    for prefix in _PREFIXES:
        for suffix in _SUFFIXES:
            getter = getattr(library, f"{prefix}_get_num_threads{suffix}", None)
            setter = getattr(library, f"{prefix}_set_num_threads{suffix}", None)
            if getter is not None and setter is not None:
                getter.restype = ctypes.c_int
                setter.argtypes, setter.restype = [ctypes.c_int], None
                return ThreadCount(get=getter, set=setter)
    return None


class OneThread:
    """Holds the library at one thread while any caller is inside; then sets back what was."""

    def __init__(self, count: ThreadCount | None) -> None:
        """Use `count`; without it nothing is held."""
        self._count = count
        self._lock = threading.Lock()
        self._inside = 0
        self._before = 1

    @contextmanager
    def hold(self) -> Iterator[None]:
        """Keep products in the calling thread; others' products in this time, too."""
        if self._count is None:
            yield
            return
        with self._lock:
            if not self._inside:
                self._before = self._count.get()
                self._count.set(1)
            self._inside += 1
        try:
            yield
        finally:
            with self._lock:
                self._inside -= 1
                if not self._inside:
                    self._count.set(self._before)


ONE_THREAD: Final = OneThread(find_thread_count())
