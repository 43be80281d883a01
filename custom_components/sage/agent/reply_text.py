"""The text of a streamed reply, without hidden reasoning, up to a stop sequence."""

from typing import Final

_OPEN: Final = "<think>"
_CLOSE: Final = "</think>"


class ReplyText:
    """Collects the text of a reply from its pieces.

    A leading `<think>...</think>` block is left out. Stop sequences are applied here
    too, because some servers ignore or refuse them.
    """

    def __init__(self, stop: tuple[str, ...] = ()) -> None:
        """Begin an empty text that ends before the first of `stop`."""
        self._stop = stop
        self._held = max((len(word) for word in stop), default=1) - 1
        self._raw = ""
        self._thinking: bool | None = None
        self._text = ""
        self._passed = 0
        self.stopped = False
        """A stop sequence was found; later text is ignored."""

    def add(self, piece: str) -> str:
        """Add the next piece; return the text that is now certain."""
        if self.stopped:
            return ""
        if self._thinking is False:
            self._text += piece
        else:
            self._raw += piece
            self._text += self._after_reasoning()
        return self._pass_on()

    def end(self) -> str:
        """Return the rest; the text is complete now."""
        if self._thinking is None:
            # What looked like the beginning of `<think>` was plain text.
            self._text += self._raw.lstrip()
            self._thinking = False
        self._find_stop()
        rest = self._text[self._passed :]
        self._passed = len(self._text)
        return rest

    @property
    def text(self) -> str:
        """The whole text, once it has ended."""
        # Some chat templates write the opening mark into the prompt.
        return self._text.rpartition(_CLOSE)[2].strip()

    def _after_reasoning(self) -> str:
        """Return the text after the reasoning, as soon as its end is known."""
        begun = self._raw.lstrip()
        if self._thinking is None:
            if len(begun) < len(_OPEN) and _OPEN.startswith(begun):
                return ""
            self._thinking = begun.startswith(_OPEN)
        if not self._thinking:
            return begun
        _, closed, rest = begun.partition(_CLOSE)
        if not closed or not rest.lstrip():
            return ""
        self._thinking = False
        return rest.lstrip()

    def _pass_on(self) -> str:
        self._find_stop()
        certain = len(self._text) if self.stopped else len(self._text) - self._held
        if certain <= self._passed:
            return ""
        piece = self._text[self._passed : certain]
        self._passed = certain
        return piece

    def _find_stop(self) -> None:
        ends = [at for at in map(self._text.find, self._stop) if at >= 0]
        if ends:
            self._text = self._text[: min(ends)]
            self.stopped = True
