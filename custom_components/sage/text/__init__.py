"""Texts: word search, fixed sentences for people, and protection against untrusted text."""

from .search import FORM, PART_OF_WORD, NameIndex, TextIndex
from .speech import (
    LANGUAGES,
    Sentences,
    Verbatim,
    async_load_sentences,
    fenced,
    has_fence,
    is_hidden,
    known_language,
    plain,
    plain_so_far,
    quoted,
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
