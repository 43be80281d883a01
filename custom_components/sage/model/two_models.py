"""A language model with a second one that replies while the first one does not."""

import asyncio
import logging
from dataclasses import replace
from time import monotonic
from typing import Final

from .language_model import (
    DeltaSink,
    LanguageModel,
    ModelError,
    ModelErrorKind,
    ModelReply,
    ModelRequest,
)

_LOGGER = logging.getLogger(__name__)

_FIRST_WORD_SECONDS: Final = 30.0  # until a streamed reply begins; other replies get twice as long
_MOST_UNREADABLE: Final = 2  # unreadable replies in succession after which the second model replies
_SHORTEST_PAUSE: Final = 10.0  # after an error of the first model; doubled after each further one
_PAUSE_AFTER_TIMEOUT: Final = 60.0
_LONGEST_PAUSE: Final = 600.0

_OF_THE_REQUEST: Final = {ModelErrorKind.PROMPT_TOO_LONG, ModelErrorKind.REFUSED}
"""Errors that say nothing about the next request."""


class TwoModels:
    """Asks the first model and, after an error, the second one; `name` is that of the first.

    After an error, the second model is asked directly for a while. Then one request tries the first
    model again. If both fail, the error is that of the first model.
    """

    def __init__(
        self,
        first: LanguageModel,
        second: LanguageModel,
        *,
        first_word_seconds: float = _FIRST_WORD_SECONDS,
    ) -> None:
        """Set the models.

        `first_word_seconds`: time until a streamed reply of the first model must begin. Its whole
        reply may take twice as long.
        """
        self.name = first.name
        self._first = first
        self._second = second
        self._seconds = min(first_word_seconds, _FIRST_WORD_SECONDS)
        self._error: ModelErrorKind | None = None  # of the last request to the first model
        self._pause = self._next_try = 0.0
        self._is_trying = False  # whether a request tries the first model after a pause

    async def async_complete(
        self, request: ModelRequest, *, on_delta: DeltaSink | None = None
    ) -> ModelReply:
        """Return the complete reply of the first model, or else that of the second one.

        `on_delta` receives the pieces of the reply of one model only. Raises ModelError if both
        models fail.
        """
        is_heard = False

        def pass_on(piece: str) -> None:
            nonlocal is_heard
            is_heard = True
            if on_delta is not None:
                on_delta(piece)

        def stream() -> DeltaSink | None:
            # Nothing more is streamed after the user may have heard the beginning of a reply.
            return None if on_delta is None or is_heard else pass_on

        is_known = self._is_trying or monotonic() < self._next_try
        why, detail = self._error if is_known else None, None
        if request.unreadable >= _MOST_UNREADABLE:
            why = self._noted(ModelError(ModelErrorKind.BROKEN_REPLY, "no decisions")).kind
        if why is None:
            try:
                return await self._async_ask_first(request, stream())
            except ModelError as err:
                why, detail = err.kind, err.detail
        try:
            reply = await self._second.async_complete(request.for_second(), on_delta=stream())
        except ModelError as err:
            _LOGGER.debug("The second model %s failed, too: %s", self._second.name, err)
            if detail is not None:
                raise ModelError(why, detail) from None
        else:
            return replace(reply, instead_of=why)
        return await self._async_ask_first(request, stream())

    async def _async_ask_first(
        self, request: ModelRequest, on_delta: DeltaSink | None
    ) -> ModelReply:
        """Return the reply of the first model; note its error or its success. Raises ModelError."""
        begun = asyncio.get_running_loop().time()
        self._is_trying = self._error is not None
        try:
            async with asyncio.timeout_at(begun + self._seconds * (2 - bool(on_delta))) as scope:

                def pass_on(piece: str) -> None:
                    scope.reschedule(begun + 2 * self._seconds)
                    if on_delta is not None:
                        on_delta(piece)

                reply = await self._first.async_complete(request, on_delta=on_delta and pass_on)
        except TimeoutError:
            raise self._noted(ModelError(ModelErrorKind.TIMEOUT, "no reply soon enough")) from None
        except ModelError as err:
            self._noted(err)
            raise
        finally:
            self._is_trying = False
        self._error, self._pause = None, 0.0
        return reply

    def _noted(self, err: ModelError) -> ModelError:
        if err.kind in _OF_THE_REQUEST:
            self._error = None
        elif self._error is None or monotonic() >= self._next_try:
            if self._error is None:
                _LOGGER.warning("%s replies instead of %s: %s", self._second.name, self.name, err)
            self._error = err.kind
            least = _PAUSE_AFTER_TIMEOUT if err.kind is ModelErrorKind.TIMEOUT else _SHORTEST_PAUSE
            self._pause = min(max(least, 2 * self._pause, err.wait or 0.0), _LONGEST_PAUSE)
            self._next_try = monotonic() + self._pause
        return err
