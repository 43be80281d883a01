"""Code interprets what people say nowhere but in the listed exceptions.

Word lists betray themselves by words of other languages than English: a list that reads
speech has to know several.
"""

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

SAGE = Path(__file__).parents[1] / "custom_components" / "sage"

EXCEPTIONS = {
    "home/everyday_words.json": "fuzzy matching of names: what people call kinds of devices",
    "people/confirmation_words.json": "confirmation words",
    "people/number_words.json": "PIN digits: number words that Unicode lacks",
    "text/stop_words.json": "fuzzy matching of names, search in memories: words that name nothing",
}
"""Files with words of several languages, and the exception they fall under."""

_GERMAN = """alle allem alles aus bitte das der ein eine erinnere heute ist ja keine mach mich
    morgen nein nicht schalte sofort und wenn zwei"""
_FRENCH = """allume aujourd'hui avec chaque demain dans éteins les mets oui pour quand rappelle
    tous une"""
_OTHERS = """apaga cuando después enciende hoy mañana por sí todos вы да если не нет когда
    はい いいえ 是 不"""
FOREIGN = frozenset(f"{_GERMAN} {_FRENCH} {_OTHERS}".split())
"""Words of everyday speech that no English identifier or text contains as a word of its own."""


def constants(tree: ast.Module) -> Iterator[str]:
    """Yield the texts of a module that are no docstrings."""
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    docstrings = {
        id(statement.value)
        for node in ast.walk(tree)
        if isinstance(node, documented)
        for statement in node.body
        if isinstance(statement, ast.Expr)
    }
    for node in ast.walk(tree):
        match node:
            case ast.Constant(value=str(text)) if id(node) not in docstrings:
                yield text


def foreign_words(path: Path) -> set[str]:
    """Return the words of everyday speech, other than English, in the texts of a file."""
    source = path.read_text(encoding="utf-8")
    texts = constants(ast.parse(source)) if path.suffix == ".py" else [source]
    said = {word for text in texts for word in re.findall(r"[\w']+", text.casefold())}
    return said & FOREIGN


def files() -> Iterator[Path]:
    """Yield the files of the integration that are code or data of code."""
    for path in sorted(SAGE.rglob("*")):
        if path.suffix in {".py", ".json"} and "translations" not in path.parts:
            yield path


def test_only_the_exceptions_have_words_of_several_languages() -> None:
    found = {
        path.relative_to(SAGE).as_posix(): words
        for path in files()
        if len(words := foreign_words(path)) >= 2
    }
    assert {name: words for name, words in found.items() if name not in EXCEPTIONS} == {}


@pytest.mark.parametrize("name", EXCEPTIONS)
def test_exception_is_still_needed(name: str) -> None:
    assert (SAGE / name).is_file()
    assert len(foreign_words(SAGE / name)) >= 2


@pytest.mark.parametrize("language", ["en", "de", "fr"])
def test_no_translation_is_a_list_of_words(language: str) -> None:
    texts = json.loads((SAGE / "translations" / f"{language}.json").read_text(encoding="utf-8"))
    lists = {name for name, text in texts["common"].items() if text.count(",") >= 6}
    assert {name for name in lists if name.endswith("_words")} == set()


def test_no_pattern_reads_the_utterance() -> None:
    """Regular expressions and word functions are never applied to what was said."""
    pattern = re.compile(
        r"(?:re\.\w+|words|content_words|findall|match|search)\([^)\n]*utterance\.text"
    )
    offenders = {
        path.relative_to(SAGE).as_posix()
        for path in SAGE.rglob("*.py")
        if pattern.search(path.read_text(encoding="utf-8"))
    }
    assert offenders == set()
