"""The objects that list, read and control the devices of the home, for all people."""

from collections.abc import Callable, Iterable, Iterator

from homeassistant.core import HomeAssistant, callback

from .commands.pipeline import CommandWaits, Pipeline
from .commands.undo_history import UndoHistory
from .commands.validation import EntityCommandFinder
from .disambiguation import Looks
from .entities.documentation import Documenter
from .entities.entity_backend import EntityBackend
from .entities.reading import Reader
from .extension import ChangeListener, Extension
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
        self.extensions: dict[str, Extension] = {}
        """Source -> extension, for capabilities that no entity offers; see `add`."""

        self.inventory = Inventory(hass, self.gate, self.extensions, appearance)
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
        """Set up an extension and use it for all devices; `async_close` closes it."""
        extension.setup()
        self.extensions[extension.source] = extension
        self.pipeline.backends[extension.source] = extension.commands

    def extension_of(self, key: str) -> Extension | None:
        """Return the extension that has this `MoreAttribute.key`; None for an entity id."""
        source, _, rest = key.partition(":")
        return self.extensions.get(source) if rest else None

    def watch_extensions(
        self, keys: Iterable[str], listener: ChangeListener
    ) -> Iterator[Callable[[], None]]:
        """Watch the attributes of extensions in `keys`; yield the functions that stop it."""
        own: dict[Extension, list[str]] = {}
        for key in keys:
            if (extension := self.extension_of(key)) is not None:
                own.setdefault(extension, []).append(key)
        for extension, watched in own.items():
            yield extension.watch(watched, listener)

    async def async_warm(self) -> None:
        """Load translations in advance, to make the first command faster."""
        await self.documenter.async_warm()
        await self.vocabulary.async_prepare(self.hass.config.language)

    async def async_close(self) -> None:
        """Stop listening and save caches."""
        self.inventory.close()
        self.gate.close()
        for extension in self.extensions.values():
            await extension.async_close()
