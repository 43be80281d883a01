"""Keep text for people from loading or linking anything.

Home Assistant's chat and notifications render text as Markdown with HTML. There, an image sends a
request to the server in its address, at once and with everything that the address contains: text
from outside could make the model write one, and so send out what the model has read.
"""

import re
from typing import Final

_ACTIVE: Final = re.compile(r"(?<=\])(?=[(:\[])|(?<=<)(?=[A-Za-z/!?])")
"""The places inside the start of a link, of its definition, or of a tag."""


def inert(text: str) -> str:
    """Return `text` with a space where Markdown or HTML would begin an image, a link or a tag.

    The result for the beginning of a text is the beginning of the result, as streaming requires.
    """
    return _ACTIVE.sub(" ", text)
