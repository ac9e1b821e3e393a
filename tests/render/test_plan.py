"""The next steps: what may run twice first, then what is free, then what costs work."""

from collections.abc import Callable

from resume_forensics.model.report import Proposal, Report, WorkerReport
from resume_forensics.render.page import Page
from resume_forensics.render.plan import draw_plan
from resume_forensics.text import Masked, forge
from resume_forensics.vocabulary import Action, Delivery, WorkerState

WorkerMaker = Callable[..., WorkerReport[Masked]]
ReportMaker = Callable[..., Report[Masked]]


def planned(report: Report[Masked]) -> list[str]:
    """The numbered steps, wrapping undone."""
    page = Page()
    draw_plan(page, report)
    text = str(page).replace("\n   ", " ")
    assert text.startswith("WHAT TO DO NEXT\n1. ")
    return text.splitlines()[1:]


def test_the_plan_of_a_full_report(full_report: Report[Masked]) -> None:
    steps = planned(full_report)
    assert [step.split(": ")[0] for step in steps[:5]] == [
        "1. Deal with the cause of death first (api_overload)",
        "2. verify-first (bq9janbi)",
        "3. fold-in (a-untold)",
        "4. read-failure (w1)",
        "5. continue (a81e8a82)",
    ]
    assert steps[5].startswith("6. Put the work tree in order")
    assert steps[6].startswith("7. Restart what started work by itself")
    assert steps[7] == "8. Then continue the arc where it stopped, and report what was restored. This is not a signal to wrap up."


def test_every_action_but_none_gets_a_step(report: ReportMaker, worker: WorkerMaker) -> None:
    workers = tuple(worker(worker_id=forge(action.value), action=Proposal(name=action, reason=forge("so"))) for action in Action)
    steps = planned(report(unreported=workers))
    named = [step.split("(")[1].split(")")[0] for step in steps[:-1]]
    assert named == ["verify-first", "fold-in", "read-failure", "continue", "respawn-remainder", "respawn-whole", "restart-driver"]


def test_a_worker_that_came_back_well_needs_no_step(report: ReportMaker, worker: WorkerMaker) -> None:
    well = worker(state=WorkerState.REPORTED, delivery=Delivery.DELIVERED, action=Proposal(name=Action.FOLD_IN, reason=forge("done")))
    assert planned(report(reported=(well,))) == [
        "1. No worker was lost: continue the arc where it stopped. This is not a signal to wrap up."
    ]


def test_bad_lines_forbid_the_plain_all_clear(report: ReportMaker) -> None:
    assert planned(report(unparsable_records=1)) == [
        "1. No lost worker is known of, as far as the file could be read. Continue the arc; this is not a signal to wrap up."
    ]


def test_only_some_of_many_ids_are_named(report: ReportMaker, worker: WorkerMaker) -> None:
    steps = planned(report(unreported=tuple(worker(worker_id=forge(f"a{n}")) for n in range(22))))
    assert steps[0].startswith("1. respawn-whole (a0, a1, ")
    assert ", a19 and 2 more): " in steps[0]


def test_what_is_left_of_an_unreadable_session_is_planned_for_too(report: ReportMaker, worker: WorkerMaker) -> None:
    steps = planned(report(records=0, unreported=(worker(action=Proposal(name=Action.FOLD_IN, reason=forge("so"))),)))
    assert steps[0].startswith("1. Look at the file itself")
    assert steps[1].startswith("2. fold-in (")
    assert len(planned(report(records=0))) == 1
