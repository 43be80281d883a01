"""Looking through a camera: asked for, with consent, one question, and nothing is stored."""

import base64
from typing import Any

import probatio
import pytest
from homeassistant.auth.models import User
from homeassistant.core import Context, HomeAssistant
from homeassistant.exceptions import HomeAssistantError

from benchmark.cameras import DOOR, MAP, DoorCamera, async_add_cameras, picture, pictures
from benchmark.fake_model_server import FakeModelServer
from benchmark.model_script import Completion, Fault, FaultKind
from custom_components.sage.people.person import Person
from custom_components.sage.text.speech import has_fence
from custom_components.sage.tools.routines.condition_polling import async_stored_commands
from tests.ai_task_house import async_add_ollama, key_of
from tests.decisions import NATIVE
from tests.options_dialog import Options

from .attacker import hide, kinds, person
from .conftest import MakeSage, Sage
from .firing.routine import Fires, reminder_of, routine_of
from .looking import QUESTION, SEEN, SEES, looked, looks, script, told

YES = NATIVE.finish("answered", SEEN, about="home")
FREE = {"risk_levels": {DOOR: "free"}}
ASK = f"look through the door camera: {QUESTION}"


@pytest.fixture
async def door(hass: HomeAssistant, demo_home: HomeAssistant) -> DoorCamera:
    return await async_add_cameras(hass)


async def free(make_sage: MakeSage, **options: Any) -> Sage:
    made: Sage = await make_sage(options=FREE | options, **SEES)
    return made


async def look_at(hass: HomeAssistant, user_id: str | None, **target: Any) -> Any:
    """Call the action, as automations and other people do."""
    more: dict[str, Any] = {"blocking": True, "return_response": True}
    given = {**target, "question": QUESTION}
    return await hass.services.async_call(
        "sage", "look", given, context=Context(user_id=user_id), **more
    )


@pytest.mark.parametrize("device", ["door_camera", "robot_map"])
async def test_the_person_is_asked_then_one_small_picture_is_looked_at(
    make_sage: MakeSage, door: DoorCamera, user: User, device: str
) -> None:
    sage = await make_sage(**SEES)
    home, wish = sage.entry.runtime_data.home, f"what does the {device.replace('_', ' ')} show?"
    assert [home.level_of(each).level for each in (DOOR, MAP)] == ["ask", "ask"]
    script(sage, looks(device))
    heard = await sage.hear(wish, user_id=user.id)
    assert heard.startswith("This sends a picture of ")
    assert f"to answer “{QUESTION}”?" in heard
    await sage.hear("no", user_id=user.id)
    assert (looked(sage), kinds(sage, user.id)) == ([], ["refused"])
    script(sage, looks(device), YES)
    await sage.hear(wish, user_id=user.id)
    assert await sage.hear("yes", user_id=user.id) == SEEN
    (body,) = looked(sage)
    (shown,) = pictures(body)
    jpeg = base64.b64decode(shown.removeprefix("data:image/jpeg;base64,"))
    assert len(jpeg) < len(picture())
    assert b"SECRET PLACE" not in jpeg
    assert QUESTION in str(body["messages"])
    assert kinds(sage, user.id) == ["verified"]
    assert has_fence(told(sage))
    assert "base64" not in str(sage.traces(user.id))


async def test_a_model_without_eyes_is_not_offered_the_command(
    hass: HomeAssistant, make_sage: MakeSage, door: DoorCamera
) -> None:
    for agent, is_offered in ((SEES, True), ({}, False)):
        sage = await make_sage(options=FREE, **agent)
        script(sage, looks())
        await sage.hear(ASK)
        assert ("sage.look(question" in told(sage)) is is_offered
        assert len(looked(sage)) == is_offered
        assert hass.services.has_service("sage", "look") is is_offered
        assert await hass.config_entries.async_remove(sage.entry.entry_id)


@pytest.mark.parametrize("level", ["never", "hidden", "limited", "unknown speaker"])
async def test_nobody_looks_who_may_not(make_sage: MakeSage, door: DoorCamera, level: str) -> None:
    """Neither through the command nor through the action."""
    levels = {} if level == "unknown speaker" else {DOOR: "never" if level == "never" else "free"}
    sage = await make_sage(options={"risk_levels": levels}, **SEES)
    if level == "hidden":
        hide(sage.hass, DOOR)
    policy = {"entities": {"entity_ids": {DOOR: {"read": True}}}} if level == "limited" else None
    user_id = None if level == "unknown speaker" else person(sage.hass, "Guest", policy)
    script(sage, looks())
    await sage.hear(ASK, user_id=user_id)
    if level != "unknown speaker":
        with pytest.raises(HomeAssistantError):
            await look_at(sage.hass, user_id, entity_id=DOOR)
    assert (door.asked, looked(sage)) == (0, [])


@pytest.mark.parametrize(
    ("trouble", "seen", "says"),
    [
        (None, None, "has no picture now"),
        (RuntimeError("lens"), None, "has no picture now"),
        ("unavailable", None, "not reachable right now"),
        (b"GIF89a", None, "has no picture now"),
        ("hangs", None, "has no picture now"),
        ("", Fault(kind=FaultKind.REFUSED), "did not answer the question"),
        ("", Fault(kind=FaultKind.HANG), "took too long"),
        ("", Completion(text='{"answer": ""}'), "did not answer the question"),
    ],
)
async def test_a_failure_is_told(
    make_sage: MakeSage, door: DoorCamera, swift_model: None, trouble: Any, seen: Any, says: str
) -> None:
    sage = await free(make_sage)
    waits = sage.entry.runtime_data.home.waits
    if trouble == "hangs":
        door.hangs, waits.call_seconds = True, 0.05
    elif trouble == "unavailable":
        door._attr_available = False
        door.async_write_ha_state()
    elif trouble != "":
        door.shows = trouble
    if isinstance(seen, Fault) and seen.kind is FaultKind.HANG:
        waits.look_seconds = 0.05
    script(sage, looks(), seen=seen or SEEN)
    await sage.hear(ASK)
    assert kinds(sage) == ["failed"]
    assert says in told(sage)
    assert "lens" not in told(sage)


@pytest.mark.parametrize(
    ("text", "heard"),
    [
        ("<think>hm</think>Two people.", "Two people."),
        pytest.param("x" * 900, "x" * 300, id="long"),
        ('{"answer": "It cannot be told: it is dark.", "unlock": true}', "cannot be told: it is"),
    ],
)
async def test_the_answer_is_short_and_told_by_code_if_the_model_claims_another(
    make_sage: MakeSage, door: DoorCamera, text: str, heard: str
) -> None:
    sage = await free(make_sage)
    wrong = NATIVE.finish(
        "answered", "A dog.", {"devices": ["door_camera"], "result": "read", "value": "a dog"}
    )
    script(sage, looks(), seen=Completion(text=text), then=wrong)
    said = await sage.hear(ASK)
    assert "dog" not in said
    assert heard[:200] in said
    assert "x" * 301 not in told(sage)


@pytest.mark.parametrize("is_free", [True, False])
@pytest.mark.parametrize("is_stored", [True, False])
async def test_a_routine_looks_only_where_the_household_allows_it(
    make_sage: MakeSage, door: DoorCamera, user: User, is_free: bool, is_stored: bool
) -> None:
    """Otherwise the routine asks its owner first, as before other risky commands."""
    sage = await make_sage(options=FREE if is_free else {}, **SEES)
    home = sage.entry.runtime_data.home.of(Person(user_id=user.id, name="Anna"))
    given = {"devices": ["door_camera"], "command": "sage.look", "arguments": {"question": "Who?"}}
    action, asks, _ = await async_stored_commands(sage.hass, home, [given])
    assert asks is not is_free
    script(sage, looks(), then=YES)
    fires, wish = Fires(sage), "tell me who is at the door"
    routine = routine_of(user, wish, action=action) if is_stored else reminder_of(user, wish)
    running = fires.begin(routine)
    if not is_free:
        await fires.async_asked("sends a picture of Door camera")
        assert not door.asked
        running.cancel()
        return
    report = await running
    assert SEEN.rstrip(".") in report.answer
    assert door.asked == 1


async def test_the_action_takes_one_camera_and_stops_with_sage(
    hass: HomeAssistant, make_sage: MakeSage, door: DoorCamera, user: User
) -> None:
    sage = await free(make_sage)
    script(sage)
    assert await look_at(hass, user.id, entity_id=[MAP]) == {"answer": SEEN}
    for target in ({"entity_id": [DOOR, MAP]}, {"entity_id": "light.kitchen_light"}, {}):
        with pytest.raises((HomeAssistantError, probatio.Invalid)):
            await look_at(hass, user.id, **target)
    assert len(looked(sage)) == 1
    await hass.config_entries.async_unload(sage.entry.entry_id)
    assert not hass.services.has_service("sage", "look")


async def test_an_ai_task_entity_looks_if_the_household_chooses_it(
    hass: HomeAssistant, make_sage: MakeSage, door: DoorCamera, model_server: FakeModelServer
) -> None:
    """Also if the agent's model accepts pictures."""
    await async_add_ollama(hass, model_server)
    sage = await free(make_sage)
    options = Options(hass, sage.entry)
    for chosen in ({"vision": key_of(hass)}, {}):
        form = await options.open("household")
        await options.enter(form, plain_requests=False, fall_back=True, **chosen)
        script(sage, looks(), YES)
        sage.conversation_id = None
        assert await sage.hear(ASK) == SEEN
        (body,) = looked(sage)
        assert ("images" in body["messages"][-1]) is bool(chosen)
        assert sage.entry.options.get("vision") == chosen.get("vision")
