"""What is different in the home afterwards."""

from typing import Any

from scripts.demonstration.changes import changes, render, snapshot


def state(entity_id: str, value: str, **attributes: Any) -> dict[str, Any]:
    return {"entity_id": entity_id, "state": value, "attributes": attributes}


def test_states_and_attributes_that_changed_are_told_in_a_line_an_entity() -> None:
    before = snapshot([state("light.a", "off", brightness=None), state("light.b", "on")])
    after = snapshot([state("light.a", "on", brightness=255), state("light.b", "on")])
    assert render(changes(before, after)) == ["light.a: off → on, brightness none → 255"]


def test_what_is_no_part_of_the_home_does_not_count() -> None:
    before = snapshot([state("conversation.sage", "1"), state("script.x", "off")])
    after = snapshot([state("conversation.sage", "2"), state("script.x", "off", last_triggered=1)])
    assert changes(before, after) == ()
    pictures = [snapshot([state("image.a", "x", access_token=each)]) for each in ("1", "2")]
    assert changes(*pictures) == ()


def test_a_device_that_appears_is_a_change() -> None:
    found = changes({}, snapshot([state("light.a", "on")]))
    assert render(found) == ["light.a: none → on"]
