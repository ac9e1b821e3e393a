"""Measures whole processes, interleaved, so that what disturbs the machine disturbs all of them. In: commands. Out: their costs."""

import statistics
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec import Struct, field

MIB = 1 << 20
MEMORY_BYTES = 6 << 30
"""What a measured program may allocate; one that wants more fails, and the machine goes on."""

_LAUNCHER = Path(__file__).with_name("launch.py")
_KILLED = -9
_SAID_CHARS = 120


class Cost(Struct, frozen=True, kw_only=True):
    """What one run cost. `peak_bytes` is that of the largest single process, and at least that of the launcher (about 9 MiB)."""

    wall_s: float
    cpu_s: float
    peak_bytes: int
    status: int


class Contestant(Struct, kw_only=True):
    """A program that reads the files. `costs`: one for each run; `output`: what the last one printed; `errors`: beside it.

    `statuses`: the exit statuses with which it answers.
    """

    name: str
    command: Sequence[str]
    environment: Mapping[str, str]
    output: Path
    statuses: tuple[int, ...] = (0,)
    costs: list[Cost] = field(default_factory=list)

    @property
    def errors(self) -> Path:
        """Where its standard error goes."""
        return self.output.with_suffix(".err")

    @property
    def wall_s(self) -> float:
        """The median of its wall times."""
        return statistics.median(cost.wall_s for cost in self.costs)

    @property
    def cpu_s(self) -> float:
        """The median of its processor times."""
        return statistics.median(cost.cpu_s for cost in self.costs)

    @property
    def peak_bytes(self) -> int:
        """The largest of its peaks."""
        return max(cost.peak_bytes for cost in self.costs)

    def failure(self, limit_s: int) -> str | None:
        """Why its last run gave no answer, None if it did."""
        last = self.costs[-1]
        if last.status in self.statuses:
            return None
        if last.status == _KILLED and last.wall_s >= limit_s:
            return f"stopped after {limit_s} s"
        lines = self.errors.read_text("utf-8", "replace").split("\n")
        said = next((line for line in reversed(lines) if line.strip()), "it said nothing")
        return f"failed with status {last.status}: {said.strip()[:_SAID_CHARS].replace('|', '/')}"


def measure(contestants: Sequence[Contestant], *, rounds: int, slow_s: float, limit_s: int) -> None:
    """Run all of them in turn, so many rounds. One that failed or took longer than `slow_s` is not run again."""
    for _ in range(rounds):
        for contestant in contestants:
            last = contestant.costs[-1] if contestant.costs else None
            if last is None or (last.status in contestant.statuses and last.wall_s <= slow_s):
                contestant.costs.append(run(contestant, limit_s))


def run(contestant: Contestant, limit_s: int) -> Cost:
    """Run one of them once."""
    answer = contestant.output.with_suffix(".cost")
    launcher = [sys.executable, "-I", "-S", str(_LAUNCHER), str(answer), str(limit_s), str(MEMORY_BYTES)]
    with contestant.output.open("wb") as output, contestant.errors.open("wb") as errors:
        subprocess.run([*launcher, *contestant.command], stdout=output, stderr=errors, env=dict(contestant.environment), check=True)
    wall, cpu, peak_kib, status = answer.read_text("ascii").split()
    return Cost(wall_s=float(wall), cpu_s=float(cpu), peak_bytes=int(peak_kib) * 1024, status=int(status))
