"""Ticks: order by name only, and nothing but a whole tick of the right folder is read as one."""

import pytest

from claims.sagas import THREAD, tick
from resume_forensics.claims.saga.ticks import TickFile, in_order, is_inside, order_key, read_chain, read_issue
from resume_forensics.model.fact import FileFact
from resume_forensics.model.inquiry import TextFact
from resume_forensics.model.thread import IssueRef, Paper, Tick, TornTick
from resume_forensics.text import Raw
from resume_forensics.vocabulary import Destination, LifecyclePhase, Missing, PhaseStatus, ThreadStatus


def file(name: str, text: str | None, missing: Missing | None = None, *, cut: bool = False) -> TickFile:
    return TickFile(name=name, path=Raw(f"x/{name}"), fact=TextFact(file=FileFact(path=None, missing=missing), text=text, cut=cut))


def chain(*texts: str | None) -> tuple[tuple[Tick, ...], tuple[TornTick, ...]]:
    return read_chain(THREAD, [file(f"20260102-00000{at}.md", text) for at, text in enumerate(texts)])


def read(text: str) -> Tick:
    (only,), torn = chain(text)
    assert torn == ()
    return only


def why_torn(found: TickFile) -> Raw:
    ticks, (torn,) = read_chain(THREAD, [found])
    assert ticks == ()
    assert torn == TornTick(name=Raw(found.name), why=torn.why, newest=True, previous=None)
    return torn.why


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("20260102-060000.md", ("20260102-060000", 0)),
        ("20260102-060000-10.md", ("20260102-060000", 10)),
        ("20260102-060000-0010.md", ("20260102-060000", 10)),
        ("20260102-0600000.md", None),
        ("20260102-060000-.md", None),
        ("20260102-060000.md.tmp", None),
        (".20260102-060000.md", None),
        ("20260102-060000.MD", None),
        ("\N{FULLWIDTH DIGIT TWO}0260102-060000.md", None),
        ("20260102-060000-99999999999.md", None),
    ],
)
def test_only_a_name_of_the_form_is_a_tick(name: str, key: tuple[str, int] | None) -> None:
    assert order_key(name) == key


def test_ticks_are_ordered_by_time_and_then_by_number() -> None:
    names = ["20260102-060000-10.md", "20260102-060000-9.md", "notes.md", "20260102-060000.md", "20260101-235959-3.md"]
    assert in_order(names) == (
        "20260101-235959-3.md",
        "20260102-060000.md",
        "20260102-060000-9.md",
        "20260102-060000-10.md",
    )


@pytest.mark.parametrize(
    ("text", "issue"),
    [
        ("acme/app#42", IssueRef(number=42, repository=Raw("acme/app"))),
        ("Acme/App#42", IssueRef(number=42, repository=Raw("acme/app"))),
        ("https://github.com/acme/app/issues/42", IssueRef(number=42, repository=Raw("acme/app"))),
        ("#42", IssueRef(number=42)),
        (" 42 ", IssueRef(number=42)),
        ("", None),
        ("issue-42", None),
        ("acme/app#", None),
        ("#4x", None),
        ("9" * 5_000, None),
    ],
)
def test_an_issue_is_read_from_each_of_its_spellings(text: str, issue: IssueRef | None) -> None:
    assert read_issue(text) == issue


def test_issues_are_the_same_unless_number_or_repository_differ() -> None:
    ours, bare, theirs = IssueRef(number=42, repository=Raw("a/b")), IssueRef(number=42), IssueRef(number=42, repository=Raw("a/c"))
    assert ours.means(bare)
    assert bare.means(theirs)
    assert not ours.means(theirs)
    assert not bare.means(IssueRef(number=421))


@pytest.mark.parametrize("reference", ["", "/etc/passwd", "../a", "a/../b", "a/..", "a\\b", ".."])
def test_a_reference_that_climbs_is_not_inside(reference: str) -> None:
    assert not is_inside(reference)


@pytest.mark.parametrize("reference", ["docs/plan.md", "a", "...", "a/..b"])
def test_a_relative_reference_is_inside(reference: str) -> None:
    assert is_inside(reference)


def test_a_whole_tick_is_read_field_by_field() -> None:
    found = read(
        tick(
            blockers="waiting for review",
            open_questions=("which format?", '"why: now?"', "which format?"),
            checks_run=("pytest",),
            rounds_seen=("2", "1", "x", "999999999999"),
            pr_refs=("acme/app#57", "https://github.com/acme/app/pull/58/", "59", "none"),
            work_session_paths=("docs/work.md", "../out.md"),
        )
    )
    assert found.name == Raw("20260102-000000.md")
    assert found.written_at is not None
    assert found.written_at.isoformat() == "2026-01-02T00:00:00+00:00"
    assert (found.phase, found.phase_status, found.status) == (LifecyclePhase.WORK, PhaseStatus.IN_PROGRESS, ThreadStatus.ACTIVE)
    assert found.destination is Destination.PR
    assert found.blockers == Raw("waiting for review")
    assert found.questions == (Raw("which format?"), Raw("why: now?"))
    assert found.checks == (Raw("pytest"),)
    assert found.rounds == (1, 2)
    assert found.pull_requests == (57, 58, 59)
    assert found.issue == IssueRef(number=42, repository=Raw("acme/app"))
    assert found.papers == (
        Paper(field="plan_path", name=Raw("docs/plan.md"), path=Raw("docs/plan.md")),
        Paper(field="work_session_paths", name=Raw("docs/work.md"), path=Raw("docs/work.md")),
        Paper(field="work_session_paths", name=Raw("../out.md"), path=None),
    )
    assert found.fields["next_step"] == Raw("/work: continue")
    assert not found.closed


def test_words_of_its_own_are_no_known_words() -> None:
    found = read(tick(phase_status="halfway", status="napping", destination="moon"))
    assert (found.phase_status, found.status, found.destination) == (None, None, None)
    assert found.fields["status"] == Raw("napping")


@pytest.mark.parametrize(
    ("status", "closed"), [("done", True), ("abandoned", True), ("paused", False), ("handed-off", False), ("blocked", False)]
)
def test_a_thread_is_over_when_it_is_done_or_abandoned(status: str, closed: bool) -> None:  # noqa: FBT001
    assert read(tick(status=status)).closed is closed


@pytest.mark.parametrize(("kind", "issue"), [("issue", IssueRef(number=42)), ("task", None)])
def test_an_issue_thread_without_reference_is_about_the_issue_of_its_id(kind: str, issue: IssueRef | None) -> None:
    assert read(tick(issue_ref='""', kind=kind)).issue == issue


@pytest.mark.parametrize("blank", ['""', '" "', "", "[]", '"[]"', None])
def test_blockers_that_say_nothing_are_none(blank: str | None) -> None:
    assert read(tick(blockers=blank)).blockers is None


def test_blockers_spelled_as_a_list_are_not_lost() -> None:
    assert read(tick(blockers=("review", "quota"))).blockers == Raw("review; quota")


def test_what_a_tick_leaves_out_is_carried_from_the_one_before() -> None:
    first = tick(blockers="quota", open_questions=("why?",), checks_run=("ruff",), rounds_seen=("1", "2"), pr_refs=("57",))
    (_, second, third), _ = chain(
        first,
        tick(blockers=None, open_questions=None, checks_run=None, rounds_seen=None, pr_refs=None),
        tick(blockers='""', open_questions=(), checks_run=(), rounds_seen=(), pr_refs=()),
    )
    assert (second.blockers, second.questions, second.checks) == (Raw("quota"), (Raw("why?"),), (Raw("ruff"),))
    assert (second.rounds, second.pull_requests) == ((1, 2), (57,))
    assert (third.blockers, third.questions, third.checks, third.rounds, third.pull_requests) == (None, (), (), (), ())


@pytest.mark.parametrize(
    "open_finding", ["doc-review: P1 open", "P0: no retry on timeout", "P1 not fixed", "unresolved P0", "P0 and P1: 2"]
)
def test_an_open_finding_is_one(open_finding: str) -> None:
    assert read(tick(gate_verdicts=(f'"{open_finding}"',))).findings == (Raw(open_finding),)


@pytest.mark.parametrize(
    "settled", ["no P0/P1", "PASS (P1 noted)", "P1 fixed", "P0: none", "P1: 0", "P2 open", "AP1 open", "p1", "P1 resolved"]
)
def test_a_settled_finding_is_none(settled: str) -> None:
    assert read(tick(gate_verdicts=(f'"{settled}"',))).findings == ()


def test_findings_are_also_sought_in_blockers_and_questions() -> None:
    assert read(tick(blockers="P0 open", open_questions=("is P1 real?",))).findings == (Raw("P0 open"), Raw("is P1 real?"))


@pytest.mark.parametrize(
    ("found", "why"),
    [
        (file("20260102-000000.md", ""), "it does not open with a fence"),
        (file("20260102-000000.md", "# a note"), "it does not open with a fence"),
        (file("20260102-000000.md", tick()[:180]), "no closing fence: it was cut in its head"),
        (file("20260102-000000.md", tick(saga_id="issue-43")), "it does not name its own folder as its saga"),
        (file("20260102-000000.md", tick(saga_id=None)), "it does not name its own folder as its saga"),
        (file("20260102-000000.md", tick(lifecycle_phase="launch")), "its lifecycle_phase is none of the known ones"),
        (file("20260102-000000.md", tick(lifecycle_phase=None)), "its lifecycle_phase is none of the known ones"),
        (file("20260102-000000.md", tick(), cut=True), "larger than a tick is read"),
        (file("20260102-000000.md", None, Missing.DANGLING_LINK), "a link that points nowhere"),
        (file("20260102-000000.md", None), "not readable"),
    ],
)
def test_what_is_no_whole_tick_is_torn(found: TickFile, why: str) -> None:
    assert why_torn(found) == Raw(why)


def test_a_tick_cut_anywhere_is_torn_or_says_what_it_said() -> None:
    whole = tick(open_questions=("why?",), blockers="quota")
    expected = read(whole)
    head = whole.index("\n---\n") + len("\n---")
    for end in range(len(whole)):
        ticks, torn = chain(whole[:end])
        assert (ticks == (expected,), len(torn)) == ((True, 0) if end >= head else (False, 1))


def test_a_torn_tick_names_the_readable_one_before_it() -> None:
    ticks, torn = chain("x", tick(), "x", tick(lifecycle_phase="qa"), "x", "x")
    assert [each.phase for each in ticks] == [LifecyclePhase.WORK, LifecyclePhase.QA]
    assert [(each.name, each.newest, each.previous) for each in torn] == [
        (Raw("20260102-000000.md"), False, None),
        (Raw("20260102-000002.md"), False, Raw("20260102-000001.md")),
        (Raw("20260102-000004.md"), False, Raw("20260102-000003.md")),
        (Raw("20260102-000005.md"), True, Raw("20260102-000003.md")),
    ]


def test_a_torn_tick_that_a_readable_one_follows_is_not_the_newest() -> None:
    _, (torn,) = chain("x", tick())
    assert not torn.newest


def test_digits_that_are_no_day_are_no_time() -> None:
    ticks, _ = read_chain(THREAD, [file("99999999-999999.md", tick())])
    assert ticks[0].written_at is None


def test_no_file_is_no_chain() -> None:
    assert read_chain(THREAD, []) == ((), ())
