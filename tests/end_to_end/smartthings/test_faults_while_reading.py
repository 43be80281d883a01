"""The cloud fails while values or definitions are fetched: answers come all the same."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from homeassistant.config_entries import ConfigEntryState
from homeassistant.core import HomeAssistant
from homeassistant.helpers import issue_registry as ir

from benchmark.simulator.cloud import SimulatedCloud
from benchmark.simulator.request_log import RequestKind
from benchmark.smartthings_home import mirror_of
from custom_components.sage.const import DOMAIN
from custom_components.sage.home.smartthings import definitions
from tests.decisions import NATIVE, step
from tests.end_to_end.conftest import Sage
from tests.smartthings_home import SmartThings

from .conftest import MakeSmartSage
from .failing_home import CHANNEL, KANAL, LONGEST, FailingHome

type Begin = Callable[[SimulatedCloud, RequestKind | None], object]

FAULTS: dict[str, Begin] = {
    "401": lambda cloud, kind: cloud.faults.refuse_token(kind),
    "402": lambda cloud, kind: cloud.faults.demand_payment(kind),
    "403": lambda cloud, kind: cloud.faults.forbid(kind),
    "404": lambda cloud, kind: cloud.faults.lose(kind),
    "409": lambda cloud, kind: cloud.faults.refuse_state(kind),
    "429": lambda cloud, kind: cloud.faults.limit_rate(kind),
    "500": lambda cloud, kind: cloud.faults.fail(kind),
    "hang": lambda cloud, kind: cloud.faults.hang(kind),
    "broken": lambda cloud, kind: cloud.faults.break_connection(kind),
    "garbage": lambda cloud, kind: cloud.faults.answer_garbage(kind),
}


@pytest.fixture
def hasty_cloud(monkeypatch: pytest.MonkeyPatch) -> None:
    """Set a timeout of two seconds for requests."""
    monkeypatch.setattr(definitions, "LONGEST_WAIT", 2)


@pytest.fixture
async def home(smart_sage: Sage, smartthings: SmartThings, hasty_cloud: None) -> FailingHome:
    mirror_of(smart_sage.entry.runtime_data.home).client.timeout = 2
    await smartthings.async_change(KANAL.label, *KANAL.place, KANAL.before)
    return FailingHome(smart_sage, smartthings)


async def ask(home: FailingHome, *decisions: Any) -> str:
    """Ask which channel is on; the planner has it read at once."""
    said = "which channel is on in the living room?"
    home.sage.model_says(
        *NATIVE.planned(said, step("read", CHANNEL.device, capabilities=("tvChannel",))),
        *decisions,
        NATIVE.finish("answered", "Channel 4 is on, as far as I know."),
    )
    async with asyncio.timeout(LONGEST):
        return await home.sage.hear(said, language="en")


def plan_of(home: FailingHome) -> str:
    """Return the plan with all that was read or documented for it."""
    return str(home.sage.server.completions[2].messages[1]["content"])


async def lose_track(home: FailingHome) -> None:
    """Reopen the event stream: events in between are lost."""
    before = home.smartthings.entry.data["subscription_id"]
    home.cloud.stream.say_goodbye()
    await home.smartthings.async_resubscribed(before)


@pytest.mark.parametrize("begin", FAULTS.values(), ids=FAULTS)
async def test_values_that_cannot_be_fetched(home: FailingHome, begin: Begin) -> None:
    await lose_track(home)
    begin(home.cloud, RequestKind.STATUS)
    read = NATIVE.call("read_attributes", devices=[CHANNEL.device], attributes=["tvChannel"])
    assert await ask(home, read) == "Channel 4 is on, as far as I know."
    assert "main tvChannel: tvChannel 4 (may be out of date)" in plan_of(home)
    assert "tvChannel 4 (may be out of date)" in home.observation()
    asked = home.cloud.count_kind(RequestKind.STATUS)

    assert await home.hear(CHANNEL) == CHANNEL.claim
    assert (
        "component main: tvChannel 4, tvChannelName BBC\nvalues may be out of date\ncommands:\n"
    ) in plan_of(home)
    assert home.observation() == CHANNEL.observed("verified; tvChannel 4 -> 7.")
    assert home.posts == 1
    assert home.cloud.count_kind(RequestKind.STATUS) == asked, "asked though it had just failed"

    home.cloud.faults.clear()
    await home.assert_serves()
    assert "out of date" not in plan_of(home)


async def test_values_are_fetched_again_when_the_cloud_has_had_its_rest(home: FailingHome) -> None:
    await lose_track(home)
    home.cloud.faults.limit_rate(RequestKind.STATUS, retry_in_millis=1)
    await ask(home)
    assert "(may be out of date)" in plan_of(home)
    home.cloud.faults.clear()
    await ask(home)
    assert "main tvChannel: tvChannel 4, " in plan_of(home)


UNKNOWN = (
    "Error: SmartThings does not give the definition of {} just now, so the arguments of {} cannot "
    "be checked and nothing was sent. Use an entity of the device, or try again in a minute."
)


@pytest.mark.parametrize("begin", FAULTS.values(), ids=FAULTS)
async def test_definitions_that_cannot_be_fetched(home: FailingHome, begin: Begin) -> None:
    home.hurry(request=2)
    before = home.everything()
    begin(home.cloud, RequestKind.DEFINITION)
    told = UNKNOWN.format("tvChannel", "setTvChannel")
    asked = None
    for wish, language, values, nothing in (
        (CHANNEL, "en", "tvChannel 4, tvChannelName BBC", "I have not changed anything."),
        (KANAL, "de", "tvChannel 11", "Ich habe nichts geändert."),
    ):
        heard = await home.hear(wish, tries=2, language=language)
        assert heard == nothing
        assert (
            f"component main: {values}\n"
            "the definition is not known yet: names are right, arguments are not known\ncommands:\n"
        ) in plan_of(home)
        assert home.observation() == told
        asked = asked or home.cloud.count_kind(RequestKind.DEFINITION)
    assert home.cloud.count_kind(RequestKind.DEFINITION) == asked, "asked though it had failed"
    assert await ask(home) == "Channel 4 is on, as far as I know."
    assert "main tvChannel: tvChannel 4, " in plan_of(home)
    assert home.posts == 0
    assert home.everything() == before


async def test_a_command_without_arguments_needs_no_definition(home: FailingHome) -> None:
    home.cloud.faults.fail(RequestKind.DEFINITION)
    said = "start the dishwasher"
    home.sage.model_says(
        *NATIVE.planned(
            said, step("command", "dishwasher", capabilities=("samsungce.dishwasherOperation",))
        ),
        NATIVE.execute("dishwasher", command="samsungce.dishwasherOperation.start"),
        *[NATIVE.finish("acted", "It is running.")] * 2,
    )
    assert await home.sage.hear(said, language="en") == "It is running."
    # Only the definition says what would prove it.
    assert "(main) start(): sent, cannot be observed" in home.observation()
    assert home.posts == 1


def limit_shortly(cloud: SimulatedCloud, kind: RequestKind | None) -> object:
    return cloud.faults.limit_rate(kind, retry_in_millis=1)


@pytest.mark.parametrize("kind", [RequestKind.STATUS, RequestKind.DEFINITION, None])
@pytest.mark.parametrize("begin", [limit_shortly, FAULTS["500"], FAULTS["hang"]])
async def test_set_up_while_the_cloud_fails(
    hass: HomeAssistant,
    hasty_cloud: None,
    smartthings: SmartThings,
    make_smart_sage: MakeSmartSage,
    begin: Begin,
    kind: RequestKind | None,
) -> None:
    begin(smartthings.cloud, kind)
    async with asyncio.timeout(LONGEST):
        sage = await make_smart_sage()
    assert sage.entry.state is ConfigEntryState.LOADED
    assert [each for each in ir.async_get(hass).issues.values() if each.domain == DOMAIN] == []
    home = FailingHome(sage, smartthings)
    home.hurry(wait=2, request=2)
    assert await ask(home) == "Channel 4 is on, as far as I know."
    is_old = " (may be out of date)" if kind is not RequestKind.DEFINITION else ""
    assert f"main tvChannel: tvChannel 4{is_old}, " in plan_of(home)
    smartthings.cloud.faults.clear()
    await home.assert_serves()
