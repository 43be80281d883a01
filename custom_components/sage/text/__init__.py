"""Texts: word search, fixed sentences for people, and protection against untrusted text."""

from .plain_text import fenced, has_fence, plain, plain_so_far, quoted
from .search import FORM, NameIndex, TextIndex
from .speech import (
    LANGUAGES,
    Sentences,
    Verbatim,
    async_load_sentences,
    is_hidden,
    known_language,
    verbatim,
    visible,
)
from .tokens import (
    content_words,
    fold,
    forms,
    id_key,
    id_words,
    is_unspaced,
    key,
    nearest,
    related,
    with_most_words,
    words,
)
