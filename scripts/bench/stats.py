"""The sweep's bench: what counting a corpus costs, first and again, beside a yardstick and rivals, in one run. Out: tables in Markdown.

Everything is generated into a temporary folder and deleted at the end; start-up is measured on an empty corpus and subtracted. Compare
ratios. Run it: python scripts/bench/stats.py [--rivals DIR] [--only 2000,dense,3G,append,small] [--rounds 3]
"""

import argparse
import json
import shlex
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

from msgspec import Struct

from resume_forensics.vocabulary import WorkerState
from scripts.bench.contestants import make_environment, own_program
from scripts.bench.filler import CWD
from scripts.bench.measure import MIB, Contestant, Cost, run
from scripts.bench.together import measure_together
from scripts.bench.transcripts import Recipe, write_project, write_session, write_sessions
from scripts.bench.truth import Truth

SEED = 6
LIMIT_S = 900
SESSION = "5d0c2a52-0a43-4f6e-9f0e-6f2f6f1a7c11"
SWEEP = "resume-corpus-stats"
YARDSTICK = "cat, wc -l"
FILE_BYTES = 126_000
MIX = ((0, 0), (3, 0), (0, 1))
"""Workers and resumes of the three kinds of session."""
BUSY = range(0, 98, 14)
RESUMED = range(5, 100, 12)
RIVALS = (("ccusage", "ccusage claude session --json --offline"), ("claude-session-diagnostics", "csd --root {projects} export"))
"""Other programs that go through all transcripts: their names, and what is called; both count tokens and costs."""


class Place(Struct, frozen=True, kw_only=True):
    """A corpus and where its programs find and leave things."""

    store: Path
    folder: Path

    @property
    def projects(self) -> Path:
        """The transcripts."""
        return self.store / "projects"

    def contestant(self, name: str, command: Sequence[str]) -> Contestant:
        """A program in an environment in which nothing of the person's own is found."""
        output = self.folder / f"{name.replace(' ', '-')}.out"
        return Contestant(name=name, command=command, environment=make_environment(self.store, self.folder), output=output)


def main(arguments: Sequence[str] | None = None) -> None:
    """Print what the arguments ask for."""
    parser = argparse.ArgumentParser(description="Measure what counting a corpus costs, beside a yardstick and rivals.")
    parser.add_argument("--only", default=",".join(BENCHES), metavar="NAMES", help=f"the benches, of {','.join(BENCHES)}")
    parser.add_argument("--rounds", type=int, default=3, help="how often each program runs (default 3)")
    parser.add_argument("--rivals", type=Path, metavar="DIR", help="a folder with rivals installed in DIR/venv and DIR/node_modules")
    given = parser.parse_args(arguments)
    for name in given.only.split(","):
        with tempfile.TemporaryDirectory(prefix="stats-bench-") as folder:
            place = Place(store=Path(folder) / "store", folder=Path(folder))
            place.projects.mkdir(parents=True)
            print(f"\n## {name}\n\n| program | CPU s | less start-up | ratio | wall s | largest process MiB |\n|---|--:|--:|--:|--:|--:|")
            for row in BENCHES[name](place, given):
                print(row, flush=True)


def bench_files(place: Place, given: argparse.Namespace) -> Iterator[str]:
    """2,000 files of 324 MB as people have them: of 100 sessions 7 have workers, three each, and 8 were resumed."""
    plain, busy, resumed = (Recipe(size_bytes=FILE_BYTES, workers=workers, quotes=workers, resumes=resumes) for workers, resumes in MIX)
    recipes = [busy if number % 100 in BUSY else resumed if number % 100 in RESUMED else plain for number in range(2_000)]
    yield from _compare(place, given, write_sessions(place.projects, recipes, SEED))


def bench_dense(place: Place, given: argparse.Namespace) -> Iterator[str]:
    """2,000 files of 324 MB, each with four workers and a resume turn."""
    recipe = Recipe(size_bytes=FILE_BYTES, workers=4, quotes=4, resumes=1)
    yield from _compare(place, given, write_project(place.projects, 2_000, recipe, SEED))


def _compare(place: Place, given: argparse.Namespace, truths: Sequence[Truth]) -> Iterator[str]:
    """The sweep and rivals against `cat | wc -l`, each less its own start-up; all of them in turn, so many rounds."""
    empty = Place(store=place.folder / "empty", folder=place.folder / "empty-runs")
    empty.projects.mkdir(parents=True)
    costs: dict[str, tuple[list[Cost], list[Cost]]] = {}
    for _ in range(given.rounds):
        for name, command in _programs(given.rivals):
            full, start = costs.setdefault(name, ([], []))
            full.append(_run(place, name, command(place)))
            start.append(_run(empty, name, command(empty)))
    _check(place, truths)
    best = {name: tuple(min(each, key=lambda cost: cost.cpu_s) for each in both) for name, both in costs.items()}
    base = best[YARDSTICK][0].cpu_s - best[YARDSTICK][1].cpu_s
    for name, (full_cost, start_cost) in best.items():
        yield _row(name, full_cost, start_cost, base)


def _check(place: Place, truths: Sequence[Truth]) -> None:
    """End the bench where the sweep's last answer is not the truth."""
    answer = json.loads(place.contestant(SWEEP, ()).output.read_text("utf-8"))["exact"]
    fates = Counter(fate.state.value for truth in truths for fate in truth.workers.values())
    said = {state.value: sum(kind[state.value] for kind in answer["workers"].values()) for state in WorkerState}
    right = {state.value: fates[state.value] for state in WorkerState}
    pairs = {
        "transcripts": (answer["transcripts"], len(truths)),
        "records": (answer["records"], sum(truth.records for truth in truths)),
        "resume turns": (answer["resume_turns"], sum(truth.resume_turns for truth in truths)),
        "workers": (said, right),
    }
    for what, (found, true) in pairs.items():
        if found != true:
            raise SystemExit(f"{what}: the sweep says {found}, true is {true}")


def bench_again(place: Place, given: argparse.Namespace) -> Iterator[str]:
    """3 GB: the first run and the second, of which nothing is new."""
    write_project(place.projects, 100, Recipe(size_bytes=30 * MIB, workers=40), SEED)
    yield from _first_and_again(place, given.rounds, "nothing is new")


def bench_append(place: Place, given: argparse.Namespace) -> Iterator[str]:
    """1 GB, to which 1 MB is appended, against 1 MB alone."""
    path = place.projects / CWD.replace("/", "-") / f"{SESSION}.jsonl"
    write_session(path, Recipe(size_bytes=1024 * MIB, workers=400), SEED)
    other = Place(store=place.folder / "one", folder=place.folder / "one-runs")
    added = other.projects / CWD.replace("/", "-") / f"{SESSION}.jsonl"
    write_session(added, Recipe(size_bytes=MIB, workers=4), SEED + 1)
    first = _run(place, "first, 1 GB", _sweep(place))
    yield _row("first, 1 GB", first, None, first.cpu_s)
    for turn in range(given.rounds):
        with path.open("ab") as stream:
            stream.write(added.read_bytes())
        name = f"after 1 MB more ({turn + 1})"
        yield _row(name, _run(place, name, _sweep(place)), None, first.cpu_s)
    yield _row("1 MB alone", _run(other, "one", _sweep(other, "--no-cache")), None, first.cpu_s)


def bench_small(place: Place, given: argparse.Namespace) -> Iterator[str]:
    """100,000 small files: memory, of the largest process and of all of them together."""
    write_project(place.projects, 100_000, Recipe(size_bytes=0, workers=0, quotes=0), SEED)
    one = _run(place, "one process", _sweep(place, "--no-cache", "--jobs", "1"))
    yield _row("one process, no cache", one, None, one.cpu_s)
    yield from _first_and_again(place, 1 if given.rounds else 0, "nothing is new")
    for name, options in (("as many processes as processors", ()), ("four processes", ("--jobs", "4"))):
        contestant = place.contestant(name, _sweep(place, "--no-cache", *options))
        peak = measure_together(contestant.command, contestant.environment, contestant.output)
        yield f"| {name}, all together | | | | | {'not told' if peak is None else f'{peak / MIB:.0f}'} |"


BENCHES: dict[str, Callable[[Place, argparse.Namespace], Iterator[str]]] = {
    "2000": bench_files,
    "dense": bench_dense,
    "3G": bench_again,
    "append": bench_append,
    "small": bench_small,
}


def _first_and_again(place: Place, rounds: int, why: str) -> Iterator[str]:
    first = _run(place, "first", _sweep(place))
    yield _row("first", first, None, first.cpu_s)
    for turn in range(rounds):
        yield _row(f"again ({turn + 1}), {why}", _run(place, "again", _sweep(place)), None, first.cpu_s)


def _programs(rivals: Path | None) -> Iterator[tuple[str, Callable[[Place], list[str]]]]:
    """The yardstick first, then the sweep, then who is installed."""
    yield YARDSTICK, lambda place: ["sh", "-c", f"find {shlex.quote(str(place.projects))} -name '*.jsonl' -exec cat {{}} + | wc -l"]
    yield SWEEP, lambda place: _sweep(place, "--no-cache")
    yield f"{SWEEP} --jobs 1", lambda place: _sweep(place, "--no-cache", "--jobs", "1")
    for name, words in RIVALS:
        program, *options = words.split()
        places = [] if rivals is None else [rivals / "venv" / "bin", rivals / "venv2" / "bin", rivals / "node_modules" / ".bin"]
        found = shutil.which(program, path=":".join(map(str, places))) if places else None
        if found is None:
            print(f"{name}: skipped, it is not installed (--rivals names the folder with its venv or node_modules).", file=sys.stderr)
        else:
            yield name, partial(_fill, found, options)


def _fill(program: str, options: Sequence[str], place: Place) -> list[str]:
    return [program, *(option.format(projects=place.projects) for option in options)]


def _sweep(place: Place, *options: str) -> list[str]:
    return [own_program(SWEEP), str(place.projects), "--json", "--quiet", *options]


def _best(place: Place, name: str, command: Sequence[str], rounds: int) -> Cost:
    """The cheapest of so many runs."""
    return min((_run(place, name, command) for _ in range(rounds)), key=lambda cost: cost.cpu_s)


def _run(place: Place, name: str, command: Sequence[str]) -> Cost:
    """Run a program once; a failure ends the bench with what it said."""
    place.folder.mkdir(parents=True, exist_ok=True)
    contestant = place.contestant(name, command)
    contestant.costs.append(run(contestant, LIMIT_S))
    why = contestant.failure(LIMIT_S)
    if why and name not in dict(RIVALS):  # one of them takes an empty corpus for a failure
        raise SystemExit(f"{name}: {why}")
    return contestant.costs[-1]


def _row(name: str, cost: Cost, start: Cost | None, base_s: float) -> str:
    net = cost.cpu_s - (start.cpu_s if start else 0)
    return f"| {name} | {cost.cpu_s:.2f} | {net:.2f} | {net / base_s:.2f} | {cost.wall_s:.2f} | {cost.peak_bytes / MIB:.0f} |"


if __name__ == "__main__":
    main()
