"""The negative controls: they must fail every case that calls for an action or an answer."""

from homeassistant.helpers import entity_registry as er

from .home import PaperHome
from .methods import MethodRecord, MethodSettings, Reply, Utterance


class IdleMethod:
    """Does nothing and says nothing."""

    def __init__(self, settings: MethodSettings) -> None:
        """Need no settings."""

    async def async_set_up(self, home: PaperHome) -> None:
        """Do nothing."""

    async def async_say(self, home: PaperHome, said: Utterance) -> Reply:
        """Say nothing."""
        return Reply(text="")

    async def async_settle(self, home: PaperHome) -> None:
        """Wait for the home only."""
        await home.async_settle()

    async def async_close(self) -> None:
        """Do nothing."""

    def record(self) -> MethodRecord:
        """Return that nothing was used."""
        return MethodRecord()


class ParrotMethod(IdleMethod):
    """Repeats the sentence and every id that it sees, and does nothing."""

    async def async_say(self, home: PaperHome, said: Utterance) -> Reply:
        """Return the sentence with all ids of devices and entities."""
        rows = er.async_get(home.hass).entities.values()
        ids = [*home.device_ids().values(), *home.registry_ids().values()]
        ids += [row.entity_id for row in rows]
        return Reply(text=f"{said.text} {' '.join(sorted(ids))}")
