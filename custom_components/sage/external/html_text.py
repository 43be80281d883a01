"""Extract the visible text of an HTML message: hidden text may instruct models."""

import re
from collections import Counter
from html.parser import HTMLParser
from typing import Final

_NEVER_SHOWN: Final = frozenset(
    {"head", "style", "script", "template", "title", "noscript", "object", "svg", "select"}
)
_VOID: Final = frozenset(
    {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr"}
)
_BLOCKS: Final = frozenset(
    {
        *("address", "article", "blockquote", "br", "center", "dd", "div", "dl", "dt", "figure"),
        *("footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "li", "main"),
        *("nav", "ol", "p", "pre", "section", "table", "td", "th", "tr", "ul"),
    }
)
_HIDING: Final = frozenset(
    {
        *("display:none", "visibility:hidden", "mso-hide:all", "opacity:0"),
        *("font-size:0", "font-size:0px", "max-height:0", "max-height:0px"),
    }
)
"""CSS declarations, without spaces, of elements that nobody sees."""

_LONG_REFERENCE: Final = re.compile(r"&#\d{8,}")
"""A character reference that is no character; the parser fails at very long ones."""

_EMPTY_LINES: Final = re.compile(r"\n{3,}")


def visible_text(html: str) -> str:
    """Return the visible text, with a line for each block element.

    Text is hidden by its element or by a style in the element, not by a style sheet or its color.
    """
    reader = _Reader()
    reader.feed(_LONG_REFERENCE.sub("", html))
    reader.close()
    lines = (" ".join(line.split()) for line in "".join(reader.pieces).split("\n"))
    return _EMPTY_LINES.sub("\n\n", "\n".join(lines)).strip()


class _Reader(HTMLParser):
    """Collects the text of the visible elements."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.pieces: list[str] = []
        self._open: list[tuple[str, bool]] = [("", True)]
        """The tags of the open elements, and whether their text is visible."""

        self._tags: Counter[str] = Counter()  # the number of open elements by tag

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _BLOCKS:
            self.pieces.append("\n")
        if tag in _VOID:
            return
        values = {name: value or "" for name, value in attrs}
        is_hidden = tag in _NEVER_SHOWN or "hidden" in values or _hides(values.get("style", ""))
        self._tags[tag] += 1
        self._open.append((tag, self._open[-1][1] and not is_hidden))

    def handle_endtag(self, tag: str) -> None:
        if tag in _BLOCKS:
            self.pieces.append("\n")
        is_open = self._tags[tag] > 0
        while is_open:
            closed, _ = self._open.pop()
            self._tags[closed] -= 1
            is_open = closed != tag

    def handle_data(self, data: str) -> None:
        if self._open[-1][1]:
            self.pieces.append(data.replace("\n", " "))


def _hides(style: str) -> bool:
    declarations = "".join(style.lower().split()).replace("!important", "").split(";")
    return not _HIDING.isdisjoint(declarations)
