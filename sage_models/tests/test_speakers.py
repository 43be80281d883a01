"""Voices: what a recording has to be, and the vectors that it becomes."""

import asyncio
import base64
import json
import shutil
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from sage_models import embedding_models
from sage_models.noise_suppression import without_noise
from sage_models.speaker_model import Background, SpeakerModel, at_level, features, speech_of

from .conftest import Reply, Served
from .pictures import data_uri
from .voices import RATE, hiss, recording, silence, voice, wav, wav_format, wav_of_chunks

MODEL = "resemblyzer-ge2e-whitened-128"
REFERENCE = json.loads(Path(__file__).with_name("speaker_reference.json").read_text("utf-8"))
"""What Resemblyzer 0.1.4 with librosa 0.11.0 computes for `voice(120, 1.6)`."""


async def speak(server: Served, inputs, **fields) -> Reply:
    return await server.post({"model": MODEL, "input": inputs, **fields}, path="/v1/speakers")


@pytest.fixture(scope="module")
def weights_file() -> Path:
    package = find_spec("resemblyzer")
    assert package is not None
    assert package.origin is not None
    return Path(package.origin).with_name("pretrained.pt")


def test_features_and_vectors_are_those_of_the_original(weights_file: Path):
    frames = features(voice(120, 1.6))[:160]
    vector = SpeakerModel(weights_file).voices([frames[None]])[0]

    np.testing.assert_allclose(frames[80], REFERENCE["features_of_frame_80"], rtol=1e-3)
    np.testing.assert_allclose(vector, REFERENCE["vector"], atol=2e-5)


async def test_a_voice_is_a_vector_of_length_one(server: Served):
    reply = await speak(server, [recording(voice(120, 3)), recording(voice(220, 3, 1.15))])

    assert reply.status == 200, reply.body
    assert reply.body["model"] == MODEL
    assert [entry["index"] for entry in reply.body["data"]] == [0, 1]
    assert reply.body["usage"] == {"prompt_tokens": 0, "total_tokens": 0}
    vectors = np.array(reply.vectors)
    assert vectors.shape == (2, 256)
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)


async def test_the_same_voice_is_nearer_than_another(server: Served):
    sounds = [
        *(voice(120, 2.2), voice(120, 4.0)[RATE:]),
        *(voice(220, 2.2, 1.15), voice(220, 4.0, 1.15)[RATE:]),
    ]

    low, low_later, high, high_later = np.array(
        (await speak(server, [recording(sound) for sound in sounds])).vectors
    )

    same = min(low @ low_later, high @ high_later)
    assert same > 0.9
    assert max(low @ high, low @ high_later, low_later @ high) < same - 0.05


async def test_loudness_and_silence_do_not_change_the_vector(server: Served):
    sound = voice(120, 3)
    quieter = sound * np.float32(0.05)
    pauses = np.concatenate(
        [silence(1), sound[: RATE * 2], silence(1.5), sound[RATE * 2 :], silence(2)]
    )

    loud, quiet, long = np.array(
        (await speak(server, [recording(each) for each in (sound, quieter, pauses)])).vectors
    )

    assert loud @ quiet > 0.99
    assert loud @ long > 0.9


def test_steady_noise_becomes_quieter_and_speech_stays():
    sound = np.concatenate([silence(0.5), voice(120, 3), silence(0.5)])
    noise = hiss(4, 0.01)

    cleaned = without_noise(sound + noise)

    assert len(cleaned) == len(sound)
    assert np.mean((cleaned - sound) ** 2) < np.mean(noise**2) / 3
    assert np.mean(cleaned[: RATE // 4] ** 2) < np.mean(noise**2) / 20


@pytest.mark.parametrize("length", [0, 1, 511, 512, 700, 2048])
def test_noise_of_a_very_short_recording(length: int):
    sound = hiss(1)[:length]

    assert without_noise(sound).shape == sound.shape
    assert np.isfinite(without_noise(sound)).all()


async def test_a_voice_in_noise_is_still_nearer_than_another(server: Served):
    own, later = voice(120, 2.4), voice(120, 4.0)[RATE:] + hiss(3, 0.02)
    other = voice(220, 3, 1.15)

    clean, noisy, stranger = np.array(
        (await speak(server, [recording(each) for each in (own, later, other)])).vectors
    )

    assert clean @ noisy > clean @ stranger + 0.2


def test_what_all_vectors_share_counts_less(tmp_path: Path):
    chance = np.random.default_rng(4)
    spread = np.ones(256)
    spread[0] = 20
    vectors = (5 + chance.standard_normal((500, 256)) * spread).astype(np.float32)

    background = Background.of(vectors)
    background.save(tmp_path / "background.npz")
    whitened = Background.load(tmp_path / "background.npz").whitened(vectors)

    assert abs(background.directions[0, 0]) > 0.99
    np.testing.assert_allclose(np.linalg.norm(whitened, axis=1), 1, atol=1e-5)
    assert abs(whitened.mean()) < 0.01
    # Without it, the first number would make up most of each vector.
    assert np.mean(whitened[:, 0] ** 2) < 0.05


async def test_base64_holds_the_same_numbers(server: Served):
    decimal = await speak(server, recording(voice(120, 2)))
    binary = await speak(server, recording(voice(120, 2)), encoding_format="base64")

    numbers = np.frombuffer(base64.b64decode(binary.vectors[0]), "<f4")
    np.testing.assert_allclose(numbers, decimal.vectors[0], atol=1e-6)


async def test_concurrent_recordings_get_what_one_alone_gets(server: Served):
    uris = [
        recording(voice(90 + 20 * number, 2 + number % 4, 1 + number / 40)) for number in range(10)
    ]
    alone = [(await speak(server, uri)).vectors[0] for uri in uris]

    together = await asyncio.gather(*(speak(server, uri) for uri in uris))
    listed = await speak(server, uris)

    np.testing.assert_allclose([reply.vectors[0] for reply in together], alone, atol=1e-5)
    np.testing.assert_allclose(listed.vectors, alone, atol=1e-5)


@pytest.mark.parametrize(
    ("sound", "seconds"),
    [
        (silence(0), "0.0"),
        (silence(5), "0.0"),
        (hiss(5), "0.0"),
        (np.concatenate([silence(2), voice(120, 1), silence(2)]), "1."),
        (np.concatenate([hiss(2, 0.003), voice(120, 1), hiss(2, 0.003)]), "1."),
    ],
    ids=["empty", "silence", "hiss", "a word", "a word in hiss"],
)
async def test_too_little_speech_is_refused(server: Served, sound, seconds):
    reply = await speak(server, [recording(voice(120, 2)), recording(sound)])

    assert reply.status == 400
    assert reply.body["error"]["code"] == "too_little_speech"
    assert reply.body["error"]["param"] == "input"
    assert f"input[1] has {seconds}" in reply.error
    assert "it needs 1.6 s" in reply.error


def test_the_speech_in_steady_noise_is_found():
    sound = voice(120, 2)
    noise = hiss(6, 0.3 * float(np.sqrt(np.mean(sound**2))))
    noise[2 * RATE : 4 * RATE] += sound

    assert 1.6 * RATE <= len(speech_of(noise)) <= 2.4 * RATE


@pytest.mark.parametrize("loudness", [0.01, 1.0])
def test_the_level_is_that_of_the_training(loudness: float):
    level = 10 * np.log10(np.mean(at_level(voice(120, 2) * np.float32(loudness)) ** 2))

    assert level == pytest.approx(-30, abs=0.01)


SAMPLES = (np.round(voice(120, 2) * 32767)).astype("<i2").tobytes()
FORMAT = (b"fmt ", wav_format())
WAV = wav(voice(120, 2))


@pytest.mark.parametrize(
    ("file", "words"),
    [
        (b"", "is not a WAV file"),
        (b"OggS" + bytes(100), "is not a WAV file"),
        (b"RIFF\x00\x00\x00\x00AVI " + bytes(100), "is not a WAV file"),
        (WAV[:30], "damaged"),
        (wav_of_chunks((b"data", SAMPLES)), "without samples"),
        (wav_of_chunks((b"fmt ", b"\x01\x00"), (b"data", SAMPLES)), "damaged"),
        (WAV[:-500], "is truncated"),
        (wav(voice(120, 2), rate=44_100), "1 channels of 16 bits at 44100 Hz"),
        (wav(voice(120, 2), channels=2), "2 channels of 16 bits"),
        (wav_of_chunks((b"fmt ", wav_format(bits=8)), (b"data", SAMPLES)), "of 8 bits"),
        (wav_of_chunks((b"fmt ", wav_format(kind=3)), (b"data", SAMPLES)), "format 3"),
    ],
    ids=range(11),
)
async def test_a_file_that_is_no_such_recording_is_refused(server: Served, file, words):
    reply = await speak(server, data_uri(file, "audio/wav"))

    assert reply.status == 400
    assert reply.body["error"]["param"] == "input"
    assert reply.body["error"]["code"] is None
    assert "input[0]" in reply.error
    assert words in reply.error


@pytest.mark.parametrize(
    ("uri", "words"),
    [
        ("http://house/voice.wav", "fetches no addresses"),
        ("data:audio/ogg;base64,AAAA", "none of audio/wav"),
        ("data:audio/wav,AAAA", "not in base64"),
        ("data:audio/wav;base64,A*", "not valid base64"),
    ],
)
async def test_an_input_that_is_no_recording_is_refused(server: Served, uri, words):
    reply = await speak(server, uri)

    assert reply.status == 400
    assert words in reply.error


async def test_recordings_of_other_writers_are_read(server: Served):
    guid_of_pcm = bytes.fromhex("0100000000001000800000aa00389b71")
    extensible = wav_format(kind=0xFFFE) + b"\x16\x00\x10\x00" + bytes(4) + guid_of_pcm
    files = [
        WAV,
        wav_of_chunks((b"LIST", b"odd"), FORMAT, (b"data", SAMPLES), (b"tail", b"1234")),
        wav_of_chunks((b"fmt ", extensible), (b"data", SAMPLES)),
        wav_of_chunks(FORMAT, (b"data", SAMPLES), sizes=(0xFFFFFFFF, 0xFFFFFFFF)),
        wav_of_chunks(FORMAT, (b"data", SAMPLES), sizes=(0, 0)),
        wav_of_chunks(FORMAT, (b"data", SAMPLES + b"\x00"), sizes=(0, 0)),
    ]

    reply = await speak(server, [data_uri(file, "audio/wav") for file in files])

    assert reply.status == 200, reply.body
    for vector in reply.vectors[1:]:
        assert vector == pytest.approx(reply.vectors[0], abs=1e-5)


async def test_long_and_many_recordings_are_refused(make_server):
    server = await make_server(limits={"speech_seconds": 3.0, "recordings": 2})
    uri = recording(voice(120, 2))

    long = await speak(server, recording(voice(120, 3.1)))
    longer = await speak(server, recording(voice(120, 9)))
    many = await speak(server, [uri] * 3)

    assert long.status == longer.status == many.status == 400
    assert "longer than 3 s" in long.error
    assert "larger than" in longer.error
    assert "too many inputs: 3; at most 2" in many.error
    assert (await speak(server, [recording(voice(120, 3)), uri])).status == 200


async def test_speech_texts_and_images_have_their_own_models(server: Served):
    uri = recording(voice(120, 2))

    text_model = await server.post({"model": "all-MiniLM-L6-v2", "input": uri}, path="/v1/speakers")
    speaker_model = await server.embed(MODEL, "a lamp")
    other_modality = await speak(server, uri, modality="image")

    assert text_model.status == speaker_model.status == other_modality.status == 400
    assert "takes text at /v1/embeddings, not speech" in text_model.error
    assert text_model.body["error"]["param"] == "model"
    assert "takes speech at /v1/speakers, not text" in speaker_model.error
    assert "modality is speech" in other_modality.error


async def test_voices_need_the_key(make_server):
    server = await make_server(key="the key")
    body = {"model": MODEL, "input": recording(voice(120, 2))}

    refused = await server.post(body, path="/v1/speakers")
    allowed = await server.post(
        body, path="/v1/speakers", headers={"Authorization": "Bearer the key"}
    )

    assert (refused.status, allowed.status) == (401, 200)


async def test_missing_weights_are_a_sentence_that_says_what_to_do(make_server, monkeypatch):
    monkeypatch.setattr(embedding_models, "find_spec", lambda _: None)
    server = await make_server(offline=False)

    reply = await speak(server, recording(voice(120, 2)))

    assert reply.status == 503
    assert reply.body["error"]["code"] == "no_weights"
    assert "Install the package resemblyzer" in reply.error
    assert f"the folder {MODEL}" in reply.error


async def test_weights_brought_by_hand_are_served(
    make_server, tmp_path: Path, weights_file: Path, monkeypatch
):
    monkeypatch.setattr(embedding_models, "find_spec", lambda _: None)
    (tmp_path / MODEL).mkdir()
    shutil.copy(weights_file, tmp_path / MODEL)
    server = await make_server(weights=tmp_path)

    assert len((await speak(server, recording(voice(120, 2)))).vectors[0]) == 256


def damage(file: Path) -> None:
    content = file.read_bytes()
    file.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))


async def test_other_weights_are_refused_since_their_vectors_cannot_be_compared(
    make_server, tmp_path: Path, weights_file: Path
):
    (tmp_path / MODEL).mkdir()
    damage(Path(shutil.copy(weights_file, tmp_path / MODEL)))
    server = await make_server(weights=tmp_path)

    reply = await speak(server, recording(voice(120, 2)))

    assert reply.status == 503
    assert "not that of Resemblyzer 0.1.4" in reply.error


def files_in(folder: Path) -> list[Path]:
    return list(folder.iterdir())


async def test_nothing_of_a_recording_is_written(make_server, tmp_path: Path, monkeypatch, caplog):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    caplog.set_level("DEBUG")
    server = await make_server()
    uri = recording(voice(120, 2))

    assert (await speak(server, uri)).status == 200
    assert (await speak(server, recording(silence(2)))).status == 400

    assert files_in(tmp_path) == []
    assert uri[60:120] not in caplog.text
