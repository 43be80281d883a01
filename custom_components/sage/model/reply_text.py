"""Assemble the text of a reply: without reasoning, and only up to the first stop sequence."""

import math
import re
from typing import Final

_REASONING_BEGINS: Final = "<think>"
_REASONING_ENDS: Final = "</think>"
_DECISION_BEGINS: Final = re.compile(r"\A\s*(?:```\w*\s*)?\{|^\s*Action Input:", re.MULTILINE)
_QUOTE: Final = re.compile(r'(?<!\\)"')
"""Begins or ends a JSON string; `</think>` inside a string is no end of the reasoning."""

_REPEATS: Final = 4
"""Number of equal parts at the end of a reply that repeats itself."""

_LONGEST_REPEATED: Final = 600
"""Maximum length of one such part in characters."""

_LEAST_REPEATED: Final = 800
"""Minimum length of all equal parts together in characters; long lists have equal items, too."""

_CHECKED_EVERY: Final = 100
"""Number of new characters after which a reply is checked for repetition."""


class ReplyText:
    """Assembles the text of a reply from its pieces, without a leading `<think>...</think>` block.

    The text is cut before the first stop sequence.
    """

    def __init__(self, stop: tuple[str, ...] = ()) -> None:
        """Set the stop sequences; the text ends before the first one."""
        self._stop = stop
        self._held = max((len(word) for word in stop), default=1) - 1
        self._raw = ""
        self._thinking: bool | None = None
        self._text = ""
        self._passed = 0
        self.stopped = False
        """Whether the text contains a stop sequence; later pieces are ignored."""

    def add(self, piece: str) -> str:
        """Add a piece; return the new text that certainly belongs to the reply.

        Text that may be reasoning or the start of a stop sequence waits for a later call.
        """
        if self.stopped:
            return ""
        if self._thinking is False:
            self._text += piece
        else:
            self._raw += piece
            self._text += self._after_reasoning()
        return self._pass_on()

    def end(self) -> str:
        """Complete the text; return the part that `add` has not returned."""
        if self._thinking is None:
            # An incomplete `<think>` tag is plain text.
            self._text += self._raw.lstrip()
            self._thinking = False
        self._find_stop()
        rest = self._text[self._passed :]
        self._passed = len(self._text)
        return rest

    @property
    def text(self) -> str:
        """The complete text; valid only after `end`."""
        # Some chat templates put `<think>` into the prompt, so the reply has only `</think>`.
        reasoning, _, rest = self._text.rpartition(_REASONING_ENDS)
        is_quoted = _DECISION_BEGINS.search(reasoning) and _QUOTE.subn("", reasoning)[1] % 2
        return (self._text if is_quoted else rest).strip()

    def _after_reasoning(self) -> str:
        """Return the text after the reasoning block; empty until the block has ended."""
        begun = self._raw.lstrip()
        if self._thinking is None:
            if len(begun) < len(_REASONING_BEGINS) and _REASONING_BEGINS.startswith(begun):
                return ""
            self._thinking = begun.startswith(_REASONING_BEGINS)
        if not self._thinking:
            return begun
        _, closed, rest = begun.partition(_REASONING_ENDS)
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


class Repetition:
    """Finds out whether a growing text repeats itself, which small models do without end."""

    def __init__(self) -> None:
        self._tail = ""
        self._unchecked = 0
        self.is_certain = False
        """Whether the text has repeated itself; stays True."""

    def begin(self) -> None:
        """Begin a new text; what came before it does not count."""
        self._tail = ""

    def add(self, piece: str) -> None:
        """Add a piece of the text."""
        self._tail = (self._tail + piece)[-_REPEATS * _LONGEST_REPEATED :]
        self._unchecked += len(piece)
        if self._unchecked >= _CHECKED_EVERY:
            self._unchecked = 0
            self.is_certain = self.is_certain or repeats_itself(self._tail)


def repeats_itself(text: str) -> bool:
    """Return whether a text ends with four or more equal parts, of 800 characters together.

    A part has at most 600 characters.
    """
    longest = min(len(text) // _REPEATS, _LONGEST_REPEATED)
    return any(
        text.endswith(text[-length:] * max(_REPEATS, math.ceil(_LEAST_REPEATED / length)))
        for length in range(1, longest + 1)
    )
