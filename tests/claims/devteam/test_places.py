"""Holds where a devteam's state is looked for: below the root, except the sandboxes that its own lines name."""

from claims.teams import show
from resume_forensics.claims.devteam import places
from resume_forensics.model.inquiry import FileText, FolderNames


def test_what_is_asked_first_stays_inside_the_root() -> None:
    asked = [inquiry for inquiry in places.FIRST if isinstance(inquiry, FileText | FolderNames)]
    assert len(asked) == 7
    assert not any(inquiry.anywhere or show(inquiry.path).startswith("/") for inquiry in asked)


def test_a_task_has_its_file_and_its_locks() -> None:
    assert places.name_task_file(12) == "devteam/tasks/T-12.md"
    assert show(places.ask_task(12).path) == "devteam/tasks/T-12.md"
    assert show(places.ask_heartbeat(12).path) == "devteam/.run/locks/T-12.heartbeat"


def test_a_sandbox_is_looked_at_where_its_line_says() -> None:
    root = "/srv/a b/sb-9"
    assert [show(ask(root).path) for ask in (places.ask_root, places.ask_upper, places.ask_pid, places.ask_exit)] == [
        root,
        f"{root}/upper",
        f"{root}/meta/pid",
        f"{root}/meta/exit.txt",
    ]


def test_the_whole_root_is_asked_by_a_point() -> None:
    assert show(places.ask_newest("").path) == "."
    assert [show(path) for path in places.ask_commits(["", "src"]).paths] == [".", "src"]
