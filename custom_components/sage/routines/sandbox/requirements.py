"""The packages of Monty, installed with the first condition code.

They are not requirements of the integration: where they cannot be installed, condition code
cannot run, and everything else works. Run `tests/routines/sandbox` before raising a version.
`scripts/setup` reads this file without Home Assistant.
"""

from typing import Final

MONTY: Final = ("pydantic-monty-client==1.4.0", "pydantic-monty-runtime==1.4.0")
"""Pinned: the interface changes between versions, and older wheels are placeholders."""
