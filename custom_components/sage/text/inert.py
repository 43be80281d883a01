"""Disables images, links and HTML tags in text for people.

Home Assistant's chat and notifications render Markdown and HTML, and load images at once. Untrusted
text could make the model send private data to a foreign server in the URL of an image.
"""

import re
from typing import Final

_ACTIVE: Final = re.compile(r"(?<=\])(?=[(:\[])|(?<=<)(?=[A-Za-z/!?])")
"""Positions inside the beginning of a Markdown link, a link definition or an HTML tag."""


def inert(text: str) -> str:
    """Insert spaces that break the syntax of Markdown images, links and HTML tags.

    The result for the beginning of a text is the beginning of the result for the whole text.
    Streamed text can therefore be shown before it is complete.
    """
    return _ACTIVE.sub(" ", text)
