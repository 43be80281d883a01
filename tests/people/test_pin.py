"""The household PIN."""

import pytest

from custom_components.sage.people.pin import PinGuard, hash_pin, is_pin, verify
from custom_components.sage.people.spoken_digits import digits_in


def test_only_the_right_pin_is_verified_and_the_hash_does_not_show_it():
    stored = hash_pin("4711")

    assert verify(stored, "4711")
    assert not verify(stored, "4712")
    assert not verify(stored, "47110")
    assert not verify(stored, "")
    assert not verify(stored, "4711 ")
    assert "4711" not in stored
    assert stored != hash_pin("4711")


@pytest.mark.parametrize(
    ("text", "valid"),
    [("1234", True), ("12345678", True), ("123", False), ("123456789", False), ("12a4", False)],
)
def test_a_pin_has_four_to_eight_digits(text: str, valid: bool):
    assert is_pin(text) is valid


@pytest.mark.parametrize(
    ("text", "language", "found"),
    [
        ("1234", "en", ("1234",)),
        ("1234.", "en", ("1234",)),
        ("1 2 3 4", "en", ("1234",)),
        ("1, 2, 3, 4!", "en", ("1234",)),
        ("12 34", "en", ("1234",)),
        ("1.234", "de", ("1234",)),
        ("The PIN is 1234, please", "en", ("1234",)),
        ("one two three four", "en", ("1234",)),
        ("Oh one two three", "en-GB", ("0123",)),
        ("Eins zwei drei vier", "de", ("1234",)),
        ("Eins zwo drei fünf.", "de-CH", ("1235",)),
        ("un deux trois quatre", "fr", ("1234",)),
        ("uno dos tres cuatro", "es", ("1234",)),
        ("uno due tre quattro", "it", ("1234",)),
        ("één twee drie vier", "nl", ("1234",)),
        ("one two three four", "sv", ("1234",)),
        ("１２３４", "ja", ("1234",)),
        ("1234 5678", "en", ("12345678", "1234", "5678")),
        ("first 1234 then 9876", "en", ("1234", "9876")),
        ("12", "en", ("12",)),
        ("seven", "en", ("7",)),
        ("set it to 30 percent", "en", ()),
        ("the one in the kitchen", "en", ()),
        ("yes", "en", ()),
        ("", "en", ()),
    ],
)
def test_digits_are_heard_however_they_are_said(text: str, language: str, found: tuple[str, ...]):
    assert digits_in(text, language) == found


def test_five_wrong_tries_lock_the_pin_for_ten_minutes_for_that_person_alone():
    now = [1000.0]
    guard = PinGuard(clock=lambda: now[0])

    for _ in range(4):
        guard.failed("anna")
    assert not guard.locked("anna")
    guard.failed("anna")

    assert guard.locked("anna")
    assert not guard.locked("household")
    now[0] += 599
    assert guard.locked("anna")
    now[0] += 2
    assert not guard.locked("anna")
    guard.failed("anna")
    assert not guard.locked("anna")


def test_the_right_pin_forgets_the_wrong_tries():
    guard = PinGuard(tries=2, clock=lambda: 0.0)

    guard.failed("anna")
    guard.succeeded("anna")
    guard.failed("anna")

    assert not guard.locked("anna")
