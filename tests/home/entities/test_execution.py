"""Executing commands: what a hostile model could try, and in what order things happen."""

import asyncio
import json
from contextlib import nullcontext
from datetime import UTC, datetime
from typing import Any

import pytest
from homeassistant.components.light.const import ColorMode
from homeassistant.core import SupportsResponse
from homeassistant.setup import async_setup_component

from custom_components.sage.home.commands.pipeline import ValidatedCommand
from custom_components.sage.home.home_types import (
    Command,
    CommandDescription,
    HomeError,
    Outcome,
    OutcomeKind,
)
from custom_components.sage.home.home_types import RiskClass as Risk
from custom_components.sage.home.safety.authority import Confirmation
from custom_components.sage.people.person import HOUSEHOLD

from ..entity_home import Asking
from ..entity_kinds import Alarm, FastCover, Light, Lock, Player, Plug, Valve

REFUSED, VERIFIED = OutcomeKind.REFUSED, OutcomeKind.VERIFIED


def prepared(entity_id: str, command: str, **arguments) -> ValidatedCommand:
    """A command as if a flaw had let it through to the executor."""
    domain = entity_id.split(".", maxsplit=1)[0]
    return ValidatedCommand(
        device_id="x", device_name="X", component_id=entity_id, capability=domain,
        description=CommandDescription(name=command), arguments=arguments,
    )  # fmt: skip


# ------------------------------------------------------------------- the gate


async def test_the_gate_holds_even_for_a_command_that_was_let_through(house):
    secret = Light("Secret Lamp")
    await house.async_furnish(secret, exposed=False)
    house.expose(secret.entity_id, exposed=False)
    outcomes = await house.pipeline.async_execute(Asking(), [prepared(secret.entity_id, "turn_on")])
    assert outcomes[0].kind is REFUSED
    assert secret.calls == []
    gone = await house.pipeline.async_execute(Asking(), [prepared("light.made_up", "turn_on")])
    assert gone[0].kind is OutcomeKind.FAILED
    unknown = await house.pipeline.async_execute(Asking(), [prepared("sensor.x", "explode")])
    assert unknown[0].kind is OutcomeKind.FAILED


async def test_an_argument_cannot_pull_in_a_hidden_thing(house):
    radio, secret = Player("Radio"), Player("Secret Radio")
    await house.async_furnish(radio, secret)
    house.expose(secret.entity_id, exposed=False)
    for members in ([secret.entity_id], secret.entity_id, [radio.entity_id, secret.entity_id]):
        outcome = await house.async_do("Radio", "join", {"group_members": members})
        assert outcome.kind is REFUSED
        assert outcome.reason == "outcome_refused_reference"
    outcome = await house.async_do(
        "Radio",
        "play_media",
        {
            "media": {
                "media_content_id": f"media-source://x/{secret.entity_id}",
                "media_content_type": "music",
            }
        },
    )
    assert outcome.kind is REFUSED
    assert radio.calls == []
    assert await house.async_say(outcome) == (
        "I did not run the command for Radio, because a detail of the command is not allowed. "
        "For example, the command may name another device that I am not allowed to use."
    )
    house.expose(secret.entity_id)
    outcome = await house.async_do("Radio", "join", {"group_members": [secret.entity_id]})
    assert radio.calls == [("join", {"group_members": [secret.entity_id]})]
    assert outcome.kind is not REFUSED


async def test_devices_in_arguments_may_be_called_by_their_names(house):
    radio, speaker = Player("Radio"), Player("Kitchen Speaker")
    await house.async_furnish(radio, speaker)
    for members in (["Kitchen Speaker"], "kitchen speaker", ["media_player.kitchen_speaker"]):
        radio.calls.clear()
        await house.async_do("Radio", "join", {"group_members": members})
        assert radio.calls == [("join", {"group_members": ["media_player.kitchen_speaker"]})]


# ---------------------------------------------------------------- confirmation


async def test_a_script_that_changes_while_asked_must_be_asked_anew(house):
    lock = Lock("Front Door")
    await house.async_furnish(lock, Valve("Water"))
    steps = [{"action": "valve.open_valve", "target": {"entity_id": "valve.water"}}]
    assert await async_setup_component(
        house.hass, "script", {"script": {"it": {"sequence": steps}}}
    )
    house.expose("script.it")

    def swap() -> None:
        script = house.hass.data["script"].get_entity("script.it").script
        script.sequence = [{"action": "lock.unlock", "target": {"entity_id": "lock.front_door"}}]

    sly = Asking(meanwhile=swap)
    outcome = await house.async_do("it", "turn_on", authority=sly)
    assert sly.asked[0][0].risk is Risk.OPEN
    assert sly.asked[0][0].is_indirect
    assert sly.asked[0][0].reaches == ("Water",)
    assert outcome.kind is REFUSED
    assert outcome.reason == "outcome_refused_changed"
    assert lock.calls == []


async def test_what_needs_no_question_is_done_before_it(house):
    lamp, plug, lock = Light("Lamp"), Plug("Stereo"), Lock("Front Door")
    plug.begin(is_on=True)
    await house.async_furnish(lock, lamp, plug)
    done: list[int] = []
    asking = Asking(meanwhile=lambda: done.append(len(lamp.calls) + len(plug.calls)))
    requests = [
        Command(device_id="Front Door", name="unlock"),
        Command(device_id="Lamp", name="turn_on"),
        Command(device_id="Stereo", name="turn_off"),
    ]
    recorded: list[list[str]] = []

    def record(*outcomes: Outcome) -> None:
        recorded.append([each.device_name for each in outcomes])

    outcomes = await house.async_do_all(requests, asking, record)
    assert done == [2]
    assert recorded == [["Lamp", "Stereo"], ["Front Door"]]
    assert [action.is_rest for action in asking.asked[0]] == [True]
    assert {outcome.kind for outcome in outcomes} <= {VERIFIED, OutcomeKind.ALREADY}


@pytest.mark.parametrize(
    ("risky", "later"),
    [
        (("Front Door", "unlock"), ("Front Door", "lock")),
        (("Alarm Panel", "alarm_disarm"), ("Lamp", "turn_on")),
        (("both", "turn_on"), ("Lamp", "turn_off")),
        (("vague", "turn_on"), ("Lamp", "turn_off")),
    ],
)
async def test_what_depends_on_the_order_waits_for_the_reply(house, risky, later):
    lamp, lock, alarm = Light("Lamp"), Lock("Front Door"), Alarm("Alarm Panel")
    await house.async_furnish(lock, lamp, alarm)
    both = [
        {"action": "light.turn_on", "target": {"entity_id": "light.lamp"}},
        {"action": "lock.unlock", "target": {"entity_id": "lock.front_door"}},
    ]
    vague = [{"action": "switch.turn_on", "target": {"entity_id": "{{ states('sensor.x') }}"}}]
    scripts = {"both": {"sequence": both}, "vague": {"sequence": vague}}
    assert await async_setup_component(house.hass, "script", {"script": scripts})
    house.expose("script.both")
    house.expose("script.vague")
    before: list[Any] = []

    def note() -> None:
        before.extend([*lamp.calls, *lock.calls, *alarm.calls])

    asking = Asking(answer=Confirmation.DECLINED, meanwhile=note)
    requests = [Command(device_id=device, name=command) for device, command in (risky, later)]

    def record(*_: Outcome) -> None:
        assert asking.asked, "this came before the reply"

    outcomes = await house.async_do_all(requests, asking, record)
    assert len(asking.asked) == 1
    assert before == []
    assert outcomes[0].kind is REFUSED
    assert outcomes[1].kind in {VERIFIED, OutcomeKind.ALREADY}


# ----------------------------------------------------------------- order, time


async def test_different_commands_keep_their_order(house):
    lamp, plug = Light("Lamp"), Plug("Plug")
    await house.async_furnish(lamp, plug)
    requests = [
        Command(device_id="Lamp", name="turn_on"),
        Command(device_id="Lamp", name="turn_off"),
        Command(device_id="Lamp", name="turn_on", arguments={"brightness_pct": 50}),
        Command(device_id="Lamp", name="turn_on", arguments={"brightness_pct": 20}),
        Command(device_id="Plug", name="turn_on"),
    ]
    outcomes = await house.async_do_all(requests, Asking())
    assert [outcome.kind for outcome in outcomes] == [VERIFIED] * 5
    assert [call for call, _ in lamp.calls] == ["turn_on", "turn_off", "turn_on", "turn_on"]
    assert outcomes[3].after["brightness"] == 51


async def test_a_call_that_hangs_ends_in_an_honest_outcome(house, caplog):
    lamp, free = Light("Lamp"), asyncio.Event()

    async def hang(**kwargs):
        await free.wait()
        raise ValueError("too late")

    lamp.async_turn_on = hang  # type: ignore[method-assign]
    await house.async_furnish(lamp)
    house.waits.call_seconds = 0.1
    outcome = await house.async_do("Lamp", "turn_on")
    assert outcome.kind is OutcomeKind.NOT_CONFIRMED
    free.set()
    await house.hass.async_block_till_done()
    assert "A command failed after its timeout: too late" in caplog.text


async def test_arguments_that_exclude_each_other_are_refused_and_nothing_is_sent(house):
    lamp = Light("Lamp")
    lamp._attr_supported_color_modes = {ColorMode.COLOR_TEMP, ColorMode.RGB}
    await house.async_furnish(lamp)
    with pytest.raises(HomeError, match="does not take these arguments of turn_on together"):
        await house.async_do(
            "Lamp", "turn_on", {"color_temp_kelvin": 2700, "rgb_color": [255, 0, 0]}
        )
    assert house.hass.states.get("light.lamp").state == "off"
    outcome = await house.async_do(
        "Lamp", "turn_on", {"color_temp_kelvin": 2700, "brightness_pct": 40}
    )
    assert outcome.kind is OutcomeKind.VERIFIED


@pytest.mark.parametrize("color", [{"color_name": "Black"}, {"rgb_color": [0, 0, 0]}])
async def test_black_is_no_colour_of_a_light(house, color):
    lamp = Light("Lamp")
    lamp._attr_supported_color_modes = {ColorMode.RGB}
    await house.async_furnish(lamp)
    with pytest.raises(HomeError, match="No light is black: leave the colour out"):
        await house.async_do("Lamp", "turn_on", color)
    assert house.hass.states.get("light.lamp").state == "off"


@pytest.mark.parametrize(
    ("thing", "toggle", "ways"),
    [
        (Light("Lamp"), "toggle", ("turn_on", "turn_off")),
        (FastCover("Blind"), "cover.toggle", ("open_cover", "close_cover")),
        (Player("Radio"), "media_play_pause", ("media_pause", "media_play")),
    ],
)
async def test_toggle_is_the_command_that_it_means(house, thing, toggle, ways):
    """It is not documented, but a model may know it from Home Assistant."""
    await house.async_furnish(thing)
    for way in ways:
        assert (await house.async_do(thing.name, toggle)).command == way


# ----------------------------------------------------------------- components


async def test_the_component_is_the_one_that_has_the_command(house):
    lamp = Light("Desk Lamp", device="Desk")
    plug = Plug("Desk Plug", device="Desk")
    blind = FastCover("Desk Blind", device="Desk")
    await house.async_furnish(lamp, plug, blind)
    outcome = await house.async_do("Desk", "open_cover")
    assert outcome.component_id == "cover.desk_blind"
    assert "Blind" in outcome.device_name
    with pytest.raises(HomeError, match="Several components of Desk have turn_on"):
        await house.async_do("Desk", "turn_on")
    accepting = r"without `component`: light\.desk_lamp \(Lamp\)\.$"
    with pytest.raises(HomeError, match=accepting):
        await house.async_do("Desk", "turn_on", {"brightness_pct": 40})
    assert lamp.calls == []
    listing = await house.inventory.async_listing(HOUSEHOLD)
    dim = Command(device_id="Desk", name="turn_on", arguments={"brightness_pct": 40})
    for said, is_clear in (("dim the lamps", True), ("plug", False), ("lamp and plug", False)):
        with nullcontext() if is_clear else pytest.raises(HomeError, match="Several components"):
            assert (await house.finder.async_find(listing, dim, said)).capability == "light"
    outcome = await house.async_do("Desk", "turn_on", component="switch.desk_plug")
    assert plug.calls
    assert lamp.calls == []
    outcome = await house.async_do("light.desk_lamp", "turn_on")
    assert lamp.calls
    with pytest.raises(HomeError, match="no component"):
        await house.async_do("Desk", "turn_on", component="siren.desk")
    with pytest.raises(HomeError, match="no command fly"):
        await house.async_do("Desk", "fly")
    found = await house.finder.async_find(
        listing, Command(device_id="Desk", name="turn_on", capability="light")
    )
    assert found.component_id == "light.desk_lamp"
    with pytest.raises(HomeError, match="no capability siren"):
        await house.finder.async_find(
            listing, Command(device_id="Desk", name="turn_on", capability="siren")
        )


# -------------------------------------------------------------------- answers


async def test_an_action_that_only_answers_is_a_read(house):
    radio, secret = Player("Radio"), Player("Secret")
    await house.async_furnish(radio, secret)
    house.expose(secret.entity_id, exposed=False)

    async def answer(call):
        return {"list": ["one", secret.entity_id], "long": ["x" * 3000, "y" * 3000]}

    house.hass.services.async_register(
        "media_player", "get_queue", answer, supports_response=SupportsResponse.ONLY
    )
    outcomes = await house.pipeline.async_execute(
        Asking(), [prepared("media_player.radio", "get_queue")]
    )
    assert outcomes[0].kind is VERIFIED
    assert outcomes[0].is_read
    assert "one" in outcomes[0].response
    assert secret.entity_id not in outcomes[0].response
    assert "more characters" in outcomes[0].response
    assert await house.async_say(outcomes[0]) == "The command for X worked."


async def test_an_action_that_may_answer_is_sent_for_each_entity(house):
    await house.async_furnish(Player("Radio"), Player("Hifi"))
    targets = []

    async def answer(call):
        targets.append(call.data["entity_id"])
        return {"at": datetime(2026, 3, 3, tzinfo=UTC), "count": len(targets)}

    house.hass.services.async_register(
        "media_player", "sync", answer, supports_response=SupportsResponse.OPTIONAL
    )
    outcomes = await house.pipeline.async_execute(
        Asking(), [prepared("media_player.radio", "sync"), prepared("media_player.hifi", "sync")]
    )
    assert sorted(targets) == ["media_player.hifi", "media_player.radio"]
    assert sorted(json.loads(each.response)["count"] for each in outcomes) == [1, 2]
    assert not any(each.is_read for each in outcomes)


async def test_an_action_that_fails_to_answer_is_a_failed_read(house):
    await house.async_furnish(Player("Radio"))

    async def answer(call):
        raise ValueError("no queue")

    house.hass.services.async_register(
        "media_player", "get_queue", answer, supports_response=SupportsResponse.ONLY
    )
    outcomes = await house.pipeline.async_execute(
        Asking(), [prepared("media_player.radio", "get_queue")]
    )
    assert outcomes[0].kind is OutcomeKind.FAILED
    assert outcomes[0].is_read
