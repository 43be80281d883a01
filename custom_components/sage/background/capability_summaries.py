"""One-line summaries of SmartThings capabilities, written by the language model."""

# This module connects the packages `agent` and `home`, which do not import each other.

import logging
from collections.abc import Iterable, Mapping, Sequence
from itertools import batched
from typing import Any, Final

from ..agent.run import AgentSettings
from ..home.labels import quiet
from ..home.smartthings.raw import Definition
from ..model.language_model import ModelError, object_schema
from ..model.partial_json import first_object

_LOGGER = logging.getLogger(__name__)

_PROMPT: Final = "capability_summary"
_AT_ONCE: Final = 10
"""Maximum number of capabilities per model request; small, for small local models."""

_LONGEST: Final = 120
"""Maximum length of a summary in characters."""

_LONGEST_NAME: Final = 80
_NAMES: Final = 20
"""Maximum number of attributes, and also of commands, per capability in the prompt."""

_TOKENS_EACH: Final = 64
_TOKENS_TO_THINK: Final = 1024


class SummaryWriter:
    """Writes summaries of SmartThings capabilities with the language model of an agent."""

    def __init__(self, settings: AgentSettings) -> None:
        self._settings = settings

    async def async_summarize(self, definitions: Sequence[Definition]) -> Mapping[str, str]:
        """Return one-line summaries: capability id -> text of at most 120 characters.

        Capabilities without a usable summary are left out. Raises ModelError if the model fails
        before it wrote any summary.
        """
        written: dict[str, str] = {}
        for batch in batched(definitions, _AT_ONCE, strict=False):
            try:
                written |= await self._async_ask(batch)
            except ModelError as err:
                if not written:
                    raise
                _LOGGER.warning("Only %d summaries were written: %s", len(written), err)
                break
        return written

    async def _async_ask(self, definitions: Sequence[Definition]) -> dict[str, str]:
        ids = [each.id for each in definitions]
        request = self._settings.json_request(
            self._settings.prompts[_PROMPT],
            "\n".join(map(_described, definitions)),
            schema=object_schema({each: {"type": "string"} for each in ids}),
            max_tokens=_TOKENS_TO_THINK + _TOKENS_EACH * len(ids),
        )
        reply = await self._settings.model.async_complete(request)
        parsed = _parsed(reply.text)
        written = {each: line for each in ids if (line := _line(parsed.get(each)))}
        _LOGGER.debug("%d of %d summaries written: %s", len(written), len(ids), reply.usage)
        return written


def _described(definition: Definition) -> str:
    """Return the id, commands and attributes of a capability as one line of the prompt."""
    attributes = _listed(each.name for each in definition.attributes)
    commands = _listed(
        f"{each.name}({', '.join(argument.name for argument in each.arguments)})"
        for each in definition.commands
    )
    return (
        f"{quiet(definition.id)}: {f'commands {commands}' if commands else 'no commands'}; "
        f"{f'attributes {attributes}' if attributes else 'no attributes'}"
    )


def _listed(names: Iterable[str]) -> str:
    return ", ".join(quiet(each)[:_LONGEST_NAME] for each in list(names)[:_NAMES])


def _parsed(text: str) -> Mapping[str, Any]:
    """Return the JSON object in a reply; if the reply is cut off, only the complete entries."""
    return first_object(text) or first_object(text.rpartition('",')[0] + '"}') or {}


def _line(text: object) -> str:
    """Return `text` as one line of limited length; "" if it is no string or has no letters."""
    line = " ".join(text.split()).rstrip(".") if isinstance(text, str) else ""
    if not any(character.isalpha() for character in line):
        return ""
    if len(line) <= _LONGEST:
        return line
    return f"{line[: _LONGEST - 1].rpartition(' ')[0] or line[: _LONGEST - 1]}…"
