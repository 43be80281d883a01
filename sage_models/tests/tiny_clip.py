"""A small CLIP of a configuration of its own, as a folder of weights."""

import json
from pathlib import Path

from safetensors.torch import save_file

from sage_models.torch_libraries import torch_libraries

NAME = "tiny-clip"
SIZE = 32

CONFIGURATION = {
    "model_cfg": {
        "embed_dim": 48,
        "vision_cfg": {"image_size": SIZE, "layers": 2, "width": 64, "patch_size": 8},
        "text_cfg": {
            "context_length": 77,
            "vocab_size": 49408,
            "width": 64,
            "heads": 2,
            "layers": 2,
        },
    },
    "preprocess_cfg": {"mean": [0.5, 0.5, 0.5], "std": [0.25, 0.25, 0.25]},
}


def write_tiny_clip(weights: Path, name: str = NAME) -> Path:
    """Write the model with random weights; return its folder."""
    libraries = torch_libraries()
    folder = weights / name
    folder.mkdir(parents=True)
    (folder / "open_clip_config.json").write_text(json.dumps(CONFIGURATION), encoding="utf-8")
    libraries.torch.manual_seed(7)
    # Without weights, open_clip makes random ones.
    model = libraries.open_clip.create_model(f"local-dir:{folder}")
    save_file(model.state_dict(), folder / "open_clip_model.safetensors")
    return folder
