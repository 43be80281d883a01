"""A small CLIP for drawn photos, trained from nothing in minutes.

    python -m benchmark.photos.train FOLDER [--steps N] [--threads N]

Runs with the Python of the models server (`.venv-models/bin/python`). Writes the folder of a
model that the server serves under its name if the parent folder is its `--weights`. Trains with
the loss of open_clip on random rooms and on sentences made from templates; then looks for the
held-out descriptions in photos of the homes, none of which it has seen. Prints the loss, the
descriptions that it does not find, and one line of JSON; exits with 1 when a bound is missed.
"""

import argparse
import json
import math
import random
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
from .training_scenes import TrainingScene, sentence, training_scene

BOUND: Final = 0.9
"""Part of the held-out descriptions that find their device."""

LOGIT_SCALE: Final = 100.0
"""The most that it grows to, as in CLIP (Radford et al. 2021)."""

_SIZE: Final = 64
_MEAN: Final = 0.5
_DEVIATION: Final = 0.25
CONFIGURATION: Final = {
    "model_cfg": {
        "embed_dim": 128,
        "vision_cfg": {
            "image_size": _SIZE,
            "layers": [1, 1, 1, 1],
            "width": 16,
            "head_width": 64,
        },
        "text_cfg": {
            "context_length": 32,
            "vocab_size": 49408,
            "width": 64,
            "heads": 2,
            "layers": 2,
        },
    },
    "preprocess_cfg": {
        "mean": [_MEAN] * 3,
        "std": [_DEVIATION] * 3,
        "interpolation": "bicubic",
        "resize_mode": "squash",
    },
}

SCENES: Final = 10000
_BATCH: Final = 64
STEPS: Final = 1000
_LEARNING_RATE: Final = 2e-3
_SEED: Final = 2024


def main(argv: Sequence[str] | None = None) -> int:
    """Train, write, measure and print; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmark.photos.train", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("folder", type=Path)
    parser.add_argument("--steps", type=int, default=STEPS)
    parser.add_argument("--threads", type=int, default=2)
    arguments = parser.parse_args(argv)
    begin, processor = time.monotonic(), time.process_time()
    with ProcessPoolExecutor(arguments.threads) as pool:
        pixels = np.stack(list(pool.map(_pixels, range(SCENES), chunksize=100)))
    print(f"{SCENES} photos drawn in {time.monotonic() - begin:.0f} s", flush=True)
    trainer = Trainer(arguments.folder, arguments.threads)
    losses = trainer.train(pixels, arguments.steps)
    trainer.write()
    seconds, processor = time.monotonic() - begin, time.process_time() - processor
    return _show(trainer.matches, losses, seconds, processor)


def _pixels(seed: int) -> Any:
    """Return the photo of a training scene as the model takes it, shape (64, 64, 3)."""
    scene = training_scene(seed)
    drawn = photo(scene.room, scene.device, seed, (_SIZE * 4 // 3, _SIZE))
    return np.asarray(drawn.resize((_SIZE, _SIZE), Image.Resampling.BICUBIC))


class Trainer:
    """A model in training."""

    def __init__(self, folder: Path, threads: int) -> None:
        libraries = import_module("sage_models.torch_libraries").torch_libraries()
        self._torch, self._open_clip = libraries.torch, libraries.open_clip
        self._torch.manual_seed(_SEED)
        self._torch.set_num_threads(threads)
        folder.mkdir(parents=True, exist_ok=True)
        text = json.dumps(CONFIGURATION, indent=2)
        (folder / "open_clip_config.json").write_text(text, encoding="utf-8")
        self._folder = folder
        place = f"local-dir:{folder}"
        # Without weights in the folder open_clip makes random ones.
        (folder / "open_clip_model.safetensors").unlink(missing_ok=True)
        self._model, _, self._prepare = self._open_clip.create_model_and_transforms(place)
        self._tokens = self._open_clip.get_tokenizer(place)

    def train(self, pixels: Any, steps: int) -> list[float]:
        """Train on photos, shape (scenes, 64, 64, 3); return the loss of each step."""
        torch, model = self._torch, self._model
        photos = torch.from_numpy(pixels).permute(0, 3, 1, 2)
        scenes = [training_scene(seed) for seed in range(len(pixels))]
        loss_of = import_module("open_clip.loss").ClipLoss()
        optimizer = torch.optim.AdamW(_groups(model), betas=(0.9, 0.98))
        schedule = torch.optim.lr_scheduler.OneCycleLR(
            optimizer,
            [group["lr"] for group in optimizer.param_groups],
            total_steps=steps,
            pct_start=0.1,
        )
        losses: list[float] = []
        model.train()
        for numbers, sentences in batches(scenes, steps):
            images = (photos[numbers].float() / 255 - _MEAN) / _DEVIATION
            if len(losses) % 2:
                images = images.flip(3)
            loss = loss_of(*model(images, self._tokens(sentences)))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
            with torch.no_grad():
                model.logit_scale.clamp_(0, math.log(LOGIT_SCALE))
            losses.append(loss.item())
            if len(losses) % 50 == 0:
                mean = sum(losses[-50:]) / 50
                scale = model.logit_scale.exp().item()
                print(f"step {len(losses):4}  loss {mean:.3f}  scale {scale:.0f}", flush=True)
        model.eval()
        return losses

    def write(self) -> None:
        """Write the weights beside the configuration."""
        file = self._folder / "open_clip_model.safetensors"
        import_module("safetensors.torch").save_file(self._model.state_dict(), file)

    def matches(self, descriptions: Sequence[Description]) -> list[Match]:
        """Return the cosines of descriptions and the photos of their candidates."""
        model, torch = self._model, self._torch
        found = []
        with torch.inference_mode():
            texts = model.encode_text(
                self._tokens([each.text for each in descriptions]), normalize=True
            )
            for description, text in zip(descriptions, texts, strict=True):
                files = [photo_of(*candidate) for candidate in description.candidates()]
                images = [self._prepare(Image.open(BytesIO(file))) for file in files]
                vectors = model.encode_image(torch.stack(images), normalize=True)
                found.append(Match(description, tuple((vectors @ text).tolist())))
        return found


def _groups(model: Any) -> list[dict[str, Any]]:
    """Return the weights for the optimizer: biases and norms do not decay."""
    weights = [each for each in model.parameters() if each is not model.logit_scale]
    rate = _LEARNING_RATE
    return [
        {"params": [each for each in weights if each.ndim > 1], "lr": rate, "weight_decay": 0.05},
        {"params": [each for each in weights if each.ndim <= 1], "lr": rate, "weight_decay": 0.0},
        # One number that has to grow far; at the rate of the others it stays where it begins.
        {"params": [model.logit_scale], "lr": 10 * rate, "weight_decay": 0.0},
    ]


def batches(scenes: Sequence[TrainingScene], steps: int) -> Iterator[tuple[list[int], list[str]]]:
    """Yield the numbers of scenes, and a new sentence about each."""
    shuffle = random.Random(_SEED)
    numbers: list[int] = []
    for _ in range(steps):
        if len(numbers) < _BATCH:
            numbers = shuffle.sample(range(len(scenes)), len(scenes))
        batch, numbers = numbers[:_BATCH], numbers[_BATCH:]
        yield batch, [sentence(scenes[number], shuffle) for number in batch]


def _show(matches_of: Any, losses: Sequence[float], seconds: float, processor: float) -> int:
    fitting, others = matches_of(DESCRIPTIONS), matches_of(NONE_FIT)
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
