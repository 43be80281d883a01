"""Finds the device of a description: by photos with a CLIP server, else by captions."""

import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from ..embeddings import Embedder, ImageEmbedder, Likeness, Vectors
from ..model import ModelError
from .photo_album import Photo, PhotoAlbum, PhotoError, PhotoStore, content_hash

_LOGGER: Final = logging.getLogger(__name__)

_PHOTO_SCALE: Final = 100.0  # factor before the softmax as in CLIP's training (Radford et al. 2021)
_CAPTION_SCALE: Final = 20.0  # the same for sentence embeddings, by `benchmark.photos.captions`
_QUERY: Final = "a photo of {}"
_NO_QUERY: Final = "a photo"
"""Comparison text if the kind of device is unknown; otherwise it is `_QUERY` with the kind.

A description fits a photo only if it is more similar to the photo than the comparison text is.
Reason: words for things that are not in the photo reduce the similarity (`benchmark.photos`).
"""

_LEAST_SHARE: Final = 0.54
"""Minimum share of the best device; with a smaller share, no device fits clearly.

With `_QUERY`, `_CAPTION_SCALE` and this minimum, the comparison with captions accepts 95 % of the
held-out descriptions of existing devices, and refuses 93 % of the descriptions of devices that do
not exist (`benchmark.photos.captions`).
"""


class DeviceLooks:
    """Compares descriptions with the photos and captions of devices."""

    def __init__(
        self, album: PhotoAlbum, captions: Embedder, images: ImageEmbedder | None = None
    ) -> None:
        """`captions` embeds captions, `images` photos; None without a server for photos."""
        self._album = album
        self._captions = captions
        self._images = images

    async def async_compare(
        self, description: str, subjects: Mapping[str, Sequence[str]], kind: str = ""
    ) -> Likeness | None:
        """Return how well each device fits a description, such as "the blue lamp".

        `subjects`: device id -> registry ids of the device and its entities. `kind`: kind of the
        described device, e.g. `lamp`. Returns None if there is nothing to compare, or the
        comparison fails.
        """
        photos = {device: self._album.of(ids) for device, ids in subjects.items()}
        photos = {device: shown for device, shown in photos.items() if shown}
        trouble = ""
        if photos and self._images is not None:
            try:
                return await self._async_by_photos(self._images, description, kind, photos)
            except (ModelError, PhotoError) as error:
                trouble = f"The photos could not be compared. {error}"
                _LOGGER.warning("Photos of devices could not be compared: %s", error)
        try:
            return await self._async_by_captions(description, photos, trouble)
        except (ModelError, PhotoError) as error:
            _LOGGER.warning("Captions of photos could not be compared: %s", error)
            return None

    async def _async_by_photos(
        self,
        model: ImageEmbedder,
        description: str,
        kind: str,
        photos: Mapping[str, Sequence[Photo]],
    ) -> Likeness:
        async def embed(missing: Sequence[Photo]) -> Vectors:
            images = [await self._album.async_image(photo) for photo in missing]
            if None in images:
                raise PhotoError("A photo was deleted meanwhile.")
            return await model.async_embed_images([image for image in images if image is not None])

        contents = {
            device: {photo.content: photo for photo in shown} for device, shown in photos.items()
        }
        vectors = await self._async_vectors(contents, model.model_id, embed)
        bare = _QUERY.format(kind) if kind else _NO_QUERY
        asked, plain = await model.async_embed([_QUERY.format(description), bare])
        cosines = _best(vectors, asked)
        best = max(cosines, key=cosines.__getitem__)
        likeness = _likeness("photos", cosines, _PHOTO_SCALE)
        says_more = cosines[best] > _best({best: vectors[best]}, plain)[best]
        return replace(likeness, fits=likeness.fits and says_more)

    async def _async_by_captions(
        self, description: str, photos: Mapping[str, Sequence[Photo]], trouble: str
    ) -> Likeness | None:
        contents = {
            device: {content_hash(photo.caption.encode()): photo.caption for photo in captioned}
            for device, shown in photos.items()
            if (captioned := [photo for photo in shown if photo.caption])
        }
        if not contents:
            return None
        model = self._captions
        vectors = await self._async_vectors(contents, model.model_id, model.async_embed)
        asked = (await model.async_embed([_QUERY.format(description)]))[0]
        return _likeness("captions", _best(vectors, asked), _CAPTION_SCALE, trouble)

    async def _async_vectors[T](
        self,
        contents: Mapping[str, Mapping[str, T]],
        model_id: str,
        embed: Callable[[Sequence[T]], Awaitable[Vectors]],
    ) -> dict[str, list[Vectors]]:
        """Return vectors by device, stored if new; `contents`: device id -> hash -> content."""
        every = {key: content for own in contents.values() for key, content in own.items()}
        vectors = await self._album.async_run(PhotoStore.vectors, list(every), model_id)
        if missing := [key for key in every if key not in vectors]:
            made = await embed([every[key] for key in missing])
            new = dict(zip(missing, made, strict=True))
            await self._album.async_run(PhotoStore.put_vectors, new, model_id)
            vectors |= new
        return {device: [vectors[key] for key in own] for device, own in contents.items()}


def _best(vectors: Mapping[str, Sequence[Vectors]], asked: Vectors) -> dict[str, float]:
    return {device: max(float(vector @ asked) for vector in own) for device, own in vectors.items()}


def _likeness(by: str, cosines: Mapping[str, float], scale: float, trouble: str = "") -> Likeness:
    """Return the result of a comparison: softmax of the cosine similarities times `scale`."""
    # Shares, because cosine similarities of different models are not comparable.
    values = scale * np.array(list(cosines.values()), np.float64)
    powers = np.exp(values - values.max())
    shares = dict(zip(cosines, (powers / powers.sum()).tolist(), strict=True))
    fits = max(shares.values()) >= _LEAST_SHARE
    return Likeness(by=by, shares=shares, fits=fits, trouble=trouble)
