"""The paper's evaluation, and the simulators that tests and the demo share."""

import logging

# Home Assistant's camera and ffmpeg integrations log a traceback where libturbojpeg or ffmpeg is
# not installed, and nothing here takes pictures.
for _name in ("homeassistant.components.camera.img_util", "haffmpeg"):
    logging.getLogger(_name).setLevel(logging.CRITICAL)
