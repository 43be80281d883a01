"""A machine on which Monty cannot be imported."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch


@contextmanager
def without_monty() -> Iterator[None]:
    """Block every import of `pydantic_monty`; modules that have it already keep it."""
    with patch.dict(sys.modules, {"pydantic_monty": None}):
        yield
