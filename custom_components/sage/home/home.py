"""The home with the permissions of one person: list, read and command devices."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import islice
from typing import Any, Final

from ..people import Person
from .commands.confirmation_text import ConfirmationNames
from .commands.evidence import Unasked
from .commands.pipeline import (
    FAILED_ERROR,
    REFUSED_NEVER,
    REFUSED_NOT_PERMITTED,
    REFUSED_REFERENCE,
    ValidatedCommand,
)
from .commands.undo_history import choice_of
from .device_access import DeviceAccess
from .disambiguation import Description, Ranking, async_rank
from .home_types import Command, Documentation, HomeError, Outcome, Reading
from .listing import NAME, Listing
from .matching import matching_devices, requested, requested_components
from .page import described
from .parts import HomeParts
from .recorded import async_earlier
from .rendering import most_fitting
from .resolver import devices_named
from .safety.authority import AskedFor, Authority
from .safety.fields import hidden_reference, without_hidden
from .safety.risk_classification import EntityLevel, level_of
from .vocabulary import Synonyms

_MEANT_TOKENS: Final = 1_200
"""Maximum tokens for the documentation of the devices that a request may mean."""

_MOST_MEANT: Final = 40
"""Maximum number of devices documented for a request."""

_NEVER_SENT: Final = frozenset({REFUSED_NOT_PERMITTED, REFUSED_REFERENCE, REFUSED_NEVER})
"""Refusals that depend on permissions and household rules, not on the current state."""


class HomeView:
    """The home with the permissions of one person: lists, reads and commands devices.

    Each value that the model receives and each outcome goes to the record of the run, with which
    SAGE checks the model's answer.
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
        self._listing: Listing | None = None

    async def async_listing(self) -> Listing:
        """Return the devices and entities that the person may see.

        They are looked up once, and again before commands and after a question
        (`async_read_again`). What is read or executed is checked with the rights of that moment.
        """
        if self._listing is None:
            await self._home.gate.async_load_rights(self._person)
            self._listing = await self._home.inventory.async_listing(self._person)
        return self._listing

    async def _async_access(self) -> DeviceAccess:
        listing = await self.async_listing()
        return DeviceAccess(home=self._home, person=self._person, listing=listing, said=self._said)

    @property
    def synonyms(self) -> Synonyms:
        """The words for kinds of devices and for states in the language of the request."""
        language = self._authority and self._authority.language
        return self._home.vocabulary.synonyms(language or self._home.hass.config.language)

    @property
    def _room(self) -> str | None:
        return None if self._authority is None else self._authority.room

    @property
    def _request(self) -> Authority:
        assert self._authority is not None, "only a request may execute commands"
        return self._authority

    @property
    def has_photos(self) -> bool:
        """Whether at least one device of the home has a photo."""
        return self._home.appearance is not None and self._home.appearance.has_photos()

    def entities_of(self, domain: str) -> list[str]:
        """Return the ids of the entities of a domain that the person may read.

        Call `async_listing` first, because it loads the person's permissions.
        """
        visible = self._home.gate.visible(self._person)
        return sorted(each for each in visible if each.startswith(f"{domain}."))

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
        access = await self._async_access()
        listing = access.listing
        known = (
            *devices_named(listing, recent)[0],
            *(requested(listing, recent_words, self.synonyms, least=NAME) if recent_words else ()),
        )
        devices, more = matching_devices(
            listing,
            request,
            self.synonyms,
            room=self._room,
            recent=known,
            most=_MOST_MEANT,
        )
        documents: list[tuple[Documentation, ...]] = []
        for device in devices:
            parts = requested_components(listing, device, request, self.synonyms)
            if not parts or device in known:
                documents.append(await access.async_document((device.id,)))
            else:
                documents.append(await access.async_document([part.id for part in parts], ()))
        fitting = most_fitting(documents, _MEANT_TOKENS)
        left_out = len(documents) - len(fitting)
        shown = tuple(each for found in fitting for each in found)
        self._record(*map(Unasked, shown))
        return shown, more + left_out

    async def async_document(
        self,
        names: Iterable[str],
        capabilities: Iterable[str] | None = None,
        *,
        with_main: bool = False,
    ) -> tuple[Documentation, ...]:
        """Return the attributes, values and commands of devices, components or groups.

        `capabilities` are the entity domains (`light`) and further capabilities to document:

        - None: all entities; capabilities that no entity offers are only listed by name
        - empty: all entities; capabilities that no entity offers are left out
        - otherwise: only these; for a device without any of them, the same as None

        `with_main` adds the main entity of each device, such as its power switch. Raises HomeError
        for an unknown name.
        """
        access = await self._async_access()
        documents = await access.async_document(names, capabilities, with_main=with_main)
        self._record(*documents)
        return documents

    async def async_read(
        self,
        names: Iterable[str],
        attributes: Sequence[str] | None = None,
        capabilities: Iterable[str] | None = None,
    ) -> tuple[Reading, ...]:
        """Return current values of devices, components or groups.

        - `attributes`: names of the values to read; None means all values of the entities
        - `capabilities`: entity domains (`light`) and further capabilities to read; None means
          all entities. Domains filter only devices with more than 6 entities; all entities of a
          smaller device are read.

        Values that no entity has are read only if `attributes` or `capabilities` name them. Raises
        HomeError for an unknown name or attribute.
        """
        access = await self._async_access()
        readings = await access.async_read(names, attributes, capabilities)
        self._record(*readings)
        return readings

    async def async_read_again(self, earlier: Iterable[Reading]) -> None:
        """Read these values again: they may be old after a question."""
        self._listing = None
        access = await self._async_access()
        for seen in earlier:
            # Something may have been removed, or is no longer exposed.
            with suppress(HomeError):
                readings = await access.async_read(
                    [seen.component_id if seen.is_entity else seen.device_id],
                    capabilities=None if seen.is_entity else [seen.capability],
                )
                self._record(*map(Unasked, readings))

    async def async_read_earlier(
        self,
        names: Iterable[str],
        attributes: Sequence[str] | None = None,
        *,
        outcomes: Sequence[Outcome],
    ) -> tuple[Reading, ...]:
        """Return the earlier value of each attribute, from before its last change by anybody.

        In the result, each name has the prefix `earlier_`, e.g. `earlier_state`. `attributes`:
        names without the prefix, e.g. `["state"]`; None means the state and settings, such as
        `brightness_pct`, but no measurements. Raises HomeError for an unknown name, or if no
        earlier value is known. `outcomes`: of the commands in this run.
        """
        readings = await (await self._async_access()).async_read(names)
        changed = self._home.undo.changed(self._person, self._request.conversation_id)
        changes = (*changed, *outcomes)
        earlier = await async_earlier(self._home.hass, readings, attributes, changes)
        self._record(*earlier)
        return earlier

    async def async_rank(
        self, description: Description, candidates: Iterable[str] | None
    ) -> Ranking:
        """Return the devices that a description may mean, best match first.

        `candidates`: ids, names or groups; None means all devices, as do only unknown ones.
        """
        listing = await self.async_listing()
        devices, unknown = devices_named(listing, candidates or ())
        ranking = await async_rank(
            listing,
            self._home.reader,
            self._person,
            description,
            devices or None,
            synonyms=self.synonyms,
            room=self._room,
            appearance=self._home.appearance,
        )
        self._record(*ranking.readings)
        return replace(ranking, unknown=unknown)

    async def async_prepare(self, requests: Sequence[Command]) -> tuple[ValidatedCommand, ...]:
        """Validate the requests and return the commands, without sending them.

        A group gets one command for each device. Raises HomeError if a request is invalid.
        """
        # A device may have been removed since the documentation was read.
        self._listing = None
        return await (await self._async_access()).async_prepare(requests)

    async def async_rehearse(
        self, requests: Sequence[Command]
    ) -> tuple[tuple[ValidatedCommand, bool], ...]:
        """Return the validated commands of the requests, without sending them (dry run).

        Each has a unique `device_name`, and whether it needs confirmation. The model first
        classifies the entities that decide about the confirmation. Raises HomeError for an invalid
        request, a missing permission or a forbidden action, but not for an unreachable device.
        """
        names, pipeline = ConfirmationNames(self._home.hass), self._home.pipeline
        rehearsed: list[tuple[ValidatedCommand, bool]] = []
        commands = await self.async_prepare(requests)
        if self._authority is not None:
            await pipeline.async_check(self._authority, commands)
        for command in commands:
            checked = pipeline.checked(self._person, command)
            if isinstance(checked, Outcome) and checked.reason in _NEVER_SENT:
                raise HomeError(checked.detail)
            backend = pipeline.backends[command.source]
            asks_first = backend.effects(command).risk is not None
            rehearsed.append(
                (replace(command, device_name=backend.name(command, names)), asks_first)
            )
        return tuple(rehearsed)

    async def async_execute(self, requests: Sequence[Command]) -> tuple[Outcome, ...]:
        """Execute the commands and return one outcome for each.

        Raises HomeError, and sends nothing, if a request is invalid.
        """
        (result,) = await self.async_execute_sets((requests,))
        if isinstance(result, HomeError):
            raise result
        return result

    async def async_execute_sets(
        self, sets: Sequence[Sequence[Command]]
    ) -> tuple[tuple[Outcome, ...] | HomeError, ...]:
        """Execute the sets in order; return the outcomes of each set, or its HomeError.

        A set with an invalid request gets a HomeError; none of its commands is sent. One
        confirmation question may cover several sets.
        """
        results: list[tuple[Outcome, ...] | HomeError] = []
        while len(results) < len(sets):
            results += await self._async_execute_next(sets[len(results) :])
        return tuple(results)

    async def _async_execute_next(
        self, sets: Sequence[Sequence[Command]]
    ) -> list[tuple[Outcome, ...] | HomeError]:
        """Execute the first sets, as many as possible in one go; return their results.

        The execution ends before an invalid set. If the first of `sets` is invalid, nothing is
        executed and only its error is returned.
        """
        prepared: list[Sequence[ValidatedCommand]] = []
        for each in sets:
            try:
                prepared.append(await self.async_prepare(each))
            except HomeError as err:
                if prepared:
                    # The sets before this one may make it valid: prepare it again after them.
                    break
                return [err]
        commands = [each for own in prepared for each in own]
        executed = await self._home.pipeline.async_execute(
            self._request, commands, self._async_record
        )
        outcomes = iter(executed)
        return [tuple(islice(outcomes, len(own))) for own in prepared]

    async def _async_record(self, outcomes: Sequence[Outcome]) -> Sequence[Outcome]:
        explained = await self._async_with_causes(outcomes)
        self._record(*explained)
        return explained

    async def async_create_event(self, calendar: str, arguments: Mapping[str, object]) -> Outcome:
        """Create a calendar event, check that the calendar contains it, and return the outcome.

        `calendar` is an entity id. The caller records the outcome as an action outside the home.
        Raises HomeError, and sends nothing, if the request is invalid.
        """
        request = Command(
            device_id=calendar,
            component_id=calendar,
            name="create_event",
            arguments=arguments,
        )
        prepared = await self.async_prepare((request,))
        (outcome,) = await self._async_with_causes(
            await self._home.pipeline.async_execute(self._request, prepared)
        )
        return outcome

    async def _async_with_causes(self, outcomes: Sequence[Outcome]) -> tuple[Outcome, ...]:
        """Return the outcomes; those that failed name the cause that an extension knows."""
        if any(each.reason == FAILED_ERROR for each in outcomes):
            listing = await self.async_listing()
            for extension in self._home.extensions.values():
                outcomes = extension.with_causes(listing, outcomes)
        return tuple(outcomes)

    async def async_undo(
        self,
        asked_for: AskedFor | None = None,
        *,
        only: Iterable[str] = (),
        leave: Iterable[str] = (),
    ) -> tuple[Outcome, ...]:
        """Undo the latest changes in the conversation; return the outcomes of the undo.

        `only`: names of the devices whose commands are undone; empty: all. `leave`: those to keep;
        see `UndoHistory.async_undo`. Raises HomeError for an unknown name, and if there is nothing
        to undo.
        """
        listing = await self.async_listing()
        outcomes = await self._home.undo.async_undo(
            self._request,
            self._request.conversation_id,
            asked_for,
            only=choice_of(listing, only),
            leave=choice_of(listing, leave),
        )
        self._record(*outcomes)
        return outcomes

    async def async_put_back_unless_changed(
        self, changed: Sequence[Outcome]
    ) -> tuple[Outcome, ...]:
        """Undo the commands with the outcomes `changed`; return the outcomes of the undo.

        A component that somebody has changed after the command gets a refused outcome.
        """
        outcomes = await self._home.undo.async_put_back_unless_changed(self._request, changed)
        self._record(*outcomes)
        return outcomes

    def hidden_reference(self, value: Any) -> str | None:
        """Return the first forbidden id or template in `value`; None if there is none.

        All templates are forbidden, and ids of entities or areas that the person may not use.
        """
        return hidden_reference(self._home.hass, self._home.gate, self._person, value)

    def without_hidden(self, value: Any) -> Any:
        """Return `value` without the parts that mention entities hidden from the person."""
        return without_hidden(self._home.hass, self._home.gate, self._person, value)


class Home(HomeParts):
    """The devices of the home for all people."""

    def of(self, person: Person) -> HomeView:
        """Return the home with the permissions of one person, without a request to execute."""
        return HomeView(self, person)

    def described(self, document: Documentation, *, with_risk: bool) -> dict[str, Any]:
        """Return the documentation of a component as JSON without secrets, for SAGE's page.

        `with_risk` adds the risk level of an entity, with its reason.
        """
        return described(self.hass, document, with_risk=with_risk)

    def level_of(self, entity_id: str) -> EntityLevel:
        """Return the risk level of an entity and its reason."""
        return level_of(self.hass, entity_id)
