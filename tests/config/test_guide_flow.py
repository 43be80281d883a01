"""Adding and changing a TV guide and the weather of other places."""

from pathlib import Path
from typing import Any

import pytest
from homeassistant.config_entries import SOURCE_USER
from homeassistant.core import HomeAssistant
from homeassistant.helpers import issue_registry as ir
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.sage.const import DOMAIN
from custom_components.sage.diagnostics import async_get_config_entry_diagnostics
from tests.end_to_end.conftest import Sage, decision_format, demo_home, make_sage, sage
from tests.guide_house import GuideSource, async_add_guide, async_add_subentry, guide_source, on_air

__all__ = ["decision_format", "demo_home", "guide_source", "make_sage", "sage"]


async def submit(
    hass: HomeAssistant, entry: MockConfigEntry, kind: str, **given: Any
) -> dict[str, Any]:
    """Fill in the form of a new subentry; return the result."""
    flows = hass.config_entries.subentries
    form = await flows.async_init((entry.entry_id, kind), context={"source": SOURCE_USER})
    assert form["step_id"] == "user"
    result = await flows.async_configure(form["flow_id"], given)
    await hass.async_block_till_done(wait_background_tasks=True)
    return dict(result)


def file_of(hass: HomeAssistant, subentry_id: str) -> Path:
    return Path(hass.config.cache_path("sage", "guides", f"{subentry_id}.db"))


def put(hass: HomeAssistant, content: bytes) -> str:
    """Put a guide where Home Assistant may read it; return its path."""
    folder = Path(hass.config.path("www"))
    folder.mkdir(exist_ok=True)
    hass.config.allowlist_external_dirs = {str(folder)}
    path = folder / "guide.xml"
    path.write_bytes(content)
    return str(path)


def guide_id(sage: Sage) -> str:
    subentries = sage.entry.subentries.values()
    return next(each.subentry_id for each in subentries if each.subentry_type == "tv_guide")


async def test_a_guide_is_added_and_read(sage: Sage, guide_source: GuideSource) -> None:
    guide_source.show(on_air("bbc1.uk", "EastEnders"))
    result = await submit(
        sage.hass,
        sage.entry,
        "tv_guide",
        name="Freeview",
        source=f" {guide_source.url} ",
        channel_numbers="BBC One = 1\n\nChannel 4=4",
    )
    assert (result["type"], result["title"]) == ("create_entry", "Freeview")
    assert result["data"]["source"] == guide_source.url
    (guide,) = sage.entry.runtime_data.external.guides
    (bbc,) = await guide.async_channels("1")
    assert bbc.id == "bbc1.uk"


@pytest.mark.parametrize(
    ("given", "errors"),
    [
        ({"source": "guide.xml"}, {"source": "source_invalid"}),
        ({"source": "ftp://example.com/guide.xml"}, {"source": "source_invalid"}),
        ({"source": "http://[bad"}, {"source": "source_invalid"}),
        ({"source": "/etc/passwd"}, {"source": "path_not_allowed"}),
        ({"source": "http://127.0.0.1:9/guide.xml"}, {"source": "source_unreachable"}),
        ({"channel_numbers": "BBC One 101"}, {"channel_numbers": "channel_numbers_invalid"}),
    ],
)
async def test_what_is_wrong_is_shown_at_its_field(
    sage: Sage, guide_source: GuideSource, given: dict[str, Any], errors: dict[str, str]
) -> None:
    fields = {"name": "TV", "source": guide_source.url, **given}
    result = await submit(sage.hass, sage.entry, "tv_guide", **fields)
    assert (result["type"], result["errors"]) == ("form", errors)


async def test_a_server_that_refuses_and_a_file_that_is_not_there(
    hass: HomeAssistant, sage: Sage, guide_source: GuideSource
) -> None:
    guide_source.status = 403
    fields = {"name": "TV", "source": guide_source.url}
    result = await submit(hass, sage.entry, "tv_guide", **fields)
    assert result["errors"] == {"source": "source_refused"}
    path = put(hass, b"")
    result = await submit(hass, sage.entry, "tv_guide", **{**fields, "source": f"{path}.gz"})
    assert result["errors"] == {"source": "no_such_file"}


async def test_a_broken_guide_is_an_issue_until_it_can_be_read(
    hass: HomeAssistant, sage: Sage, guide_source: GuideSource
) -> None:
    guide_source.content = b"<html></html>"
    guide = await async_add_guide(hass, sage.entry, guide_source)
    issues, name = ir.async_get(hass), f"tv_guide_not_read_{guide_id(sage)}"
    issue = issues.async_get_issue(DOMAIN, name)
    assert issue is not None
    assert issue.translation_placeholders is not None
    assert "not XMLTV" in issue.translation_placeholders["error"]
    guide_source.show(on_air("bbc1.uk", "EastEnders"))
    await guide.async_refresh()
    assert issues.async_get_issue(DOMAIN, name) is None


async def test_the_file_of_a_removed_guide_is_deleted(
    hass: HomeAssistant, sage: Sage, guide_source: GuideSource
) -> None:
    guide_source.show(on_air("bbc1.uk", "EastEnders"))
    await async_add_guide(hass, sage.entry, guide_source)
    path = file_of(hass, guide_id(sage))
    assert await hass.async_add_executor_job(path.exists)
    hass.config_entries.async_remove_subentry(sage.entry, guide_id(sage))
    await hass.async_block_till_done(wait_background_tasks=True)
    assert not sage.entry.runtime_data.external.guides
    assert not await hass.async_add_executor_job(path.exists)


async def test_changing_a_guide_keeps_what_was_read(sage: Sage, guide_source: GuideSource) -> None:
    guide_source.show(on_air("bbc1.uk", "EastEnders"))
    await async_add_guide(sage.hass, sage.entry, guide_source)
    flow = await sage.entry.start_subentry_reconfigure_flow(sage.hass, guide_id(sage))
    requests = guide_source.requests
    result = await sage.hass.config_entries.subentries.async_configure(
        flow["flow_id"],
        {"name": "TV", "source": guide_source.url, "channel_numbers": "BBC One = 1"},
    )
    assert result["reason"] == "reconfigure_successful"
    await sage.hass.async_block_till_done(wait_background_tasks=True)
    (after,) = sage.entry.runtime_data.external.guides
    assert [each.id for each in await after.async_channels("1")] == ["bbc1.uk"]
    # The form looks whether the address answers; the guide itself is not fetched again.
    assert guide_source.requests == requests + 1


async def test_the_weather_of_other_places_is_added_once(hass: HomeAssistant, sage: Sage) -> None:
    result = await submit(hass, sage.entry, "weather")
    assert (result["type"], result["title"]) == ("create_entry", "Open-Meteo")
    assert sage.entry.runtime_data.external.place_weather is not None
    flows = hass.config_entries.subentries
    again = await flows.async_init(
        (sage.entry.entry_id, "weather"), context={"source": SOURCE_USER}
    )
    assert (again["type"], again["reason"]) == ("abort", "already_configured")


async def test_passwords_in_the_address_stay_out_of_diagnostics_and_issues(
    hass: HomeAssistant, sage: Sage, guide_source: GuideSource, caplog: pytest.LogCaptureFixture
) -> None:
    guide_source.status = 403
    address = guide_source.url.replace("http://", "http://anna:hunter2@") + "?key=hunter2"
    await async_add_subentry(hass, sage.entry, "tv_guide", {"source": address})
    await hass.async_block_till_done(wait_background_tasks=True)
    issues = [each for each in ir.async_get(hass).issues.values() if each.domain == DOMAIN]
    assert any("403" in str(each.translation_placeholders) for each in issues)
    assert "hunter2" not in str(issues)
    assert "hunter2" not in str(await async_get_config_entry_diagnostics(hass, sage.entry))
    ours = [each for each in caplog.records if "sage" in each.name]
    assert "hunter2" not in str([each.getMessage() for each in ours])
