"""The paper's baseline Sasha: a fixed pipeline that filters devices, plans and executes.

Stages: may the home do it at all; which devices are relevant; is it a command, a question or
persistent; then the prompt for that kind. The original's stages that ask a person are left out.
A persistent command becomes a trigger: an action text that runs as a new command when one
attribute becomes equal to a value.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

import probatio

from custom_components.sage.agent.record import Record

from .baseline import NEW_STATES, Baseline, NoReplyError, as_text, guide_text, reply_schema
from .device_states import DeviceState, async_values
from .home import PaperHome
from .methods import Reply, Utterance


class Kind(StrEnum):
    """The kinds of commands that the pipeline distinguishes."""

    CONTROL = "control"
    SENSOR = "sensor"
    PERSISTENT = "persistent"


_FEASIBILITY: Final = reply_schema(feasible=bool, explanation=str)
_FILTER: Final = reply_schema(devices=[str])
_KIND: Final = reply_schema(kind=probatio.In(list(Kind)))
_SENSOR: Final = reply_schema(answer=str)
_TRIGGER: Final = reply_schema(
    device=str, component=str, capability=str, attribute=str, value=object, action=str
)


@dataclass(slots=True, kw_only=True)
class Trigger:
    """Runs `action` when an attribute becomes equal to a value."""

    person: str
    device: str
    component: str
    capability: str
    attribute: str
    value: Any
    action: str
    was_equal: bool

    def is_equal(self, values: Mapping[str, Mapping[str, Mapping[str, Any]]]) -> bool:
        """Return whether the attribute has the value; numbers and texts may read the same."""
        attributes = values.get(self.component, {}).get(self.capability, {})
        return self.attribute in attributes and str(attributes[self.attribute]) == str(self.value)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Outcome:
    """The end of the pipeline."""

    answer: str
    kind: Kind | None
    """None if the home cannot do it."""


class SashaMethod(Baseline):
    """The pipeline, and the triggers of its persistent commands."""

    _triggers: Sequence[Trigger] = ()

    async def async_say(self, home: PaperHome, said: Utterance) -> Reply:
        """Return the answer at the end of the pipeline."""
        return Reply(text=(await self._async_handle(home, said)).answer)

    async def async_settle(self, home: PaperHome) -> None:
        """Run the actions of the triggers whose attribute has become equal to the value."""
        await home.async_settle()
        for trigger in self._triggers:
            is_equal = trigger.is_equal(await async_values(home.client, trigger.device))
            fires, trigger.was_equal = is_equal and not trigger.was_equal, is_equal
            if fires:
                await self._async_fire(home, trigger)
        await home.async_settle()

    async def _async_fire(self, home: PaperHome, trigger: Trigger) -> None:
        """Run the action; its answer goes to the person's phone if it is all that it leads to."""
        said = Utterance(person=trigger.person, text=trigger.action)
        outcome = await self._async_handle(home, said)
        if outcome.kind is Kind.SENSOR:
            await home.hass.services.async_call(
                "notify",
                f"mobile_app_{trigger.person}_phone",
                {"message": outcome.answer},
                blocking=True,
            )

    async def _async_handle(self, home: PaperHome, said: Utterance) -> _Outcome:
        record = Record("sasha")
        try:
            outcome = await self._async_pipeline(home, record, said)
        except NoReplyError:
            self._note(said.text, "", "no_reply", record)
            return _Outcome(answer="", kind=None)
        self._note(said.text, outcome.answer, outcome.kind or "could_not", record)
        return outcome

    async def _async_pipeline(self, home: PaperHome, record: Record, said: Utterance) -> _Outcome:
        states = await self._async_states(home)
        names = as_text({each.id: each.capabilities() for each in states})
        known = {"Devices": names, "TV guide": guide_text(), "Command": said.text}
        gate = await self._async_ask(record, "sasha_feasibility", _FEASIBILITY, known)
        if not gate["feasible"]:
            return _Outcome(answer=gate["explanation"], kind=None)
        known = {"Devices": names, "Command": said.text}
        chosen = (await self._async_ask(record, "sasha_filter", _FILTER, known))["devices"]
        relevant = [each for each in states if each.id in chosen]
        kind = await self._async_ask(record, "sasha_kind", _KIND, {"Command": said.text})
        match Kind(kind["kind"]):
            case Kind.CONTROL:
                answer = await self._async_control(home, record, said, relevant)
            case Kind.SENSOR:
                parts = _parts(said, relevant)
                answer = (await self._async_ask(record, "sasha_sensor", _SENSOR, parts))["answer"]
            case Kind.PERSISTENT:
                answer = await self._async_watch(home, record, said, relevant)
        return _Outcome(answer=answer, kind=Kind(kind["kind"]))

    async def _async_control(
        self, home: PaperHome, record: Record, said: Utterance, relevant: Sequence[DeviceState]
    ) -> str:
        reply = await self._async_ask(record, "sasha_control", NEW_STATES, _parts(said, relevant))
        await self._async_apply(home, record, relevant, reply["changes"])
        return str(reply["answer"])

    async def _async_watch(
        self, home: PaperHome, record: Record, said: Utterance, relevant: Sequence[DeviceState]
    ) -> str:
        """Keep a trigger; it fires when the value is reached, not if it is there already."""
        parts = _parts(said, relevant)
        reply = await self._async_ask(record, "sasha_persistent", _TRIGGER, parts)
        trigger = Trigger(person=said.person, was_equal=False, **reply)
        labels = {each.id: each.label for each in relevant}
        if trigger.device not in labels:
            with record.steps("tool", ("trigger", reply)) as (step,):
                record.end("no such device", is_error=True, step=step)
            return ""
        trigger.was_equal = trigger.is_equal(await async_values(home.client, trigger.device))
        self._triggers = (*self._triggers, trigger)
        with record.steps("tool", ("trigger", reply)) as (step,):
            record.end("kept", step=step)
        name = labels[trigger.device]
        return f"When {trigger.attribute} of {name} is {trigger.value}: {trigger.action}"


def _parts(said: Utterance, relevant: Sequence[DeviceState]) -> Mapping[str, str]:
    """Return what the last stage sees: the states of the relevant devices."""
    return {
        "Device states": as_text({each.id: each.as_json() for each in relevant}),
        "TV guide": guide_text(),
        "Command": said.text,
    }
