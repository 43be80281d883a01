"""Four lights share one name: photos and their captions distinguish them."""

import asyncio
import io
from collections.abc import AsyncGenerator, Iterator, Mapping

import pytest
from homeassistant.core import HomeAssistant
from homeassistant.helpers import device_registry as dr
from PIL import Image

from benchmark.fake_embedding_server import FakeEmbeddingServer, Fault
from benchmark.model_script import Completion
from custom_components.sage.const import CONF_PHOTO_SERVER
from custom_components.sage.people.person import HOUSEHOLD
from tests.decisions import NATIVE, claim, plan, step
from tests.end_to_end.conftest import Sage
from tests.end_to_end.test_direct_command import command, ending

CAPTIONS = {
    "yellow": "white lamp on the nightstand beside the bed",
    "red": "two spotlights on the stone wall of the fireplace",
    "blue": "hanging lamp over the dining table",
    "green": "cylinder lamp on the credenza below the television",
}


def picture(colour: str) -> bytes:
    output = io.BytesIO()
    Image.new("RGB", (64, 48), colour).save(output, "PNG")
    return output.getvalue()


async def lights(sage: Sage) -> list[str]:
    listing = await sage.entry.runtime_data.home.of(HOUSEHOLD).async_listing()
    return [each.id for each in listing.devices if "light" in each.components[0].capabilities]


async def async_photograph(sage: Sage, captions: Mapping[str, str] = CAPTIONS) -> dict[str, str]:
    """Add a photo of each light; return colour -> id of the light."""
    runtime = sage.entry.runtime_data
    listing = await runtime.home.of(HOUSEHOLD).async_listing()
    found = {}
    for colour, device_id in zip(captions, await lights(sage), strict=False):
        device = listing.device(device_id)
        await runtime.photos.async_add(device.registry_ids[0], picture(colour), captions[colour])
        found[colour] = device_id
    return found


async def rank(sage: Sage, description: str, *candidates: str, **more: str) -> str:
    """Have the model look for a device; return what it observed."""
    given = {"candidates": list(candidates)} if candidates else {}
    sage.model_says(
        NATIVE.call("device_disambiguation", description=description, **given, **more),
        NATIVE.finish("could_not", "Never mind."),
    )
    await sage.say(f"where is {description}?", conversation_id=None)
    return str(sage.server.completions[-1].messages[-1]["content"])


def first(observation: str) -> str:
    number, device_id, *_ = observation.split()
    assert number == "1."
    return device_id.rstrip(",")


@pytest.fixture
async def photo_server(socket_enabled: None) -> AsyncGenerator[FakeEmbeddingServer]:
    async with FakeEmbeddingServer(models=("clip",), dimensions=4096) as running:
        yield running


async def connect(hass: HomeAssistant, sage: Sage, server: FakeEmbeddingServer) -> None:
    settings = {"base_url": server.url, "model": "clip"}
    options = {**sage.entry.options, CONF_PHOTO_SERVER: settings}
    hass.config_entries.async_update_entry(sage.entry, options=options)
    await hass.async_block_till_done()


async def test_light_by_the_bed_takes_one_call(smart_sage: Sage) -> None:
    ids = await async_photograph(smart_sage)
    bed = ids["yellow"]
    smart_sage.model_says(
        NATIVE.calls(
            command(bed, "turn_on"),
            ending("acted", "The light by the bed is on.", claim(bed, "on")),
        )
    )
    assert await smart_sage.hear("turn on the light by the bed") == "The light by the bed is on."
    assert smart_sage.model_calls == 1
    assert f'[photo: "{CAPTIONS["yellow"]}"]' in smart_sage.server.completions[0].prompt


async def test_captions_find_what_is_said_in_other_words(smart_sage: Sage) -> None:
    ids = await async_photograph(smart_sage)
    for description, colour in (
        ("the lamp next to where I sleep", "yellow"),
        ("the light at the chimney", "red"),
        ("the light above the table where we eat", "blue"),
        ("the lamp under the TV", "green"),
    ):
        seen = await rank(smart_sage, description, "all light")
        assert first(seen) == ids[colour], (description, seen)
        assert ", captions " in seen.splitlines()[0]


async def test_what_is_said_in_another_language_is_compared_in_english(smart_sage: Sage) -> None:
    ids = await async_photograph(smart_sage)
    for description, in_english, colour in (
        ("die Lampe neben meinem Bett", "the lamp next to my bed", "yellow"),
        ("la lumière de la cheminée", "the light of the fireplace", "red"),
    ):
        seen = await rank(smart_sage, description, "all light", in_english=in_english)
        assert first(seen) == ids[colour], (description, seen)


async def test_what_fits_no_caption_is_not_clear(smart_sage: Sage) -> None:
    await async_photograph(smart_sage)
    seen = await rank(smart_sage, "the skylight in the bathroom", "all light")
    assert "is not clear" in seen
    assert "say that the home has none" in seen


async def test_light_without_a_photo_stays_and_is_named(smart_sage: Sage) -> None:
    await async_photograph(smart_sage, dict(list(CAPTIONS.items())[:3]))
    seen = await rank(smart_sage, "the lamp next to where I sleep", "all light")
    assert seen.count(", no photo") == 1


async def test_without_photos_the_model_is_told_to_ask(smart_sage: Sage) -> None:
    smart_sage.model_says(
        *NATIVE.planned("the light", step("read", (await lights(smart_sage))[0])),
        NATIVE.call("device_disambiguation", description="the light by the bed"),
        NATIVE.finish("could_not", "Never mind."),
    )
    await smart_sage.say("turn on the light by the bed", conversation_id=None)
    seen = str(smart_sage.server.completions[-1].messages[-1]["content"])
    assert "is not clear: ask" in seen
    assert "There are no photos of these devices to compare with." in seen


async def test_condition_agent_finds_a_described_light(smart_sage: Sage) -> None:
    ids = await async_photograph(smart_sage)
    decides, bed = NATIVE, ids["yellow"]
    code = f'def is_light_off():\n    return get_state("{bed}") == "off"\n'
    described = "the lamp next to where I sleep"
    smart_sage.model_says(
        decides.call("condition_code_writing", condition=f"{described} is off"),
        plan(step("read", *ids.values())),
        decides.call("device_disambiguation", description=described, candidates=["all light"]),
        decides.call("code_execution", function="is_light_off", code=code),
        decides.call(
            "condition_polling",
            function="is_light_off",
            kind="tell",
            action="The lamp is off.",
            commands=[],
            repeat="once",
            final=True,
        ),
    )
    await smart_sage.say(f"tell me when {described} is off", conversation_id=None)

    seen = str(smart_sage.server.completions[3].messages[-1]["content"])
    assert first(seen) == bed
    (watched,) = smart_sage.entry.runtime_data.routines.list(None)
    assert list(watched.routine.bindings) == [bed]


async def test_server_compares_the_photos_themselves(
    hass: HomeAssistant, smart_sage: Sage, photo_server: FakeEmbeddingServer
) -> None:
    await connect(hass, smart_sage, photo_server)
    ids = await async_photograph(smart_sage, dict.fromkeys(CAPTIONS, ""))
    for colour, device_id in ids.items():
        seen = await rank(smart_sage, f"the {colour} one", "all light")
        assert first(seen) == device_id, (colour, seen)
        assert ", photos 1.00" in seen.splitlines()[0]
        assert "it is clear" in seen
    images = [each for each in photo_server.requests if each.body.get("modality") == "image"]
    assert sum(len(each.texts) for each in images) == len(ids), "each photo is embedded once"


async def test_what_fits_a_photo_less_than_its_kind_alone_is_not_clear(
    hass: HomeAssistant, smart_sage: Sage, photo_server: FakeEmbeddingServer
) -> None:
    # At this server the kind of a device is its colour.
    await connect(hass, smart_sage, photo_server)
    ids = await async_photograph(smart_sage, dict.fromkeys(CAPTIONS, ""))
    seen = await rank(smart_sage, "the red one on the piano", "all light", kind="red")
    assert first(seen) == ids["red"]
    assert ", photos 1.00" in seen.splitlines()[0]
    assert "is not clear" in seen


async def test_server_that_goes_in_the_middle_of_a_run_leaves_the_captions(
    hass: HomeAssistant, smart_sage: Sage, photo_server: FakeEmbeddingServer
) -> None:
    await connect(hass, smart_sage, photo_server)
    ids = await async_photograph(smart_sage)

    def answers() -> Iterator[Completion]:
        yield NATIVE.call(
            "device_disambiguation", description="the blue one", candidates=["all light"]
        )
        photo_server.fail_always(Fault.DROPPED)
        yield NATIVE.call(
            "device_disambiguation",
            description="the lamp next to where I sleep",
            candidates=["all light"],
        )
        yield NATIVE.finish("could_not", "Never mind.")

    smart_sage.server.say(answers())
    await smart_sage.say("where is the lamp?", conversation_id=None)

    with_photos, with_captions = (
        each["result"]
        for each in smart_sage.trace["root"]["children"]
        if each["name"] == "device_disambiguation"
    )
    assert first(with_photos) == ids["blue"]
    assert ", photos 1.00" in with_photos
    assert first(with_captions) == ids["yellow"]
    assert ", captions " in with_captions.splitlines()[0]
    assert "The photos could not be compared." in with_captions


async def test_photos_stay_over_a_reload_and_go_with_their_device(smart_sage: Sage) -> None:
    ids = await async_photograph(smart_sage)
    await smart_sage.hass.config_entries.async_reload(smart_sage.entry.entry_id)
    await smart_sage.hass.async_block_till_done()
    album = smart_sage.entry.runtime_data.photos
    assert len(list(album)) == len(ids)
    subject = next(iter(album)).subject
    changed = asyncio.Event()
    album.listen(changed.set)
    dr.async_get(smart_sage.hass).async_remove_device(subject)
    await asyncio.wait_for(changed.wait(), 120)
    assert not album.of((subject,))
    assert len(list(album)) == len(ids) - 1
