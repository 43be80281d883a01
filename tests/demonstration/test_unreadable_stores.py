"""Files that a running Home Assistant cannot read: a reason, and back without a restart."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from benchmark.fake_model_server import FakeModelServer
from scripts.demonstration.furnished_homes import DEMO
from tests.decisions import Decides

from .scripted import decides
from .test_restart import Visit, visit

NATIVE = Decides("native")
QUESTION = "What are you watching for?"
FILE = ".storage/sage/routines.db"


def make_version(folder: Path, version: int) -> None:
    """Have another version of SAGE use the file of the routines."""
    with closing(sqlite3.connect(folder / FILE)) as connection:
        connection.execute(f"PRAGMA user_version = {version}")


async def watched(home: Visit) -> str:
    """Ask what is watched for; return the answer."""
    listing = NATIVE.call("routines", action="list", final=True)
    return (await home.ask(QUESTION, decides([listing], [QUESTION]))).answer


@pytest.mark.slow
async def test_no_file_of_sage_stops_it_and_no_list_is_empty_for_want_of_reading(
    socket_enabled: None, model_server: FakeModelServer, unused_tcp_port: int, tmp_path: Path
) -> None:
    folder, wish = tmp_path / "kept", "Remind me of the milk on March 1, 2099 at 9"
    made = NATIVE.call(
        "condition_polling", at="2099-03-01T09:00", kind="tell", action="get milk", final=True
    )
    async with visit(model_server, folder, unused_tcp_port, DEMO, is_first=True) as first:
        assert "get milk" in (await first.ask(wish, decides([made], [wish]))).answer
    newer = json.dumps({"version": 99, "minor_version": 1, "key": "?", "data": {}})
    stores = ("sage.smartthings", "sage.risk_levels", "sage.model_usage")
    for store in stores:
        (folder / ".storage" / store).write_text(newer)
    make_version(folder, 99)
    async with visit(model_server, folder, unused_tcp_port, DEMO, is_first=False) as again:
        assert (await watched(again)).startswith("I cannot read the routines")
        assert "routines_unreadable" in await again.issues()
        make_version(folder, 1)
        # The switch of the routine says when it is watched again.
        await again.until("switch.sage_routine_1", "on")
        assert "get milk" in await watched(again)
        assert "routines_unreadable" not in await again.issues()
