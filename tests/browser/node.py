"""Run Node with tests of the page at a home."""

import asyncio
import os
import sys
from collections.abc import Mapping

from scripts.demonstration.furnished_homes import ROOT
from scripts.demonstration.home_server import HomeServer


async def async_node(home: HomeServer, facts: Mapping[str, str], *arguments: str) -> int:
    """Run Node in `frontend`; return its exit code. `facts`: its further environment."""
    node = await asyncio.create_subprocess_exec(
        os.environ["SAGE_NODE"], *arguments, cwd=ROOT / "frontend", env=os.environ | facts
    )
    code = await node.wait()
    if code:
        print(home.last_words(), file=sys.stderr)
    return code
