"""Several people at one satellite: whose memory it is, and nobody else's."""

import asyncio
import json
import random
from typing import Any

import pytest
from homeassistant.components.assist_pipeline import PipelineEvent, async_pipeline_from_audio_stream
from homeassistant.components.stt import (
    AudioBitRates,
    AudioChannels,
    AudioCodecs,
    AudioFormats,
    AudioSampleRates,
    SpeechMetadata,
)
from homeassistant.core import Context
from homeassistant.exceptions import ServiceValidationError

from benchmark.fake_embedding_server import Refusal
from benchmark.model_script import Answer, Completion
from custom_components.sage.const import CONF_PIN_HASH
from custom_components.sage.memory.memory_export import export
from custom_components.sage.people.pin import hash_pin
from custom_components.sage.run import speakers
from custom_components.sage.run.speakers import ENCODER
from tests.decisions import NATIVE
from tests.end_to_end.conftest import device_of
from tests.end_to_end.doors.voice import audio_of

from .story import WHO, kept, person_of, words
from .test_satellites import give_box_to
from .voices import LONG, STT, SharedBox, box, encoder, grace, options, recording, sound

__all__ = ["box", "encoder", "grace", "options"]

HELLO = NATIVE.finish("answered", "Hello to you.", about="other")
ANSWER = "Hello to you."
TURNS = 200
SECRETS = {"anna": "zebra", "ben": "walrus"}
HELD = 12
"""Every so many turns, the encoder answers too late."""


def repeats(body: dict[str, Any]) -> Answer:
    """Look into the memory, then say all that was found there."""
    instructions, told, *later = [str(each.get("content") or "") for each in body["messages"]]
    if instructions.startswith(WHO):
        found = {"known": True, "answer": f"I know {told}", "rests_on": [1, 2, 3, 4, 5]}
        return Completion(text=json.dumps(found))
    if not later:
        return NATIVE.call("personalization", question="What is their favourite animal?")
    return NATIVE.finish("answered", " ".join(later))


def no_leak(box: SharedBox) -> None:
    """Check that no prompt has words of two people."""
    prompts = [each.prompt for each in box.sage.server.completions]
    assert prompts
    assert not [each for each in prompts if all(secret in each for secret in SECRETS.values())]


async def test_200_turns_of_two_people_at_one_satellite(box: SharedBox, user, other) -> None:
    """Some sentences interrupt the one before, and some voices are known too late."""
    people = {"anna": user, "ben": other}
    for speaker, person in people.items():
        await box.enrol(person, speaker)
    box.sage.server.say(repeats)
    held, released = asyncio.Event(), asyncio.Event()

    async def listen(audio: bytes) -> None:
        if b"hold on" in audio:
            held.set()
            await released.wait()

    box.encoder.async_listens = listen
    order, said = random.Random(43), {"anna": 0, "ben": 0}
    remembered = 0
    for number in range(TURNS):
        speaker = order.choice(["anna", "ben"])
        secret = SECRETS[speaker]
        if number % HELD == 0:
            # The next person interrupts while the encoder still hears this one.
            held.clear()
            released.clear()
            interrupted = asyncio.create_task(box.satellite.hear(sound(speaker, "hold on")))
            await held.wait()
            speaker = {"anna": "ben", "ben": "anna"}[speaker]
            secret = SECRETS[speaker]
        answer = await box.hear(speaker, f"my favourite animal {number} is a {secret}")
        (foreign,) = set(SECRETS.values()) - {secret}
        assert foreign not in answer
        remembered += secret in answer
        said[speaker] += 1
        released.set()
    await asyncio.gather(interrupted, return_exceptions=True)
    await box.hass.async_block_till_done(wait_background_tasks=True)
    no_leak(box)
    assert remembered > TURNS * 0.9
    for speaker, person in people.items():
        own = await words(box.sage, person.id)
        assert all(SECRETS[speaker] in each for each in own)
        assert len(own) == said[speaker]
        assert {each["voice"]["recognized"] for each in box.sage.traces(person.id)} == {True}


async def speak_twice(box: SharedBox, *sentences: tuple[str, str]) -> list[str]:
    """Let people speak at once, each at a device of its own; return the answers."""

    async def run(speaker: str, words: str) -> str:
        events: list[PipelineEvent] = []

        async def microphone() -> Any:
            for frame in audio_of(sound(speaker, words)):
                yield frame

        await async_pipeline_from_audio_stream(
            box.hass,
            context=Context(),
            event_callback=events.append,
            stt_metadata=SpeechMetadata(
                language="en",
                format=AudioFormats.WAV,
                codec=AudioCodecs.PCM,
                bit_rate=AudioBitRates.BITRATE_16,
                sample_rate=AudioSampleRates.SAMPLERATE_16000,
                channel=AudioChannels.CHANNEL_MONO,
            ),
            stt_stream=microphone(),
        )
        (output,) = [each.data for each in events if each.type == "intent-end"]
        assert output is not None
        return str(output["intent_output"]["response"]["speech"]["plain"]["speech"])

    return list(await asyncio.gather(*(run(*each) for each in sentences)))


async def test_the_same_words_at_the_same_time(box: SharedBox, user, other) -> None:
    for speaker, person in (("anna", user), ("ben", other)):
        await box.enrol(person, speaker)
    box.sage.server.say(repeats)
    for speaker, secret in SECRETS.items():
        await box.hear(speaker, f"my favourite animal is a {secret}")
    for _ in range(10):
        question = "which animal do I like best"
        anna, ben = await speak_twice(box, ("anna", question), ("ben", question))
        assert ("zebra" in anna, "walrus" in anna) == (True, False)
        assert ("zebra" in ben, "walrus" in ben) == (False, True)
    no_leak(box)


async def test_a_late_result_concerns_no_other_turn(
    box: SharedBox, user, grace: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The transcript waits 200 ms for the voice, and no longer, by a clock that stands still."""
    await box.enrol(user, "anna")
    monkeypatch.setattr(speakers, "GRACE_SECONDS", grace)
    asked, loop = asyncio.Event(), box.hass.loop
    released = asyncio.Event()

    async def listen(audio: bytes) -> None:
        if audio.startswith(b"anna>"):
            asked.set()
            await released.wait()

    box.encoder.async_listens = listen
    box.sage.server.say(lambda _: HELLO)
    now = loop.time()
    loop.time = lambda: now  # type: ignore[method-assign]
    try:
        turn = asyncio.create_task(box.hear("anna", "the first words"))
        await asked.wait()
        await box.ears.has_heard.wait()
        now += 0.2
        assert await turn == ANSWER
    finally:
        del loop.time
    released.set()
    assert await box.hear("anna", "short", length=20_000) == ANSWER
    assert await words(box.sage) == ["the first words", "short"]
    assert await words(box.sage, user.id) == []
    missing = [each["voice"]["missing"] for each in box.sage.traces(None)]
    assert missing == ["late", "too_short"]


@pytest.mark.parametrize(
    "fault", [Refusal(status=503, code="model_loading"), Refusal(status=401), "away"]
)
async def test_without_the_encoder_it_is_the_household(box: SharedBox, user, fault) -> None:
    await box.enrol(user, "anna")
    if fault == "away":
        await box.encoder.async_stop()
    else:
        box.encoder.refuses = lambda _: fault
    box.sage.server.say(lambda _: HELLO)
    assert await box.hear("anna", "good morning") == ANSWER
    assert await words(box.sage) == ["good morning"]
    (trace,) = box.sage.traces(None)
    assert trace["voice"]["missing"] == "away"


async def test_strangers_and_voices_in_the_middle_are_the_household(
    box: SharedBox, user, other
) -> None:
    await box.enrol(user, "anna")
    await box.enrol(other, "ben")
    box.sage.server.say(lambda _: HELLO)
    await box.hear("stranger", "I am new here")
    await box.hear("anna+ben", "we are both here")
    assert await words(box.sage) == ["I am new here", "we are both here"]
    far, near = [each["voice"] for each in box.sage.traces(None)]
    assert max(far["scores"]) < far["threshold"] == 0.5
    assert min(near["scores"]) > near["threshold"]
    assert abs(near["scores"][0] - near["scores"][1]) < near["margin"]


async def test_the_owner_of_a_satellite_is_who_sounds_so(box: SharedBox, user, other) -> None:
    """Without an enrolled voice, the owner is assumed as before."""
    box.sage.server.say(lambda _: HELLO)
    await give_box_to(box.sage, box, user.id)
    await box.hear("anna", "before the enrolment")
    await box.enrol(user, "anna")
    await box.hear("anna", "it is me")
    await box.hear("stranger", "it is a guest")
    await box.hear("stranger", "hm", length=20_000)
    await box.enrol(other, "ben")
    await box.hear("ben", "and me")
    assert await words(box.sage, user.id) == ["before the enrolment", "it is me", "hm"]
    assert await words(box.sage) == ["it is a guest"]
    assert await words(box.sage, other.id) == ["and me"]


class TestRisk:
    """A voice confirms nothing."""

    @pytest.fixture
    def options(self) -> dict[str, Any]:
        return {CONF_PIN_HASH: hash_pin("4711")}

    async def test_a_recognized_voice_needs_the_pin(self, box: SharedBox, user) -> None:
        await box.enrol(user, "anna")
        unlock = NATIVE.execute("front_door", command="unlock", timing="now", final=True)
        box.sage.server.say([unlock])
        assert "PIN" in await box.hear("anna", "unlock the front door")
        assert "PIN" in await box.hear("anna", "yes", length=20_000)
        assert box.hass.states.is_state("lock.front_door", "locked")
        await box.hear("anna", "4711", length=20_000)
        assert box.hass.states.is_state("lock.front_door", "unlocked")
        (trace,) = box.sage.traces(user.id)
        assert trace["command"] == "unlock the front door"


async def test_a_short_reply_reaches_the_question_but_no_memory_of_its_own(
    box: SharedBox, user, other
) -> None:
    await box.enrol(user, "anna")
    await box.enrol(other, "ben")
    box.sage.server.say([NATIVE.call("human_interaction", question="Tea or coffee?"), HELLO])
    assert await box.hear("anna", "make me something") == "Tea or coffee?"
    assert await box.hear("anna", "tea", length=20_000) == ANSWER
    assert await words(box.sage, user.id) == ["make me something", "tea"]
    # Another person's voice is no reply.
    box.sage.server.say([NATIVE.call("human_interaction", question="Tea or coffee?"), HELLO])
    await box.hear("anna", "make me something else")
    assert await box.hear("ben", "I would like some coffee") == ANSWER
    assert await words(box.sage, other.id) == ["I would like some coffee"]


class TestEnrolment:
    """Only vectors are kept, by the person, for the person."""

    async def test_sentences_at_a_satellite_can_be_claimed(
        self, box: SharedBox, user, other
    ) -> None:
        await box.enrol(other, "ben")
        box.sage.server.say(lambda _: HELLO)
        await box.hear("anna", "the voice of nobody")
        await box.hear("ben", "the voice of ben")
        overview = (await box.send(user, "voice/overview"))["result"]
        assert overview["enabled"]
        assert overview["vectors"] == []
        (sentence,) = overview["sentences"]
        assert set(sentence) == {"id", "at", "satellite"}
        state = box.hass.states.get(box.satellite.entity_id)
        assert state is not None
        assert sentence["satellite"] == state.name
        assert len((await box.send(other, "voice/overview"))["result"]["sentences"]) == 2
        assert (await box.send(user, "voice/claim", id=sentence["id"]))["success"]
        again = await box.send(other, "voice/claim", id=sentence["id"])
        assert again["error"]["translation_key"] == "voice_no_sentence"
        await box.hear("anna", "now it is known")
        assert await words(box.sage, user.id) == ["now it is known"]

    async def test_vectors_are_exported_replaced_and_deleted(self, box: SharedBox, user) -> None:
        first = await box.send(user, "voice/enroll", audio=recording("anna", "0"))
        assert first["result"] == {"similarity": None}
        for number in range(1, 14):
            answer = await box.send(user, "voice/enroll", audio=recording("anna", str(number)))
            assert answer["result"]["similarity"] > 0.9
        memory, person = box.sage.entry.runtime_data.memory, person_of(user.id)
        exported = (await memory.async_do(person, export))["voices"]
        assert len(exported) == 12
        assert {each["model"] for each in exported} == {ENCODER}
        # Each sentence as it was recorded, and in two noises.
        assert {tuple(map(len, each["vectors"])) for each in exported} == {(256, 256, 256)}
        vectors = (await box.send(user, "voice/overview"))["result"]["vectors"]
        assert [each["id"] for each in vectors] == [each["id"] for each in exported]
        await box.send(user, "voice/delete", id=vectors[0]["id"])
        assert len((await box.send(user, "voice/overview"))["result"]["vectors"]) == 11
        await box.send(user, "voice/delete")
        assert (await box.send(user, "voice/overview"))["result"]["vectors"] == []
        box.sage.server.say(lambda _: HELLO)
        await box.hear("anna", "forgotten")
        assert await words(box.sage) == ["forgotten"]

    async def test_forget_everything_forgets_the_voice(self, box: SharedBox, user) -> None:
        await box.enrol(user, "anna")
        await box.hass.services.async_call(
            "sage",
            "forget",
            {"everything": True},
            blocking=True,
            context=Context(user_id=user.id),
            return_response=True,
        )
        assert (await box.send(user, "voice/overview"))["result"]["vectors"] == []

    @pytest.mark.parametrize(
        ("audio", "fault", "key"),
        [
            (recording("anna", length=20_000), None, "voice_too_short"),
            ("bm8gd2F2", None, "voice_failed"),
            (recording("anna"), Refusal(status=401), "voice_failed"),
        ],
    )
    async def test_a_recording_that_is_no_use(self, box: SharedBox, user, audio, fault, key):
        box.encoder.refuses = lambda _: fault
        answer = await box.send(user, "voice/enroll", audio=audio)
        assert answer["error"]["translation_key"] == key
        assert (await box.send(user, "voice/overview"))["result"]["vectors"] == []


class TestReports:
    """Another integration knows who speaks."""

    async def report(self, box: SharedBox, **data: Any) -> None:
        device = device_of(box.hass, box.satellite.entity_id)
        await box.hass.services.async_call(
            "sage", "speaker_recognized", {"device_id": device, **data}, blocking=True
        )

    async def test_a_report_counts_for_the_sentence_it_was_made_for(
        self, box: SharedBox, user, other
    ) -> None:
        box.sage.server.say(lambda _: HELLO)
        with pytest.raises(ServiceValidationError) as late:
            await self.report(box, user=user.id)
        assert late.value.translation_key == "speaker_late"
        asked = asyncio.Event()

        async def listen(_: bytes) -> None:
            await self.report(box, user=user.id, text="it is me")
            asked.set()

        box.encoder.async_listens = listen
        await box.hear("anna", "it is me")
        assert asked.is_set()
        await box.hear("anna", "it is somebody else")
        box.encoder.async_listens = None
        await box.hear("anna", "and nobody reports")
        assert await words(box.sage, user.id) == ["it is me"]
        assert await words(box.sage) == ["it is somebody else", "and nobody reports"]
        (trace,) = box.sage.traces(user.id)
        assert trace["voice"]["reported"]
        # A report does not overrule a voice that is another person's.
        await box.enrol(other, "ben")
        box.encoder.async_listens = listen
        await box.hear("ben", "it is me")
        assert await words(box.sage, other.id) == []
        assert "it is me" in await words(box.sage)

    async def test_a_device_that_is_no_satellite_needs_the_words(self, box: SharedBox, user):
        with pytest.raises(ServiceValidationError) as refused:
            await box.hass.services.async_call(
                "sage", "speaker_recognized", {"device_id": "x", "user": user.id}, blocking=True
            )
        assert refused.value.translation_key == "speaker_without_text"


async def test_the_audio_passes_unchanged(box: SharedBox) -> None:
    box.sage.server.say(lambda _: HELLO)
    entity = box.hass.states.get(STT)
    assert entity is not None
    assert entity.attributes["friendly_name"] == "Ears with speaker recognition"
    heard = await box.satellite.hear(sound("anna", "every word of it"))
    assert heard["stt-end"]["stt_output"]["text"] == "every word of it"
    (request,) = box.encoder.requests
    assert request.body["input"] == [
        f"data:audio/wav;base64,{recording('anna', 'every word of it', LONG + 160)}"
    ]
    assert (await kept(box.sage))[0].text == "every word of it"
