"""`resume-scan discover`: options come in, the sessions of a repository go to standard output, a line each and never what they say."""

# ruff: noqa: PLC0415, PLR0913 (what is heavy is imported late; Typer reads options from signatures)

from typing import Annotated

import typer

from resume_forensics.cli import options as given
from resume_forensics.cli.console import DONE, emit
from resume_forensics.limits import LIMITS

DISCOVER_HELP = """Find the newest sessions of a repository, whatever directory of it they ran in: time, records, harness, id and path.

A session belongs to the repository if the last part of a directory that its records name, or of the git work tree that holds this
directory, is its name. Your own session is left out where it can be known. Nothing that a session says is printed.
"""
EPILOG = """\b
Examples:
  resume-scan discover                             the repository of this directory
  resume-scan discover --repo shop --days 30       another one, by its name, over a month
  resume-scan discover --json                      for a program

\b
Exit status:
  0  the stores were searched, whatever was found
  2  wrong use; one sentence on standard error
"""

Repo = Annotated[str | None, typer.Option("--repo", metavar="NAME", help="The repository's name (else that of this directory).")]
Days = Annotated[int, typer.Option("--days", metavar="N", min=1, max=36_500, help="How many days back the last activity may lie.")]
Exclude = Annotated[
    list[str] | None,
    typer.Option("--exclude", metavar="ID", help="Leave this session out: its id, file name or path, or several with commas. Repeatable."),
]
Cap = Annotated[int, typer.Option("--cap", metavar="N", min=1, help="How many sessions are listed at most.")]


def discover(
    *,
    repo: Repo = None,
    days: Days = LIMITS.discovered_days,
    exclude: Exclude = None,
    cap: Cap = LIMITS.discovered_sessions,
    cwd: given.Cwd = None,
    projects_dir: given.ProjectsDir = None,
    harness: given.Harness = None,
    json: given.Json = False,
) -> int:
    """Search, print, and answer the exit status."""
    import resume_forensics
    from resume_forensics.render.discovery import write_discovery, write_discovery_document

    found = resume_forensics.discover(
        repo, days=days, exclude=tuple(exclude or ()), cap=cap, cwd=cwd, projects_dir=projects_dir, harness=harness
    )
    emit(write_discovery_document(found) if json else write_discovery(found))
    return DONE
