"""Answers are plain text: a loudspeaker reads no markup, and the chat loads nothing."""

import pytest

from custom_components.sage.text.speech import plain, plain_so_far

MARKUP = (
    ("The **kitchen light** is off.", "The kitchen light is off."),
    ("It is *very* warm, _really_, ***now***.", "It is very warm, really, now."),
    ("__Done.__ ~~Not~~ `yet`.", "Done. Not yet."),
    ("# Lights\n\nAll off.", "Lights\n\nAll off."),
    ("On:\n- Lamp\n* TV\n+ Fan\n• Radio", "On:\nLamp\nTV\nFan\nRadio"),
    ("- [x] Milk\n- [ ] Bread", "Milk\nBread"),
    ("1. Lamp\n2. TV", "1. Lamp\n2. TV"),
    ("> Quote\n> more", "Quote\nmore"),
    ("```json\n{}\n```\nThat is it.", "{}\nThat is it."),
    ("One\n---\nTwo", "One\nTwo"),
    ("| Room | °C |\n|---|:--:|\n| Hall | 20 |", "Room, °C\nHall, 20"),
    ("It is off.<br>And <b>cold</b>.", "It is off.\nAnd cold."),
    ("<p>It is off.</p>", "It is off."),
    ("Tom &amp; Ann, 5&nbsp;km", "Tom & Ann, 5\xa0km"),
    ("It is on :bulb: now :white_check_mark:", "It is on now"),
    ("It is on 💡 now ✅.", "It is on now."),
    ("👨‍👩‍👧 are home ☀️", "are home"),
    ("<think>hm\nhm</think>It is off.", "It is off."),
    ("hm</think>It is off.", "It is off."),
    ("It <thinking>or not</thinking>is off.", "It is off."),
    ("It is off.<think>Shall I", "It is off."),
    ("<think>first</think>One.<think>second</think> Two.", "One. Two."),
    ("<THINK>hm</THINK>Off", "Off"),
    (
        "See <https://example.com/a>, <ann@example.com>.",
        "See https:// example.com/a, ann@example.com.",
    ),
    ("Go to https://evil.example/?q=1234.", "Go to https:// evil.example/?q=1234."),
    ("HTTP://evil.example or www.evil.example", "HTTP:// evil.example or www. evil.example"),
    ("&#104;ttps&colon;//evil.example", "https:// evil.example"),
    ("ftp://www.evil.example", "ftp:// www. evil.example"),
    ("![cam](https://evil.example/?q=1234)", "cam"),
    ("[read on](https://evil.example)", "read on"),
    ("![a][b]\n\n[b]: https://evil.example", "a"),
    ('<img src="https://evil.example">Hi', "Hi"),
    ("</p><svg/onload=x>Hi", "Hi"),
    ("&lt;img src=x&gt;Hi", "Hi"),
    ("<!-- hidden -->Hi", "Hi"),
    ('<img src="https://evil.example"', '< img src="https:// evil.example"'),
    ("[a](https://e.example/(b)) and [b][1]", "a and b"),
    ("\\[a\\](https://evil.example)", "a"),
    ("It is off [^1].\n[^1]: read just now", "It is off."),
    ("It is \\*very\\* warm, no\\. 1", "It is very warm, no. 1"),
    ("Lights\n=====\n– Lamp\n  ◦ left", "Lights\nLamp\nleft"),
    ("Room | °C\n:--- | ---\nHall | 20", "Room, °C\nHall, 20"),
    ("<table><tr><td>Hall</td><td>20</td></tr></table>", "Hall\n20"),
    ("It is off.<|im_end|>", "It is off."),
    ("⏰ At 7 ▶️ and ℹ️ \U0001f3f4\U000e0067\U000e007f", "At 7 and"),
)
ORDINARY = (
    "The kitchen light is off.",
    "Two sockets: 3 < 5 and 7 > 6, 3 * 4 = 12, 2*3*4 = 24, a|b.",
    "Tom [the neighbour] comes (maybe); see example.com/a_b_c.",
    "I <3 it. It is -5 °C, at 12:30:45, from 7:00 to 8:00.",
    "snake_case_name, C#, #1, 50 %, 5 - 3, R&D, A&B; C",
    "Réglé à 20 °C : c'est fait !",
    "Ja, «Küche» ist aus.\nUnd der Flur auch.",
)
# Without `<think>`, nobody knows until `</think>` that the text is reasoning.
STREAMED = [text for text, _ in MARKUP if not text.startswith("hm")]


@pytest.mark.parametrize(("text", "shown"), MARKUP)
def test_markup_is_removed(text: str, shown: str) -> None:
    assert plain(text) == shown
    assert plain(shown) == shown


@pytest.mark.parametrize("text", ORDINARY)
def test_ordinary_text_is_unchanged(text: str) -> None:
    assert plain(text) == text


@pytest.mark.parametrize("text", [*ORDINARY, *STREAMED])
def test_the_beginning_of_a_text_is_shown_alike(text: str) -> None:
    for end in range(len(text)):
        assert plain(text).startswith(plain_so_far(text[:end])), text[:end]


@pytest.mark.parametrize("text", ORDINARY)
def test_ordinary_text_streams_word_by_word(text: str) -> None:
    first = text.split(maxsplit=1)[0]
    assert plain_so_far(f"{first} a").startswith(first[:1])


@pytest.mark.parametrize(
    "part",
    [
        "<think>",
        "[",
        "![a](",
        "<a",
        "*",
        "_",
        "`",
        "| ",
        ":a",
        "&",
        " ",
        "- ",
        "\n>",
        "😀 ",
        "[a](b(c)",
        " |",
    ],
)
def test_long_texts_of_signs_need_little_time(part: str) -> None:
    """If a pattern scanned the rest of the text again for each sign, this would never end."""
    assert len(plain(part * 200_000)) <= len(part) * 400_000
    assert len(plain_so_far(part * 200_000)) <= len(part) * 400_000
