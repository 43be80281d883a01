"""The album of photos: kept over restarts, deleted for good, recovered when damaged."""

import asyncio
import io
from pathlib import Path

import numpy as np
import pytest
from homeassistant.core import HomeAssistant
from homeassistant.helpers import issue_registry as ir
from PIL import Image

from custom_components.sage.photos.photo_album import (
    MOST_PHOTOS,
    PhotoAlbum,
    PhotoError,
    PhotoStore,
    RefusedPictureError,
    clean_caption,
)

LAMP, TV = "registry-id-of-the-lamp", "registry-id-of-the-tv"


def noisy(seed: int) -> bytes:
    pixels = np.random.default_rng(seed).integers(0, 255, (90, 120, 3), np.uint8)
    output = io.BytesIO()
    Image.fromarray(pixels).save(output, "PNG")
    return output.getvalue()


class Albums:
    """Opens the album of one folder, again and again."""

    def __init__(self, hass: HomeAssistant, path: Path) -> None:
        self.hass = hass
        self.path = path

    async def open(self) -> PhotoAlbum:
        album = PhotoAlbum(self.hass, self.path)
        await album.async_load()
        return album


@pytest.fixture
def albums(hass, tmp_path) -> Albums:
    return Albums(hass, tmp_path / "sage" / "photos.db")


async def test_each_change_is_announced_and_counted(albums):
    album = await albums.open()
    versions = [album.version]
    end = album.listen(lambda: versions.append(album.version))
    photo = await album.async_add(LAMP, noisy(1))
    await album.async_set_caption(photo, "by the bed")
    await album.async_remove(album.of([LAMP]))
    assert not album.of([LAMP])
    end()
    await album.async_add(LAMP, noisy(2))
    assert versions == [versions[0] + number for number in range(4)]
    await album.async_close()


async def test_same_picture_of_one_device_is_stored_once_and_of_two_twice(albums):
    album = await albums.open()
    for subject in (LAMP, LAMP, TV):
        await album.async_add(subject, noisy(1))
    assert [each.subject for each in album] == [LAMP, TV]
    await album.async_close()


async def test_refused_picture_stores_nothing(albums):
    album = await albums.open()
    with pytest.raises(RefusedPictureError):
        await album.async_add(LAMP, b"no picture")
    assert not list(album)
    await album.async_close()


async def test_device_has_a_limited_number_of_photos(albums):
    album = await albums.open()
    for number in range(MOST_PHOTOS):
        await album.async_add(LAMP, noisy(number))
    with pytest.raises(PhotoError, match="photo_too_many"):
        await album.async_add(LAMP, noisy(99))
    assert len(album.of([LAMP])) == MOST_PHOTOS
    await album.async_close()


async def test_deleted_photo_leaves_no_bytes_in_the_folder(albums):
    album = await albums.open()
    photo = await album.async_add(LAMP, noisy(1), "the words of a caption")
    image = await album.async_image(photo)
    assert image is not None
    await album.async_remove([photo])
    assert await album.async_image(photo) is None
    await album.async_close()
    kept = b"".join(each.read_bytes() for each in albums.path.parent.iterdir())
    assert image[600:680] not in kept
    assert b"the words of a caption" not in kept


async def test_vectors_are_kept_by_model_and_go_with_their_photo(albums):
    album = await albums.open()
    photo = await album.async_add(LAMP, noisy(1))
    vector = np.array([0.6, 0.8], np.float32)
    await album.async_run(PhotoStore.put_vectors, {photo.content: vector}, "clip")

    async def known(model: str):
        return await album.async_run(PhotoStore.vectors, [photo.content], model)

    assert (await known("clip"))[photo.content].tolist() == vector.tolist()
    assert await known("another model") == {}
    await album.async_remove([photo])
    assert await known("clip") == {}
    await album.async_close()


async def test_damaged_file_is_set_aside_and_the_rest_recovered(albums):
    album = await albums.open()
    for number in range(6):
        await album.async_add(LAMP, noisy(number), f"photo {number}")
    await album.async_close()
    content = albums.path.read_bytes()
    albums.path.write_bytes(content[: len(content) * 3 // 4])
    again = await albums.open()
    await asyncio.sleep(0)
    (issue,) = ir.async_get(albums.hass).issues.values()
    assert issue.translation_key == "photos_damaged"
    assert issue.translation_placeholders is not None
    assert issue.translation_placeholders["rows"] == str(len(tuple(again)))
    assert 0 < len(tuple(again)) < 6
    for photo in again:
        image = await again.async_image(photo)
        assert image is not None
        with Image.open(io.BytesIO(image)) as opened:
            opened.load()
    await again.async_close()


def test_caption_is_one_line_of_limited_length():
    assert clean_caption("  by \u202ethe\n\tbed\x07 ") == "by the bed"
    assert len(clean_caption("long " * 100)) <= 200
