"""Plants one fault at a time in a copy of the package and runs the tests that guard the rule: each fault must turn them red.

    python scripts/mutants.py            every fault; exit status 1 if one survives
    python scripts/mutants.py lost 21    only those whose number or rule is named so

A fault breaks one rule of judgement. What survives is a rule that no test holds.
"""

import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from msgspec import Struct

ROOT = Path(__file__).resolve().parent.parent
HARNESS = "resume_forensics/harness/claude_code"
DEDUCE = "resume_forensics/deduce"
FLOW = "resume_forensics/flow"
TESTS = ("tests/harness", "tests/deduce", "tests/flow", "tests/property/test_noise_truth.py", "tests/property/test_prefix_truth.py")


class Fault(Struct, frozen=True):
    """One rule, and the text whose exchange breaks it. `old` stands exactly once in `file`."""

    rule: str
    file: str
    old: str
    new: str


FAULTS = (
    Fault("a post-crash notice ends nothing", f"{HARNESS}/notices.py", "lost = self._is_lost() and outcome", "lost = False and outcome"),
    Fault(
        "an interim notice ends nothing", f"{HARNESS}/notices.py", "if outcome is None or interim or lost:", "if outcome is None or lost:"
    ),
    Fault(
        "a notice without status ends nothing",
        f"{HARNESS}/notices.py",
        '(self.status or "").lower()',
        '(self.status or "completed").lower()',
    ),
    Fault(
        "a monitor's last event ends it",
        f"{HARNESS}/notices.py",
        "Outcome.SUCCESS if self.monitor_end else",
        "None if self.monitor_end else",
    ),
    Fault(
        "a notice may name many ids",
        f"{HARNESS}/notices.py",
        "yield from (self.event(word) for word in words)",
        "yield from (self.event(word) for word in words[:1])",
    ),
    Fault(
        "a record may hold many notices",
        f"{HARNESS}/notices.py",
        'elif edge["opening"] and end is not None:',
        "elif end is not None and False:",
    ),
    Fault(
        "ids and status stand before the summary",
        f"{HARNESS}/notices.py",
        "head = block[: edge.start()] if edge else block",
        "head = block",
    ),
    Fault("a notice begins its text", f"{HARNESS}/notices.py", "return _OPENING.match(text, at)", "return _OPENING.search(text, at)"),
    Fault(
        "a closing tag inside a result closes nothing",
        f"{HARNESS}/notices.py",
        'elif edge["closing"] and depth == 0:',
        'elif edge["closing"]:',
    ),
    Fault(
        "notices in the queue count",
        f"{HARNESS}/records.py",
        "if content and step is QueueStep.ENQUEUE:",
        "if content and step is QueueStep.POP_ALL:",
    ),
    Fault("notices in attachments count", f"{HARNESS}/records.py", 'if kind == "queued_command":', 'if kind == "queued_comment":'),
    Fault(
        "the structured result decides alone",
        f"{HARNESS}/records.py",
        "if isinstance(structured, dict):",
        "if isinstance(structured, list):",
    ),
    Fault(
        "nothing but its own sentences follows a receipt",
        f"{HARNESS}/receipts.py",
        "if found and _only_own_lines(text[found.end() :], row.own_lines):",
        "if found:",
    ),
    Fault(
        "a timed-out poll is no end", f"{HARNESS}/polls.py", 'text_of(found, "status") if succeeded else None', 'text_of(found, "status")'
    ),
    Fault(
        "a stop counts if it succeeded",
        f"{HARNESS}/polls.py",
        "answer.stopped(word) if succeeded else answer.polled(word, None)",
        "answer.stopped(word)",
    ),
    Fault("copies of the parent's history are no workers", f"{HARNESS}/layout.py", 'and not found["id"].startswith(_COPIES)', ""),
    Fault("flat helper files are no sessions", f"{HARNESS}/layout.py", "_NO_SESSION.fullmatch(stem) or ", ""),
    Fault("conflict copies are no sessions", f"{HARNESS}/layout.py", " or _CONFLICT_COPY.search(stem)", ""),
    Fault(
        "a workflow's task type says where it runs",
        f"{HARNESS}/receipts.py",
        '"local_workflow": Habitat.IN_PROCESS',
        '"local_workflow": Habitat.NOT_SAID',
    ),
    Fault(
        "exact sentences come before bodies",
        f"{HARNESS}/faults.py",
        "    _ask_sentences,\n    _ask_body,",
        "    _ask_body,\n    _ask_sentences,",
    ),
    Fault(
        "an end before a revival does not cover it",
        f"{DEDUCE}/join.py",
        "return not other_spawn and is_before(latest.stamp, entry.end.stamp)",
        "return not other_spawn",
    ),
    Fault(
        "an old notice that arrives late ends no revived run",
        f"{DEDUCE}/ledger.py",
        "if arrives or last.launches_before == launches:",
        "if last.launches_before == launches:",
    ),
    Fault("a successful stop decides", f"{DEDUCE}/join.py", "for entry in stops or counted:", "for entry in counted:"),
    Fault("killing all agents ends outstanding agents", f"{DEDUCE}/join.py", "return _kill_end(kill, latest)", "return None"),
    Fault(
        "killing all agents ends no shell",
        f"{DEDUCE}/join.py",
        "if latest is None or latest.kind is not WorkerKind.AGENT:",
        "if latest is None:",
    ),
    Fault(
        "copied history belongs to the other session",
        f"{DEDUCE}/join.py",
        "return stamp.copied_from is None and stamp.session_id in (None, self._own_id)",
        "return True",
    ),
    Fault("a foreground call without result died in flight", f"{DEDUCE}/join.py", ", *self._book.open_spawns.values())}", ",)}"),
    Fault(
        "an interrupted foreground call died in flight",
        f"{DEDUCE}/ledger.py",
        "        if result.lost:",
        "        if False and result.lost:",
    ),
    Fault(
        "the queue is first in, first out",
        f"{DEDUCE}/queue.py",
        "            case QueueStep.DEQUEUE:\n                self._leave(next(iter(self._items), None), told=told)",
        "            case QueueStep.DEQUEUE:\n                self._leave(next(reversed(self._items), None), told=told)",
    ),
    Fault(
        "new versions trace every delivery",
        f"{DEDUCE}/queue.py",
        "told = move.told or not version or version < self._traced_since",
        "told = True",
    ),
    Fault("an end in a later session counts", f"{FLOW}/later.py", "gathered.ledger.see(end)", "gathered.ledger.wanted_calls()"),
    Fault(
        "a counter id elsewhere is another worker",
        f"{FLOW}/later.py",
        "if worker.worker_id and not worker.counted_id}",
        "if worker.worker_id}",
    ),
    Fault(
        "a fault is survived only in a later turn",
        f"{DEDUCE}/cause.py",
        "self._answered = turn.finished and self._reopened",
        "self._answered = turn.finished",
    ),
    Fault("faults of helpers end no session", f"{DEDUCE}/cause.py", "        if event.stamp.sidechain:\n            return\n", ""),
    Fault("the same process must have started then", f"{FLOW}/surroundings.py", "(process.started or (", "(True or ("),
    Fault(
        "a copied tree proves nothing",
        f"{DEDUCE}/liveness.py",
        "    _copied_tree,\n",
        "",
    ),
    Fault("a process that holds the output is alive", f"{DEDUCE}/liveness.py", "    _held,\n", ""),
    Fault(
        "an error is no recovered work",
        f"{DEDUCE}/digest.py",
        "if not self._texts and not self._tools:",
        "if not self._texts and not self._tools and self._fault is None:",
    ),
    Fault(
        "a broken hand-off is no lost work",
        f"{DEDUCE}/triage.py",
        "holds=lambda f: f.is_a(WorkerKind.AGENT) and f.answered,",
        "holds=lambda _: False,",
    ),
    Fault(
        "what may run is verified first",
        f"{DEDUCE}/triage.py",
        "holds=lambda f: f.liveness is Liveness.POSSIBLY_LIVE,\n        action=Action.VERIFY_FIRST,",
        "holds=lambda f: f.liveness is Liveness.POSSIBLY_LIVE,\n        action=Action.RESPAWN_WHOLE,",
    ),
    Fault(
        "a notice in the prompt of a helper is a quotation",
        f"{HARNESS}/records.py",
        "and not _is_prompt(data, stamp)",
        "and not False",
    ),
    Fault(
        "an answer from before a revival answers nothing",
        f"{FLOW}/recover.py",
        "return worker.launch.at if worker.reopened and worker.launch else None",
        "return None",
    ),
    Fault(
        "a process that went on to another session keeps its workers",
        f"{FLOW}/scan.py",
        "heir=find_heir(config, gathered.session, gathered.last_record_at, harness)",
        "heir=None",
    ),
    Fault(
        "a process does not hold what was launched before it began",
        f"{DEDUCE}/liveness.py",
        "life.since - launched_at <= _SLACK",
        "life.since is not None",
    ),
    Fault("a last record in the future proves no silence", f"{DEDUCE}/liveness.py", "    _clock_ran_ahead,\n", ""),
    Fault("what is left of an unreadable session is listed", f"{FLOW}/gather.py", "if not gathered.records:", "if False:"),
)


def plant(fault: Fault, copy: Path) -> str:
    """Break the rule in the copy; answer what the file held."""
    path = copy / fault.file
    whole = path.read_text()
    if whole.count(fault.old) != 1:
        sys.exit(f"{fault.rule}: its text stands {whole.count(fault.old)} times in {fault.file}")
    path.write_text(whole.replace(fault.old, fault.new))
    return whole


def is_noticed(copy: Path) -> bool:
    """Whether a test fails in the copy. A copy that cannot even be imported proves nothing, and ends the run."""
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-n", "2", "-p", "no:cacheprovider", *TESTS]
    done = subprocess.run(command, cwd=copy, capture_output=True, text=True, check=False)
    if done.returncode != 0 and "FAILED" not in done.stdout:
        sys.exit(f"the tests did not run: {done.stdout[-400:]}")
    return done.returncode != 0


def main(names: list[str]) -> int:
    """Plant the faults that were named (all without names) and print what became of each."""
    chosen = [(n, fault) for n, fault in enumerate(FAULTS, 1) if not names or any(name == str(n) or name in fault.rule for name in names)]
    survived = 0
    with tempfile.TemporaryDirectory() as scratch:
        copy = Path(scratch) / "copy"
        shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(".venv", ".git", "__pycache__", ".*_cache", ".hypothesis"))
        if is_noticed(copy):
            sys.exit("the tests are red before any fault is planted")
        for number, fault in chosen:
            start = time.monotonic()
            whole = plant(fault, copy)
            noticed = is_noticed(copy)
            (copy / fault.file).write_text(whole)
            survived += not noticed
            print(f"{number:3} {'noticed ' if noticed else 'SURVIVED'} {time.monotonic() - start:5.1f} s  {fault.rule}", flush=True)
    print(f"{len(chosen) - survived} noticed, {survived} survived")
    return 1 if survived else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
