"""Claims of an answer, compared with the record of the run."""

from dataclasses import replace
from typing import Any

import pytest

from custom_components.sage.agent.decision import Claim, ClaimResult
from custom_components.sage.home.claims.comparison import Comparison
from custom_components.sage.home.commands.evidence import Evidence
from custom_components.sage.home.home_types import Outcome, OutcomeKind
from tests.home.listings import plain_device, plain_listing, reading_of

FAN = plain_device("fan", "Fan", "fan.bedroom", area="Bedroom")
LAMP = plain_device("lamp", "Lamp", "light.bedroom", area="Bedroom")
DESK = plain_device("desk", "Desk", "light.desk", area="Bedroom")
HOME = plain_listing(FAN, LAMP, DESK)


def outcome(
    component: str,
    command: str = "turn_on",
    kind: OutcomeKind = OutcomeKind.VERIFIED,
    *,
    after: dict[str, Any] | None = None,
    **arguments: Any,
) -> Outcome:
    device = {"fan.bedroom": FAN, "light.bedroom": LAMP, "light.desk": DESK}[component]
    return Outcome(
        kind=kind,
        device_id=device.id,
        device_name=device.name,
        component_id=component,
        capability=component.partition(".")[0],
        command=command,
        arguments=arguments,
        after=after or {},
    )


def claim(device: str, result: str, value: str = "", attribute: str = "") -> Claim:
    return Claim(devices=(device,), result=ClaimResult(result), value=value, attribute=attribute)


def compared(*claims: Claim, did: tuple[Outcome, ...] = (), **read: str) -> Comparison:
    """Compare claims with outcomes, and with the states of `light` components that were read."""
    record: list[object] = []
    for device, state in read.items():
        part = {"lamp": "light.bedroom", "desk": "light.desk"}[device]
        record.append(reading_of(part, {"state": state}, device_id=device))
    return Comparison(claims, Evidence(*record, *did), HOME)


DIMMED = outcome("light.bedroom", after={"state": "on", "brightness": 79}, brightness_pct=31)


@pytest.mark.parametrize(
    ("attribute", "value"),
    [("", "31"), ("", "31 %"), ("brightness", "31"), ("brightness_pct", "31 %"), ("", "on")],
)
def test_brightness_is_claimed_in_percent(attribute: str, value: str) -> None:
    assert not compared(claim("lamp", "verified", value, attribute), did=(DIMMED,)).problems


def test_raw_brightness_that_was_asked_for_is_no_percentage() -> None:
    """Of 255: a model that sets 80 has not set 80 percent."""
    dimmed = outcome("light.bedroom", after={"state": "on", "brightness": 80}, brightness=80)
    assert compared(claim("lamp", "verified", "80"), did=(dimmed,)).problems


def test_light_that_is_off_has_no_brightness() -> None:
    """It keeps none of what was seen while it was on."""
    off = outcome("light.bedroom", "turn_off", after={"state": "off", "brightness": None})
    lie = claim("lamp", "read", "31", "brightness")
    assert not compared(lie, did=(DIMMED,)).problems
    assert compared(lie, did=(DIMMED, off)).problems


RED = outcome("light.bedroom", after={"state": "on", "rgb_color": (255, 2, 0)})


def test_claim_names_only_the_outcomes_that_prove_it() -> None:
    """A failure of the same device stays unnamed."""
    fast = outcome(
        "fan.bedroom", "set_percentage", after={"state": "on", "percentage": 50}, percentage=50
    )
    still = outcome("fan.bedroom", "oscillate", OutcomeKind.NOT_CONFIRMED, oscillating=True)
    found = compared(claim("fan", "verified", "50", "percentage"), did=(fast, still))
    assert not found.problems
    assert found.claimed == [fast]


def test_what_is_claimed_of_a_member_is_an_exception_of_its_group() -> None:
    off = outcome("light.desk", "turn_off", after={"state": "off"})
    failed = outcome("light.bedroom", "turn_off", OutcomeKind.FAILED)
    claims = claim("all light", "verified", "off"), claim("lamp", "failed")
    assert not compared(*claims, did=(off, failed)).problems


def test_what_is_reported_of_a_proven_claim_is_the_part_with_the_value() -> None:
    listing = plain_listing(plain_device("tv", "TV", "media_player.tv", "sensor.channel=Channel"))
    record: list[object] = []
    for part, state in (("media_player.tv", "off"), ("sensor.channel", "4")):
        record.append(reading_of(part, {"state": state}, device_id="tv"))
    [place] = Comparison((claim("tv", "read", "off"),), Evidence(*record), listing).to_report

    assert place.component is not None
    assert place.component.id == "media_player.tv"


def test_of_several_values_that_a_claim_may_mean_those_that_it_states_are_said() -> None:
    parts = {"media_player.tv": "on", "sensor.channel": "42", "sensor.power": "124"}
    listing = plain_listing(plain_device("tv", "TV", *parts))
    record = [reading_of(part, {"state": each}, device_id="tv") for part, each in parts.items()]

    stated = Comparison((claim("tv", "read", "42"),), Evidence(*record), listing)
    other = Comparison((claim("tv", "read", "43"),), Evidence(*record), listing)

    assert stated.problems
    assert [*stated.asked] == ["sensor.channel"]
    assert [*other.asked] == ["media_player.tv", "sensor.channel", "sensor.power"]


@pytest.mark.parametrize(
    ("value", "attribute", "is_proven"),
    [("on", "light.bedroom", True), ("off", "light.bedroom", False), ("on", "light.desk", False)],
)
def test_component_named_as_attribute_means_its_state(
    value: str, attribute: str, is_proven: bool
) -> None:
    problems = compared(claim("lamp", "read", value, attribute), lamp="on", desk="on").problems
    assert (not problems) is is_proven


SLOW = outcome(
    "fan.bedroom", kind=OutcomeKind.REACHED, after={"state": "on", "percentage": 33}, percentage=80
)
SLOW = replace(SLOW, before={"state": "off", "percentage": 0}, wanted={"percentage": (80.0,)})


@pytest.mark.parametrize(
    ("result", "value", "attribute", "is_proven"),
    [
        ("verified", "33", "", True),
        ("verified", "33 %", "percentage", True),
        ("sent", "33", "", True),
        ("not_confirmed", "80", "percentage", True),
        ("failed", "", "", True),
        ("verified", "80", "", False),
        ("verified", "80", "percentage", False),
        # The fan is on, but the person asked for more.
        ("verified", "on", "", False),
        ("sent", "", "", False),
        ("already", "33", "", False),
    ],
)
def test_value_that_was_reached_instead(result, value, attribute, is_proven) -> None:
    found = compared(claim("fan", result, value, attribute), did=(SLOW,))
    assert (not found.problems) == is_proven


def test_rounded_value_is_claimed_as_asked_or_as_reached() -> None:
    done = outcome("fan.bedroom", after={"percentage": 33}, percentage=40)
    done = replace(done, wanted={"percentage": (40.0,)})
    for value in ("40", "33"):
        assert not compared(claim("fan", "verified", value), did=(done,)).problems


def test_value_that_has_not_changed_proves_only_itself() -> None:
    kept = replace(
        outcome("fan.bedroom", kind=OutcomeKind.ALREADY, after={"percentage": 33}, percentage=40),
        wanted={"percentage": (40.0,)},
    )
    assert not compared(claim("fan", "already", "33"), did=(kept,)).problems
    assert compared(claim("fan", "already", "40"), did=(kept,)).problems


@pytest.mark.parametrize(
    ("done", "result", "value", "is_blank"),
    [
        (DIMMED, "verified", "", True),
        (DIMMED, "already", "", False),
        (DIMMED, "sent", "", False),
        (DIMMED, "verified", "on", False),
        (
            outcome("light.bedroom", kind=OutcomeKind.ALREADY, after={"state": "on"}),
            "already",
            "",
            True,
        ),
        (outcome("light.bedroom"), "verified", "", False),
        (
            outcome("light.bedroom", kind=OutcomeKind.FAILED, after={"state": "off"}),
            "failed",
            "",
            False,
        ),
    ],
)
def test_claim_without_the_state_that_its_outcome_shows(done, result, value, is_blank) -> None:
    assert compared(claim("lamp", result, value), did=(done,)).has_blank is is_blank


@pytest.mark.parametrize(
    ("kind", "result", "has_acted"),
    [
        (OutcomeKind.VERIFIED, "verified", True),
        (OutcomeKind.UNDER_WAY, "under_way", True),
        (OutcomeKind.SENT, "sent", True),
        (OutcomeKind.NOT_CONFIRMED, "not_confirmed", False),
        (OutcomeKind.REFUSED, "refused", False),
        (OutcomeKind.FAILED, "failed", False),
    ],
)
def test_only_what_is_done_has_acted(kind, result, has_acted) -> None:
    done = outcome("light.bedroom", kind=kind)
    found = compared(claim("lamp", result), did=(done,))
    assert not found.problems
    assert found.has_acted is has_acted


@pytest.mark.parametrize(("value", "has_acted"), [("33", True), ("", False)])
def test_value_that_was_reached_instead_is_an_act_unless_it_is_claimed_as_failure(
    value, has_acted
) -> None:
    result = "verified" if value else "not_confirmed"
    assert compared(claim("fan", result, value), did=(SLOW,)).has_acted is has_acted
