"""The reading bench: how fast, how small and how right a scan is, beside yardsticks and rivals, in one run. Out: tables in Markdown.

Everything is generated into a temporary folder and deleted at the end. Quiet machines give better numbers; compare ratios.
Run it: python scripts/bench/reading.py [--rivals DIR] [--only 64M,1G,line,files] [--rounds 5] [--profile] [--doubling]
"""

import argparse
import json
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from msgspec import Struct

from scripts.bench.contestants import OURS, RIVALS, YARDSTICK, Workload, enter, make_environment, own_program
from scripts.bench.filler import CWD
from scripts.bench.hot_spots import print_profile, print_start_up
from scripts.bench.measure import MIB, Contestant, measure
from scripts.bench.transcripts import Recipe, write_project, write_session
from scripts.bench.truth import Truth

SESSION = "5d0c2a52-0a43-4f6e-9f0e-6f2f6f1a7c11"
SEED = 5


class Plan(Struct, frozen=True, kw_only=True):
    """One workload before it is written: `make` writes it into a store, `about` says what it is."""

    name: str
    about: str
    make: Callable[[Path], tuple[Truth, ...]]


def _plan_session(name: str, about: str, recipe: Recipe) -> Plan:
    return Plan(name=name, about=about, make=lambda store: (write_session(_path_in(store), recipe, SEED),))


def _path_in(store: Path) -> Path:
    return store / "projects" / CWD.replace("/", "-") / f"{SESSION}.jsonl"


PLANS = (
    _plan_session("64M", "one session of 64 MB, 100 workers", Recipe(size_bytes=64 * MIB, workers=100)),
    _plan_session("1G", "one session of 1 GB, 400 workers", Recipe(size_bytes=1024 * MIB, workers=400)),
    _plan_session("line", "one session of 8 MB with one line of 200 MB", Recipe(size_bytes=8 * MIB, giant_line_bytes=200 * MIB)),
    Plan(
        name="files",
        about="2,000 small sessions of one directory",
        make=lambda store: tuple(write_project(store / "projects", 2_000, Recipe(size_bytes=16_000, workers=2, quotes=2), SEED)),
    ),
)
DOUBLINGS = (2_500, 5_000, 10_000)


def main(arguments: Sequence[str] | None = None) -> None:
    """Print what the arguments ask for."""
    parser = argparse.ArgumentParser(description="Measure how transcripts are read, beside yardsticks and rivals.")
    names = ",".join(plan.name for plan in PLANS)
    parser.add_argument("--only", default=names, metavar="NAMES", help=f"the workloads, of {names}; empty for none")
    parser.add_argument("--rounds", type=int, default=5, help="how often each program runs (default 5)")
    parser.add_argument("--rivals", type=Path, metavar="DIR", help="a folder with rivals installed in DIR/venv and DIR/node_modules")
    parser.add_argument("--slow", type=float, default=15.0, metavar="S", help="a program that took longer is not run again (default 15)")
    parser.add_argument("--limit", type=int, default=180, metavar="S", help="a program that takes longer is stopped (default 180)")
    parser.add_argument("--profile", action="store_true", help="show also where the time of a scan goes, and what starting costs")
    parser.add_argument("--doubling", action="store_true", help="show also how the time of a scan grows with the number of workers")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="write the files into this new folder and leave them there")
    given = parser.parse_args(arguments)
    with _open_folder(given.keep) as folder:
        for plan in PLANS:
            if plan.name in given.only.split(","):
                _bench(plan, folder / plan.name, given)
        if given.doubling:
            _print_doubling(folder, given)
        if given.profile:
            print_start_up(folder, rounds=given.rounds)


@contextmanager
def _open_folder(keep: Path | None) -> Iterator[Path]:
    if keep is not None:
        keep.mkdir(parents=True)
        yield keep
        return
    with tempfile.TemporaryDirectory(prefix="reading-bench-") as folder:
        yield Path(folder)


def _bench(plan: Plan, folder: Path, given: argparse.Namespace) -> None:
    """Write one workload, measure everybody on it, print the table, and delete it unless it is to be kept."""
    workload = Workload(name=plan.name, store=folder / "store", truths=plan.make(folder / "store"))
    contestants, sentences = enter(workload, folder, given.rivals)
    _warm(workload)
    measure(contestants, rounds=given.rounds, slow_s=given.slow, limit_s=given.limit)
    print(f"\n## {plan.about} ({workload.size_bytes / MIB:,.0f} MiB in all)\n")
    for row in _rows(workload, contestants, given.limit):
        print(row)
    print()
    for sentence in sentences:
        print(f"- {sentence}")
    if given.profile and workload.single:
        print_profile(workload.newest.path, make_environment(workload.store, folder), folder / "scan.profile")
    if given.keep is None:
        shutil.rmtree(folder)


def _warm(workload: Workload) -> None:
    """Read everything once, so that no program pays for the disk."""
    for truth in workload.truths:
        with truth.path.open("rb", buffering=0) as stream:
            while stream.read(MIB):
                pass


def _rows(workload: Workload, contestants: Sequence[Contestant], limit_s: int) -> Iterator[str]:
    base = next(one for one in contestants if one.name == YARDSTICK)
    yield f"| program | runs | seconds | x {YARDSTICK} | CPU s | x CPU | peak MiB | answer |"
    yield "|---|--:|--:|--:|--:|--:|--:|---|"
    for one in contestants:
        yield (
            f"| {one.name} | {len(one.costs)} | {one.wall_s:.3f} | {one.wall_s / base.wall_s:.1f} | {one.cpu_s:.3f} "
            f"| {one.cpu_s / base.cpu_s:.1f} | {one.peak_bytes / MIB:.1f} | {one.failure(limit_s) or _judge(one, workload)} |"
        )


def _judge(contestant: Contestant, workload: Workload) -> str:
    """What the answer of a program is worth; only ours answers what is known here."""
    if not contestant.name.startswith(OURS):
        return next((rival.about for rival in RIVALS if rival.name == contestant.name), "")
    wrong = workload.newest.disagreements(json.loads(contestant.output.read_bytes()))
    return f"{len(wrong)} disagreements with the truth, first: {wrong[0]}" if wrong else "agrees with the truth"


def _print_doubling(folder: Path, given: argparse.Namespace) -> None:
    """Show the time of a scan for twice and four times as many workers in the same amount of filler."""
    contestants, truths = [], []
    for number in DOUBLINGS:
        place = folder / f"workers-{number}"
        truth = write_session(_path_in(place / "store"), Recipe(size_bytes=4 * MIB, workers=number), SEED)
        command = [own_program(OURS), "--session", str(truth.path), "--json"]
        environment = make_environment(place / "store", place)
        contestants.append(Contestant(name=f"{number:,}", command=command, environment=environment, output=place / "scan.out"))
        truths.append(truth)
    measure(contestants, rounds=given.rounds, slow_s=given.slow, limit_s=given.limit)
    print("\n## Twice as many workers\n\n| workers | MiB | runs | seconds | CPU s | ms CPU a worker | peak MiB | answer |")
    print("|--:|--:|--:|--:|--:|--:|--:|---|")
    for one, truth, number in zip(contestants, truths, DOUBLINGS, strict=True):
        wrong = None if one.failure(given.limit) else truth.disagreements(json.loads(one.output.read_bytes()))
        answer = one.failure(given.limit) or (f"{len(wrong)} disagreements" if wrong else "agrees with the truth")
        print(
            f"| {one.name} | {truth.size_bytes / MIB:.0f} | {len(one.costs)} | {one.wall_s:.3f} | {one.cpu_s:.3f} "
            f"| {1_000 * one.cpu_s / number:.2f} | {one.peak_bytes / MIB:.1f} | {answer} |"
        )


if __name__ == "__main__":
    main()
