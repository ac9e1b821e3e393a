"""Which files are counted together. In: the paths of transcripts, as listed. Out: units: a session with its folder, or one loose file.

Paths are taken as text and nothing is asked of the machine, so that a listing of another machine groups the same way.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from resume_forensics.harness import HARNESSES
from resume_forensics.model.layout import Harness

_CHECKPOINT: Final = re.compile(r"(?:^|/)[0-9a-f]{2}/[0-9a-f]{8,}/\d+/full\.jsonl$")
"""A transcript cut at commit time, as the Entire checkpoints branch keeps it (`xx/yyyyyyyyyy/<n>/full.jsonl`)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """Files that are counted together, as paths: the main transcript of a session and what lies in its folder, or one loose file.

    `main` is None where no file of the unit is a session's transcript; then only the sums over all files count it. `files` holds
    every file, `main` too.
    """

    main: str | None
    files: tuple[str, ...]
    size_bytes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerPath:
    """The transcript of a worker of a unit, and the workflow run it is a step of."""

    file: str
    run: str | None


def group_units(files: Iterable[tuple[str, int]], harness: Harness = HARNESSES[0]) -> list[Unit]:
    """Group listed files, each with its size in bytes, in the order in which their first file was listed."""
    sizes = {path.replace("\\", "/"): (path, size) for path, size in files}
    mains = {path.removesuffix(harness.transcript_suffix) for path in sizes if _is_main(path, harness)}
    groups: dict[str, list[str]] = {}
    for path in sizes:
        groups.setdefault(_session_of(path, mains, harness) or path, []).append(path)
    return [_make_unit(key, paths, sizes, harness) for key, paths in groups.items()]


def list_workers(unit: Unit, harness: Harness) -> list[WorkerPath]:
    """The transcripts of a session's workers, in the order of their paths, those of workflow runs last. A step names its run."""
    if unit.main is None or len(unit.files) == 1:
        return []
    folders = harness.folders
    start = len(unit.main) - len(harness.transcript_suffix) + 1
    found: list[WorkerPath] = []
    for file in unit.files:
        match file[start:].replace("\\", "/").split("/"):
            case [folders.workers, name] if harness.worker_id_of(name) is not None:
                found.append(WorkerPath(file=file, run=None))
            case [folders.workers, folders.runs, run, name] if harness.worker_id_of(name) is not None:
                found.append(WorkerPath(file=file, run=run))
            case _:
                pass
    return sorted(found, key=lambda one: (one.run is not None, one.file))


def is_checkpoint(path: str) -> bool:
    """Whether a file is a transcript cut at commit time."""
    return _CHECKPOINT.search(path.replace("\\", "/")) is not None


def _is_main(path: str, harness: Harness) -> bool:
    """Whether a path is that of a session's transcript, as far as its name and place tell."""
    folders, _, name = path.rpartition("/")
    return harness.is_session_name(name) and harness.folders.workers not in folders.split("/") and not is_checkpoint(path)


def _session_of(path: str, mains: set[str], harness: Harness) -> str | None:
    """The session, as the path of its folder, that a file belongs to: whose transcript it is, or in whose folder it lies."""
    parts = path.removesuffix(harness.transcript_suffix).split("/")
    return next((folder for end in range(1, len(parts) + 1) if (folder := "/".join(parts[:end])) in mains), None)


def _make_unit(key: str, paths: list[str], sizes: dict[str, tuple[str, int]], harness: Harness) -> Unit:
    main = sizes.get(f"{key}{harness.transcript_suffix}") if f"{key}{harness.transcript_suffix}" in paths else None
    total = sum(sizes[path][1] for path in paths)
    return Unit(main=main[0] if main else None, files=tuple(sizes[path][0] for path in paths), size_bytes=total)
