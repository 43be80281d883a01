"""Play a case and record its effects for model, person and devices."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from homeassistant.core import HomeAssistant

from custom_components.sage.home.commands.confirmation_text import confirmation_question
from custom_components.sage.home.commands.outcome_observation import describe_for_model
from custom_components.sage.home.commands.outcome_text import say_outcomes
from custom_components.sage.home.commands.undo_history import UndoHistory
from custom_components.sage.home.home import Home
from custom_components.sage.home.home_types import HomeError, Outcome
from custom_components.sage.home.safety.authority import RiskyAction, async_asked_for
from custom_components.sage.home.values import plain
from custom_components.sage.people.person import Person
from custom_components.sage.text.speech import async_load_sentences

from ..entity_home import Asking, run_of
from .case import Case

PATIENT = {
    "state_seconds": 0.05,
    "call_seconds": 20.0,
    "report_seconds": 10.0,
    "request_seconds": 30.0,
}
"""Long timeouts, for a busy machine: the awaited changes happen earlier.

The entities of the recorded home have changed when a call returns.
"""

HASTY = {"state_seconds": 0.05, "call_seconds": 0.5, "report_seconds": 0.2, "request_seconds": 1.0}
"""Short timeouts, for steps without any visible effect."""

LANGUAGES = ("en", "de", "fr")
_CONVERSATION = "01JCONVERSATION"
_MOMENT = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d[\d.+:Z]*")

type Step = dict[str, Any]
"""The record of commands or of their undo, as JSON."""

type Sent = Callable[[], list[str]]
"""Returns everything sent to devices since the last call."""


@dataclass(frozen=True, slots=True)
class View:
    """A home with its undo history."""

    home: Home
    undo: UndoHistory


def view_of(hass: HomeAssistant, waits: Mapping[str, float]) -> View:
    """Return a home with these timeouts."""
    home = Home(hass)
    for name, seconds in waits.items():
        setattr(home.waits, name, seconds)
    return View(home, home.undo)


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorder:
    """Plays cases in one Home Assistant."""

    hass: HomeAssistant
    patient: View
    hasty: View
    sent: Sent
    household: Person
    guest: Person
    world: Any

    async def async_play(self, case: Case, recorded: Mapping[str, Any] | None) -> dict[str, Any]:
        """Return the record of a case; `recorded` says for which steps to wait."""
        person = self.guest if case.is_guest else self.household
        if case.before is not None:
            await self._async_happens(case.before)
        self.sent()
        told: dict[str, Any] = {"rehearsed": await self._async_rehearse(case, person)}
        view = self.hasty if (recorded or {}).get("is_hasty") else self.patient
        asking = Asking(person, case.answer, meanwhile=self._meanwhile(case))
        outcomes: list[Outcome] = []
        for time in range(case.times):
            try:
                done = await run_of(view.home, asking).async_execute(case.requests, async_asked_for)
            except HomeError as err:
                told["error"] = str(err)
                return told
            step = await self._async_step(asking, done)
            told["done" if not time else f"done again {time}"] = step
            outcomes += done
        told["is_hasty"] = self._is_hasty(outcomes)
        told["undone"] = await self._async_undo(case, person, outcomes, recorded)
        return told

    def _meanwhile(self, case: Case) -> Callable[[], object] | None:
        happens = case.meanwhile
        return None if happens is None else lambda: happens(self.world)

    async def _async_happens(self, happens: Callable[[Any], object]) -> None:
        happens(self.world)
        await self.world.async_settle()

    async def _async_rehearse(self, case: Case, person: Person) -> Any:
        try:
            rehearsed = await self.patient.home.of(person).async_rehearse(case.requests)
        except HomeError as err:
            return str(err)
        return [f"{each.name}{' (asks)' if each.asks_first else ''}" for each in rehearsed]

    async def _async_undo(
        self,
        case: Case,
        person: Person,
        outcomes: Sequence[Outcome],
        recorded: Mapping[str, Any] | None,
    ) -> Step:
        if case.since is not None:
            await self._async_happens(case.since)
            self.sent()
        known = ((recorded or {}).get("undone") or {}).get("is_hasty")
        view = self.hasty if known else self.patient
        asking = Asking(person, case.undo_answer)
        try:
            if case.unless_changed:
                done = await view.home.put_back.async_put_back_unless_changed(asking, outcomes)
            else:
                view.undo.record(person, _CONVERSATION, outcomes)
                done = await view.undo.async_undo(asking, _CONVERSATION)
        except HomeError as err:
            return {"error": str(err)}
        finally:
            view.undo.forget(person)
        step = await self._async_step(asking, done)
        step["is_hasty"] = self._is_hasty(done)
        return step

    def _is_hasty(self, outcomes: Sequence[Outcome]) -> bool:
        kinds = {each.kind for each in outcomes}
        return self.world.IN_TIME.isdisjoint(kinds)

    async def _async_step(self, asking: Asking, outcomes: Sequence[Outcome]) -> Step:
        asked, asking.asked = asking.asked, []
        step: Step = {
            "asked": [await self._async_asked(actions) for actions in asked],
            "sent": self.sent(),
            "outcomes": [_written(each) for each in outcomes],
            "model": describe_for_model(outcomes),
        }
        for language in LANGUAGES:
            sentences = await async_load_sentences(self.hass, language)
            step[language] = say_outcomes(self.hass, sentences, outcomes, language)
        return _still(step)

    async def _async_asked(self, actions: Sequence[RiskyAction]) -> list[str]:
        sentences = await async_load_sentences(self.hass, "en")
        return [
            confirmation_question(sentences, actions),
            *(
                f"{each.risk.value} {each.device_name} {each.command} {plain(dict(each.arguments))}"
                f"{' indirect' if each.is_indirect else ''} {' '.join(each.reaches)}".rstrip()
                for each in actions
            ),
        ]


def _written(outcome: Outcome) -> dict[str, Any]:
    return {
        **outcome.as_dict(),
        "placeholders": dict(outcome.reason_placeholders),
        "wanted": {name: [*values] for name, values in outcome.wanted.items()},
        "flags": [name for name in ("is_read", "is_free_text") if getattr(outcome, name)],
        "area": outcome.area,
    }


def _still(value: Any) -> Any:
    """Return JSON without times, which differ in each run."""
    if isinstance(value, str):
        return _MOMENT.sub("(moment)", value)
    if isinstance(value, Mapping):
        return {str(name): _still(each) for name, each in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_still(each) for each in value]
    if value is None or isinstance(value, bool | int | float):
        return value
    return _still(str(getattr(value, "value", value)))
