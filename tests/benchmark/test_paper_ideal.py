"""Each of the paper's cases can be solved: an ideal model solves all of them.

`python -m benchmark run` gives each case a process. Here a few processes do one case after the
other, which saves most of the time: the import of Home Assistant.
"""

import asyncio
import contextlib
import faulthandler
import tempfile
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from unittest.mock import patch

import pytest
from homeassistant import block_async_io
from homeassistant.runner import create_event_loop

from benchmark.paper.cases import BY_ID, CASES
from benchmark.paper.method_table import METHODS
from benchmark.paper.methods import MethodSettings
from benchmark.paper.result import TaskResult
from benchmark.paper.trial import async_try
from custom_components.sage.embeddings.minilm import MiniLM
from tests.conftest import encode_once, load_model_once

IDEAL = MethodSettings(name="ideal")
SHARDS = 4


def solve(names: list[str], sends: Connection) -> None:
    faulthandler.enable()
    with contextlib.ExitStack() as stack:
        # All cases have the same devices and memories.
        stack.enter_context(patch.object(MiniLM, "load", load_model_once))
        stack.enter_context(patch.object(MiniLM, "encode", encode_once))
        for name in names:
            with (
                tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder,
                asyncio.Runner(loop_factory=create_event_loop) as runner,
            ):
                method = METHODS[IDEAL.name](IDEAL)
                sends.send(runner.run(async_try(Path(folder), BY_ID[name], IDEAL, method)))
            # The detection of blocking calls is enabled once per process.
            stack.enter_context(patch.object(block_async_io, "enable"))
    sends.close()


@pytest.mark.slow
@pytest.mark.parametrize("shard", range(SHARDS))
def test_an_ideal_model_solves_every_case(shard: int) -> None:
    names = [each.id for each in CASES[shard::SHARDS]]
    context = get_context("spawn")
    receives, sends = context.Pipe(duplex=False)
    process = context.Process(target=solve, args=(names, sends))
    process.start()
    sends.close()
    results: list[TaskResult] = []
    with contextlib.suppress(EOFError):
        while True:
            results.append(receives.recv())
    process.join()

    assert process.exitcode == 0, f"the process ended after {[each.case for each in results][-1:]}"
    assert [each.case for each in results] == names
    assert {each.case: each.problems for each in results if not each.success} == {}
