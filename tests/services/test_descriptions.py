"""How people find the actions: their fields; scripts/check_integration.py looks at the words."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import probatio
from homeassistant.auth.models import User
from homeassistant.core import HomeAssistant
from homeassistant.util.yaml import load_yaml_dict

from custom_components.sage.config.looking import LOOK_SERVICES
from custom_components.sage.config.photo_setup import PHOTO_SERVICES
from custom_components.sage.routines.api import ROUTINE_SERVICES
from custom_components.sage.services import MEMORY_SERVICES, PROCESS_SERVICES
from tests.end_to_end.conftest import Sage
from tests.memory_house import async_caller, texts

SERVICES: Mapping[str, Any] = {
    **PROCESS_SERVICES,
    **MEMORY_SERVICES,
    **ROUTINE_SERVICES,
    **PHOTO_SERVICES,
    **LOOK_SERVICES,
}
INTEGRATION = Path(__file__).parents[2] / "custom_components" / "sage"


def test_every_field_has_a_selector():
    described = load_yaml_dict(str(INTEGRATION / "services.yaml"))
    assert set(described) == set(SERVICES)
    for name, service in SERVICES.items():
        fields = (described[name] or {}).get("fields", {})
        targets = {"entity_id"} if "target" in (described[name] or {}) else set()
        assert set(fields) | targets == {str(each) for each in service.fields}, name
        for field, shown in fields.items():
            assert shown["selector"], field
            required = any(
                str(each) == field and isinstance(each, probatio.Required)
                for each in service.fields
            )
            assert shown.get("required", False) is required, field


def test_what_is_shown_as_the_default_is_the_default():
    described = load_yaml_dict(str(INTEGRATION / "services.yaml"))
    needed = {
        "text": "x",
        "question": "x",
        "id": 1,
        "export": {},
        "routine": "switch.x",
        "action": "x",
        "photo": "image.x",
        "caption": "x",
        "file": "/media/x.jpg",
        "device_id": "x",
        "user": "person.x",
    }

    for name, service in SERVICES.items():
        fields = (described[name] or {}).get("fields", {})
        given = {key: needed[key] for key, each in fields.items() if each.get("required")}
        if "target" in (described[name] or {}):
            given["entity_id"] = ["camera.x"]
        shown = {key: each["default"] for key, each in fields.items() if "default" in each}
        assert probatio.Schema(dict(service.fields))(given) == given | shown, name


async def test_a_person_calls_an_action_over_the_websocket(
    hass: HomeAssistant, sage: Sage, hass_ws_client: Any, hass_read_only_user: User
):
    """Home Assistant itself says who calls; no field can."""
    send = await async_caller(hass, hass_ws_client, hass_read_only_user)

    kept = await send("remember", text="I like jazz.")
    refusal = await send("forget", user="household", everything=True)

    assert kept["result"]["response"]["text"] == "I like jazz."
    assert await texts(hass, hass_read_only_user) == ["I like jazz."]
    assert await texts(hass, None) == []
    assert refusal["error"]["translation_key"] == "not_admin"
    assert "administrators" in refusal["error"]["message"]
