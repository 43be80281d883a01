"""Extract the visible text of an HTML message.

Hidden text is removed, because it may contain instructions for models.
"""

import re
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
_RULE: Final = re.compile(r"([^{}]*)\{([^{}]*)\}")
_SIMPLE_SELECTOR: Final = re.compile(r"[a-z0-9*]*((?:[.#][\w-]+)+)\Z", re.IGNORECASE)
_MARKERS: Final = re.compile(r"[.#][\w-]+")
_LENGTH: Final = re.compile(r"(-?[\d.]+)(px|pt|em|rem|ex|ch|vw|vh|%)?\Z")
_SMALLEST: Final = 3.0
"""Font size in pixels or points up to which text is unreadable."""

_FAR: Final = -500.0
"""Offset in pixels from which text lies outside the window."""

_COLORS: Final = {"white": "ffffff", "black": "000000"}
_RGB: Final = re.compile(r"rgba?\(\s*(\d+)[\s,]+(\d+)[\s,]+(\d+)(?:[\s,/]+([\d.]+)%?)?\s*\)\Z")
_SPACES: Final = re.compile(r"[ \t\r\f\v\xa0]+")
_LINES: Final = re.compile(r"\n\s*\n\s*")


@dataclass(frozen=True, slots=True, kw_only=True)
class VisibleText:
    """The visible text of an HTML message."""

    text: str
    has_hidden: bool
    """Whether hidden text was removed."""


def visible_text(html: str) -> VisibleText:
    """Return the visible text of `html`, one line for each block element such as `<p>`."""
    reader = _Reader()
    reader.feed(html)
    reader.close()
    lines = (_SPACES.sub(" ", line).strip() for line in "".join(reader.pieces).split("\n"))
    text = _LINES.sub("\n\n", "\n".join(lines)).strip()
    return VisibleText(text=text, has_hidden=reader.has_hidden)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Element:
    tag: str
    is_shown: bool
    color: str
    background: str


class _Reader(HTMLParser):
    """Collects the text of the visible elements."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.pieces: list[str] = []
        self.has_hidden = False
        self._open = [_Element(tag="", is_shown=True, color="000000", background="ffffff")]
        self._hiding: set[str] = set()
        """Classes and ids that a style sheet in the message hides."""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _BLOCKS:
            self.pieces.append("\n")
        if tag in _VOID:
            return
        given = {name: value or "" for name, value in attrs}
        styles = _declarations(given.get("style", ""))
        above = self._open[-1]
        color = _color(styles.get("color") or given.get("color", "")) or above.color
        painted = styles.get("background-color") or styles.get("background", "")
        background = _color(painted or given.get("bgcolor", "")) or above.background
        is_shown = above.is_shown and tag not in _NEVER_SHOWN and not self._is_hidden(given, styles)
        self._open.append(_Element(tag=tag, is_shown=is_shown, color=color, background=background))

    def handle_endtag(self, tag: str) -> None:
        if tag in _BLOCKS:
            self.pieces.append("\n")
        tags = [each.tag for each in self._open]
        if tag in tags:
            del self._open[len(tags) - 1 - tags[::-1].index(tag) :]

    def handle_data(self, data: str) -> None:
        element = self._open[-1]
        if element.tag == "style":
            self._hiding |= _hidden_by(data)
        if element.is_shown and element.color not in ("transparent", element.background):
            self.pieces.append(data.replace("\n", " "))
        elif data.strip() and not any(each.tag in _NEVER_SHOWN for each in self._open):
            self.has_hidden = True

    def _is_hidden(self, given: dict[str, str], styles: dict[str, str]) -> bool:
        names = {f".{each}" for each in given.get("class", "").split()}
        names.add(f"#{given.get('id', '')}")
        return "hidden" in given or bool(names & self._hiding) or _hides(styles)


def _hidden_by(sheet: str) -> set[str]:
    """Return the classes and ids that a style sheet hides."""
    found: set[str] = set()
    for selectors, body in _RULE.findall(sheet):
        if _hides(_declarations(body)):
            for selector in selectors.split(","):
                if (simple := _SIMPLE_SELECTOR.search(selector.strip())) is not None:
                    found.add(_MARKERS.findall(simple[1])[-1])
    return found


def _declarations(style: str) -> dict[str, str]:
    pairs = (each.partition(":") for each in style.lower().split(";"))
    return {
        name.strip(): value.replace("!important", "").strip() for name, _, value in pairs if value
    }


def _hides(styles: dict[str, str]) -> bool:
    """Return whether these CSS declarations make an element invisible."""
    if styles.get("display") == "none" or styles.get("mso-hide") == "all":
        return True
    if styles.get("visibility") in ("hidden", "collapse"):
        return True
    size = _length(styles.get("font-size", ""))
    if size is not None and size <= (_SMALLEST if not _is_relative(styles["font-size"]) else 0.2):
        return True
    opacity = _length(styles.get("opacity", ""))
    if opacity is not None and opacity < 0.1:
        return True
    sizes = (styles.get(each, "") for each in ("max-height", "max-width", "height"))
    if any(_is_tiny(each) for each in sizes):
        return True
    moved = (
        _length(styles.get(each, "")) for each in ("left", "top", "text-indent", "margin-left")
    )
    if any(each is not None and each <= _FAR for each in moved):
        return True
    return "clip-path" in styles or styles.get("clip", "").startswith("rect(0")


def _length(value: str) -> float | None:
    found = _LENGTH.match(value)
    try:
        return None if found is None else float(found[1])
    except ValueError:
        return None


def _is_tiny(size: str) -> bool:
    length = _length(size)
    return length is not None and length <= (0 if _is_relative(size) else 1)


def _is_relative(value: str) -> bool:
    return value.endswith(("em", "rem", "%"))


def _color(value: str) -> str:
    """Return a CSS color as six hexadecimal digits or `transparent`; empty if unknown."""
    value = value.strip().lower()
    if value == "transparent":
        return value
    if (parts := _RGB.match(value)) is not None:
        if parts[4] is not None and float(parts[4]) == 0:
            return "transparent"
        return "".join(f"{min(int(each), 255):02x}" for each in parts.groups()[:3])
    digits = value.removeprefix("#")
    if value.startswith("#") and len(digits) in (3, 4):
        digits = "".join(2 * each for each in digits[:3])
    if value.startswith("#") and len(digits) == 6:
        return digits
    return _COLORS.get(value, "")
