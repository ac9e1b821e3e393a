"""`resume-corpus-stats`: roots come in, the measurement table goes to standard output. It counts nothing itself."""

# ruff: noqa: PLC0415, PLR0913 (help must be there at once, so what is heavy is imported late; Typer reads options from signatures)

import sys
from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from resume_forensics.cli import stats_options as given
from resume_forensics.cli.console import DONE, INTERRUPTED, emit, guard, tell
from resume_forensics.cli.exports import Exports, refuse_early, write_exports
from resume_forensics.cli.sweeping import Choice, EngineName, sweep_as_chosen
from resume_forensics.errors import WrongUse

if TYPE_CHECKING:
    from resume_forensics.flow.sweep import Swept

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
    PARQUET = "parquet"


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
    roots: given.Roots = None,
    *,
    json: Annotated[bool, typer.Option("--json", help="Print every figure as one JSON document (--format json).")] = False,
    form: Annotated[Format, typer.Option("--format", help="What the table looks like; parquet: two files, see --out.")] = Format.TABLE,
    out: given.Out = None,
    paths: given.Paths = False,
    plot: given.Plot = None,
    force: given.Force = False,
    limit: given.Limit = None,
    jobs: given.Jobs = None,
    engine: given.Engine = EngineName.LOCAL,
    scheduler: given.Scheduler = None,
    no_cache: given.NoCache = False,
    verify: given.Verify = False,
    quiet: given.Quiet = False,
    plain: given.Plain = False,
) -> int:
    """Count what became of resumed sessions and of their workers, over any number of transcripts.

    Nothing but counts leaves it: no text of a transcript is printed or kept.
    """
    if json and form not in (Format.TABLE, Format.JSON):
        raise WrongUse(f"--json and --format {form} contradict each other: give one of them")
    if (form is Format.PARQUET) != (out is not None):
        raise WrongUse("--format parquet and --out belong together: give both or none")
    exports = Exports(folder=out, plot=plot, force=force, paths=paths, salted=not no_cache)
    refuse_early(exports)
    choice = Choice(
        roots=roots or (),
        limit=limit,
        jobs=jobs,
        plain=plain,
        engine=engine,
        scheduler=scheduler,
        cached=not no_cache,
        verify=verify,
        quiet=quiet,
    )
    swept = sweep_as_chosen(choice)
    if form is not Format.PARQUET:
        emit(_choose_writer(Format.JSON if json else form)(swept.tally.document()))
    write_exports(swept.tally, exports)
    return _leave(swept)


def _leave(swept: "Swept") -> int:
    if swept.interrupted:
        tell(f"interrupted: {swept.files:,} of {swept.files_found:,} files were counted, and the figures are of these alone")
        sys.exit(INTERRUPTED)  # past `guard`, which would say that nothing was done
    return DONE


def _choose_writer(form: Format) -> Callable[[dict[str, Any]], str]:
    from resume_forensics.render import stats

    writers: dict[Format, Callable[[dict[str, Any]], str]] = {
        Format.TABLE: stats.write_table,
        Format.MARKDOWN: stats.write_markdown,
        Format.CSV: stats.write_csv,
        Format.JSON: stats.write_stats_document,
    }
    return writers[form]
