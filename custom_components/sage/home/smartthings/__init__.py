"""Control SmartThings through its cloud; "raw" marks things of that cloud, e.g. `RawDevice`."""

from .provider import SmartThings
from .raw import SMARTTHINGS
