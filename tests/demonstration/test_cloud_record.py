"""The demo's report about the simulated SmartThings cloud."""

from typing import Any

from scripts.demonstration.cloud_record import (
    CloudRecord,
    between,
    from_json,
    render_changed,
    render_received,
)


def at(channel: Any, *received: dict[str, Any], **attributes: Any) -> CloudRecord:
    """Return a record of a television."""
    values = {"tvChannel": {"tvChannel": channel}, "switch": attributes}
    return from_json({"received": list(received), "attributes": {"TV": {"main": values}}})


def received(status: int | None, *arguments: Any) -> dict[str, Any]:
    command = "tvChannel.setTvChannel"
    return {"target": "TV main", "command": command, "arguments": list(arguments)} | {
        "status": status
    }


def test_an_attribute_that_changed_is_told_with_its_component_and_capability() -> None:
    happened = between(at("5", switch="on"), at("7", switch="on"))
    assert render_changed(happened) == ["TV main tvChannel.tvChannel: 5 → 7"]


def test_a_value_that_was_not_there_before_is_told() -> None:
    happened = between(at(None), at("7", switch="on"))
    assert render_changed(happened) == [
        "TV main tvChannel.tvChannel: none → 7",
        "TV main switch.switch: none → on",
    ]


def test_only_what_was_received_in_between_is_told() -> None:
    earlier, later = received(200, "5"), received(409, "7", True)
    happened = between(at("5", earlier), at("5", earlier, later))
    assert render_received(happened) == ["TV main tvChannel.setTvChannel(7, True): HTTP 409"]
    assert happened.changed == ()


def test_a_command_without_an_answer_is_told() -> None:
    happened = between(at("5"), at("5", received(None)))
    assert render_received(happened) == ["TV main tvChannel.setTvChannel(): no answer"]


def test_long_values_are_cut() -> None:
    (line,) = render_changed(between(at(["x" * 500]), at("7")))
    assert len(line) < 130
    assert "…" in line
