"""Raw commands against Home Assistant's own integration and the simulated cloud.

Whatever goes wrong: the model gets one sentence, the person a true one, the command is
posted once, and nothing hangs beyond its limit.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable, Mapping
from dataclasses import dataclass
from typing import Any

import pytest
from homeassistant.core import HomeAssistant

from benchmark.simulator.cloud import SimulatedCloud
from benchmark.simulator.request_log import RequestKind
from custom_components.sage.home.commands.outcome_text import say_outcomes
from custom_components.sage.home.commands.pipeline import Pipeline
from custom_components.sage.home.commands.undo_history import PutBack
from custom_components.sage.home.commands.waits import CommandWaits
from custom_components.sage.home.home_types import (
    CommandRequest,
    Component,
    Device,
    HomeError,
    Outcome,
    OutcomeKind,
    Source,
)
from custom_components.sage.home.safety.gate import Gate
from custom_components.sage.home.smartthings.client import RawClient
from custom_components.sage.home.smartthings.commands import CommandFinder, RawCommand
from custom_components.sage.home.smartthings.coverage import Coverage
from custom_components.sage.home.smartthings.definition_store import DefinitionStore
from custom_components.sage.home.smartthings.documents import RawDocumenter
from custom_components.sage.home.smartthings.execution import SmartThingsBackend
from custom_components.sage.home.smartthings.exposure import RawExposure
from custom_components.sage.home.smartthings.mirror import LiveMirror
from custom_components.sage.home.smartthings.risk import RawRisks
from custom_components.sage.home.smartthings.source import Sources
from custom_components.sage.text.speech import async_load_sentences
from tests.smartthings_home import (
    SmartThings,
    cloud,
    expose_all,
    hide_all,
    smartthings,
)

from ..house import Asking

__all__ = ["cloud", "smartthings"]

TV = "Samsung 8 Series"
DISHWASHER = "Dishwasher"
FRIDGE = "Refrigerator"

PATIENT_SECONDS = 20.0
"""Longer than what is sure to come takes on a busy machine."""

REQUEST_SECONDS = 2.0
"""For requests of which some are never answered."""

WAIT_SECONDS = 0.3
"""For reports, which a look at the device replaces."""


@dataclass(slots=True)
class Live:
    """The real parts, joined."""

    hass: HomeAssistant
    smartthings: SmartThings
    mirror: LiveMirror
    client: RawClient
    waits: CommandWaits
    finder: CommandFinder
    pipeline: Pipeline
    put_back: PutBack

    def hurry(self) -> None:
        """Give up soon on a cloud that hangs."""
        self.waits.request_seconds = self.client._timeout = REQUEST_SECONDS

    @property
    def cloud(self) -> SimulatedCloud:
        return self.smartthings.cloud

    @property
    def posts(self) -> int:
        return self.cloud.count("POST", "/v1/devices/*/commands")

    def device(self, label: str) -> Device:
        raw_id = self.cloud.device_id(label)
        return Device(
            id=label.lower().replace(" ", "_"),
            name=label,
            components=tuple(
                Component(
                    id=each.id,
                    name=each.label,
                    capabilities=each.capabilities,
                    source=Source.SMARTTHINGS,
                    raw_device_id=raw_id,
                )
                for each in self.mirror.usable(raw_id)
            ),
        )

    async def async_do(
        self,
        label: str,
        command: str,
        arguments: Mapping[str, object] | None = None,
        *,
        component: str = "main",
        authority: Asking | None = None,
    ) -> Outcome:
        device = self.device(label)
        part = next(each for each in device.components if each.id == component)
        request = CommandRequest(device_id=device.id, command=command, arguments=arguments or {})
        prepared = await self.finder.async_find(device, part, request)
        (outcome,) = await self.pipeline.async_execute(authority or Asking(), [prepared])
        return outcome

    async def async_channel(self, number: int = 7, *, authority: Asking | None = None) -> Outcome:
        return await self.async_do(TV, "setTvChannel", {"tvChannel": number}, authority=authority)

    async def async_say(self, outcome: Outcome, language: str = "en") -> str:
        sentences = await async_load_sentences(self.hass, language)
        return say_outcomes(self.hass, sentences, [outcome], language)

    def value(self, label: str, capability: str, attribute: str, component: str = "main") -> Any:
        return self.cloud.device(label).value(component, capability, attribute)


@pytest.fixture
async def live(hass: HomeAssistant, smartthings: SmartThings) -> AsyncGenerator[Live]:
    gate = Gate(hass)
    await gate.async_setup()
    sources = Sources(hass)
    mirror = LiveMirror(hass, sources)
    sources.async_setup()
    client = RawClient(hass, sources, timeout=PATIENT_SECONDS)
    waits = CommandWaits(report_seconds=WAIT_SECONDS, request_seconds=PATIENT_SECONDS)
    definitions = DefinitionStore(hass, client)
    coverage = Coverage(hass, mirror)
    coverage.setup()
    exposure = RawExposure(gate, mirror, coverage, definitions)
    documents = RawDocumenter(mirror, definitions, exposure)
    backend = SmartThingsBackend(
        mirror=mirror,
        cloud=client,
        definitions=definitions,
        exposure=exposure,
        risk_of=RawRisks(hass, mirror, coverage).of,
        waits=waits,
    )
    pipeline = Pipeline(gate.async_prepare, {RawCommand: backend})
    expose_all(hass)
    home = Live(
        hass,
        smartthings,
        mirror,
        client,
        waits,
        CommandFinder(definitions, documents),
        pipeline,
        PutBack(pipeline, {Source.SMARTTHINGS: backend}),
    )
    await mirror.async_make_fresh([each.id for each in mirror.devices()])
    # Everything is known: what is counted later are the requests of commands.
    await home.async_do(TV, "audioVolume.volumeUp")
    await home.async_do(TV, "setTvChannel", {"tvChannel": "4"})
    smartthings.cloud.forget_requests()
    yield home
    coverage.close()
    mirror.close()
    sources.close()
    gate.close()


# ----------------------------------------------------------------- what works


async def test_the_channel_is_set_and_put_back(live):
    live.waits.report_seconds = PATIENT_SECONDS
    run = Asking()
    outcome = await live.async_channel(7, authority=run)
    assert outcome.kind is OutcomeKind.VERIFIED
    assert (outcome.before, outcome.after) == ({"tvChannel": "4"}, {"tvChannel": "7"})
    assert live.posts == len(live.cloud.requests) == 1
    (back,) = await live.put_back.async_put_back(Asking(), [outcome])
    assert back.kind is OutcomeKind.VERIFIED
    assert live.value(TV, "tvChannel", "tvChannel") == "4"
    assert live.posts == 2


async def test_the_freezer_gets_colder_and_nothing_else(live):
    before = live.value(FRIDGE, "thermostatCoolingSetpoint", "coolingSetpoint", "freezer")
    cooler = live.value(FRIDGE, "thermostatCoolingSetpoint", "coolingSetpoint", "cooler")
    outcome = await live.async_do(
        FRIDGE, "setCoolingSetpoint", {"setpoint": before - 2}, component="freezer"
    )
    assert outcome.kind is OutcomeKind.VERIFIED
    assert outcome.component_id == "freezer"
    after = live.value(FRIDGE, "thermostatCoolingSetpoint", "coolingSetpoint", "freezer")
    assert after == before - 2
    assert cooler == live.value(FRIDGE, "thermostatCoolingSetpoint", "coolingSetpoint", "cooler")


async def test_only_courses_that_the_machine_has_are_sent(live):
    course = await live.async_do(DISHWASHER, "setWashingCourse", {"course": "heavy"})
    assert course.kind is OutcomeKind.VERIFIED
    posts = live.posts
    with pytest.raises(HomeError, match="heavy") as told:
        await live.async_do(DISHWASHER, "setWashingCourse", {"course": "intensive"})
    assert "rinseOnly" in str(told.value)
    assert live.posts == posts


async def test_the_dishwasher_starts_with_remote_control(live):
    outcome = await live.async_do(DISHWASHER, "samsungce.dishwasherOperation.start")
    assert outcome.kind is OutcomeKind.VERIFIED
    assert live.value(DISHWASHER, "dishwasherOperatingState", "machineState") == "run"


async def test_and_does_not_without(live):
    live.cloud.set_remote_control(DISHWASHER, False)
    await live.smartthings.async_settle()
    outcome = await live.async_do(DISHWASHER, "samsungce.dishwasherOperation.start")
    assert outcome.kind is OutcomeKind.FAILED
    assert "switch on Smart Control" in outcome.detail
    assert "Please turn on Smart Control on the device first." in await live.async_say(outcome)
    assert live.posts == 1


async def test_an_offline_device_is_sent_nothing(live):
    live.cloud.set_online(TV, False)
    await live.smartthings.async_settle()
    outcome = await live.async_channel()
    assert (outcome.kind, outcome.reason) == (OutcomeKind.FAILED, "outcome_failed_unavailable")
    assert live.posts == 0


async def test_what_is_not_exposed_is_sent_nothing(live):
    hide_all(live.hass)
    outcome = await live.async_channel()
    assert outcome.kind is OutcomeKind.REFUSED
    assert live.posts == 0


# ----------------------------------------------------------------- what goes wrong


@pytest.mark.parametrize(
    ("fault", "cause", "spoken"),
    [
        (
            lambda faults: faults.refuse_token(RequestKind.COMMANDS),
            "no longer accepts the sign-in",
            "sign in to SmartThings again",
        ),
        (lambda faults: faults.demand_payment(), "plan does not cover", "SmartThings plan"),
        (lambda faults: faults.forbid(), "does not allow this command", "does not allow this"),
        (lambda faults: faults.lose(), "does not know this device", "no longer knows"),
        (
            lambda faults: faults.refuse_state(),
            "present state (409: invalid device state)",
            "can't do that right now",
        ),
        (
            lambda faults: faults.limit_rate(),
            "it can be tried again in 44 s",
            "Please try again in 44 seconds.",
        ),
        (lambda faults: faults.fail(), "a fault of its own (500", "an internal error"),
    ],
    ids=["401", "402", "403", "404", "409", "429", "500"],
)
async def test_a_refusal_is_told_with_its_cause_and_posted_once(
    live, fault: Callable[[Any], object], cause, spoken
):
    fault(live.cloud.faults)
    async with asyncio.timeout(WAIT_SECONDS + 2 * PATIENT_SECONDS):
        outcome = await live.async_channel()
    assert outcome.kind is OutcomeKind.FAILED
    assert cause in outcome.detail
    assert outcome.detail.count(". ") == 0
    assert spoken in await live.async_say(outcome)
    for language in ("de", "fr"):
        assert TV in await live.async_say(outcome, language)
    assert live.posts == 1
    assert live.value(TV, "tvChannel", "tvChannel") == "4"


@pytest.mark.parametrize(
    ("fault", "cause"),
    [
        (lambda faults: faults.hang(), "did not answer in time"),
        (lambda faults: faults.break_connection(is_carried_out=False), "connection"),
        (lambda faults: faults.answer_garbage(is_carried_out=False), "connection"),
    ],
    ids=["hang", "broken", "garbage"],
)
async def test_without_an_answer_it_is_not_known(live, fault: Callable[[Any], object], cause):
    live.hurry()
    run = Asking()
    fault(live.cloud.faults)
    outcome = await live.async_channel(authority=run)
    assert outcome.kind is OutcomeKind.NOT_CONFIRMED
    assert cause in outcome.detail
    assert "(tvChannel is 4)" in outcome.detail
    assert "no clear answer" in await live.async_say(outcome)
    again = await live.async_channel(authority=run)
    assert again.kind is OutcomeKind.REFUSED
    assert live.posts == 1


@pytest.mark.parametrize(
    "fault",
    [
        lambda faults: faults.hang(is_carried_out=True),
        lambda faults: faults.break_connection(),
        lambda faults: faults.answer_garbage(),
        lambda faults: faults.fail(is_carried_out=True),
    ],
    ids=["hang", "broken", "garbage", "500"],
)
async def test_what_was_done_without_an_answer_is_seen(live, fault: Callable[[Any], object]):
    live.hurry()
    fault(live.cloud.faults)
    outcome = await live.async_channel()
    assert outcome.kind is OutcomeKind.VERIFIED
    assert live.posts == 1


async def test_nothing_hangs_when_nothing_answers_any_more(live):
    live.cloud.faults.hang([RequestKind.COMMANDS, RequestKind.STATUS])
    live.hurry()
    async with asyncio.timeout(WAIT_SECONDS + 2 * REQUEST_SECONDS + PATIENT_SECONDS):
        outcome = await live.async_channel()
    assert outcome.kind is OutcomeKind.NOT_CONFIRMED
    assert "tvChannel is 4 as last reported" in outcome.detail
    assert live.posts == 1


async def test_a_cloud_that_is_gone_was_sent_nothing(live):
    await live.cloud.stop()
    outcome = await live.async_channel()
    assert outcome.kind is OutcomeKind.FAILED
    assert "no connection to SmartThings, so nothing was sent" in outcome.detail
    await live.cloud.start()
    assert live.posts == 0


async def test_a_device_may_report_that_it_failed(live):
    live.cloud.result_status = "FAILED"
    outcome = await live.async_channel()
    assert outcome.kind is OutcomeKind.FAILED
    assert "did not carry it out" in outcome.detail
    assert live.posts == 1


# ----------------------------------------------------------------- events


async def test_an_event_may_come_late(live):
    live.waits.report_seconds = PATIENT_SECONDS
    live.cloud.faults.delay_events(WAIT_SECONDS / 3, state_waits=True)
    outcome = await live.async_channel()
    assert outcome.kind is OutcomeKind.VERIFIED
    assert len(live.cloud.requests) == 1


async def test_an_event_that_never_comes_is_replaced_by_one_look(live):
    live.cloud.faults.lose_events()
    outcome = await live.async_channel()
    assert outcome.kind is OutcomeKind.VERIFIED
    assert live.posts == 1
    assert live.cloud.count_kind(RequestKind.STATUS) == 1


async def test_a_device_that_does_nothing_is_not_called_done(live):
    run = Asking()
    live.cloud.faults.lose_events(state_changes=False)
    outcome = await live.async_channel(authority=run)
    assert outcome.kind is OutcomeKind.NOT_CONFIRMED
    assert "(tvChannel is 4)" in outcome.detail
    assert "could not see it take effect" in await live.async_say(outcome)
    again = await live.async_channel(authority=run)
    assert (again.kind, again.reason) == (OutcomeKind.REFUSED, "outcome_refused_repeated")
    assert live.posts == 1


async def test_an_event_after_all_waiting_is_still_found_out(live):
    run = Asking()
    live.cloud.faults.delay_events(state_waits=True)
    first = await live.async_channel(authority=run)
    assert first.kind is OutcomeKind.NOT_CONFIRMED
    live.cloud.release_events()
    await live.smartthings.async_settle()
    again = await live.async_channel(authority=run)
    assert again.kind is OutcomeKind.VERIFIED
    assert "it was not sent again" in again.detail
    assert live.posts == 1


async def test_duplicates_change_nothing(live):
    live.cloud.stream.copies = 3
    outcome = await live.async_do(TV, "volumeUp")
    assert outcome.kind is OutcomeKind.VERIFIED
    assert live.posts == 1


async def test_a_stream_that_said_goodbye_is_replaced_by_a_look(live):
    live.cloud.stream.say_goodbye()
    outcome = await live.async_channel()
    assert outcome.kind is OutcomeKind.VERIFIED
    assert live.posts == 1


async def test_a_silent_stream_is_replaced_by_a_look(live):
    live.cloud.stream.fall_silent()
    outcome = await live.async_channel()
    assert outcome.kind is OutcomeKind.VERIFIED
    assert live.cloud.count_kind(RequestKind.STATUS) == 1
    assert live.posts == 1
