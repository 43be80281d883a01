"""Nothing gets out of the sandbox, and nothing that tries harms the other checks.

Each attempt is shown to get there in plain CPython, then to get nowhere in Monty, without the first
fence (`contract.validate`).
"""

import json
import select
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
import pytest_socket

from custom_components.sage.routines.sandbox.contract import CheckOutcome

from .attempts.attempt import SECRET, Attempt
from .attempts.corpus import CORPUS, ESCAPES, EXHAUSTIONS
from .attempts.exhaustion import DEEP
from .workshop import Engine, check, values

PLAIN_PYTHON = Path(__file__).with_name("plain_python.py")
ENDED_BADLY = {
    *("SIGPROF", "SIGSEGV", "MemoryError", "RecursionError", "SyntaxError", "IndentationError")
}

SOLVED = {"regular_expression_that_backtracks", "search_in_a_huge_range", "too_long"}
"""What takes for ever in CPython or is refused (`contract.validate`), and is nothing in Monty."""

NEIGHBOUR = """
import collections

def check():
    state["owner_note"] = "mine"
    kept = [x for x in get_list() if x == "from the host"]
    return len(kept) == 1 and get_state("light.hall") == "on" and math.pi > 3.14
"""

PROBE = """
import collections

def check():
    first = collections.Counter("aab").most_common(1)[0]
    text = json.dumps({"b": 1, "a": 2})
    return first == ("a", 2) and json.loads(text)["b"] == 1 and text[2] == "b" and len([]) == 0
"""


@dataclass(frozen=True)
class Host:
    """What is there to be reached: open to everybody, so that only the sandbox is in the way."""

    folder: Path
    server: socket.socket

    def source(self, attempt: Attempt) -> str:
        return (
            attempt.source.replace("SECRET_FILE", str(self.folder / "secret"))
            .replace("NEW_FILE", str(self.folder / "made"))
            .replace("PORT", str(self.server.getsockname()[1]))
        )

    def is_untouched(self) -> bool:
        visited, _, _ = select.select([self.server], [], [], 0)
        return not visited and [path.name for path in self.folder.iterdir()] == ["secret"]


@pytest.fixture
def host() -> Iterator[Host]:
    pytest_socket.enable_socket()
    with tempfile.TemporaryDirectory() as folder, socket.create_server(("127.0.0.1", 0)) as server:
        host = Host(Path(folder), server)
        (host.folder / "secret").write_text(SECRET)
        (host.folder / "secret").chmod(0o666)
        host.folder.chmod(0o777)
        yield host


def in_plain_python(host: Host, attempts: Sequence[Attempt], seconds: float) -> dict[str, str]:
    """Return what becomes of attempts in plain CPython, by name."""
    wanted = [(host.source(each), each.victim, seconds) for each in attempts]
    done = subprocess.run(
        [sys.executable, "-I", str(PLAIN_PYTHON)],
        input=json.dumps(wanted),
        capture_output=True,
        text=True,
        check=True,
        timeout=800,
    )
    return dict(zip((each.name for each in attempts), json.loads(done.stdout), strict=True))


def attack(engine: Engine, host: Host, attempt: Attempt) -> dict[str, CheckOutcome]:
    """Run an attempt in the middle of a batch, and a probe in the next one."""
    state = {"owner_note": "mine"}
    batch = [
        check(NEIGHBOUR, "before", state=state),
        check(host.source(attempt), "attempt"),
        check(attempt.victim or NEIGHBOUR, "victim"),
        check(NEIGHBOUR, "after", state=state),
    ]
    outcomes = dict(engine.run(batch))
    outcomes |= engine.run([check(PROBE, "probe"), check(attempt.victim or PROBE, "later")])
    return outcomes


def assert_nothing_reached(
    host: Host, attempt: Attempt, outcomes: Mapping[str, CheckOutcome]
) -> None:
    assert outcomes["attempt"].value is not True
    assert values(outcomes, ("before", "after", "probe")) == [True, True, True]
    if attempt.victim:
        assert outcomes["victim"].value is not True
        assert outcomes["later"].value is not True
    assert SECRET not in repr(outcomes)
    assert host.is_untouched()


def each(attempts: Sequence[Attempt]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize(
        "attempt", attempts, ids=[f"{attempt.kind}-{attempt.name}" for attempt in attempts]
    )


def test_there_are_enough_attempts():
    assert len(CORPUS) >= 200
    assert len({attempt.name for attempt in CORPUS}) == len(CORPUS)


def test_in_plain_python_each_attempt_gets_there(host: Host):
    reached = in_plain_python(host, ESCAPES, seconds=10)

    assert {name: what for name, what in reached.items() if what != "True"} == {}
    assert not host.is_untouched()


def test_in_plain_python_nothing_that_exhausts_ends_well(host: Host):
    ended = in_plain_python(host, EXHAUSTIONS, seconds=0.3)

    assert {name: how for name, how in ended.items() if how not in ENDED_BADLY} == {}


@each(ESCAPES)
def test_an_attempt_gets_nowhere(engine: Engine, host: Host, attempt: Attempt):
    assert_nothing_reached(host, attempt, attack(engine, host, attempt))


@pytest.mark.parametrize("sandbox_patience", [2])
@each((*EXHAUSTIONS, *DEEP))
def test_what_exhausts_is_ended_and_the_others_are_not(
    strict_engine: Engine, host: Host, attempt: Attempt
):
    outcomes = attack(strict_engine, host, attempt)

    if attempt.name == "too_long":
        assert outcomes.pop("attempt").value is True
        outcomes["attempt"] = CheckOutcome()
    assert_nothing_reached(host, attempt, outcomes)
    assert (outcomes["attempt"].error is None) == (attempt.name in SOLVED)
