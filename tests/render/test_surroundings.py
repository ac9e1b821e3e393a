"""Drivers, the work tree and the rest, each only where there is something to say."""

from collections.abc import Callable

from msgspec.structs import replace

from resume_forensics.model.report import ChangedFile, DriverReport, Report, Tree
from resume_forensics.render.page import Page
from resume_forensics.render.surroundings import draw_surroundings
from resume_forensics.text import Masked, forge
from resume_forensics.vocabulary import DriverKind, DriverState


def drawn(report: Report[Masked]) -> str:
    """What is drawn around the workers of a report."""
    page = Page()
    draw_surroundings(page, report)
    return str(page)


def tree_of(report: Report[Masked]) -> Tree[Masked]:
    """The tree of a report that has one."""
    assert report.tree is not None
    return report.tree


def test_nothing_is_drawn_where_there_is_nothing(report: Callable[..., Report[Masked]]) -> None:
    assert drawn(report()) == "\n"


def test_a_full_report(full_report: Report[Masked]) -> None:
    text = drawn(full_report)
    assert "calls that never got a result\n-  Write\n   HALF-DONE?  src/plan.md\n   evidence    line 119\n" in text
    assert (
        "-  loop cron1: LOST with the session: restart it\n   next run    2026-09-14 09:30:00 UTC\n   prompt      check the deploy\n"
        in text
    )
    assert "   branch      tax, 2 ahead of and 0 behind origin/tax\n" in text
    assert "   last commit 0a1b2c3 Add the tax table (2026-09-14 08:30:00 UTC)\n" in text
    assert "   UNFINISHED  rebase in progress\n   stashes     1\n" in text
    assert "   HALF-DONE?  M src/tax.py  +10 -2: its edit by a81e8a82 never got a result\n" in text
    assert "   changed     1 file\n               M src/tax.py  +10 -2\n" in text
    assert "   not asked   open pull requests: gh pr list\n" in text
    assert "   2026-09-14 07:00:00 UTC  /home/dev/.claude/projects/-home-dev-shop/0.jsonl\n" in text
    assert "   resume-scan reconcile /home/dev/shop --system devteam\n" in text
    assert "-  the journal of workflow w1 was cut\n" in text


def test_a_tree_that_git_does_not_know_says_why(full_report: Report[Masked]) -> None:
    text = drawn(replace(full_report, tree=replace(tree_of(full_report), problem=forge("no git repository"))))
    assert "   unknown     no git repository\n" in text
    assert "branch" not in text
    assert "gh pr list" in text


def test_a_clean_detached_tree(full_report: Report[Masked]) -> None:
    tree = replace(
        tree_of(full_report),
        branch=None,
        upstream=None,
        last_commit=None,
        stashes=0,
        in_progress=(),
        dirty_total=0,
        changed=(),
        half_written=(),
    )
    text = drawn(replace(full_report, tree=tree))
    assert "   branch      (detached), no upstream\n   changed     nothing; the tree is clean\n" in text


def test_an_upstream_whose_distance_is_unknown(full_report: Report[Masked]) -> None:
    tree = replace(tree_of(full_report), ahead=None, last_commit_at=None)
    text = drawn(replace(full_report, tree=tree))
    assert "   branch      tax, upstream origin/tax\n   last commit 0a1b2c3 Add the tax table\n" in text


def test_many_changed_files_are_counted(full_report: Report[Masked]) -> None:
    file = ChangedFile(path=forge("f"), status=forge("??"), added=None, removed=None, half_written_by=None)
    tree = replace(tree_of(full_report), changed=(file,) * 25, dirty_total=300, half_written=(file,))
    text = drawn(replace(full_report, tree=tree))
    assert text.count("               ?? f\n") + 1 == 21
    assert "... and 280 more" in text
    assert "HALF-DONE?  ?? f: its edit by the session never got a result" in text


def test_a_command_that_was_cut_off(full_report: Report[Masked]) -> None:
    call = replace(
        full_report.running_calls[0],
        tool=forge("Bash"),
        description=forge("Run the migration"),
        command=forge("make migrate"),
        path=forge("db.sql"),
        half_written=False,
    )
    text = drawn(replace(full_report, running_calls=(call, replace(call, path=None, command=None))))
    assert "-  Bash: Run the migration\n   command     make migrate\n   file        db.sql\n   evidence    line 119\n-  Bash" in text


def test_a_driver_that_says_little(report: Callable[..., Report[Masked]]) -> None:
    driver = DriverReport(
        id=forge("t1"), kind=DriverKind.WAKEUP, prompt=None, next_at=None, state=DriverState.DURABLE, evidence=forge("line 9")
    )
    text = drawn(report(drivers=(driver,) * 23))
    assert text.startswith("WHAT STARTED WORK BY ITSELF (23)\n-  wake-up t1: durable: it outlives the session\n   evidence    line 9\n-")
    assert "... and 3 more; --json lists them all" in text
