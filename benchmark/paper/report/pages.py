"""A report as Markdown and as one HTML page that stands alone."""

import base64
import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Final

_STYLE: Final = """
body { font: 16px/1.5 sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; margin: 1rem 0; display: block; overflow-x: auto; }
th, td { border: 1px solid #999; padding: .3rem .6rem; text-align: left; vertical-align: top; }
th { background: #eee; }
img { max-width: 100%; }
pre { background: #f4f4f4; padding: .6rem; white-space: pre-wrap; overflow-wrap: anywhere; }
@media (prefers-color-scheme: dark) {
  body { background: #1b1b1b; color: #ddd; } th { background: #333; } pre { background: #262626; }
}
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A table; all rows are as long as the head."""

    head: Sequence[str]
    rows: Sequence[Sequence[str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Excerpt:
    """A part of a trace under a line of its own."""

    title: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """An image; `name` is its file without the ending."""

    name: str
    png: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A part of the report."""

    title: str
    text: str = ""
    table: Table | None = None
    chart: Chart | None = None
    excerpts: Sequence[Excerpt] = ()


def markdown(title: str, sections: Sequence[Section]) -> str:
    """Return the report as Markdown; charts are files next to it."""
    parts = [f"# {title}"]
    for section in sections:
        parts.append(f"## {section.title}")
        if section.text:
            parts.append(section.text)
        if section.table is not None:
            parts.append(_markdown_table(section.table))
        if section.chart is not None:
            parts.append(f"![{section.title}]({section.chart.name}.png)")
        parts += [f"### {each.title}\n\n{_fenced(each.text)}" for each in section.excerpts]
    return "\n\n".join(parts) + "\n"


def _markdown_table(table: Table) -> str:
    rows = [table.head, ["---"] * len(table.head), *table.rows]
    return "\n".join(f"| {' | '.join(map(_cell, row))} |" for row in rows)


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def _fenced(text: str) -> str:
    longest = max(map(len, re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}text\n{text}\n{fence}"


def html(title: str, sections: Sequence[Section]) -> str:
    """Return the report as a page without any other file."""
    body = "\n".join(map(_html_section, sections))
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{_STYLE}</style></head>\n"
        f"<body><h1>{escape(title)}</h1>\n{body}\n</body></html>\n"
    )


def _html_section(section: Section) -> str:
    parts = [f"<h2>{escape(section.title)}</h2>"]
    if section.text:
        parts += [f"<p>{escape(each)}</p>" for each in section.text.split("\n\n")]
    if section.table is not None:
        head = "".join(f"<th>{escape(each)}</th>" for each in section.table.head)
        rows = [
            f"<tr>{''.join(f'<td>{escape(each)}</td>' for each in row)}</tr>"
            for row in section.table.rows
        ]
        parts.append(f"<table><tr>{head}</tr>{''.join(rows)}</table>")
    if section.chart is not None:
        data = base64.b64encode(section.chart.png).decode()
        parts.append(f'<img alt="{escape(section.title)}" src="data:image/png;base64,{data}">')
    parts += [
        f"<h3>{escape(each.title)}</h3><pre>{escape(each.text)}</pre>" for each in section.excerpts
    ]
    return "\n".join(parts)
