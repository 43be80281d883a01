"""The devices of the home with one person's eyes: listing, documentation, values, commands."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from homeassistant.core import HomeAssistant, callback

from ..embeddings import Likeness
from ..helpers import Breaks
from ..people import Person
from .commands.pipeline import CommandWaits, Pipeline, ValidatedCommand
from .commands.undo_history import UndoHistory
from .commands.validation import EntityCommandFinder
from .disambiguation import Looks, Ranking, rank
from .entities.documentation import Documenter
from .entities.entity_backend import EntityBackend
from .entities.reading import Reader
from .extension import Extension, Subject
from .home_types import (
    ENTITIES,
    Command,
    Component,
    Device,
    Documentation,
    HomeError,
    NoCommandError,
    Reading,
)
from .inventory import Inventory
from .listing import Found, Listing, alias_of
from .matching import MANY_COMPONENTS
from .prompt_text import called, said_alias, says_the_same
from .safety.authority import Authority
from .safety.gate import Gate
from .safety.risk_levels import levels_of
from .vocabulary import Synonyms, Vocabulary

_POWERED: Final = frozenset({"media_player", "climate", "fan", "humidifier", "water_heater"})
"""Domains of entities whose state `off` means that the whole device is off."""


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
        """Set up the extension and use it for all devices; `close` closes it."""
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

    def close(self) -> None:
        """Stop listening."""
        self.inventory.close()
        self.gate.close()
        if self.extension is not None:
            self.extension.close()


class DeviceView:
    """The devices of the home with the permissions of one person: lists, documents and reads them.

    Each value that the model receives goes to the record of the run, with which SAGE checks the
    model's answer.
    """

    def __init__(
        self,
        home: HomeParts,
        person: Person,
        record: Callable[..., None] = lambda *_: None,
        *,
        authority: Authority | None = None,
        said: str = "",
    ) -> None:
        """Store the arguments; commands need the `authority` of a request.

        `record` appends values that were read and outcomes to the record of the run. `said` is the
        request: the alias that it uses for a device stands before the device's name.
        """
        self._home = home
        self._person = person
        self._record = record
        self._authority = authority
        self._said = said
        self._room = authority.room if authority is not None else None
        self._listing: Listing | None = None

    @property
    def synonyms(self) -> Synonyms:
        """The words for kinds of devices and for states in the language of the request."""
        language = self._authority and self._authority.language
        return self._home.vocabulary.synonyms(language or self._home.hass.config.language)

    async def async_listing(self) -> Listing:
        """Return the devices and entities that the person may see.

        They are looked up once, and again before commands and after a question
        (`async_read_again`). What is read or executed is checked with the rights of that moment.
        """
        if self._listing is None:
            await self._home.gate.async_load_rights(self._person)
            self._listing = await self._home.inventory.async_listing(self._person)
        return self._listing

    async def async_document(
        self,
        names: Iterable[str],
        capabilities: Iterable[str] | None = None,
        *,
        with_main: bool = False,
        is_recorded: bool = True,
    ) -> tuple[Documentation, ...]:
        """Return the attributes, values and commands of devices, components or groups.

        `capabilities` are the entity domains (`light`) and further capabilities to document:

        - None: all entities; capabilities that no entity offers are only listed by name
        - empty: all entities; capabilities that no entity offers are left out
        - otherwise: only these; for a device without any of them, the same as None

        `with_main` adds the main entity of each device, such as its power switch. `is_recorded`:
        whether the values go to the record. Raises HomeError for an unknown name.
        """
        listing = await self.async_listing()
        wanted = None if capabilities is None else frozenset(capabilities)
        # A request may name a device and also one of its components, so remove duplicates.
        entities: dict[tuple[Device, str], None] = {}
        more: dict[Subject, None] = {}
        overviews: dict[str, Sequence[Documentation]] = {}
        for found in listing.find_all(names):
            device, parts, is_named = found.device, _parts(found, wanted), False
            if (extension := self._home.extension if device.more_components else None) is not None:
                if named := extension.named(self._person, device, wanted or ()):
                    more |= dict.fromkeys(named)
                    is_named = True
                elif wanted is None or (wanted and not parts):
                    overviews[device.id] = extension.overview(device)
            if with_main and (parts or is_named):
                parts = [
                    each
                    for each in device.components
                    # The main one, or one that switches the power
                    if each in parts
                    or each.name == device.name
                    or each.id.partition(".")[0] in _POWERED
                ]
            parts = parts or (() if is_named else _parts(found, None))
            entities |= dict.fromkeys((device, part.id) for part in parts)
        documents: list[Documentation] = []
        breaks, documenter = Breaks(), self._home.documenter
        await documenter.async_refresh()
        for device, component_id in entities:
            documents.append(await documenter.async_document(device, component_id))
            await breaks.async_take()
        if more and (extension := self._home.extension) is not None:
            documents += await extension.async_document(self._person, list(more))
        documents += (each for overview in overviews.values() for each in overview)
        shown = tuple(self._called(listing, each) for each in documents)
        if is_recorded:
            self._record(*shown)
        return shown

    async def async_read(
        self,
        names: Iterable[str],
        attributes: Sequence[str] | None = None,
        capabilities: Iterable[str] | None = None,
        *,
        is_recorded: bool = True,
    ) -> tuple[Reading, ...]:
        """Return current values of devices, components or groups.

        - `attributes`: names of the values to read; None means all values of the entities
        - `capabilities`: entity domains (`light`) and further capabilities to read; None means
          all entities. Domains filter only devices with more than 6 entities; all entities of a
          smaller device are read.

        Values that no entity has are read only if `attributes` or `capabilities` name them.
        `is_recorded`: whether the values go to the record. Raises HomeError for an unknown name or
        attribute.
        """
        person, reader, listing = self._person, self._home.reader, await self.async_listing()
        wanted = None if capabilities is None else frozenset(capabilities)
        readings: list[Reading] = []
        breaks = Breaks()
        for found in listing.find_all(names):
            device = found.device
            more: Sequence[Reading] = ()
            if (extension := self._home.extension if device.more_components else None) is not None:
                more = await extension.async_read(person, device, wanted, attributes)
            # Without this condition, only further capabilities were named, no entity.
            if not more or attributes is not None or _parts(found, wanted):
                try:
                    parts = _ids_to_read(found, wanted)
                    readings += await reader.async_read(person, device, parts, attributes)
                except HomeError:
                    if not more:
                        raise
            readings += more
            await breaks.async_take()
        # A request may name a device and also one of its components, so remove duplicates.
        places = {(each.device_id, each.component_id, each.capability): each for each in readings}
        shown = tuple(self._called(listing, each) for each in places.values())
        if is_recorded:
            self._record(*shown)
        return shown

    def _called[T: Reading](self, listing: Listing, read: T) -> T:
        """Return `read` with the aliases of device and area that the request uses."""
        said = self._said
        if not said:
            return read
        device = listing.device(read.device_id)
        part = next((each for each in device.components if each.id == read.component_id), None)
        alias = alias_of(device, read.component_id, said)
        if not alias and part is not None and len(device.components) > 1:
            # Documentation shows the id of a component, but not the name.
            shown = part.id.partition(".")[2]
            if not says_the_same(shown, part.name, read.area):
                alias = said_alias(shown, (part.name,), said)
        area = listing.areas.get(read.area or "")
        place = said_alias(area.name, area.aliases, said) if area is not None else ""
        if not alias and not place:
            return read
        return replace(
            read,
            device_name=called(read.device_name, alias),
            area=f"{read.area}, also {place}" if place else read.area,
        )

    async def async_rank(
        self,
        text: str,
        candidates: Iterable[str] | None,
        *,
        state: str = "",
        in_english: str = "",
        kind: str = "",
    ) -> Ranking:
        """Return the devices that the description `text` may mean, best match first.

        - `candidates`: ids, names or groups; None means all devices, as do only unknown ones
        - `state`: state of the described device, such as "on"; empty if the person named none.
          It counts only if the description alone does not tell the devices apart.
        - `in_english`: `text` in English, for the model that compares photos; may be empty
        - `kind`: kind of the device in English, such as "lamp"; may be empty

        If the description is the exact name of a device, photos are not compared.
        """
        listing, appearance = await self.async_listing(), self._home.appearance
        devices, unknown = listing.devices_named(candidates or ())
        ranked = partial(
            rank, listing, description=text, state=state, synonyms=self.synonyms, room=self._room
        )
        named = ranked((), candidates=devices or None)
        compares = appearance is not None and not (named and named[0].is_exact)
        # Without `candidates`, compare photos of devices with a match, or of all if none matches.
        possible = [match.device for match in named] or devices or listing.devices
        if devices and compares:
            possible = devices
        readings = await self._home.reader.async_survey(self._person, possible)
        self._record(*readings)
        photo_match: Likeness | None = None
        if appearance is not None and compares and len(possible) > 1:
            subjects = {each.id: each.registry_ids for each in possible}
            photo_match = await appearance.async_compare(in_english or text, subjects, kind)
        ranked = partial(ranked, candidates=possible, photo_match=photo_match)
        ranking = Ranking(
            description=text,
            matches=ranked(()),
            readings=readings,
            photo_match=photo_match,
            unknown=unknown,
        )
        # Models often give the state that the device is to have: it counts only where it is needed.
        return ranking if ranking.is_clear else replace(ranking, matches=ranked(readings))

    async def async_prepare(self, requests: Sequence[Command]) -> tuple[ValidatedCommand, ...]:
        """Return validated commands, for a group one per device, unsent. Raises HomeError."""
        # A device may have been removed since the documentation was read.
        self._listing = None
        listing = await self.async_listing()
        await self._home.documenter.async_refresh()
        prepared: list[ValidatedCommand] = []
        for request in requests:
            prepared += await self._async_prepare(listing, request)
        return tuple(prepared)

    async def _async_prepare(self, listing: Listing, request: Command) -> list[ValidatedCommand]:
        """Return the command of each member of a group, or the one of a device.

        The members of a label may be of several kinds: those without the command are left out, as
        in Home Assistant, unless none has it.
        """
        prepared: list[ValidatedCommand] = []
        missing: list[NoCommandError] = []
        kinds: set[str] = set()
        breaks = Breaks()
        for found in listing.find_all((request.device_id,)):
            device = found.device
            found_id = found.component.id if found.component else None
            component_id = request.component_id or found_id
            kinds.add((component_id or "").partition(".")[0])
            own = replace(request, device_id=device.id, component_id=component_id)
            try:
                command = await self._async_find(listing, device, own)
            except NoCommandError as err:
                missing.append(err)
            else:
                aliases = (
                    alias_of(device, command.component_id, text) for text in (self._said, device.id)
                )
                if alias := next(filter(None, aliases), ""):
                    name = called(command.device_name, alias)
                    command = replace(command, alias=alias, device_name=name)
                prepared.append(command)
            await breaks.async_take()
        if missing and (not prepared or len(kinds) == 1):
            raise missing[0]
        return prepared

    async def _async_find(
        self, listing: Listing, device: Device, request: Command
    ) -> ValidatedCommand:
        """Return the validated command of an entity, or of an extension's component if named."""
        if (extension := self._home.extension if device.more_components else None) is None:
            return await self._home.finder.async_find(listing, request, self._said)
        finders = [
            partial(self._home.finder.async_find, listing, request, self._said),
            partial(extension.async_prepare, self._person, device, request),
        ]
        if extension.names_part(self._person, device, request):
            finders.reverse()
        try:
            return await finders[0]()
        except NoCommandError as err:
            first = err
        try:
            return await finders[1]()
        except NoCommandError as err:
            raise first if first.has_other else NoCommandError(f"{first} {err}") from None


def _ids_to_read(found: Found, capabilities: frozenset[str] | None) -> list[str] | None:
    """Return the ids of entities to read, by `capabilities` only of large devices; None: all."""
    if found.component is not None:
        return [found.component.id]
    fitting = _parts(found, capabilities) if capabilities else ()
    many = len(found.device.components) > MANY_COMPONENTS
    return [each.id for each in fitting] if many and fitting else None


def _parts(found: Found, capabilities: frozenset[str] | None) -> Sequence[Component]:
    """Return the found entity, or a device's entities with one of `capabilities`, if given."""
    parts = (found.component,) if found.component else found.device.components
    return [p for p in parts if capabilities is None or capabilities & {*p.capabilities}]
