"""What condition code reads of devices: values as documented, bound to registry ids."""

from homeassistant.helpers import device_registry as dr
from homeassistant.helpers import entity_registry as er
from homeassistant.setup import async_setup_component

from tests.demo_home import demo_home  # noqa: F401
from tests.home.homes import Builder
from tests.lent.asking import Asking


async def test_a_door_is_what_its_documentation_says(hass, asking: Asking):
    assert await async_setup_component(hass, "binary_sensor", {})
    build = Builder(hass)
    door = build.device("Front Door", build.area("Hallway"))
    build.entity("binary_sensor.front_door", "on", device=door, device_class="door")

    (document,) = await asking.home.async_document(asking.person, ["front_door"])
    state = document.attributes[0]

    assert (state.value, state.meaning) == ("on", "Open")
    assert await asking.value("get_state", "front_door") == "on"
    assert await asking.value("get_state", "Front Door") == "on"
    assert await asking.value("get_state", " hallway  front door ") == "on"
    assert await asking.value("get_state", "binary_sensor.front_door") == "on"
    answered = await asking("get_state", "front_door")
    assert answered.keys == {"binary_sensor.front_door"}
    assert answered.fresh_until is None


async def test_a_rename_changes_nothing(hass, asking: Asking):
    build = Builder(hass)
    device = build.device("Door", build.area("Hallway"))
    entry = build.entity("binary_sensor.door", "on", device=device)
    assert await asking.value("get_state", "door") == "on"
    assert asking.bindings == {"door": f"entity:{entry.id}"}

    dr.async_get(hass).async_update_device(
        device.id, name_by_user="Gate", area_id=build.area("Garden").id
    )
    er.async_get(hass).async_update_entity(entry.entity_id, new_entity_id="binary_sensor.gate")
    hass.states.async_remove("binary_sensor.door")
    hass.states.async_set("binary_sensor.gate", "off")
    answered = await asking("get_state", "door")

    assert answered.answer.value == "off"
    assert answered.keys == {"binary_sensor.gate"}


async def test_another_device_with_the_old_name_is_not_read(hass, asking: Asking):
    build = Builder(hass)
    old = build.entity("binary_sensor.door", "on", device=build.device("Door"))
    assert await asking.value("get_state", "door") == "on"
    assert await asking.value("get_state", "binary_sensor.door") == "on"

    er.async_get(hass).async_remove(old.entity_id)
    hass.states.async_remove(old.entity_id)
    build.entity("binary_sensor.other", "off", device=build.device("Door"))
    er.async_get(hass).async_update_entity(
        "binary_sensor.other", new_entity_id="binary_sensor.door"
    )
    hass.states.async_set("binary_sensor.door", "off")

    for name in ("door", "binary_sensor.door"):
        answered = await asking("get_state", name)
        assert answered.is_withheld
        assert "no more" in answered.answer.error
        assert answered.answer.value is None
