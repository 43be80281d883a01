"""What the calls of the data mean in a home: actions, the states after them, and values to say.

The data expects calls of tools. Here a call becomes an action for each entity that it means and
the state that the entity is then in, so that any way that leads there is right.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any, Final

from .actions import Action, action
from .case import CallSet, IntentCall, OutsideCase, OutsideEntity, layout
from .entities import SATELLITE

TIME: Final = "time"
DATE: Final = "date"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """A value that an answer must say: the state, an attribute, or TIME or DATE of no entity."""

    entity_id: str = ""
    attribute: str = "state"


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """One right way to handle a sentence."""

    grade: str
    actions: tuple[Action, ...]
    also: frozenset[str] = frozenset()
    """Further entities that may change."""

    readings: tuple[Reading, ...] = ()

    @property
    def allowed(self) -> frozenset[str]:
        """Entities that may change and may be commanded."""
        return self.also | {each.entity_id for each in self.actions}


_DOMAINS: Final[Mapping[str, str]] = {
    "HassLight": "light",
    "HassSetPosition": "cover",
    "HassFan": "fan",
    "HassClimate": "climate",
    "HassSetVolume": "media_player",
    "HassMedia": "media_player",
    "HassList": "todo",
    "HassShoppingList": "todo",
    "HassVacuum": "vacuum",
    "HassLawnMower": "lawn_mower",
}
"""Beginning of an intent -> the domain that it is about."""


def plans(case: OutsideCase, starts: Mapping[str, str]) -> list[Plan]:
    """Return all right ways to handle a sentence, the best first.

    `starts`: state of each entity before, by entity id.
    """
    return [plan for each in case.accepted for plan in _plans(case, each, starts)]


def starting(case: OutsideCase) -> tuple[dict[str, str], dict[str, Mapping[str, Any]]]:
    """Return the start state of each entity, and properties of some, by entity id.

    That is the home of the data, except where a call that is right would change nothing: its
    entities then start in another state, so that not calling is never right by chance.
    """
    starts = {each.entity_id: each.state for each in layout(case.size).entities}
    given: dict[str, Mapping[str, Any]] = {}
    for call in [call for each in case.accepted for call in each.calls]:
        for actions in _options(case, call, starts):
            bound = [each for each in actions if each.begins]
            if bound and not any(starts[each.entity_id] in each.begins for each in bound):
                starts |= {each.entity_id: each.begins[0] for each in bound}
            given |= {each.entity_id: each.given for each in actions if each.given}
    return starts, given


def features(known: Sequence[OutsideCase]) -> dict[str, int]:
    """Return the features that right calls need, which the data does not always give."""
    found: dict[str, int] = {}
    for case in known:
        starts = {each.entity_id: each.state for each in layout(case.size).entities}
        for call in [call for each in case.accepted for call in each.calls]:
            for done in [done for each in _options(case, call, starts) for done in each]:
                found[done.entity_id] = found.get(done.entity_id, 0) | done.feature
    return found


def _plans(case: OutsideCase, accepted: CallSet, starts: Mapping[str, str]) -> Iterator[Plan]:
    readings = [_readings(case, call) for call in accepted.calls]
    options = [[*_options(case, call, starts)] for call in accepted.calls]
    also = frozenset(each for call in accepted.calls for each in _also(case, call))
    if any(not each and not read for each, read in zip(options, readings, strict=True)):
        # The data has a few calls that cannot succeed in Home Assistant.
        if accepted is case.accepted[0] and accepted.calls[0].name != "HassNevermind":
            raise ValueError(f"{case.id}: the expected call means no entity")
        if accepted.calls[0].name != "HassNevermind":
            return
    chosen = [each for each in options if each]
    for actions in product(*chosen):
        yield Plan(
            grade=accepted.grade,
            actions=tuple(done for each in actions for done in each),
            also=also,
            readings=tuple(reading for each in readings for reading in each),
        )


def _matches(case: OutsideCase, call: IntentCall) -> list[OutsideEntity]:
    """Return the available entities that the arguments of a call name."""
    given, home = call.arguments, layout(case.size)
    name = given.get("name", "").casefold()
    if call.name.startswith("HassShoppingList"):
        name = "shopping list"
    domain = next((each for begin, each in _DOMAINS.items() if call.name.startswith(begin)), "")
    areas = {each.name: each.id for each in home.areas}
    found = [
        each
        for each in home.entities
        if name in ("", each.name.casefold())
        and ("domain" not in given or each.domain in given["domain"])
        and domain in ("", each.domain)
        and ("area" not in given or each.area == areas.get(given["area"]))
        and (each.state != "unavailable" or call.name == "HassGetState")
    ]
    meant = [each for each in found if each.entity_id in case.targets]
    return meant if "name" in given and meant else found


def _also(case: OutsideCase, call: IntentCall) -> list[str]:
    """Return what may change, too, by a call for an area."""
    if "area" not in call.arguments or "name" in call.arguments:
        return []
    return [each.entity_id for each in _matches(case, call)]


def _options(
    case: OutsideCase, call: IntentCall, starts: Mapping[str, str]
) -> Iterator[list[Action]]:
    """Yield the actions that a call may mean; none if it does nothing.

    A name of several entities may mean one of them, or all.
    """
    if call.name == "HassBroadcast":
        yield [_announcement(case)]
        return
    found = [
        replace(done, entity_id=entity.entity_id, service=f"{entity.domain}.{done.service}")
        for entity in _matches(case, call)
        if (done := action(call, entity, starts[entity.entity_id])) is not None
    ]
    if "name" in call.arguments and len(found) > 1:
        for each in found:
            yield [each]
    if call.name == "HassLightSet" and "area" in call.arguments:
        # To dim is for the lights that are on.
        found = [each for each in found if starts[each.entity_id] == "on"] or found
    if found:
        yield found


def _announcement(case: OutsideCase) -> Action:
    message = case.said.removeprefix("announce that ")
    return Action(
        service="assist_satellite.announce",
        data={"message": message},
        entity_id=SATELLITE.entity_id,
        texts={"announced": message.split()[0]},
    )


def _readings(case: OutsideCase, call: IntentCall) -> list[Reading]:
    """Return the values of which an answer must say one."""
    match call.name:
        case "HassGetCurrentTime":
            return [Reading(attribute=TIME)]
        case "HassGetCurrentDate":
            return [Reading(attribute=DATE)]
        case "HassGetState":
            return [Reading(entity_id=each.entity_id) for each in _matches(case, call)]
        case "HassGetWeather":
            return [
                Reading(entity_id=each.entity_id)
                for each in layout(case.size).entities
                if each.domain == "weather"
                and each.name.startswith(call.arguments.get("name", "Home"))
            ]
        case "HassClimateGetTemperature":
            return [
                Reading(entity_id=each.entity_id, attribute="current_temperature")
                for each in _matches(case, call)
            ]
    return []
