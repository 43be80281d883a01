"""Cases on the workers of a Dask cluster (package `distributed`, an optional extra)."""

from collections.abc import Callable
from concurrent.futures import Executor
from typing import Any


class ClusterError(Exception):
    """The cluster cannot be used; the text says how to fix it."""


def cluster(address: str) -> Executor:
    """Return a pool of the workers of a scheduler; raises ClusterError.

    Workers need this repository and its environment, and have to run without a nanny
    (`dask worker ADDRESS --no-nanny`), so that they may start processes.
    """
    try:
        from distributed import Client  # noqa: PLC0415 - optional
    except ModuleNotFoundError as err:
        raise ClusterError("--dask needs the package distributed: pip install distributed") from err
    try:
        connect: Callable[..., Any] = Client
        client = connect(address, timeout=10)
    except (OSError, ValueError) as err:
        raise ClusterError(f"No Dask scheduler answers at {address}: {err}") from err
    pool: Executor = client.get_executor(pure=False, retries=0)
    return pool
