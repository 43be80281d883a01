""" "Let me know when Jeopardy starts": from the request to the notification."""

from freezegun.api import TickingDateTimeFactory

from tests.decisions import NATIVE, plan
from tests.end_to_end.routines.clock import Clock
from tests.end_to_end.routines.conftest import clock, hass, household, started_at
from tests.end_to_end.routines.household import Household
from tests.guide_house import GuideSource, async_add_guide, guide_source, on_air

__all__ = ["clock", "guide_source", "hass", "household", "started_at"]

CODE = "def is_jeopardy_on():\n    return is_on_tv('Jeopardy')\n"


async def test_jeopardy_is_announced_once_when_it_starts(
    household: Household,
    clock: Clock,
    started_at: TickingDateTimeFactory,
    guide_source: GuideSource,
) -> None:
    guide_source.show(
        on_air("bbc1.uk", "EastEnders", minutes=120), on_air("abc.us", "Jeopardy!", begins=30)
    )
    await async_add_guide(household.hass, household.sage.entry, guide_source)
    heard = await household.hear(
        "let me know when Jeopardy starts",
        NATIVE.call("condition_code_writing", condition="Jeopardy starts"),
        plan(),
        NATIVE.call("code_execution", function="is_jeopardy_on", code=CODE),
        NATIVE.call(
            "condition_polling",
            function="is_jeopardy_on",
            kind="tell",
            action="Jeopardy is starting.",
            repeat="once",
            final=True,
        ),
    )
    assert heard.startswith("All right.")
    assert "outside your home" not in heard
    assert household.told == []
    await household.stays_calm(lambda: clock.pass_by(minutes=25))
    await household.fires(happen=lambda: clock.pass_by(minutes=7))
    assert household.told == ["Jeopardy is starting."]
