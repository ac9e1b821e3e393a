"""Which files are counted together. In: the paths of transcripts, as listed. Out: units: a session with its folder, or one loose file.

Paths are taken as text and nothing is asked of the machine, so that a listing of another machine groups the same way.
"""

import re
from collections.abc import Container, Iterable, Mapping
from typing import Final

from msgspec import Struct

from resume_forensics.harness import HARNESSES
from resume_forensics.model.layout import Harness

_CHECKPOINT: Final = re.compile(r"(?:^|/)[0-9a-f]{2}/[0-9a-f]{8,}/\d+/full\.jsonl$")
"""A transcript cut at commit time, as the Entire checkpoints branch keeps it (`xx/yyyyyyyyyy/<n>/full.jsonl`)."""


class Unit(Struct, frozen=True, kw_only=True, gc=False):
    """Files that are counted together, as paths: the main transcript of a session and what lies in its folder, or one loose file.

    `main` is None where no file of the unit is a session's transcript; then only the sums over all files count it. `files` holds
    every file, `main` too.
    """

    main: str | None
    files: tuple[str, ...]
    size_bytes: int


class WorkerPath(Struct, frozen=True, kw_only=True):
    """The transcript of a worker of a unit, and the workflow run it is a step of."""

    file: str
    run: str | None


def group_units(files: Iterable[tuple[str, int]], harness: Harness = HARNESSES[0]) -> list[Unit]:
    """Group listed files, each with its size in bytes, in the order in which their first file was listed.

    Of very many files nearly all stand alone, so nothing more is kept for each of them than its unit.
    """
    sizes = dict(files)
    names = {path.replace("\\", "/"): path for path in sizes if "\\" in path}
    belongs: dict[str, list[str]] = {}
    for path in sizes:
        main = _find_main(path, sizes, names, harness)
        if main is not None and main != path:
            belongs.setdefault(main, []).append(path)
    inside = {path for paths in belongs.values() for path in paths}
    return [_make_unit(path, belongs.get(path, []), sizes, harness) for path in sizes if path not in inside]


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


def _find_main(path: str, sizes: Container[str], names: Mapping[str, str], harness: Harness) -> str | None:
    """The transcript of the session that a file belongs to: the file itself, or the one in whose folder it lies."""
    parts = path.replace("\\", "/").split("/")
    for end in range(1, len(parts)):
        above = f"{'/'.join(parts[:end])}{harness.transcript_suffix}"
        main = names.get(above, above)
        if main in sizes and _is_main(above, harness):
            return main
    return None


def _make_unit(path: str, inside: list[str], sizes: Mapping[str, int], harness: Harness) -> Unit:
    main = path if _is_main(path.replace("\\", "/"), harness) else None
    return Unit(main=main, files=(path, *inside), size_bytes=sizes[path] + sum(sizes[one] for one in inside))
