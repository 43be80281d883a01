"""Text for people neither loads nor links anything, however Markdown or HTML spell it."""

import pytest

from custom_components.sage.text.inert import inert

ACTIVE = (
    ("![](https://evil.example/?q=1234)", "![] (https://evil.example/?q=1234)"),
    ("[read on](https://evil.example)", "[read on] (https://evil.example)"),
    ("![a][b]\n\n[b]: https://evil.example", "![a] [b]\n\n[b] : https://evil.example"),
    ("[![x](https://a)](https://b)", "[![x] (https://a)] (https://b)"),
    ('<img src="https://evil.example">', '< img src="https://evil.example">'),
    ("</p><svg/onload=x>", "< /p>< svg/onload=x>"),
    ("<!-- -->", "< !-- -->"),
)
ORDINARY = (
    "The kitchen light is off.",
    "Two sockets: 3 < 5 and 7 > 6.",
    "Tom [the neighbour] comes (maybe); see https://example.com.",
    "I <3 it.",
)


@pytest.mark.parametrize(("text", "shown"), ACTIVE)
def test_links_images_and_tags_are_only_text(text: str, shown: str) -> None:
    assert inert(text) == shown
    assert inert(shown) == shown


@pytest.mark.parametrize("text", ORDINARY)
def test_ordinary_text_is_unchanged(text: str) -> None:
    assert inert(text) == text


@pytest.mark.parametrize("text", [text for text, _ in ACTIVE])
def test_the_beginning_of_a_text_is_shown_alike(text: str) -> None:
    assert all(inert(text).startswith(inert(text[:end])) for end in range(len(text)))
