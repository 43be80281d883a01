"""What every story has in common, in whatever home it happens."""

from dataclasses import replace

from .clock import Clock
from .household import Household
from .stories import Story


async def asked_for(household: Household, story: Story, user_id: str | None = None) -> None:
    """Create the routine while its condition is false; nothing happens."""
    household.sage.model_says()
    await story.ends(household)
    await household.rest()
    done = household.done
    heard = await household.ask_for(story.wish, user_id)
    assert heard.startswith("All right."), heard
    assert (story.promises or story.wish.action) in heard
    assert household.done == done
    assert household.told == []


async def goes_off(household: Household, story: Story, clock: Clock, times: int) -> None:
    """Let it become so, for the so-manieth time, and last for long enough."""
    done, told = household.done, list(household.told)
    if story.lasts:
        await household.stays_calm(
            lambda: story.begins(household), lambda: clock.pass_by(minutes=story.lasts - 1)
        )
        await household.fires(*story.decides(times), happen=lambda: clock.pass_by(minutes=1.5))
    else:
        await household.fires(*story.decides(times), happen=lambda: story.begins(household))
    assert household.done == [*done, *story.does_each(times)[len(story.does) * (times - 1) :]]
    added = household.told[len(told) :]
    assert len(added) == bool(story.tells) or story.does
    assert story.tells in "\n".join(added)


async def goes_off_without_a_model(household: Household, story: Story) -> None:
    """Let it become so while the model server is stopped; a device action is silent."""
    await asked_for(household, story)
    done = household.done
    await household.sage.server.async_stop()
    await story.begins(household)
    await household.rest()
    assert household.done == [*done, *story.does_each(1)]
    assert household.told == [story.tells] * bool(story.tells)
    (trace,) = household.sage.traces(None)[-1:]
    assert trace["model_calls"] == 0


async def stays_so(household: Household, story: Story, clock: Clock) -> None:
    """Keep the condition true for a while; nothing more happens."""
    await household.stays_calm(
        lambda: story.begins(household), lambda: clock.pass_by(minutes=2 + story.lasts)
    )


async def is_over(household: Household, story: Story, clock: Clock) -> None:
    """Let it be true no more."""
    await household.stays_calm(lambda: story.ends(household), lambda: clock.pass_by(minutes=1))


async def starts_anew(household: Household) -> None:
    """Reload SAGE."""
    household.sage.model_says()
    entry = household.sage.entry
    assert await household.hass.config_entries.async_reload(entry.entry_id)
    await household.rest()
    assert household.sage.model_calls == 0


async def whenever(household: Household, story: Story, clock: Clock) -> None:
    """Nothing before, the action once as long as it lasts, then again, with reloads between."""
    await asked_for(household, story)
    await goes_off(household, story, clock, 1)
    await stays_so(household, story, clock)
    await starts_anew(household)
    await stays_so(household, story, clock)
    await is_over(household, story, clock)
    await starts_anew(household)
    await goes_off(household, story, clock, 2)
    await stays_so(household, story, clock)
    await is_over(household, story, clock)


async def the_next_time(household: Household, story: Story, clock: Clock) -> None:
    """The action after it, and never again."""
    wish = replace(story.wish, polling={**(story.wish.polling or {}), "repeat": "once"})
    story = replace(story, wish=wish)
    await asked_for(household, story)
    await goes_off(household, story, clock, 1)
    assert household.routines.list(None) == ()
    await is_over(household, story, clock)
    await starts_anew(household)
    await stays_so(household, story, clock)
    assert household.routines.list_all() == ()
