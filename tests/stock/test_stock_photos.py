"""Given a stock Home Assistant, when its owner adds photos of devices, then they are shown."""

import io

import aiohttp
import pytest

from scripts.demonstration.client import HomeAssistantError
from tests.photo_house import picture

from .conftest import StockHome
from .test_stock_home import sets_sage_up

LIGHT, CAMERA, PHOTO = "light.bed_light", "camera.demo_camera", "image.bed_light_photo"
OPTIONS = "/api/config/config_entries/options/flow"


@pytest.mark.slow
async def test_photos_are_added_in_the_options_shown_and_deleted(stock_home: StockHome) -> None:
    home = stock_home
    entry = await sets_sage_up(home)

    await uploads(home, entry["entry_id"])
    await stands_on_the_page_of_the_device(home)
    await is_shown_to_who_is_signed_in(home)
    await takes_a_snapshot_by_action(home)
    await is_deleted_by_action(home)
    assert home.complaints() == []
    await keeps_others_out(home)


async def uploads(home: StockHome, entry_id: str) -> None:
    """Add a picture to the bed light; a file that is none is refused first."""
    step = await home.owner.post(OPTIONS, {"handler": entry_id})
    path = f"{OPTIONS}/{step['flow_id']}"
    for chosen in ("photos", "photo_device"):
        step = await home.owner.post(path, {"next_step_id": chosen})
    (field,) = step["data_schema"]
    (light,) = [
        each["value"]
        for each in field["selector"]["select"]["options"]
        if each["label"].startswith("Bed Light")
    ]
    await home.owner.post(path, {"device": light})
    step = await home.owner.post(path, {"next_step_id": "add_photo"})
    step = await home.owner.post(path, {"picture": await upload(home, b"<svg/>")})
    assert step["errors"] == {"base": "photo_other_format"}
    step = await home.owner.post(
        path, {"picture": await upload(home, picture(kind="PNG")), "caption": "by the bed"}
    )
    assert (step["type"], step["step_id"]) == ("menu", "photos_of")
    step = await home.owner.post(path, {"next_step_id": "photos_done"})
    assert step["type"] == "create_entry"


async def upload(home: StockHome, content: bytes) -> str:
    """Upload a file as the browser does; return its id."""
    async with (
        aiohttp.ClientSession(headers=signed_in(home)) as http,
        http.post(f"{home.server.url}/api/file_upload", data={"file": io.BytesIO(content)}) as got,
    ):
        assert got.status == 200
        file_id: str = (await got.json())["file_id"]
        return file_id


def signed_in(home: StockHome) -> dict[str, str]:
    """Return the headers of the owner."""
    return {"Authorization": f"Bearer {home.server.owner.token}"}


async def fetch(home: StockHome, path: str, headers: dict[str, str]) -> tuple[int, str]:
    """Return status and type of what is served."""
    async with (
        aiohttp.ClientSession(headers=headers) as http,
        http.get(home.server.url + path) as got,
    ):
        return got.status, got.content_type


async def stands_on_the_page_of_the_device(home: StockHome) -> None:
    """Check the entity in the registry."""
    rows = {
        each["entity_id"]: each for each in await home.owner.call("config/entity_registry/list")
    }
    assert rows[PHOTO]["device_id"] == rows[LIGHT]["device_id"] is not None
    assert (rows[PHOTO]["platform"], rows[PHOTO]["entity_category"]) == ("sage", "diagnostic")
    state = await home.owner.get(f"/api/states/{PHOTO}")
    assert state["attributes"]["friendly_name"].endswith("by the bed")
    exposed = (await home.owner.call("homeassistant/expose_entity/list"))["exposed_entities"]
    assert not exposed.get(PHOTO, {}).get("conversation", False)


async def is_shown_to_who_is_signed_in(home: StockHome) -> None:
    """Fetch the picture with and without signing in."""
    path = f"/api/image_proxy/{PHOTO}"
    assert await fetch(home, path, signed_in(home)) == (200, "image/jpeg")
    assert (await fetch(home, path, {}))[0] == 403


async def takes_a_snapshot_by_action(home: StockHome) -> None:
    """Have the demo camera take a second photo, once it is exposed."""
    action, fields = "/api/services/sage/add_photo", {"entity_id": LIGHT, "camera": CAMERA}
    with pytest.raises(HomeAssistantError):
        await home.owner.post(action, fields)
    await home.owner.call(
        "homeassistant/expose_entity",
        assistants=["conversation"],
        entity_ids=[CAMERA],
        should_expose=True,
    )
    await home.owner.post(action, fields)
    assert await home.state(f"{PHOTO}_2") != "unavailable"


async def is_deleted_by_action(home: StockHome) -> None:
    """Delete both photos; their entities go, too."""
    for entity_id in (PHOTO, f"{PHOTO}_2"):
        await home.owner.post("/api/services/sage/delete_photo", {"photo": entity_id})
    rows = await home.owner.call("config/entity_registry/list")
    assert not [each for each in rows if each["entity_id"].startswith("image.bed_light")]


async def keeps_others_out(home: StockHome) -> None:
    """Let somebody who is no administrator try; Home Assistant logs that."""
    with pytest.raises(HomeAssistantError, match="401"):
        await home.guest.post(
            "/api/services/sage/add_photo", {"entity_id": LIGHT, "camera": CAMERA}
        )
