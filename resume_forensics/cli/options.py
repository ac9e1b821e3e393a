"""The options that several commands share, each written once: name, range, help."""

from pathlib import Path
from typing import Annotated, TypeAlias

import typer
from msgspec import Struct

from resume_forensics.limits import LIMITS

Session: TypeAlias = Annotated[Path | None, typer.Option("--session", metavar="FILE", help="Scan this transcript.")]
Previous: TypeAlias = Annotated[bool, typer.Option("--previous", help="Scan the session before the newest one of this directory.")]
Nth: TypeAlias = Annotated[
    int,
    typer.Option(
        "--nth",
        metavar="N",
        min=1,
        show_default=False,
        help="Scan the N-th newest session: 1 is the newest (the default), 2 the one before it.",
    ),
]
Cwd: TypeAlias = Annotated[
    str | None, typer.Option("--cwd", metavar="DIR", help="Whose sessions are meant: those of this directory instead of the current one.")
]
ProjectsDir: TypeAlias = Annotated[
    Path | None,
    typer.Option("--projects-dir", metavar="DIR", help="Look for sessions in this store of one harness, and nowhere else."),
]
Harness: TypeAlias = Annotated[
    str | None,
    typer.Option("--harness", metavar="NAME", help="Which harness wrote the session, such as claude-code. Else it is found out."),
]
Json: TypeAlias = Annotated[bool, typer.Option("--json", help="Print the whole answer as one JSON document, prompts uncut.")]
MaxChars: TypeAlias = Annotated[
    int | None,
    typer.Option(
        "--max-chars",
        metavar="N",
        min=1,
        help=f"Show at most N characters of each prompt and of each worker's last words (else {LIMITS.prompt_chars:,} and "
        f"{LIMITS.digest_chars:,}). --json is never cut.",
    ),
]
LiveWindow: TypeAlias = Annotated[
    int,
    typer.Option(
        "--live-window",
        metavar="S",
        min=0,
        help=f"How many seconds a write counts as recent (else {LIMITS.live_window_s}).",
        show_default=False,
    ),
]
Plain: TypeAlias = Annotated[
    bool, typer.Option("--plain", help="Decode every line instead of those that may matter: slower, and sees every kind of bad line.")
]
ExitCode: TypeAlias = Annotated[bool, typer.Option("--exit-code", help="Exit with 1 if something needs attention.")]


class Choice(Struct, frozen=True, kw_only=True):
    """Which session the options chose, where to look for it, and on which road to read it."""

    session: Path | None = None
    previous: bool = False
    nth: int = 1
    cwd: str | None = None
    projects_dir: Path | None = None
    harness: str | None = None
    plain: bool = False
