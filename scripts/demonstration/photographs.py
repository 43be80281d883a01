"""Add photos of the devices at the simulated cloud, as a user's automation would.

The photos are drawn (`benchmark.photos`): the lights of that home share one name.
"""

import asyncio
import tempfile
from pathlib import Path

from benchmark.photos.homes import PAPER
from benchmark.simulator.home import load_home

from .client import Client
from .cloud_record import CLOUD_HOME

READABLE = "www"
"""Folder of the configuration whose files an action may read in every installation."""


async def add_photos(owner: Client, folder: Path, *, with_captions: bool) -> None:
    """Add a photo to each device for which one is drawn, unless there are photos already."""
    rows = await owner.call("config/entity_registry/list")
    if any(row["platform"] == "sage" and row["entity_id"].startswith("image.") for row in rows):
        return
    captions = {each.id: each.caption for room in PAPER.rooms for each in room.devices}
    photos = await asyncio.to_thread(PAPER.photos)
    keys = {device.id: device.key for device in load_home(CLOUD_HOME).devices.values()}
    readable = folder / READABLE
    readable.mkdir(exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=readable, suffix=".jpg") as file:
        for device in await owner.call("config/device_registry/list"):
            for _, identifier in device["identifiers"]:
                if (key := keys.get(identifier, "")) not in photos:
                    continue
                await asyncio.to_thread(Path(file.name).write_bytes, photos[key])
                data = {"device_id": device["id"], "file": file.name}
                if with_captions:
                    data["caption"] = captions[key]
                await owner.call(
                    "call_service", domain="sage", service="add_photo", service_data=data
                )
