"""Control SmartThings devices directly through the API of the SmartThings cloud.

In names, "raw" marks things of that cloud, e.g. `RawDevice`.
"""

from .provider import SmartThings
from .raw import SMARTTHINGS
