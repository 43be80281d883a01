"""All attempts."""

from . import (
    built_ins,
    condition_functions,
    exhaustion,
    format_strings,
    frames,
    imports,
    isolation,
    object_graph,
    syntax,
)
from .attempt import EXHAUSTING, Attempt

CORPUS: tuple[Attempt, ...] = (
    *object_graph.ATTEMPTS,
    *frames.ATTEMPTS,
    *format_strings.ATTEMPTS,
    *imports.ATTEMPTS,
    *built_ins.ATTEMPTS,
    *syntax.ATTEMPTS,
    *condition_functions.ATTEMPTS,
    *isolation.ATTEMPTS,
    *exhaustion.ATTEMPTS,
)
ESCAPES = tuple(each for each in CORPUS if each.kind not in EXHAUSTING)
EXHAUSTIONS = tuple(each for each in CORPUS if each.kind in EXHAUSTING)
