"""The home with the permissions of one person: list, read and command devices."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, replace
from functools import partial
from itertools import islice
from typing import Any, Final

from ..people import Person
from ..text import content_words, words
from .commands.confirmation_text import ConfirmationNames
from .commands.evidence import Unasked
from .commands.pipeline import (
    REFUSED_NEVER,
    REFUSED_NOT_PERMITTED,
    REFUSED_REFERENCE,
    ValidatedCommand,
)
from .commands.undo_history import named
from .components import asked_components, needed, only_values
from .device_view import DeviceView, HomeParts
from .directory import render_index, render_matches
from .entities.reading import HomeWeather, async_home_weather
from .home_types import (
    Argument,
    Attribute,
    Command,
    CommandDescription,
    Device,
    Documentation,
    HomeError,
    Outcome,
    Reading,
)
from .listing import NAME
from .matching import (
    equally_meant,
    matching_devices,
    named_hits,
    render_surroundings,
    requested,
    requested_components,
    said_groups,
)
from .past import PastQuestion, async_past, past_parts
from .recorded import async_earlier
from .rendering import most_fitting, render_documentation
from .safety.authority import AskedFor, Authority
from .safety.consequences import effects_of
from .safety.entity_level import EntityLevel, level_of
from .safety.fields import hidden_reference, without_hidden
from .safety.risk import UNKNOWN
from .values import HIDDEN, STATE, is_secret, plain, without_secrets

_MEANT_TOKENS: Final = 1_200  # maximum for the documentation of devices that a request may mean
_MOST_MEANT: Final = 40  # maximum number of devices documented for a request
_NEVER_SENT: Final = frozenset({REFUSED_NOT_PERMITTED, REFUSED_REFERENCE, REFUSED_NEVER})
"""Refusals that depend on permissions and household rules, not on the current state."""

_MOST_VALUES: Final = 100  # maximum number of possible values of one field
_SHOWN: Final = (
    *("name", "type", "description", "required"),
    *("meaning", "unit", "minimum", "maximum"),
)
"""Names of the fields of attributes and arguments that the page shows."""


class HomeView(DeviceView):
    """The home with the permissions of one person; its outcomes go to the record of the run."""

    @property
    def _request(self) -> Authority:
        assert self._authority is not None, "only a request may execute commands"
        return self._authority

    def is_known_risk(self, entity_id: str, action: str, arguments: Mapping[str, object]) -> bool:
        """Return whether at least one risk of an action on an entity is known exactly."""
        domain, hass = entity_id.partition(".")[0], self._home.hass
        return not effects_of(hass, entity_id, domain, action, arguments).risks.keys() <= UNKNOWN

    @property
    def has_photos(self) -> bool:
        """Whether at least one device of the home has a photo."""
        return self._home.appearance is not None and self._home.appearance.has_photos

    def entities_of(self, domain: str) -> list[str]:
        """Return the readable entities of a domain; call `async_listing` first, for permissions."""
        visible = self._home.gate.visible(self._person)
        return sorted(each for each in visible if each.startswith(f"{domain}."))

    async def async_weather(self) -> HomeWeather | None:
        """Return weather and forecasts of the first available entity, or None. Raises HomeError."""
        readings = await self.async_read(self.entities_of("weather"))
        return await async_home_weather(self._home.hass, readings)

    async def async_document_matching(
        self,
        request: str,
        recent: Iterable[str] = (),
        recent_words: str = "",
        *,
        is_question: bool | None = None,
    ) -> tuple[str, int, str]:
        """Return documentation of devices that a request may mean, and how many were left out.

        The documentation is text; at its end stand the devices by their states, and the groups that
        the request may mean. It is empty if no device matches. The third value is a line about what
        else there is (`render_surroundings`); it may be empty, too.

        The best matches come first; devices beyond 40 or the token budget are left out. `recent`
        are ids or groups from earlier requests, such as "all light in Kitchen"; `recent_words` are
        earlier words, whose devices count only if a word is in their names. Of a device with
        many components that the request does not name, only the components that it may mean are
        documented. If it is known whether the request `is_question`, what it does not need is
        left out: commands, or values that it does not name.
        """
        listing = await self.async_listing()
        known = (
            *listing.devices_named(recent)[0],
            *(requested(listing, recent_words, self.synonyms, least=NAME) if recent_words else ()),
        )
        devices, more = matching_devices(
            listing, request, self.synonyms, room=self._room, recent=known, most=_MOST_MEANT
        )
        documents: list[tuple[Documentation, ...]] = []
        for device in devices:
            parts = requested_components(listing, device, request, self.synonyms)
            ids = [] if device in known else [part.id for part in parts]
            names, capabilities = (ids, ()) if ids else ((device.id,), None)
            documents.append(await self.async_document(names, capabilities, is_recorded=False))
        if is_question is not None:
            documents = [
                needed(own, asked_components(listing, device, request, self.synonyms), is_question)
                for own, device in zip(documents, devices, strict=True)
            ]
        fitting = most_fitting(documents, _MEANT_TOKENS)
        left_out = len(documents) - len(fitting)
        shown = tuple(each for found in fitting for each in found)
        self._record(*map(Unasked, shown))
        documented = {each.device_id for each in shown}
        around = render_surroundings(listing, request, documented, self.synonyms)
        if not shown:
            return "", more + left_out, around
        told = map(only_values, shown) if is_question else shown
        lines = (render_documentation(told, with_states=True), said_groups(listing, request))
        return "\n".join(filter(None, lines)), more + left_out, around

    async def async_lacks(self, text: str) -> bool:
        """Return whether the person said a text, and no device, kind or room is called like it."""
        own = {*words(text)}
        if not own or not own <= {*words(self._said)}:
            return False
        return not any(named_hits(await self.async_listing(), text, self.synonyms))

    async def async_equals(self, names: Iterable[str]) -> tuple[Sequence[Device], Sequence[str]]:
        """Return the devices that the request means exactly as well as those with these names.

        Also the words of the request that nothing is called like.
        """
        listing = await self.async_listing()
        chosen = {device.id for device in listing.devices_named(names)[0]}
        said = (each for each in content_words(self._said) if not each.isdigit())
        unknown = [each for each in said if not any(named_hits(listing, each, self.synonyms))]
        return equally_meant(listing, self._said, chosen, self.synonyms, self._room), unknown

    async def async_directory(self, request: str) -> tuple[str, str]:
        """Return two texts: the list of devices, and those that a request means (maybe empty)."""
        listing = await self.async_listing()
        return render_index(listing), render_matches(listing, request, self.synonyms)

    async def async_read_again(self, earlier: Iterable[Reading]) -> None:
        """Read these values again: they may be old after a question."""
        self._listing = None
        for seen in earlier:
            # Something may have been removed, or is no longer exposed.
            with suppress(HomeError):
                readings = await self.async_read(
                    [seen.component_id if seen.is_entity else seen.device_id],
                    capabilities=None if seen.is_entity else [seen.capability],
                    is_recorded=False,
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
        readings = await self.async_read(names, is_recorded=False)
        changed = self._home.undo.changed(self._person, self._request.conversation_id)
        changes = (*changed, *outcomes)
        earlier = await async_earlier(self._home.hass, readings, attributes, changes)
        self._record(*earlier)
        return earlier

    async def async_read_past(
        self, names: Iterable[str], measure: str, attribute: str, **period: str
    ) -> tuple[tuple[Reading, ...], tuple[str, ...]]:
        """Return what devices, components or groups were in a period, and what is not known.

        `period`: the arguments of `PastQuestion.of`. Raises HomeError for an unknown name, or if
        nothing is known.
        """
        question = PastQuestion.of(measure, attribute=attribute, **period)
        found = (await self.async_listing()).find_all(names)
        parts = past_parts(found, question)
        # This checks the permissions of this moment.
        await self.async_read(parts, [STATE], is_recorded=False)
        documents = await self.async_document(parts, (), is_recorded=False)
        readings, notes = await async_past(self._home.hass, documents, question)
        self._record(*readings)
        return readings, notes

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
            asks_first = pipeline.backends[command.source].effects(command).risk is not None
            name = names.of(command, command.registry_id, command.alias)
            rehearsed.append((replace(command, device_name=name), asks_first))
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
            prepared: list[Sequence[ValidatedCommand]] = []
            for requests in sets[len(results) :]:
                try:
                    prepared.append(await self.async_prepare(requests))
                except HomeError as err:
                    if not prepared:
                        results.append(err)
                    # The sets before this one may make it valid: prepare it again after them.
                    break
            if not prepared:
                continue
            commands = [command for own in prepared for command in own]
            executed = await self._home.pipeline.async_execute(
                self._request, commands, self._record
            )
            outcomes = iter(executed)
            results += [tuple(islice(outcomes, len(own))) for own in prepared]
        return tuple(results)

    async def async_create_event(self, calendar: str, arguments: Mapping[str, object]) -> Outcome:
        """Create a calendar event, check that the calendar contains it, and return the outcome.

        `calendar` is an entity id. The caller records the outcome as an action outside the home.
        Raises HomeError, and sends nothing, if the request is invalid.
        """
        request = Command(
            device_id=calendar, component_id=calendar, name="create_event", arguments=arguments
        )
        prepared = await self.async_prepare((request,))
        (outcome,) = await self._home.pipeline.async_execute(self._request, prepared)
        return outcome

    async def async_undo(
        self,
        asked_for: AskedFor | None = None,
        *,
        only: Sequence[str] = (),
        leave: Sequence[str] = (),
        done: Sequence[Outcome] = (),
    ) -> tuple[Outcome, ...]:
        """Undo the changes of the request before this one; return the outcomes of the undo.

        `only`: names of the devices whose commands are undone; empty: all. `leave`: those to keep.
        `done`: see `UndoHistory.async_undo`. Raises NoUndoError if there is nothing to undo.
        """
        listing, said = await self.async_listing(), self._said
        outcomes = await self._home.undo.async_undo(
            self._request,
            asked_for,
            only=partial(named, listing, only, said),
            leave=partial(named, listing, leave, said),
            done=done,
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
        return hidden_reference(self._home.gate, self._person, value)

    def without_hidden(self, value: Any) -> Any:
        """Return `value` without the parts that mention entities hidden from the person."""
        return without_hidden(self._home.gate, self._person, value)


class Home(HomeParts):
    """The devices of the home for all people."""

    def of(self, person: Person) -> HomeView:
        """Return the home with the permissions of one person, without a request to execute."""
        return HomeView(self, person)

    def described(self, document: Documentation, *, with_risk: bool) -> dict[str, Any]:
        """Return the documentation of a component as JSON without secrets, for SAGE's page.

        `with_risk` adds the risk level of an entity, with its reason.
        """
        state = self.hass.states.get(document.component_id)
        shown: dict[str, Any] = {
            "id": document.component_id,
            "name": document.component_id if state is None else state.name,
            "capability": document.capability,
            "summary": document.summary,
            "source": document.source,
            "available": document.available,
            "notes": list(document.notes),
            "attributes": [_attribute(each) for each in document.attributes],
            "commands": [_command(each) for each in document.commands],
        }
        if with_risk and document.is_entity:
            shown["risk"] = asdict(level_of(self.hass, document.component_id))
        return shown

    def level_of(self, entity_id: str) -> EntityLevel:
        """Return the risk level of an entity and its reason."""
        return level_of(self.hass, entity_id)


def _attribute(attribute: Attribute) -> dict[str, Any]:
    value = HIDDEN if is_secret(attribute.name) else without_secrets(plain(attribute.value))
    return {**_with_few_values(attribute), "value": value}


def _command(command: CommandDescription) -> dict[str, Any]:
    arguments = [_with_few_values(each) for each in command.arguments]
    return {"name": command.name, "description": command.description, "arguments": arguments}


def _with_few_values(field: Attribute | Argument) -> dict[str, Any]:
    shown = {name: getattr(field, name) for name in _SHOWN if hasattr(field, name)}
    return {**shown, "values": list(field.values[:_MOST_VALUES])}
