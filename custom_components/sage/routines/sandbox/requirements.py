"""The packages of Monty, the interpreter for condition code; installed when code first runs.

They are not requirements in the manifest: SAGE must also work on machines where they cannot be
installed. Only condition code does not run there. Run `tests/routines/sandbox` before raising a
version. `scripts/setup` reads this file without Home Assistant.
"""

from typing import Final

MONTY: Final = ("pydantic-monty-client==1.4.0", "pydantic-monty-runtime==1.4.0")
"""Pinned, since the API changes between versions and older wheels are placeholders."""
