"""Arguments that aim elsewhere or smuggle something hidden in."""

import pytest
from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar
from homeassistant.helpers import floor_registry as fr
from homeassistant.helpers import label_registry as lr
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.sage.home.home_types import Argument, CommandDescription, HomeError
from custom_components.sage.home.safety.fields import check_fields, hidden_reference, without_hidden
from custom_components.sage.home.safety.gate import Gate
from custom_components.sage.people.person import HOUSEHOLD

from ..entity_home import EntityHome

SAY = CommandDescription(
    name="speak",
    arguments=(
        Argument(name="text", type="string"),
        Argument(name="player", type="string", is_reference=True),
    ),
)


@pytest.fixture
async def gate(hass: HomeAssistant, entity_registry, device_registry):
    """A home with a shown and a hidden thing, each with device, area, floor and label."""
    entry = MockConfigEntry(domain="test", entry_id="01JHIDDENENTRY000000000000")
    entry.add_to_hass(hass)
    house = EntityHome(hass)
    for name in ("shown", "hidden"):
        floor = fr.async_get(hass).async_create(f"{name} floor")
        area = ar.async_get(hass).async_create(f"{name} area", floor_id=floor.floor_id)
        label = lr.async_get(hass).async_create(f"{name} label")
        device = device_registry.async_get_or_create(
            config_entry_id=entry.entry_id, identifiers={("test", name)}
        )
        device_registry.async_update_device(device.id, area_id=area.id)
        for domain in ("media_player", "camera", "sensor"):
            entity = entity_registry.async_get_or_create(
                domain, "test", name, suggested_object_id=name,
                device_id=device.id, config_entry=entry,
            )  # fmt: skip
            entity_registry.async_update_entity(entity.entity_id, labels={label.label_id})
            hass.states.async_set(entity.entity_id, "on")
            house.expose(entity.entity_id, exposed=name == "shown")
    gate = Gate(hass)
    await gate.async_setup()
    yield gate
    gate.close()


def check(gate, **arguments):
    check_fields(gate, HOUSEHOLD, SAY, arguments)


@pytest.mark.parametrize(
    "name",
    ["entity_id", "device_id", "area_id", "floor_id", "label_id", "target", "Entity_ID ", "TARGET"],
)
async def test_no_argument_may_aim_elsewhere(gate, name):
    with pytest.raises(HomeError, match="not allowed"):
        check(gate, **{name: "media_player.shown"})


@pytest.mark.parametrize(
    "value",
    [
        "camera.hidden",
        "Camera.Hidden",
        "media-source://camera/camera.hidden",
        "media-source://camera/camera%2Ehidden",
        "media-source://camera/camera%252Ehidden",
        "/api/camera_proxy/camera.hidden?width=1",
        "media_player.shown, media_player.hidden",
        ["media_player.shown", "media_player.hidden"],
        {"media_content_id": "media-source://camera/camera.hidden"},
        {"deep": [{"er": ["sensor.hidden"]}]},
        {"lock.x": 1, "camera.hidden": "on"},
        "hidden_area",
        "hidden_floor",
        "hidden_label",
        " Hidden_Area ",
    ],
)
async def test_what_is_hidden_cannot_be_named_in_any_argument(gate, value):
    for name in ("text", "player"):
        with pytest.raises(HomeError, match="may not be used"):
            check(gate, **{name: value})


async def test_registry_ids_are_seen_through(gate, entity_registry, device_registry):
    hidden = entity_registry.async_get("camera.hidden")
    shown = entity_registry.async_get("camera.shown")
    bare = device_registry.async_get_or_create(
        config_entry_id="01JHIDDENENTRY000000000000", identifiers={("test", "bare")}
    )
    for token in (hidden.id, hidden.device_id, bare.id, "01JHIDDENENTRY000000000000"):
        with pytest.raises(HomeError):
            check(gate, text=f"see {token}")
    check(gate, text=shown.id)
    check(gate, text=shown.device_id)


@pytest.mark.parametrize(
    "value", ["media_player.shown", "shown_area", "shown_floor", "", "media-source://radio/one"]
)
async def test_what_is_shown_may_be_named(gate, value):
    check(gate, player=value, text=value)


@pytest.mark.parametrize(
    "value",
    ["all", "media_player.shown,all", "camera.made_up", "media_player.shown, camera.made_up"],
)
async def test_references_must_exist_and_be_exact(gate, value):
    with pytest.raises(HomeError):
        check(gate, player=value)


async def test_a_place_must_be_shown_as_a_whole_to_be_acted_on(hass, gate, entity_registry):
    hass.states.async_set("light.secret", "on")
    area = ar.async_get(hass).async_get_area("shown_area")
    assert area is not None
    light = entity_registry.async_get_or_create("light", "test", "9", suggested_object_id="cellar")
    entity_registry.async_update_entity(light.entity_id, name="Cellar", area_id=area.id)
    hass.states.async_set(light.entity_id, "on")
    EntityHome(hass).expose(light.entity_id, exposed=False)
    with pytest.raises(HomeError):
        check(gate, player="shown_area")
    clean = CommandDescription(name="clean_area", arguments=SAY.arguments)
    check_fields(gate, HOUSEHOLD, clean, {"player": "shown_area"})
    with pytest.raises(HomeError):
        check_fields(gate, HOUSEHOLD, clean, {"player": "hidden_area"})


@pytest.mark.parametrize(
    "value",
    [
        "{{ states('camera.hidden') }}",
        "{% for s in states %}{{ s }}{% endfor %}",
        "{# x #}",
        {"data": ["{{ states.lock }}"]},
    ],
)
async def test_templates_are_refused(gate, value):
    with pytest.raises(HomeError, match="not a template"):
        check(gate, text=value)
    assert hidden_reference(gate, HOUSEHOLD, value)


@pytest.mark.parametrize(
    "value", ["Buy milk at 9.30 a.m.", "file.txt", "kitchen", 7, None, True, 1.5]
)
async def test_ordinary_values_pass(gate, value):
    check(gate, text=value)
    assert hidden_reference(gate, HOUSEHOLD, {"x": [value]}) is None


async def test_answers_lose_what_is_hidden(gate):
    answer = {
        "title": "Cameras",
        "children": [
            {"title": "Yard", "media_content_id": "media-source://camera/camera.hidden"},
            {"title": "Door", "media_content_id": "media-source://camera/camera.shown"},
        ],
        "camera.hidden": {"state": "on"},
        "sensor.shown": {"state": 3},
        "note": "see sensor.hidden",
    }
    cleaned = without_hidden(gate, HOUSEHOLD, answer)
    assert cleaned == {}  # a dict that names a hidden thing itself goes as a whole
    del answer["note"]
    assert without_hidden(gate, HOUSEHOLD, answer) == {
        "title": "Cameras",
        "children": [{"title": "Door", "media_content_id": "media-source://camera/camera.shown"}],
        "sensor.shown": {"state": 3},
    }
    assert without_hidden(gate, HOUSEHOLD, ["sensor.hidden", 1]) == [1]
