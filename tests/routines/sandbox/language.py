"""Seventy features of Python that models use in condition code.

Each check returns True in CPython. `told` is what the prompt says where a feature is
missing in Monty (`contract.MISSING_FEATURES`).
"""

from dataclasses import dataclass

from . import language_library, language_syntax


@dataclass(frozen=True, slots=True)
class Feature:
    name: str
    source: str
    told: str = ""


TOLD = {
    "yield": "`yield`",
    "del": "`del`",
    "with": "`with`",
    "method as a value": "A method is no value",
    "the week of the year": "`isocalendar()`",
    "a span of a fraction": "fractions in `timedelta`",
    "a time stamp": "`fromtimestamp`",
    "a time that is parsed": "`strptime` without a date",
    "callable": "small Python",
    "the local time": "`datetime.today()`",
    "zoneinfo": "only these modules can be imported",
}

FEATURES = tuple(
    Feature(name.strip(), source, TOLD.get(name.strip(), ""))
    for text in (language_syntax.TEXT, language_library.TEXT)
    for name, source in (block.split("\n", 1) for block in text.split("\n### ")[1:])
)
