"""What a model is told to write condition code, and how its code is read."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from ..home.model import Documentation
from ..routines.sandbox.contract import MISSING_FEATURES
from ..routines.sandbox.model import LentFunction, Parameter

_FENCE: Final = re.compile(r"```\w*\n(.*?)(?:\n```|\Z)", re.DOTALL)
_TOP_LEVEL: Final = re.compile(r"^def\s+(\w+)\s*\(", re.MULTILINE)


def condition_task_info(prompt: str, functions: Iterable[LentFunction]) -> str:
    """Return the instructions with all that condition code may call: the same bytes each time."""
    listed = "\n".join(map(_signature, functions))
    return prompt.replace("{functions}", listed).replace("{missing}", MISSING_FEATURES.strip())


def readable(documents: Iterable[Documentation]) -> Iterator[Documentation]:
    """Yield the documents without their commands: a condition only reads."""
    return (replace(each, commands=()) for each in documents)


def without_fence(code: str) -> str:
    """Return the code that a model wrote, without the marks of a code block."""
    fenced = _FENCE.search(code)
    return (fenced[1] if fenced else code).strip("\n") + "\n"


def entry_of(source: str, named: str) -> str:
    """Return the name of the function to call: models write `is_on()`, or another name."""
    name = named.removesuffix("()").strip()
    defined = _TOP_LEVEL.findall(source)
    return name if name in defined or not defined else defined[-1]


def _signature(function: LentFunction) -> str:
    parameters = ", ".join(map(_parameter, function.parameters))
    says = f": {function.description}" if function.description else ""
    return f"- {function.name}({parameters}) -> {function.returns}{says}"


def _parameter(parameter: Parameter) -> str:
    default = "" if parameter.required else f" = {parameter.default!r}"
    return f"{parameter.name}: {parameter.type}{default}"
