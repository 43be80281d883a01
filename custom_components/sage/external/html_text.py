"""Extract the visible text of an HTML message: hidden text may instruct models."""

import re
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
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
_LENGTH: Final = re.compile(r"(-?[\d.]+)(px|pt|em|rem|ex|ch|vw|vh|%)?\Z")
_SMALLEST: Final = 3.0  # font size in pixels or points up to which text is unreadable
_FAR: Final = -500.0  # offset in pixels from which text lies outside the window
_COLORS: Final = {"white": "ffffff", "black": "000000"}
_COLOR_SIGNS: Final = str.maketrans("(),/", "    ", "%")
_LONGEST_VALUE: Final = 100  # maximum length of a color or a length in CSS; longer ones are ignored
_LONG_REFERENCE: Final = re.compile(r"&#\d{8,}")
"""A character reference that is no character; the parser fails at very long ones."""

_EMPTY_LINES: Final = re.compile(r"\n{3,}")


def visible_text(html: str) -> tuple[str, bool]:
    """Return the visible text, a line for each block element, and whether any was hidden."""
    reader = _Reader()
    reader.feed(_LONG_REFERENCE.sub("", html))
    reader.close()
    lines = (" ".join(line.split()) for line in "".join(reader.pieces).split("\n"))
    text = _EMPTY_LINES.sub("\n\n", "\n".join(lines)).strip()
    return text, reader.has_hidden


@dataclass(frozen=True, slots=True, kw_only=True)
class _Element:
    tag: str
    is_text: bool  # whether readers may show its text: not in a title or a style sheet
    is_shown: bool
    color: str
    background: str


class _Reader(HTMLParser):
    """Collects the text of the visible elements."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.pieces: list[str] = []
        self.has_hidden = False
        self._open = [
            _Element(tag="", is_text=True, is_shown=True, color="000000", background="ffffff")
        ]
        self._tags: Counter[str] = Counter()  # the number of open elements by tag
        self._hiding: set[str] = set()  # classes and ids that a style sheet in the message hides

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _BLOCKS:
            self.pieces.append("\n")
        if tag in _VOID:
            return
        values = {name: value or "" for name, value in attrs}
        styles = _declarations(values.get("style", ""))
        above = self._open[-1]
        color = _color(styles.get("color") or values.get("color", "")) or above.color
        painted = styles.get("background-color") or styles.get("background", "")
        background = _color(painted or values.get("bgcolor", "")) or above.background
        is_text = above.is_text and tag not in _NEVER_SHOWN
        names = {f".{name}" for name in values.get("class", "").split()}
        names.add(f"#{values.get('id', '')}")
        is_hidden = "hidden" in values or bool(names & self._hiding) or _hides(styles)
        is_shown = above.is_shown and is_text and not is_hidden
        self._tags[tag] += 1
        self._open.append(
            _Element(
                tag=tag, is_text=is_text, is_shown=is_shown, color=color, background=background
            )
        )

    def handle_endtag(self, tag: str) -> None:
        if tag in _BLOCKS:
            self.pieces.append("\n")
        is_open = self._tags[tag] > 0
        while is_open:
            closed = self._open.pop().tag
            self._tags[closed] -= 1
            is_open = closed != tag

    def handle_data(self, data: str) -> None:
        element = self._open[-1]
        if element.tag == "style":
            self._hiding |= _hidden_by(data)
        if element.is_shown and element.color not in ("transparent", element.background):
            self.pieces.append(data.replace("\n", " "))
        elif element.is_text and data.strip():
            self.has_hidden = True


def _hidden_by(sheet: str) -> set[str]:
    names: set[str] = set()
    for rule in sheet.split("}"):
        before, _, body = rule.rpartition("{")
        if _hides(_declarations(body)):
            for selector in before.rpartition("{")[2].split(","):
                last = "".join(selector.split()[-1:])
                name = last[max(last.rfind("."), last.rfind("#"), 0) :]
                if name[:1] in (".", "#") and name[1:].replace("-", "_").isidentifier():
                    names.add(name)
    return names


def _declarations(style: str) -> dict[str, str]:
    pairs = (each.partition(":") for each in style.lower().split(";"))
    return {
        name.strip(): value.replace("!important", "").strip() for name, _, value in pairs if value
    }


def _hides(styles: dict[str, str]) -> bool:
    return (
        styles.get("display") == "none"
        or styles.get("mso-hide") == "all"
        or styles.get("visibility") in ("hidden", "collapse")
        or _is_at_most(styles, ("font-size",), _SMALLEST, 0.2)
        or _is_at_most(styles, ("opacity",), 0.1, 10)
        or _is_at_most(styles, ("max-height", "max-width", "height"), 1, 0)
        or _is_at_most(styles, ("left", "top", "text-indent", "margin-left"), _FAR, _FAR)
        or "clip-path" in styles
        or styles.get("clip", "").startswith("rect(0")
    )


def _is_at_most(
    styles: dict[str, str], names: Sequence[str], absolute: float, relative: float
) -> bool:
    """Return whether one of these lengths is so small; `relative`: limit of one in em or %."""
    for name in names:
        value = styles.get(name, "")[: _LONGEST_VALUE + 1]
        most = relative if value.endswith(("em", "rem", "%")) else absolute
        if (length := _LENGTH.match(value)) is not None:
            with suppress(ValueError):
                if float(length[1]) <= most:
                    return True
    return False


def _color(value: str) -> str:
    """Return a CSS color as six hexadecimal digits or `transparent`; empty if unknown."""
    value = value.strip().lower()[: _LONGEST_VALUE + 1]
    if value == "transparent":
        return value
    if value.startswith("rgb"):
        return _rgb(value.partition("(")[2].translate(_COLOR_SIGNS).split())
    digits = value.removeprefix("#")
    if value.startswith("#") and len(digits) in (3, 4):
        digits = "".join(2 * each for each in digits[:3])
    if value.startswith("#") and len(digits) == 6:
        return digits
    return _COLORS.get(value, "")


def _rgb(numbers: Sequence[str]) -> str:
    try:
        red, green, blue, *alpha = map(float, numbers)
        if alpha and alpha[0] == 0:
            return "transparent"
        return "".join(f"{min(max(int(each), 0), 255):02x}" for each in (red, green, blue))
    except ValueError, OverflowError:
        return ""
