"""`resume-scan`: options come in, a report goes to standard output. It only asks the face and a renderer; it judges nothing."""

# ruff: noqa: PLC0415, PLR0913 (help must be there at once, so what is heavy is imported late; Typer reads options from signatures)

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from resume_forensics.cli import discover as discovering
from resume_forensics.cli import options as given
from resume_forensics.cli import reconcile as reconciling
from resume_forensics.cli import skeleton as extracting
from resume_forensics.cli.console import ATTENTION, DONE, emit, guard, tell
from resume_forensics.errors import WrongUse
from resume_forensics.limits import LIMITS

if TYPE_CHECKING:
    from resume_forensics.model.report import Report, SessionList
    from resume_forensics.text import Masked

_EXIT_STATUS = """\b
Exit status:
  0  the scan completed, whatever it found
  1  with --exit-code: something needs attention
  2  wrong use or unreadable input; one sentence on standard error
"""
_MASK_EXIT_STATUS = _EXIT_STATUS.replace("the scan completed, whatever it found", "the text was masked").replace(
    "something needs attention", "anything was masked"
)
_EXAMPLES = f"""\b
Examples:
  resume-scan                      the newest session of this directory
  resume-scan --previous           the one before: you were restarted into a fresh session
  resume-scan --list-sessions      choose one
  resume-scan --json               everything, prompts uncut, for a program
  resume-scan prompt WORKER_ID     the whole prompt of one worker
  resume-scan mask FILE            a file with its secrets masked
  resume-scan reconcile DIR        state that a system wrote down, against the machine
  resume-scan discover             the newest sessions of this repository, whatever directory they ran in
  resume-scan skeleton ...         what was said and done in a session, to a file
  resume-scan demo                 a small example that ships with the program

{_EXIT_STATUS}"""

_DEMO = "demo/projects/-home-mira-tidepool/fa311eb2-9324-4ca8-a196-a169767dbd6f.jsonl"

app = typer.Typer(
    name="resume-scan",
    rich_markup_mode=None,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


app.command(
    "reconcile",
    help=reconciling.RECONCILE_HELP,
    epilog=reconciling.EPILOG,
    short_help="Hold state that a system wrote down against the machine.",
)(reconciling.reconcile)


app.command(
    "discover",
    help=discovering.DISCOVER_HELP,
    epilog=discovering.EPILOG,
    short_help="Find the newest sessions of a repository.",
)(discovering.discover)


app.command(
    "skeleton",
    help=extracting.SKELETON_HELP,
    epilog=extracting.EPILOG,
    short_help="Write what was said and done in a session to a file, masked and bounded.",
)(extracting.skeleton)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run `resume-scan` and leave with its exit status."""
    sys.exit(guard(lambda: cast("int | None", app(arguments, prog_name="resume-scan", standalone_mode=False))))


def _print_version(asked: bool) -> None:  # noqa: FBT001 (Typer hands the value over by position)
    """Print the version and stop."""
    if asked:
        from importlib.metadata import version

        emit(f"resume-scan {version('resume-forensics')}\n")
        raise typer.Exit


@app.callback(invoke_without_command=True, epilog=_EXAMPLES)
def scan(
    context: typer.Context,
    *,
    session: given.Session = None,
    previous: given.Previous = False,
    nth: given.Nth = 1,
    cwd: given.Cwd = None,
    projects_dir: given.ProjectsDir = None,
    harness: given.Harness = None,
    json: given.Json = False,
    max_chars: given.MaxChars = None,
    live_window: given.LiveWindow = LIMITS.live_window_s,
    list_sessions: Annotated[bool, typer.Option("--list-sessions", help="List the sessions of this directory, newest first.")] = False,
    exit_code: given.ExitCode = False,
    plain: given.Plain = False,
    version: Annotated[bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")] = False,  # noqa: ARG001
) -> int:
    """Tell the truth about a coding session that died: which workers were lost, what they had done, what to do next.

    Reads the transcript that the harness left and changes nothing. Secrets are masked in everything that is printed.
    """
    if context.invoked_subcommand:
        return _refuse_options_before(context)
    choice = given.Choice(session=session, previous=previous, nth=nth, cwd=cwd, projects_dir=projects_dir, harness=harness, plain=plain)
    if list_sessions:
        return _list(choice, as_json=json)
    return _scan(choice, as_json=json, max_chars=max_chars, live_window_s=live_window, exit_code=exit_code)


@app.command(epilog=_EXIT_STATUS, short_help="Print the whole prompt of one worker.")
def prompt(
    worker_id: Annotated[str, typer.Argument(metavar="WORKER_ID", help="The worker's id, or that of the tool call that launched it.")],
    *,
    session: given.Session = None,
    previous: given.Previous = False,
    nth: given.Nth = 1,
    cwd: given.Cwd = None,
    projects_dir: given.ProjectsDir = None,
    harness: given.Harness = None,
) -> int:
    """Print the whole prompt of one worker (of a shell: its command), masked, to start it again from."""
    from resume_forensics.cli.prompts import write_prompt

    choice = given.Choice(session=session, previous=previous, nth=nth, cwd=cwd, projects_dir=projects_dir, harness=harness)
    text, remarks = write_prompt(_read(choice, LIMITS.live_window_s), worker_id)
    for remark in remarks:
        tell(remark)
    emit(text)
    return DONE


@app.command(epilog=_MASK_EXIT_STATUS, short_help="Mask the secrets in a file or in standard input.")
def mask(
    file: Annotated[Path | None, typer.Argument(metavar="[FILE]", help="The file to mask; without it, or with -, standard input.")] = None,
    *,
    list_kinds: Annotated[bool, typer.Option("--list", help="Print only which kinds of secrets were found, and how often.")] = False,
    exit_code: Annotated[bool, typer.Option("--exit-code", help="Exit with 1 if anything was masked.")] = False,
    mask_rules: Annotated[
        Path | None, typer.Option("--mask-rules", metavar="FILE", help="A TOML file of further rules, tried before the built-in ones.")
    ] = None,
) -> int:
    """Pass text through the masking layer: what looks like a secret becomes [REDACTED:kind#number], all else stays.

    The mask knows shapes of secrets, not secrets: read the result before you publish it.
    """
    from resume_forensics.cli.masking import filter_text, write_counts

    counts = filter_text(file, mask_rules, quiet=list_kinds)
    if list_kinds:
        emit(write_counts(counts))
    return ATTENTION if exit_code and counts else DONE


@app.command(epilog=_EXIT_STATUS, short_help="Scan the small example that ships with the program.")
def demo(
    *,
    json: given.Json = False,
    max_chars: given.MaxChars = None,
    live_window: given.LiveWindow = LIMITS.live_window_s,
    exit_code: given.ExitCode = False,
) -> int:
    """Scan the small example session that ships with the program, so that a full report can be seen without owning one."""
    choice = given.Choice(session=_demo_session())
    return _scan(choice, as_json=json, max_chars=max_chars, live_window_s=live_window, exit_code=exit_code)


def _refuse_options_before(context: typer.Context) -> int:
    """An option in front of a command would be lost silently; say where it belongs."""
    for name in context.params:
        source = context.get_parameter_source(name)
        if source is not None and source.name == "COMMANDLINE":
            option = f"--{name.replace('_', '-')}"
            raise WrongUse(f"options of a command stand behind it: move {option} behind `resume-scan {context.invoked_subcommand}`")
    return DONE


def _scan(choice: given.Choice, *, as_json: bool, max_chars: int | None, live_window_s: int, exit_code: bool) -> int:
    """Scan, print, and answer the exit status."""
    report = _read(choice, live_window_s)
    if as_json:
        from resume_forensics.render.document import write_document

        emit(write_document(report))
    else:
        from resume_forensics.render.prose import write_prose

        emit(write_prose(report, max_chars=max_chars))
    return ATTENTION if exit_code and report.needs_attention else DONE


def _read(choice: given.Choice, live_window_s: int) -> "Report[Masked]":
    """Scan the chosen session."""
    import resume_forensics

    return resume_forensics.scan(
        choice.session,
        previous=choice.previous,
        nth=choice.nth,
        cwd=choice.cwd,
        projects_dir=choice.projects_dir,
        harness=choice.harness,
        live_window_s=live_window_s,
        plain=choice.plain,
    )


def _list(choice: given.Choice, *, as_json: bool) -> int:
    """Print the sessions of the directory."""
    import resume_forensics
    from resume_forensics.render.listing import write_listing, write_listing_document

    if choice.session or choice.previous or choice.nth != 1:
        raise WrongUse("--list-sessions lists every session of the directory: give it no --session, --previous or --nth")
    listing: SessionList[Masked] = resume_forensics.sessions(cwd=choice.cwd, projects_dir=choice.projects_dir, harness=choice.harness)
    emit(write_listing_document(listing) if as_json else write_listing(listing))
    return DONE


def _demo_session() -> Path:
    """The transcript of the example that ships with the package."""
    import resume_forensics

    return Path(resume_forensics.__file__).parent / _DEMO
