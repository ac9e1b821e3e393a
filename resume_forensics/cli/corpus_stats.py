"""`resume-corpus-stats`: roots come in, the measurement table goes to standard output. It counts nothing itself."""

# ruff: noqa: PLC0415, PLR0913 (help must be there at once, so what is heavy is imported late; Typer reads options from signatures)

import sys
from collections.abc import Callable, Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from resume_forensics.cli.console import DONE, INTERRUPTED, emit, guard, tell
from resume_forensics.errors import WrongUse

if TYPE_CHECKING:
    from resume_forensics.flow.sweep import Plan, Swept

PROGRAM = "resume-corpus-stats"

_EPILOG = """\b
Examples:
  resume-corpus-stats                     the transcripts of this user
  resume-corpus-stats ROOT --json         every figure, by both definitions
  resume-corpus-stats ROOT --format markdown
\b
Exit status:
  0  the sweep completed; files that could not be read are listed
  2  wrong use, or nothing at a root; one sentence on standard error
"""


class Format(StrEnum):
    """What the table looks like."""

    TABLE = "table"
    MARKDOWN = "markdown"
    CSV = "csv"
    JSON = "json"


app = typer.Typer(
    name=PROGRAM,
    rich_markup_mode=None,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run `resume-corpus-stats` and leave with its exit status."""
    sys.exit(guard(lambda: cast("int | None", app(arguments, prog_name=PROGRAM, standalone_mode=False)), program=PROGRAM))


@app.command(epilog=_EPILOG)
def sweep(
    roots: Annotated[
        list[Path] | None, typer.Argument(metavar="[ROOT ...]", help="Folders of transcripts, searched through; else this user's own.")
    ] = None,
    *,
    json: Annotated[bool, typer.Option("--json", help="Print every figure as one JSON document (--format json).")] = False,
    form: Annotated[Format, typer.Option("--format", help="What the table looks like.")] = Format.TABLE,
    limit: Annotated[
        int | None, typer.Option("--limit", metavar="N", min=1, help="Count only the first N files, in the order of their paths.")
    ] = None,
    jobs: Annotated[
        int | None, typer.Option("--jobs", metavar="N", min=1, help="How many processes count; else as many as there are processors.")
    ] = None,
    plain: Annotated[bool, typer.Option("--plain", help="Decode every line instead of those that may matter: slower.")] = False,
) -> int:
    """Count what became of resumed sessions and of their workers, over any number of transcripts.

    Nothing but counts leaves it: no text of a transcript is printed or kept.
    """
    if json and form not in (Format.TABLE, Format.JSON):
        raise WrongUse(f"--json and --format {form} contradict each other: give one of them")
    plan = _plan(roots or [], limit)
    swept = _run(plan, jobs=jobs, plain=plain)
    emit(_choose_writer(Format.JSON if json else form)(swept.tally.document()))
    if swept.interrupted:
        tell(f"interrupted: {swept.files:,} of {swept.files_found:,} files were counted, and the figures are of these alone")
        sys.exit(INTERRUPTED)  # past `guard`, which would say that nothing was done
    return DONE


def _plan(roots: Sequence[Path], limit: int | None) -> "Plan":
    from resume_forensics.flow.sweep import find_own_root, plan_sweep
    from resume_forensics.read import machine

    return plan_sweep(roots or find_own_root(machine.home(), machine.environment()), limit=limit)


def _run(plan: "Plan", *, jobs: int | None, plain: bool) -> "Swept":
    from resume_forensics.flow.sweep import choose_engine, run_sweep
    from resume_forensics.read import machine

    return run_sweep(plan, choose_engine(plan, jobs=jobs or machine.count_processors(), plain=plain))


def _choose_writer(form: Format) -> Callable[[dict[str, Any]], str]:
    from resume_forensics.render import stats

    writers: dict[Format, Callable[[dict[str, Any]], str]] = {
        Format.TABLE: stats.write_table,
        Format.MARKDOWN: stats.write_markdown,
        Format.CSV: stats.write_csv,
        Format.JSON: stats.write_stats_document,
    }
    return writers[form]
