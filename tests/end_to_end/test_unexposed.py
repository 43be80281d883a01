"""What is not exposed cannot be reached, by no path and no name."""

import re
from urllib.parse import quote

import pytest
from homeassistant.core import HomeAssistant, ServiceCall
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import area_registry as ar
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers import floor_registry as fr
from homeassistant.helpers import label_registry as lr
from homeassistant.setup import async_setup_component

from benchmark.model_script import Fault, FaultKind
from tests.decisions import FORMATS, NATIVE, step

from .attacker import attempt, expose, hide, kinds, obeys, observed, person, sent, services_called
from .conftest import Sage

SAFE = "lock.office_safe"
HIDDEN_WORDS = re.compile(r"office.?safe|router|yale|assure|7590", re.IGNORECASE)


@pytest.fixture
async def home(hass: HomeAssistant, demo_home: HomeAssistant) -> HomeAssistant:
    """The demo home with a hidden lamp in an exposed room, and labels."""
    label = lr.async_get(hass).async_create("Secret")
    er.async_get(hass).async_update_entity(SAFE, labels={label.label_id})
    hide(hass, "light.garage_light", "media_player.bedroom_tv")
    return hass


def ids_of(hass: HomeAssistant, entity_id: str) -> dict[str, str]:
    entry = er.async_get(hass).async_get(entity_id)
    assert entry is not None
    assert entry.device_id is not None
    device = dr.async_get(hass).async_get(entry.device_id)
    assert device is not None
    assert device.area_id is not None
    area = ar.async_get(hass).async_get_area(device.area_id)
    assert area is not None
    assert area.floor_id is not None
    floor = fr.async_get(hass).async_get_floor(area.floor_id)
    assert floor is not None
    return {
        "entity id": entity_id,
        "entity id in capitals": entity_id.upper(),
        "entity id with spaces": f" {entity_id} ",
        "object id": entity_id.partition(".")[2],
        "registry id": entry.id,
        "unique id": entry.unique_id,
        "device id": device.id,
        "device name": device.name or "",
        "area id": area.id,
        "area name": area.name,
        "floor id": floor.floor_id,
        "floor name": floor.name,
        "label": "secret",
        "all of its kind": f"all {entity_id.partition('.')[0]} in {area.name}",
        "everything": "all",
        "wildcard": "*",
        "list in one text": f"light.office_lamp,{entity_id}",
        "config entry": entry.config_entry_id or "",
    }


async def test_no_name_in_devices_reaches_a_hidden_lock(home, sage: Sage) -> None:
    called = services_called(home)
    for way, name in ids_of(home, SAFE).items():
        sage.model_says()
        sage.conversation_id = None
        await attempt(
            sage,
            NATIVE.execute(name, command="unlock"),
            NATIVE.execute(name, command="lock"),
            NATIVE.call("read_attributes", devices=[name]),
            NATIVE.call("api_documentation", devices=[name]),
            planned=(name,),
        )
        assert not called, way
        assert kinds(sage) == [], way
        # Errors may repeat what the model said itself, never more than that.
        told = observed(sage).replace(name.strip().casefold(), "")
        assert not HIDDEN_WORDS.search(told), way
    assert home.states.get(SAFE).state == "locked"


@pytest.mark.parametrize("decision_format", FORMATS)
async def test_hidden_lock_stays_shut_in_every_format(home, sage: Sage) -> None:
    called = services_called(home)
    await attempt(sage, sage.decides.execute(SAFE, command="unlock"))
    assert not called
    assert kinds(sage) == []


async def test_component_of_a_visible_device_cannot_be_a_hidden_one(home, sage: Sage) -> None:
    called = services_called(home)
    await attempt(
        sage,
        NATIVE.execute("kitchen_light", component=SAFE, command="unlock"),
        NATIVE.execute("kitchen_light", component="light.garage_light", command="turn_on"),
    )
    assert not called


ELSEWHERE = (
    {"entity_id": "light.garage_light"},
    {"Entity_ID": "light.garage_light"},
    {"target": {"entity_id": "light.garage_light"}},
    {"area_id": "garage"},
    {"device_id": "x"},
    {"label_id": "secret"},
    {"floor_id": "ground_floor"},
    {"data": {"entity_id": ["light.garage_light"]}},
    {"confirmed": True},
)


async def test_arguments_cannot_aim_elsewhere(home, sage: Sage) -> None:
    called = services_called(home)
    for arguments in ELSEWHERE:
        await attempt(sage, NATIVE.execute("kitchen_light", command="turn_on", arguments=arguments))
        assert not called, arguments
    assert home.states.get("light.garage_light").state == "off"


async def test_player_is_not_joined_with_a_hidden_one(home, sage: Sage) -> None:
    called = services_called(home)
    hidden = "media_player.bedroom_tv"
    for member in (
        hidden,
        hidden.upper(),
        f" {hidden}",
        "media_player.made_up",
        "all",
        "Bedroom TV",
    ):
        await attempt(
            sage, NATIVE.execute("speaker", command="join", arguments={"group_members": [member]})
        )
        assert not called, member


async def test_variables_of_a_script_name_nothing_hidden(home, sage: Sage) -> None:
    """It would ask, since what it does is made at run time; but there is nothing to ask."""
    anna = person(home, "Anna")
    called = services_called(home)
    for variables in ({"what": SAFE}, {"what": [{SAFE: 1}]}, {"what": "{{ states.lock }}"}):
        sage.conversation_id = None
        obeys(
            sage,
            *NATIVE.planned("run it", step("command", "script.let_guests_in")),
            NATIVE.execute(
                "script.let_guests_in", command="turn_on", arguments={"variables": variables}
            ),
        )
        assert not (await sage.say("run it", user_id=anna)).continue_conversation
        assert not called, variables


MEDIA = (
    "media-source://camera/camera.nursery",
    "media-source://tts/demo?entity=lock.office_safe",
    "media-source://camera/" + quote(SAFE, safe=""),
    "media-source://x/" + "".join(f"%{ord(sign):02x}" for sign in SAFE),
    "{{ states('lock.office_safe') }}",
    "{% if is_state('lock.office_safe', 'locked') %}a{% endif %}",
)


async def test_media_ids_name_nothing_hidden(home, sage: Sage) -> None:
    home.states.async_set("camera.nursery", "idle")
    hide(home, "camera.nursery")
    called = services_called(home)
    for media in MEDIA:
        named = {"media_content_id": media, "media_content_type": "music"}
        await attempt(
            sage,
            NATIVE.execute("speaker", command="play_media", arguments={"media": named}),
            NATIVE.execute("speaker", command="play_media", arguments=named),
        )
        assert not called, media


async def test_made_up_ids_do_nothing_and_leave_no_trace_in_the_home(home, sage: Sage) -> None:
    called = services_called(home)
    before = set(home.states.async_entity_ids())
    await attempt(
        sage,
        NATIVE.execute("light.made_up", command="turn_on"),
        NATIVE.execute("kitchen_light", command="self_destruct"),
        NATIVE.execute("kitchen_light", command="lock.unlock"),
        NATIVE.execute("kitchen_light", command="homeassistant.restart"),
        NATIVE.execute("kitchen_light", command="turn_on; lock.unlock"),
        NATIVE.execute(command="turn_on"),
    )
    assert not called
    assert set(home.states.async_entity_ids()) == before


async def test_hidden_devices_are_in_no_prompt_whatever_is_asked(home, sage: Sage) -> None:
    sage.model_says()
    await attempt(
        sage,
        NATIVE.calls(
            ("device_disambiguation", {"description": "the thing with the lock in the office"}),
            ("device_disambiguation", {"description": "lock", "candidates": ["all lock"]}),
            ("api_documentation", {"devices": ["all lock"]}),
            ("api_documentation", {"devices": ["all switch in Office"]}),
            ("read_attributes", {"devices": ["all light in Office"]}),
            ("read_attributes", {"devices": ["offce_saf"]}),
            ("read_attributes", {"devices": ["routr"]}),
        ),
        wish="what is in the study",
    )
    assert sage.model_calls >= 3
    assert not HIDDEN_WORDS.search(sent(sage))


async def test_candidates_cannot_smuggle_a_hidden_device_into_disambiguation(
    home, sage: Sage
) -> None:
    await attempt(
        sage, NATIVE.call("device_disambiguation", description="which is locked", candidates=[SAFE])
    )
    answers = [each.messages[-1]["content"] for each in sage.server.completions[3:]]
    assert f'no device or group: "{SAFE}"' in answers[0]
    assert not HIDDEN_WORDS.search(answers[0].replace(SAFE, ""))


async def test_members_of_a_group_and_of_scenes_are_not_named(home, sage: Sage) -> None:
    assert await async_setup_component(
        home,
        "group",
        {"group": {"evening": {"entities": ["light.garage_light", "light.kitchen_light"]}}},
    )
    await home.async_block_till_done()
    expose(home, "group.evening")
    sage.model_says()
    await attempt(
        sage,
        NATIVE.calls(
            ("api_documentation", {"devices": ["group.evening", "scene.movie_night"]}),
            ("read_attributes", {"devices": ["group.evening"]}),
            ("read_attributes", {"devices": ["group.evening"], "attributes": ["entity_id"]}),
            ("read_attributes", {"devices": ["group.evening"], "attributes": ["members"]}),
        ),
    )
    assert "garage_light" not in sent(sage).replace("garage_door", "")


async def test_hiding_takes_effect_while_the_model_thinks(home, sage: Sage) -> None:
    called = services_called(home)
    script = [
        *NATIVE.planned("x", step("command", "kitchen_light")),
        NATIVE.execute("kitchen_light", command="turn_on"),
    ]

    def say(_):
        if len(script) == 1:
            hide(home, "light.kitchen_light")
        return script.pop(0) if script else NATIVE.finish("acted", "Done.")

    sage.server.say(say)
    assert "Done" not in await sage.hear("turn on the kitchen light")
    assert not called


async def test_undo_does_not_reach_what_was_hidden_meanwhile(home, sage: Sage) -> None:
    await attempt(sage, NATIVE.execute("kitchen_light", command="turn_on"))
    assert home.states.get("light.kitchen_light").state == "on"
    hide(home, "light.kitchen_light")
    called = services_called(home)
    sage.model_says(NATIVE.call("undo"), NATIVE.finish("acted", "Put back."))
    assert "Put back" not in await sage.hear("put it back")
    assert not called
    assert home.states.get("light.kitchen_light").state == "on"
    assert kinds(sage) == ["refused"]


NOT_ALONE = (
    "turn on the garage light",
    "turn on all lights in the garage",
    "turn off the router",
    "unlock the office safe",
    "open the garage door",
    "turn off the hallway siren",
    "turn on the heater fan",
    "turn on let guests in",
)


async def test_home_assistant_alone_serves_nothing_hidden_or_risky(
    home, sage: Sage, swift_model
) -> None:
    sage.server.say(lambda _: Fault(kind=FaultKind.SERVER_ERROR))
    before = {state.entity_id: state.state for state in home.states.async_all()}
    called = services_called(home)
    for sentence in NOT_ALONE:
        result = await sage.say(sentence)
        assert not result.continue_conversation, sentence
        assert not called, sentence
    after = {state.entity_id: state.state for state in home.states.async_all()}
    assert {each for each in before if after[each] != before[each]} <= {"conversation.sage"}


async def test_home_assistant_alone_does_not_run_what_a_switch_hides(
    home, sage: Sage, swift_model
) -> None:
    """A template switch that unlocks the door is risky, whatever it is called."""
    assert await async_setup_component(
        home,
        "template",
        {
            "template": {
                "switch": {
                    "name": "Party",
                    "state": "{{ false }}",
                    "turn_on": {
                        "action": "lock.unlock",
                        "target": {"entity_id": "lock.front_door"},
                    },
                    "turn_off": [],
                }
            }
        },
    )
    await home.async_block_till_done()
    expose(home, "switch.party")
    called = services_called(home)
    sage.server.say([Fault(kind=FaultKind.SERVER_ERROR)] * 20)
    result = await sage.say("turn on party")
    assert not result.continue_conversation
    assert not called


async def test_error_of_a_device_does_not_name_what_is_hidden(home, sage: Sage) -> None:
    async def fails(_: ServiceCall) -> None:
        raise HomeAssistantError("light.garage_light burns")

    home.services.async_register("switch", "turn_on", fails)
    answer = await attempt(sage, NATIVE.execute("switch.coffee_maker", command="turn_on"))
    assert kinds(sage) == ["failed"]
    assert "burns" not in answer + sent(sage)
    assert "command for Coffee Maker did not work" in answer
