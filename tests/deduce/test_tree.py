"""Changed files are tied to the workers whose last edit of them never got a result."""

from datetime import UTC, datetime

from msgspec.structs import replace

from deduce.builders import plain
from resume_forensics.deduce.tree import describe_tree
from resume_forensics.model.fact import DirtyFile, TreeFact
from resume_forensics.model.report import Digest, Evidence, Proposal, WorkerReport
from resume_forensics.text import Raw
from resume_forensics.vocabulary import Action, Delivery, Ended, WorkerKind, WorkerState

FACT = TreeFact(
    directory=Raw("/work"),
    branch=Raw("main"),
    upstream=Raw("origin/main"),
    ahead=2,
    behind=1,
    last_commit=Raw("abc first"),
    last_commit_at=datetime(2026, 9, 1, tzinfo=UTC),
    stashes=3,
    in_progress=("rebase",),
    dirty=(DirtyFile(path=Raw("src/a.py"), status=Raw(".M"), added=5, removed=0), DirtyFile(path=Raw("b.py"), status=Raw("??"))),
    dirty_total=7,
)


def worker(name: str | None, half: str | None, call: str | None = "t1") -> WorkerReport[Raw]:
    digest = Digest(recoverable=True, ended=Ended.MID_TOOL, half_written=None if half is None else Raw(half))
    return WorkerReport(
        worker_id=None if name is None else Raw(name),
        tool_use_id=None if call is None else Raw(call),
        tool=None,
        kind=WorkerKind.AGENT,
        description=None,
        command=None,
        prompt=None,
        subagent_type=None,
        spawned_at=None,
        parent_worker_id=None,
        state=WorkerState.UNREPORTED,
        status=None,
        summary=None,
        delivery=Delivery.NONE,
        lost_track=False,
        launch_missing=False,
        foreground=False,
        reopened=0,
        steps=(),
        sidecar=None,
        liveness=None,
        liveness_evidence=None,
        recent_write_s=None,
        output_file=None,
        durable_transcript=None,
        digest=digest,
        action=Proposal(name=Action.CONTINUE, reason=Raw("because")),
        evidence=Evidence(launch=None, notice=None),
    )


def test_everything_that_git_said_is_passed_on() -> None:
    tree = describe_tree(FACT, ())
    assert (plain(tree.directory), plain(tree.branch), plain(tree.upstream)) == ("/work", "main", "origin/main")
    assert (tree.ahead, tree.behind, tree.stashes, tree.dirty_total) == (2, 1, 3, 7)
    assert (plain(tree.last_commit), tree.last_commit_at) == ("abc first", FACT.last_commit_at)
    assert ([plain(word) for word in tree.in_progress], tree.problem) == (["rebase"], None)
    assert [(plain(one.path), plain(one.status), one.added, one.removed, one.half_written_by) for one in tree.changed] == [
        ("src/a.py", ".M", 5, 0, None),
        ("b.py", "??", None, None, None),
    ]
    assert tree.half_written == ()


def test_what_is_not_looked_at_is_named_with_its_command() -> None:
    rows = [(plain(row.what), plain(row.command)) for row in describe_tree(FACT, ()).not_looked_at]
    assert rows == [
        ("open pull requests", "gh pr list --state open"),
        ("continuous integration", "gh run list --limit 5"),
    ]


def test_a_half_written_file_is_tied_to_its_worker_by_absolute_or_relative_path() -> None:
    tree = describe_tree(FACT, (worker("a1", "/work/src/a.py"), worker(None, "b.py", "t2")))
    assert [plain(one.half_written_by) for one in tree.changed] == ["a1", "t2"]


def test_a_half_written_file_is_listed_though_git_does_not_name_it() -> None:
    tree = describe_tree(replace(FACT, dirty=()), (worker("a1", "/elsewhere/c.py"), worker("a2", None), worker(None, "/d.py", None)))
    assert [(plain(one.path), plain(one.half_written_by)) for one in tree.half_written] == [("/elsewhere/c.py", "a1")]


def test_a_worker_without_digest_ties_nothing() -> None:
    assert describe_tree(FACT, (replace(worker("a1", None), digest=None),)).half_written == ()


def test_a_tree_that_git_could_not_tell_says_why() -> None:
    tree = describe_tree(TreeFact(directory=Raw("/work"), problem=Raw("no repository")), ())
    assert (plain(tree.problem), tree.branch, tree.changed) == ("no repository", None, ())


def test_a_session_in_a_subfolder_is_tied_through_the_root() -> None:
    tree = describe_tree(replace(FACT, directory=Raw("/work/src"), root=Raw("/work")), [worker("a1", "/work/src/a.py")])
    assert [(plain(file.path), plain(file.half_written_by)) for file in tree.changed] == [("src/a.py", "a1"), ("b.py", None)]
    (half,) = tree.half_written
    assert (plain(half.path), plain(half.status), half.added, plain(half.half_written_by)) == ("/work/src/a.py", ".M", 5, "a1")


def test_a_half_written_file_that_git_does_not_name_says_so() -> None:
    (half,) = describe_tree(FACT, [worker("a1", "/elsewhere/c.py")]).half_written
    assert (plain(half.path), plain(half.status)) == ("/elsewhere/c.py", "not named by git")
