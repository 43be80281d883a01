"""Loads the prompts, which are text files (DESIGN 4)."""

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

_FOLDER = Path(__file__).parent / "prompts"


def load_prompts() -> Mapping[str, str]:
    """Return the texts by file name without extension. Reads files: call it in the executor."""
    texts = {path.stem: path.read_text(encoding="utf-8").strip() for path in _FOLDER.glob("*.md")}
    return MappingProxyType(texts)
