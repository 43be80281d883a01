"""Run sources in plain CPython, each in a process of its own: the positive control.

Reads a JSON list of `[source, victim, seconds]` and writes a JSON list of what became of
each: the value that `check()` returned, as text, or what ended it. For attempts with a
victim the value is the victim's, after the attempt returned True.
"""

import collections
import datetime as dt
import functools
import itertools
import json
import math
import os
import re
import resource
import signal
import sys

MEMORY = 150_000_000
PROCESSES = 3

secret = "the-code-of-the-safe"
notes = {"owner_note": "mine"}
shared = ["from the host"]
states = {"light.hall": "on"}


def get_state(name):
    return states.get(name)


def get_history(name, minutes=60):
    return [] if math.isnan(minutes) else list(range(minutes))


def get_list():
    return shared


def now():
    return dt.datetime.now(dt.UTC)


def namespace():
    return {
        "__name__": "check",
        "datetime": dt.datetime,
        "date": dt.date,
        "time": dt.time,
        "timedelta": dt.timedelta,
        "timezone": dt.timezone,
        "math": math,
        "json": json,
        "re": re,
        "collections": collections,
        "itertools": itertools,
        "functools": functools,
        "state": {},
        "get_state": get_state,
        "get_history": get_history,
        "get_list": get_list,
        "now": now,
    }


def value_of(source):
    names = namespace()
    exec(source, names)
    return names["check"]()


def outcome(source, victim):
    try:
        value = value_of(source)
        if victim and value is True:
            value = value_of(victim)
    except BaseException as error:  # noqa: BLE001
        return type(error).__name__
    return repr(value)[:200]


def start(source, victim, seconds):
    """Return the process id and the pipe of a child that runs a source."""
    reading, writing = os.pipe()
    child = os.fork()
    if child:
        os.close(writing)
        return child, reading
    os.close(reading)
    quiet = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(quiet, standard)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    signal.setitimer(signal.ITIMER_PROF, seconds)
    signal.alarm(30)
    try:
        os.write(writing, outcome(source, victim).encode())
    finally:
        os._exit(0)


def finish(child, pipe):
    with os.fdopen(pipe, "rb") as opened:
        text = opened.read().decode()
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        return signal.Signals(os.WTERMSIG(status)).name
    return text or "it ended without a word"


def main():
    wanted = json.load(sys.stdin)
    results = [""] * len(wanted)
    running: collections.deque[tuple[int, int, int]] = collections.deque()
    for number, (source, victim, seconds) in enumerate(wanted):
        if len(running) >= PROCESSES:
            first, child, pipe = running.popleft()
            results[first] = finish(child, pipe)
        running.append((number, *start(source, victim, seconds)))
    for number, child, pipe in running:
        results[number] = finish(child, pipe)
    print(json.dumps(results))


if __name__ == "__main__":
    main()
