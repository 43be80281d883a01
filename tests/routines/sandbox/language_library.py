"""Features of the library, the state, and what checks do not have; see `language.py`."""

TEXT = """
### datetime arithmetic
from datetime import datetime, timedelta

def check():
    start = datetime(2026, 2, 28, 23, 30)
    return (start + timedelta(minutes=45)).day == 1 and timedelta(hours=1).total_seconds() == 3600

### a span of a fraction
from datetime import datetime, timedelta

def check():
    span = timedelta(hours=1.5)
    return span.total_seconds() == 5400 and span > timedelta(minutes=30.5) and span / 2 < span

### aware datetimes
import datetime as dt

def check():
    moment = dt.datetime(2026, 7, 1, 12, tzinfo=dt.timezone.utc)
    return moment.isoformat() == "2026-07-01T12:00:00+00:00" and not moment.utcoffset()

### the local time
from datetime import datetime, date

def check():
    moment = datetime.now()
    return date.today() == moment.date() and moment.tzinfo is None and datetime.today() >= moment

### weekday and clock time
from datetime import datetime, time

def check():
    moment = datetime(2026, 7, 4, 22, 15)
    return moment.weekday() == 5 and time(22, 0) <= moment.time() < time(23) and moment.hour == 22

### a time that is parsed
from datetime import datetime

def check():
    opened = datetime.strptime("07:30", "%H:%M").time()
    return opened.hour == 7 and datetime.fromisoformat("2026-07-01T10:00:00+02:00").hour == 10

### a time as text
from datetime import datetime

def check():
    return datetime(2026, 7, 1, 9, 5).strftime("%d.%m.%Y %H:%M") == "01.07.2026 09:05"

### the week of the year
from datetime import datetime

def check():
    return datetime(2026, 7, 1).isocalendar()[1] == 27

### a function that remembers
import functools

def check():
    @functools.cache
    def double(n):
        return n * 2
    return double(2) == 4

### a time stamp
from datetime import datetime, timezone

def check():
    moment = datetime(2026, 7, 1, tzinfo=timezone.utc)
    return datetime.fromtimestamp(moment.timestamp(), timezone.utc) == moment

### json
import json

def check():
    return json.loads('{"a": [1, 2.5, null]}')["a"][1] == 2.5 and json.dumps({"a": 1}) == '{"a": 1}'

### re
import re

def check():
    found = re.compile(r"(\\d+)\\s*kWh", re.IGNORECASE).search("used 12 kWh")
    return found.group(1) == "12" and re.sub("[aeiou]", "", "door") == "dr"

### math
import math

def check():
    return math.floor(2.7) == 2 and math.isclose(math.sqrt(2) ** 2, 2) and math.ceil(2.1) == 3

### collections
from collections import Counter, defaultdict, deque

def check():
    groups = defaultdict(list)
    groups["a"].append(1)
    last = deque([1, 2, 3], maxlen=2)
    return Counter("aab")["a"] == 2 and groups["a"] == [1] and list(last) == [2, 3]

### itertools
import itertools

def check():
    pairs = list(itertools.pairwise([1, 2, 3]))
    return pairs == [(1, 2), (2, 3)] and list(itertools.chain([1], [2])) == [1, 2]

### functools.reduce
from functools import reduce

def check():
    return reduce(lambda a, b: a + b, [1, 2, 3], 0) == 6

### state between runs
def check():
    state.setdefault("seen", []).append(1)
    state["count"] = state.get("count", 0) + 1
    return state["count"] == 1 and "seen" in state

### class
class Room:
    def __init__(self, name):
        self.name = name

def check():
    return Room("hall").name == "hall"

### yield
def numbers():
    yield 1
    yield 2

def check():
    return list(numbers()) == [1, 2]

### del
def check():
    d = {"a": 1}
    del d["a"]
    return d == {}

### method as a value
def check():
    counts = {"a": 1, "b": 2}
    return max(counts, key=counts.get) == "b" and list(map(str.strip, [" a"])) == ["a"]

### with
from contextlib import suppress

def check():
    with suppress(KeyError):
        {}["x"]
    return True

### zoneinfo
from zoneinfo import ZoneInfo
from datetime import datetime

def check():
    return datetime(2026, 7, 1, tzinfo=ZoneInfo("Europe/Berlin")).utcoffset().seconds == 7200
"""
