"""What several flows share: fields, and the test of a model while the flow shows the progress."""

import asyncio
import logging
from collections.abc import Iterable, Mapping
from typing import Any, Final, cast

import probatio
from homeassistant.core import HomeAssistant
from homeassistant.data_entry_flow import FlowHandler
from homeassistant.helpers.selector import (
    NumberSelector,
    NumberSelectorConfig,
    NumberSelectorMode,
    SelectOptionDict,
    SelectSelector,
    SelectSelectorConfig,
    SelectSelectorMode,
    TextSelector,
    TextSelectorConfig,
    TextSelectorType,
)

from ..home import quiet
from ..model import ModelError, ModelErrorKind
from ..people import async_all_users
from .connection import Connection
from .probe import async_probe_connection
from .verdict import Probe

_LOGGER = logging.getLogger(__name__)

_SHOWN_SECONDS: Final = 1.0
"""Minimum duration of the progress step, so that the dialog can subscribe to its end."""

_USUAL_STEPS: Final = 10  # number of requests of a test that finds a good model
PASSWORD: Final = TextSelector(
    TextSelectorConfig(type=TextSelectorType.PASSWORD, autocomplete="off")
)
SECRET: Final = TextSelector(
    TextSelectorConfig(type=TextSelectorType.PASSWORD, autocomplete="new-password")
)
URL_FIELD: Final = TextSelector(TextSelectorConfig(type=TextSelectorType.URL))


def required(key: str, shown: Mapping[str, Any]) -> probatio.Required:
    """Return a required field, filled with the value in `shown`, if there is one."""
    return probatio.Required(key, default=shown.get(key, probatio.UNDEFINED))


def suggested(key: str, value: object) -> probatio.Optional:
    """Return an optional field, filled with `value`, which can be emptied."""
    return probatio.Optional(key, description={"suggested_value": value})


def number(least: int, most: int) -> NumberSelector:
    """Return a selector for a number from `least` to `most`."""
    return NumberSelector(NumberSelectorConfig(min=least, max=most, mode=NumberSelectorMode.BOX))


def choice(names: Mapping[str, str | None], **config: Any) -> SelectSelector:
    """Return a selector for keys with names; `config`: further keys of `SelectSelectorConfig`."""
    config["options"] = [
        SelectOptionDict(value=key, label=key if name is None else name)
        for key, name in names.items()
    ]
    return SelectSelector(cast("SelectSelectorConfig", config))


_OTHER_KINDS: Final = (
    *("asr", "audio", "bge", "clip", "dalle", "embed", "image", "minilm", "moderation", "ocr"),
    *("realtime", "rerank", "sora", "transcribe", "tts", "veo", "whisper"),
)
"""Parts of the names of models that cannot chat."""


def model_selector(models: Iterable[str]) -> SelectSelector:
    """Return a selector for a model, which may be missing in the list.

    Models that cannot chat come last.
    """
    ranked = sorted(models, key=lambda name: (not may_chat(name), name))
    return SelectSelector(
        SelectSelectorConfig(options=ranked, custom_value=True, mode=SelectSelectorMode.DROPDOWN)
    )


def may_chat(model: str) -> bool:
    """Return whether the name of a model is of no other kind, such as an embedding model."""
    return not any(kind in model.casefold() for kind in _OTHER_KINDS)


def escaped(text: str) -> str:
    """Return `text` on one line with escaped Markdown, for the description of a form."""
    return "".join(f"\\{each}" if each in "\\`*_[]<>#|~!{}" else each for each in quiet(text))


async def async_people(hass: HomeAssistant) -> SelectSelector:
    """Return a selector for users who can sign in."""
    people = {user.id: user.name or user.id for user in await async_all_users(hass)}
    return choice(people, mode=SelectSelectorMode.DROPDOWN)


async def async_name_of(hass: HomeAssistant, user_id: str) -> str:
    """Return the name of a user, or `user_id` if the user has no name or does not exist."""
    user = await hass.auth.async_get_user(user_id)
    return (user.name if user else None) or user_id


class PendingProbe:
    """Tests a model in the background of one config flow."""

    def __init__(self, flow: FlowHandler[Any, Any, Any]) -> None:
        self._flow = flow
        self._task: asyncio.Task[tuple[Connection, Probe]] | None = None
        self._steps = 0

    def run(self, connection: Connection) -> asyncio.Task[tuple[Connection, Probe]] | None:
        """Start the test, unless it was started; return its task, or None if it has ended.

        Every call returns the same task until the test has ended, then None. After `take`, the next
        call starts a new test.
        """
        if self._task is None:
            hass = self._flow.hass
            self._steps = 0
            self._task = hass.async_create_task(
                self._async_shown_probe(connection), "SAGE model probe", eager_start=False
            )
        return None if self._task.done() else self._task

    def take(self) -> tuple[Connection, Probe]:
        """Return the connection with what the test found; raises ModelError if the test failed.

        Call this once, after `run` has returned None.
        """
        assert self._task is not None
        task, self._task = self._task, None
        return task.result()

    async def _async_shown_probe(self, connection: Connection) -> tuple[Connection, Probe]:
        """Return what the test found, after at least `_SHOWN_SECONDS`. Raises ModelError."""
        result, _ = await asyncio.gather(
            async_probe_connection(self._flow.hass, connection, self._note_step),
            asyncio.sleep(_SHOWN_SECONDS),
            return_exceptions=True,
        )
        if isinstance(result, Exception) and not isinstance(result, ModelError):
            # Convert any error, because the dialog would wait forever after another exception.
            _LOGGER.error("The model could not be probed", exc_info=result)
            raise ModelError(ModelErrorKind.BROKEN_REPLY) from result
        if isinstance(result, BaseException):
            raise result
        return result

    def _note_step(self) -> None:
        self._steps += 1
        self._flow.async_update_progress(min(self._steps / _USUAL_STEPS, 1.0))
