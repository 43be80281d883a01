"""Commands that are to tell their person something: "remind me to throw out the milk"."""

import re

from ..speech import Sentences


def is_message(command: str, sentences: Sentences) -> bool:
    """Tell whether all that a command wants is words for its person."""
    said = re.findall(r"\w+", command.casefold())
    messages = sentences.words("message_words")
    if said and said[0] in messages:
        return True
    return any(word in messages for word in said) and not any(
        word in sentences.words("command_words") for word in said
    )
