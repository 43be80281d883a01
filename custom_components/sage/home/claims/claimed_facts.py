"""The values of the record that a claim may mean: by attribute, component or unit."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from homeassistant.core import HomeAssistant

from ...agent import Claim
from ...text import Sentences
from ..commands.spoken_values import translated
from ..entities.narrowing import SET_BY, unit_of
from ..home_types import EARLIER, Component, Device, Fact
from ..listing import TELLING_ONLY
from ..values import PAST, PERCENT, STATE, item_attributes
from .claimed_value import (
    COLORS,
    SHARE,
    has_unit,
    is_amount,
    is_same_color,
    is_same_value,
    plain_name,
)

_VOLUME: Final = "volume_level"

_TARGETS: Final = frozenset({"climate", "water_heater", "humidifier"})
"""Domains of entities whose `temperature` and `humidity` are targets."""

_OTHER_NAMES: Final[Mapping[str, tuple[str, ...]]] = {
    # Prompts show the brightness only in percent.
    "brightness": (PERCENT,),
    "volume": (_VOLUME,),
    "speed": ("percentage",),
    "color": COLORS,
    "colour": COLORS,
    "color temperature": ("color_temp_kelvin",),
    "room temperature": ("current_temperature",),
    "setpoint": ("temperature",),
    "set temperature": ("temperature",),
    **{plain_name(argument): (attribute,) for attribute, argument in SET_BY.items()},
}
"""Usual name of an attribute -> names of Home Assistant."""

_STATE_NAMES: Final = frozenset({"status", "current state", "power", "power state", "on off"})
"""Usual names of a state, besides those with its domain, such as `lock_state`."""

_SWITCHED: Final = frozenset({"on", "off"})


@dataclass(frozen=True, slots=True)
class Terms:
    """Home Assistant's names and units of values, for the language of a request."""

    hass: HomeAssistant | None = None
    """None: units by the names of attributes only, and no names of values."""

    sentences: Sentences = field(default_factory=lambda: Sentences({}))
    language: str = "en"

    def unit(self, component_id: str, name: str) -> str | None:
        """Return the unit of a value that was recorded without one."""
        if self.hass is None:
            return unit_of(name, {}, None)
        state = self.hass.states.get(component_id)
        attributes = state.attributes if state is not None else {}
        return unit_of(name, attributes, self.hass.config.units.temperature_unit)

    def label(self, component_id: str, name: str) -> str:
        """Return the name of an attribute in the language, or in English words."""
        words = name.replace("_", " ")
        if self.hass is None:
            return words
        place = f"state_attributes.{name}.name"
        return translated(self.hass, component_id, place, self.language) or words

    def names(self, component_id: str, name: str, value: object) -> Sequence[str]:
        """Return the names of a value in the language: Home Assistant's, and the one SAGE says."""
        if self.hass is None:
            return ()
        key, own = str(value).lower(), ""
        place = f"state_attributes.{name}.state.{key}"
        if name == STATE:
            place = f"state.{value}"
            own = self.sentences.say(f"state_{key}") if f"state_{key}" in self.sentences else ""
        names = (translated(self.hass, component_id, place, self.language), own)
        return tuple(filter(None, names))


NO_TERMS: Final = Terms()


@dataclass(frozen=True, slots=True, kw_only=True)
class Claimable(Fact):
    """One value of the record that a claim may state."""

    component_id: str
    part: Component | None
    is_whole: bool  # whether the component has no name of its own, and so stands for its device

    @property
    def domain(self) -> str:
        """The domain of the entity, or the id of another component."""
        return self.component_id.partition(".")[0]

    @property
    def is_target(self) -> bool:
        """Whether the value may be one that a device is to reach, not one that it measures."""
        is_now = not (self.name.startswith("current_") or self.is_past)
        is_setting = self.domain in _TARGETS and is_now
        return self.name != STATE and (is_setting or self.name.endswith("Setpoint"))

    @property
    def is_past(self) -> bool:
        """Whether the value is one of a period in the past, such as `mean@2026-03-09`."""
        return PAST in self.name

    @property
    def is_measured(self) -> bool:
        """Whether the value is a number that a sensor measures."""
        is_own = self.name == STATE and self.domain not in _TARGETS
        return is_amount(self.value) and (is_own or self.name.startswith("current_"))

    def is_said(self, claim: Claim, terms: Terms) -> bool:
        """Return whether the claim states this value."""
        language, value = terms.language, self.value
        if any(
            is_same_value(claim.value, each, unit=self.unit, language=language)
            for each in (value, self.shown)
        ):
            return True
        if self.is_past and ".." not in self.name and claim.value.zfill(5) == str(value)[11:16]:
            # The time of a day that the name says.
            return True
        if self.name in COLORS:
            is_list = claim.attribute and plain_name(claim.attribute) != plain_name(self.name)
            is_named = not any(sign.isdigit() for sign in claim.value)
            return bool(is_list or is_named) and is_same_color(claim.value, self.name, value)
        names = terms.names(self.component_id, self.name, value)
        return plain_name(claim.value) in map(plain_name, names)


def facts_of(
    component_id: str,
    values: Iterable[Fact],
    device: Device,
    terms: Terms,
    *,
    seen: Iterable[Fact] = (),
) -> tuple[Claimable, ...]:
    """Return values of one component of a device; without units, they get those of `seen`."""
    facts = {fact.name: fact for fact in values}
    units = {fact.name: fact.unit for fact in (*seen, *facts.values()) if fact.unit}
    parts = (*device.components, *device.more_components)
    part = next((part for part in parts if part.id == component_id), None)
    is_whole = part is not None and part.name.casefold() in ("", device.name.casefold())
    state, light = facts.get(STATE), facts.get(PERCENT)
    is_dark = component_id.startswith("light.") and state is not None and state.value == "off"
    if is_dark and (light is None or light.value is None):
        facts[PERCENT] = Fact(name=PERCENT, value=0)
    return tuple(
        Claimable(
            name=fact.name,
            value=fact.value,
            meaning=fact.meaning,
            unit=_unit(component_id, fact.name, units, terms),
            is_free_text=fact.is_free_text,
            component_id=component_id,
            part=part,
            is_whole=is_whole,
        )
        for fact in facts.values()
    )


def _unit(component_id: str, name: str, units: Mapping[str, str], terms: Terms) -> str | None:
    if name == _VOLUME:
        return SHARE
    # An argument such as `position` has the unit of the attribute that it sets.
    attribute = next((own for own, argument in SET_BY.items() if argument == name), name)
    attribute = STATE if name == "value" else attribute.removeprefix(EARLIER)
    return units.get(name) or units.get(attribute) or terms.unit(component_id, attribute)


def named(facts: Iterable[Claimable], attribute: str) -> list[Claimable]:
    """Return the facts that an attribute means; a component or device class means its state."""
    facts, wanted = tuple(facts), _in_full(attribute)
    exact = [fact for fact in facts if _in_full(fact.name) == wanted and wanted != "brightness"]
    exact += [fact for fact in facts if fact.name == STATE and wanted in _names_of_part(fact)]
    # `duration_on@2026-03-09` is also `duration_on` and `duration`.
    exact += [
        fact for fact in facts if fact.is_past and f"{_measure(fact)} ".startswith(f"{wanted} ")
    ]
    if exact:
        return exact
    others = {*_OTHER_NAMES.get(wanted, ()), f"current_{wanted}".replace(" ", "_")}
    return [
        fact
        for fact in facts
        if fact.name in others
        or (fact.is_target and wanted == f"target {plain_name(fact.name)}")
        or (fact.domain not in _TARGETS and wanted == f"current {plain_name(fact.name)}")
    ]


def _in_full(name: str) -> str:
    return re.sub(r"\btemp\b", "temperature", plain_name(name))


def _measure(fact: Claimable) -> str:
    return plain_name(fact.name.partition(PAST)[0])


def _names_of_part(fact: Claimable) -> Iterator[str]:
    yield plain_name(fact.component_id)
    if fact.domain in _TARGETS:
        return
    yield from (*_STATE_NAMES, fact.domain, f"{fact.domain} state", f"{fact.domain} status")
    if (part := fact.part) is not None:
        kind = plain_name(part.kind or "")
        yield from filter(None, (plain_name(part.name), kind, kind and f"current {kind}"))


def unnamed(facts: Iterable[Claimable]) -> list[Claimable]:
    """Return the facts that a claim without an attribute may mean: states, numbers and items.

    Small models omit the attribute of a number. A target counts only if it is not measured, too.
    """
    facts = [fact for fact in facts if not fact.name.startswith(EARLIER)]
    states = {fact.component_id: fact for fact in facts if fact.name == STATE}
    measured = {
        (fact.component_id, fact.unit)
        for fact in facts
        if not fact.is_target and fact.name != STATE
    }
    chosen = []
    for fact in facts:
        state = states.get(fact.component_id)
        is_main = fact.name == STATE or fact.name in item_attributes(fact.domain)[:1]
        is_number = is_amount(fact.value) and not (state and is_amount(state.value))
        is_measured_too = fact.is_target and (fact.component_id, fact.unit) in measured
        # The past of a measured number is not its value now.
        is_past = fact.is_past and not (state and fact.unit and fact.unit == state.unit)
        # Raw capabilities have no state.
        if (
            is_main
            or is_past
            or ((state is None or is_number or fact.name in COLORS) and not is_measured_too)
        ):
            chosen.append(fact)
    return chosen


def rivals(
    claim: Claim, proofs: Sequence[Claimable], facts: Iterable[Claimable]
) -> list[Claimable]:
    """Return the facts that contradict a claim although others prove it: the claim is ambiguous.

    `proofs`: the facts that state the claimed value. `facts`: all facts that the claim may mean.
    """
    others = [fact for fact in facts if fact not in proofs and not fact.is_free_text]
    if claim.attribute:
        others = [fact for fact in others if any(fact.domain == each.domain for each in proofs)]
    if any(is_amount(fact.value) for fact in proofs):
        return [
            fact
            for fact in others
            if is_amount(fact.value)
            # The unit of a duration is part of its value.
            and (fact.is_past or has_unit(claim.value, fact.unit) is not False)
            and any(_is_confusable(fact, proof) for proof in proofs)
        ]
    whole = [fact for fact in (*proofs, *others) if fact.name == STATE and fact.is_whole]
    if len(whole) == 1 and whole[0] in proofs:
        return []
    if any(fact.domain not in TELLING_ONLY for fact in proofs):
        # The state of a socket is not the state of its sensors.
        others = [fact for fact in others if fact.domain not in TELLING_ONLY]
        proofs = [fact for fact in proofs if fact.domain not in TELLING_ONLY]
    return [fact for fact in others if any(_is_opposite(fact, proof) for proof in proofs)]


def _is_opposite(fact: Claimable, proof: Claimable) -> bool:
    is_alike = fact.domain == proof.domain or {str(fact.value), str(proof.value)} <= _SWITCHED
    return fact.name == proof.name and (fact.name != STATE or is_alike)


def _is_confusable(fact: Claimable, proof: Claimable) -> bool:
    if fact.is_past or proof.is_past:
        names = _measure(fact), _measure(proof)
        return fact.is_past and proof.is_past and names[0].split()[0] == names[1].split()[0]
    if fact.name == proof.name and fact.name != STATE:
        return fact.domain == proof.domain
    is_same_kind = fact.unit is not None and fact.unit == proof.unit
    return (fact.is_measured and proof.is_measured) or is_same_kind
