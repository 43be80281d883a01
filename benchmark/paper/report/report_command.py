"""`python -m benchmark report`: the paper's tables and charts from files of results."""

import argparse
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, Final

from custom_components.sage.model.language_model import ModelError

from ..annotation import AGREEMENT_HEAD, agreement_rows, judges, read_verdicts
from ..case import Category, Suite
from ..judge import ModelJudge
from ..result import ResultKey, TaskResult
from ..runner import ResultFile
from . import charts
from .failure_judge import FailureJudge, claims_more, mistakes
from .failures import TIERS, UNDECIDED, FailureType, Mistake
from .figures import (
    Rate,
    Series,
    always_failed,
    by_series,
    category_rates,
    component_failures,
    cost,
    of_suite,
    rate,
    reported,
)
from .pages import Chart, Excerpt, Section, Table, html, markdown

_TITLE: Final = "SAGE: results of the paper's benchmark"
_SUITES: Final[Mapping[Suite, tuple[str, str]]] = {
    Suite.MAIN: ("success", "Success on the 50 tasks (Fig. 6)"),
    Suite.UNSEEN: ("unseen", "Success on the 10 unseen tasks (Fig. 7)"),
    Suite.DIALOG: ("dialog", "Success with a person who answers questions"),
}

type Results = Mapping[Series, Sequence[TaskResult]]
type Mistakes = Mapping[Series, Mapping[ResultKey, Mistake]]


def add_to(commands: Any) -> None:
    """Add the command to those of `python -m benchmark`."""
    report = commands.add_parser("report", help="write tables, charts and failures")
    report.set_defaults(run=_run)
    report.add_argument("files", type=Path, nargs="+", metavar="FILE", help="results of `run`")
    report.add_argument("--out", type=Path, required=True, help="folder for the report")
    report.add_argument("--no-charts", action="store_true", help="without matplotlib")
    report.add_argument("--judge-base-url", default="", help="of a model for unclear failures")
    report.add_argument("--judge-model", default="")
    report.add_argument("--judge-api-key", default="")


def _run(given: argparse.Namespace) -> int:
    found = list(chain.from_iterable(ResultFile(each).read() for each in given.files))
    shown = reported(found)
    if not shown:
        print("There are no results that a report may show.", file=sys.stderr)
        return 1
    given.out.mkdir(parents=True, exist_ok=True)
    try:
        if not given.no_charts:
            charts.check()
        judge = _judge(given)
    except (charts.ChartError, ModelError) as err:
        print(err, file=sys.stderr)
        return 2
    people: dict[str, dict[str, bool]] = {}
    for each in given.files:
        people |= read_verdicts(each.with_suffix(".verdicts.jsonl"))
    sections = [
        *sections_of(by_series(shown), judge, with_charts=not given.no_charts),
        *_agreement(shown, people),
    ]
    if left_out := len(found) - len(shown):
        text = f"{left_out} results with another image model are not part of this report."
        sections.append(Section(title="Left out", text=text))
    write(given.out, sections)
    print(f"report: {given.out / 'report.html'}")
    return 0


def _judge(given: argparse.Namespace) -> FailureJudge | None:
    if not given.judge_model:
        return None
    judge = ModelJudge(given.judge_base_url, given.judge_model, given.judge_api_key)
    judge.probe()
    return FailureJudge(judge, given.out / "failures.jsonl")


def write(folder: Path, sections: Sequence[Section]) -> None:
    """Write Markdown, charts and the page."""
    for section in sections:
        if section.chart is not None:
            (folder / f"{section.chart.name}.png").write_bytes(section.chart.png)
    (folder / "report.md").write_text(markdown(_TITLE, sections), encoding="utf-8")
    (folder / "report.html").write_text(html(_TITLE, sections), encoding="utf-8")


def sections_of(
    results: Results, judge: FailureJudge | None = None, *, with_charts: bool = True
) -> list[Section]:
    """Return all parts of the report."""
    found = {series: mistakes(some, judge) for series, some in results.items()}
    sections = [_what(results)]
    sections += [_success(results, suite, with_charts=with_charts) for suite in Suite]
    sections += [
        _human(results),
        _categories(results, with_charts=with_charts),
        _components(results, found, with_charts=with_charts),
        _types(results, found),
        _first_mistakes(results, found),
        _costs(results),
        _side_effects(results, judge),
    ]
    return [each for each in sections if each.table or each.excerpts or each.text]


def _what(results: Results) -> Section:
    rows = [
        (
            series.name,
            series.model or "none",
            series.vision,
            series.state_form,
            str(len({each.case for each in some})),
            str(len({each.repeat for each in some})),
            _days(some),
        )
        for series, some in results.items()
    ]
    head = ("method", "model", "photos", "states", "cases", "repeats", "days")
    return Section(title="What was run", table=Table(head=head, rows=rows))


def _days(results: Sequence[TaskResult]) -> str:
    days = sorted({each.date for each in results if each.date})
    return " to ".join(dict.fromkeys((days[0], days[-1]))) if days else "unknown (a replay)"


def _success(results: Results, suite: Suite, *, with_charts: bool) -> Section:
    name, title = _SUITES[suite]
    rates: dict[str, Rate] = {}
    for series, some in results.items():
        if (found := rate(of_suite(some, suite))) is not None:
            rates[series.name] = found
    if not rates:
        return Section(title=title)
    rows = [
        (key, f"{each.mean:.1%}", f"{each.low:.1%}", f"{each.high:.1%}", *_counts(each))
        for key, each in rates.items()
    ]
    head = ("method", "success", "worst repeat", "best repeat", "cases", "repeats")
    return Section(
        title=title,
        table=Table(head=head, rows=rows),
        chart=Chart(name=name, png=charts.success_bars(title, rates)) if with_charts else None,
    )


def _counts(found: Rate) -> tuple[str, str]:
    return str(found.cases), str(found.repeats)


def _human(results: Results) -> Section:
    """Return how often people were asked."""
    rows = []
    for series, some in results.items():
        for suite in Suite:
            part = of_suite(some, suite)
            if part:
                asked = sum(len(each.questions) for each in part)
                superfluous = sum(each.superfluous_questions for each in part)
                confirmed = sum(each.confirmations for each in part)
                counts = map(str, (len(part), asked, superfluous, confirmed))
                rows.append((series.name, suite.value, *counts))
    head = ("method", "suite", "results", "questions", "superfluous ones", "confirmations by code")
    return Section(title="Human interaction", table=Table(head=head, rows=rows))


def _categories(results: Results, *, with_charts: bool) -> Section:
    title = "Success by category (Fig. 8)"
    rates = {
        series.name: category_rates(main)
        for series, some in results.items()
        if (main := of_suite(some, Suite.MAIN))
    }
    rows = [
        (key, *(f"{some[each]:.0%}" if each in some else "" for each in Category))
        for key, some in rates.items()
    ]
    return Section(
        title=title,
        text="The tasks of the paper's 50. The inner ring of the chart is 0 %." if rates else "",
        table=Table(head=("method", *Category), rows=rows) if rates else None,
        chart=Chart(name="categories", png=charts.radar(title, rates))
        if with_charts and rates
        else None,
    )


def _components(results: Results, found: Mistakes, *, with_charts: bool) -> Section:
    title = "Failures by component (Fig. 9 of the text with 43 tasks)"
    failures = {
        series.name: component_failures(
            some,
            {key: each.component for key, each in found[series].items() if each.component},
        )
        for series, some in results.items()
        if any(each.trace for each in some)
    }
    rows = [
        (key, name, str(each.uses), str(each.failed), f"{each.share:.0%}")
        for key, some in failures.items()
        for name, each in some.items()
    ]
    chart = None
    if with_charts and rows:
        chart = Chart(name="components", png=charts.component_bars(title, failures))
    return Section(
        title=title,
        text="Results that failed because of the component, of those whose task needs it. Methods "
        "without a trace are not shown, and neither are failures of no single component."
        if rows
        else "",
        table=Table(head=("method", "component", "uses", "failures", "share"), rows=rows)
        if rows
        else None,
        chart=chart,
    )


def _types(results: Results, found: Mistakes) -> Section:
    """Return Table III: types of the failures in all repeats."""
    failed = {series: always_failed(some) for series, some in results.items()}
    counts = {
        series: Counter(found[series][first.key].type for first, *_ in cases.values())
        for series, cases in failed.items()
    }
    rows = [
        ("", "cases that failed in all repeats", *(str(len(failed[each])) for each in results)),
        *(
            (TIERS[type_], type_.value, *(_percent(counts[each], type_) for each in results))
            for type_ in FailureType
        ),
    ]
    head = ("tier", "failure type", *(each.name for each in results))
    return Section(
        title="Failure types (Tables II and III)",
        text="In percent of the cases that failed in all repeats, by their first mistake.",
        table=Table(head=head, rows=rows),
    )


def _percent(counts: Counter[FailureType], type_: FailureType) -> str:
    return f"{counts[type_] / counts.total():.0%}" if counts[type_] else "0"


def _first_mistakes(results: Results, found: Mistakes) -> Section:
    excerpts = []
    for series, some in results.items():
        for case, failed in always_failed(some).items():
            each = found[series][failed[0].key]
            decided = "not classified" if each.by == UNDECIDED else f"by {each.by}"
            lines = (
                f"{failed[0].person}: {failed[0].command}",
                f"wrong: {'; '.join(failed[0].problems)[:600]}",
                f"first mistake ({decided}): {each.why}",
                *each.excerpt.splitlines(),
            )
            title = f"{case} ({series.name}): {each.type}"
            excerpts.append(Excerpt(title=title, text="\n".join(lines)))
    return Section(
        title="First mistakes of the cases that failed in all repeats", excerpts=excerpts
    )


def _costs(results: Results) -> Section:
    rows = []
    for series, some in results.items():
        each = cost(some)
        price = "unknown" if each.price is None else f"{each.price:.2f} USD"
        tokens = (each.new_tokens, each.cached_tokens, each.completion_tokens)
        rows.append(
            (
                series.name,
                f"{each.calls:.2f}",
                *(f"{count:.0f}" for count in tokens),
                f"{each.seconds:.1f}",
                price,
            )
        )
    head = ("method", "calls", "new tokens", "cached tokens", "completion tokens", "seconds")
    return Section(
        title="Cost",
        text="Means for one command; the price is that of all results.",
        table=Table(head=(*head, "price"), rows=rows),
    )


def _side_effects(results: Results, judge: FailureJudge | None) -> Section:
    rows = [
        (
            series.name,
            str(len(some)),
            str(sum(bool(each.unwanted) for each in some)),
            _false_claims(some, judge),
            str(sum(bool(each.model_failures) for each in some)),
        )
        for series, some in results.items()
    ]
    by = "the record of the method" + (
        "" if judge is None else f", and of failures by {judge.name}"
    )
    return Section(
        title="Unwanted changes and false claims",
        text=f"Results with a change that the task does not allow; false claims by {by}.",
        table=Table(
            head=("method", "results", "unwanted changes", "false claims", "model gave no reply"),
            rows=rows,
        ),
    )


def _false_claims(results: Sequence[TaskResult], judge: FailureJudge | None) -> str:
    count = sum(claims_more(each, judge) for each in results)
    return str(count) if count or judge is not None else "not judged"


def _agreement(
    results: Sequence[TaskResult], people: Mapping[str, Mapping[str, bool]]
) -> list[Section]:
    if not people:
        return []
    table = Table(head=AGREEMENT_HEAD, rows=agreement_rows(judges(results, people)))
    return [Section(title="Agreement of the judges of summaries", table=table)]
