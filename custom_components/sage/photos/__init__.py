"""Photos of devices: their storage, and the search for the device that fits a description."""

from .device_looks import DeviceLooks
from .photo_album import (
    LONGEST_CAPTION,
    MOST_PHOTOS,
    Photo,
    PhotoAlbum,
    PhotoError,
    RefusedPictureError,
    clean_caption,
    re_encode,
    read_picture,
)
