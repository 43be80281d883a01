"""Knows what a memory acknowledged, and holds what is left after a kill against it."""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from custom_components.sage.memory.person_memory import PersonMemory

from .crash_points import JudgementError
from .toy_embedder import MODEL, embed

type Texts = dict[str, int]
"""How often each text was said."""


class Judge:
    """Follows the lines of one writer after the other."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._texts: Texts = {}
        self._ids: dict[int, str] = {}
        self._embedded: set[int] = set()
        self._gone: set[str] = set()
        self.acknowledged = 0

    def follow(self, lines: Iterable[Mapping[str, Any]]) -> None:
        """Read the lines of a writer until it died, then check the file."""
        begun: Mapping[str, Any] | None = None
        for line in lines:
            if "begin" in line:
                begun = line
                continue
            assert begun is not None
            if begun["begin"] != "open":
                self._done(begun, line)
                self.acknowledged += 1
            begun = None
        self._look(begun if begun is not None and begun["begin"] != "open" else None)

    def _done(self, begun: Mapping[str, Any], line: Mapping[str, Any]) -> None:
        after, lost_vectors = self._after(begun)
        self._forgotten(self._texts, after)
        if begun["begin"] == "add":
            self._ids[line["id"]] = begun["text"]
        if begun["begin"] == "correct":
            self._ids[begun["id"]] = begun["text"]
        if begun["begin"] == "set_vectors":
            self._embedded |= set(begun["ids"])
        self._embedded -= lost_vectors
        self._texts = after
        self._ids = {number: text for number, text in self._ids.items() if text in after}

    def _after(self, begun: Mapping[str, Any]) -> tuple[Texts, set[int]]:
        """Return the texts after a call, and the ids that have no vector then."""
        texts = dict(self._texts)
        match begun["begin"]:
            case "add":
                texts[begun["text"]] = texts.get(begun["text"], 0) + 1
            case "correct":
                texts[begun["text"]] = texts.pop(self._ids[begun["id"]])
                return texts, {begun["id"]}
            case "forget":
                for number in begun["ids"]:
                    del texts[self._ids[number]]
                return texts, set(begun["ids"])
        return texts, set()

    def _forgotten(self, before: Texts, after: Texts) -> None:
        self._gone |= {mark(text) for text in before.keys() - after.keys()}

    def _look(self, pending: Mapping[str, Any] | None) -> None:
        """Open the file as after a crash, and compare."""
        memory = PersonMemory.open(self._path)
        try:
            connection = memory.connection
            if (found := connection.execute("PRAGMA integrity_check").fetchall()) != [("ok",)]:
                raise JudgementError(f"The file is damaged: {found}")
            if found := connection.execute("PRAGMA foreign_key_check").fetchall():
                raise JudgementError(f"Rows hang on nothing: {found}")
            self._compare(memory, pending)
        finally:
            memory.close()
        self._search()

    def _compare(self, memory: PersonMemory, pending: Mapping[str, Any] | None) -> None:
        found = {each.id: each for each in memory.list()}
        texts = {each.text: each.count for each in found.values()}
        lost_vectors: set[int] = set()
        if texts != self._texts:
            if pending is None:
                raise JudgementError("What was acknowledged is not what is there.")
            after, lost_vectors = self._after(pending)
            if texts != after:
                raise JudgementError(f"Half of a call was carried out: {pending['begin']}")
            self._forgotten(self._texts, texts)
        elif pending is not None and pending["begin"] == "correct":
            lost_vectors = (
                {pending["id"]} if found[pending["id"]].text == pending["text"] else set()
            )
        for number, text in self._ids.items():
            if text in texts and found[number].text != text:
                raise JudgementError("A memory has another id.")
        self._texts = texts
        self._ids = {number: each.text for number, each in found.items()}
        self._compare_vectors(memory, lost_vectors)

    def _compare_vectors(self, memory: PersonMemory, lost: set[int]) -> None:
        missing = {each.id for each in memory.recall.missing_vectors(MODEL, 10**6)}
        if unexpected := (self._embedded - lost) & missing:
            raise JudgementError(f"Vectors were acknowledged and are not there: {unexpected}")
        self._embedded = self._ids.keys() - missing
        for number in sorted(self._embedded)[-5:]:
            text = self._ids[number]
            best = memory.recall.best(embed(text)[0], MODEL, 1)[0]
            if best.id != number or best.score < 0.9999:
                raise JudgementError("A vector is not that of its memory.")

    def _search(self) -> None:
        """Look for forgotten words in the bytes of all files."""
        found = b"".join(file.read_bytes() for file in self._path.parent.iterdir())
        marks = {each.decode() for each in re.findall(rb"#[0-9a-f]{8}-\d{4}#", found)}
        if left := marks & self._gone:
            raise JudgementError(f"Forgotten words are still in a file: {left}")


def mark(text: str) -> str:
    return text.split(" ", 1)[0]
