"""The devices of the home for all people (`Home`) and for one person (`PersonHome`)."""

from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Final

from homeassistant.core import HomeAssistant

from ..helpers.slices import Breaks
from ..people.person import Person
from ..text import number_words
from .commands.evidence import Evidence
from .commands.outcome_text import async_load_state_names
from .commands.pipeline import (
    REFUSED_NEVER,
    REFUSED_NOT_PERMITTED,
    REFUSED_REFERENCE,
    CommandWaits,
    Pipeline,
)
from .commands.spoken_names import ConfirmationNames
from .commands.undo_history import PutBack, UndoHistory
from .directory import names_all, render_index, render_matches
from .disambiguation import Appearance, Description, Ranking, async_rank
from .entities.documentation import Documenter
from .entities.entity_commands import EntityCommandFinder, PreparedCommand
from .entities.execution import EntityBackend
from .entities.forecasts import HomeWeather, async_forecasts
from .entities.reading import Reader
from .entities.restoring import Restoration
from .groups import find_all, said_groups
from .home_types import (
    CommandRequest,
    Component,
    Device,
    Documentation,
    HomeError,
    NoCommandError,
    Outcome,
    Reading,
    Source,
)
from .inventory import Inventory
from .labels import alias_of, called, said_alias, says_the_same
from .listing import NAME, Found, Listing
from .matching import MANY_COMPONENTS, matching_devices, requested, requested_components
from .rendering import most_fitting
from .safety.gate import Gate
from .smartthings.commands import RawCommand
from .smartthings.documents import Subject
from .smartthings.provider import POWERED, SmartThings
from .vocabulary import Synonyms, Vocabulary

_INDEX_TOKENS: Final = 4_000
"""Maximum tokens of the full device list in a prompt; a longer list is replaced by numbers."""

_MATCHES_TOKENS: Final = 3_000

_MEANT_TOKENS: Final = 1_200
"""Maximum tokens for the documentation of the devices that a request may mean."""

_MOST_MEANT: Final = 40
"""Maximum number of devices documented for a request."""

_NEVER_SENT: Final = frozenset({REFUSED_NOT_PERMITTED, REFUSED_REFERENCE, REFUSED_NEVER})
"""Refusals that depend on permissions and household rules, not on the current state."""

type AnyCommand = PreparedCommand | RawCommand


@dataclass(frozen=True, slots=True, kw_only=True)
class Rehearsed:
    """A validated command that was not sent (dry run)."""

    command: AnyCommand
    name: str
    """Unique name of the device or component for a confirmation question."""

    asks_first: bool
    """Whether the command needs confirmation."""


class Home:
    """The devices of the home, with the objects that list, read and control them.

    `PersonHome` and `RunHome` use these objects on behalf of one person.
    """

    def __init__(self, hass: HomeAssistant, appearance: Appearance | None = None) -> None:
        """Create all objects without loading data. `appearance` compares photos of devices."""
        self.hass = hass
        self.appearance = appearance
        self.waits = waits = CommandWaits()
        self.gate = Gate(hass)
        self.smartthings = SmartThings(hass, self.gate, waits)
        self.inventory = Inventory(hass, self.gate, self.smartthings, appearance)
        self.documenter = Documenter(hass)
        self.reader = Reader(hass, self.gate, self.documenter)
        self.finder = EntityCommandFinder(hass, self.documenter)
        self.entities = entities = EntityBackend(hass, self.gate, waits)
        raw = self.smartthings.backend
        self.pipeline = Pipeline(
            self.gate.async_load_rights,
            {PreparedCommand: entities, Restoration: entities, RawCommand: raw},
        )
        self.put_back = PutBack(
            self.pipeline, {Source.SMARTTHINGS: raw, Source.HOME_ASSISTANT: entities}
        )
        self.undo = UndoHistory(self.put_back)
        self.vocabulary = Vocabulary(hass)

    async def async_setup(self) -> None:
        """Start listening for changes of users, exposure and devices."""
        await self.gate.async_setup()
        await self.smartthings.async_setup()

    async def async_warm(self) -> None:
        """Load translations in advance, to make the first command faster."""
        await self.documenter.async_warm()
        await self.async_prepare_speech(self.hass.config.language)

    async def async_prepare_speech(self, language: str) -> None:
        """Load the names of device kinds, states and numbers in a language."""
        await self.vocabulary.async_warm(language)
        await async_load_state_names(self.hass, language)
        if not number_words.is_loaded(language):
            await self.hass.async_add_executor_job(number_words.load, language)

    async def async_close(self) -> None:
        """Stop listening and save caches."""
        self.inventory.close()
        self.gate.close()
        await self.smartthings.async_close()

    def of(
        self, person: Person, *, language: str | None = None, room: str | None = None
    ) -> PersonHome:
        """Return the home with the permissions of one person.

        `language` is the language of requests; None means Home Assistant's language. `room` is the
        name of the speaker's area.
        """
        language = language or self.hass.config.language
        return PersonHome(self, person, Evidence(), language=language, room=room)


class PersonHome:
    """The home with the permissions of one person: lists and reads devices, validates commands.

    An `Evidence` object records each value that the model receives. SAGE checks the model's answer
    with it.
    """

    def __init__(
        self,
        home: Home,
        person: Person,
        evidence: Evidence,
        *,
        language: str,
        room: str | None,
        said: str = "",
    ) -> None:
        """Store the arguments; `language` and `room` (the speaker's area) help to match names.

        `said` is the request: the alias that it uses for a device stands before the device's name.
        """
        self._home = home
        self._person = person
        self._evidence = evidence
        self._language = language
        self._room = room
        self._said = said

    async def async_listing(self) -> Listing:
        """Return the devices and entities that the person may see."""
        await self._home.gate.async_load_rights(self._person)
        return await self._home.inventory.async_listing(self._person)

    @property
    def has_photos(self) -> bool:
        """Whether at least one device of the home has a photo."""
        return self._home.appearance is not None and self._home.appearance.has_photos

    @property
    def has_weather(self) -> bool:
        """Whether the person may read a weather entity.

        Call `async_listing` first, because it loads the person's permissions.
        """
        return bool(self._weather_entities())

    def _weather_entities(self) -> list[str]:
        visible = self._home.gate.visible(self._person)
        return sorted(each for each in visible if each.startswith("weather."))

    async def async_read_weather(self) -> HomeWeather | None:
        """Return current weather and forecasts of the first available weather entity, or None.

        Raises HomeError if the person loses the permission during the call.
        """
        readings = await self.async_read(self._weather_entities())
        reading = next((each for each in readings if each.available), None)
        if reading is None:
            return None
        forecasts = await async_forecasts(self._home.hass, reading.component_id)
        return HomeWeather(reading=reading, forecasts=forecasts)

    def index(self, listing: Listing) -> str:
        """Return a text that lists all devices.

        For a large home, the text contains only the number of devices of each kind.
        """
        return render_index(listing, _INDEX_TOKENS)

    def matches(self, listing: Listing, request: str) -> str:
        """Return a text that lists the devices that match a request, and the groups in it.

        The devices are left out if the text from the method `index` lists all devices.
        """
        groups = said_groups(listing, request)
        if names_all(listing, _INDEX_TOKENS):
            return groups
        matches = render_matches(listing, request, _MATCHES_TOKENS, self._synonyms)
        return "\n".join(filter(None, (matches, groups)))

    async def async_said_groups(self, request: str) -> str:
        """Return a line with the groups that a request may mean; see `said_groups`."""
        return said_groups(await self.async_listing(), request)

    async def async_document_matching(
        self, request: str, recent: Iterable[str] = (), recent_words: str = ""
    ) -> tuple[tuple[Documentation, ...], int]:
        """Return documentation of devices that a request may mean, and how many were left out.

        The best matches come first; devices beyond 40 or the token budget are left out. `recent`
        are ids or groups from earlier requests, such as "all light in Kitchen"; `recent_words` are
        earlier words, whose devices count only if a word is in their names. Of a device with
        many components that the request does not name, only the components that it may mean are
        documented.
        """
        listing = await self.async_listing()
        known = (
            *_known(listing, recent),
            *(requested(listing, recent_words, self._synonyms, least=NAME) if recent_words else ()),
        )
        devices, more = matching_devices(
            listing,
            request,
            self._synonyms,
            room=self._room,
            recent=known,
            most=_MOST_MEANT,
        )
        documents = [
            await self._async_document_meant(listing, device, request, known) for device in devices
        ]
        fitting = most_fitting(documents, _MEANT_TOKENS)
        left_out = len(documents) - len(fitting)
        shown = tuple(each for found in fitting for each in found)
        self._evidence.record_documents(shown, is_unasked=True)
        return shown, more + left_out

    async def _async_document_meant(
        self, listing: Listing, device: Device, request: str, recent: Collection[Device]
    ) -> tuple[Documentation, ...]:
        """Return the documentation of a device, or only of the components that a request means."""
        parts = requested_components(listing, device, request, self._synonyms)
        if not parts or device in recent:
            return await self._async_document((device.id,), None)
        return await self._async_document([part.id for part in parts], ())

    async def async_document(
        self,
        names: Iterable[str],
        capabilities: Iterable[str] | None = None,
        *,
        with_main: bool = False,
    ) -> tuple[Documentation, ...]:
        """Return the attributes, values and commands of devices, components or groups.

        `capabilities` are the entity domains (`light`) and SmartThings capabilities to document:

        - None: all entities; SmartThings capabilities are only listed by name
        - empty: all entities; SmartThings capabilities are left out
        - otherwise: only these; for a device without any of them, the same as None

        `with_main` adds the main entity of each device, such as its power switch. Raises HomeError
        for an unknown name.
        """
        documents = await self._async_document(names, capabilities, with_main=with_main)
        self._evidence.record_documents(documents)
        return documents

    async def _async_document(
        self,
        names: Iterable[str],
        capabilities: Iterable[str] | None,
        *,
        with_main: bool = False,
    ) -> tuple[Documentation, ...]:
        listing = await self.async_listing()
        smartthings, person = self._home.smartthings, self._person
        wanted = None if capabilities is None else frozenset(capabilities)
        # A request may name a device and also one of its components, so remove duplicates.
        entities: dict[tuple[Device, str], None] = {}
        raw: dict[Subject, None] = {}
        overviews: dict[str, Sequence[Documentation]] = {}
        for found in find_all(listing, names):
            parts = _parts(found, wanted)
            is_raw = bool(found.device.raw_components)
            named = smartthings.named(person, found.device, wanted or ()) if is_raw else ()
            raw |= dict.fromkeys(named)
            if is_raw and not named and (wanted is None or (wanted and not parts)):
                overviews[found.device.id] = smartthings.overview(found.device)
            if with_main and (parts or named):
                parts = [e for e in found.device.components if e in parts or _is_main(found, e)]
            parts = parts or (() if named else _parts(found, None))
            entities |= dict.fromkeys((found.device, part.id) for part in parts)
        documents = (
            *await self._home.documenter.async_document_all(list(entities)),
            *(await smartthings.async_document(person, list(raw)) if raw else ()),
            *(each for overview in overviews.values() for each in overview),
        )
        captions = {each.id: each.caption for each in listing.devices if each.caption}
        captioned = (
            replace(each, caption=captions[each.device_id]) if each.device_id in captions else each
            for each in documents
        )
        return await self._async_with_aliases(listing, captioned)

    async def _async_with_aliases[T: (Documentation, Reading)](
        self, listing: Listing, read: Iterable[T]
    ) -> tuple[T, ...]:
        breaks = Breaks()
        called_things: list[T] = []
        for each in read:
            called_things.append(self._called(listing, each))
            await breaks.async_take()
        return tuple(called_things)

    def _called[T: (Documentation, Reading)](self, listing: Listing, read: T) -> T:
        """Return `read` with the aliases of device and area that the request uses."""
        device = listing.device(read.device_id)
        part = next((each for each in device.components if each.id == read.component_id), None)
        alias = alias_of(device, read.component_id, self._said)
        if not alias and part is not None and len(device.components) > 1:
            # Documentation shows the id of a component, but not the name.
            shown = part.id.partition(".")[2]
            if not says_the_same(shown, part.name, read.area):
                alias = said_alias(shown, (part.name,), self._said)
        area = listing.areas.get(read.area or "")
        place = said_alias(area.name, area.aliases, self._said) if area is not None else ""
        if not alias and not place:
            return read
        return replace(
            read,
            device_name=called(read.device_name, alias),
            area=f"{read.area}, also {place}" if place else read.area,
        )

    async def async_read(
        self,
        names: Iterable[str],
        attributes: Sequence[str] | None = None,
        capabilities: Iterable[str] | None = None,
    ) -> tuple[Reading, ...]:
        """Return current values of devices, components or groups.

        - `attributes`: names of the values to read; None means all values of the entities
        - `capabilities`: SmartThings capabilities and entity domains (`light`) to read; None means
          all entities. Domains filter only devices with more than 6 entities; all entities of a
          smaller device are read.

        SmartThings values are read only if `attributes` or `capabilities` name them. Raises
        HomeError for an unknown name or attribute.
        """
        readings = await self._async_read(names, attributes, capabilities)
        self._evidence.record_reads(readings)
        return readings

    async def async_read_again(self) -> None:
        """Read the values in the record of the run again: they may be old after a question."""
        for device_id, component_id, capability in self._evidence.places:
            # Something may have been removed, or is no longer exposed.
            with suppress(HomeError):
                readings = await self._async_read(
                    [device_id if capability else component_id],
                    capabilities=[capability] if capability else None,
                )
                self._evidence.record_reads(readings, is_again=True)

    async def _async_read(
        self,
        names: Iterable[str],
        attributes: Sequence[str] | None = None,
        capabilities: Iterable[str] | None = None,
    ) -> tuple[Reading, ...]:
        listing = await self.async_listing()
        wanted = None if capabilities is None else frozenset(capabilities)
        readings: list[Reading] = []
        breaks = Breaks()
        for found in find_all(listing, names):
            device = found.device
            raw = await self._home.smartthings.async_read(self._person, device, wanted, attributes)
            if raw and attributes is None and not _parts(found, wanted):
                # Only SmartThings capabilities were named, no entity.
                readings += raw
                continue
            parts = _ids_to_read(found, wanted)
            try:
                readings += await self._home.reader.async_read(
                    self._person, device, parts, attributes
                )
            except HomeError as err:
                if not raw:
                    raise HomeError(self._with_raw_names(str(err), device)) from None
            readings += raw
            await breaks.async_take()
        # A request may name a device and also one of its components, so remove duplicates.
        places = {(each.device_id, each.component_id, each.capability): each for each in readings}
        return await self._async_with_aliases(listing, places.values())

    def _with_raw_names(self, error: str, device: Device) -> str:
        names = self._home.smartthings.attribute_names(self._person, device)
        return f"{error} In SmartThings: {', '.join(names)}." if names else error

    async def async_rank(
        self,
        description: str,
        candidates: Iterable[str] | None,
        *,
        state: str = "",
        in_english: str = "",
        kind: str = "",
    ) -> Ranking:
        """Return the devices that a description may mean, best match first.

        - `candidates`: ids, names or groups; None means all devices, as do only unknown ones
        - `state`: state of the described device, such as "on"
        - `in_english`: the description in English; SAGE compares it with the photos of the devices
        - `kind`: kind of device in English, such as "lamp"
        """
        listing = await self.async_listing()
        devices: dict[str, Device] = {}
        unknown: list[str] = []
        for candidate in candidates or ():
            try:
                found = find_all(listing, (candidate,))
            except HomeError:
                unknown.append(candidate)
            else:
                devices |= {each.device.id: each.device for each in found}
        ranking = await async_rank(
            listing,
            self._home.reader,
            self._person,
            Description(text=description, state=state, in_english=in_english, kind=kind),
            tuple(devices.values()) or None,
            synonyms=self._synonyms,
            room=self._room,
            appearance=self._home.appearance,
        )
        self._evidence.record_reads(ranking.readings)
        return replace(ranking, unknown=tuple(unknown))

    async def async_prepare(self, requests: Sequence[CommandRequest]) -> tuple[AnyCommand, ...]:
        """Validate the requests and return the commands, without sending them.

        A group gets one command for each device. Raises HomeError if a request is invalid.
        """
        listing = await self.async_listing()
        await self._home.documenter.async_refresh()
        prepared: list[AnyCommand] = []
        breaks = Breaks()
        for request in requests:
            prepared += await self._async_prepare_all(listing, request, breaks)
        return tuple(prepared)

    async def _async_prepare_all(
        self, listing: Listing, request: CommandRequest, breaks: Breaks
    ) -> list[AnyCommand]:
        """Return the command of each member of a group, or the one of a device.

        The members of a label may be of several kinds: those without the command are left out, as
        in Home Assistant, unless none has it.
        """
        members = _spread(listing, request)
        prepared: list[AnyCommand] = []
        missing: list[NoCommandError] = []
        for each in members:
            try:
                prepared.append(await self._async_prepare(listing, each))
            except NoCommandError as err:
                missing.append(err)
            await breaks.async_take()
        kinds = {(each.component_id or "").partition(".")[0] for each in members}
        if missing and (not prepared or len(kinds) == 1):
            raise missing[0]
        return prepared

    async def async_rehearse(self, requests: Sequence[CommandRequest]) -> tuple[Rehearsed, ...]:
        """Return the validated commands of the requests, without sending them (dry run).

        Raises HomeError for an invalid request, a missing permission or a forbidden action, but not
        for an unreachable device.
        """
        names, raw = ConfirmationNames(self._home.hass), self._home.smartthings.backend
        rehearsed: list[Rehearsed] = []
        for command in await self.async_prepare(requests):
            checked = self._home.pipeline.checked(self._person, command)
            if isinstance(checked, Outcome) and checked.reason in _NEVER_SENT:
                raise HomeError(checked.detail)
            name = (
                raw.name(command)
                if isinstance(command, RawCommand)
                else self._home.entities.name(command, names)
            )
            asks = self._home.pipeline.is_risky(command)
            rehearsed.append(Rehearsed(command=command, name=name, asks_first=asks))
        return tuple(rehearsed)

    async def _async_prepare(self, listing: Listing, request: CommandRequest) -> AnyCommand:
        """Return the validated command, with the alias that the request uses for its device."""
        command = await self._async_find(listing, request)
        device = listing.device(command.device_id)
        alias = alias_of(device, command.component_id, self._said) or alias_of(
            device, command.component_id, request.device_id
        )
        if not alias:
            return command
        return replace(command, alias=alias, device_name=called(command.device_name, alias))

    async def _async_find(self, listing: Listing, request: CommandRequest) -> AnyCommand:
        """Return the validated command of an entity or of a SmartThings capability.

        Entities have priority, unless the request names a SmartThings component or capability.
        """
        device = listing.find(request.device_id).device
        smartthings, person = self._home.smartthings, self._person

        async def of_entity() -> AnyCommand:
            return await self._home.finder.async_find(listing, request)

        async def raw() -> AnyCommand:
            return await smartthings.async_prepare(person, device, request)

        if not device.raw_components:
            return await of_entity()
        views = [of_entity, raw]
        if smartthings.names_raw_part(person, device, request):
            views.reverse()
        try:
            return await views[0]()
        except NoCommandError as first:
            try:
                return await views[1]()
            except NoCommandError as second:
                raise NoCommandError(f"{first} {second}") from None

    @property
    def _synonyms(self) -> Synonyms:
        return self._home.vocabulary.synonyms(self._language)


def _known(listing: Listing, names: Iterable[str]) -> tuple[Device, ...]:
    """Return the devices with these ids or in these groups; skip unknown ids and groups."""
    found: dict[str, Device] = {}
    for name in names:
        with suppress(HomeError):
            found |= {each.device.id: each.device for each in find_all(listing, (name,))}
    return tuple(found.values())


def _ids_to_read(found: Found, capabilities: frozenset[str] | None) -> list[str] | None:
    """Return the ids of the entities to read; None means all entities of the device.

    The filter by `capabilities` applies only to devices with more than 6 entities.
    """
    if found.component is not None:
        return [found.component.id]
    fitting = _parts(found, capabilities) if capabilities else ()
    many = len(found.device.components) > MANY_COMPONENTS
    return [each.id for each in fitting] if many and fitting else None


def _parts(found: Found, capabilities: frozenset[str] | None) -> Sequence[Component]:
    """Return the found entity, or all entities of the found device.

    Entities without any of `capabilities` are left out, unless `capabilities` is None.
    """
    parts = (found.component,) if found.component else found.device.components
    return [p for p in parts if capabilities is None or capabilities & {*p.capabilities}]


def _is_main(found: Found, part: Component) -> bool:
    """Return whether an entity has the name of its device, or switches the device's power."""
    return part.name == found.device.name or part.id.partition(".")[0] in POWERED


def _spread(listing: Listing, request: CommandRequest) -> list[CommandRequest]:
    """Return one request for each device or component of a group."""
    found = find_all(listing, (request.device_id,))
    return [
        replace(
            request,
            device_id=each.device.id,
            component_id=request.component_id or (each.component.id if each.component else None),
        )
        for each in found
    ]
