"""The paper's evaluation, and the simulators that tests and the demo share."""

import logging

# Home Assistant's camera integration logs a traceback where libturbojpeg is not installed, and
# nothing here takes pictures.
logging.getLogger("homeassistant.components.camera.img_util").setLevel(logging.CRITICAL)
