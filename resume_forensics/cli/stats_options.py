"""The options of the sweep that say who counts, what is remembered and which files are written: name, range, help."""

from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from resume_forensics.cli.sweeping import EngineName

Roots: TypeAlias = Annotated[
    list[str] | None, typer.Argument(metavar="[ROOT ...]", help="Folders of transcripts, searched through; else this user's own.")
]
Out: TypeAlias = Annotated[
    Path | None, typer.Option("--out", metavar="DIR", help="The folder for --format parquet: a row for each session and each turn.")
]
Paths: TypeAlias = Annotated[bool, typer.Option("--paths", help="With --format parquet: name the transcripts, not only by salted hashes.")]
Plot: TypeAlias = Annotated[
    Path | None, typer.Option("--plot", metavar="FILE", help="Draw causes, fates and months into this .svg or .png file.")
]
Force: TypeAlias = Annotated[bool, typer.Option("--force", help="Replace files that are there already.")]
Limit: TypeAlias = Annotated[
    int | None, typer.Option("--limit", metavar="N", min=1, help="Count only the first N files, in the order of their paths.")
]
Jobs: TypeAlias = Annotated[
    int | None, typer.Option("--jobs", metavar="N", min=1, help="How many processes count; else as many as there are processors.")
]
Engine: TypeAlias = Annotated[
    EngineName, typer.Option("--engine", help="Who counts: processes of this machine, or a Dask cluster; only there ROOT may be a URL.")
]
Scheduler: TypeAlias = Annotated[
    str | None, typer.Option("--scheduler", metavar="ADDRESS", help="The cluster for --engine dask; else two processes here.")
]
NoCache: TypeAlias = Annotated[bool, typer.Option("--no-cache", help="Neither use nor write what is remembered of earlier sweeps.")]
Verify: TypeAlias = Annotated[bool, typer.Option("--verify", help="Read every file in full to see whether it is what was counted before.")]
Quiet: TypeAlias = Annotated[bool, typer.Option("--quiet", help="Do not show how far it is.")]
Plain: TypeAlias = Annotated[bool, typer.Option("--plain", help="Decode every line instead of those that may matter: slower.")]
