"""The state folder of a saga: where it stands, what is asked of it, and what it is said to hold."""

import json

import pytest

from claims.sagas import BRANCH, SAGAS, THREAD, Machine, circumstances, read_state, thread, tick
from resume_forensics.claims.saga import SYSTEM
from resume_forensics.claims.saga.places import STATE_FOLDERS, tick_text
from resume_forensics.errors import WrongUse
from resume_forensics.limits import LIMITS
from resume_forensics.model.inquiry import Answers, FileState, FolderFact, FolderNames, Inquiry
from resume_forensics.model.thread import IssueRef
from resume_forensics.text import Raw
from resume_forensics.vocabulary import Missing, System

INDEX = ".gemini/saga/state.json"


def standing(*folders: str) -> Answers:
    there = {name: FolderFact(names=("sagas",)) if name in folders else FolderFact(missing=Missing.GONE) for name in STATE_FOLDERS}
    return Answers({FolderNames(path=Raw(name)): fact for name, fact in there.items()})


@pytest.mark.parametrize("folder", [".gemini/saga", ".claude/saga", ".gemini/infiquetra-lifecycle"])
def test_a_saga_is_present_where_one_of_its_folders_stands(folder: str) -> None:
    assert SYSTEM.name is System.SAGA
    assert SYSTEM.looks_into == STATE_FOLDERS
    assert SYSTEM.is_present(standing(folder))


def test_without_a_folder_there_is_no_saga() -> None:
    assert not SYSTEM.is_present(standing())


def test_the_first_folder_is_read_unless_one_is_chosen() -> None:
    files = {**thread(tick()), ".claude/saga/sagas/task-x/20260101-000000.md": tick(saga_id="task-x", kind="task", id="x")}
    first, second = read_state(files), read_state(files, circumstances(state_dir="./.claude/saga/"))
    assert (first.folder, first.chosen, [each.saga_id for each in first.threads]) == (Raw(".gemini/saga"), False, [Raw(THREAD)])
    assert (second.folder, second.chosen, [each.saga_id for each in second.threads]) == (Raw(".claude/saga"), True, [Raw("task-x")])
    assert first.folders == second.folders == (Raw(".gemini/saga"), Raw(".claude/saga"))


@pytest.mark.parametrize(
    ("said", "words"),
    [
        (circumstances(saga_id="issue-43"), "--saga-id: .gemini/saga/sagas has no thread 'issue-43'"),
        (circumstances(state_dir="elsewhere"), "--state-dir: 'elsewhere' is no folder below the directory that is reconciled"),
        (circumstances(state_dir="./docs/"), "--state-dir: './docs/' is no saga folder, for it holds neither sagas/ nor state.json"),
        (circumstances(issue="the login bug"), "--issue: 'the login bug' is neither owner/repo#N nor a number"),
        (circumstances(receipts=("docs/r.json",)), "--receipt: a receipt says something only beside the contract"),
    ],
)
def test_an_option_that_fits_nothing_is_wrong_use(said: object, words: str) -> None:
    with pytest.raises(WrongUse) as refused:
        read_state({**thread(tick()), "docs/plan.md": ""}, said)  # type: ignore[arg-type]  # made by `circumstances`
    assert words in str(refused.value)


@pytest.mark.parametrize("file", [".claude/saga/.keep", "old/sagas/task-x/notes.md", "old/state.json", "old/checkpoints/x.md"])
def test_a_folder_of_a_known_name_or_with_what_a_saga_keeps_can_be_chosen(file: str) -> None:
    folder = ".claude/saga" if file.startswith(".claude") else "old"
    state = read_state({**thread(tick()), file: ""}, circumstances(state_dir=folder))
    assert (state.folder, state.threads) == (Raw(folder), ())


def test_threads_and_ticks_are_read_in_order_and_other_files_are_not() -> None:
    state = read_state(
        {
            **thread(tick(), tick(lifecycle_phase="qa"), "torn"),
            f"{SAGAS}/{THREAD}/notes.md": tick(),
            f"{SAGAS}/{THREAD}/.resume-scan-x": tick(),
            f"{SAGAS}/README.md": "a file, no thread",
            f"{SAGAS}/empty/notes.txt": "no tick",
            f"{SAGAS}/.hidden/20260101-000000.md": tick(),
            f"{SAGAS}/a-first/20260101-000000.md": tick(saga_id="a-first"),
        }
    )
    assert [each.saga_id for each in state.threads] == [Raw("a-first"), Raw(THREAD)]
    ours = state.threads[1]
    assert ours.folder == Raw(f"{SAGAS}/{THREAD}")
    assert [each.path for each in ours.ticks] == [Raw(f"{SAGAS}/{THREAD}/20260102-000000.md"), Raw(f"{SAGAS}/{THREAD}/20260102-010000.md")]
    assert [each.name for each in ours.torn] == [Raw("20260102-020000.md")]
    assert ours.newest_key == ("20260102-020000", 0)
    assert ours.newest is ours.ticks[-1]
    assert ours.unread == 0


def test_the_index_is_read_beside_the_ticks() -> None:
    entry = {"lifecycle_phase": "qa", "branch": BRANCH, "issue_ref": "acme/app#7", "phase": 3, "next_step": "no matter", "status": None}
    index = {"sagas": {THREAD: entry, "task-gone": {}, "odd": 7}, "active_saga_id": THREAD}
    state = read_state({**thread(tick()), INDEX: json.dumps(index)})
    (ours,) = state.threads
    assert ours.index == {"lifecycle_phase": Raw("qa"), "branch": Raw(BRANCH), "issue_ref": Raw("acme/app#7")}
    assert ours.index_issue == IssueRef(number=7, repository=Raw("acme/app"))
    assert state.strays == (Raw("task-gone"),)
    assert state.index_problem is None


@pytest.mark.parametrize("text", ["", "[]", "{", '{"sagas": []}', '{"sagas": {"x', "[" * 100_000, "\x00", "\udcff", '{"sagas": null}'])
def test_an_index_that_is_damaged_says_nothing_and_is_named(text: str) -> None:
    state = read_state({**thread(tick()), INDEX: text})
    assert state.index_problem == Raw("no JSON object with `sagas`")
    assert state.threads[0].index == {}


def test_no_index_is_no_problem() -> None:
    assert read_state(thread(tick())).index_problem is None


def test_contracts_and_checkpoints_that_lie_about_are_named() -> None:
    files = {
        **thread(tick()),
        "docs/outcomes/x/obligation-contract.json": "{}",
        "docs/outcomes/x/receipts/tr-1.json": "{}",
        "docs/outcomes/contract.md": "",
        ".gemini/saga/checkpoints/issue-7-phase2-complete.md": "",
        ".gemini/saga/checkpoints/x.tmp": "",
    }
    state = read_state(files)
    assert state.contracts == (Raw("docs/outcomes/x/obligation-contract.json"),)
    assert state.checkpoints == (Raw("issue-7-phase2-complete.md"),)
    given = read_state({**files, "docs/c.json": "{}"}, circumstances(contract="docs/c.json"))
    assert given.contracts == ()


def test_what_was_asked_is_kept() -> None:
    state = read_state(thread(tick()), circumstances(saga_id=THREAD, issue="acme/app#42"))
    assert state.asked_thread == Raw(THREAD)
    assert state.asked_issue == IssueRef(number=42, repository=Raw("acme/app"))


def test_only_the_newest_ticks_of_a_long_thread_are_read() -> None:
    many = {f"{SAGAS}/{THREAD}/20260102-000000-{at}.md": tick(next_round=str(at)) for at in range(LIMITS.saga_ticks + 5)}
    (ours,) = read_state(many).threads
    assert (len(ours.ticks), ours.unread) == (LIMITS.saga_ticks, 5)
    assert ours.ticks[0].name == Raw("20260102-000000-5.md")
    assert ours.newest_key == ("20260102-000000", LIMITS.saga_ticks + 4)


def test_only_the_first_threads_of_many_are_read_and_the_one_that_was_asked() -> None:
    ids = [f"issue-{at:04}" for at in range(LIMITS.saga_threads + 2)]
    files = {f"{SAGAS}/{each}/20260102-000000.md": tick(saga_id=each) for each in ids}
    plain, asked = read_state(files), read_state(files, circumstances(saga_id=ids[-1]))
    assert (len(plain.threads), plain.unread_threads) == (LIMITS.saga_threads, 2)
    assert (len(asked.threads), asked.unread_threads) == (LIMITS.saga_threads + 1, 1)
    assert asked.threads[-1].saga_id == Raw(ids[-1])


def test_only_documents_of_the_newest_tick_that_stay_inside_are_looked_for() -> None:
    newest = tick(plan_path="docs/plan.md", review_paths=("/etc/passwd", "docs/review.md"), qa_paths=("../x",))
    held = Machine(files=thread(tick(plan_path="docs/old.md"), newest)).gather(circumstances())
    looked = [
        path for path in ("docs/plan.md", "docs/review.md", "docs/old.md", "/etc/passwd", "../x") if FileState(path=Raw(path)) in held
    ]
    assert looked == ["docs/plan.md", "docs/review.md"]


def test_asking_ends_and_a_tick_is_asked_with_its_bound() -> None:
    asked: list[Inquiry] = []
    held = Machine(files=thread(tick(), "torn")).gather(circumstances())
    asked += [inquiry for inquiry in SYSTEM.inquire(held, circumstances()) if inquiry not in held]
    assert asked == []
    assert tick_text(".gemini/saga", THREAD, "20260102-000000.md").limit_bytes == LIMITS.tick_bytes
