"""Reading sequences of actions: what cannot be read says so."""

import pytest
from homeassistant.helpers.template import Template

from custom_components.sage.home.safety.action_sequence import SceneStep, SequenceCall, calls_of


def test_a_call_keeps_its_data_and_target_apart():
    (call,) = calls_of(
        [
            {
                "action": "Light.Turn_On",
                "data_template": {"effect": "x"},
                "data": {"entity_id": "light.a", "brightness": 3},
                "target": {"area_id": "kitchen"},
            }
        ]
    )
    assert isinstance(call, SequenceCall)
    assert (call.domain, call.service) == ("light", "turn_on")
    assert call.data == {"effect": "x", "brightness": 3}
    assert call.target == {"entity_id": "light.a", "area_id": "kitchen"}
    assert call.has_target


@pytest.mark.parametrize(
    "step",
    [
        "light.turn_on",
        {"nonsense": 1},
        {"action": Template("{{ what }}", None)},  # type: ignore[arg-type]
        {"action": "nodot"},
        {"scene": "{{ which }}"},
        {"action": "light.turn_on", "data": Template("{{ all }}", None)},  # type: ignore[arg-type]
    ],
)
def test_what_cannot_be_read_says_so(step):
    found, *_ = calls_of([step])
    assert isinstance(found, str)
    assert found


def test_switched_off_steps_do_not_count_and_doubtful_ones_do():
    step = {"scene": "scene.movie"}
    assert list(calls_of([{**step, "enabled": False}])) == []
    doubtful = Template("{{ false }}", None)  # type: ignore[arg-type]
    assert list(calls_of([{**step, "enabled": doubtful}])) == [SceneStep("scene.movie")]
