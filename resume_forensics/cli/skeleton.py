"""`resume-scan skeleton`: a session and an output file come in; one line of facts goes to standard output, never what the session says."""

# ruff: noqa: PLC0415 (what is heavy is imported late)

from pathlib import Path
from typing import Annotated

import typer

from resume_forensics.cli import options as given
from resume_forensics.cli.console import DONE, emit

SKELETON_HELP = """Write the skeleton of a session to a file: what user and model said, which tools were called, what stopped the work.

Every text is masked, then cut; output of tools and thinking are left out, calls of one tool that follow each other are one line.
Turns such as "resume", notices and stop causes are kept. The last line of the file is its facts, and standard output shows them and
nothing else, so whoever asks need not read what the session says.
"""
EPILOG = """\b
Examples:
  resume-scan skeleton --session FILE --output FILE.skeleton.txt

\b
Exit status:
  0  the skeleton was written; lines that could not be read are counted in it
  2  wrong use or unreadable input; one sentence on standard error
"""

Session = Annotated[Path, typer.Option("--session", metavar="FILE", help="The transcript.")]
Output = Annotated[Path, typer.Option("--output", metavar="FILE", help="The file to write; one that is there is refused.")]
Force = Annotated[bool, typer.Option("--force", help="Write over a file that is there.")]


def skeleton(*, session: Session, output: Output, force: Force = False, harness: given.Harness = None) -> int:
    """Write, print the facts, and answer the exit status."""
    import resume_forensics
    from resume_forensics.render.skeleton import write_outcome

    emit(write_outcome(resume_forensics.skeleton(session, output, force=force, harness=harness)))
    return DONE
