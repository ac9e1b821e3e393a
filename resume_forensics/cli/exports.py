"""Files beside the table: Parquet tables and charts. In: what was counted, and where it is to be written. Out: files."""

# ruff: noqa: PLC0415 (what is heavy is imported late)

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from resume_forensics.cli.console import tell
from resume_forensics.errors import WrongUse
from resume_forensics.read.output import refuse_existing, write_file

if TYPE_CHECKING:
    from resume_forensics.count.tally import Tally

TABLES = ("sessions.parquet", "turns.parquet")


class Exports(Struct, frozen=True, kw_only=True):
    """What is to be written. `folder`: where the Parquet tables go; `paths`: with the paths of transcripts in them."""

    folder: Path | None = None
    plot: Path | None = None
    force: bool = False
    paths: bool = False
    salted: bool = True


def refuse_early(exports: Exports) -> None:
    """Refuse what cannot be written before anything is counted. Raises `WrongUse`."""
    from resume_forensics.render.charts import FORMS

    if exports.plot is not None:
        if exports.plot.suffix.removeprefix(".").lower() not in FORMS:
            raise WrongUse(f"--plot writes .svg or .png files, not {exports.plot.name!r}")
        refuse_existing(exports.plot, force=exports.force)
    if exports.folder is not None:
        for name in TABLES:
            refuse_existing(exports.folder / name, force=exports.force)


def write_exports(tally: "Tally", exports: Exports) -> None:
    """Write what was asked for, and say where it is. Raises `MissingExtra` or `WrongUse`."""
    if exports.folder is not None:
        _write_tables(tally, exports.folder, exports)
    if exports.plot is not None:
        from resume_forensics.render.charts import write_charts

        content = write_charts(tally.document(), exports.plot.suffix.removeprefix(".").lower())
        write_file(exports.plot, content, force=exports.force)
        tell(f"wrote {exports.plot}")


def _write_tables(tally: "Tally", folder: Path, exports: Exports) -> None:
    from resume_forensics.count.rows import list_session_rows, list_turn_rows
    from resume_forensics.read.machine import cache_folder
    from resume_forensics.read.private import read_salt
    from resume_forensics.render.parquet import PATH_COLUMN, SESSION_COLUMNS, TURN_COLUMNS, name_by_salt, write_parquet

    name = partial(name_by_salt, salt=read_salt(cache_folder() if exports.salted else None))
    more = PATH_COLUMN if exports.paths else {}
    sessions = tally.sessions.values()
    tables = (
        write_parquet(list_session_rows(sessions, name, paths=exports.paths), {**SESSION_COLUMNS, **more}),
        write_parquet(list_turn_rows(sessions, name, paths=exports.paths), {**TURN_COLUMNS, **more}),
    )
    for file, content in zip(TABLES, tables, strict=True):
        write_file(folder / file, content, force=exports.force)
        tell(f"wrote {folder / file}")
