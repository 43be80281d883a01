"""The actions of SAGE: each person reaches their own memory, and nobody else's."""

import json
import sqlite3
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import probatio
import pytest
from homeassistant.auth.const import GROUP_ID_ADMIN, GROUP_ID_USER
from homeassistant.auth.models import User
from homeassistant.core import Context, HomeAssistant
from homeassistant.exceptions import HomeAssistantError, ServiceValidationError
from homeassistant.setup import async_setup_component
from homeassistant.util import dt as dt_util
from homeassistant.util.yaml import load_yaml_dict

from benchmark.fake_model_server import FakeModelServer
from benchmark.model_script import Completion, Fault, FaultKind, Json
from custom_components.sage.const import CONF_RETENTION_DAYS, DOMAIN
from custom_components.sage.memory.memories import FOLDER
from custom_components.sage.services import _SERVICES
from tests.end_to_end.conftest import Sage, async_make_sage
from tests.memory_house import call, remember, said_at, texts

INTEGRATION = Path(__file__).parent.parent / "custom_components" / "sage"
READING = ("recall", "list_memories", "get_profile", "rebuild_profile", "export_memory")


@pytest.fixture
async def sage(hass: HomeAssistant, model_server: FakeModelServer) -> Sage:
    """SAGE in a home without devices."""
    return await async_make_sage(hass, model_server)


@pytest.fixture
async def anna(hass: HomeAssistant) -> User:
    """Somebody without special permissions."""
    return await hass.auth.async_create_user("Anna", group_ids=[GROUP_ID_USER])


@pytest.fixture
async def ben(hass: HomeAssistant) -> User:
    """Somebody else without special permissions."""
    return await hass.auth.async_create_user("Ben", group_ids=[GROUP_ID_USER])


@pytest.fixture
async def admin(hass: HomeAssistant) -> User:
    """An administrator."""
    return await hass.auth.async_create_user("Ada", group_ids=[GROUP_ID_ADMIN])


async def refused(
    hass: HomeAssistant, action: str, caller: User | None = None, **fields: Any
) -> str:
    """Call an action that the caller has to call otherwise; return the key of the reason."""
    with pytest.raises(ServiceValidationError) as caught:
        await call(hass, action, caller, **fields)
    return key_of(caught.value)


def key_of(error: HomeAssistantError) -> str:
    """Return the key of an error, which has words in English."""
    assert error.translation_domain == DOMAIN
    assert error.translation_key
    assert len(str(error).split()) > 3
    assert "{" not in str(error)
    return error.translation_key


# What is said, and what is found


async def test_what_a_person_has_remembered_is_recalled_with_its_dates(
    hass: HomeAssistant, sage: Sage, anna: User
):
    await hass.config.async_set_time_zone("America/Toronto")
    kept = await call(
        hass,
        "remember",
        anna,
        text="  the Canadiens ",
        question="Which hockey team do you support?",
    )
    await remember(hass, anna, "My mother lives in Quebec.", "The bins go out on Tuesday.")

    found = await call(hass, "recall", anna, question="Which hockey team do I like?", count=2)

    assert len(found["memories"]) == 2
    first = found["memories"][0]
    assert first["text"] == "the Canadiens"
    assert first["question"] == "Which hockey team do you support?"
    assert first["id"] == kept["id"]
    assert (first["origin"], first["count"], first["place"]) == ("told", 1, None)
    assert first["at"] == first["first_at"] == kept["at"]
    at = datetime.fromisoformat(first["at"])
    assert at.utcoffset() in {timedelta(hours=-4), timedelta(hours=-5)}
    assert abs(dt_util.utcnow() - at) < timedelta(minutes=1)
    assert first["score"] >= found["memories"][1]["score"]


async def test_what_is_said_again_counts_once_more(hass: HomeAssistant, sage: Sage, anna: User):
    first = await call(hass, "remember", anna, text="I like jazz.")
    again = await call(hass, "remember", anna, text="i like jazz")

    assert again["id"] == first["id"]
    assert again["count"] == 2
    assert again["first_at"] == first["at"] < again["at"]


async def test_remembering_needs_no_response(hass: HomeAssistant, sage: Sage, anna: User):
    context = Context(user_id=anna.id)

    await hass.services.async_call(
        DOMAIN, "remember", {"text": "I like jazz."}, blocking=True, context=context
    )

    assert await texts(hass, anna) == ["I like jazz."]


async def test_a_correction_is_part_of_the_profile_at_once(
    hass: HomeAssistant, sage: Sage, anna: User
):
    kept = await call(hass, "remember", anna, text="I am no vegetarian.", origin="corrected")

    profile = await call(hass, "get_profile", anna)

    assert kept["origin"] == "corrected"
    assert profile["text"] == ""
    assert profile["made_at"] is profile["model"] is None
    assert profile["dates"] == []
    assert profile["corrections"] == [{"text": "I am no vegetarian.", "at": kept["at"]}]


@pytest.mark.parametrize("text", ["\0", "\0 \0"])
async def test_a_text_without_words_is_refused(
    hass: HomeAssistant, sage: Sage, anna: User, text: str
):
    (kept,) = await remember(hass, anna, "I like jazz.")

    assert await refused(hass, "remember", anna, text=text) == "no_words"
    assert await refused(hass, "correct_memory", anna, id=kept, text=text) == "no_words"
    assert await texts(hass, anna) == ["I like jazz."]


@pytest.mark.parametrize(
    ("action", "fields"),
    [
        ("remember", {}),
        ("remember", {"text": ""}),
        ("remember", {"text": "   "}),
        ("remember", {"text": "x" * 4_001}),
        ("remember", {"text": "x", "origin": "said"}),
        ("remember", {"text": "x", "at": "2020-01-01"}),
        ("recall", {"question": "x", "count": 0}),
        ("recall", {"question": "x", "count": 51}),
        ("list_memories", {"before": 2**63}),
        ("correct_memory", {"id": "first", "text": "x"}),
        ("forget", {"ids": ["first"]}),
        ("forget", {"first_day": "yesterday"}),
        ("rebuild_profile", {"tokens": 10}),
        ("import_memory", {"export": "everything"}),
        ("set_memory", {"retention_days": -1}),
    ],
)
async def test_fields_are_checked(
    hass: HomeAssistant, sage: Sage, anna: User, action: str, fields: dict[str, Any]
):
    with pytest.raises(probatio.Invalid):
        await call(hass, action, anna, **fields)


async def test_memories_are_listed_page_by_page(hass: HomeAssistant, sage: Sage, anna: User):
    said = [f"Thing number {number}." for number in range(5)]
    await remember(hass, anna, *said)

    first = await call(hass, "list_memories", anna, count=3)
    rest = await call(hass, "list_memories", anna, count=3, before=first["memories"][-1]["id"])

    assert [each["text"] for each in first["memories"]] == said[:1:-1]
    assert (first["has_more"], first["total"]) == (True, 5)
    assert [each["text"] for each in rest["memories"]] == said[1::-1]
    assert (rest["has_more"], rest["total"]) == (False, 5)


async def test_memories_are_searched_by_words(hass: HomeAssistant, sage: Sage, anna: User):
    await remember(hass, anna, "My café is near the station.", "I like jazz.")

    found = await call(hass, "list_memories", anna, search="CAFE stat")

    assert [each["text"] for each in found["memories"]] == ["My café is near the station."]
    assert found["total"] == 2


async def test_a_memory_gets_other_words(hass: HomeAssistant, sage: Sage, anna: User):
    (kept,) = await remember(hass, anna, "My mother lives in Quebec.")

    corrected = await call(
        hass, "correct_memory", anna, id=str(kept), text="My mother lives in Montreal."
    )

    assert (corrected["id"], corrected["origin"]) == (kept, "corrected")
    assert await texts(hass, anna) == ["My mother lives in Montreal."]
    found = await call(hass, "recall", anna, question="Montreal", count=1)
    assert found["memories"][0]["id"] == kept


# Whose memory it is


async def test_nobody_reaches_what_another_person_said(
    hass: HomeAssistant, sage: Sage, anna: User, ben: User, admin: User
):
    (kept,) = await remember(hass, anna, "My MARKER is a secret of mine.")
    await call(hass, "remember", anna, text="MARKER is right.", origin="corrected")

    for other in (ben, admin, None):
        heard = [
            await call(hass, "recall", other, question="MARKER"),
            await call(hass, "list_memories", other, search="MARKER"),
            await call(hass, "get_profile", other),
            await call(hass, "rebuild_profile", other),
            await call(hass, "export_memory", other),
            await call(hass, "forget", other, topic="MARKER secret"),
            await call(hass, "forget", other, ids=[kept]),
            await call(hass, "set_memory", other, enabled=True),
        ]
        assert "MARKER" not in json.dumps(heard)
        assert heard[5] == heard[6] == {"forgotten": 0}
        assert await refused(hass, "correct_memory", other, id=kept, text="x") == "unknown_memory"
        assert await refused(hass, "list_memories", other, before=kept) == "unknown_memory"
    assert len(await texts(hass, anna)) == 2


async def test_no_action_that_reads_takes_a_user(
    hass: HomeAssistant, sage: Sage, anna: User, admin: User
):
    await remember(hass, anna, "I like jazz.")

    for action in set(_SERVICES) - {"forget"}:
        fields = {"question": "jazz"} if action == "recall" else {}
        with pytest.raises(probatio.Invalid, match="user"):
            await call(hass, action, admin, user=anna.id, **fields)
    assert set(READING) <= set(_SERVICES)


async def test_an_automation_has_the_memory_of_the_household(
    hass: HomeAssistant, sage: Sage, anna: User
):
    await remember(hass, None, "The bins go out on Tuesday.")

    assert await texts(hass, None) == ["The bins go out on Tuesday."]
    assert await texts(hass, anna) == []
    exported = await call(hass, "export_memory")
    # An automation may have read anything before.
    assert exported["memories"][0]["said"][0]["tainted"] is True
    assert await call(hass, "forget", user="household", everything=True) == {"forgotten": 1}


async def test_what_a_person_says_themselves_is_not_tainted(
    hass: HomeAssistant, sage: Sage, anna: User
):
    await remember(hass, anna, "I like jazz.")

    exported = await call(hass, "export_memory", anna)

    assert exported["memories"][0]["said"][0]["tainted"] is False


@pytest.mark.parametrize("kind", ["deactivated", "system", "removed"])
async def test_who_is_nobody_of_flesh_and_blood_sees_nobodys_memory(
    hass: HomeAssistant, sage: Sage, anna: User, kind: str
):
    ghost = (
        await hass.auth.async_create_system_user("Machine", group_ids=[GROUP_ID_ADMIN])
        if kind == "system"
        else await hass.auth.async_create_user("Gus", group_ids=[GROUP_ID_ADMIN])
    )
    await remember(hass, anna, "I like jazz.")
    if kind != "system":
        await remember(hass, ghost, "I like opera.")
    await hass.async_block_till_done(wait_background_tasks=True)
    if kind == "deactivated":
        await hass.auth.async_update_user(ghost, is_active=False)
    if kind == "removed":
        await hass.auth.async_remove_user(ghost)
        await hass.async_block_till_done()
    await remember(hass, None, "The bins go out on Tuesday.")

    assert await texts(hass, ghost) == ["The bins go out on Tuesday."]
    assert await refused(hass, "forget", ghost, user=anna.id, everything=True) == "not_admin"
    assert await texts(hass, anna) == ["I like jazz."]


# Forgetting


async def test_memories_are_forgotten_one_by_one(hass: HomeAssistant, sage: Sage, anna: User):
    first, second, third = await remember(hass, anna, "I like jazz.", "I run.", "I cook.")

    # As the form of the action sends them, and with one that never was.
    assert await call(hass, "forget", anna, ids=[str(first), str(third), "999"]) == {"forgotten": 2}

    assert await texts(hass, anna) == ["I run."]
    assert await call(hass, "forget", anna, ids=second) == {"forgotten": 1}
    assert await texts(hass, anna) == []


async def test_a_topic_is_forgotten(hass: HomeAssistant, sage: Sage, anna: User):
    await remember(
        hass, anna, "I love watching hockey.", "Hockey on Saturday is great.", "I am out of milk."
    )

    gone = await call(hass, "forget", anna, topic="watching hockey")

    left = await texts(hass, anna)
    assert "I am out of milk." in left
    assert "I love watching hockey." not in left
    assert gone == {"forgotten": 3 - len(left)}


async def test_days_are_forgotten_by_the_clocks_of_the_home(
    hass: HomeAssistant, sage: Sage, anna: User
):
    await hass.config.async_set_time_zone("America/Toronto")
    days = [
        (datetime(2026, 3, 2, 4, 59, tzinfo=UTC), "still Sunday"),
        (datetime(2026, 3, 2, 5, 0, tzinfo=UTC), "Monday begins"),
        (datetime(2026, 3, 4, 4, 59, tzinfo=UTC), "Tuesday ends"),
        (datetime(2026, 3, 4, 5, 0, tzinfo=UTC), "Wednesday begins"),
    ]
    await said_at(sage.entry, anna, days)

    gone = await call(hass, "forget", anna, first_day="2026-03-02", last_day="2026-03-03")

    assert gone == {"forgotten": 2}
    assert await texts(hass, anna) == ["still Sunday", "Wednesday begins"]
    assert await call(hass, "forget", anna, first_day=date(2026, 3, 1)) == {"forgotten": 1}
    assert await texts(hass, anna) == ["Wednesday begins"]


@pytest.mark.parametrize(
    "days",
    [
        {"last_day": "2026-03-02"},
        {"first_day": "2026-03-03", "last_day": "2026-03-02"},
        {"first_day": "9999-12-31"},
    ],
)
async def test_days_that_are_none_are_refused(
    hass: HomeAssistant, sage: Sage, anna: User, days: dict[str, str]
):
    assert await refused(hass, "forget", anna, **days) == "period"


@pytest.mark.parametrize(
    "ways",
    [
        {},
        {"everything": False},
        {"ids": []},
        {"ids": [1], "everything": True},
        {"topic": "jazz", "first_day": "2026-03-02"},
    ],
)
async def test_what_is_to_be_forgotten_is_said_in_one_way(
    hass: HomeAssistant, sage: Sage, anna: User, ways: dict[str, Any]
):
    await remember(hass, anna, "I like jazz.")

    assert await refused(hass, "forget", anna, **ways) == "forget_one_way"
    assert await texts(hass, anna) == ["I like jazz."]


async def test_everything_is_forgotten_and_leaves_no_trace_on_the_disk(
    hass: HomeAssistant, sage: Sage, anna: User
):
    await remember(hass, anna, "My MARKER is a secret.")
    await call(hass, "remember", anna, text="MARKER is right.", origin="corrected")

    assert await call(hass, "forget", anna, everything=True) == {"forgotten": 2}
    await hass.async_block_till_done(wait_background_tasks=True)

    assert await texts(hass, anna) == []
    assert (await call(hass, "get_profile", anna))["corrections"] == []
    folder = Path(hass.config.path(FOLDER))
    files = await hass.async_add_executor_job(
        lambda: [each.read_bytes() for each in folder.iterdir()]
    )
    assert files
    assert not any(b"MARKER" in each for each in files)


async def test_an_administrator_deletes_what_others_said(
    hass: HomeAssistant, sage: Sage, anna: User, ben: User, admin: User
):
    assert await async_setup_component(
        hass,
        "person",
        {"person": {"id": "anna", "name": "Anna", "user_id": anna.id}},
    )
    first, _ = await remember(hass, anna, "I like jazz.", "I run.")
    await said_at(sage.entry, anna, [(datetime(2026, 3, 2, 12, tzinfo=UTC), "long ago")])
    await remember(hass, ben, "I like opera.")
    await remember(hass, None, "The bins go out on Tuesday.")
    mine = await remember(hass, admin, "I like rock.")

    assert await call(hass, "forget", admin, user="person.anna", ids=[first]) == {"forgotten": 1}
    gone = await call(
        hass, "forget", admin, user=anna.id, first_day="2026-03-01", last_day="2026-03-31"
    )
    assert gone == {"forgotten": 1}
    assert await texts(hass, anna) == ["I run."]
    assert await call(hass, "forget", admin, user=anna.id, everything=True) == {"forgotten": 1}
    assert await call(hass, "forget", admin, user="household", everything=True) == {"forgotten": 1}

    assert [await texts(hass, each) for each in (anna, None)] == [[], []]
    assert await texts(hass, ben) == ["I like opera."]
    assert await call(hass, "forget", admin, user=admin.id, ids=mine) == {"forgotten": 1}


async def test_an_administrator_learns_no_topic_of_others(
    hass: HomeAssistant, sage: Sage, anna: User, admin: User
):
    await remember(hass, anna, "I like jazz.")
    await remember(hass, admin, "I like jazz.")

    assert await refused(hass, "forget", admin, user=anna.id, topic="jazz") == "topic_of_others"
    assert await texts(hass, anna) == ["I like jazz."]
    assert await call(hass, "forget", admin, user=admin.id, topic="jazz") == {"forgotten": 1}


async def test_an_administrator_deletes_what_is_left_of_the_deactivated(
    hass: HomeAssistant, sage: Sage, admin: User, ben: User
):
    await remember(hass, ben, "I like opera.")
    await remember(hass, None, "The bins go out on Tuesday.")
    await hass.auth.async_update_user(ben, is_active=False)

    assert await call(hass, "forget", admin, user=ben.id, everything=True) == {"forgotten": 1}

    assert await texts(hass, None) == ["The bins go out on Tuesday."]
    await hass.auth.async_update_user(ben, is_active=True)
    assert await texts(hass, ben) == []


@pytest.mark.parametrize("user", ["nobody", "person.nobody", "person.guest", "light.kitchen"])
async def test_an_administrator_who_names_nobody_deletes_nothing(
    hass: HomeAssistant, sage: Sage, admin: User, anna: User, user: str
):
    assert await async_setup_component(hass, "person", {"person": {"id": "guest", "name": "Guest"}})
    await remember(hass, admin, "I like rock.")
    await remember(hass, None, "The bins go out on Tuesday.")

    assert await refused(hass, "forget", admin, user=user, everything=True) == "unknown_user"
    # Who may not do it hears nothing of who there is.
    assert await refused(hass, "forget", anna, user=user, everything=True) == "not_admin"
    assert await texts(hass, admin) == ["I like rock."]
    assert await texts(hass, None) == ["The bins go out on Tuesday."]


async def test_others_delete_only_their_own(hass: HomeAssistant, sage: Sage, anna: User, ben: User):
    await remember(hass, anna, "I like jazz.")
    await remember(hass, ben, "I like opera.")
    await remember(hass, None, "The bins go out on Tuesday.")

    for user in (anna.id, "household"):
        assert await refused(hass, "forget", ben, user=user, everything=True) == "not_admin"
    assert await refused(hass, "forget", None, user=anna.id, everything=True) == "not_admin"
    assert await call(hass, "forget", ben, user=ben.id, everything=True) == {"forgotten": 1}

    assert await texts(hass, anna) == ["I like jazz."]
    assert await texts(hass, None) == ["The bins go out on Tuesday."]


# The profile


def writes_profiles(day: str) -> Callable[[Json], Completion]:
    """Return a model that summarizes days and then people."""

    def write(body: Json) -> Completion:
        if "claims" in str(body["messages"][0]["content"]):
            claims = {"claims": [{"claim": "Likes jazz", "dates": [day]}]}
            return Completion(text=json.dumps(claims))
        return Completion(text="- likes jazz")

    return write


async def test_a_profile_is_built_on_demand_within_a_budget(
    hass: HomeAssistant, sage: Sage, anna: User
):
    today = dt_util.now().date().isoformat()
    sage.server.say(writes_profiles(today))
    await remember(hass, anna, "I like jazz.")
    (earlier,) = await said_at(
        sage.entry, anna, [(datetime(2026, 3, 2, 12, tzinfo=UTC), "I like jazz a lot.")]
    )

    built = await call(hass, "rebuild_profile", anna)
    again = await call(hass, "rebuild_profile", anna)

    assert earlier
    assert built["days"] == 2
    assert (built["days_left"], built["changed"], built["error"]) == (0, True, None)
    assert built["tokens"] > 0
    assert again == {"days": 0, "days_left": 0, "tokens": 0, "changed": False, "error": None}
    profile = await call(hass, "get_profile", anna)
    assert profile["text"] == f"- Likes jazz ({today})"
    assert profile["dates"] == [today]
    assert profile["model"] == "test-model"
    assert datetime.fromisoformat(profile["made_at"]).utcoffset() is not None


async def test_a_budget_that_is_too_small_is_told(hass: HomeAssistant, sage: Sage, anna: User):
    sage.server.say(writes_profiles("2026-03-02"))
    noon = datetime(2026, 3, 2, 12, tzinfo=UTC)
    await said_at(
        sage.entry,
        anna,
        [(noon + timedelta(days=day), f"On {day} " + "I talk. " * 400) for day in range(3)],
    )

    built = await call(hass, "rebuild_profile", anna, tokens=1_500)

    assert built["days_left"] > 0
    assert not built["changed"]
    assert built["tokens"] <= 1_500
    assert "budget" in built["error"]
    with pytest.raises(HomeAssistantError) as caught:
        await hass.services.async_call(
            DOMAIN,
            "rebuild_profile",
            {"tokens": 1_000},
            blocking=True,
            context=Context(user_id=anna.id),
        )
    assert key_of(caught.value) == "profile_unfinished"


async def test_a_model_that_is_away_is_told(hass: HomeAssistant, sage: Sage, anna: User):
    sage.server.say(lambda _: Fault(kind=FaultKind.NO_SUCH_MODEL))
    await remember(hass, anna, "I like jazz.")

    built = await call(hass, "rebuild_profile", anna)

    assert (built["days"], built["days_left"], built["changed"]) == (0, 1, False)
    assert "model" in built["error"]


async def test_without_an_agent_nobody_writes_a_profile(
    hass: HomeAssistant, sage: Sage, anna: User
):
    (subentry_id,) = sage.entry.subentries
    hass.config_entries.async_remove_subentry(sage.entry, subentry_id)
    await hass.async_block_till_done()

    assert await refused(hass, "rebuild_profile", anna) == "no_agent"


# Taking it along, and the switch


async def test_a_memory_is_taken_along(hass: HomeAssistant, sage: Sage, anna: User, ben: User):
    await remember(hass, anna, "I like jazz.", "I like jazz.", "I run.")
    await call(hass, "remember", anna, text="I run no more.", origin="corrected")
    exported = await call(hass, "export_memory", anna)
    text = json.loads(json.dumps(exported))

    assert await call(hass, "import_memory", ben, export=text) == {
        "memories": 3,
        "sayings": 4,
        "corrections": 1,
    }
    assert await call(hass, "import_memory", ben, export=text) == {
        "memories": 0,
        "sayings": 0,
        "corrections": 0,
    }
    assert sorted(await texts(hass, ben)) == sorted(await texts(hass, anna))
    found = await call(hass, "recall", ben, question="jazz", count=1)
    assert (found["memories"][0]["text"], found["memories"][0]["count"]) == ("I like jazz.", 2)


async def test_what_is_no_export_is_not_imported(hass: HomeAssistant, sage: Sage, anna: User):
    await remember(hass, anna, "I like jazz.")
    exported = await call(hass, "export_memory", anna)
    exported["memories"].append({"text": "MARKER", "said": []})

    with pytest.raises(ServiceValidationError) as caught:
        await call(hass, "import_memory", anna, export=exported)

    assert key_of(caught.value) == "import_format"
    assert "memory 2" in str(caught.value)
    assert "MARKER" not in str(caught.value)
    assert await refused(hass, "import_memory", anna, export={}) == "import_format"
    assert await texts(hass, anna) == ["I like jazz."]


async def test_who_switches_it_off_is_remembered_no_more(
    hass: HomeAssistant, sage: Sage, anna: User, ben: User
):
    await remember(hass, anna, "I like jazz.")
    exported = await call(hass, "export_memory", anna)

    settings = await call(hass, "set_memory", anna, enabled=False)

    assert settings == {"enabled": False, "retention_days": 0, "has_own_retention": False}
    assert await refused(hass, "remember", anna, text="I run.") == "memory_off"
    assert await refused(hass, "import_memory", anna, export=exported) == "memory_off"
    assert (await call(hass, "recall", anna, question="jazz"))["memories"]
    await remember(hass, ben, "I run.")
    assert (await call(hass, "set_memory", anna, enabled=True))["enabled"]
    await remember(hass, anna, "I run.")
    assert await texts(hass, anna) == ["I like jazz.", "I run."]


async def test_people_choose_how_long_their_memories_stay(
    hass: HomeAssistant, model_server: FakeModelServer, anna: User, ben: User
):
    sage = await async_make_sage(hass, model_server, options={CONF_RETENTION_DAYS: 30})
    long_ago = dt_util.utcnow() - timedelta(days=100)
    for user in (anna, ben):
        await said_at(sage.entry, user, [(long_ago, "long ago")])

    assert await call(hass, "set_memory", anna) == {
        "enabled": True,
        "retention_days": 30,
        "has_own_retention": False,
    }
    own = await call(hass, "set_memory", anna, retention_days=365)
    assert (own["retention_days"], own["has_own_retention"]) == (365, True)
    await sage.entry.runtime_data.memory.async_expire()
    assert await texts(hass, anna) == ["long ago"]
    assert await texts(hass, ben) == []

    both = {"retention_days": 1, "household_retention": True}
    assert await refused(hass, "set_memory", anna, **both) == "retention_one_way"
    again = await call(hass, "set_memory", anna, household_retention=True)
    assert (again["retention_days"], again["has_own_retention"]) == (30, False)
    await sage.entry.runtime_data.memory.async_expire()
    assert await texts(hass, anna) == []


# When it cannot be done


async def test_without_a_loaded_entry_every_action_says_so(
    hass: HomeAssistant, sage: Sage, anna: User
):
    needed: dict[str, dict[str, Any]] = {
        "remember": {"text": "x"},
        "recall": {"question": "x"},
        "correct_memory": {"id": 1, "text": "x"},
        "import_memory": {"export": {}},
    }
    await hass.config_entries.async_unload(sage.entry.entry_id)

    for action in _SERVICES:
        assert await refused(hass, action, anna, **needed.get(action, {})) == "not_loaded"

    assert await hass.config_entries.async_setup(sage.entry.entry_id)
    await remember(hass, anna, "I like jazz.")


async def test_a_memory_that_is_being_closed_is_not_there(
    hass: HomeAssistant, sage: Sage, anna: User
):
    await sage.entry.runtime_data.memory.async_close()

    assert await refused(hass, "remember", anna, text="x") == "not_loaded"


async def test_a_file_that_cannot_be_used_is_told(
    hass: HomeAssistant, sage: Sage, anna: User, caplog: pytest.LogCaptureFixture
):
    path = Path(hass.config.path(FOLDER)) / f"{anna.id}.db"
    await hass.async_add_executor_job(lambda: path.mkdir(parents=True))

    with pytest.raises(HomeAssistantError) as caught:
        await call(hass, "remember", anna, text="My MARKER is a secret.")

    assert not isinstance(caught.value, ServiceValidationError)
    assert key_of(caught.value) == "memory_unusable"
    assert "MARKER" not in str(caught.value)


async def test_a_file_of_a_newer_version_is_told_and_left_alone(
    hass: HomeAssistant, sage: Sage, anna: User
):
    path = Path(hass.config.path(FOLDER)) / f"{anna.id}.db"

    def write() -> bytes:
        path.parent.mkdir(parents=True, exist_ok=True)
        connection = sqlite3.connect(path)
        connection.execute("PRAGMA user_version = 99")
        connection.close()
        return path.read_bytes()

    before = await hass.async_add_executor_job(write)

    with pytest.raises(HomeAssistantError) as caught:
        await call(hass, "recall", anna, question="x")

    assert key_of(caught.value) == "memory_newer"
    assert await hass.async_add_executor_job(path.read_bytes) == before


# How people find the actions


def test_every_field_has_a_selector_words_and_an_icon():
    described = load_yaml_dict(str(INTEGRATION / "services.yaml"))
    icons = json.loads((INTEGRATION / "icons.json").read_text())["services"]

    assert set(described) == set(_SERVICES) == set(icons)
    for name, service in _SERVICES.items():
        fields = (described[name] or {}).get("fields", {})
        assert set(fields) == {str(each) for each in service.fields}, name
        for field, shown in fields.items():
            assert shown["selector"], field
            required = any(
                str(each) == field and isinstance(each, probatio.Required)
                for each in service.fields
            )
            assert shown.get("required", False) is required, field
        for language in ("en", "de", "fr"):
            path = INTEGRATION / "translations" / f"{language}.json"
            words = json.loads(path.read_text())["services"]
            assert set(words) == set(_SERVICES)
            assert set(words[name].get("fields", {})) == set(fields)
            for each in (words[name], *words[name].get("fields", {}).values()):
                assert each["name"]
                assert each["description"]


def test_what_is_shown_as_the_default_is_the_default():
    described = load_yaml_dict(str(INTEGRATION / "services.yaml"))
    needed = {"text": "x", "question": "x", "id": 1, "export": {}}

    for name, service in _SERVICES.items():
        fields = (described[name] or {}).get("fields", {})
        given = {key: needed[key] for key, each in fields.items() if each.get("required")}
        shown = {key: each["default"] for key, each in fields.items() if "default" in each}
        assert probatio.Schema(dict(service.fields))(given) == given | shown, name


async def test_a_person_calls_an_action_over_the_websocket(
    hass: HomeAssistant, sage: Sage, hass_ws_client: Any, hass_read_only_user: User
):
    """Home Assistant itself says who calls; no field can."""
    refresh = await hass.auth.async_create_refresh_token(
        hass_read_only_user, client_id="https://example.com"
    )
    client = await hass_ws_client(hass, hass.auth.async_create_access_token(refresh))

    async def send(action: str, **fields: Any) -> dict[str, Any]:
        await client.send_json_auto_id(
            {
                "type": "call_service",
                "domain": DOMAIN,
                "service": action,
                "service_data": fields,
                "return_response": True,
            }
        )
        answer: dict[str, Any] = await client.receive_json()
        return answer

    kept = await send("remember", text="I like jazz.")
    refusal = await send("forget", user="household", everything=True)

    assert kept["result"]["response"]["text"] == "I like jazz."
    assert await texts(hass, hass_read_only_user) == ["I like jazz."]
    assert await texts(hass, None) == []
    assert refusal["error"]["translation_key"] == "not_admin"
    assert "administrators" in refusal["error"]["message"]
