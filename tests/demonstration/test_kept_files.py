"""What a demo keeps for its next start: used again only if nothing about it has changed."""

from pathlib import Path

from scripts.demonstration.kept_files import KeptFiles


def keep(kept: KeptFiles, text: str, content: bytes) -> None:
    key = kept.key(text)
    unfinished = kept.unfinished(key)
    unfinished.write_bytes(content)
    kept.keep(key, unfinished)


def content_of(kept: KeptFiles, text: str) -> bytes | None:
    path = kept.find(kept.key(text))
    return path.read_bytes() if path else None


def test_a_damaged_file_is_removed(tmp_path: Path) -> None:
    kept = KeptFiles(tmp_path, "model")
    for damaged in (b"evaluated?", b"eval", b"", b"Evaluated"):
        keep(kept, "prompt", b"evaluated")
        (path,) = tmp_path.iterdir()
        path.write_bytes(damaged)
        assert content_of(kept, "prompt") is None
        assert list(tmp_path.iterdir()) == []


def test_a_newer_file_replaces_the_older_one(tmp_path: Path) -> None:
    kept = KeptFiles(tmp_path, "model")
    keep(kept, "prompt", b"first")
    keep(kept, "prompt", b"second")
    assert content_of(kept, "prompt") == b"second"
    assert len(list(tmp_path.iterdir())) == 1


def test_the_oldest_files_make_room(tmp_path: Path) -> None:
    kept = KeptFiles(tmp_path, "model", most_bytes=25)
    for number in range(3):
        keep(kept, f"prompt {number}", b"ten bytes!")
    assert [content_of(kept, f"prompt {number}") is None for number in range(3)].count(True) == 1
    assert content_of(kept, "prompt 2") == b"ten bytes!"
