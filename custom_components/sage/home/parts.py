"""The objects that list, read and control the devices of the home, for all people."""

from homeassistant.core import HomeAssistant, callback

from .commands.pipeline import CommandWaits, Pipeline
from .commands.undo_history import UndoHistory
from .commands.validation import EntityCommandFinder
from .disambiguation import Looks
from .entities.documentation import Documenter
from .entities.entity_backend import EntityBackend
from .entities.reading import Reader
from .extension import Extension
from .home_types import ENTITIES
from .inventory import Inventory
from .safety.gate import Gate
from .safety.risk_levels import levels_of
from .vocabulary import Vocabulary


class HomeParts:
    """The objects that list, read and control the devices of the home; `Home` adds the views."""

    def __init__(self, hass: HomeAssistant, appearance: Looks | None = None) -> None:
        """Create all objects without loading data. `appearance` compares photos of devices."""
        self.hass = hass
        self.appearance = appearance
        self.waits = waits = CommandWaits()
        self.gate = Gate(hass)
        self.extension: Extension | None = None
        """The backend for capabilities that no entity offers; see `add`."""

        self.inventory = Inventory(hass, self.gate, appearance)
        self.documenter = Documenter(hass)
        self.reader = Reader(hass, self.gate, self.documenter)
        self.finder = EntityCommandFinder(hass, self.documenter)
        entities = EntityBackend(hass, self.gate, waits)
        self.pipeline = Pipeline(hass, self.gate, {ENTITIES: entities})
        self.undo = UndoHistory(self.pipeline)
        self.vocabulary = Vocabulary(hass)
        self.levels = levels_of(hass)

    async def async_setup(self) -> None:
        """Start listening for changes of users, exposure and devices."""
        await self.gate.async_setup()

    @callback
    def add(self, extension: Extension) -> None:
        """Set up the extension and use it for all devices; `async_close` closes it."""
        extension.setup()
        self.extension = self.inventory.extension = extension
        self.pipeline.backends[extension.source] = extension.commands

    def extension_of(self, key: str) -> Extension | None:
        """Return the extension that has this `MoreAttribute.key`; None for an entity id."""
        extension = self.extension
        return extension if extension and key.startswith(f"{extension.source}:") else None

    async def async_warm(self) -> None:
        """Load translations in advance, to make the first command faster."""
        await self.documenter.async_warm()
        await self.vocabulary.async_prepare(self.hass.config.language)

    async def async_close(self) -> None:
        """Stop listening and save caches."""
        self.inventory.close()
        self.gate.close()
        if self.extension is not None:
            await self.extension.async_close()
