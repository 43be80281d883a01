"""XMLTV as real guides write it: times, languages, channel numbers, and what is refused."""

import gzip
from datetime import UTC, datetime
from pathlib import Path

import pytest

from benchmark.xmltv_text import HEAD, TAIL
from custom_components.sage.external.xmltv import Channel, GuideError, Programme, moment, parse

START = '<programme start="20260302201500 +0100" stop="20260302210000 +0100" channel="a">'


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "guide.xml"


def read(file: Path, content: str | bytes, language: str = "en") -> list[Channel | Programme]:
    file.write_bytes(content.encode() if isinstance(content, str) else content)
    return [each for each in parse(file, language) if each is not None]


def refused(file: Path, content: str | bytes) -> str:
    with pytest.raises(GuideError) as caught:
        read(file, content)
    return str(caught.value)


def programme(file: Path, inner: str, language: str = "en") -> Programme:
    (found,) = read(file, f"{HEAD}{START}{inner}</programme>{TAIL}", language)
    assert isinstance(found, Programme)
    return found


@pytest.mark.parametrize(
    ("text", "hour", "minute"),
    [
        ("20260302201500 +0100", 19, 15),
        ("20260302201500 -0530", 25, 45),
        ("20260302201500 +01:00", 19, 15),
        ("20260302201500", 20, 15),
        ("20260302201500 UTC", 20, 15),
        ("202603022015 +0000", 20, 15),
        ("20260302201500+0000", 20, 15),
    ],
)
def test_times(text: str, hour: int, minute: int) -> None:
    assert moment(text) == datetime(2026, 3, 2 + hour // 24, hour % 24, minute, tzinfo=UTC)


@pytest.mark.parametrize("text", ["", "soon", "20261302201500", "20260302256000", "00010101 +2300"])
def test_what_is_no_time_has_no_programme(file: Path, text: str) -> None:
    assert moment(text) is None
    item = f'<programme start="{text}" channel="a"><title>News</title></programme>'
    assert read(file, f"{HEAD}{item}{TAIL}") == []


def test_a_programme_with_all_its_texts(file: Path) -> None:
    found = programme(
        file,
        "<title>Fish &amp; Chips</title><sub-title>Part\n  2</sub-title><desc><![CDATA[A <b> ]]>"
        "cook.</desc><credits><actor>Ann</actor></credits><category>Food</category>"
        "<category>Show</category>",
    )
    assert found == Programme(
        channel="a",
        start=datetime(2026, 3, 2, 19, 15, tzinfo=UTC),
        stop=datetime(2026, 3, 2, 20, 0, tzinfo=UTC),
        title="Fish & Chips",
        subtitle="Part 2",
        description="A <b> cook.",
        category="Food, Show",
    )


@pytest.mark.parametrize(
    ("language", "title"), [("de", "Nachrichten"), ("de-CH", "Nachrichten"), ("it", "News")]
)
def test_the_language_of_the_home_counts_else_the_first(
    file: Path, language: str, title: str
) -> None:
    inner = '<title lang="en">News</title><title lang="de">Nachrichten</title>'
    assert programme(file, inner, language).title == title


@pytest.mark.parametrize(
    ("inner", "names", "number"),
    [
        ("<display-name>BBC One</display-name><lcn>101</lcn>", ("BBC One",), "101"),
        ("<display-name>BBC One</display-name><lcn>http://x.example</lcn>", ("BBC One",), ""),
        (
            "".join(f"<display-name>{each}</display-name>" for each in ("7.1 WABC", "7.1", "WABC")),
            ("7.1 WABC", "WABC"),
            "7.1",
        ),
        ("<display-name>24</display-name>", ("24",), "24"),
        ("", ("x",), ""),
    ],
)
def test_numbers_of_channels(file: Path, inner: str, names: tuple[str, ...], number: str) -> None:
    (found,) = read(file, f'{HEAD}<channel id="x">{inner}</channel>{TAIL}')
    assert found == Channel(id="x", names=names, number=number)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "iso-8859-1", "windows-1252"])
def test_encodings(file: Path, encoding: str) -> None:
    head = f'<?xml version="1.0" encoding="{encoding}"?><tv>'
    text = f"{head}{START}<title>Café Zürich</title></programme></tv>"
    (found,) = read(file, text.encode(encoding))
    assert isinstance(found, Programme)
    assert found.title == "Café Zürich"


def test_gzip_is_found_by_its_content(file: Path) -> None:
    packed = gzip.compress(f"{HEAD}{START}<title>News</title></programme>{TAIL}".encode())
    assert len(read(file, packed)) == 1


@pytest.mark.parametrize(
    ("content", "why"),
    [
        ("", "no element found"),
        ("   ", "no element found"),
        ("<html><body>404</body></html>", "it is not XMLTV"),
        (f"{HEAD}{START}<title>News</title>", "no element found"),
        (f"{HEAD}<channel>", "no element found"),
        (f"{HEAD}</programme>", "mismatched tag"),
        (b"\x00\x01\x02", "not well-formed"),
        (f"{HEAD}{'<a>' * 100}", "more than 50 elements"),
        (gzip.compress(HEAD.encode() * 50)[:40], "gzip"),
        (b"\x1f\x8bnothing", "gzip"),
    ],
)
def test_what_is_broken_is_refused(file: Path, content: str | bytes, why: str) -> None:
    assert why in refused(file, content)


def test_entities_are_refused_before_they_expand(file: Path) -> None:
    layers = "".join(f'<!ENTITY l{each} "{f"&l{each - 1};" * 10}">' for each in range(1, 10))
    bomb = (
        f'<!DOCTYPE tv [<!ENTITY l0 "ha">{layers}]><tv>{START}<title>&l9;</title></programme></tv>'
    )
    assert "declares entities" in refused(file, bomb)


def test_files_of_the_machine_are_not_read(file: Path, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("hunter2", encoding="utf-8")
    outside = (
        f'<!DOCTYPE tv [<!ENTITY x SYSTEM "{secret.as_uri()}">]>'
        f"<tv>{START}<title>&x;</title></programme></tv>"
    )
    assert "declares entities" in refused(file, outside)


def test_long_texts_are_cut(file: Path) -> None:
    found = programme(file, f"<title>{'x' * 5000}</title><desc>{'y ' * 50_000}</desc>")
    assert len(found.title) == 200
    assert len(found.description) <= 2000
