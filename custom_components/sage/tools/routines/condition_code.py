"""Condition code of a run: the prompt to write it, and what was written.

The devices that it reads are told, so that a wrong one is noticed at once.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Final

from ...home.home import PersonHome
from ...home.home_types import Documentation, HomeError, Source
from ...home.listing import Listing
from ...home.values import STATE
from ...routines.sandbox.contract import MISSING_FEATURES
from ...routines.sandbox.sandbox_types import ConditionFunction, Parameter

_MAIN: Final = "main"
_MOST_CALLS: Final = 16
_MOST_NAMED: Final = 2
"""Attributes of a component that are shown in addition to its state."""

_FENCE: Final = re.compile(r"```\w*\n(.*?)(?:\n```|\Z)", re.DOTALL)
_TOP_LEVEL: Final = re.compile(r"^def\s+(\w+)\s*\(", re.MULTILINE)


def condition_task_info(prompt: str, functions: Iterable[ConditionFunction]) -> str:
    """Return the instructions with all condition functions; byte-stable."""
    listed = "\n".join(map(_signature, functions))
    return prompt.replace("{functions}", listed).replace("{missing}", MISSING_FEATURES.strip())


def readable(documents: Iterable[Documentation]) -> Iterator[Documentation]:
    """Yield the documents without commands, since a condition only reads."""
    return (replace(each, commands=()) for each in documents)


def reading_calls(documents: Iterable[Documentation], listing: Listing) -> str:
    """Return the calls that read the documented attributes, as code.

    Small models copy them; without an example they invent ids.
    """
    calls = [call for document in documents for call in _calls(document, listing)]
    shown = ", ".join(calls[:_MOST_CALLS])
    return shown if len(calls) <= _MOST_CALLS else f"{shown} and so on"


def without_fence(code: str) -> str:
    """Return the code without the marks of a Markdown code block."""
    fenced = _FENCE.search(code)
    return (fenced[1] if fenced else code).strip("\n") + "\n"


def entry_of(source: str, named: str) -> str:
    """Return the name of the function to call; models may write `is_on()` or a wrong name."""
    name = named.removesuffix("()").strip()
    defined = _TOP_LEVEL.findall(source)
    return name if name in defined or not defined else defined[-1]


def _calls(document: Documentation, listing: Listing) -> Iterator[str]:
    names = [each.name for each in document.attributes]
    if document.source is not Source.HOME_ASSISTANT:
        part = "" if document.component_id == _MAIN else f", {document.component_id!r}"
        yield from (
            f"get_attribute({document.device_id!r}, {name!r}{part})" for name in names[:_MOST_NAMED]
        )
        return
    parts = listing.find(document.device_id).device.components
    own = document.device_id if len(parts) == 1 else document.component_id
    for state in document.attributes:
        if state.name == STATE:
            yield f"get_state({own!r})" + (f": {state.shown_values}" if state.meanings else "")
    others = [name for name in names if name != STATE]
    yield from (f"get_attribute({own!r}, {name!r})" for name in others[:_MOST_NAMED])


def _signature(function: ConditionFunction) -> str:
    parameters = ", ".join(map(_parameter, function.parameters))
    says = f": {function.description}" if function.description else ""
    return f"- {function.name}({parameters}) -> {function.returns}{says}"


def _parameter(parameter: Parameter) -> str:
    default = "" if parameter.required else f" = {parameter.default!r}"
    return f"{parameter.name}: {parameter.type}{default}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadDevice:
    """A device as it is named to the person."""

    name: str
    area: str | None
    has_namesake: bool
    """Whether another device that the person sees has the same name."""

    @property
    def placed(self) -> str:
        """Its name and area: "Lamp (Bedroom)"."""
        return f"{self.name} ({self.area})" if self.area else self.name

    @property
    def spoken(self) -> str:
        """Its name, with the area only if another device has the same name."""
        return self.placed if self.has_namesake else self.name


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenCondition:
    """Condition code that ran without an error."""

    function: str
    words: str
    """The condition as a statement in the person's words: "the washer is done"."""

    source: str
    value: bool | None
    """Its value when it was run; None if that was unknown."""

    bindings: Mapping[str, str] = field(default_factory=dict)
    """Name in the code -> reference to the registries."""

    devices: tuple[ReadDevice, ...] = ()
    """The devices that it reads; they are named to the person, who may notice a wrong one."""


async def async_devices_read(home: PersonHome, bindings: Iterable[str]) -> tuple[ReadDevice, ...]:
    """Return the devices that condition code names, by the keys of its bindings."""
    listing = await home.async_listing()
    names = [each.name for each in listing.devices]
    found: dict[str, ReadDevice] = {}
    # A key that is not a plain name refers to a part of a device.
    for key in filter(str.isprintable, bindings):
        with suppress(HomeError):
            device = listing.find(key).device
            found[device.id] = ReadDevice(
                name=device.name, area=device.area, has_namesake=names.count(device.name) > 1
            )
    return tuple(found.values())
