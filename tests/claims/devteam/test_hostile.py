"""Holds that no file of a devteam, cut anywhere or bent into anything, stops the reading or makes the answer more daring."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace as copy

from claims.teams import NOW, Team, agent, board, circumstances, claims_of, commit, reconcile, show, task
from resume_forensics.limits import LIMITS
from resume_forensics.model.claim import Reconciliation
from resume_forensics.text import Raw
from resume_forensics.vocabulary import Proposal, Refusal

DARING = {Proposal.REDISPATCH, Proposal.START_SUPERVISOR}
"""What makes a second writer of a live task, or buries what a dead one left."""


def rich_team() -> Team:
    """A team with work in a kept sandbox (T-1), a worker that is alive (T-2), one finished, and a question."""
    rows = {"T-1": "CLAIMED T1-x-0310", "T-2": "CLAIMED T2-y-0311", "T-3": "DONE"}
    files = {
        "devteam/BOARD.md": board(rows, more="<!-- example:begin -->\n| T-9 | s | R | n | x | DONE |\n<!-- example:end -->\n"),
        "devteam/QUESTIONS.md": "# Q\n\n### Q-1 \N{EM DASH} Which?\n\n- **Raised.** 2026-01-01\n- **Status.** answered D-1\n",
        "devteam/RECORD.md": "# RECORD\n\n## 2026-01-01\n\n- verify T-3.S-1 PASS\n",
        "devteam/.run/session/manager": "5e0f-new-session\n",
        "devteam/.run/session/handoff-ready": "session a11c\ncheckpoint C-4\ncompleted 2026-01-02T08:00:00Z by 5e0f-new-session\n",
        "devteam/.run/locks/T-1.heartbeat": "waiting on S-1 (implementer, dispatched 03:12, sandbox sb-1)\n",
        "devteam/.run/locks/T-2.heartbeat": "waiting on S-1 (implementer, dispatched 03:12, sandbox sb-2)\n",
        "devteam/.run/locks/T-3.heartbeat": "closed 2026-01-01, verified PASS\n",
        "devteam/.run/locks/T-1.sandbox": "T-1 S-1 sb-1 exited 0 at 2026-01-02T04:00:00 root /srv/sb-1\n",
        "devteam/.run/locks/T-2.sandbox": "T-2 S-1 sb-2 pid - started 2026-01-02T03:12:00 step-timeout - root /srv/sb-2\n",
        "/srv/sb-1/upper/src/lru.py": "",
        "/srv/sb-2/meta/pid": "4242 881234\n",
        "devteam/tasks/T-1.md": task("T-1", "RUNNING (since 03:10, T1-x-0310)"),
        "devteam/tasks/T-2.md": task("T-2", "RUNNING (since 03:11, T2-y-0311)"),
        "devteam/tasks/T-3.md": task("T-3", "DONE (2026-01-01)"),
    }
    history = (commit("cccc", "T-2: half"), commit("bbbb", "board: claim T-1"))
    return Team(files=files, dirty=("src/T-1/a.py",), starts={4242: "881234"}, history=history, touched={"src/T-2": history[:1]})


FILES = sorted(rich_team().files)


def bent(path: str, text: str) -> Reconciliation[Raw]:
    """The answer where one file says something else."""
    team = rich_team()
    return reconcile(copy(team, files=team.files | {path: text}))


def hold(found: Reconciliation[Raw]) -> None:
    """What holds of every answer."""
    claims = claims_of(found)
    assert claims
    assert found.writes_planned == ()
    assert found.refusals == (Refusal.GATE_NO_WRITE,)
    assert 1 <= len(found.report_lines) <= LIMITS.report_lines
    assert all(1 <= len(line) <= LIMITS.report_line_chars for line in found.report_lines)
    assert all(claim.evidence and len(claim.proposal.reason) for claim in claims.values())
    assert "Stop and wait" in show(found.report_lines[-1])


def test_the_team_is_what_it_should_be() -> None:
    found = reconcile(rich_team())
    hold(found)
    assert {name: claim.proposal.name for name, claim in claims_of(found).items()} == {
        "writer": Proposal.NONE,
        "rotation": Proposal.NONE,
        "task:T-1": Proposal.PROMOTE_FIRST,
        "task:T-2": Proposal.LEAVE_ALONE,
        "task:T-3": Proposal.NONE,
        "sandbox:sb-1": Proposal.PROMOTE_FIRST,
        "sandbox:sb-2": Proposal.LEAVE_ALONE,
    }


@pytest.mark.parametrize("path", FILES)
def test_a_file_cut_at_any_byte_makes_no_answer_more_daring(path: str) -> None:
    content = rich_team().files[path].encode()
    for size in range(len(content)):
        found = bent(path, content[:size].decode(errors="surrogateescape"))
        hold(found)
        claims = claims_of(found)
        for name in ("task:T-1", "task:T-2"):
            assert name not in claims or claims[name].proposal.name not in DARING, (path, size, claims[name].verdict)
        assert "task:T-1" not in claims or "src/T-1/a.py" in {show(lost) for lost in claims["task:T-1"].proposal.destroys}


@pytest.mark.parametrize("path", FILES)
@pytest.mark.parametrize(
    "text",
    [
        "\0" * 5_000,
        "\ud800\udfff",
        '{"a": [1, null, {"b": true}]}',
        "[" * 50_000,
        "|" * 50_000,
        "| Task | State |\n|---|---|\n" + "| T-1 | DONE |\n" * 2_000,
        "- **Scope.**\n" + "  a\n" * 5_000,
        "# T-1 " + "\N{EM DASH} " * 50_000,
        "verify " + "T-1 " * 50_000 + "PASS",
        "### Q-1 " * 20_000,
        "<!-- example:begin -->\n" * 2_000,
        "`" * 50_001,
        "\n" * 50_000,
        "\u2028\u0085\x0b\x0c" * 1_000,
        "\ufeff# BOARD\n\n**Writer.** `x`\n",
    ],
    ids=lambda text: repr(text[:12]),
)
def test_a_file_of_anything_is_answered(path: str, text: str) -> None:
    hold(bent(path, text))


WORDS = st.sampled_from(
    [
        *("T-1", "T-2.S-1", "T1-x-0310", "**Writer.** ", "**Scope.**", "**Status.** open", "**Raised.** 2026-01-01", "`", "``"),
        *(" \N{EM DASH} ", " - ", "| ", " |\n", "|---|---|\n", "| Task | State | Scope |\n", "\n", "\n\n", "# ", "## ", "### Q-1"),
        *("RUNNING", "DONE", "PLANNED", "BLOCKED", "CLAIMED", "ACCEPTED", "verify ", "PASS", "FAIL", "waiting on ", "closed "),
        *("sandbox sb-1", "exited 0 at x", "pid - started x step-timeout -", " root /srv/sb-1", "session a11c\n", "completed x by y\n"),
        *("4242", " 881234", "  src/", "../", "/etc", "\0", "\ud800", "<!-- example:begin -->", "<!-- example:end -->"),
    ]
)
TEXTS = st.one_of(st.lists(WORDS, max_size=40).map("".join), st.text(max_size=60))


@settings(max_examples=80, deadline=None)
@given(
    files=st.dictionaries(st.sampled_from(FILES), TEXTS, max_size=6), dirty=st.lists(st.sampled_from(["src/T-1/a.py", "x"]), unique=True)
)
def test_files_of_any_words_are_answered(files: dict[str, str], dirty: list[str]) -> None:
    team = rich_team()
    hold(reconcile(copy(team, files=team.files | files, dirty=tuple(dirty))))


@settings(max_examples=50, deadline=None)
@given(files=st.dictionaries(st.sampled_from(FILES[2:]), TEXTS, max_size=6))
def test_a_live_worker_is_never_started_again_whatever_the_other_files_say(files: dict[str, str]) -> None:
    team = rich_team()
    kept = {path for path in FILES if "T-2" in path or "sb-2" in path}
    found = reconcile(copy(team, files=team.files | {path: text for path, text in files.items() if path not in kept}))
    claims = claims_of(found)
    assert "task:T-2" not in claims or claims["task:T-2"].proposal.name not in DARING


def test_a_crowd_is_bounded_in_every_list() -> None:
    questions = "".join(f"### Q-{number} \N{EM DASH} T-1?\n" for number in range(20_000))
    sandboxes = "".join(f"T-1 S-1 sb-{number} exited 0 at x root /srv/{number}\n" for number in range(1_000))
    record = "".join(f"- verify T-{number} PASS\n" for number in range(50_000))
    team = rich_team()
    files = {"devteam/QUESTIONS.md": questions, "devteam/.run/locks/T-1.sandbox": sandboxes, "devteam/RECORD.md": record}
    dirty = tuple(f"src/T-1/{number}.py" for number in range(10_000))
    found = reconcile(copy(team, files=team.files | files, dirty=dirty), circumstances(agents=(agent("x"),)))
    hold(found)
    assert len(found.questions_open) == LIMITS.team_questions
    assert len(found.claims) <= LIMITS.team_tasks + LIMITS.team_sandboxes + 2
    assert max(len(claim.proposal.destroys) for claim in found.claims) == LIMITS.losses_listed + 1
    assert len(found.context.lines) == LIMITS.record_entries
    assert found.generated_at == NOW
