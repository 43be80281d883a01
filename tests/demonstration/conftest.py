"""A place for what a demo writes."""

from pathlib import Path

import pytest


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """An empty folder, where nothing of a demo stays."""
    folder = tmp_path / "workspace"
    folder.mkdir()
    return folder
