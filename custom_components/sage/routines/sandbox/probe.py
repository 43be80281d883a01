"""A check that tells whether an engine works: it uses a bit of everything."""

from typing import Final

from .model import Check

PROBE: Final = Check(
    id="probe",
    function="probe",
    source='''\
import collections, datetime as dt, itertools, json, math, re, statistics

def probe():
    """It is true where all is well."""
    rest = [x for x in itertools.chain([1], [2, 3]) if x > 1]
    counted = collections.Counter("aab").most_common(1)[0][1]
    day = dt.datetime(2026, 2, 28) + dt.timedelta(days=1)
    text = json.dumps({"found": re.sub("[0-9]+", "#", "a12")})
    state["ran"] = state.get("ran", 0) + 1
    return (
        rest == [2, 3]
        and counted == 2
        and day.month == 3
        and text == '{"found": "a#"}'
        and math.floor(statistics.mean([1, 2])) == 1
    )
''',
)
