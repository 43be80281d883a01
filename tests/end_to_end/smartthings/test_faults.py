"""Whatever goes wrong in the cloud during a raw command.

The model gets one sentence with the cause and what to do, the person a true answer even
when the model claims something else, the command is posted once even when the model tries
it again, nothing waits for ever, and the rest of the home is as it was.
"""

from collections.abc import Callable
from dataclasses import dataclass

import pytest

from benchmark.simulator.cloud import SimulatedCloud
from benchmark.simulator.request_log import RequestKind

from .failing_home import CHANNEL, COURSE, KANAL, PROGRAMM, FailingHome, Wish

# ------------------------------------------------------------- what is refused


@dataclass(frozen=True, slots=True, kw_only=True)
class Trouble:
    """Something that keeps a command from being done, and what is said of it."""

    begin: Callable[[SimulatedCloud], object]
    told: str  # the sentence for the model
    en: str
    de: str


REFUSED = {
    "401": Trouble(
        begin=lambda cloud: cloud.faults.refuse_token(RequestKind.COMMANDS),
        told="SmartThings no longer accepts the sign-in of Home Assistant, so nothing was done: "
        "do not try again; tell the person to sign in to SmartThings again under Settings, "
        "Devices & services.",
        en="I can't use {} because SmartThings no longer accepts Home Assistant's sign-in. Please "
        "sign in to SmartThings again in the Home Assistant settings.",
        de="Ich kann {} nicht bedienen, weil SmartThings die Anmeldung von Home Assistant nicht "
        "mehr annimmt. Bitte melde dich in den Einstellungen von Home Assistant neu bei "
        "SmartThings an.",
    ),
    "402": Trouble(
        begin=lambda cloud: cloud.faults.demand_payment(),
        told="The person's SmartThings plan does not cover this or its monthly calls are used "
        "up, so nothing was done: use an entity of the device if one does it, and tell the "
        "person.",
        en="I did not change {}. Your SmartThings plan does not include this command, or its "
        "commands for this month are used up.",
        de="Bei {} habe ich nichts geändert. Dein SmartThings-Tarif enthält diesen Befehl "
        "nicht, oder deine Befehle für diesen Monat sind verbraucht.",
    ),
    "403": Trouble(
        begin=lambda cloud: cloud.faults.forbid(),
        told="SmartThings does not accept the command (403: Forbidden), so nothing was done: look "
        "the documentation up again and correct the command, or tell the person that the "
        "SmartThings account may not use this device any more.",
        en="SmartThings did not accept the command for {}, so I did not change it.",
        de="SmartThings hat den Befehl für {} nicht angenommen, deshalb habe ich dort nichts "
        "geändert.",
    ),
    "409": Trouble(
        begin=lambda cloud: cloud.faults.refuse_state(),
        told="The device cannot do it in its present state (409: invalid device state), so "
        "nothing was done: it may be off, asleep or busy, so check its values, switch it on if "
        "that is wanted, or tell the person.",
        en="{} can't do that right now. It may be off or busy. I did not change it.",
        de="{} kann das gerade nicht. Vielleicht ist das Gerät aus oder beschäftigt. Ich habe "
        "dort nichts geändert.",
    ),
    "429": Trouble(
        begin=lambda cloud: cloud.faults.limit_rate(retry_in_millis=290_500),
        told="SmartThings allows no more commands for this device just now, so nothing was done: "
        "it can be tried again in 291 s, so tell the person to ask again then.",
        en="SmartThings accepts no more commands for {} right now. Please try again in 291 "
        "seconds.",
        de="SmartThings nimmt für {} gerade keine weiteren Befehle an. Bitte versuche es in 291 "
        "Sekunden noch einmal.",
    ),
    "failed": Trouble(
        begin=lambda cloud: setattr(cloud, "result_status", "FAILED"),
        told="SmartThings reports that the device did not carry it out: tell the person, and "
        "check the values of the device before another try.",
        en="SmartThings reports that {} did not carry out the command.",
        de="SmartThings meldet, dass {} den Befehl nicht ausgeführt hat.",
    ),
}


@pytest.mark.parametrize("trouble", REFUSED.values(), ids=REFUSED)
async def test_a_command_that_is_refused(home: FailingHome, trouble: Trouble) -> None:
    before = home.everything()
    trouble.begin(home.cloud)
    failed = f"FAILED. {trouble.told}"
    assert ". " not in trouble.told

    assert await home.hear(CHANNEL) == trouble.en.format("Samsung 8 Series")
    assert home.observation() == CHANNEL.observed(failed)
    assert home.posts == 1

    heard = await home.hear(KANAL, kind="answered", language="de")
    assert heard == trouble.de.format("The Frame")
    assert home.observation() == KANAL.observed(failed)
    assert home.posts == 2

    heard = await home.hear(PROGRAMM, language="de")
    assert heard == trouble.de.format("Dishwasher")
    assert home.observation() == PROGRAMM.observed(failed)
    assert home.posts == 3

    heard = await home.hear(COURSE, kind="could_not")
    assert heard == trouble.en.format("Dishwasher")
    assert home.observation() == COURSE.observed(failed)
    assert home.posts == 4

    home.cloud.faults.clear()
    home.cloud.result_status = "ACCEPTED"
    assert home.everything() == before
    await home.assert_serves()


async def test_remote_control_that_is_switched_off_without_a_word(home: FailingHome) -> None:
    """Only the cloud knows, and refuses: the answer says so."""
    home.cloud.faults.lose_events()
    home.cloud.set_remote_control("Dishwasher", False)
    heard = await home.hear(COURSE)
    assert heard == REFUSED["409"].en.format("Dishwasher")
    assert home.observation() == COURSE.observed(f"FAILED. {REFUSED['409'].told}")
    assert home.posts == 1


# ------------------------------------------------------------- what is not known


@dataclass(frozen=True, slots=True, kw_only=True)
class Doubt(Trouble):
    """Something after which nobody knows what became of a command."""

    became: str = "NOT CONFIRMED, do not say that it worked"


def unanswered(begin: Callable[[SimulatedCloud], object], told: str) -> Doubt:
    return Doubt(
        begin=begin,
        told=told + TELL,
        en="SmartThings gave no clear answer to the command for {}, so I don't know whether it "
        "arrived. Please check.",
        de="SmartThings hat auf den Befehl für {} keine klare Antwort gegeben, deshalb weiß ich "
        "nicht, ob er angekommen ist. Bitte sieh nach.",
    )


TELL = ": do not send it again; tell the person that it is not confirmed, or read the values later."
SILENT = "SmartThings did not answer in time, so whether the command arrived is not known"
BROKE = "The connection to SmartThings broke, so whether the command arrived is not known"
GARBAGE = "The answer of SmartThings cannot be read, so whether the command arrived is not known"
DOUBTS = {
    "hang": unanswered(lambda cloud: cloud.faults.hang(), SILENT),
    "everything hangs": unanswered(
        lambda cloud: cloud.faults.hang([RequestKind.COMMANDS, RequestKind.STATUS]), SILENT
    ),
    "broken": unanswered(lambda cloud: cloud.faults.break_connection(is_carried_out=False), BROKE),
    "garbage": unanswered(lambda cloud: cloud.faults.answer_garbage(is_carried_out=False), GARBAGE),
    "500": Doubt(
        begin=lambda cloud: cloud.faults.fail(),
        became="FAILED",
        told="SmartThings reports a fault of its own (500: unsuccessful-http-call status=424) and "
        "nothing has changed at the device: do not send the command again; tell the person to "
        "try later.",
        en="SmartThings reports an internal error, and {} has not changed. Please try again later.",
        de="SmartThings meldet einen internen Fehler, und bei {} hat sich nichts geändert. Bitte "
        "versuche es später noch einmal.",
    ),
    "accepted and nothing more": Doubt(
        begin=lambda cloud: cloud.faults.lose_events(state_changes=False),
        told="SmartThings accepted it, but the device has not reported it" + TELL,
        en="SmartThings accepted the command for {}, but I saw no effect.",
        de="SmartThings hat den Befehl für {} angenommen, aber ich konnte keine Wirkung sehen.",
    ),
}


@pytest.mark.parametrize("doubt", DOUBTS.values(), ids=DOUBTS)
async def test_a_command_that_nobody_knows_of(home: FailingHome, doubt: Doubt) -> None:
    before = home.everything()
    home.hurry(request=2)
    doubt.begin(home.cloud)
    assert ". " not in doubt.told

    def became(wish: Wish) -> str:
        return wish.observed(f"{doubt.became}; {wish.attribute} {wish.before}. {doubt.told}")

    assert await home.hear(CHANNEL) == doubt.en.format("Samsung 8 Series")
    assert home.observation() == became(CHANNEL)
    assert home.posts == 1

    assert await home.hear(KANAL, kind="answered", language="de") == doubt.de.format("The Frame")
    assert home.observation() == became(KANAL)
    assert home.posts == 2

    assert await home.hear(COURSE) == doubt.en.format("Dishwasher")
    assert home.observation() == became(COURSE)
    assert home.posts == 3

    home.cloud.faults.clear()
    assert home.everything() == before
    await home.assert_serves()


# ------------------------------------------------------------- what is done all the same


DONE: dict[str, Callable[[SimulatedCloud], object]] = {
    "hang": lambda cloud: cloud.faults.hang(is_carried_out=True),
    "broken": lambda cloud: cloud.faults.break_connection(),
    "garbage": lambda cloud: cloud.faults.answer_garbage(),
    "500": lambda cloud: cloud.faults.fail(is_carried_out=True),
    "completed": lambda cloud: setattr(cloud, "result_status", "COMPLETED"),
    "event late": lambda cloud: cloud.faults.delay_events(0.1, state_waits=True),
    "event never": lambda cloud: cloud.faults.lose_events(),
    "goodbye": lambda cloud: cloud.stream.say_goodbye(),
    "silence": lambda cloud: cloud.stream.fall_silent(),
    "duplicates": lambda cloud: setattr(cloud.stream, "copies", 3),
}


@pytest.mark.parametrize("begin", DONE.values(), ids=DONE)
async def test_a_command_that_is_done_all_the_same(
    home: FailingHome, begin: Callable[[SimulatedCloud], object]
) -> None:
    _, before = home.everything()
    home.hurry(wait=1, request=2)
    begin(home.cloud)
    for posts, (wish, language) in enumerate(
        ((CHANNEL, "en"), (KANAL, "de"), (COURSE, "en")), start=1
    ):
        assert await home.hear(wish, language=language) == wish.claim
        name, value = wish.argument
        assert home.observation().startswith(
            wish.observed(f"verified; {wish.attribute} {wish.before} -> {value}.")
        ), name
        assert home.posts == posts
        assert home.status(wish) == value

    home.cloud.faults.clear()
    home.cloud.stream.speak_again()
    _, after = home.everything()
    changed = {
        (device, place[1])
        for device, values in after.items()
        for place, value in values.items()
        if value != before[device][place]
    }
    # Another course takes another time.
    assert {each for each in changed if each[0] != "dishwasher"} == {
        ("tv_credenza", "tvChannel"),
        ("tv_frame", "tvChannel"),
    }
    await home.assert_serves()


async def test_an_event_that_comes_after_all_waiting(home: FailingHome) -> None:
    """The answer promises nothing; the device does it later."""
    home.hurry()
    home.cloud.faults.delay_events(state_waits=True)
    said = "SmartThings accepted the command for Samsung 8 Series, but I saw no effect."
    assert await home.hear(CHANNEL) == said
    home.cloud.release_events()
    await home.smartthings.async_settle()
    assert home.status(CHANNEL) == "7"
