"""A Home Assistant with the devices of the drawn homes, and SAGE in it.

The devices have names such as "Light 7" and no area, so only their photos and captions say where
they are.
"""

import json
import re
from collections import Counter
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from homeassistant.components.conversation import async_converse
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.config_entries import ConfigEntry
from homeassistant.core import Context, HomeAssistant
from homeassistant.helpers import entity_registry as er

from custom_components.sage.config.embedders import async_find_embeddings
from custom_components.sage.const import CONF_PHOTO_SERVER, DOMAIN
from custom_components.sage.people.person import HOUSEHOLD

from ..fake_model_server import FakeModelServer
from ..model_script import Call, Completion, Json
from ..overhead_home import async_add_sage, home_assistant, lay_out
from .descriptions import Description
from .homes import HOMES
from .scenes import Device

_PICTURES: Final = "www"
"""A folder of the configuration that Home Assistant allows to read."""

_AGENT: Final = "photos"
_OFF_ON: Final[Json] = {"turn_on": [], "turn_off": []}
_TEMPLATES: Final[Mapping[str, tuple[str, Json]]] = {
    "light": ("light", _OFF_ON),
    "fan": ("fan", _OFF_ON),
    "plug": ("switch", _OFF_ON),
    "blind": (
        "cover",
        {"open_cover": [], "close_cover": [], "device_class": "blind", "optimistic": True},
    ),
}
"""Kind of the device -> domain of its template entity, and options."""

_PLAYERS: Final = {"TV": "tv", "speaker": "speaker"}
"""Kind of the device -> device class of its media player."""

_BEST: Final = re.compile(r"^1\. ([^\s,]+)", re.MULTILINE)
_CLEAR: Final = re.compile(r"^Margin of the first: [\d.]+; it is clear: \S+\.$", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """The reply of the disambiguation tool."""

    device_id: str | None
    """The best match, an id of the drawn homes; None if the tool finds no device."""

    is_clear: bool
    text: str


def read_answer(text: str, devices: Mapping[str, str]) -> Answer:
    """Return the reply; `devices`: id that the tool uses -> id of the drawn homes."""
    best = _BEST.search(text)
    return Answer(
        device_id=devices[best.group(1)] if best else None,
        is_clear=_CLEAR.search(text) is not None,
        text=text,
    )


class PhotographedHome:
    """The running home. Its devices have no photos at first."""

    def __init__(
        self,
        hass: HomeAssistant,
        entry: ConfigEntry[Any],
        model: FakeModelServer,
        ids: Mapping[str, str],
    ) -> None:
        """Use the running parts; `ids`: id of the drawn homes -> id that the tool uses."""
        self._hass = hass
        self._entry = entry
        self._model = model
        self._ids = ids
        self._devices = {tool_id: device_id for device_id, tool_id in ids.items()}

    async def async_add_photos(self) -> None:
        """Add a photo of each device, without captions."""
        for device_id, entity_id in entity_ids(self._hass).items():
            file = self._hass.config.path(_PICTURES, f"{device_id}.jpg")
            await self._async_act("add_photo", entity_id=entity_id, file=file)

    async def async_write_captions(self) -> None:
        """Give each photo the caption that the household wrote."""
        rows = er.async_get(self._hass)
        device_of = {
            rows.entities[entity_id].id: device_id
            for device_id, entity_id in entity_ids(self._hass).items()
        }
        for photo in list(self._entry.runtime_data.photos):
            image = rows.async_get_entity_id("image", DOMAIN, photo.image_id)
            caption = drawn_devices()[device_of[photo.subject]].caption
            await self._async_act("set_photo_caption", photo=image, caption=caption)

    async def async_connect(self, url: str, model: str) -> None:
        """Let SAGE compare photos with this server, tested as in the options."""
        settings = await async_find_embeddings(self._hass, url, None, model, of_images=True)
        await self._async_set_options({**self._entry.options, CONF_PHOTO_SERVER: settings})

    async def async_disconnect(self) -> None:
        """Let SAGE compare captions."""
        options = dict(self._entry.options)
        options.pop(CONF_PHOTO_SERVER, None)
        await self._async_set_options(options)

    async def async_ask(self, description: Description) -> Answer:
        """Let the device agent ask the tool which device of the kind is described."""
        candidates = [self._ids[device.id] for _, device in description.candidates()]
        self._model.forget()
        self._model.say(_decisions(description, candidates))
        await async_converse(
            self._hass,
            f"Where is {description.text}?",
            None,
            Context(),
            language="en",
            agent_id=f"conversation.{_AGENT}",
        )
        return read_answer(str(self._model.completions[-1].messages[-1]["content"]), self._devices)

    async def _async_act(self, action: str, **data: Any) -> None:
        await self._hass.services.async_call(DOMAIN, action, data, blocking=True)
        await self._hass.async_block_till_done()

    async def _async_set_options(self, options: Mapping[str, Any]) -> None:
        self._hass.config_entries.async_update_entry(self._entry, options=options)
        await self._hass.async_block_till_done()


@asynccontextmanager
async def photographed_home(folder: Path) -> AsyncGenerator[PhotographedHome]:
    """Run the home; `folder` is empty and becomes its configuration."""
    lay_out(folder)
    with (folder / "configuration.yaml").open("a", encoding="utf-8") as file:
        # JSON is YAML.
        file.writelines(f"{key}: {json.dumps(value)}\n" for key, value in _entities().items())
    (folder / _PICTURES).mkdir()
    for home in HOMES:
        for device_id, photo in home.photos().items():
            (folder / _PICTURES / f"{device_id}.jpg").write_bytes(photo)
    with FakeModelServer(models=("measured",)) as model:
        async with home_assistant(folder) as hass:
            for entity_id in entity_ids(hass).values():
                async_expose_entity(hass, "conversation", entity_id, True)
            agents = {_AGENT: {"decision_format": "native"}}
            entry = await async_add_sage(hass, model.url, agents)
            yield PhotographedHome(hass, entry, model, await _async_tool_ids(hass, entry))


def drawn_devices() -> Mapping[str, Device]:
    """Return the devices of all drawn homes, by their ids."""
    return {each.id: each for home in HOMES for room in home.rooms for each in room.devices}


def entity_ids(hass: HomeAssistant) -> Mapping[str, str]:
    """Return the entity ids of the drawn devices, by the ids of the drawn homes."""
    found = {row.unique_id: row.entity_id for row in er.async_get(hass).entities.values()}
    return {device_id: found[device_id] for device_id in drawn_devices()}


async def _async_tool_ids(hass: HomeAssistant, entry: ConfigEntry[Any]) -> Mapping[str, str]:
    """Return the ids that the tools use, by the ids of the drawn homes."""
    listing = await entry.runtime_data.home.of(HOUSEHOLD).async_listing()
    by_registry_id = {each: device.id for device in listing.devices for each in device.registry_ids}
    rows = er.async_get(hass).entities
    return {
        device_id: by_registry_id[rows[entity_id].id]
        for device_id, entity_id in entity_ids(hass).items()
    }


def _decisions(description: Description, candidates: Sequence[str]) -> Sequence[Completion]:
    """Return the replies of a model that looks for a device, and does nothing else."""
    step = {
        "action": "read",
        "devices": list(candidates),
        "capabilities": [],
        "task": "Find the device.",
        "doubt": "",
    }
    plan = {"steps": [step], "missing": []}

    def call(tool: str, **arguments: Any) -> Completion:
        return Completion(calls=[Call(name=tool, arguments=arguments)])

    return (
        call("device_interaction", timing="now", command=description.text, final=True),
        Completion(text=json.dumps(plan)),
        call(
            "device_disambiguation",
            description=description.text,
            kind=description.kind,
            candidates=list(candidates),
        ),
        call("finish", kind="could_not", answer="I only looked."),
    )


def _entities() -> Json:
    """Return the configuration of one entity for each device."""
    counts: Counter[str] = Counter()
    templates: list[Json] = []
    players: list[Json] = []
    for device in drawn_devices().values():
        counts[device.kind] += 1
        common = {
            "name": f"{device.kind[0].upper()}{device.kind[1:]} {counts[device.kind]}",
            "unique_id": device.id,
        }
        if (device_class := _PLAYERS.get(device.kind)) is not None:
            players.append({"platform": "universal", "device_class": device_class, **common})
        else:
            domain, options = _TEMPLATES[device.kind]
            templates.append({domain: [{**common, **options}]})
    return {"template": templates, "media_player": players}
