"""Check the claims of an answer about devices against what really happened.

A claim is one statement of the answer, which the model gives as fields: devices, result, attribute,
value. `Evidence` is the record of what was really done and read. The text of the answer is not
interpreted.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from ..agent.decision import Claim, ClaimResult
from ..home.commands.changed_since import missed
from ..home.commands.evidence import Evidence, Seen
from ..home.earlier import EARLIER
from ..home.groups import find_all
from ..home.home_types import DONE, HomeError, Outcome, OutcomeKind
from ..home.listing import Found, Listing
from ..home.values import STATE, item_attributes, plain
from .claimed_value import is_amount, is_same_value, plain_name

# Code compares the fields of a claim, not the text of the answer: so this works in every language.

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

_MOST_PROBLEMS: Final = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """The result of comparing the claims of an answer with what was really done and read.

    A claim is one statement of the model's answer, e.g. that the lamp was switched on.
    """

    problems: tuple[str, ...]
    """Sentences for the model about unproven claims and unknown devices; at most 8."""

    claimed: tuple[Outcome, ...]
    """The outcomes of the commands that prove at least one claim of the answer.

    Values that were read can also prove claims; they are not in this tuple.
    """

    to_report: tuple[Found, ...]
    """The device or component of each unproven claim.

    If there is none: the components whose values prove the claims with the result `READ`, or the
    whole device for values of SmartThings. If SAGE's code writes the answer, it reports the states
    that were read there.
    """

    has_acted: bool
    """Whether a command that was done proves at least one claim of the answer.

    False if only values that were read, or commands that failed or were refused, prove claims.
    """

    has_blank: bool
    """Whether a proven claim states no value, although the outcome of its command shows a state.

    The words of the answer then say more than its claims, e.g. "Done.", and the claims alone do
    not prove them. A claim with the result `SENT` does not count: it says nothing about a state.
    """


def compare(claims: Sequence[Claim], evidence: Evidence, listing: Listing) -> Comparison:
    """Compare the claims of an answer about devices with what was really done and read.

    `evidence`: outcomes of commands and values read. `listing`: resolves the names of devices and
    groups.
    """
    comparer = _Comparer(claims, evidence, listing)
    for claim in claims:
        comparer.check(claim)
    return Comparison(
        problems=tuple(dict.fromkeys(comparer.problems))[:_MOST_PROBLEMS],
        claimed=tuple(comparer.claimed),
        to_report=tuple((comparer.doubted or comparer.read).values()),
        has_acted=comparer.has_acted,
        has_blank=comparer.has_blank,
    )


class _Comparer:
    def __init__(self, claims: Sequence[Claim], evidence: Evidence, listing: Listing) -> None:
        self._listing = listing
        self._outcomes = _by_device(evidence.final_outcomes)
        self._seen = _by_device(evidence.seen)
        self.problems: list[str] = []
        self.claimed: list[Outcome] = []
        self.doubted: dict[tuple[str, str | None], Found] = {}
        self.read: dict[tuple[str, str | None], Found] = {}
        self.has_acted = False
        self.has_blank = False
        # A claim that names a device directly takes precedence over claims about its groups.
        self._named = [
            found[0]
            for claim in claims
            for name in claim.devices
            if len(found := self._find(name)) == 1
        ]

    def check(self, claim: Claim) -> None:
        """Compare one claim with the run's record of each device that the claim names.

        Add problems to `problems`, and outcomes that prove the claim to `claimed`.
        """
        for name in claim.devices:
            try:
                members = find_all(self._listing, (name,))
            except HomeError as err:
                self.problems.append(str(err))
                continue
            is_group = len(members) > 1
            if is_group:
                members = tuple(each for each in members if not self._is_named(each))
            for found in members:
                if (problem := self._problem(claim, found, is_group=is_group)) is not None:
                    self.problems.append(problem)
                    self.doubted[_place(found)] = found
                elif claim.result is ClaimResult.READ:
                    own = _of(found, self._outcomes)
                    self.claimed += [each for each in own if _is_reached(each, claim)]
                    self.read |= {_place(each): each for each in self._shown(claim, found)}

    def _is_named(self, member: Found) -> bool:
        return any(
            each.device.id == member.device.id
            and (member.component is None or each.component in (None, member.component))
            for each in self._named
        )

    def _find(self, name: str) -> Sequence[Found]:
        try:
            return find_all(self._listing, (name,))
        except HomeError:
            return ()

    def _problem(self, claim: Claim, found: Found, *, is_group: bool) -> str | None:
        if claim.result is ClaimResult.READ:
            return self._unread(claim, found)
        outcomes = _of(found, self._outcomes)
        if not outcomes:
            # A member of the group may already have had the state and needed no command.
            if is_group and claim.value and self._unread(claim, found) is None:
                return None
            return (
                f"{_called(found)}: no command was executed on it in this request, so nothing was "
                f"`{claim.result}` there. What you only read has the result `read`."
            )
        if proofs := [each for each in outcomes if self._proves(each, claim)]:
            self.claimed += proofs
            self.has_acted = self.has_acted or any(_is_done(each, claim) for each in proofs)
            self.has_blank = self.has_blank or any(_is_blank(each, claim) for each in proofs)
            return None
        record = "; ".join(f"{each.command}: {_kind_and_state(each)}" for each in outcomes)
        return f"{_called(found)}: not {_claimed(claim)}. The record: {record}."

    def _proves(self, outcome: Outcome, claim: Claim) -> bool:
        if outcome.kind not in _PROVEN_BY[claim.result]:
            return False
        if outcome.kind is OutcomeKind.REACHED and claim.result not in _FAILURES:
            return _is_reached(outcome, claim)
        if outcome.kind in _NOT_DONE:
            return True
        if not claim.value:
            return True
        if outcome.response and _answers(outcome.response, claim):
            return True
        given = _given(outcome)
        seen = self._seen_of(outcome)
        if claim.attribute:
            values = [value for each in seen for value in _named(each.values, claim.attribute)]
            values += [(value,) for value in _named(_in_percent(given), claim.attribute)]
            return any(is_same_value(claim.value, each) for value in values for each in value)
        # Without an attribute, the claim may be the state or any value that the command set or
        # changed.
        stated = [value for each in seen for value in each.values.get(STATE, ())]
        stated += [given.get(STATE)] if STATE in given else []
        for changed in (_in_percent(given), _in_percent(outcome.after)):
            # Switching a component on or off does not switch the device.
            others = (value for name, value in changed.items() if name != STATE)
            stated += [value for value in others if not isinstance(value, bool)]
        return any(is_same_value(claim.value, each) for each in stated)

    def _unread(self, claim: Claim, found: Found) -> str | None:
        """Return a sentence for the model if no reading proves the claim; None if one does."""
        seen = _of(found, self._seen)
        if not seen:
            return f"{_called(found)}: its state was not read in this request."
        if not claim.value:
            return f"{_called(found)}: the claim needs the `value` that was read."
        if any(_shows(each, claim) for each in seen):
            return None
        read = "; ".join(dict.fromkeys(_record(each, claim.attribute) for each in seen))
        return f"{_called(found)}: not {_claimed(claim)}. Read was: {read}."

    def _shown(self, claim: Claim, found: Found) -> Iterator[Found]:
        """Yield the components of a device whose values prove the claim."""
        for seen in _of(found, self._seen):
            if _shows(seen, claim):
                part = next((e for e in found.device.components if e.id == seen.component_id), None)
                yield Found(device=found.device, component=part)

    def _seen_of(self, outcome: Outcome) -> Iterator[Seen]:
        seen = self._seen.get(outcome.device_id, ())
        return (each for each in seen if each.component_id == outcome.component_id)


def _is_done(outcome: Outcome, claim: Claim) -> bool:
    if outcome.kind is OutcomeKind.REACHED:
        # "50 was not confirmed" is a true claim about a device that reacted and stopped at 30.
        return claim.result not in _FAILURES or bool(claim.value)
    return outcome.kind in DONE


def _is_blank(outcome: Outcome, claim: Claim) -> bool:
    """Return whether a proven claim leaves out the state that the outcome of its command shows."""
    is_silent = claim.value or claim.result is ClaimResult.SENT or outcome.response
    return not is_silent and STATE in outcome.after and outcome.kind not in _NOT_DONE


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


def _is_reached(outcome: Outcome, claim: Claim) -> bool:
    """Return whether the claim states a value that the device reached instead of the wanted one."""
    if outcome.kind is not OutcomeKind.REACHED:
        return False
    reached = _in_percent({name: each[0] for name, each in missed(outcome).items()})
    is_argument = bool(_named(outcome.arguments, claim.attribute))
    values = _named(reached, claim.attribute)
    if not claim.attribute or (is_argument and not values):
        # The argument `position` sets the attribute `current_position`.
        values = [*reached.values()]
    return any(is_same_value(claim.value, each) for each in values)


def _place(found: Found) -> tuple[str, str | None]:
    return found.device.id, found.component.id if found.component else None


def _by_device[T: (Outcome, Seen)](record: Iterable[T]) -> Mapping[str, list[T]]:
    found: dict[str, list[T]] = {}
    for each in record:
        found.setdefault(each.device_id, []).append(each)
    return found


def _of[T: (Outcome, Seen)](found: Found, record: Mapping[str, list[T]]) -> list[T]:
    """Return the records of a device, or only of one component if `found` names a component."""
    component, own = found.component, record.get(found.device.id, [])
    return own if component is None else [e for e in own if e.component_id == component.id]


def _shows(seen: Seen, claim: Claim) -> bool:
    if any(_answers(text, claim) for text in seen.texts):
        return True
    # Models name the component as attribute if the device has several, and mean its state.
    attribute = STATE if claim.attribute == seen.component_id else claim.attribute
    if attribute:
        values = _named(seen.values, attribute)
    elif STATE in seen.values:
        # Small models omit the attribute of a number; a state such as `on` has no attribute.
        others = [
            value
            for name, value in seen.values.items()
            if is_amount(value[0])
            # A claim about an earlier value names it explicitly.
            and not name.startswith(EARLIER)
        ]
        values = [seen.values[STATE], *(others if isinstance(seen.values[STATE][0], str) else ())]
        # Small models also omit the attribute of list items and calendar events.
        main = item_attributes(seen.component_id.partition(".")[0])[:1]
        values += [seen.values[name] for name in main if name in seen.values]
    else:
        # Raw capabilities have no state.
        values = [each for name, each in seen.values.items() if not name.startswith(EARLIER)]
    return any(is_same_value(claim.value, each) for value in values for each in value)


def _answers(text: str, claim: Claim) -> bool:
    """Return whether a response of an action contains a claimed value, or has it at its attribute.

    Texts are compared by whole words, numbers by their value: 12 is not in 120.
    """
    try:
        answer = json.loads(text)
    except ValueError:
        # A long response is cut.
        answer = text
    if isinstance(answer, Mapping) and (own := _named(answer, claim.attribute)):
        answer = own
    if is_same_value(claim.value, answer):
        return True
    shown = answer if isinstance(answer, str) else json.dumps(answer, ensure_ascii=False)
    words = re.escape(claim.value.strip().casefold())
    return (
        re.search(rf"(?<![\w-])(?<!\d[.,]){words}(?![.,]?\d)(?!\w)", shown.casefold()) is not None
    )


def _named[V](values: Mapping[str, V], attribute: str) -> list[V]:
    wanted = plain_name(attribute)
    # Prompts show the brightness only in percent.
    wanted = "brightness pct" if wanted == "brightness" else wanted
    return [value for name, value in values.items() if plain_name(name) == wanted]


def _in_percent(values: Mapping[str, object]) -> dict[str, object]:
    """Replace `brightness` (0 to 255) by `brightness_pct`, the unit that prompts show."""
    brightness = values.get("brightness")
    if not isinstance(brightness, int | float):
        return dict(values)
    others = {name: value for name, value in values.items() if name != "brightness"}
    return {"brightness_pct": round(brightness * 100 / 255), **others}


def _called(found: Found) -> str:
    return found.component.id if found.component else found.device.id


def _claimed(claim: Claim) -> str:
    value = f" {claim.attribute or STATE} {claim.value}" if claim.value else ""
    return f"`{claim.result}`{value}"


def _kind_and_state(outcome: Outcome) -> str:
    state = outcome.after.get(STATE)
    return f"{outcome.kind.value}{f', state {state}' if state is not None else ''}"


def _record(seen: Seen, attribute: str) -> str:
    named = _named(seen.values, attribute) if attribute else []
    shown: Iterable[tuple[str, tuple[object, ...]]]
    if named:
        shown = ((attribute, each) for each in named)
    elif STATE in seen.values and not attribute:
        shown = ((STATE, seen.values[STATE]),)
    else:
        shown = list(seen.values.items())[:_MOST_PROBLEMS]
    free_text = {plain_name(name) for name in seen.free_text}
    values = ", ".join(
        f"{name} {'is a text' if plain_name(name) in free_text else plain(value[-1], 60)}"
        for name, value in shown
    )
    return f"{seen.component_id} {values}"
