"""The charts of the paper, as PNG. Needs matplotlib, which only the benchmark uses."""

import io
import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from ..case import Category
from .figures import ComponentFailures, Rate

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_INNER: Final = -0.25
"""Value at the centre of the radar: its inner ring, not the centre, is 0."""


class ChartError(Exception):
    """Charts cannot be drawn; the text says how to fix it."""


def check() -> None:
    """Raise ChartError if matplotlib is missing."""
    _figure(1, 1)


def _figure(width: float, height: float) -> Figure:
    try:
        from matplotlib.figure import Figure as Drawn  # noqa: PLC0415 - optional
    except ModuleNotFoundError as err:
        raise ChartError(
            "The charts need matplotlib: install it with the extra 'benchmark' of this project, "
            "or write the report with --no-charts."
        ) from err
    return Drawn(figsize=(width, height), layout="constrained")


def _png(figure: Figure) -> bytes:
    buffer = io.BytesIO()
    # Without the version of the library, equal results give equal bytes.
    figure.savefig(buffer, format="png", dpi=110, metadata={"Software": None})
    return buffer.getvalue()


def success_bars(title: str, rates: Mapping[str, Rate]) -> bytes:
    """Return bars of the success of each series; error bars are the worst and best repeat."""
    figure = _figure(7, 1.2 + 0.45 * len(rates))
    axes: Any = figure.subplots()
    names = list(rates)[::-1]
    values = [rates[name].mean * 100 for name in names]
    spread = [
        [(rates[name].mean - rates[name].low) * 100 for name in names],
        [(rates[name].high - rates[name].mean) * 100 for name in names],
    ]
    bars = axes.barh(names, values, xerr=spread, capsize=4, color=[_color(n) for n in names])
    axes.bar_label(bars, labels=[f"{value:.0f} %" for value in values], padding=6)
    axes.set_xlim(0, 112)
    axes.set_xlabel("success rate in %")
    axes.set_title(title)
    return _png(figure)


def _color(name: str) -> str:
    """Return the colour of a series by its method."""
    colors = {"sage": "C0", "paper-flow": "C9", "one-prompt": "C1", "sasha": "C2", "assist": "C3"}
    return colors.get(name.partition(",")[0], "C7")


def radar(title: str, rates: Mapping[str, Mapping[Category, float]]) -> bytes:
    """Return the success of each series by category."""
    figure = _figure(7, 6)
    axes: Any = figure.add_subplot(projection="polar")
    categories = [each for each in Category if any(each in some for some in rates.values())]
    angles = [2 * math.pi * index / len(categories) for index in range(len(categories))]
    for name, some in rates.items():
        values = [some.get(each, 0.0) for each in categories]
        axes.plot([*angles, angles[0]], [*values, values[0]], marker="o", label=name)
    axes.set_xticks(angles, [str(each) for each in categories])
    axes.tick_params(axis="x", pad=18)
    axes.set_rorigin(_INNER)
    axes.set_ylim(0, 1)
    axes.set_yticks([0, 0.25, 0.5, 0.75, 1], ["0 %", "25 %", "50 %", "75 %", "100 %"])
    axes.set_title(title)
    figure.legend(loc="outside lower center", ncols=2)
    return _png(figure)


def component_bars(title: str, failures: Mapping[str, Mapping[str, ComponentFailures]]) -> bytes:
    """Return the failure rate of each component, a group of bars for each series."""
    names = sorted({name for some in failures.values() for name in some}, reverse=True)
    figure = _figure(7, 1.5 + 0.3 * len(names) * max(1, len(failures)))
    axes: Any = figure.subplots()
    width = 0.8 / max(1, len(failures))
    for index, (series, some) in enumerate(failures.items()):
        at = [number - index * width for number in range(len(names))]
        values = [some[name].share * 100 if name in some else 0.0 for name in names]
        axes.barh(at, values, height=width, label=series)
    axes.set_yticks([number - 0.4 + width / 2 for number in range(len(names))], names)
    axes.set_xlabel("failures because of the component, in % of the cases that need it")
    axes.set_title(title)
    figure.legend(loc="outside lower center", ncols=2)
    return _png(figure)
