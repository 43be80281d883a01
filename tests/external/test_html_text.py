"""The text that a reader of an HTML message sees."""

import pytest

from custom_components.sage.external.html_text import visible_text
from custom_components.sage.external.message import body_of
from custom_components.sage.text import visible

HIDDEN = [
    '<div style="DISPLAY : none !important">secret</div>',
    '<span style="color: red; visibility: hidden">secret</span>',
    '<span style="font-size:0px">secret</span>',
    '<div style="max-height:0;overflow:hidden">secret</div>',
    "<p hidden>secret</p>",
    "<div style='display:none'><b>secret</b></div>",
    "<div style='display:none'>unclosed <p>secret",
]


@pytest.mark.parametrize("html", HIDDEN)
def test_hidden_text_is_dropped(html: str):
    assert visible_text(f"<p>At one?</p>{html}") == "At one?"


SHOWN = {
    "<p>One</p><p>Two</p>": "One\n\nTwo",
    "One<br>two": "One\ntwo",
    "<table><tr><td>One</td></tr></table>": "One",
    '<p style="max-width:100%;font-size:14px;line-height:1;height:1em">One</p>': "One",
    "a &amp; b &lt;c&gt;": "a & b <c>",
    "<!-- no --><script>no()</script><style>p{}</style><title>no</title>One": "One",
    "<p>One</b></div>two": "One\ntwo",
    "": "",
}


@pytest.mark.parametrize("html", SHOWN)
def test_what_is_seen_stays(html: str):
    assert visible_text(html) == SHOWN[html]


def test_plain_text_comes_before_html_and_attachments_are_only_named():
    body = body_of(
        b"Content-Type: multipart/mixed; boundary=a\r\n\r\n--a\r\n"
        b"Content-Type: multipart/alternative; boundary=b\r\n\r\n--b\r\n"
        b"Content-Type: text/plain\r\n\r\nPlain\r\n--b\r\n"
        b"Content-Type: text/html\r\n\r\n<p>Html</p>\r\n--b--\r\n--a\r\n"
        b'Content-Type: text/plain; name="n\xc3\xb6tes.txt"\r\n'
        b"Content-Disposition: attachment\r\n\r\nnot opened\r\n--a--\r\n"
    )

    assert body.text == "Plain"
    assert body.attachments == ("nötes.txt",)


def test_invisible_characters_are_dropped_and_emoji_stay():
    assert visible("a\u200bb\u202ec\U000e0041d\u3164e\ufe01f\u00ad") == "abcdef"
    assert visible("❤️ 👩‍👩‍👧 ok\n") == "❤️ 👩‍👩‍👧 ok\n"
