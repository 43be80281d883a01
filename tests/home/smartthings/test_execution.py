"""Raw commands against Home Assistant's own integration and the simulated cloud.

Whatever goes wrong: the model gets one sentence, the person a true one, the command is
posted once, and nothing hangs beyond its limit.
"""

import asyncio
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest

from benchmark.simulator.request_log import RequestKind
from custom_components.sage.home.commands.evidence import Evidence
from custom_components.sage.home.home_types import HomeError, Outcome, OutcomeKind
from custom_components.sage.home.safety.authority import Confirmation
from custom_components.sage.home.safety.risk_levels import levels_of
from tests.exposing import hide_all
from tests.waiting import until

from ..entity_home import Asking
from .raw_home import (
    PATIENT_SECONDS,
    REQUEST_SECONDS,
    WAIT_SECONDS,
    RawHome,
    async_raw_home,
    part_of_home,
)

TV = "Samsung 8 Series"
DISHWASHER = "Dishwasher"
FRIDGE = "Refrigerator"
SHADE, LOCK = "Left Shade", "Front Door Lock"
OPERATION = "samsungce.dishwasherOperation"


@pytest.fixture
async def live(raw: RawHome) -> RawHome:
    """The paper's home with all definitions known: only requests of commands are counted."""
    await raw.async_do(TV, "audioVolume.volumeUp")
    await raw.async_do(TV, "setTvChannel", {"tvChannel": "4"})
    raw.cloud.forget_requests()
    return raw


async def async_channel(
    live: RawHome, number: int = 7, *, authority: Asking | None = None
) -> Outcome:
    return await live.async_do(TV, "setTvChannel", {"tvChannel": number}, authority=authority)


# ----------------------------------------------------------------- what works


async def test_the_channel_is_set_and_put_back(live):
    live.be_patient()
    run = Asking()
    outcome = await async_channel(live, 7, authority=run)
    assert outcome.kind is OutcomeKind.VERIFIED
    assert (outcome.before, outcome.after) == ({"tvChannel": "4"}, {"tvChannel": "7"})
    assert live.posts == len(live.cloud.requests) == 1
    (back,) = await live.async_put_back(outcome)
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
    outcome = await async_channel(live)
    assert (outcome.kind, outcome.reason) == (OutcomeKind.FAILED, "outcome_failed_unavailable")
    assert live.posts == 0


async def test_what_is_not_exposed_is_sent_nothing(live):
    hide_all(live.hass)
    outcome = await async_channel(live)
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
        (lambda faults: faults.fail(status=422), "(422", "did not accept the command for"),
        (lambda faults: faults.fail(status=418), "not understood (418", "I do not understand"),
    ],
    ids=["401", "402", "403", "404", "409", "429", "500", "422", "418"],
)
async def test_a_refusal_is_told_with_its_cause_and_posted_once(
    live, fault: Callable[[Any], object], cause, spoken
):
    fault(live.cloud.faults)
    async with asyncio.timeout(WAIT_SECONDS + 2 * PATIENT_SECONDS):
        outcome = await async_channel(live)
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
    outcome = await async_channel(live, authority=run)
    assert outcome.kind is OutcomeKind.NOT_CONFIRMED
    assert cause in outcome.detail
    assert "(tvChannel is 4)" in outcome.detail
    assert "no clear answer" in await live.async_say(outcome)
    again = await async_channel(live, authority=run)
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
    outcome = await async_channel(live)
    assert outcome.kind is OutcomeKind.VERIFIED
    assert live.posts == 1


async def test_nothing_hangs_when_nothing_answers_any_more(live):
    live.cloud.faults.hang([RequestKind.COMMANDS, RequestKind.STATUS])
    live.hurry()
    async with asyncio.timeout(WAIT_SECONDS + 2 * REQUEST_SECONDS + PATIENT_SECONDS):
        outcome = await async_channel(live)
    assert outcome.kind is OutcomeKind.NOT_CONFIRMED
    assert "tvChannel is 4 as last reported" in outcome.detail
    assert live.posts == 1


async def test_a_cloud_that_is_gone_was_sent_nothing(live):
    await live.cloud.stop()
    run = Asking()
    for _ in range(2):
        # What never reached the cloud may be tried again.
        outcome = await async_channel(live, authority=run)
        assert outcome.kind is OutcomeKind.FAILED
        assert outcome.detail.startswith("There is no connection to SmartThings, so nothing was")
    await live.cloud.start()
    assert live.posts == 0


async def test_a_device_may_report_that_it_failed(live):
    live.cloud.result_status = "FAILED"
    outcome = await async_channel(live)
    assert outcome.kind is OutcomeKind.FAILED
    assert "did not carry it out" in outcome.detail
    assert live.posts == 1


# ----------------------------------------------------------------- events


async def test_an_event_may_come_late(live):
    live.be_patient()
    live.cloud.faults.delay_events(WAIT_SECONDS / 3, state_waits=True)
    outcome = await async_channel(live)
    assert outcome.kind is OutcomeKind.VERIFIED
    assert len(live.cloud.requests) == 1


async def test_an_event_that_never_comes_is_replaced_by_one_look(live):
    live.cloud.faults.lose_events()
    outcome = await async_channel(live)
    assert outcome.kind is OutcomeKind.VERIFIED
    assert live.posts == 1
    assert live.cloud.count_kind(RequestKind.STATUS) == 1


async def test_a_device_that_does_nothing_is_not_called_done(live):
    run = Asking()
    live.cloud.faults.lose_events(state_changes=False)
    outcome = await async_channel(live, authority=run)
    assert outcome.kind is OutcomeKind.NOT_CONFIRMED
    assert "(tvChannel is 4)" in outcome.detail
    assert "saw no effect" in await live.async_say(outcome)
    again = await async_channel(live, authority=run)
    assert (again.kind, again.reason) == (OutcomeKind.REFUSED, "outcome_refused_repeated")
    assert live.posts == 1


async def test_an_event_after_all_waiting_is_still_found_out(live):
    run = Asking()
    live.cloud.faults.delay_events(state_waits=True)
    first = await async_channel(live, authority=run)
    assert first.kind is OutcomeKind.NOT_CONFIRMED
    live.cloud.release_events()
    await live.smartthings.async_settle()
    again = await async_channel(live, authority=run)
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
    outcome = await async_channel(live)
    assert outcome.kind is OutcomeKind.VERIFIED
    assert live.posts == 1


async def test_a_silent_stream_is_replaced_by_a_look(live):
    live.cloud.stream.fall_silent()
    outcome = await async_channel(live)
    assert outcome.kind is OutcomeKind.VERIFIED
    assert live.cloud.count_kind(RequestKind.STATUS) == 1
    assert live.posts == 1


async def test_reports_of_other_values_prove_nothing(live):
    live.be_patient()
    held = live.cloud.faults.delay_events(state_waits=True, times=1)
    doing = asyncio.create_task(async_channel(live))
    await until(lambda: held.times == 0)
    await live.async_report(TV, "audioVolume", volume=20)
    assert not doing.done()
    live.cloud.release_events()
    assert (await doing).kind is OutcomeKind.VERIFIED


async def test_a_device_that_went_offline_meanwhile_is_named_as_the_cause(live):
    live.instead(lambda: live.cloud.set_online(TV, False))
    outcome = await async_channel(live)
    assert "the device is offline by now" in outcome.detail


# ----------------------------------------------------------------- what proves it


async def test_what_was_so_before_is_not_claimed(live):
    outcome = await live.async_do(TV, "switch.on")
    assert outcome.kind is OutcomeKind.ALREADY
    assert live.cloud.count_kind(RequestKind.STATUS) == 0


async def test_old_values_are_no_proof(live):
    live.instead()
    live.outdate()
    proven = await live.async_do(TV, "switch.on")
    assert proven.kind is OutcomeKind.ALREADY
    assert live.cloud.count_kind(RequestKind.STATUS) == 1
    live.outdate()
    live.cloud.faults.fail(RequestKind.STATUS)
    unproven = await live.async_do(TV, "switch.on")
    assert unproven.kind is OutcomeKind.NOT_CONFIRMED


async def test_what_is_under_way_is_told_so(hass, socket_enabled):
    async with async_raw_home(hass, part_of_home("large", [SHADE])) as raw:
        await raw.async_report(SHADE, "windowShadeLevel", shadeLevel=0)
        raw.instead(lambda: raw.change(SHADE, "windowShadeLevel", shadeLevel=20))
        outcome = await raw.async_do(SHADE, "setShadeLevel", {"shadeLevel": 50})
        assert outcome.kind is OutcomeKind.UNDER_WAY
        assert raw.cloud.count_kind(RequestKind.STATUS) == 0


async def test_a_state_on_the_way_is_told_and_proves_nothing(hass, socket_enabled):
    async with async_raw_home(hass, part_of_home("large", [SHADE])) as raw:
        await raw.async_report(SHADE, "windowShade", windowShade="open")
        raw.instead(lambda: raw.change(SHADE, "windowShade", windowShade="closing"))
        outcome = await raw.async_do(SHADE, "windowShade.close")
        assert outcome.kind is OutcomeKind.NOT_CONFIRMED
        assert "(windowShade is closing)" in outcome.detail


async def test_without_a_declared_effect_a_report_of_the_value_is_the_proof(live):
    later = {"delay": 60}
    live.instead(lambda: live.change(DISHWASHER, OPERATION, timeLeftToStart=60))
    outcome = await live.async_do(DISHWASHER, "startLater", later)
    assert (outcome.kind, outcome.after) == (OutcomeKind.VERIFIED, {"timeLeftToStart": 60})
    live.instead(lambda: live.change(DISHWASHER, OPERATION, timeLeftToStart=55))
    other = await live.async_do(DISHWASHER, "startLater", {"delay": 90})
    assert other.kind is OutcomeKind.SENT
    assert other.detail == (
        "SmartThings accepted it; the device reported nothing that would prove it "
        "(timeLeftToStart is 55)."
    )
    live.cloud.faults.break_connection(is_carried_out=False)
    unknown = await live.async_do(DISHWASHER, "startLater", {"delay": 30})
    assert unknown.kind is OutcomeKind.NOT_CONFIRMED


async def test_without_a_declared_effect_a_look_is_proof_too(live):
    live.instead(lambda: live.change_quietly(DISHWASHER, OPERATION, timeLeftToStart=60))
    seen = await live.async_do(DISHWASHER, "startLater", {"delay": 60})
    assert seen.kind is OutcomeKind.VERIFIED


async def test_codes_are_neither_set_nor_told(hass, socket_enabled):
    async with async_raw_home(hass, part_of_home("large", [LOCK])) as raw:
        await raw.async_report(LOCK, "lockCodes", lockCodes='{"1":"Anna"}')
        code = {"codeSlot": 2, "codePIN": "4711", "codeName": "Ben"}
        outcome = await raw.async_do(LOCK, "setCode", code)
        assert outcome.kind is OutcomeKind.REFUSED
        assert raw.posts == 0
        assert "Anna" not in str(outcome)


async def test_without_a_look_nobody_knows_what_a_failing_cloud_did(live):
    live.cloud.faults.fail([RequestKind.COMMANDS, RequestKind.STATUS])
    outcome = await async_channel(live)
    assert outcome.kind is OutcomeKind.NOT_CONFIRMED
    assert "whether the command arrived is not known" in outcome.detail
    assert "no clear answer" in await live.async_say(outcome)


# ----------------------------------------------------------------- never twice


async def test_without_proof_a_command_is_not_sent_twice_in_the_run(live):
    run = Asking()
    live.instead()
    first = await live.async_do(DISHWASHER, "startLater", {"delay": 60}, authority=run)
    again = await live.async_do(DISHWASHER, "startLater", {"delay": 60}, authority=run)
    assert (first.kind, again.kind) == (OutcomeKind.SENT, OutcomeKind.REFUSED)
    # What nothing could ever prove may be meant twice.
    for _ in range(2):
        sent = await live.async_do(TV, "mediaTrackControl.nextTrack", authority=run)
        assert sent.kind is OutcomeKind.SENT
    assert live.posts == 3


async def test_a_command_in_doubt_is_never_sent_again_in_the_run(live):
    run = Asking()
    live.cloud.faults.break_connection(is_carried_out=False)
    for command, arguments in (("volumeUp", {}), ("launchApp", {"appId": "1"})):
        first = await live.async_do(TV, command, arguments, authority=run)
        again = await live.async_do(TV, command, arguments, authority=run)
        assert (first.kind, again.kind) == (OutcomeKind.NOT_CONFIRMED, OutcomeKind.REFUSED)
        assert "was not sent twice" in again.detail
        assert "did not send it again" in await live.async_say(again)
    assert live.posts == 2


async def test_other_runs_and_other_commands_are_free(live):
    run = Asking()
    live.cloud.faults.break_connection(is_carried_out=False, times=1)
    await async_channel(live, authority=run)
    await async_channel(live)
    assert live.posts == 2
    await async_channel(live, 8, authority=run)
    await async_channel(live, authority=run)
    assert live.posted[2:] == [("setTvChannel", ["8"]), ("setTvChannel", ["7"])]


async def test_what_was_refused_is_tried_again_when_the_device_has_changed(live):
    run = Asking()
    live.cloud.faults.refuse_state(times=1)
    first = await async_channel(live, authority=run)
    again = await async_channel(live, authority=run)
    assert live.posts == 1
    assert (again.kind, again.reason) == (OutcomeKind.FAILED, first.reason)
    assert again.detail.startswith("It was not sent again, because it was refused before")
    assert again.detail.endswith(first.detail)
    assert await live.async_say(again) == await live.async_say(first)
    await live.async_report(TV, "audioVolume", volume=20)
    third = await async_channel(live, authority=run)
    assert third.kind is OutcomeKind.VERIFIED
    assert live.posts == 2


async def test_what_was_refused_is_free_after_a_reload_and_in_other_runs(live):
    run = Asking()
    live.cloud.faults.refuse_token(RequestKind.COMMANDS)
    await live.async_do(TV, "volumeUp", authority=run)
    await live.async_do(TV, "volumeUp", authority=run)
    assert live.posts == 1
    await live.async_do(TV, "volumeUp")
    assert live.posts == 2
    await live.hass.config_entries.async_reload(live.smartthings.entry.entry_id)
    await live.async_know_all()
    await live.async_do(TV, "volumeUp", authority=run)
    assert live.posts == 1


async def test_what_was_refused_in_old_runs_is_forgotten(live):
    first = Asking()
    live.cloud.faults.refuse_state()
    for run in (first, *(Asking() for _ in range(100))):
        await async_channel(live, authority=run)
    live.cloud.forget_requests()
    await async_channel(live, authority=first)
    assert live.posts == 1


async def test_a_device_is_left_alone_for_as_long_as_the_cloud_says(live):
    live.cloud.faults.limit_rate(retry_in_millis=283_070, times=1)
    first, second = [await async_channel(live) for _ in range(2)]
    assert live.posts == 1
    for outcome in (first, second):
        assert outcome.kind is OutcomeKind.FAILED
        assert "it can be tried again in 2" in outcome.detail
    assert (await live.async_say(first)).endswith("Please try again in 284 seconds.")


# ----------------------------------------------------------------- order


async def test_commands_for_a_device_go_one_after_the_other(live):
    live.cloud.faults.hang(times=1)
    doing = [asyncio.create_task(async_channel(live, number)) for number in (2, 7)]
    await until(lambda: live.posts == 1)
    await live.smartthings.async_settle()
    assert live.posts == 1
    live.cloud.faults.clear()
    await asyncio.gather(*doing)
    assert live.posts == 2


async def test_one_command_on_several_devices_runs_together(live):
    live.cloud.faults.hang(times=2)
    commands = [await live.async_prepare(each, "switch.on") for each in (TV, "The Frame")]
    doing = asyncio.create_task(live.home.pipeline.async_execute(Asking(), commands))
    await until(lambda: live.posts == 2)
    live.cloud.faults.clear()
    outcomes = await doing
    assert [each.device_name for each in outcomes] == [TV, "The Frame"]


# ----------------------------------------------------------------- the record of a run


async def test_parts_of_several_devices_are_told_apart(live):
    """Both have a part `main`: what works on one makes nothing good on the other."""
    evidence = Evidence()
    live.cloud.faults.refuse_state(device=TV)
    failed = await async_channel(live)
    done = await live.async_do("The Frame", "setTvChannel", {"tvChannel": 7})
    evidence.record_outcomes([failed, done])
    assert evidence.final_outcomes == (failed, done)
    later = await live.async_do("The Frame", "setTvChannel", {"tvChannel": 2})
    evidence.record_outcomes([later])
    assert evidence.final_outcomes == (failed, later)


async def test_on_takes_the_place_of_off(live):
    evidence = Evidence()
    for value in ("off", "on"):
        evidence.record_outcomes([await live.async_do(TV, f"switch.{value}")])
    assert [each.command for each in evidence.final_outcomes] == ["on"]


# ----------------------------------------------------------------- the gate


@pytest.mark.parametrize(
    ("meanwhile", "reason"),
    [
        (lambda raw, *_: hide_all(raw.hass), "outcome_refused_not_permitted"),
        (lambda raw, *place: raw.parts.mirror.device_deleted(*place), "outcome_failed_gone"),
        (
            lambda raw, *place: raw.parts.mirror.availability_changed(*place, online=False),
            "outcome_failed_unavailable",
        ),
    ],
    ids=["hidden", "gone", "offline"],
)
async def test_all_is_looked_at_anew_after_the_person_was_asked(
    live, meanwhile: Callable[..., object], reason
):
    (player,) = live.smartthings.entities(TV, "media_player")
    levels_of(live.hass).choose({player: "ask"})
    place = (live.smartthings.entry.entry_id, live.cloud.device_id(TV))
    run = Asking(meanwhile=lambda: meanwhile(live, *place))
    outcome = await async_channel(live, authority=run)
    assert len(run.asked) == 1
    assert outcome.reason == reason
    assert live.posts == 0


@pytest.mark.parametrize(
    ("label", "command", "spoken"),
    [
        ("Garage Door", "doorControl.open", "open_cover"),
        ("Driveway Camera", "switch.off", "turn_off"),
        ("Front Door Lock", "lock.unlock", "unlock"),
    ],
)
async def test_a_person_is_asked_in_the_words_of_actions(
    hass, socket_enabled, label, command, spoken
):
    async with async_raw_home(hass, part_of_home("large", [label])) as raw:
        run = Asking(answer=Confirmation.DECLINED)
        await raw.async_do(label, command, authority=run)
        assert run.asked[0][0].command == spoken
        assert raw.posts == 0


# ----------------------------------------------------------------- remote control


async def test_remote_control_may_be_why_nothing_is_reported(live):
    live.cloud.set_remote_control(DISHWASHER, False)
    await live.smartthings.async_settle()
    live.instead()
    outcome = await live.async_do(DISHWASHER, f"{OPERATION}.start")
    assert outcome.kind is OutcomeKind.SENT
    assert "remote control is switched off at the device, which may be why" in outcome.detail


async def test_its_lamp_needs_no_remote_control(hass, socket_enabled):
    async with async_raw_home(hass, part_of_home("large", ["Oven"])) as raw:
        raw.instead(lambda: raw.change("Oven", "samsungce.lamp", brightnessLevel="high"))
        outcome = await raw.async_do("Oven", "setBrightnessLevel", {"level": "high"})
        assert outcome.kind is OutcomeKind.VERIFIED


async def test_the_remote_control_of_a_part_is_that_of_the_device(hass, socket_enabled):
    home = part_of_home("large", ["Oven"])
    oven, state = home.device("Oven"), "ovenOperatingState"
    oven.status["cavity"] = {state: deepcopy(oven.status["main"][state])}
    whole = oven.description["components"][0]
    cavity = {"id": "cavity", "label": "cavity", "capabilities": [{"id": state, "version": 1}]}
    oven.description["components"].append({**whole, **cavity})
    async with async_raw_home(hass, home) as raw:
        outcome = await raw.async_do("Oven", f"{state}.stop", component="cavity")
        assert outcome.reason == "outcome_refused_remote_control"
