"""What stands around the workers, as text: drivers, the work tree, other sessions, written state, warnings."""

from shlex import quote

from resume_forensics.limits import LIMITS
from resume_forensics.model.report import ChangedFile, DriverReport, Report, RunningCall, Tree, WrittenState
from resume_forensics.render.page import Page, count, cut
from resume_forensics.render.words import DRIVER_STATES, DRIVERS, write_time
from resume_forensics.text import Masked


def draw_surroundings(page: Page, report: Report[Masked]) -> None:
    """Put every part that holds anything onto the page."""
    if report.running_calls:
        page.heading(f"WHAT THE SESSION ITSELF WAS DOING ({len(report.running_calls):,}): calls that never got a result")
        for call in report.running_calls[: LIMITS.listed_rows]:
            _draw_call(page, call)
    if report.drivers:
        page.heading(f"WHAT STARTED WORK BY ITSELF ({len(report.drivers):,})")
        for driver in report.drivers[: LIMITS.listed_rows]:
            _draw_driver(page, driver)
        page.rows((), max(len(report.drivers) - LIMITS.listed_rows, 0))
    if report.tree:
        _draw_tree(page, report.tree)
    if report.other_sessions:
        total = len(report.other_sessions)
        page.heading(f"OTHER SESSIONS OF THIS DIRECTORY ({'' if total < LIMITS.other_sessions else 'the newest '}{total:,})")
        listed = (f"{write_time(other.last_activity)}  {other.session}" for other in report.other_sessions[: LIMITS.listed_rows])
        page.rows(listed, len(report.other_sessions))
    if report.written_state:
        page.heading("WRITTEN STATE WAS FOUND: claims of what is going on, not checked here. What checks them:")
        page.rows(map(_write_check, report.written_state), len(report.written_state))
    if report.warnings:
        page.heading(f"WARNINGS ({len(report.warnings):,})")
        for warning in report.warnings:
            page.item("-", warning)


def _write_check(state: WrittenState[Masked]) -> str:
    return f"resume-scan reconcile {quote(state.path)} --system {state.system}"


def _draw_call(page: Page, call: RunningCall[Masked]) -> None:
    """One tool call that was cut off."""
    page.item("-", f"{call.tool}" + (f": {cut(call.description, LIMITS.summary_chars)}" if call.description else ""))
    if call.command:
        page.value("command", cut(call.command, LIMITS.command_chars))
    if call.path:
        page.exact("HALF-DONE?" if call.half_written else "file", cut(call.path, LIMITS.path_chars))
    page.exact("evidence", f"line {call.evidence.line}")


def _draw_driver(page: Page, driver: DriverReport[Masked]) -> None:
    """One schedule, wake-up, loop or trigger."""
    page.item("-", f"{DRIVERS[driver.kind]} {driver.id}: {DRIVER_STATES[driver.state]}")
    if driver.next_at:
        page.field("next run", write_time(driver.next_at))
    if driver.prompt:
        page.value("prompt", cut(driver.prompt, LIMITS.summary_chars))
    page.field("evidence", cut(driver.evidence, LIMITS.evidence_chars))


def _draw_tree(page: Page, tree: Tree[Masked]) -> None:
    """The work tree as git tells it: an edit may have died half-written."""
    page.heading("THE WORK TREE")
    page.exact("directory", tree.directory)
    if tree.problem:
        page.field("unknown", tree.problem)
    else:
        _draw_branch(page, tree)
        _draw_changes(page, tree)
    for missing in tree.not_looked_at:
        page.exact("not asked", f"{missing.what}: {missing.command}")


def _draw_branch(page: Page, tree: Tree[Masked]) -> None:
    """Branch, distance to its upstream, last commit, and whatever git was in the middle of."""
    page.field("branch", f"{tree.branch or '(detached)'}{_distance(tree)}")
    if tree.last_commit:
        page.field("last commit", f"{tree.last_commit}" + (f" ({write_time(tree.last_commit_at)})" if tree.last_commit_at else ""))
    if tree.in_progress:
        page.field("UNFINISHED", f"{', '.join(tree.in_progress)} in progress")
    if tree.stashes:
        page.field("stashes", f"{tree.stashes:,}")


def _distance(tree: Tree[Masked]) -> str:
    """How far the branch is from its upstream, as far as git said."""
    if not tree.upstream:
        return ", no upstream"
    if tree.ahead is None or tree.behind is None:
        return f", upstream {tree.upstream}"
    return f", {tree.ahead:,} ahead of and {tree.behind:,} behind {tree.upstream}"


def _draw_changes(page: Page, tree: Tree[Masked]) -> None:
    """The files that differ from the last commit; first those over which a worker died."""
    for file in tree.half_written:
        page.exact("HALF-DONE?", f"{_changed(file)}: its edit by {file.half_written_by or 'the session'} never got a result")
    page.field("changed", count(tree.dirty_total, "file") if tree.dirty_total else "nothing; the tree is clean")
    page.exact("", *(_changed(file) for file in tree.changed[: LIMITS.listed_rows]))
    if tree.dirty_total > LIMITS.listed_rows:
        page.field("", f"... and {tree.dirty_total - LIMITS.listed_rows:,} more")


def _changed(file: ChangedFile[Masked]) -> str:
    """Status, path, and lines added and removed."""
    lines = "" if file.added is None or file.removed is None else f"  +{file.added:,} -{file.removed:,}"
    return f"{file.status.strip()} {cut(file.path, LIMITS.path_chars)}{lines}"
