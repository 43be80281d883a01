"""A person's own commands: listed, opened, undone; nobody else's."""

import json

import pytest
from homeassistant.auth.models import User
from homeassistant.core import HomeAssistant, State
from homeassistant.util import dt as dt_util
from pytest_homeassistant_custom_component.typing import WebSocketGenerator

from custom_components.sage.memory.command_log import MAX_ENTRIES
from custom_components.sage.memory.person_memory import PersonMemory
from custom_components.sage.people.person import Person
from tests.decisions import NATIVE, claim, step
from tests.demo_home import demo_home  # noqa: F401
from tests.end_to_end.conftest import MakeSage, Sage, make_sage
from tests.fake_model import model_server  # noqa: F401

from .conftest import Call

__all__ = ["make_sage"]


@pytest.fixture
async def home(make_sage: MakeSage) -> Sage:
    """SAGE in the demo home."""
    return await make_sage("native")


async def dim(sage: Sage, user: User | None) -> None:
    """Dim the floor lamp."""
    sage.model_says(
        *NATIVE.planned("dim the lamp", step("command", "floor_lamp")),
        NATIVE.execute("floor_lamp", command="turn_on", arguments={"brightness_pct": 10}),
        NATIVE.finish("acted", "The floor lamp is dim.", claim("floor_lamp", "on")),
    )
    await sage.say("dim the lamp", user_id=user.id if user else None)
    await sage.hass.async_block_till_done()


def state_of(hass: HomeAssistant, entity_id: str) -> State:
    state = hass.states.get(entity_id)
    assert state is not None
    return state


def brightness(hass: HomeAssistant) -> int | None:
    value: int | None = state_of(hass, "light.floor_lamp").attributes["brightness"]
    return value


async def test_a_command_is_listed_with_its_answer_and_opens_to_its_steps(
    home: Sage, call: Call, anna: User
):
    await dim(home, anna)

    (listed,) = (await call(anna, "sage/activity/list"))["result"]["commands"]
    opened = await call(anna, "sage/activity/trace", data={"id": listed["id"]})

    assert (listed["command"], listed["answer"]) == ("dim the lamp", "The floor lamp is dim.")
    assert listed["can_undo"]
    assert [(each["name"], each["kind"]) for each in listed["outcomes"]] == [
        ("Floor Lamp", "verified")
    ]
    (outcome,) = opened["result"]["outcomes"]
    assert outcome["sentence"] == "Floor Lamp is now at 10 percent brightness."
    assert "execute_command" in json.dumps(opened["result"]["root"])


async def test_a_command_is_sent_with_its_steps_while_it_runs_but_only_to_its_person(
    hass: HomeAssistant, home: Sage, hass_ws_client: WebSocketGenerator, anna: User, admin: User
):
    clients = []
    for user in (anna, admin):
        login = await hass.auth.async_create_refresh_token(user, client_id="http://localhost/")
        client = await hass_ws_client(hass, hass.auth.async_create_access_token(login))
        await client.send_json_auto_id({"type": "sage/activity/watch"})
        assert (await client.receive_json())["success"]
        clients.append(client)
    own, other = clients

    await dim(home, anna)

    seen = [(await own.receive_json())["event"]]
    while not seen[-1]["is_over"]:
        seen.append((await own.receive_json())["event"])
    steps = [[step["name"] for step in each["root"]["children"]] for each in seen]
    assert {each["command"] for each in seen} == {"dim the lamp"}
    assert steps[0] == []
    assert "device_interaction" in steps[-1]
    assert [len(each) for each in steps] == sorted(len(each) for each in steps)
    await other.send_json_auto_id({"type": "ping"})
    assert (await other.receive_json())["type"] == "pong"


async def test_what_was_read_is_in_plain_sentences(home: Sage, call: Call, anna: User):
    home.model_says(
        *NATIVE.planned("read the lamp", step("read", "floor_lamp")),
        NATIVE.call("read_attributes", devices=["floor_lamp"]),
        NATIVE.finish("answered", "It is off.", claim("floor_lamp", result="read")),
    )
    await home.say("is the lamp on?", user_id=anna.id)
    await home.hass.async_block_till_done()

    (listed,) = (await call(anna, "sage/activity/list"))["result"]["commands"]
    opened = await call(anna, "sage/activity/trace", data={"id": listed["id"]})

    assert listed["routine_id"] is None
    assert any("Floor Lamp" in sentence for sentence in opened["result"]["seen"])
    assert "seen" not in listed


async def test_a_question_is_listed_while_it_waits_and_after_another_request(
    home: Sage, call: Call, anna: User, ben: User
):
    home.model_says(
        NATIVE.call("human_interaction", question="Which lamp do you mean?"),
        NATIVE.finish("new_request", ""),
        NATIVE.finish("answered", "Hello.", about="other"),
    )
    question = await home.hear("turn on the lamp", user_id=anna.id)

    (waiting,) = (await call(anna, "sage/activity/list"))["result"]["commands"]
    assert (waiting["command"], waiting["answer"]) == ("turn on the lamp", question)
    assert waiting["is_waiting"]
    assert (await call(ben, "sage/activity/list"))["result"]["commands"] == []

    await home.hear("hello", user_id=anna.id)
    await home.hass.async_block_till_done()

    listed = (await call(anna, "sage/activity/list"))["result"]["commands"]
    assert [(each["command"], each["answer"], each["is_waiting"]) for each in listed] == [
        ("hello", "Hello.", False),
        ("turn on the lamp", "Which lamp do you mean?", False),
    ]
    await home.hass.config_entries.async_reload(home.entry.entry_id)
    assert len((await call(anna, "sage/activity/list"))["result"]["commands"]) == 2


async def test_nobody_sees_the_commands_of_another(
    home: Sage, call: Call, anna: User, ben: User, admin: User
):
    await dim(home, anna)
    (own,) = (await call(anna, "sage/activity/list"))["result"]["commands"]

    for other in (ben, admin):
        listed = await call(other, "sage/activity/list")
        opened = await call(other, "sage/activity/trace", data={"id": own["id"]})
        undone = await call(other, "sage/activity/undo", data={"id": own["id"], "language": "en"})
        assert listed["result"]["commands"] == []
        assert opened["error"]["translation_key"] == "unknown_command"
        assert undone["error"]["translation_key"] == "no_undo"
    household = await call(admin, "sage/activity/household")
    assert household["result"]["commands"] == []
    assert brightness(home.hass) == 26


async def test_administrators_see_facts_of_the_household_but_no_words(
    home: Sage, call: Call, anna: User, admin: User
):
    await dim(home, None)

    refused = await call(anna, "sage/activity/household")
    (shown,) = (await call(admin, "sage/activity/household"))["result"]["commands"]

    assert refused["error"]["code"] == "unauthorized"
    assert shown["outcomes"] == [{"name": "Floor Lamp", "kind": "verified"}]
    assert "dim the lamp" not in json.dumps(shown)


async def test_the_last_change_is_undone_once(home: Sage, call: Call, anna: User):
    before = brightness(home.hass)
    await dim(home, anna)
    (own,) = (await call(anna, "sage/activity/list"))["result"]["commands"]

    undone = await call(anna, "sage/activity/undo", data={"id": own["id"], "language": "de"})
    again = await call(anna, "sage/activity/undo", data={"id": own["id"], "language": "de"})

    assert undone["result"]["question"] is None
    assert "Floor Lamp" in undone["result"]["done"]
    assert brightness(home.hass) == before
    assert again["error"]["translation_key"] == "no_undo"
    (marked,) = (await call(anna, "sage/activity/list"))["result"]["commands"]
    assert (own["is_undone"], marked["is_undone"]) == (False, True)


async def test_a_risky_undo_needs_a_yes_to_its_question(home: Sage, call: Call, anna: User):
    hass = home.hass
    hass.states.async_set(
        "lock.front_door", "unlocked", state_of(hass, "lock.front_door").attributes
    )
    home.model_says(
        *NATIVE.planned("lock the door", step("command", "front_door")),
        NATIVE.execute("front_door", command="lock"),
        NATIVE.finish("acted", "The door is locked.", claim("front_door", "locked")),
    )
    await home.say("lock the door", user_id=anna.id)
    (own,) = (await call(anna, "sage/activity/list"))["result"]["commands"]
    wanted = {"id": own["id"], "language": "en"}

    asked = await call(anna, "sage/activity/undo", data=wanted)
    other = await call(anna, "sage/activity/undo", data=wanted | {"agreed": "Shall I?"})
    assert asked["result"]["question"] == other["result"]["question"] != ""
    assert state_of(hass, "lock.front_door").state == "locked"
    (still,) = (await call(anna, "sage/activity/list"))["result"]["commands"]
    assert (still["can_undo"], still["is_undone"]) == (True, False)

    done = await call(
        anna, "sage/activity/undo", data=wanted | {"agreed": asked["result"]["question"]}
    )
    assert done["result"]["question"] is None
    assert state_of(hass, "lock.front_door").state in {"unlocking", "unlocked"}


async def test_commands_survive_a_restart_of_sage_until_memories_are_forgotten(
    home: Sage, call: Call, anna: User
):
    await dim(home, anna)
    await home.hass.config_entries.async_reload(home.entry.entry_id)

    (kept,) = (await call(anna, "sage/activity/list"))["result"]["commands"]
    opened = await call(anna, "sage/activity/trace", data={"id": kept["id"]})
    assert not kept["can_undo"]
    assert opened["result"]["command"] == "dim the lamp"

    await call(anna, "sage/action", action="forget", data={"everything": True})
    assert (await call(anna, "sage/activity/list"))["result"]["commands"] == []


async def test_nothing_is_written_while_memory_is_off(home: Sage, call: Call, anna: User):
    await call(anna, "sage/action", action="set_memory", data={"enabled": False})
    await dim(home, anna)

    (shown,) = (await call(anna, "sage/activity/list"))["result"]["commands"]
    await home.hass.config_entries.async_reload(home.entry.entry_id)

    assert shown["command"] == "dim the lamp"
    assert (await call(anna, "sage/activity/list"))["result"]["commands"] == []


async def test_forgetting_everything_deletes_commands_that_were_never_written(
    home: Sage, call: Call, anna: User, ben: User
):
    for user in (anna, ben):
        await call(user, "sage/action", action="set_memory", data={"enabled": False})
        await dim(home, user)

    forgotten = await call(anna, "sage/action", action="forget", data={"everything": True})

    assert forgotten["result"] == {"forgotten": 0}
    assert (await call(anna, "sage/activity/list"))["result"]["commands"] == []
    assert len((await call(ben, "sage/activity/list"))["result"]["commands"]) == 1


async def test_an_undo_in_an_invented_language_is_in_english_and_keeps_no_texts_of_it(
    home: Sage, call: Call, anna: User
):
    await dim(home, anna)
    (own,) = (await call(anna, "sage/activity/list"))["result"]["commands"]

    undone = await call(
        anna, "sage/activity/undo", data={"id": own["id"], "language": "../" * 2_000}
    )

    assert undone["result"]["done"].startswith("Floor Lamp is now")


async def test_the_latest_commands_are_listed_page_by_page(home: Sage, call: Call, anna: User):
    person = Person(user_id=anna.id, name="Anna")
    await dim(home, anna)
    (listed,) = (await call(anna, "sage/activity/list"))["result"]["commands"]
    for number in range(MAX_ENTRIES + 3):
        run = f"{number:026}"
        summary = {**listed, "id": run}
        await home.entry.runtime_data.memory.async_do(
            person, PersonMemory.log, run, dt_util.utcnow(), summary, {"id": run}
        )
    home.entry.runtime_data.runs.forget(anna.id)

    first = (await call(anna, "sage/activity/list", data={"count": 300}))["result"]
    last = first["commands"][-1]["id"]
    second = await call(anna, "sage/activity/list", data={"count": 300, "before": last})

    assert first["has_more"]
    assert not second["result"]["has_more"]
    numbers = [each["id"] for each in (*first["commands"], *second["result"]["commands"])]
    assert numbers == [f"{number:026}" for number in reversed(range(3, MAX_ENTRIES + 3))]
