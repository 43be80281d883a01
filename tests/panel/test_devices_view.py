"""The view of devices: everybody sees what they may use; administrators change risk and photos."""

import json
from typing import Any

import pytest
from aiohttp import FormData
from homeassistant.auth.models import User
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.config_entries import ConfigEntryState
from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er
from homeassistant.setup import async_setup_component
from pytest_homeassistant_custom_component.common import MockUser
from pytest_homeassistant_custom_component.typing import ClientSessionGenerator

from benchmark.fake_model_server import FakeModelServer
from benchmark.model_script import Completion, Fault, FaultKind
from custom_components.sage.home.home_types import RiskClass
from custom_components.sage.home.safety.risk_levels import (
    RiskLevels,
    RiskVerdict,
    levels_of,
    subject_of,
)
from tests.end_to_end.attacker import has_number
from tests.end_to_end.conftest import Sage, async_make_sage
from tests.exposing import expose
from tests.photo_house import HELPER, LAMP, SPOT, LampHouse, build_lamp_house, captions, picture

from .conftest import Call, ask, send

LOCK = "lock.door"
NEW = "switch.new"


@pytest.fixture
def levels() -> type[RiskLevels] | None:
    """Begin without any classification."""
    return None


@pytest.fixture
def house(hass: HomeAssistant) -> LampHouse:
    """Two lamps, a fountain, and a lock; the second lamp is not exposed."""
    house = build_lamp_house(hass)
    hass.states.async_set(LOCK, "locked", {"friendly_name": "Door"})
    expose(hass, LAMP, HELPER, LOCK)
    return house


@pytest.fixture
async def sage(hass: HomeAssistant, house: LampHouse, model_server: FakeModelServer) -> Sage:
    """SAGE in this house."""
    assert await async_setup_component(hass, "light", {})
    return await async_make_sage(hass, model_server)


async def device_id(call: Call, user: User, name: str) -> str:
    """Return the id of the device with this name."""
    devices = (await ask(call, user, "devices/list"))["devices"]
    (found,) = [each["id"] for each in devices if each["name"] == name]
    return str(found)


async def risk(call: Call, user: User, name: str) -> dict[str, Any]:
    """Return the risk level of the only component of a device."""
    opened = await ask(call, user, "devices/get", device=await device_id(call, user, name))
    (component,) = opened["components"]
    found: dict[str, Any] = component["risk"]
    return found


async def test_only_exposed_devices_are_listed(sage: Sage, call: Call, anna: User, admin: User):
    sage.hass.services.async_register("lock", "unlock", lambda _: None)
    of_anna = await ask(call, anna, "devices/list")
    of_admin = await ask(call, admin, "devices/list")
    page = await ask(call, anna, "devices/list", start=1, count=1)

    assert {each["name"] for each in of_anna["devices"]} == {"Lamp", "Fountain", "Door"}
    (lamp,) = [each for each in of_anna["devices"] if each["name"] == "Lamp"]
    assert (lamp["area"], lamp["kinds"], lamp["photos"]) == ("Study", ["light"], 0)
    assert (lamp["controls"], lamp["level"]) == (1, None)
    (door,) = [each for each in of_admin["devices"] if each["name"] == "Door"]
    assert (door["entities"], door["controls"], door["level"]) == ([LOCK], 1, "ask")
    assert of_anna.keys() == {"devices", "total"}
    assert of_admin["exposed"] == 3
    assert of_admin["entities"] > 3
    assert (page["devices"], page["total"]) == (of_anna["devices"][1:2], 3)


async def test_a_device_opens_to_values_and_commands(sage: Sage, call: Call, anna: User):
    opened = await ask(call, anna, "devices/get", device=await device_id(call, anna, "Lamp"))

    (light,) = opened["components"]
    values = {each["name"]: each["value"] for each in light["attributes"]}
    assert light["id"] == LAMP
    assert values["state"] == "off"
    assert {"turn_on", "turn_off"} <= {each["name"] for each in light["commands"]}
    assert "risk" not in light


async def test_a_device_that_one_may_not_read_is_unknown(
    sage: Sage, call: Call, anna: User, guest: User
):
    lamp = await device_id(call, anna, "Lamp")

    of_guest = await ask(call, guest, "devices/list")
    refused = await send(call, guest, "devices/get", device=lamp)
    hidden = await send(call, anna, "devices/get", device=SPOT)

    assert {each["name"] for each in of_guest["devices"]} == {"Fountain"}
    assert refused["error"]["translation_key"] == "unknown_device"
    assert hidden["error"]["translation_key"] == "unknown_device"


@pytest.fixture
async def guest(hass: HomeAssistant) -> User:
    """Somebody who may only read the fountain."""
    guest = MockUser(name="Guest")
    guest.mock_policy({"entities": {"entity_ids": {HELPER: True}}})
    return guest.add_to_hass(hass)


async def test_a_level_says_why(hass: HomeAssistant, sage: Sage, call: Call, admin: User):
    assert await risk(call, admin, "Lamp") == {
        "level": "free",
        "automatic": "free",
        "by": "kind",
        "risk": None,
        "reason": "",
        "choice": None,
    }
    assert await risk(call, admin, "Door") == {
        "level": "ask",
        "automatic": "ask",
        "by": "kind",
        "risk": "unlock",
        "reason": "",
        "choice": None,
    }
    levels_of(hass).note(subject_of(hass, HELPER), RiskVerdict(risk=None))
    assert (await risk(call, admin, "Fountain"))["level"] == "free"
    hass.states.async_set(NEW, "off", {"friendly_name": "New"})
    async_expose_entity(hass, "conversation", NEW, True)
    new = await risk(call, admin, "New")
    assert (new["level"], new["by"], new["risk"]) == ("ask", "nothing", "unclear")

    verdict = RiskVerdict(risk=RiskClass.MAINTENANCE, reason="It may flood the garden.")
    levels_of(hass).note(subject_of(hass, HELPER), verdict)

    found = await risk(call, admin, "Fountain")
    assert (found["level"], found["by"], found["reason"]) == (
        "ask",
        "model",
        "It may flood the garden.",
    )


async def test_a_chosen_level_applies_at_once_and_can_be_taken_back(
    hass: HomeAssistant, sage: Sage, call: Call, admin: User
):
    runtime = sage.entry.runtime_data
    row = er.async_get(hass).async_get(HELPER)
    assert row is not None

    chosen = await ask(call, admin, "devices/set_risk", entity_id=HELPER, level="never")
    await hass.async_block_till_done()
    stored = dict(sage.entry.options["risk_levels"])
    shown = await risk(call, admin, "Fountain")
    back = await ask(call, admin, "devices/set_risk", entity_id=HELPER, level=None)
    await hass.async_block_till_done()

    assert chosen["risk"]["level"] == shown["level"] == "never"
    assert (shown["by"], shown["choice"]) == ("household", "never")
    assert stored == {row.id: "never"}
    assert sage.entry.options["risk_levels"] == {}
    assert back["risk"]["by"] == "nothing"
    # A reload would end active runs.
    assert sage.entry.runtime_data is runtime
    assert sage.entry.state is ConfigEntryState.LOADED


async def test_members_choose_no_level_and_add_no_photo(
    sage: Sage, call: Call, anna: User, admin: User
):
    for action, data in (
        ("devices/set_risk", {"entity_id": LOCK, "level": "free"}),
        ("devices/add_photo", {"device": LAMP, "upload": "x"}),
        ("set_photo_caption", {"photo": "image.x", "caption": "x"}),
        ("delete_photo", {"photo": "image.x"}),
        ("devices/write_caption", {"photo": "image.x"}),
    ):
        answer = await send(call, anna, action, **data)
        assert answer["error"]["code"] == "unauthorized"
    wrong = await send(call, admin, "devices/set_risk", entity_id="lock.no", level="free")
    assert wrong["error"]["translation_key"] == "unknown_device"


async def test_a_photo_is_uploaded_captioned_and_deleted(
    sage: Sage, house: LampHouse, call: Call, admin: User, hass_client: ClientSessionGenerator
):
    lamp = await device_id(call, admin, "Lamp")
    login = await sage.hass.auth.async_create_refresh_token(admin, client_id="http://localhost/")
    client = await hass_client(sage.hass.auth.async_create_access_token(login))
    form = FormData()
    form.add_field("file", picture(), filename="photo.jpg")
    upload = (await (await client.post("/api/file_upload", data=form)).json())["file_id"]
    album = sage.entry.runtime_data.photos

    await ask(call, admin, "devices/add_photo", device=lamp, upload=upload, caption="by the bed")
    await sage.hass.async_block_till_done()
    (shown,) = (await ask(call, admin, "devices/get", device=lamp))["pictures"]
    assert shown["caption"] == "by the bed"
    assert sage.hass.states.get(shown["entity_id"]) is not None
    photo = shown["entity_id"]
    await ask(call, admin, "set_photo_caption", photo=photo, caption="on the desk")
    assert captions(album, house.lamp) == ["on the desk"]
    await ask(call, admin, "delete_photo", photo=photo)
    assert captions(album, house.lamp) == []
    again = await send(call, admin, "devices/add_photo", device=lamp, upload=upload)
    assert again["error"]["translation_key"] == "photo_no_file"


@pytest.mark.parametrize(
    ("options", "language", "words"),
    [
        ({}, "en", "The photo stays on this system"),
        ({}, "de", "Das Foto bleibt auf diesem System"),
        (
            {"photo_server": {"base_url": "http://models.lan:7997/v1", "model": "clip"}},
            "en",
            "SAGE also sends the photo to the server models.lan.",
        ),
    ],
)
async def test_whoever_adds_a_photo_reads_where_it_goes(
    sage: Sage, call: Call, admin: User, options: dict[str, Any], language: str, words: str
):
    sage.hass.config_entries.async_update_entry(sage.entry, options=sage.entry.options | options)
    await sage.hass.async_block_till_done()
    lamp = await device_id(call, admin, "Lamp")

    opened = await ask(call, admin, "devices/get", device=lamp, language=language)

    assert words in opened["photo_destination"]


async def add_photo(sage: Sage, house: LampHouse, call: Call, admin: User) -> str:
    """Add a photo of the lamp; return its image entity."""
    album = sage.entry.runtime_data.photos
    await album.async_add(house.lamp, picture(), "typed")
    await sage.hass.async_block_till_done()
    opened = await ask(call, admin, "devices/get", device=await device_id(call, admin, "Lamp"))
    assert opened["caption_model"] == "test-model"
    (shown,) = opened["pictures"]
    return str(shown["entity_id"])


async def test_the_model_writes_a_caption_that_is_not_stored(
    sage: Sage, house: LampHouse, call: Call, admin: User
):
    photo = await add_photo(sage, house, call, admin)
    sage.model_says(Completion(text=json.dumps({"caption": "A teal lamp."})))

    written = await ask(call, admin, "devices/write_caption", photo=photo)

    assert written == {"caption": "A teal lamp."}
    assert captions(sage.entry.runtime_data.photos, house.lamp) == ["typed"]
    (request,) = sage.server.completions
    text, image = request.messages[1]["content"]
    assert text["text"] == "Device: Lamp, room: Study"
    assert image["image_url"]["url"].startswith("data:image/jpeg")


@pytest.mark.parametrize(
    ("answer", "key"),
    [
        (Fault(kind=FaultKind.REFUSED), "photo_no_caption"),
        (Fault(kind=FaultKind.KEY_REFUSED), "photo_model_failed"),
        (Completion(text="A lamp."), "photo_no_caption"),
    ],
)
async def test_a_model_without_a_caption_gets_a_sentence(
    sage: Sage, house: LampHouse, call: Call, admin: User, answer: Any, key: str
):
    photo = await add_photo(sage, house, call, admin)
    sage.model_says(answer)

    refused = await send(call, admin, "devices/write_caption", photo=photo)

    assert refused["error"]["translation_key"] == key
    assert captions(sage.entry.runtime_data.photos, house.lamp) == ["typed"]


async def test_no_secret_is_shown(hass: HomeAssistant, sage: Sage, call: Call, anna: User):
    hass.states.async_set(
        LOCK, "locked", {"friendly_name": "Door", "code": "4711", "access_token": "abc-secret"}
    )

    opened = await ask(call, anna, "devices/get", device=await device_id(call, anna, "Door"))

    assert not has_number(json.dumps(opened), "4711")
    assert "abc-secret" not in json.dumps(opened)
