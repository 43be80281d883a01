"""The results of commands as text for the model, in English."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from ...text import fenced, quoted
from ..home_types import ENTITIES, PUT_BACK, Outcome, OutcomeKind
from ..safety.free_text import answers_with_text, is_free_text, options_of
from ..values import STATE, is_shown, names_entities, plain, without_codes
from .value_comparison import missed

_SHOWN_CHANGES: Final = 8


def describe_for_model(outcomes: Sequence[Outcome]) -> str:
    """Return the results of commands as text for the model: one English line for each command."""
    return "\n".join(map(_described, outcomes))


_MEANINGS: Final[Mapping[OutcomeKind, str]] = {
    OutcomeKind.VERIFIED: "verified",
    OutcomeKind.ALREADY: "already so before",
    OutcomeKind.UNDER_WAY: "under way, not finished yet",
    OutcomeKind.SENT: "sent, cannot be observed",
    OutcomeKind.REACHED: "NOT AS WANTED, it reached another value, which the answer must say",
    OutcomeKind.NOT_CONFIRMED: "NOT CONFIRMED, do not say that it worked",
    OutcomeKind.REFUSED: "REFUSED, nothing was done",
    OutcomeKind.FAILED: "FAILED",
}


def _described(outcome: Outcome) -> str:
    shown = without_codes(outcome.arguments)
    given = ", ".join(f"{name}={plain(value)}" for name, value in shown.items())
    line = (
        f"- {outcome.device_name} ({outcome.component_id}) {outcome.command}({given}): "
        f"{_MEANINGS[outcome.kind]}"
    )
    if outcome.kind is OutcomeKind.VERIFIED and missed(outcome):
        line += ", as near as the device gets"
    if changed := _changes(outcome):
        line += f"; {changed}"
    if error := outcome.reason_placeholders.get("error"):
        mark = fenced if answers_with_text(outcome.component_id.partition(".")[0]) else quoted
        return f"{line}. Home Assistant says:\n{mark(error)}"
    line = f"{line}. {outcome.detail}" if outcome.detail else f"{line}."
    if outcome.is_free_text:
        return f"{line}\n{fenced(outcome.response)}"
    return f"{line} {outcome.response}" if outcome.response else line


def _changes(outcome: Outcome) -> str:
    texts = []
    before_values, after_values = as_percent(outcome.before), as_percent(outcome.after)
    for name, after in after_values.items():
        if name != STATE and (not _is_worth_telling(outcome, name) or names_entities(after)):
            continue
        before = before_values.get(name)
        if _is_text_of_others(outcome, name, before, after):
            texts.append(f"{name} {'unchanged' if before == after else 'changed'}")
            continue
        change = "" if before == after else f"{_short(before)} -> "
        texts.append(f"{name} {change}{_short(after)}")
    return ", ".join(texts[:_SHOWN_CHANGES])


def _is_text_of_others(outcome: Outcome, name: str, *values: object) -> bool:
    """Return whether one of the values is text from an untrusted source.

    Documented options and arguments of the command are trusted.
    """
    if outcome.source != ENTITIES:
        domain = outcome.capability
    else:
        domain = outcome.component_id.partition(".")[0]
    if not any(is_free_text(domain, name, plain(value)) for value in values):
        # Options can only make more values trusted, and collecting them is slow.
        return False
    given = (*outcome.arguments.values(), *outcome.wanted.get(name, ()))
    known = options_of(domain, outcome.restore) | {each for each in given if isinstance(each, str)}
    return any(is_free_text(domain, name, plain(value), known) for value in values)


def as_percent(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values with `brightness` (0..255) converted to `brightness_pct` (0..100)."""
    return {
        (name if name != "brightness" else "brightness_pct"): (
            round(value * 100 / 255)
            if name == "brightness" and isinstance(value, (int, float))
            else value
        )
        for name, value in values.items()
    }


def _is_worth_telling(outcome: Outcome, name: str) -> bool:
    """Return whether to show a changed attribute to the model.

    Colours are shown only if the command set a colour: a light that turns on reports its colour in
    five attributes, and small models repeat all of them.
    """
    if name == "remaining" or not is_shown(outcome.component_id.partition(".")[0], name):
        # The remaining time of a timer would soon be wrong; `finishes_at` stays right.
        return False
    asked = outcome.command == PUT_BACK or any("color" in each for each in outcome.arguments)
    return asked or "color" not in name


def _short(value: Any) -> str:
    return "none" if value in (None, "") else str(plain(value, 60))
