"""Raw commands are posted once, and only what the device reports counts as done."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from homeassistant.core import HomeAssistant

from custom_components.sage.home.commands.evidence import Evidence
from custom_components.sage.home.commands.outcome_text import say_outcomes
from custom_components.sage.home.home_types import Outcome, OutcomeKind, RiskClass, Source
from custom_components.sage.home.safety.authority import Confirmation
from custom_components.sage.home.smartthings.raw import CloudError, CloudErrorKind
from custom_components.sage.people.person import HOUSEHOLD
from custom_components.sage.text.speech import async_load_sentences

from ..house import Asking
from .raw_house import RawHouse, Thing


@pytest.fixture
def tv() -> Thing:
    return Thing(
        "TV",
        {
            "main": {
                "switch": {"switch": "on"},
                "tvChannel": {"tvChannel": "5"},
                "audioVolume": {"volume": 10},
                "custom.launchapp": {},
                "mediaTrackControl": {},
            }
        },
    )


@pytest.fixture
def dishwasher() -> Thing:
    return Thing(
        "Dishwasher",
        {
            "main": {
                "remoteControlStatus": {"remoteControlEnabled": "true"},
                "samsungce.dishwasherOperation": {"operatingState": "ready", "timeLeftToStart": 0},
                "samsungce.dishwasherWashingCourse": {"washingCourse": "auto"},
                "samsungce.lamp": {"brightnessLevel": "high"},
            }
        },
    )


@pytest.fixture
def house(tv: Thing, dishwasher: Thing) -> RawHouse:
    return RawHouse(tv, dishwasher)


def error(kind: CloudErrorKind, message: str = "", **more: Any) -> CloudError:
    return CloudError(kind, message, **more)


async def say(hass: HomeAssistant, outcome: Outcome, language: str = "en") -> str:
    sentences = await async_load_sentences(hass, language)
    return say_outcomes(hass, sentences, [outcome], language)


# ----------------------------------------------------------------- what is seen


async def test_the_report_of_the_device_is_the_proof(house, tv):
    house.effect = lambda: house.report(tv, "tvChannel", "tvChannel", "7")
    outcome = await house.async_do(tv, "setTvChannel", {"tvChannel": 7})
    assert outcome.kind is OutcomeKind.VERIFIED
    assert (outcome.before, outcome.after) == ({"tvChannel": "5"}, {"tvChannel": "7"})
    assert outcome.restore == {"tvChannel": "5"}
    assert (outcome.source, outcome.raw_device_id) == (Source.SMARTTHINGS, "id-tv")
    assert house.posted == [("id-tv", "main", "tvChannel", "setTvChannel", ["7"])]
    assert not house.looks
    assert not house.listeners["id-tv"]


async def test_duplicates_and_other_reports_change_nothing(house, tv):
    def reports() -> None:
        house.report(tv, "switch", "switch", "on")
        house.report(tv, "tvChannel", "tvChannel", "5")
        house.report(tv, "tvChannel", "tvChannel", "7")
        house.report(tv, "tvChannel", "tvChannel", "7")

    house.effect = reports
    outcome = await house.async_do(tv, "setTvChannel", {"tvChannel": 7})
    assert outcome.kind is OutcomeKind.VERIFIED


async def test_a_report_may_come_late(house, tv):
    loop = asyncio.get_running_loop()
    house.waits.report_seconds = 20
    house.effect = lambda: loop.call_later(
        0.005, lambda: house.report(tv, "audioVolume", "volume", 11)
    )
    outcome = await house.async_do(tv, "volumeUp")
    assert outcome.kind is OutcomeKind.VERIFIED
    assert outcome.after == {"volume": 11}
    assert not house.looks


async def test_without_a_report_the_values_are_fetched_once(house, tv):
    house.on_look = lambda: house.set(tv, "tvChannel", "tvChannel", "7")
    outcome = await house.async_do(tv, "setTvChannel", {"tvChannel": 7})
    assert outcome.kind is OutcomeKind.VERIFIED
    assert house.looks == ["id-tv"]


async def test_accepted_is_not_done(hass, house, tv):
    outcome = await house.async_do(tv, "setTvChannel", {"tvChannel": 7})
    assert outcome.kind is OutcomeKind.NOT_CONFIRMED
    assert "SmartThings accepted it, but the device has not reported it" in outcome.detail
    assert "(tvChannel is 5)" in outcome.detail
    assert await say(hass, outcome) == (
        "SmartThings accepted the command for TV, but I could not see it take effect."
    )


async def test_what_cannot_be_looked_up_is_told_as_last_reported(house, tv):
    house.look_error = error(CloudErrorKind.RATE_LIMIT)
    outcome = await house.async_do(tv, "setTvChannel", {"tvChannel": 7})
    assert outcome.kind is OutcomeKind.NOT_CONFIRMED
    assert "(tvChannel is 5 as last reported)" in outcome.detail


async def test_a_device_that_went_offline_meanwhile_is_named_as_the_cause(house, tv):
    house.effect = lambda: setattr(tv, "online", False)
    outcome = await house.async_do(tv, "setTvChannel", {"tvChannel": 7})
    assert "the device is offline by now" in outcome.detail


async def test_what_was_so_before_is_not_claimed(house, tv):
    outcome = await house.async_do(tv, "switch.on")
    assert outcome.kind is OutcomeKind.ALREADY
    assert not house.looks


async def test_old_values_are_no_proof(house, tv):
    tv.fresh = False
    proven = await house.async_do(tv, "switch.on")
    assert proven.kind is OutcomeKind.ALREADY
    assert house.looks == ["id-tv"]
    house.look_error = error(CloudErrorKind.SERVER)
    unproven = await house.async_do(tv, "switch.on")
    assert unproven.kind is OutcomeKind.NOT_CONFIRMED


async def test_what_is_under_way_is_told_so(house):
    shade = Thing("Shade", {"main": {"windowShadeLevel": {"shadeLevel": 0}}})
    house.things[shade.id] = shade
    house.effect = lambda: house.report(shade, "windowShadeLevel", "shadeLevel", 20)
    outcome = await house.async_do(shade, "setShadeLevel", {"shadeLevel": 50})
    assert outcome.kind is OutcomeKind.UNDER_WAY
    assert not house.looks


async def test_a_state_on_the_way_is_told_and_proves_nothing(house):
    shade = Thing("Shade", {"main": {"windowShade": {"windowShade": "open"}}})
    house.things[shade.id] = shade
    house.effect = lambda: house.report(shade, "windowShade", "windowShade", "closing")
    outcome = await house.async_do(shade, "close")
    assert outcome.kind is OutcomeKind.NOT_CONFIRMED
    assert "(windowShade is closing)" in outcome.detail


async def test_what_leaves_no_trace_is_only_sent(house, tv):
    outcome = await house.async_do(tv, "launchApp", {"appId": "1"})
    assert outcome.kind is OutcomeKind.SENT
    assert not house.looks


async def test_without_a_declared_effect_a_report_of_the_value_is_the_proof(house, dishwasher):
    operation = "samsungce.dishwasherOperation"
    house.effect = lambda: house.report(dishwasher, operation, "timeLeftToStart", 60)
    outcome = await house.async_do(dishwasher, "startLater", {"delay": 60})
    assert (outcome.kind, outcome.after) == (OutcomeKind.VERIFIED, {"timeLeftToStart": 60})
    house.effect = lambda: house.report(dishwasher, operation, "timeLeftToStart", 55)
    other = await house.async_do(dishwasher, "startLater", {"delay": 90})
    assert other.kind is OutcomeKind.SENT
    assert other.detail == (
        "SmartThings accepted it; the device reported nothing that would prove it "
        "(timeLeftToStart is 55)."
    )
    house.effect = lambda: None
    house.answer = error(CloudErrorKind.TIMEOUT)
    unknown = await house.async_do(dishwasher, "startLater", {"delay": 30})
    assert unknown.kind is OutcomeKind.NOT_CONFIRMED


async def test_without_a_declared_effect_a_look_is_proof_only_of_known_values(house, dishwasher):
    operation = "samsungce.dishwasherOperation"
    house.on_look = lambda: house.set(dishwasher, operation, "timeLeftToStart", 60)
    seen = await house.async_do(dishwasher, "startLater", {"delay": 60})
    assert seen.kind is OutcomeKind.VERIFIED
    dishwasher.fresh = False
    house.on_look = lambda: house.set(dishwasher, operation, "timeLeftToStart", 90)
    unproven = await house.async_do(dishwasher, "startLater", {"delay": 90})
    assert unproven.kind is OutcomeKind.SENT


async def test_without_proof_a_command_is_not_sent_twice_in_the_run(house, tv, dishwasher):
    run = Asking()
    first = await house.async_do(dishwasher, "startLater", {"delay": 60}, authority=run)
    again = await house.async_do(dishwasher, "startLater", {"delay": 60}, authority=run)
    assert (first.kind, again.kind) == (OutcomeKind.SENT, OutcomeKind.REFUSED)
    # What nothing could ever prove may be meant twice.
    for _ in range(2):
        sent = await house.async_do(tv, "mediaTrackControl.nextTrack", authority=run)
        assert sent.kind is OutcomeKind.SENT
    assert len(house.posted) == 3


async def test_codes_and_who_has_one_are_told_to_nobody(house):
    lock = Thing("Door", {"main": {"lockCodes": {"lockCodes": '{"1":"Anna"}'}}})
    house.things[lock.id] = lock
    house.effect = lambda: house.report(lock, "lockCodes", "lockCodes", '{"1":"Anna","2":"Ben"}')
    code = {"codeSlot": 2, "codePIN": "4711", "codeName": "Ben"}
    outcome = await house.async_do(lock, "setCode", code)
    told = str(outcome.as_dict()) + str(outcome.restore) + outcome.detail
    assert "Anna" not in told
    assert "4711" not in told


# ----------------------------------------------------------------- errors of the cloud


@pytest.mark.parametrize(
    ("answer", "cause", "mend", "spoken"),
    [
        (
            error(CloudErrorKind.SIGN_IN, status=401),
            "no longer accepts the sign-in",
            "sign in to SmartThings again",
            "I can't use TV because SmartThings no longer accepts",
        ),
        (
            error(CloudErrorKind.PLAN),
            "plan does not cover",
            "use an entity",
            "Your SmartThings plan",
        ),
        (
            error(CloudErrorKind.FORBIDDEN, "Forbidden", status=403),
            "does not allow this command (403: Forbidden)",
            "tell the person",
            "SmartThings does not allow this for TV",
        ),
        (
            error(CloudErrorKind.NOT_FOUND),
            "does not know this device",
            "SmartThings app",
            "SmartThings no longer knows TV",
        ),
        (
            error(CloudErrorKind.DEVICE_STATE, "invalid device state", status=409),
            "present state (409: invalid device state)",
            "switch it on",
            "TV can't do that right now",
        ),
        (
            error(
                CloudErrorKind.MALFORMED,
                "must have a maximum value of 100.",
                status=422,
                target="commands[0].arguments[0]",
            ),
            "(422: must have a maximum value of 100, at commands[0].arguments[0])",
            "correct the command",
            "SmartThings did not accept the command for TV",
        ),
        (
            error(CloudErrorKind.RATE_LIMIT),
            "allows no more commands",
            "ask again in a minute",
            "Please try again in a minute.",
        ),
        (
            error(CloudErrorKind.CONNECTION),
            "no connection to SmartThings, so nothing was sent",
            "internet connection",
            "There is no connection to SmartThings",
        ),
        (
            error(CloudErrorKind.UNEXPECTED, "teapot", status=418),
            "not understood (418: teapot)",
            "tell the person",
            "that I don't understand",
        ),
        ("FAILED", "did not carry it out", "check the values", "TV did not carry out the command"),
    ],
)
async def test_what_the_cloud_refuses_is_told_with_its_cause(
    hass, house, tv, answer, cause, mend, spoken
):
    house.answer = answer
    outcome = await house.async_do(tv, "setTvChannel", {"tvChannel": 7})
    assert outcome.kind is OutcomeKind.FAILED
    assert cause in outcome.detail
    assert mend in outcome.detail
    assert outcome.detail.count(". ") == 0
    assert outcome.detail.endswith(".")
    assert spoken in await say(hass, outcome)
    for language in ("de", "fr"):
        assert "{" not in await say(hass, outcome, language)
    assert len(house.posted) == 1
    assert not house.looks


@pytest.mark.parametrize(
    ("kind", "cause"),
    [
        (CloudErrorKind.TIMEOUT, "did not answer in time"),
        (CloudErrorKind.BROKEN, "The connection to SmartThings broke"),
        (CloudErrorKind.SERVER, "a fault of its own (500: boom)"),
    ],
)
async def test_what_may_have_arrived_is_looked_for(hass, house, tv, kind, cause):
    house.answer = error(kind, "boom", status=500 if kind is CloudErrorKind.SERVER else None)
    house.look_error = error(CloudErrorKind.TIMEOUT)
    outcome = await house.async_do(tv, "setTvChannel", {"tvChannel": 7})
    assert outcome.kind is OutcomeKind.NOT_CONFIRMED
    assert cause in outcome.detail
    assert "whether the command arrived is not known" in outcome.detail
    assert "no clear answer" in await say(hass, outcome)
    assert len(house.posted) == 1


@pytest.mark.parametrize(
    "kind", [CloudErrorKind.TIMEOUT, CloudErrorKind.BROKEN, CloudErrorKind.SERVER]
)
async def test_what_was_carried_out_without_an_answer_is_verified(house, tv, kind):
    house.answer = error(kind)
    house.effect = lambda: house.report(tv, "tvChannel", "tvChannel", "7")
    outcome = await house.async_do(tv, "setTvChannel", {"tvChannel": 7})
    assert outcome.kind is OutcomeKind.VERIFIED


async def test_a_fault_of_the_cloud_without_any_change_is_a_failure(hass, house, tv):
    house.answer = error(CloudErrorKind.SERVER, "boom", status=500)
    outcome = await house.async_do(tv, "setTvChannel", {"tvChannel": 7})
    assert outcome.kind is OutcomeKind.FAILED
    assert "fault of its own (500: boom) and nothing has changed" in outcome.detail
    assert await say(hass, outcome) == (
        "SmartThings reports an internal error, and TV has not changed. Please try again later."
    )


async def test_without_any_trace_and_without_an_answer_nothing_is_known(house, tv):
    house.answer = error(CloudErrorKind.TIMEOUT)
    outcome = await house.async_do(tv, "launchApp", {"appId": "1"})
    assert outcome.kind is OutcomeKind.NOT_CONFIRMED


async def test_an_answer_that_never_comes_is_given_up(house, tv):
    async def hang() -> str:
        await asyncio.Event().wait()
        return "ACCEPTED"

    house.answer = hang
    house.waits.request_seconds = 0.1
    async with asyncio.timeout(120):
        outcome = await house.async_do(tv, "setTvChannel", {"tvChannel": 7})
    assert outcome.kind is OutcomeKind.NOT_CONFIRMED
    assert "did not answer in time" in outcome.detail


async def test_a_look_that_never_ends_is_given_up(house, tv):
    async def hang(device_id: str) -> None:
        await asyncio.Event().wait()

    house.async_refresh = hang
    house.waits.request_seconds = 0.1
    async with asyncio.timeout(120):
        outcome = await house.async_do(tv, "setTvChannel", {"tvChannel": 7})
    assert outcome.kind is OutcomeKind.NOT_CONFIRMED


async def test_a_device_is_left_alone_for_as_long_as_the_cloud_says(hass, house, tv):
    house.answer = error(CloudErrorKind.RATE_LIMIT, retry_after=283.07)
    first = await house.async_do(tv, "setTvChannel", {"tvChannel": 7})
    house.answer = "ACCEPTED"
    second = await house.async_do(tv, "setTvChannel", {"tvChannel": 7}, authority=Asking())
    assert len(house.posted) == 1
    for outcome in (first, second):
        assert outcome.kind is OutcomeKind.FAILED
        assert "it can be tried again in 2" in outcome.detail
    assert (await say(hass, first)).endswith("Please try again in 284 seconds.")


# ----------------------------------------------------------------- never twice


async def test_a_command_in_doubt_is_never_sent_again_in_the_run(hass, house, tv):
    run = Asking()
    house.answer = error(CloudErrorKind.TIMEOUT)
    await house.async_do(tv, "volumeUp", authority=run)
    again = await house.async_do(tv, "volumeUp", authority=run)
    assert len(house.posted) == 1
    assert again.kind is OutcomeKind.REFUSED
    assert "was not sent twice" in again.detail
    assert "did not send it again" in await say(hass, again)
    launch = {"appId": "1"}
    await house.async_do(tv, "launchApp", launch, authority=run)
    assert (await house.async_do(tv, "launchApp", launch, authority=run)).kind is (
        OutcomeKind.REFUSED
    )
    assert len(house.posted) == 2


async def test_a_command_in_doubt_that_took_effect_is_told_so(house, tv):
    run = Asking()
    await house.async_do(tv, "setTvChannel", {"tvChannel": 7}, authority=run)
    house.on_look = lambda: house.set(tv, "tvChannel", "tvChannel", "7")
    again = await house.async_do(tv, "setTvChannel", {"tvChannel": 7}, authority=run)
    assert again.kind is OutcomeKind.VERIFIED
    assert "taken effect meanwhile; it was not sent again" in again.detail
    assert again.restore == {"tvChannel": "5"}
    assert len(house.posted) == 1


async def test_other_runs_and_other_commands_are_free(house, tv):
    run = Asking()
    house.answer = error(CloudErrorKind.BROKEN)
    await house.async_do(tv, "setTvChannel", {"tvChannel": 7}, authority=run)
    house.answer = "ACCEPTED"
    await house.async_do(tv, "setTvChannel", {"tvChannel": 7}, authority=Asking())
    assert len(house.posted) == 2
    await house.async_do(tv, "setTvChannel", {"tvChannel": 8}, authority=run)
    await house.async_do(tv, "setTvChannel", {"tvChannel": 7}, authority=run)
    assert [each[4] for each in house.posted[2:]] == [["8"], ["7"]]


async def test_what_was_refused_is_tried_again_when_the_device_has_changed(hass, house, tv):
    run = Asking()
    house.answer = error(CloudErrorKind.DEVICE_STATE)
    first = await house.async_do(tv, "setTvChannel", {"tvChannel": 7}, authority=run)
    again = await house.async_do(tv, "setTvChannel", {"tvChannel": 7}, authority=run)
    assert len(house.posted) == 1
    assert (again.kind, again.reason) == (OutcomeKind.FAILED, first.reason)
    assert again.detail.startswith("It was not sent again, because it was refused before")
    assert again.detail.endswith(first.detail)
    assert await say(hass, again) == await say(hass, first)

    house.report(tv, "switch", "switch", "off")
    house.answer = "ACCEPTED"
    house.effect = lambda: house.report(tv, "tvChannel", "tvChannel", "7")
    third = await house.async_do(tv, "setTvChannel", {"tvChannel": 7}, authority=run)
    assert third.kind is OutcomeKind.VERIFIED
    assert len(house.posted) == 2


async def test_what_was_refused_is_free_after_a_reload_and_in_other_runs(house, tv):
    run = Asking()
    house.answer = error(CloudErrorKind.SIGN_IN)
    await house.async_do(tv, "volumeUp", authority=run)
    await house.async_do(tv, "volumeUp", authority=Asking())
    assert len(house.posted) == 2
    house.revision += 1
    await house.async_do(tv, "volumeUp", authority=run)
    assert len(house.posted) == 3


async def test_what_never_reached_the_cloud_may_be_tried_again(house, tv):
    run = Asking()
    house.answer = error(CloudErrorKind.CONNECTION)
    for _ in range(2):
        await house.async_do(tv, "volumeUp", authority=run)
    assert len(house.posted) == 2


async def test_what_was_seen_to_work_may_be_done_again(house, tv):
    run = Asking()
    volumes = iter((11, 12))
    house.effect = lambda: house.report(tv, "audioVolume", "volume", next(volumes))
    for _ in range(2):
        assert (await house.async_do(tv, "volumeUp", authority=run)).kind is OutcomeKind.VERIFIED


async def test_old_runs_are_forgotten(house, tv):
    first = Asking()
    for run in (first, *(Asking() for _ in range(100))):
        await house.async_do(tv, "setTvChannel", {"tvChannel": 7}, authority=run)
    again = await house.async_do(tv, "setTvChannel", {"tvChannel": 7}, authority=first)
    assert again.kind is OutcomeKind.NOT_CONFIRMED


# ----------------------------------------------------------------- order


async def test_commands_for_a_device_go_one_after_the_other(house, tv):
    busy = 0

    async def answer() -> str:
        nonlocal busy
        busy += 1
        assert busy == 1
        await asyncio.sleep(0)
        busy -= 1
        return "ACCEPTED"

    house.answer = answer
    commands = [
        await house.async_prepare(tv, "setTvChannel", {"tvChannel": number}) for number in (1, 2)
    ]
    await asyncio.gather(
        *(house.pipeline.async_execute(Asking(), [command]) for command in commands)
    )
    await house.pipeline.async_execute(Asking(), commands)
    assert len(house.posted) == 4


async def test_one_command_on_several_devices_runs_together(house, tv):
    other = Thing("Bedroom TV", {"main": {"switch": {"switch": "on"}}})
    house.things[other.id] = other
    both = asyncio.Event()

    async def answer() -> str:
        if len(house.posted) == 2:
            both.set()
        await both.wait()
        return "ACCEPTED"

    house.answer = answer
    commands = [await house.async_prepare(each, "switch.on") for each in (tv, other)]
    outcomes = await house.pipeline.async_execute(Asking(), commands)
    assert [each.device_name for each in outcomes] == ["TV", "Bedroom TV"]
    assert {each.kind for each in outcomes} == {OutcomeKind.ALREADY}


async def test_after_a_failure_a_device_gets_no_more(hass, house, tv, dishwasher):
    house.answer = error(CloudErrorKind.DEVICE_STATE)
    course = await house.async_prepare(dishwasher, "setWashingCourse", {"course": "eco"})
    start = await house.async_prepare(dishwasher, "samsungce.dishwasherOperation.start")
    elsewhere = await house.async_prepare(tv, "switch.on")
    outcomes = await house.pipeline.async_execute(Asking(), [course, start, elsewhere])
    assert [each.kind for each in outcomes] == [
        OutcomeKind.FAILED,
        OutcomeKind.REFUSED,
        OutcomeKind.FAILED,
    ]
    assert "an earlier command for the same device failed" in outcomes[1].detail
    assert await say(hass, outcomes[1]) == "After this error I sent nothing more to Dishwasher."
    assert [each[3] for each in house.posted] == ["setWashingCourse", "on"]


# ----------------------------------------------------------------- the record of a run


async def test_parts_of_several_devices_are_told_apart(house, tv):
    """Both have a part `main`: what works on one makes nothing good on the other."""
    other = Thing("Bedroom TV", {"main": {"tvChannel": {"tvChannel": "3"}}})
    house.things[other.id] = other
    evidence = Evidence()
    failed = await house.async_do(tv, "setTvChannel", {"tvChannel": 7})
    house.effect = lambda: house.report(other, "tvChannel", "tvChannel", "7")
    done = await house.async_do(other, "setTvChannel", {"tvChannel": 7})
    evidence.record_outcomes([failed, done])
    assert evidence.final_outcomes == (failed, done)
    house.effect = lambda: house.report(other, "tvChannel", "tvChannel", "8")
    later = await house.async_do(other, "setTvChannel", {"tvChannel": 8})
    evidence.record_outcomes([later])
    assert evidence.final_outcomes == (failed, later)


async def test_on_takes_the_place_of_off(house, tv):
    evidence = Evidence()
    for value in ("off", "on"):
        house.effect = lambda value=value: house.report(tv, "switch", "switch", value)
        evidence.record_outcomes([await house.async_do(tv, f"switch.{value}")])
    assert [each.command for each in evidence.final_outcomes] == ["on"]


# ----------------------------------------------------------------- the gate


async def test_what_the_person_may_not_use_is_never_sent(house, tv):
    house.denied.add(tv.id)
    outcome = await house.async_do(tv, "switch.on")
    assert outcome.kind is OutcomeKind.REFUSED
    assert outcome.reason == "outcome_refused_not_permitted"
    assert not house.posted
    assert house.prepared == [HOUSEHOLD]


@pytest.mark.parametrize(
    ("meanwhile", "reason"),
    [
        (lambda house, tv: house.denied.add(tv.id), "outcome_refused_not_permitted"),
        (lambda house, _tv: house.things.clear(), "outcome_failed_gone"),
        (lambda _house, tv: setattr(tv, "online", False), "outcome_failed_unavailable"),
        (lambda _house, tv: setattr(tv, "usable", {"switch"}), "outcome_failed_gone"),
        (
            lambda house, _tv: house.risks.update(setTvChannel=RiskClass.HEAT),
            "outcome_refused_changed",
        ),
    ],
)
async def test_all_is_looked_at_anew_after_the_person_was_asked(
    house, tv, meanwhile: Callable[[RawHouse, Thing], object], reason
):
    house.risks["setTvChannel"] = RiskClass.UNLOCK
    run = Asking(meanwhile=lambda: meanwhile(house, tv))
    outcome = await house.async_do(tv, "setTvChannel", {"tvChannel": 7}, authority=run)
    assert outcome.reason == reason
    assert not house.posted


async def test_a_risky_command_needs_a_yes_to_exactly_that(house, tv):
    house.risks["setTvChannel"] = RiskClass.UNLOCK
    run = Asking()
    await house.async_do(tv, "setTvChannel", {"tvChannel": 7}, authority=run)
    ((action,),) = run.asked
    assert (action.device_name, action.command) == ("TV", "set_tv_channel")
    assert (action.risk, action.arguments) == (RiskClass.UNLOCK, {"tv_channel": "7"})
    assert len(house.posted) == 1


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (Confirmation.DECLINED, "outcome_refused_declined"),
        (Confirmation.IMPOSSIBLE, "outcome_refused_cannot_ask"),
    ],
)
async def test_without_a_yes_only_the_harmless_is_done(house, tv, answer, reason):
    house.risks["setTvChannel"] = RiskClass.UNLOCK
    commands = [
        await house.async_prepare(tv, "setTvChannel", {"tvChannel": 7}),
        await house.async_prepare(tv, "switch.on"),
    ]
    risky, harmless = await house.pipeline.async_execute(Asking(answer=answer), commands)
    assert (risky.kind, risky.reason) == (OutcomeKind.REFUSED, reason)
    assert harmless.kind is OutcomeKind.ALREADY
    assert len(house.posted) == 1


@pytest.mark.parametrize(
    ("capability", "command", "risk", "spoken"),
    [
        ("doorControl", "open", RiskClass.OPEN, "open_cover"),
        ("switch", "off", RiskClass.SECURITY_OFF, "turn_off"),
        ("lock", "unlock", RiskClass.UNLOCK, "unlock"),
    ],
)
async def test_a_person_is_asked_in_the_words_of_actions(house, capability, command, risk, spoken):
    thing = Thing("Thing", {"main": {capability: {}}})
    house.things[thing.id] = thing
    house.risks[command] = risk
    run = Asking(answer=Confirmation.DECLINED)
    await house.async_do(thing, command, authority=run)
    assert run.asked[0][0].command == spoken


async def test_an_offline_device_is_sent_nothing(house, tv):
    tv.online = False
    outcome = await house.async_do(tv, "switch.on")
    assert outcome.kind is OutcomeKind.FAILED
    assert "offline in SmartThings, so nothing was sent" in outcome.detail
    assert not house.posted


# ----------------------------------------------------------------- remote control


async def test_a_machine_without_remote_control_refuses(hass, house, dishwasher):
    house.set(dishwasher, "remoteControlStatus", "remoteControlEnabled", "false")
    house.answer = error(CloudErrorKind.DEVICE_STATE)
    outcome = await house.async_do(dishwasher, "samsungce.dishwasherOperation.start")
    assert outcome.kind is OutcomeKind.FAILED
    assert outcome.reason == "outcome_refused_remote_control"
    assert "switch on Smart Control" in outcome.detail
    assert "Please turn on Smart Control" in await say(hass, outcome)


async def test_remote_control_may_be_why_nothing_is_reported(house, dishwasher):
    house.set(dishwasher, "remoteControlStatus", "remoteControlEnabled", "false")
    outcome = await house.async_do(dishwasher, "samsungce.dishwasherOperation.start")
    assert outcome.kind is OutcomeKind.SENT
    assert "remote control is switched off at the device, which may be why" in outcome.detail


async def test_its_lamp_needs_no_remote_control(house, dishwasher):
    house.set(dishwasher, "remoteControlStatus", "remoteControlEnabled", "false")
    house.effect = lambda: house.report(dishwasher, "samsungce.lamp", "brightnessLevel", "low")
    outcome = await house.async_do(dishwasher, "setBrightnessLevel", {"level": "low"})
    assert outcome.kind is OutcomeKind.VERIFIED


async def test_the_remote_control_of_a_part_is_that_of_the_device(house):
    oven = Thing(
        "Oven",
        {
            "main": {"remoteControlStatus": {"remoteControlEnabled": "false"}},
            "cavity": {"ovenOperatingState": {"machineState": "ready"}},
        },
    )
    house.things[oven.id] = oven
    house.answer = error(CloudErrorKind.DEVICE_STATE)
    outcome = await house.async_do(oven, "stop", component="cavity")
    assert outcome.reason == "outcome_refused_remote_control"
