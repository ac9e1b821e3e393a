"""Shows where the time of a scan goes: what starting costs, and the functions that cost most. In: a transcript. Out: tables."""

import pstats
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from scripts.bench.contestants import OURS, make_environment, own_program
from scripts.bench.measure import MIB, Contestant, measure
from scripts.bench.transcripts import Recipe, write_session

_TOP = 20
_LIMIT_S = 60

# The profiler sees the scan and the writing of the document alone: what both import is imported before.
_PROFILED = """
import cProfile, sys
import resume_forensics
from resume_forensics.render.document import write_document
from resume_forensics.flow import scan
scanned = lambda: write_document(resume_forensics.scan(sys.argv[1]))
profile = cProfile.Profile()
profile.runcall(scanned)
profile.dump_stats(sys.argv[2])
"""


def print_profile(path: Path, environment: Mapping[str, str], answer: Path) -> None:
    """Print the functions that cost most of their own in one scan. A profiled run is slower; shares count, not seconds."""
    subprocess.run([sys.executable, "-c", _PROFILED, str(path), str(answer)], env=dict(environment), check=True)
    functions = dict(_read_own_times(answer))
    total = sum(functions.values())
    print(f"\nWhere a scan of {path.stat().st_size / MIB:,.0f} MiB spends its time (profiled: {total:.2f} s):\n")
    print("| share | own s | function |\n|--:|--:|---|")
    for name, own in sorted(functions.items(), key=lambda row: -row[1])[:_TOP]:
        print(f"| {own / total:.1%} | {own:.3f} | `{name}` |")


def _read_own_times(answer: Path) -> Iterator[tuple[str, float]]:
    """Each function that was profiled, and the seconds it spent in itself."""
    table: Mapping[tuple[str, int, str], tuple[int, int, float, float, object]] = vars(pstats.Stats(str(answer)))["stats"]
    for (file, line, name), (_, _, own, _, _) in table.items():
        yield (f"{name} ({Path(file).parent.name}/{Path(file).name}:{line})" if line else name), own


def print_start_up(folder: Path, *, rounds: int) -> None:
    """Print what starting costs, before the first byte of a transcript is read."""
    place = folder / "start-up"
    truth = write_session(place / "store" / "projects" / "-home-dev-harbor" / "small.jsonl", Recipe(size_bytes=0, workers=1, quotes=0), 1)
    scan = [own_program(OURS), "--session", str(truth.path), "--json"]
    commands = {
        "python, nothing": [sys.executable, "-c", "pass"],
        "import resume_forensics": [sys.executable, "-c", "import resume_forensics"],
        f"{OURS} --help": [own_program(OURS), "--help"],
        f"{OURS}, a session of {truth.lines} lines": scan,
    }
    environment = make_environment(place / "store", place)
    contestants = [
        Contestant(name=name, command=command, environment=environment, output=place / f"run-{index}.out")
        for index, (name, command) in enumerate(commands.items())
    ]
    measure(contestants, rounds=rounds, slow_s=_LIMIT_S, limit_s=_LIMIT_S)
    print("\n## What starting costs\n\n| program | seconds | CPU s | peak MiB |\n|---|--:|--:|--:|")
    for one in contestants:
        print(f"| {one.name} | {one.wall_s:.3f} | {one.cpu_s:.3f} | {one.peak_bytes / MIB:.1f} |")
