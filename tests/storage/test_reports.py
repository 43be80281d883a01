"""People learn of a damaged file, and how much of it came back."""

from collections.abc import Callable
from pathlib import Path

from homeassistant.auth.models import User
from homeassistant.core import HomeAssistant
from homeassistant.helpers import issue_registry as ir

from custom_components.sage.memory.long_term_memory import FOLDER
from tests.end_to_end.conftest import Sage
from tests.memory_house import remember, texts


def shortened(path: Path) -> None:
    with path.open("r+b") as file:
        file.truncate(path.stat().st_size * 9 // 10)


async def restarted(hass: HomeAssistant, sage: Sage, harm: Callable[[Path], None], path: str):
    """Harm a file while nobody has it open."""
    await hass.async_block_till_done(wait_background_tasks=True)
    await hass.config_entries.async_unload(sage.entry.entry_id)
    await hass.async_add_executor_job(harm, Path(hass.config.path(path)))
    await hass.config_entries.async_setup(sage.entry.entry_id)
    await hass.async_block_till_done(wait_background_tasks=True)


def issues(hass: HomeAssistant, key: str) -> list[ir.IssueEntry]:
    return [each for each in ir.async_get(hass).issues.values() if each.translation_key == key]


async def test_of_a_damaged_memory_it_is_said_how_much_came_back(
    hass: HomeAssistant, sage: Sage, hass_owner_user: User
):
    told = [f"Fact number {number}." for number in range(100)]
    await remember(hass, hass_owner_user, *told)

    await restarted(hass, sage, shortened, f"{FOLDER}/{hass_owner_user.id}.db")

    back = await texts(hass, hass_owner_user)
    assert 0 < len(back) <= 100
    assert set(back) <= set(told)
    (issue,) = issues(hass, "memory_damaged")
    assert issue.translation_placeholders is not None
    assert issue.translation_placeholders["rows"] == str(len(back))
