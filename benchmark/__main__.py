"""The paper's benchmark.

    python -m benchmark methods
    python -m benchmark run --method ideal
    python -m benchmark run --method sage --base-url URL --model NAME [--repeats 3] [--jobs 2]
    python -m benchmark report FILE... --out FOLDER
    python -m benchmark annotate FILE

`run` tries each case in a Home Assistant of its own: SAGE and Home Assistant's SmartThings
integration on a simulated cloud, with mail, calendars, contacts, a TV guide and weather on this
machine. Results go to `--output` as JSON lines; what is in that file is not run again. Prints a
table and one line of JSON. Exits with 1 if a case was not a success, with 2 if the model does not
answer.

`report` writes tables, charts and the analysis of failures. `annotate` shows people the summaries
that a model judged, asks for their verdict, and prints how often they agree.
"""

import argparse
import sys
from collections.abc import Sequence

from .paper import annotation, run_command
from .paper.method_table import view_table
from .paper.report import report_command

_COMMANDS = (run_command, report_command, annotation)


def _show_methods(_: argparse.Namespace) -> int:
    print(view_table())
    return 0


def main(argv: Sequence[str] | None = None) -> int:
    """Run and print; return the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmark",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(required=True)
    methods = commands.add_parser("methods", help="list the methods and what each of them sees")
    methods.set_defaults(run=_show_methods)
    for each in _COMMANDS:
        each.add_to(commands)
    given = parser.parse_args(argv)
    return int(given.run(given))


if __name__ == "__main__":
    sys.exit(main())
