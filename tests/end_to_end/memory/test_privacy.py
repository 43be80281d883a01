"""Nobody else learns what a person says, and deleted memories leave nothing behind."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from homeassistant.auth.const import GROUP_ID_ADMIN
from homeassistant.auth.models import User
from homeassistant.core import HomeAssistant

from custom_components.sage.config.memory_setup import async_update_profiles
from custom_components.sage.people.person import Person
from tests.decisions import NATIVE
from tests.end_to_end.conftest import Sage

from .parrot import parrot
from .privacy_observer import PrivacyObserver
from .story import bytes_of, kept, words

ANNA, BEN, HOUSEHOLD = "quokka", "narwhal", "ocelot"  # a word of each that nobody else ever says
DOORS = ("utterance", "request", "reply", "told", "corrected", "action")
DONE = NATIVE.finish("acted", "All right, I will remember that.")


@pytest.fixture
def observer(hass: HomeAssistant, sage: Sage, caplog: pytest.LogCaptureFixture) -> PrivacyObserver:
    """Somebody who sees everything from the beginning."""
    return PrivacyObserver(hass, sage, caplog)


@pytest.fixture
async def user(hass: HomeAssistant) -> User:
    """Somebody who can be removed: the house is another's."""
    await hass.auth.async_create_user("Owner", group_ids=[GROUP_ID_ADMIN])
    return await hass.auth.async_create_user("Anna", group_ids=[GROUP_ID_ADMIN])


TALKS = {ANNA: "first talk", BEN: "second talk", HOUSEHOLD: "third talk"}
"""The conversation in which each of them says everything."""

type People = Mapping[str, str | None]


@pytest.fixture
def people(user: User, other: User) -> People:
    """The user ids of all, by their words."""
    return {ANNA: user.id, BEN: other.id, HOUSEHOLD: None}


async def tell(observer: PrivacyObserver, word: str, user_id: str | None) -> None:
    """Have a person say something with their word through every door there is."""
    sage = observer.sage
    more: dict[str, Any] = {"user_id": user_id, "conversation_id": TALKS[word]}
    sage.server.say(parrot)
    await sage.say(f"by the way, {word} utterance", **more)
    sage.model_says(
        NATIVE.call("human_interaction", question="What is it about?"),
        NATIVE.call("memory", action="remember", text=f"my {word} told"),
        NATIVE.call("memory", action="correct", text=f"my {word} corrected"),
        DONE,
    )
    await sage.say(f"about my {word} request: my {word} told", **more)
    await sage.say(f"it is a {word} reply: my {word} corrected", **more)
    await sage.hass.async_block_till_done()
    await observer.async_act(user_id, "remember", text=f"the {word} action")
    await sage.hass.async_block_till_done(wait_background_tasks=True)


def strangers(texts: Mapping[str, str], word: str) -> list[str]:
    return [
        f"{stranger} in {where}"
        for where, text in texts.items()
        for stranger in (ANNA, BEN, HOUSEHOLD)
        if stranger != word and stranger in text.casefold()
    ]


async def test_every_door_leads_to_the_own_memory_alone(
    observer: PrivacyObserver, people: People
) -> None:
    for word, user_id in people.items():
        await tell(observer, word, user_id)
    for word, user_id in people.items():
        texts = "\n".join(await words(observer.sage, user_id))
        assert all(f"{word} {door}" in texts for door in DOORS)
        assert strangers({"memory": texts}, word) == []


async def test_words_of_one_reach_nobody_else(observer: PrivacyObserver, people: People) -> None:
    sage = observer.sage
    for word, user_id in people.items():
        observer.forget_prompts()
        await tell(observer, word, user_id)
        assert strangers({"prompts": observer.prompts()}, word) == []
    sage.server.say(parrot)
    observer.forget_prompts()
    await async_update_profiles(sage.hass, sage.entry)
    for request in sage.server.requests:
        whose = [word for word in people if word in json.dumps(request.body).casefold()]
        assert len(whose) == 1, "a profile is made of one person's words"

    for word, user_id in people.items():
        for text in (
            "what do you know about me?",
            "what did the others say?",
            "is there a game for me?",
            "I wonder who lives here",
        ):
            for conversation_id in (None, *TALKS.values()):
                observer.forget_prompts()
                answer = await sage.hear(text, user_id=user_id, conversation_id=conversation_id)
                seen = {"answer": answer, "prompts": observer.prompts()}
                if conversation_id is None:
                    seen["chat log"] = observer.chat(sage.conversation_id)
                assert strangers(seen, word) == [], (word, text)
                assert word in answer, "what was told would be heard"
        told = await observer.async_answers_to(user_id)
        kept_of = observer.kept_of(user_id)
        assert strangers({**told, **kept_of}, word) == []
        for where in ("recall", "list_memories", "get_profile", "export_memory"):
            assert word in told[where], where
        assert all(word in text for text in kept_of.values())
    assert strangers(await observer.async_public(), "nobody") == []


async def test_traces_are_shown_to_their_person_alone(
    hass: HomeAssistant, observer: PrivacyObserver, people: People, hass_ws_client
) -> None:
    for word, user_id in people.items():
        await tell(observer, word, user_id)
    for word in (ANNA, BEN):
        user = await hass.auth.async_get_user(str(people[word]))
        assert user is not None
        token = await hass.auth.async_create_refresh_token(user, client_id="https://test.local/")
        client = await hass_ws_client(hass, hass.auth.async_create_access_token(token))
        await client.send_json_auto_id({"type": "sage/traces"})
        shown = json.dumps(await client.receive_json())
        assert word in shown
        assert strangers({"traces": shown}, word) == []


async def test_administrator_forgets_for_others_and_reads_nothing(
    observer: PrivacyObserver, people: People
) -> None:
    for word, user_id in people.items():
        await tell(observer, word, user_id)
    count = len(await words(observer.sage, people[BEN]))
    response = await observer.async_act(people[ANNA], "forget", everything=True, user=people[BEN])
    assert response == {"forgotten": count}
    assert await words(observer.sage, people[BEN]) == []
    assert len(await words(observer.sage, people[ANNA])) == count
    assert BEN.encode() not in b"".join(
        observer.kept_of(people[word])["files"].encode() for word in people
    )


async def test_nothing_of_somebody_removed_stays(
    hass: HomeAssistant, observer: PrivacyObserver, people: People, user: User
) -> None:
    sage = observer.sage
    for word, user_id in people.items():
        await tell(observer, word, user_id)
    sage.server.say(parrot)
    await async_update_profiles(hass, sage.entry)
    folder = Path(hass.config.config_dir)
    assert ANNA.encode() in bytes_of(folder)
    assert observer.holders(ANNA)
    await hass.auth.async_remove_user(user)
    await hass.async_block_till_done(wait_background_tasks=True)
    assert strangers(await observer.async_public(), "nobody") == []
    assert ANNA.encode() not in bytes_of(folder)
    assert observer.holders(ANNA) == []
    assert observer.holders(BEN)
    for word in (BEN, HOUSEHOLD):
        assert word.encode() in bytes_of(folder)
        assert await words(sage, people[word])
    assert strangers(await observer.async_public(), "nobody") == []


async def test_run_of_somebody_removed_meanwhile_leaves_nothing(
    hass: HomeAssistant, observer: PrivacyObserver, user: User
) -> None:
    sage = observer.sage
    sage.model_says(NATIVE.call("human_interaction", question="Which?"), DONE)
    await sage.say(f"my {ANNA} request", user_id=user.id)
    speaker = Person(user_id=user.id, name="")
    run = sage.entry.runtime_data.runs.waiting(sage.conversation_id, speaker)
    run.port.reply(f"the {ANNA} reply")
    del run
    await hass.auth.async_remove_user(user)
    await hass.async_block_till_done(wait_background_tasks=True)
    assert sage.traces(user.id) == []
    assert observer.holders(ANNA) == []
    assert ANNA.encode() not in bytes_of(Path(hass.config.config_dir))
    assert ANNA not in (await observer.async_public())["log"]


async def test_run_that_waits_for_somebody_removed_is_ended(
    hass: HomeAssistant, observer: PrivacyObserver, user: User
) -> None:
    observer.sage.model_says(NATIVE.call("human_interaction", question="Which?"))
    await observer.sage.say(f"my {ANNA} request", user_id=user.id)
    await hass.auth.async_remove_user(user)
    await hass.async_block_till_done()
    assert not observer.sage.entry.runtime_data.runs.active
    assert observer.holders(ANNA) == []


async def test_somebody_removed_while_sage_was_away(
    hass: HomeAssistant, observer: PrivacyObserver, people: People, user: User
) -> None:
    sage = observer.sage
    await tell(observer, ANNA, user.id)
    await tell(observer, BEN, people[BEN])
    assert await hass.config_entries.async_unload(sage.entry.entry_id)
    await hass.auth.async_remove_user(user)
    assert ANNA.encode() in bytes_of(Path(hass.config.config_dir))
    assert await hass.config_entries.async_setup(sage.entry.entry_id)
    await hass.async_block_till_done(wait_background_tasks=True)
    # Nobody saw the removal: what is there stays, and nobody reads it.
    assert ANNA.encode() in bytes_of(Path(hass.config.config_dir))
    assert strangers(await observer.async_public(), "nobody") == []
    assert await words(sage, people[BEN])


async def test_what_is_forgotten_leaves_files_traces_and_turns(
    hass: HomeAssistant, observer: PrivacyObserver, people: People
) -> None:
    sage = observer.sage
    for word, user_id in people.items():
        await tell(observer, word, user_id)
    for word in (ANNA, BEN):
        more: dict[str, Any] = {"user_id": people[word], "conversation_id": TALKS[word]}
        sage.model_says(
            NATIVE.call("memory", action="forget_everything"),
            NATIVE.finish("acted", f"Your {word} is forgotten for good."),
        )
        await sage.say(f"forget all of my {word}", **more)
        assert await sage.hear("yes", **more) == f"Your {word} is forgotten for good."
        assert await words(sage, people[word]) == []
        await hass.async_block_till_done(wait_background_tasks=True)
        assert word.encode() not in bytes_of(Path(hass.config.config_dir))
        assert observer.holders(word) == []
        (trace,) = sage.traces(people[word])
        assert (trace["kind"], trace["command"], trace["answer"]) == ("answer", "", "")
    assert HOUSEHOLD.encode() in bytes_of(Path(hass.config.config_dir))


async def test_memories_say_who_said_them_to_nobody(
    observer: PrivacyObserver, people: People
) -> None:
    """Neither name nor id of a person stands in what is kept of them."""
    for word, user_id in people.items():
        await tell(observer, word, user_id)
    for user_id in people.values():
        for memory in await kept(observer.sage, user_id):
            assert "Anna" not in repr(memory)
            assert str(people[ANNA]) not in repr(memory)
