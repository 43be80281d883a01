"""Photos in the options: from the upload over HTTP to the image on the page of the device."""

import io
import json
import tempfile
from collections.abc import AsyncGenerator, Iterator
from pathlib import Path
from typing import Any

import pytest
from homeassistant.core import HomeAssistant
from homeassistant.data_entry_flow import FlowResultType, InvalidData
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers import entity_registry as er
from pytest_homeassistant_custom_component.common import MockConfigEntry
from pytest_homeassistant_custom_component.typing import ClientSessionGenerator

from benchmark.fake_embedding_server import (
    FakeEmbeddingServer,
    Fault,
    Refusal,
    refuse_broken_images,
)
from benchmark.fake_model_server import FakeModelServer
from benchmark.model_script import Completion, FaultKind
from benchmark.model_script import Fault as ModelFault
from custom_components.sage.const import DOMAIN
from custom_components.sage.photos.photo_album import PhotoAlbum
from tests.ai_task_house import AI_TASK, async_add_ollama, key_of
from tests.end_to_end.conftest import Sage, async_make_sage
from tests.exposing import expose, hide_all
from tests.options_dialog import Options, defaults, fields, suggested
from tests.photo_house import (
    HELPER,
    LAMP,
    SPOT,
    LampHouse,
    Porch,
    async_add_porch,
    bad_pictures,
    build_lamp_house,
    captions,
    picture,
)

CLIP = "ViT-B-32/laion2b_s34b_b79k"


class Dialog(Options):
    """The options of SAGE, with the photos of a device and files to upload."""

    def __init__(self, hass: HomeAssistant, entry: MockConfigEntry, client: Any) -> None:
        super().__init__(hass, entry)
        self.client = client

    async def upload(self, content: bytes) -> str:
        """Upload a file as the browser does; return its id."""
        response = await self.client.post("/api/file_upload", data={"file": io.BytesIO(content)})
        assert response.status == 200
        found: str = (await response.json())["file_id"]
        return found

    async def device(self, registry_id: str) -> Any:
        """Open the photos of a device."""
        form = await self.enter(await self.open("photos"), next_step_id="photo_device")
        return await self.enter(form, device=registry_id)

    async def add(self, registry_id: str, content: bytes, **entered: Any) -> Any:
        """Upload a picture for a device; return the next step."""
        form = await self.enter(await self.device(registry_id), next_step_id="add_photo")
        return await self.enter(form, picture=await self.upload(content), **entered)


@pytest.fixture
def house(hass: HomeAssistant) -> LampHouse:
    return build_lamp_house(hass)


@pytest.fixture
async def sage(hass: HomeAssistant, house: LampHouse, model_server: FakeModelServer) -> Sage:
    return await async_make_sage(hass, model_server)


@pytest.fixture
def album(sage: Sage) -> PhotoAlbum:
    found: PhotoAlbum = sage.entry.runtime_data.photos
    return found


@pytest.fixture
async def dialog(
    hass: HomeAssistant,
    sage: Sage,
    hass_client: ClientSessionGenerator,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> AsyncGenerator[Dialog]:
    # Uploads go to a folder that all tests of this machine would share.
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    yield Dialog(hass, sage.entry, await hass_client())
    # Options that changed reload the entry; that must be over at the end.
    await hass.async_block_till_done()


# ------------------------------------------------------------------ the pages


async def test_exposed_devices_are_offered_with_their_place_and_number_of_photos(
    dialog: Dialog, album: PhotoAlbum, house: LampHouse
):
    await album.async_add(house.lamp, picture())

    form = await dialog.enter(await dialog.open("photos"), next_step_id="photo_device")

    choices = form["data_schema"].schema["device"].config["options"]
    assert choices == [
        {"value": house.fountain, "label": "Fountain"},
        {"value": house.lamp, "label": "Lamp · Study (1)"},
        {"value": house.spot, "label": "Spot"},
    ]
    with pytest.raises(InvalidData):
        await dialog.enter(form, device="made up")


async def test_without_exposed_devices_there_is_a_sentence(hass: HomeAssistant, dialog: Dialog):
    hide_all(hass)

    end = await dialog.enter(await dialog.open("photos"), next_step_id="photo_device")

    assert (end["type"], end["reason"]) == (FlowResultType.ABORT, "no_devices")


async def test_an_uploaded_picture_is_stored_small_and_shown(
    hass: HomeAssistant, dialog: Dialog, album: PhotoAlbum, house: LampHouse
):
    page = await dialog.device(house.lamp)
    assert page["menu_options"] == ["add_photo", "photo_device", "photos_done"]
    assert page["description_placeholders"] == {
        "name": "Lamp",
        "photos": "–",
    }

    page = await dialog.add(house.lamp, picture(size=(3000, 2000)), caption=" on the\ndresser ")

    assert page["type"] is FlowResultType.MENU
    assert page["menu_options"] == ["add_photo", "choose_photo", "photo_device", "photos_done"]
    assert page["description_placeholders"]["photos"] == "1. on the dresser"
    (photo,) = album.of([house.lamp])
    stored = await album.async_image(photo)
    assert stored is not None
    assert len(stored) < 20_000
    assert hass.states.get("image.lamp_photo") is not None
    done = await dialog.enter(page, next_step_id="photos_done")
    assert done["type"] is FlowResultType.CREATE_ENTRY
    assert dialog.entry.options == {}


async def test_only_texts_with_markdown_get_an_escaped_name(
    hass: HomeAssistant, dialog: Dialog, house: LampHouse
):
    er.async_get(hass).async_update_entity(HELPER, name="Fountain *2*")

    page = await dialog.device(house.fountain)
    form = await dialog.enter(page, next_step_id="add_photo")

    assert page["description_placeholders"]["name"] == r"Fountain \*2\*"
    assert form["description_placeholders"]["name"] == "Fountain *2*"


async def test_captions_are_changed_and_photos_deleted(
    hass: HomeAssistant, dialog: Dialog, album: PhotoAlbum, house: LampHouse
):
    await dialog.add(house.lamp, picture("red"), caption="red *one*")
    page = await dialog.add(house.lamp, picture("blue"))
    assert page["description_placeholders"]["photos"] == ("1. red \\*one\\*\n2. –")

    form = await dialog.enter(page, next_step_id="choose_photo")
    first, second = form["data_schema"].schema["photo"].config["options"]
    assert (first["label"], second["label"]) == ("1. red *one*", "2. –")
    form = await dialog.enter(form, photo=second["value"])
    state = hass.states.get("image.lamp_photo_2")
    assert state is not None
    assert (
        form["description_placeholders"]["picture"] == f"![]({state.attributes['entity_picture']})"
    )
    page = await dialog.enter(form, caption="blue one")
    assert captions(album, house.lamp) == ["red *one*", "blue one"]

    form = await dialog.enter(page, next_step_id="choose_photo")
    form = await dialog.enter(form, photo=first["value"])
    assert suggested(form)["caption"] == "red *one*"
    page = await dialog.enter(form, caption="red *one*", delete=True)
    assert captions(album, house.lamp) == ["blue one"]
    form = await dialog.enter(page, next_step_id="choose_photo")
    assert form["step_id"] == "photo"
    page = await dialog.enter(form)
    assert captions(album, house.lamp) == [""]


async def test_no_more_than_eight_photos_of_a_device(
    dialog: Dialog, album: PhotoAlbum, house: LampHouse
):
    form = await dialog.enter(await dialog.device(house.lamp), next_step_id="add_photo")
    for number in range(8):
        await album.async_add(house.lamp, picture(f"#0000{number}0"))

    page = await dialog.device(house.lamp)
    assert "add_photo" not in page["menu_options"]
    late = await dialog.enter(form, picture=await dialog.upload(picture("red")))

    assert late["errors"] == {"base": "photo_too_many"}
    assert len(album.of([house.lamp])) == 8


async def test_a_device_that_went_away_meanwhile_gets_no_photo(
    hass: HomeAssistant, dialog: Dialog, album: PhotoAlbum, house: LampHouse
):
    form = await dialog.enter(await dialog.device(house.lamp), next_step_id="add_photo")
    file_id = await dialog.upload(picture())
    dr.async_get(hass).async_remove_device(house.lamp)
    hass.states.async_remove(LAMP)
    await hass.async_block_till_done()

    end = await dialog.enter(form, picture=file_id)

    assert (end["type"], end["reason"]) == (FlowResultType.ABORT, "device_gone")
    assert list(album) == []


async def test_while_sage_is_not_running_there_is_a_sentence(
    hass: HomeAssistant, dialog: Dialog, house: LampHouse
):
    menu = await dialog.open("photos")
    assert await hass.config_entries.async_unload(dialog.entry.entry_id)

    end = await dialog.enter(menu, next_step_id="photo_device")

    assert (end["type"], end["reason"]) == (FlowResultType.ABORT, "not_loaded")


# ------------------------------------------------------------------ bad pictures


@pytest.mark.parametrize("kind", bad_pictures())
async def test_a_bad_picture_gets_a_sentence_and_nothing_is_stored(
    hass: HomeAssistant, dialog: Dialog, album: PhotoAlbum, house: LampHouse, kind: str
):
    form = await dialog.add(house.lamp, bad_pictures()[kind], caption="on the dresser")

    assert form["type"] is FlowResultType.FORM
    assert form["errors"] == {"base": kind.split(maxsplit=1)[0]}
    assert suggested(form)["caption"] == "on the dresser"
    assert list(album) == []
    assert hass.states.async_all("image") == []
    page = await dialog.enter(form, picture=await dialog.upload(picture()))
    assert page["step_id"] == "photos_of"
    assert len(list(album)) == 1


async def test_exactly_one_source_is_needed(dialog: Dialog, album: PhotoAlbum, house: LampHouse):
    form = await dialog.enter(await dialog.device(house.lamp), next_step_id="add_photo")
    assert fields(form) == {"picture", "caption", "write_caption"}

    assert (await dialog.enter(form))["errors"] == {"base": "photo_one_source"}
    again = await dialog.upload(picture("red"))
    await dialog.enter(form, picture=again)
    form = await dialog.enter(await dialog.device(house.lamp), next_step_id="add_photo")

    # A file can be used once; then it is deleted.
    assert (await dialog.enter(form, picture=again))["errors"] == {"base": "photo_no_file"}
    assert len(list(album)) == 1


# ------------------------------------------------------------------ cameras


@pytest.fixture
async def porch(hass: HomeAssistant) -> Porch:
    return await async_add_porch(hass)


async def test_a_snapshot_of_an_exposed_camera_becomes_a_photo(
    hass: HomeAssistant, porch: Porch, dialog: Dialog, album: PhotoAlbum, house: LampHouse
):
    form = await dialog.enter(await dialog.device(house.lamp), next_step_id="add_photo")
    assert "camera" not in fields(form)
    expose(hass, LAMP, SPOT, "camera.porch")
    form = await dialog.enter(await dialog.device(house.lamp), next_step_id="add_photo")
    assert "camera" in fields(form)

    both = await dialog.enter(form, camera="camera.porch", picture=await dialog.upload(picture()))
    assert both["errors"] == {"base": "photo_one_source"}
    await dialog.enter(form, camera="camera.porch", caption="at the porch")

    assert captions(album, house.lamp) == ["at the porch"]


async def test_a_camera_without_a_picture_or_exposure_gets_a_sentence(
    hass: HomeAssistant, porch: Porch, dialog: Dialog, album: PhotoAlbum, house: LampHouse
):
    expose(hass, LAMP, "camera.porch")
    form = await dialog.enter(await dialog.device(house.lamp), next_step_id="add_photo")

    porch.content = None
    assert (await dialog.enter(form, camera="camera.porch"))["errors"] == {
        "base": "photo_no_snapshot"
    }
    porch.content = picture()
    expose(hass, LAMP)
    assert (await dialog.enter(form, camera="camera.porch"))["errors"] == {
        "base": "photo_no_snapshot"
    }
    assert list(album) == []


# ------------------------------------------------------------------ captions by the model


def caption(text: str) -> Completion:
    return Completion(text=json.dumps({"caption": text}))


async def test_the_model_writes_a_caption_that_is_shown_before_it_is_stored(
    dialog: Dialog, sage: Sage, album: PhotoAlbum, house: LampHouse
):
    sage.model_says(caption("A teal lamp\non a dresser."))

    form = await dialog.add(house.lamp, picture(), caption="lamp", write_caption=True)

    assert form["step_id"] == "photo"
    assert form["errors"] == {}
    assert suggested(form)["caption"] == "A teal lamp on a dresser."
    assert captions(album, house.lamp) == ["lamp"]
    (request,) = sage.server.completions
    system, user = request.messages
    assert "English" in system["content"]
    text, image = user["content"]
    assert text == {"type": "text", "text": "Device: Lamp, room: Study"}
    assert image["image_url"]["url"].startswith("data:image/jpeg;base64,/9j/")
    await dialog.enter(form, caption="A teal lamp on my dresser.")
    assert captions(album, house.lamp) == ["A teal lamp on my dresser."]


async def test_without_consent_no_photo_goes_to_the_model(
    dialog: Dialog, sage: Sage, house: LampHouse
):
    sage.model_says()

    await dialog.add(house.lamp, picture(), caption="lamp")

    assert sage.server.completions == []


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        (ModelFault(kind=FaultKind.REFUSED), "no_caption"),
        (ModelFault(kind=FaultKind.KEY_REFUSED), "key_refused"),
        (caption(""), "no_caption"),
        (Completion(text="A lamp."), "no_caption"),
        (Completion(text='{"caption": 5}'), "no_caption"),
    ],
)
async def test_a_model_without_a_caption_gets_a_sentence(
    dialog: Dialog, sage: Sage, album: PhotoAlbum, house: LampHouse, answer: Any, error: str
):
    page = await dialog.add(house.lamp, picture(), caption="typed")
    form = await dialog.enter(page, next_step_id="choose_photo")
    sage.model_says(answer)

    form = await dialog.enter(form, caption="typed", write_caption=True)

    assert form["errors"] == {"base": error}
    assert suggested(form)["caption"] == "typed"
    assert defaults(form)["write_caption"] is False
    assert captions(album, house.lamp) == ["typed"]


async def test_an_ai_task_entity_sees_the_photo(
    hass: HomeAssistant, dialog: Dialog, sage: Sage, house: LampHouse
):
    await async_add_ollama(hass, sage.server)
    data = {"ai_task": key_of(hass), "model": "Ollama", "formats": ["constrained"]}
    hass.config_entries.async_update_entry(sage.entry, data=data | {"structure": "open"})
    await hass.async_block_till_done()
    page = await dialog.add(house.lamp, picture(), caption="typed")
    form = await dialog.enter(page, next_step_id="choose_photo")
    sage.model_says(caption("A teal lamp."))

    form = await dialog.enter(form, caption="typed", write_caption=True)

    assert suggested(form)["caption"] == "A teal lamp."
    assert len(sage.server.completions[0].messages[-1]["images"]) == 1
    er.async_get(hass).async_remove(AI_TASK)
    form = await dialog.enter(form, caption="typed", write_caption=True)
    assert form["errors"] == {"base": "ai_task_gone"}


# ------------------------------------------------------------------ the server


@pytest.fixture
async def server(socket_enabled: None) -> AsyncGenerator[FakeEmbeddingServer]:
    async with FakeEmbeddingServer(models=[CLIP]) as running:
        running.refuses = refuse_broken_images
        yield running


async def open_server(dialog: Dialog) -> Any:
    return await dialog.enter(await dialog.open("photos"), next_step_id="photo_server")


async def test_a_server_is_tried_with_a_picture_stored_and_removed(
    dialog: Dialog, server: FakeEmbeddingServer, house: LampHouse
):
    server.api_key = "sk-1"
    form = await open_server(dialog)
    assert fields(form) == {"base_url", "api_key", "model"}
    assert defaults(form) == {"model": CLIP}
    adding = await dialog.enter(await dialog.device(house.lamp), next_step_id="add_photo")
    assert adding["description_placeholders"]["server"] == "–"

    address = server.url.removesuffix("/v1")
    done = await dialog.enter(form, base_url=address, api_key="sk-1", model=CLIP)

    assert done["type"] is FlowResultType.CREATE_ENTRY
    stored = {"base_url": server.url, "model": CLIP, "api_key": "sk-1"}
    assert dialog.entry.options == {"photo_server": stored}
    assert {each.body.get("modality") for each in server.requests} == {None, "image"}
    page = await dialog.device(house.lamp)
    form = await dialog.enter(page, next_step_id="add_photo")
    assert form["description_placeholders"]["server"] == "127.0.0.1"

    form = await open_server(dialog)
    assert defaults(form) == {"base_url": server.url, "model": CLIP, "remove": False}
    assert "sk-1" not in str(form)
    # An empty key keeps the one for the same server.
    await dialog.enter(form, base_url=server.url, model=CLIP)
    assert dialog.entry.options == {"photo_server": stored}
    form = await open_server(dialog)
    await dialog.enter(form, base_url=server.url, model=CLIP, remove=True)
    assert dialog.entry.options == {}


async def test_the_server_gets_the_photos_when_something_is_described(
    hass: HomeAssistant, dialog: Dialog, server: FakeEmbeddingServer, house: LampHouse
):
    await dialog.add(house.lamp, picture())
    form = await open_server(dialog)
    await dialog.enter(form, base_url=server.url, model=CLIP)
    server.requests.clear()

    looks = dialog.entry.runtime_data.home.appearance
    likeness = await looks.async_compare("the light on the dresser", {"lamp": [house.lamp]})

    assert likeness.by == "photos"
    assert [each.body.get("modality") for each in server.requests] == ["image", None]


def faults() -> Iterator[tuple[Any, str]]:
    yield Refusal(status=401), "key_refused"
    yield Refusal(status=404, code="model_not_found"), "no_such_model"
    yield Refusal(status=503, code="no_weights"), "no_weights"
    yield Refusal(status=503, code="model_loading"), "timeout"
    yield Refusal(status=400, message="does not support embeddings"), "no_embeddings"
    yield Fault.NOT_JSON, "broken_reply"


@pytest.mark.parametrize(("fault", "error"), faults())
async def test_a_server_that_does_not_work_gets_a_sentence(
    dialog: Dialog, server: FakeEmbeddingServer, fault: Any, error: str
):
    server.fail_always(fault)

    form = await dialog.enter(await open_server(dialog), base_url=server.url, model=CLIP)

    assert form["errors"] == {"base": error}
    assert dialog.entry.options == {}


async def test_a_server_that_embeds_only_texts_is_recognised(
    dialog: Dialog, server: FakeEmbeddingServer
):
    """Some refuse `modality`; others embed the picture as if it were a text."""
    form = await open_server(dialog)

    server.refuses = lambda _: None
    server.reads_images = False
    text_only = await dialog.enter(form, base_url=server.url, model=CLIP)
    server.refuses = lambda body: Refusal(status=422) if "modality" in body else None
    refusing = await dialog.enter(form, base_url=server.url, model=CLIP)

    assert text_only["errors"] == refusing["errors"] == {"base": "not_an_image_model"}
    assert DOMAIN in dialog.hass.config.components
    assert dialog.entry.options == {}
