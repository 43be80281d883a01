"""`python -m scripts.demonstration`: SAGE in a furnished home, for a while."""

import asyncio
import signal
import sys

from .options import parse
from .session import TROUBLE, run

END_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


async def _main() -> int:
    task = asyncio.current_task()
    assert task is not None
    # The first signal unwinds everything in order; later ones do not disturb that.
    ended = False

    def end() -> None:
        nonlocal ended
        if not ended:
            ended = True
            task.cancel()

    for number in END_SIGNALS:
        asyncio.get_running_loop().add_signal_handler(number, end)
    try:
        return await run(parse())
    except asyncio.CancelledError:
        if not ended:
            raise
        print("\nStopped.", flush=True)
        return 130
    except TROUBLE as trouble:
        print(f"\n{trouble}", file=sys.stderr)
        return 1


sys.exit(asyncio.run(_main()))
