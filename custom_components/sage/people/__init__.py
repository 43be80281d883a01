"""Who is speaking, whether a reply means yes or no, and the PIN of the household."""

from .confirmation_words import Said, async_languages, async_meaning, has_question_mark
from .person import (
    HOUSEHOLD,
    MARGIN,
    THRESHOLD,
    KnownBy,
    Person,
    Voice,
    async_all_users,
    async_identify,
    async_user,
)
from .pin import REDACTED, Pin, hash_pin, is_pin
