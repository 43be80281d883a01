"""Measuring each home in a process of its own: a process runs one Home Assistant at most."""

import asyncio
import tempfile
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from multiprocessing import get_context
from pathlib import Path
from typing import Final

from homeassistant.runner import create_event_loop

from ..fake_model_server import FakeModelServer
from .cases import CASES
from .home import commands_home
from .measure import SCRIPTED_MODEL, Plan, Server, async_measure
from .methods import ASSIST
from .report import Progress
from .results import Result, ResultFile
from .scripted import ScriptedModel

_SCRIPTED_FORMATS: Final = ("native", "constrained")


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What is measured; all fields can be sent to another process."""

    methods: Sequence[str]
    formats: Sequence[str]
    """Empty: those of the scripted model, or the one that the set-up finds for a real one."""

    cases: Sequence[str]
    """Ids; empty for all."""

    base_url: str
    """Empty for the scripted model."""

    model: str
    api_key: str = field(repr=False)
    output: Path
    heard: Mapping[str, str] = field(default_factory=dict)
    """Sentence -> what is said in its place, such as the transcript of its sound."""


def measure_homes(homes: Sequence[str], wish: Wish) -> list[Result]:
    """Return the results in all homes, one after the other.

    Raises ModelError if the server answers nothing at all.
    """
    with ProcessPoolExecutor(1, get_context("spawn"), max_tasks_per_child=1) as processes:
        running = [
            processes.submit(_measure, home, wish, number, len(homes))
            for number, home in enumerate(homes)
        ]
        return [result for each in running for result in each.result()]


def _measure(home: str, wish: Wish, number: int, homes: int) -> list[Result]:
    """Return the results in the home with this number."""
    if wish.base_url:
        server = Server(base_url=wish.base_url, model=wish.model, api_key=wish.api_key)
        return _measure_with(server, home, wish, number, homes)
    script = ScriptedModel()
    with FakeModelServer(script, models=(SCRIPTED_MODEL,)) as fake:
        server = Server(base_url=fake.url, model=SCRIPTED_MODEL, script=script)
        return _measure_with(server, home, wish, number, homes)


def _measure_with(server: Server, home: str, wish: Wish, number: int, homes: int) -> list[Result]:
    cases = [case.heard_as(wish.heard) for case in CASES if not wish.cases or case.id in wish.cases]
    formats = wish.formats or (_SCRIPTED_FORMATS if server.script is not None else ())
    plan = Plan(methods=wish.methods, formats=formats, cases=cases, server=server)
    agents = len(replace(plan, formats=formats or ("",)).agents)
    sentences = (agents + (ASSIST in wish.methods)) * len(cases)
    progress = Progress(homes * sentences, done=number * sentences)
    file = ResultFile(wish.output)
    if (known := plan.known(home, file)) is not None:
        return known

    async def measured(folder: Path) -> list[Result]:
        async with commands_home(folder, home) as running:
            return await async_measure(running, plan, file, progress)

    with (
        tempfile.TemporaryDirectory(prefix="sage-commands-") as folder,
        asyncio.Runner(loop_factory=create_event_loop) as runner,
    ):
        return runner.run(measured(Path(folder)))
