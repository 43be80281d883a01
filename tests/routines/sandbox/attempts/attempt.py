"""What an attempt is: condition code that tries to get at what it must not reach.

`check()` returns True where it got there. In plain CPython each of them does; in the
sandbox none may. An attempt that exhausts never returns in plain CPython, or not alive.
"""

from dataclasses import dataclass
from enum import StrEnum


class Kind(StrEnum):
    OBJECTS = "objects"
    FRAMES = "frames"
    FORMAT = "format"
    IMPORTS = "imports"
    BUILT_INS = "built_ins"
    SYNTAX = "syntax"
    FUNCTIONS = "functions"
    ISOLATION = "isolation"
    TIME = "time"
    MEMORY = "memory"
    RECURSION = "recursion"
    PARSER = "parser"


EXHAUSTING = frozenset({Kind.TIME, Kind.MEMORY, Kind.RECURSION, Kind.PARSER})

SECRET = "the-code-of-the-safe"
"""The content of SECRET_FILE, and the global `secret` next to plain condition functions."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    name: str
    kind: Kind
    source: str  # `check()`; SECRET_FILE, NEW_FILE and PORT are replaced
    victim: str = ""  # another check (`check()` again) that returns True where it was tampered with


def attempts(kind: Kind, text: str) -> tuple[Attempt, ...]:
    """Read attempts from a text: `### name` begins one, `### victim` its victim."""
    found: list[Attempt] = []
    for block in text.split("\n### ")[1:]:
        name, source = block.split("\n", 1)
        if name.strip() == "victim":
            last = found.pop()
            found.append(Attempt(name=last.name, kind=kind, source=last.source, victim=source))
        else:
            found.append(Attempt(name=name.strip(), kind=kind, source=source))
    return tuple(found)
