"""Documentation and values of SmartThings devices, as the model gets them on its way."""

from benchmark.simulator.request_log import RequestKind
from custom_components.sage.agent.loop import REPEATED
from tests.decisions import NATIVE, step
from tests.end_to_end.conftest import Sage
from tests.smartthings_home import SmartThings

from .story import carried_out, index, observed

FRAME = "the_frame"
FRAME_CAPABILITIES = (
    "tvChannel, mediaTrackControl, custom.launchapp, custom.tvsearch, custom.recording, "
    "samsungvd.ambient, samsungvd.ambientContent, samsungvd.remoteControl, samsungvd.art, "
    "samsungvd.pictureMode, samsungvd.soundMode"
)
OVERVIEW = (
    "the_frame (Office) component main: name those that you need to get their documentation: "
    f"{FRAME_CAPABILITIES}"
)


async def looked_up(sage: Sage, *calls: tuple[str, dict[str, object]]) -> list[str]:
    """Let the model call tools one after the other; return what it observed."""
    await carried_out(
        sage,
        "please look it up",
        [step("command", FRAME, capabilities=("tvChannel",))],
        *(NATIVE.call(tool, **given) for tool, given in calls),
        NATIVE.finish("could_not", "That is all."),
        conversation_id=None,
    )
    return observed(sage)


def documentation(*devices: str, **more: object) -> tuple[str, dict[str, object]]:
    return "api_documentation", {"devices": [*devices], **more}


def reading(device: str, *attributes: str) -> tuple[str, dict[str, object]]:
    return "read_attributes", {"devices": [device], "attributes": [*attributes]}


async def test_overview_first_then_what_is_named(smart_sage: Sage) -> None:
    """Eleven capabilities take one line; the two named ones are documented in full."""
    overview, named = await looked_up(
        smart_sage,
        documentation(FRAME),
        documentation(FRAME, capabilities=["pictureMode", "samsungvd.art"]),
    )
    assert OVERVIEW in overview.splitlines()
    assert "media_player (TV):\n" in overview
    assert "setTvChannel" not in overview
    assert "samsungvd.art" in named
    assert "the_frame (Office) component main: " in named
    assert "setArtOn()" in named
    assert "pictureMode Standard" in named
    assert "supportedPictureModes [" in named
    assert "setPictureMode(mode: text)" in named
    assert "media_player" not in named
    assert "tvChannel" not in named


async def test_index_has_what_entities_do_not_serve(smart_sage: Sage) -> None:
    """Each device is a line; the capabilities behind its entities stand at its end."""
    await looked_up(smart_sage, documentation(FRAME))
    lines = index(smart_sage).splitlines()
    frame = next(line for line in lines if line.startswith("- the_frame: "))
    assert frame.endswith(f"; smartthings main (television): {FRAME_CAPABILITIES}")
    fridge = next(line for line in lines if line.startswith("- refrigerator: "))
    assert "smartthings cvroom: temperatureMeasurement, thermostatCoolingSetpoint" in fridge
    # Disabled parts and capabilities are not there, nor what goes round every check.
    for absent in ("pantry", "scale-10", "fridgeWelcomeLighting", "execute", "ocf", "lightControl"):
        assert absent not in fridge
        assert absent not in frame
    assert "light_strip: light" in index(smart_sage)


async def test_capability_of_one_part(smart_sage: Sage) -> None:
    """With its part before it, a name means one of three; the full name no namesake."""
    part, own, makers = await looked_up(
        smart_sage,
        documentation("refrigerator", capabilities=["freezer thermostatCoolingSetpoint"]),
        documentation("samsung_8_series", capabilities=["mediaInputSource"]),
        documentation("samsung_8_series", capabilities=["samsungvd.mediaInputSource"]),
    )
    assert "refrigerator (Kitchen) component freezer: " in part
    assert "coolingSetpointRange {minimum: -23, maximum: -15" in part
    assert "setCoolingSetpoint(setpoint: number in °C)" in part
    assert "cooler" not in part
    assert own.startswith("mediaInputSource")
    assert "samsungvd" not in own
    assert makers.startswith("samsungvd.mediaInputSource")


async def test_documentation_is_fetched_once(smart_sage: Sage, smartthings: SmartThings) -> None:
    cloud = smartthings.cloud
    path = "/v1/capabilities/samsungvd.pictureMode/1"
    asked = documentation(FRAME, capabilities=["samsungvd.pictureMode"])
    first, second = await looked_up(smart_sage, asked, asked)
    second = second.removesuffix(f"\n{REPEATED}")
    assert first == second
    assert cloud.count("GET", path) == 1
    (third,) = await looked_up(smart_sage, asked)
    assert third == first
    assert cloud.count("GET", path) == 1


async def test_attributes_by_name(smart_sage: Sage, smartthings: SmartThings) -> None:
    """Values come from what the devices reported: no request, and no old values."""
    cloud = smartthings.cloud
    await smartthings.async_change("fridge", "cooler", "contactSensor", "contact", "open")
    cloud.forget_requests()
    tv, fridge, setpoints, both, unknown = await looked_up(
        smart_sage,
        reading("samsung_8_series", "tvChannel", "tvChannelName"),
        reading("refrigerator", "contact", "vacationMode"),
        reading("refrigerator", "coolingSetpoint"),
        reading("dishwasher", "operatingState", "washingCourse"),
        reading("refrigerator", "colour"),
    )
    assert tv == "samsung_8_series (Living room) main tvChannel: tvChannel 4, tvChannelName BBC"
    assert fridge.splitlines() == [
        "refrigerator (Kitchen) main contactSensor: contact open",
        "refrigerator (Kitchen) main samsungce.fridgeVacationMode: vacationMode off",
        "refrigerator (Kitchen) cooler contactSensor: contact open",
        "refrigerator (Kitchen) freezer contactSensor: contact closed",
        "refrigerator (Kitchen) cvroom contactSensor: contact closed",
    ]
    assert "freezer thermostatCoolingSetpoint: coolingSetpoint -18 °C" in setpoints
    assert "samsungce.dishwasherOperation: operatingState ready" in both
    assert "samsungce.dishwasherWashingCourse: washingCourse normal" in both
    assert unknown.startswith("Error: refrigerator has no attribute colour.")
    assert cloud.count_kind(RequestKind.STATUS, RequestKind.COMMANDS) == 0
