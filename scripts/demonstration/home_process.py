"""The process of Home Assistant: seed the configuration folder, then be `hass`.

Both in one process, since importing Home Assistant takes longer than all the rest. Started by
`home_server.py` with one line of JSON on its standard input.
"""

import asyncio
import json
import sys
from pathlib import Path

from homeassistant import __main__ as hass_command

from .accounts import Account
from .furnished_homes import HOMES
from .seed import lay_out, seed
from .tether import die_with

ROOT = Path(__file__).parents[2]


def main() -> int:
    """Return Home Assistant's exit code."""
    order = json.loads(sys.stdin.readline())
    die_with(order["parent"])
    folder = Path(order["folder"])
    accounts = tuple(Account(**row) for row in order["accounts"])
    home = HOMES[order["home"]]
    lay_out(folder, home, tuple(Path(name) for name in order["components"]))
    if home.has_cloud:
        # Here alone: the cloud needs more of Home Assistant than another home has installed.
        from .cloud_home import launch_beside_cloud  # noqa: PLC0415

        launch_beside_cloud()
    asyncio.run(seed(folder, order["port"], accounts))
    # Custom integrations come from the configuration folder alone, as at a user's.
    sys.path[:] = [entry for entry in sys.path if Path(entry or ".").resolve() != ROOT]
    sys.argv = ["hass", "--config", str(folder), "--log-no-color"]
    return hass_command.main()


if __name__ == "__main__":
    sys.exit(main())
