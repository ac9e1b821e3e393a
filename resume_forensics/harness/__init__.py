"""One file (or folder) per harness: pure translation of its records into events, and the tables that say how it spells things."""

from resume_forensics.harness.claude_code import CLAUDE_CODE
from resume_forensics.model.layout import Harness

HARNESSES: tuple[Harness, ...] = (CLAUDE_CODE,)
"""Every harness that can be read, the default first."""
