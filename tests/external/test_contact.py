"""Contacts are read from vCards of all versions; a broken card does not hide the others."""

import pytest

from custom_components.sage.external.address_book import Contact, is_email_address, read_cards
from tests.external.cards import card


def only(text: str) -> Contact:
    (found,) = read_cards(text.encode())
    return found


def test_all_fields_of_a_card() -> None:
    contact = only(
        card(
            "Anna Fox",
            "NICKNAME:Annie",
            "EMAIL;TYPE=home:anna@example.org",
            "EMAIL;TYPE=work;PREF=1:work@example.org",
            "TEL;VALUE=uri:tel:+49-30-1",
            "ADR:;;Main Street 1;Berlin;;10115;Germany",
            "BDAY:1990-01-02",
            "ORG:Acme;Sales",
            "NOTE:Likes tea",
            "item1.X-ABLabel:_$!<Father>!$_",
            version="4.0",
        )
    )

    assert contact == Contact(
        uid="Anna Fox",
        name="Anna Fox",
        nicknames=("Annie",),
        emails=("work@example.org", "anna@example.org"),
        phones=("+49-30-1",),
        address="Main Street 1, Berlin, 10115, Germany",
        birthday="1990-01-02",
        organization="Acme, Sales",
        note="Likes tea",
    )
    assert Contact.from_dict(contact.as_dict()) == contact


def test_a_name_may_stand_only_in_its_parts() -> None:
    old = (
        "BEGIN:VCARD\r\nVERSION:2.1\r\n"
        "N;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:M=C3=BCller;J=C3=BCrgen;;;\r\n"
        "EMAIL:j@example.org\r\nEND:VCARD\r\n"
    )

    assert only(old).name == "Jürgen Müller"


def test_an_address_may_be_the_name() -> None:
    assert only("BEGIN:VCARD\nVERSION:3.0\nEMAIL:tom@example.org\nEND:VCARD").name == (
        "tom@example.org"
    )


@pytest.mark.parametrize(
    "broken",
    [
        "BEGIN:VCARD\nVERSION:3.0\nNO COLON HERE\nEND:VCARD\n",
        "BEGIN:VCARD\nVERSION:3.0\nTEL:1\nEND:VCARD\n",
        "BEGIN:VCARD\nVERSION:2.1\nPHOTO;ENCODING=BASE64:%%%\nEND:VCARD\n",
    ],
)
def test_a_broken_card_is_counted_and_the_others_are_read(broken: str) -> None:
    found = read_cards((card("Tom") + broken + card("Eve")).encode())

    assert [each.name for each in found] == ["Tom", "Eve"]


def test_a_text_without_cards_has_no_contacts() -> None:
    assert read_cards(b"not a card") == []


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "latin-1"])
def test_files_have_many_encodings(encoding: str) -> None:
    (contact,) = read_cards(card("Jürgen").encode(encoding))

    assert contact.name == "Jürgen"


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("tom@example.org", True),
        ("tom@example.org, eve@example.org", False),
        ("tom@example.org\nBcc: eve@example.org", False),
        ("Tom <tom@example.org>", False),
        ("tom", False),
    ],
)
def test_an_address_is_exactly_one(text: str, *, is_one: bool) -> None:
    assert is_email_address(text) is is_one
