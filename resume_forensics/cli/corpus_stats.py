"""`resume-corpus-stats`: the door of the sweep over many transcripts."""

import sys

from resume_forensics.cli.console import guard
from resume_forensics.errors import ForensicsError


def main() -> None:
    """Say that the sweep is not there yet, and leave with status 2."""
    sys.exit(guard(_refuse))


def _refuse() -> int:
    raise ForensicsError("resume-corpus-stats is not built yet; resume-scan reads one session at a time")
