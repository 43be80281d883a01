"""The packages of the two engines, installed with the first routine.

They are no requirements of the integration: where they cannot be had, routines with code
are lost and nothing else. Whoever raises a version runs the corpus of
`tests/routines/sandbox` with it: an engine that learns more of Python may lend more.
"""

from typing import Final

MONTY: Final = ("pydantic-monty-client==1.4.0", "pydantic-monty-runtime==1.4.0")
"""Pinned: the interface changes between versions, and older wheels are placeholders."""

RESTRICTED: Final = ("RestrictedPython>=9.0",)
"""A range, since `python_script` of Home Assistant pins the same package."""
