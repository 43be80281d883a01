"""Makes `resemblyzer_background.npz` of the models server from recordings of many people.

    .venv/bin/python -m benchmark.speakers.background

The recordings are those that `benchmark.speakers` does not use, since several people may have
spoken one language. Run it again if `prepare` of the encoder changes, and give the encoder another
name then: stored vectors are no longer comparable.
"""

import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

import numpy as np

from benchmark.photos.models_server import environment_python

from .voices import fetch, heard, stamps, utterances

_LANGUAGES: Final = ("fr", "da", "nl", "nn", "lt")
_UTTERANCES: Final = 90  # of a language, at most
_NOISES: Final = (None, 20.0, 10.0)
_SERVER: Final = Path(__file__).parents[2] / "sage_models" / "src"
_MAKE: Final = """
import sys
from importlib.util import find_spec
from pathlib import Path
import numpy as np
from sage_models.data_uris import InputError
from sage_models.speaker_model import Background, SpeakerModel

recordings = np.load(sys.argv[1])
nothing = Background(*(np.zeros(shape, np.float32) for shape in (256, (1, 256), 1)))
model = SpeakerModel(Path(find_spec("resemblyzer").origin).with_name("pretrained.pt"), nothing)
vectors = []
for name in recordings:
    try:
        vectors.append(model.voices([model.prepare(recordings[name])])[0])
    except InputError:
        pass
Background.of(np.stack(vectors)).save(Path(sys.argv[2]))
print(len(vectors), "recordings")
"""


def main() -> int:
    """Write the file into the models server; return the exit code."""
    folder = fetch()
    recordings = {
        f"{language} {number} {noise}": heard(utterance, noise, 1000 + number)
        for language in _LANGUAGES
        for number, utterance in enumerate(
            utterances(stamps(language, language), folder, _UTTERANCES)
        )
        for noise in _NOISES
    }
    with tempfile.NamedTemporaryFile(suffix=".npz") as file:
        np.savez(file, allow_pickle=False, **recordings)
        file.flush()
        done = subprocess.run(
            (
                *(str(environment_python()), "-c", _MAKE, file.name),
                str(_SERVER / "sage_models" / "resemblyzer_background.npz"),
            ),
            check=False,
            cwd=_SERVER,
        )
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
