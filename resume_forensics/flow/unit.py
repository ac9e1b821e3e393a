"""Counts the files of one session: the one piece of work that a process, a machine of a cluster and the cache ask for."""

from collections.abc import Mapping
from dataclasses import dataclass

from resume_forensics.model.count import Counted, Piece


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """Files that are counted together, as paths: the main transcript of a session and what lies in its folder, or one loose file.

    `main` is None where no file of the unit is a session's transcript; then only the sums over all files count it.
    """

    main: str | None
    files: tuple[str, ...]
    size_bytes: int


def count_unit(unit: Unit, *, pieces: Mapping[str, Piece] | None = None, plain: bool = False) -> Counted:
    """Count one unit. `pieces`: how far its files were read before, where nothing but new lines was added to them since.

    `plain`: decode every line. A file that cannot be read is named in the row; nothing is raised for it.
    """
    raise NotImplementedError
