"""The packages of Monty, the sandbox's interpreter; installed when condition code first runs.

They are not requirements in the manifest: where they cannot be installed, only condition code is
unavailable. Run `tests/routines/sandbox` before raising a version. `scripts/setup` reads this file
without Home Assistant.
"""

from typing import Final

MONTY: Final = ("pydantic-monty-client==1.4.0", "pydantic-monty-runtime==1.4.0")
"""Pinned, since the API changes between versions and older wheels are placeholders."""
