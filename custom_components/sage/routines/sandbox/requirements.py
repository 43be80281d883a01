"""The packages of Monty, the interpreter for condition code; installed when code first runs.

The manifest does not list these packages: SAGE must also start where they cannot be installed. Run
`tests/routines/sandbox` before raising a version. `scripts/setup` reads this file without Home
Assistant.
"""

from typing import Final

MONTY: Final = ("pydantic-monty-client==1.4.0", "pydantic-monty-runtime==1.4.0")
"""Pinned, since the API changes between versions and older wheels are placeholders."""
