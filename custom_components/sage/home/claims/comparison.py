"""Check the claims of an answer about devices against what really happened.

A claim is one statement of the answer, which the model gives as fields: devices, result, attribute,
value. Code compares these fields, not the text of the answer, so this works in every language.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import chain
from typing import Final

from ...agent import Claim, ClaimResult
from ..commands.evidence import Evidence
from ..commands.outcome_text import as_percent, missed
from ..home_types import DONE, Device, Fact, HomeError, Outcome, OutcomeKind, Reading
from ..listing import TELLING_ONLY, Found, Listing, describe
from ..matching import possibly_meant
from ..values import PAST, STATE, grouped, item_attributes, plain
from ..vocabulary import NO_SYNONYMS, Synonyms
from .claimed_facts import NO_TERMS, Claimable, Terms, facts_of, named, rivals, unnamed
from .claimed_value import SHARE, is_amount, is_same_value, plain_name, unit_named, values_within

_DONE_OR_NEAR: Final = frozenset({OutcomeKind.VERIFIED, OutcomeKind.ALREADY, OutcomeKind.REACHED})
_NOT_DONE: Final = frozenset(OutcomeKind) - DONE
_PROVEN_BY: Final[Mapping[ClaimResult, frozenset[OutcomeKind]]] = {
    # A claim of the value that the device reached instead of the wanted one is true, too.
    ClaimResult.VERIFIED: _DONE_OR_NEAR,
    ClaimResult.ALREADY: frozenset({OutcomeKind.ALREADY}),
    ClaimResult.UNDER_WAY: _DONE_OR_NEAR | {OutcomeKind.UNDER_WAY},
    ClaimResult.SENT: DONE | {OutcomeKind.REACHED},
    ClaimResult.NOT_CONFIRMED: _NOT_DONE,
    ClaimResult.REFUSED: _NOT_DONE,
    ClaimResult.FAILED: _NOT_DONE,
}
"""Claimed result -> outcomes that prove it; for example, VERIFIED also proves the claim SENT."""

_FAILURES: Final = frozenset({ClaimResult.NOT_CONFIRMED, ClaimResult.REFUSED, ClaimResult.FAILED})

_NOTHING: Final = frozenset({"", "none", "null", "unknown", "unavailable"})
"""Claimed values of something that does not exist."""

_MOST_PROBLEMS: Final = 8
_MOST_DOUBTED: Final = 3
_MOST_UNREAD: Final = 40


class Comparison:
    """The comparison of the claims of an answer with what was really done and read."""

    def __init__(
        self,
        claims: Sequence[Claim],
        evidence: Evidence,
        listing: Listing,
        terms: Terms = NO_TERMS,
        synonyms: Synonyms = NO_SYNONYMS,
        *,
        is_repeated: bool = False,
    ) -> None:
        """Compare `claims` with the outcomes of commands and the values read in `evidence`.

        `listing`: resolves the names of devices and groups. `terms`: names and units of values, for
        the language of the request; `synonyms`: its words for kinds of devices.
        `is_repeated`: whether an answer was refused before, so that the model has read what may be
        meant by a thing that it says is missing.
        """
        self._terms = terms
        self._outcomes = grouped((each.device_id, each) for each in evidence.final_outcomes)
        self._responses = grouped(
            (each.device_id, each) for each in evidence.outcomes if each.response
        )
        self._seen = grouped((each.device_id, each) for each in evidence.seen)
        self._problems: list[str] = []
        self._doubted: dict[Found, None] = {}
        self._read: dict[Found, None] = {}
        self.asked: dict[str, dict[str, None]] = {}
        """Component id -> names of the attributes that claims with the result `READ` may mean."""

        self.claimed: list[Outcome] = []
        """The outcomes of the commands that prove at least one claim of the answer."""

        self.has_acted = False
        """Whether a command that was done, not only a value read, proves a claim of the answer."""

        self.has_blank = False
        """Whether a claim states no value of a thing that the home does not have, or a proven claim
        states none although the outcome of its command shows a state.

        The words of the answer then say more than its claims, e.g. "Done.", and the claims alone do
        not prove them. A claim with the result `SENT` does not count: it says nothing about a
        state.
        """
        self._listing = listing
        self._of_reads: set[Found] = set()
        self._unnamed: list[Claim] = []
        self._members = named = list[tuple[Claim, Sequence[Found]]]()
        for claim in claims:
            for name in claim.devices:
                if claim.result is ClaimResult.MISSING:
                    seen = self._seen if is_repeated else ()
                    there = possibly_meant(listing, name, synonyms, seen=seen)[:_MOST_PROBLEMS]
                    if there:
                        shown = describe(there, name)
                        self._problems.append(f'"{name}" may not be missing: {shown}.')
                        self._doubted |= {Found(device=each): None for each in there}
                    continue
                try:
                    named.append((claim, listing.find_all((name,))))
                except HomeError as err:
                    if claim.result in _FAILURES or plain_name(claim.value) in _NOTHING:
                        # "There is no pool": the words are verified.
                        self.has_blank = True
                    else:
                        self._problems.append(str(err))
                        self._unnamed.append(claim)
        # A claim that names a device directly takes precedence over claims about its groups.
        self._named = [(members[0], claim) for claim, members in named if len(members) == 1]
        for claim, members in named:
            self._check(claim, members)

    @property
    def problems(self) -> tuple[str, ...]:
        """Sentences for the model about unproven claims and unknown devices; at most 8."""
        return tuple(dict.fromkeys(self._problems))[:_MOST_PROBLEMS]

    @property
    def to_report(self) -> tuple[Found, ...]:
        """The devices and components of the claims, for a sentence of SAGE's code.

        Those whose values prove claims come first: their components, or the whole device for values
        without an entity. If there are some, more than three others are left out.
        """
        proven = {**self._read, **dict.fromkeys(self._listed())}
        doubted = self._doubted if len(self._doubted) <= _MOST_DOUBTED or not proven else ()
        return tuple({**proven, **dict.fromkeys(doubted)})

    @property
    def unread(self) -> tuple[str, ...]:
        """Ids of the devices and components that claims with the result `READ` do not prove."""
        read = [found for found in self._doubted if found in self._of_reads]
        return tuple(found.id for found in read[:_MOST_UNREAD])

    def stated_of(self, places: Iterable[Found]) -> tuple[Found, ...]:
        """Return the places of which a claim is true that names a device that does not exist."""
        return tuple(
            place
            for place in places
            if any(each.value and self._unread(each, place) is None for each in self._unnamed)
        )

    def _listed(self) -> Iterator[Found]:
        """Yield what was read in the state that claims state of several things of this kind."""
        states: dict[str, list[Found]] = {}
        for claim, members in self._members:
            if claim.result is ClaimResult.READ and claim.value and not claim.attribute:
                states.setdefault(claim.value, []).extend(members)
        for value, members in states.items():
            kinds = {kind for each in members for kind in _kinds(each)}
            claim = Claim(devices=(), result=ClaimResult.READ, value=value)
            for reading in chain.from_iterable(self._seen.values()) if len(members) > 1 else ():
                with suppress(HomeError):
                    found = self._listing.find(reading.component_id)
                    is_alike = not kinds.isdisjoint(_kinds(found))
                    if is_alike and self._unread(claim, found) is None:
                        yield found

    def _check(self, claim: Claim, members: Sequence[Found]) -> None:
        """Compare a claim with one of its devices, or a group with its members but exceptions."""
        is_group = len(members) > 1
        if is_group:
            members = [each for each in members if not self._is_exception(each, claim)] or members
        for found in members:
            if (problem := self._problem(claim, found, is_group=is_group)) is not None:
                self._problems.append(problem)
                self._doubted[found] = None
                if claim.result is ClaimResult.READ:
                    self._of_reads.add(found)
            elif claim.result is ClaimResult.READ:
                own = _of(found, self._outcomes)
                self.claimed += [
                    each for each in own if self._is_reached(each, claim, found.device)
                ]
                parts = {each.id: each for each in found.device.components}
                self._read |= {
                    Found(device=found.device, component=parts.get(each.component_id)): None
                    for each in self._proofs(claim, found)[1]
                }

    def _is_exception(self, member: Found, claim: Claim) -> bool:
        return any(
            (each.covers(member) or (member.component is None and member.device == each.device))
            and (own.attribute == claim.attribute or own.result in _FAILURES)
            for each, own in self._named
        )

    def _problem(self, claim: Claim, found: Found, *, is_group: bool) -> str | None:
        if claim.result is ClaimResult.READ:
            return self._unread(claim, found)
        outcomes = _of(found, self._outcomes)
        # What a search returned does not prove what was played.
        outcomes = [e for e in outcomes if not e.is_read or e.has_looked] or outcomes
        if not outcomes:
            # A member of the group may already have had the state and needed no command.
            if is_group and claim.value and self._unread(claim, found) is None:
                return None
            return (
                f"{found.id}: no command was executed on it in this request, so nothing was "
                f"`{claim.result}` there. What you only read has the result `read`."
            )
        if proofs := [each for each in outcomes if self._proves(each, claim, found.device)]:
            self.claimed += proofs
            for proof in proofs:
                # "50 was not confirmed" is true of a device that reacted and stopped at 30.
                is_reached = proof.kind is OutcomeKind.REACHED and (
                    claim.result not in _FAILURES or bool(claim.value)
                )
                self.has_acted = self.has_acted or proof.kind in DONE or is_reached
                # The claim leaves out the state that the outcome shows.
                is_told = claim.value or claim.result is ClaimResult.SENT or proof.response
                is_blank = not is_told and STATE in proof.after and proof.kind not in _NOT_DONE
                self.has_blank = self.has_blank or is_blank
            return None
        states = ((each, each.after.get(STATE)) for each in outcomes)
        record = "; ".join(
            f"{each.command}: {each.kind}" + ("" if state is None else f", state {state}")
            for each, state in states
        )
        return f"{found.id}: not {_claimed(claim)}. The record: {record}."

    def _proves(self, outcome: Outcome, claim: Claim, device: Device) -> bool:
        if outcome.kind not in _PROVEN_BY[claim.result]:
            return False
        if outcome.kind is OutcomeKind.REACHED and claim.result not in _FAILURES:
            return self._is_reached(outcome, claim, device)
        if outcome.kind in _NOT_DONE or not claim.value:
            return True
        if outcome.response and self._is_in_response(claim, outcome.component_id, outcome.response):
            return True
        states = filter(None, (each.fact(STATE) for each in self._seen_of(outcome)))
        if not claim.attribute and any(claim.value in (it.value, it.shown) for it in states):
            # Most claims: the state as it was read back.
            return True
        given = self._facts(outcome, device, _given(outcome))
        seen = self._facts_read(device, self._seen_of(outcome))
        if claim.attribute:
            return self._is_said(claim, named([*seen, *given], claim.attribute))
        # Without an attribute, the claim may be the state or any value that the command set or
        # changed.
        changed = self._facts(outcome, device, outcome.after)
        return self._is_said(
            claim,
            (
                *(fact for fact in (*seen, *given) if fact.name == STATE),
                # Switching a component on or off does not switch the device.
                *(
                    fact
                    for fact in (*given, *changed)
                    if fact.name != STATE and not isinstance(fact.value, bool)
                ),
            ),
        )

    def _is_reached(self, outcome: Outcome, claim: Claim, device: Device) -> bool:
        if outcome.kind is not OutcomeKind.REACHED:
            return False
        values = {name: each[0] for name, each in missed(outcome).items()}
        facts = self._facts(outcome, device, values)
        if claim.attribute:
            own = named(facts, claim.attribute)
            is_argument = named(self._facts(outcome, device, outcome.arguments), claim.attribute)
            # The argument `position` sets the attribute `current_position`.
            facts = tuple(own or (facts if is_argument else ()))
        return self._is_said(claim, facts)

    def _is_said(self, claim: Claim, facts: Iterable[Claimable]) -> bool:
        return any(fact.is_said(claim, self._terms) for fact in facts)

    def _facts(
        self, outcome: Outcome, device: Device, values: Mapping[str, object]
    ) -> tuple[Claimable, ...]:
        """Return values of a command as facts, in the units of what was read from its component."""
        return facts_of(
            outcome.component_id,
            [Fact(name=name, value=value) for name, value in as_percent(values).items()],
            device,
            self._terms,
            seen=[fact for seen in self._seen_of(outcome) for fact in seen.attributes],
        )

    def _is_in_response(
        self, claim: Claim, component_id: str, response: str, *, is_fact: bool = False
    ) -> bool:
        """Return whether a response has the claimed value; `is_fact`: it must be an attribute."""
        wanted, terms = plain_name(claim.attribute), self._terms
        values = [(path, path.rpartition(".")[2], value) for path, value in values_within(response)]
        own = [each for each in values if wanted in map(plain_name, each[:2])]
        return any(
            is_same_value(
                claim.value,
                value,
                unit=unit_named(name) or terms.unit(component_id, name),
                language=terms.language,
            )
            for _, name, value in own or (() if is_fact else values)
        )

    def _unread(self, claim: Claim, found: Found) -> str | None:
        """Return a sentence for the model if no reading proves the claim; None if one does."""
        seen = _of(found, self._seen)
        if not seen:
            return f"{found.id}: its state was not read in this request."
        if not claim.value:
            return f"{found.id}: the claim needs the `value` that was read."
        read_facts = self._facts_read(found.device, seen)
        is_fact = bool(claim.attribute and named(read_facts, claim.attribute))
        if any(
            self._is_in_response(claim, outcome.component_id, outcome.response, is_fact=is_fact)
            for outcome in _of(found, self._responses)
        ):
            return None
        facts, proofs = self._proofs(claim, found)
        for fact in proofs or facts or [each for each in read_facts if each.name == STATE]:
            asked = self.asked.setdefault(fact.component_id, {})
            if is_amount(claim.value) and is_amount(fact.value):
                asked.pop(STATE, None)
                asked[fact.name] = None
            elif claim.attribute or fact.name in item_attributes(fact.domain):
                asked[fact.name] = None
            elif fact.name == STATE and not asked:
                asked[STATE] = None
        if not proofs:
            read = "; ".join(dict.fromkeys(_record(each, claim.attribute) for each in seen))
            return f"{found.id}: not {_claimed(claim)}. Read was: {read}."
        if not (others := rivals(claim, proofs, facts)):
            return None
        shown = ", ".join(dict.fromkeys(_fact(fact) for fact in (*proofs, *others)))
        return (
            f"{found.id}: {claim.value} may be several values: {shown}. Claim it with the "
            "component as device, or with `attribute` or unit."
        )

    def _proofs(self, claim: Claim, found: Found) -> tuple[list[Claimable], list[Claimable]]:
        seen = self._facts_read(found.device, _of(found, self._seen))
        facts = named(seen, claim.attribute) if claim.attribute else unnamed(seen)
        return facts, [fact for fact in facts if fact.is_said(claim, self._terms)]

    def _facts_read(self, device: Device, readings: Iterable[Reading]) -> list[Claimable]:
        return [
            fact
            for each in readings
            for fact in facts_of(each.component_id, each.attributes, device, self._terms)
        ]

    def _seen_of(self, outcome: Outcome) -> Iterator[Reading]:
        seen = self._seen.get(outcome.device_id, ())
        return (each for each in seen if each.component_id == outcome.component_id)


def _given(outcome: Outcome) -> dict[str, object]:
    """Return the values that a command set, as the person asked for them: attribute -> value.

    A device may round them. A value that has not changed proves only itself, so that a device that
    did not react does not count.
    """
    if outcome.kind is OutcomeKind.UNDER_WAY:
        return {}
    if outcome.kind is not OutcomeKind.ALREADY:
        return {**{name: each[1] for name, each in missed(outcome).items()}, **outcome.arguments}
    given = outcome.arguments.items()
    return {name: value for name, value in given if not isinstance(value, int | float)}


def _of[T: (Outcome, Reading)](found: Found, record: Mapping[str, list[T]]) -> list[T]:
    """Return the records of a device, or only of one component if `found` names a component."""
    component, own = found.component, record.get(found.device.id, [])
    return own if component is None else [e for e in own if e.component_id == component.id]


def _kinds(found: Found) -> Iterator[tuple[str, str | None]]:
    for part in (found.component,) if found.component else found.device.components:
        domain = part.id.partition(".")[0]
        if found.component or domain not in TELLING_ONLY:
            yield domain, part.kind


def _claimed(claim: Claim) -> str:
    value = f" {claim.attribute or STATE} {claim.value}" if claim.value else ""
    return f"`{claim.result}`{value}"


def _record(seen: Reading, attribute: str) -> str:
    wanted = plain_name(attribute) or STATE
    shown = [fact for fact in seen.attributes if plain_name(fact.name) == wanted]
    values = ", ".join(
        f"{fact.name} is a text"
        if fact.is_free_text
        else f"{fact.name} {plain(fact.shown, 60)} {fact.unit or ''}".rstrip()
        for fact in shown
        or sorted(seen.attributes, key=lambda each: PAST not in each.name)[:_MOST_PROBLEMS]
    )
    return f"{seen.component_id} {values}"


def _fact(fact: Claimable) -> str:
    unit = f" {fact.unit}" if fact.unit and fact.unit != SHARE else ""
    return f"{fact.component_id} {fact.name} {plain(fact.value, 60)}{unit}"
