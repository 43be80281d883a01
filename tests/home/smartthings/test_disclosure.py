"""Outcomes contain no value that the person may not read."""

from typing import Any

from custom_components.sage.home.home_types import PUT_BACK, Outcome, OutcomeKind
from custom_components.sage.home.smartthings.observation import disclosed, reads_all


def outcome(**fields: Any) -> Outcome:
    """Return the outcome of a television that was put from channel 4 to 7."""
    made: dict[str, Any] = {
        "kind": OutcomeKind.VERIFIED,
        "device_id": "tv",
        "device_name": "TV",
        "component_id": "main",
        "capability": "tvChannel",
        "command": "setTvChannel",
        "arguments": {"tvChannel": "7"},
        "before": {"tvChannel": "4", "sound": "on"},
        "after": {"tvChannel": "7", "sound": "on"},
        "restore": {"tvChannel": "4"},
    }
    return Outcome(**{**made, **fields})


def but_the_channel(attribute: str) -> bool:
    """Expose everything except the current channel."""
    return attribute != "tvChannel"


def test_who_may_read_all_is_told_all():
    whole = outcome()
    assert disclosed(whole, reads_all) is whole


def test_values_that_may_not_be_read_are_left_out_but_not_for_putting_back():
    told = disclosed(outcome(), but_the_channel)
    assert (told.before, told.after) == ({"sound": "on"}, {"sound": "on"})
    assert told.arguments == {"tvChannel": "7"}
    assert told.restore == {"tvChannel": "4"}


def test_putting_back_does_not_tell_what_was_before():
    told = disclosed(outcome(command=PUT_BACK, arguments={"tvChannel": "4"}), but_the_channel)
    assert told.arguments == {}
    assert "4" not in str(told.as_dict())
