"""The household PIN."""

import time

import pytest

from custom_components.sage.people.person import HOUSEHOLD, KnownBy, Person
from custom_components.sage.people.pin import Pin, hash_pin, is_pin, verify
from custom_components.sage.people.spoken_digits import numbers_within
from tests.end_to_end.attacker import has_number


@pytest.fixture
def _quick_pin() -> None:
    """Hash a PIN at its full cost."""


def test_only_the_right_pin_is_verified_and_the_hash_does_not_show_it():
    stored = hash_pin("4711")

    assert verify(stored, "4711")
    assert not verify(stored, "4712")
    assert not verify(stored, "47110")
    assert not verify(stored, "")
    assert not verify(stored, "4711 ")
    assert not has_number(stored, "4711")
    assert stored != hash_pin("4711")
    assert stored.startswith("scrypt$16384$")


@pytest.mark.parametrize(
    ("text", "valid"),
    [("1234", True), ("12345678", True), ("123", False), ("123456789", False), ("12a4", False)],
)
def test_a_pin_has_four_to_eight_digits(text: str, valid: bool):
    assert is_pin(text) is valid


def test_a_long_row_of_digits_is_read_in_no_time():
    """Each digit of 18 kB begins some numbers of the length of a PIN, and no others."""
    row = " ".join("1234567890" * 900)

    started = time.process_time()
    found = numbers_within(row, ("en",), shortest=4, longest=8)

    assert len(found) == 50
    assert time.process_time() - started < 2


def test_a_voice_is_the_satellite_that_heard_it_and_a_user_is_the_user():
    anna = Person(user_id="anna", name="Anna")
    heard = Person(user_id="anna", name="Anna", known_by=KnownBy.SATELLITE)

    assert anna.speaker_key("kitchen", None) == anna.speaker_key(None, "phone")
    assert heard.speaker_key("kitchen", None) == HOUSEHOLD.speaker_key("kitchen", "device")
    assert len({HOUSEHOLD.speaker_key(each, None) for each in ("kitchen", "hall", None)}) == 3
    assert heard.speaker_key("kitchen", None) != anna.speaker_key("kitchen", None)


async def test_five_wrong_tries_lock_the_pin_for_ten_minutes_for_that_person_alone(hass):
    now = [1000.0]
    pin = Pin(hass, None, clock=lambda: now[0])

    for _ in range(4):
        pin.failed("anna")
    assert not pin.locked("anna")
    pin.failed("anna")

    assert pin.locked("anna")
    assert not pin.locked("household")
    now[0] += 599
    assert pin.locked("anna")
    now[0] += 2
    assert not pin.locked("anna")
    pin.failed("anna")
    assert not pin.locked("anna")
