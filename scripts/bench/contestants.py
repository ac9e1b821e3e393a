"""Who reads the files of the bench: yardsticks, this project, and the rivals that are installed. In: a workload. Out: contestants."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from msgspec import Struct

from resume_forensics.limits import LIMITS
from scripts.bench.filler import CWD
from scripts.bench.measure import Contestant
from scripts.bench.truth import Truth

OURS = "resume-scan"
YARDSTICK = "wc -l"

_ORJSON = """
import sys, orjson
count = 0
for path in sys.argv[1:]:
    with open(path, "rb") as stream:
        for line in stream:
            count += isinstance(orjson.loads(line), dict)
print(count)
"""


class Workload(Struct, frozen=True, kw_only=True):
    """Files to read, in a store of their own; the newest session stands last in `truths`. `single`: there is but one."""

    name: str
    store: Path
    truths: tuple[Truth, ...]

    @property
    def single(self) -> bool:
        """Whether it is one file."""
        return len(self.truths) == 1

    @property
    def newest(self) -> Truth:
        """What is true of the session that a scan is about."""
        return self.truths[-1]

    @property
    def shared_out(self) -> bool:
        """Whether it is so large that a scan starts several processes, where there are processors for them."""
        return self.single and self.newest.size_bytes >= 2 * LIMITS.segment_bytes

    @property
    def size_bytes(self) -> int:
        """All files together."""
        return sum(truth.size_bytes for truth in self.truths)


class Rival(Struct, frozen=True, kw_only=True):
    """Another program that reads such transcripts.

    `one_file` and `folder` are what it is told for a single file and for a store; None: it cannot. In them {file}, {id}, {projects},
    {slug} and {out} are filled in. `about`: what it answers, with one of `statuses`.
    """

    name: str
    program: str
    one_file: str | None
    folder: str | None
    about: str
    statuses: tuple[int, ...] = (0,)


RIVALS = (
    Rival(
        name="agents-tree",
        program="agents-tree",
        one_file="--provider claude --json {id}",
        folder="--provider claude --json {id}",
        about="a tree of sessions and helpers",
    ),
    Rival(
        name="claude-code-log",
        program="claude-code-log",
        one_file="{file} -o {out}/page.html --no-cache",
        folder="{projects}/{slug} -o {out}/pages --no-cache",
        about="HTML pages",
    ),
    Rival(
        name="ccusage",
        program="ccusage",
        one_file="claude session --json --offline",
        folder="claude session --json --offline",
        about="tokens and costs",
    ),
    Rival(name="agentrace-cli", program="agentrace", one_file="--file {file} list", folder="--dir {projects} list", about="helpers' runs"),
    Rival(
        name="agent-session-rescue",
        program="session-rescue",
        one_file="scan {file}",
        folder=None,
        about="digest and shape of one file",
        statuses=(0, 2),  # 2: it is no Codex rollout, for which the program is made; it was read all the same
    ),
)


def enter(workload: Workload, folder: Path, rivals: Path | None) -> tuple[list[Contestant], list[str]]:
    """Everybody who can read the workload, and a sentence for everybody who cannot. `folder` takes what they write."""
    environment = make_environment(workload.store, folder)
    commands: dict[str, list[str]] = {}
    sentences = []
    for name, command in (*_own_commands(workload, environment), *_rival_commands(workload, folder, rivals)):
        if isinstance(command, str):
            sentences.append(f"{name}: skipped, {command}.")
        else:
            commands[name] = command
    statuses = {rival.name: rival.statuses for rival in RIVALS}
    contestants = [
        Contestant(
            name=name,
            command=command,
            environment=environment,
            output=folder / f"run-{index}.out",
            statuses=statuses.get(name, (0,)),
        )
        for index, (name, command) in enumerate(commands.items())
    ]
    return contestants, sentences


def make_environment(store: Path, folder: Path) -> dict[str, str]:
    """An environment in which nothing of the person's own is found."""
    home = folder / "home"
    home.mkdir(parents=True, exist_ok=True)
    kept = {name: value for name, value in os.environ.items() if name in {"PATH", "LANG", "TMPDIR"}}
    return {**kept, "HOME": str(home), "CLAUDE_CONFIG_DIR": str(store), "NO_COLOR": "1"}


def own_program(name: str) -> str:
    """A program of this project, from the environment that runs this."""
    return str(Path(sys.executable).with_name(name))


def _own_commands(workload: Workload, environment: Mapping[str, str]) -> Iterator[tuple[str, list[str] | str]]:
    files = [str(truth.path) for truth in workload.truths]
    projects = str(workload.store / "projects")
    yield YARDSTICK, ["wc", "-l", *files]
    yield "grep -c", ["grep", "-c", "task-notification", *files]
    yield "orjson, every line", [sys.executable, "-I", "-c", _ORJSON, *files]
    which = ["--session", files[0]] if workload.single else ["--projects-dir", projects, "--cwd", CWD]
    scan = [own_program(OURS), *which, "--json"]
    yield OURS, scan
    if workload.shared_out:
        pin = shutil.which("taskset", path=environment["PATH"])
        yield f"{OURS}, one process", [pin, "-c", "0", *scan] if pin else "taskset is not installed, which would keep it to one processor"
    plain = "--plain" in _ask([own_program(OURS), "--help"], environment)
    yield f"{OURS} --plain", [*scan, "--plain"] if plain else "the option does not exist yet"
    if not workload.single:
        sweep = own_program("resume-corpus-stats")
        sweeps = "--limit" in _ask([sweep, "--help"], environment)
        yield "resume-corpus-stats", [sweep, projects, "--json"] if sweeps else "the command is not built yet"


def _ask(command: list[str], environment: Mapping[str, str]) -> str:
    """What a command prints."""
    return subprocess.run(command, capture_output=True, text=True, env=dict(environment), check=False).stdout


def _rival_commands(workload: Workload, folder: Path, rivals: Path | None) -> Iterator[tuple[str, list[str] | str]]:
    places = [] if rivals is None else [rivals / "venv" / "bin", rivals / "bin", rivals / "node_modules" / ".bin"]
    path = workload.newest.path
    words = {"file": path, "id": path.stem, "projects": workload.store / "projects", "slug": path.parent.name, "out": folder}
    for rival in RIVALS:
        form = rival.one_file if workload.single else rival.folder
        program = shutil.which(rival.program, path=os.pathsep.join(map(str, places))) if places else None
        if form is None:
            yield rival.name, "it reads one file at a time"
        elif program is None:
            yield rival.name, "it is not installed (--rivals names the folder with its venv or node_modules)"
        else:
            yield rival.name, [program, *(word.format(**words) for word in form.split())]
