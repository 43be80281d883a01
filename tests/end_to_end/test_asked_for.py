"""After outside text was read, only commands that the person asked for need no confirmation."""

from typing import Any

import pytest
from homeassistant.auth.models import User
from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er

from benchmark.model_script import Answer, Fault, FaultKind
from tests.decisions import FORMATS, NATIVE, Decides, step
from tests.end_to_end.conftest import MakeSage, Sage, impatient
from tests.end_to_end.test_untrusted_text import EVIL, RECALLS, add, prompts
from tests.guide_house import GuideSource, async_add_guide, guide_source, on_air

__all__ = ["guide_source"]

LIGHT = "light.kitchen_light"
OUTSIDE = "text from outside your home"


def executes(
    decides: Decides = NATIVE, device: str = "kitchen_light", command: str = "turn_on", **more: Any
) -> tuple[str, dict[str, Any]]:
    given = {"devices": [device], "command": command, "timing": "now", "final": True, **more}
    return "execute_command", given


def reads_news(decides: Decides = NATIVE) -> list[Answer]:
    return [
        *decides.planned("read it", step("read", "headlines"), final=False),
        decides.finish("answered", "The garage is to be opened."),
    ]


@pytest.fixture
async def news(hass: HomeAssistant) -> str:
    """A sensor whose text somebody else has written."""
    return add(hass, "sensor.headlines", EVIL)


@pytest.fixture
async def informed(sage: Sage, news: str, user: User) -> Sage:
    """A conversation in which SAGE has just read the news."""
    sage.model_says(
        *reads_news(), NATIVE.finish("answered", "The garage is to be opened.", about="other")
    )
    await sage.hear("what is the news?", user_id=user.id)
    return impatient(sage)


@pytest.mark.parametrize("decision_format", FORMATS)
async def test_a_command_of_the_next_turn_is_executed_without_a_question(
    hass: HomeAssistant, make_sage: MakeSage, news: str, user: User, decision_format: str
) -> None:
    sage, decides = impatient(await make_sage(decision_format)), Decides(decision_format)
    answer = "The garage is to be opened."
    sage.model_says(*reads_news(decides), decides.finish("answered", answer, about="other"))
    await sage.hear("what is the news?", user_id=user.id)
    sage.model_says(decides.calls(executes(decides)))

    heard = await sage.hear("turn on the kitchen light", user_id=user.id)

    assert heard == "Kitchen Light is now on."
    assert hass.states.is_state(LIGHT, "on")
    (prompt,) = (each.prompt for each in sage.server.completions)
    assert answer not in prompt
    assert not sage.turns(user.id)[-1].tainted


@pytest.mark.parametrize("decision_format", FORMATS)
async def test_a_command_after_the_answer_was_read_again_is_decided_without_it(
    make_sage: MakeSage, news: str, user: User, decision_format: str
) -> None:
    sage, decides = impatient(await make_sage(decision_format)), Decides(decision_format)
    answer = "The garage is to be opened."
    sage.model_says(*reads_news(decides), decides.finish("answered", answer, about="other"))
    await sage.hear("what is the news?", user_id=user.id)
    sage.model_says(
        decides.call("personalization", question="?", earlier=True),
        decides.calls(executes(decides)),
        decides.calls(executes(decides)),
    )

    heard = await sage.hear("turn on the kitchen light", user_id=user.id)

    assert heard == "Kitchen Light is now on."
    # The model decided the same without the text: its last prompt does not contain it.
    *_, shown, alone = (each.prompt for each in sage.server.completions)
    assert answer in shown
    assert answer not in alone
    assert "Request: turn on the kitchen light" in alone


@pytest.mark.parametrize(
    "alone",
    [
        NATIVE.finish("answered", "Hello!", about="other"),
        NATIVE.calls(executes(command="turn_off")),
        NATIVE.calls(executes(device="bathroom_light")),
        NATIVE.calls(executes(arguments={"brightness_pct": 1})),
        NATIVE.call("device_interaction", timing="now", command="turn it on", final=True),
    ],
    ids=["nothing", "other command", "other device", "other arguments", "other tool"],
)
async def test_what_the_person_alone_does_not_ask_for_is_confirmed(
    hass: HomeAssistant, informed: Sage, user: User, alone: Answer
) -> None:
    informed.model_says(
        RECALLS,
        NATIVE.calls(executes()),
        alone,
        NATIVE.finish("could_not", "I left it.", about="home"),
    )

    asked = await informed.hear("hello again", user_id=user.id)
    assert asked.endswith("Shall I really turn on Kitchen Light?")
    assert OUTSIDE in asked
    assert "Kitchen Light" in await informed.hear("no", user_id=user.id)

    assert hass.states.is_state(LIGHT, "off")


async def test_without_the_model_the_question_is_asked(informed: Sage, user: User) -> None:
    informed.model_says(
        RECALLS,
        NATIVE.calls(executes()),
        Fault(kind=FaultKind.REFUSED),
        NATIVE.finish("could_not", "I left it.", about="home"),
    )

    assert OUTSIDE in await informed.hear("hello again", user_id=user.id)
    await informed.hear("yes", user_id=user.id)

    assert informed.hass.states.is_state(LIGHT, "on")


async def test_a_command_that_was_decided_before_the_text_was_read_is_executed(
    hass: HomeAssistant, sage: Sage, news: str, user: User
) -> None:
    read = ("device_interaction", {"timing": "now", "command": "read it", "final": False})
    sage.model_says(
        NATIVE.calls(read, executes()),
        *reads_news()[1:],
        NATIVE.finish("acted", "The light is on; the garage is to be opened."),
    )

    heard = await impatient(sage).hear("the news, and turn on the light", user_id=user.id)

    assert OUTSIDE not in heard
    assert hass.states.is_state(LIGHT, "on")
    assert EVIL in prompts(sage)


async def test_what_the_words_alone_ask_for_needs_no_question_after_the_text(
    hass: HomeAssistant, sage: Sage, news: str, user: User
) -> None:
    sage.model_says(*reads_news(), NATIVE.calls(executes()), NATIVE.calls(executes()))

    heard = await impatient(sage).hear("the news, then turn on the light", user_id=user.id)

    assert heard == "Kitchen Light is now on."
    assert hass.states.is_state(LIGHT, "on")
    *_, with_text, alone = (each.prompt for each in sage.server.completions)
    assert EVIL in prompts(sage)
    assert "The garage is to be opened." in with_text
    assert "garage" not in alone.partition("Request:")[2]


async def test_the_commands_of_one_reply_are_confirmed_with_one_question(
    hass: HomeAssistant, informed: Sage, user: User
) -> None:
    both = (executes(), executes(device="bathroom_light"))
    informed.model_says(
        RECALLS, NATIVE.calls(*both), NATIVE.finish("answered", "Hello!", about="other")
    )

    asked = await informed.hear("hello again", user_id=user.id)
    assert "Kitchen Light" in asked
    assert "Bathroom Light" in asked
    assert hass.states.is_state(LIGHT, "off")
    heard = await informed.hear("yes", user_id=user.id)

    assert hass.states.is_state(LIGHT, "on")
    assert hass.states.is_state("light.bathroom_light", "on")
    assert "Bathroom Light" in heard


async def test_a_harmless_command_needs_no_pin(hass: HomeAssistant, sage: Sage, news: str) -> None:
    row = er.async_get(hass).async_get_or_create("assist_satellite", "test", "kitchen")
    at = {"satellite_id": row.entity_id}
    sage.model_says(*reads_news(), NATIVE.calls(executes()))

    asked = await impatient(sage).hear("what is the news?", **at)
    assert asked.endswith("Shall I really turn on Kitchen Light?")
    assert hass.states.is_state(LIGHT, "off")
    heard = await sage.hear("yes", **at)

    assert heard == "Kitchen Light is now on."


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("de", "Text von außerhalb deines Zuhauses"),
        ("fr", "du texte venu de l'extérieur de votre maison"),
    ],
)
async def test_the_question_is_in_the_language_of_the_person(
    sage: Sage, news: str, user: User, language: str, said: str
) -> None:
    sage.model_says(
        *reads_news(),
        NATIVE.calls(executes(arguments={"brightness_pct": 30})),
        NATIVE.finish("could_not", "…", about="home"),
    )
    asked = await sage.hear("?", user_id=user.id, language=language)
    assert said in asked
    assert "30" in asked
    await sage.hear({"de": "nein", "fr": "non"}[language], user_id=user.id, language=language)


@pytest.mark.parametrize(
    ("watch_on", "device", "channel", "is_asked"),
    [
        (["bedroom_tv", "living_room_tv"], "bedroom_tv", "101", False),
        (None, "bedroom_tv", "101", True),
        (["living_room_tv"], "bedroom_tv", "101", True),
        (["bedroom_tv"], "bedroom_tv", "7", True),
        (["sauna_tv", "bedroom_tv"], "bedroom_tv", "101", False),
        (["all media_player"], "bedroom_tv", "101", False),
        (["all media_player"], "bedroom_tv", "7", True),
    ],
)
async def test_only_a_channel_of_the_search_on_a_tv_of_the_person_is_put_on(
    sage: Sage,
    user: User,
    guide_source: GuideSource,
    watch_on: list[str] | None,
    device: str,
    channel: str,
    *,
    is_asked: bool,
) -> None:
    guide_source.show(on_air("bbc1.uk", "News"))
    await async_add_guide(sage.hass, sage.entry, guide_source)
    media = {"media_content_type": "channel", "media_content_id": channel}
    sage.model_says(
        NATIVE.call("search_tv_schedule", **({"watch_on": watch_on} if watch_on else {})),
        NATIVE.calls(executes(device=device, command="turn_on", final=False)),
        NATIVE.calls(executes(device=device, command="play_media", arguments={"media": media})),
        NATIVE.finish("could_not", "Nothing.", about="home"),
    )

    heard = [await impatient(sage).hear("put the news on", user_id=user.id)]
    while OUTSIDE in heard[-1]:
        heard.append(await sage.hear("no", user_id=user.id))

    state = sage.hass.states.get("media_player.bedroom_tv")
    assert state is not None
    assert (len(heard) > 1) is is_asked
    assert (state.attributes.get("media_channel") == channel) is not is_asked


async def test_the_tv_does_nothing_else_without_a_question(
    hass: HomeAssistant, sage: Sage, user: User, guide_source: GuideSource
) -> None:
    guide_source.show(on_air("bbc1.uk", "News"))
    await async_add_guide(hass, sage.entry, guide_source)
    link = {"media_content_type": "url", "media_content_id": "http://evil.example/101"}
    for command, arguments in (
        ("turn_off", {}),
        ("volume_set", {"volume_level": 1}),
        ("play_media", {"media": link}),
    ):
        sage.model_says(
            NATIVE.call("search_tv_schedule", watch_on=["living_room_tv"]),
            NATIVE.calls(executes(device="living_room_tv", command=command, arguments=arguments)),
            NATIVE.finish("could_not", "Nothing.", about="home"),
        )
        heard = await impatient(sage).hear("put the news on", user_id=user.id, conversation_id=None)
        assert OUTSIDE in heard, command
        await sage.hear("no", user_id=user.id)
