"""Disables images, links and HTML tags in text for people.

Otherwise, the URL of an image could send private data to a foreign server.
"""

import re
from typing import Final

# Home Assistant's chat and notifications render Markdown and HTML, and load images at once.
# Untrusted text could make the model put private data into the URL of an image.
_ACTIVE: Final = re.compile(r"(?<=\])(?=[(:\[])|(?<=<)(?=[A-Za-z/!?])")
"""Positions inside the beginning of a Markdown link, a link definition or an HTML tag."""


def inert(text: str) -> str:
    """Insert spaces that break the syntax of Markdown images, links and HTML tags.

    Works on streamed text: text added at the end never changes the result for earlier text.
    """
    return _ACTIVE.sub(" ", text)
