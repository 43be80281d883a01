"""The text that a reader of an HTML message sees."""

import pytest

from custom_components.sage.external.html_text import visible_text
from custom_components.sage.external.message import body_of, cleaned

HIDDEN = [
    '<div style="display:none">secret</div>',
    '<div style="DISPLAY : none !important">secret</div>',
    '<span style="visibility: hidden">secret</span>',
    '<span style="font-size:1px">secret</span>',
    '<span style="font-size:0.1em">secret</span>',
    '<span style="opacity:0">secret</span>',
    '<div style="max-height:0;overflow:hidden">secret</div>',
    '<div style="height:1px">secret</div>',
    '<p style="position:absolute;left:-10000px">secret</p>',
    '<p style="text-indent:-9999px">secret</p>',
    '<font color="white">secret</font>',
    '<p style="color:rgb(255, 255, 255)">secret</p>',
    '<p style="color:rgba(0,0,0,0)">secret</p>',
    '<table bgcolor="#000"><td style="color:#000000">secret</td></table>',
    "<p hidden>secret</p>",
    '<div style="mso-hide:all">secret</div>',
    "<style>.a, td.x{visibility:hidden}</style><p class='b a'>secret</p>",
    "<style>#gone { display:none }</style><p id=gone>secret</p>",
    "<div style='display:none'><b>secret</b></div>",
    "<div style='display:none'>unclosed <p>secret",
]


@pytest.mark.parametrize("html", HIDDEN)
def test_hidden_text_is_dropped_and_noticed(html: str):
    assert visible_text(f"<p>At one?</p>{html}") == ("At one?", True)


SHOWN = {
    "<p>One</p><p>Two</p>": "One\n\nTwo",
    "One<br>two": "One\ntwo",
    "<table><tr><td>One</td></tr></table>": "One",
    '<td bgcolor="black"><a style="color:white">Shop</a></td>': "Shop",
    '<p style="max-width:100%;font-size:14px;line-height:1;height:1em">One</p>': "One",
    "a &amp; b &lt;c&gt;": "a & b <c>",
    "<!-- no --><script>no()</script><style>p{}</style><title>no</title>One": "One",
    "<p>One</b></div>two": "One\ntwo",
    "": "",
}


@pytest.mark.parametrize("html", SHOWN)
def test_what_is_seen_stays(html: str):
    assert visible_text(html) == (SHOWN[html], False)


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
    assert cleaned("a\u200bb\u202ec\U000e0041d\u3164e\ufe01f\u00ad") == "abcdef"
    assert cleaned("❤️ 👩‍👩‍👧 ok\n") == "❤️ 👩‍👩‍👧 ok\n"
