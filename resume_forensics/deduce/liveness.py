"""Whether a worker that never came back may still run. In: the worker and what was observed. Out: a verdict with its evidence in words.

Calling a live worker dead gets its work done twice, so every row that leaves a doubt says so.
"""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import TypeGuard

from msgspec import Struct

from resume_forensics.limits import LIMITS
from resume_forensics.model.fact import FileFact, HolderFact
from resume_forensics.model.layout import LivenessRow
from resume_forensics.model.report import SessionLife
from resume_forensics.model.worker import Driver, Worker
from resume_forensics.text import Raw, compose
from resume_forensics.vocabulary import DriverKind, DriverState, Liveness, Missing

_SLACK = timedelta(seconds=LIMITS.clock_slack_s)
_NO_FILE = Liveness.UNKNOWN_NO_OUTPUT_FILE


class Scene(Struct, frozen=True, kw_only=True):
    """What is known of the session and the machine. `last_record_at`: None where no record carries a time.

    `heir`: the process that may have run the session and went on to another one, with the workers that it holds.
    """

    life: SessionLife[Raw] | None
    rows: tuple[LivenessRow, ...]
    last_record_at: datetime | None
    transcript: FileFact
    booted_at: datetime | None
    now: datetime
    live_window_s: int
    heir: SessionLife[Raw] | None = None


class Verdict(Struct, frozen=True, kw_only=True):
    """A liveness and why. `recent_write_s`: seconds between the last write to its output and now, where such a file exists."""

    liveness: Liveness
    evidence: Raw
    recent_write_s: float | None = None


class _Question(Struct, frozen=True, kw_only=True):
    worker: Worker
    output: FileFact
    holders: HolderFact
    scene: Scene

    @property
    def written_at(self) -> datetime | None:
        """When the output was last written, None where there is no regular file."""
        return self.output.modified_at


def judge_liveness(worker: Worker, output: FileFact, holders: HolderFact, scene: Scene) -> Verdict:
    """Answer for one unreported worker: the first row that holds decides."""
    launched_at = worker.launch.at if worker.launch else None
    if _may_hold(scene.life, launched_at):
        return Verdict(liveness=Liveness.POSSIBLY_LIVE, evidence=compose("its session is alive: ", scene.life.evidence))
    row = next((row for row in scene.rows if row.kind is worker.kind and row.habitat in (None, worker.habitat)), None)
    if row is not None and row.liveness is Liveness.DEAD_WITH_PARENT and _may_hold(scene.heir, launched_at):
        return Verdict(liveness=Liveness.POSSIBLY_LIVE, evidence=scene.heir.evidence)
    if row is not None and row.liveness is not None:
        return Verdict(liveness=row.liveness, evidence=Raw(row.words))
    question = _Question(worker=worker, output=output, holders=holders, scene=scene)
    age = None if question.written_at is None else max(0.0, (scene.now - question.written_at).total_seconds())
    liveness, words = next(found for ask in _SHELL_ROWS if (found := ask(question)))
    return Verdict(liveness=liveness, evidence=compose(words), recent_write_s=age)


def judge_driver(driver: Driver, scene: Scene) -> DriverState:
    """Answer for one driver. A process that resumes a session sets its schedules up again (2.1.110+), but not its wake-ups."""
    restored = scene.life is not None and driver.kind in (DriverKind.SCHEDULE, DriverKind.LOOP)
    held = restored or _may_hold(scene.life, driver.stamp.at) or _may_hold(scene.heir, driver.stamp.at)
    return DriverState.POSSIBLY_LIVE if driver.state is DriverState.LOST and held else driver.state


def _may_hold(life: SessionLife[Raw] | None, launched_at: datetime | None) -> TypeGuard[SessionLife[Raw]]:
    """Whether a living process may hold what was launched then: not what surely was launched before the process began."""
    return life is not None and (life.since is None or launched_at is None or life.since - launched_at <= _SLACK)


_Answer = tuple[Liveness, str] | None


def _held(question: _Question) -> _Answer:
    pids = question.holders.pids
    if not pids:
        return None
    return Liveness.POSSIBLY_LIVE, f"process {', '.join(map(str, pids))} of this machine holds its output file open"


def _no_file(question: _Question) -> _Answer:
    missing = question.output.missing
    if missing in (None, Missing.EMPTY):
        return None
    return _NO_FILE, f"its output file says nothing ({missing}), and nothing else tells whether it runs"


def _timeless_session(question: _Question) -> _Answer:
    scene, written = question.scene, question.written_at
    if scene.last_record_at is not None or written is None or scene.now - written >= timedelta(seconds=scene.live_window_s):
        return None
    return Liveness.POSSIBLY_LIVE, f"its output was written less than {scene.live_window_s} s ago, and no record of the session has a time"


def _copied_tree(question: _Question) -> _Answer:
    scene, written, saved = question.scene, question.written_at, question.scene.transcript.modified_at
    if scene.last_record_at is None or written is None or saved is None or abs(written - saved) > _SLACK:
        return None
    if written - scene.last_record_at <= _SLACK or saved - scene.last_record_at <= _SLACK:
        return None
    return Liveness.UNKNOWN_MTIMES, "its output and the transcript bear the same, later modification time: a copied tree proves nothing"


def _written_later(question: _Question) -> _Answer:
    scene, written = question.scene, question.written_at
    if scene.last_record_at is None or written is None or written - scene.last_record_at <= _SLACK:
        return None
    later = (written - scene.last_record_at).total_seconds()
    restarted = scene.booted_at is not None and scene.booted_at > written
    doubt = "; this machine was restarted since, but the files may come from another" if restarted else ""
    return Liveness.POSSIBLY_LIVE, f"its output was written {later:.0f} s after the session's last record{doubt}"


def _clock_ran_ahead(question: _Question) -> _Answer:
    """A record from the future: the clock was set back since, so a write that looks older than the record may be younger."""
    scene, written = question.scene, question.written_at
    if scene.last_record_at is None or written is None or scene.last_record_at - scene.now <= _SLACK:
        return None
    if abs(scene.now - written) < timedelta(seconds=scene.live_window_s):
        words = f"its output was written less than {scene.live_window_s} s ago, and the session's last record lies in the future"
        return Liveness.POSSIBLY_LIVE, words
    return Liveness.UNKNOWN_MTIMES, "the session's last record lies in the future: a clock was wrong, and no time tells what came after it"


def _silent(question: _Question) -> _Answer:
    scene, written = question.scene, question.written_at
    when = "after the session's last record" if scene.last_record_at else f"in the last {scene.live_window_s} s, and no record has a time"
    held = "no process holds its output file" if question.holders.asked else "processes could not be asked who holds its output file"
    restarted = scene.booted_at is not None and written is not None and scene.booted_at > written
    boot = ", and this machine was restarted since" if restarted else ""
    return Liveness.DEAD, f"nothing wrote to its output {when}; {held}{boot}"


_SHELL_ROWS: tuple[Callable[[_Question], _Answer], ...] = (
    _held,
    _no_file,
    _timeless_session,
    _copied_tree,
    _written_later,
    _clock_ran_ahead,
    _silent,
)
