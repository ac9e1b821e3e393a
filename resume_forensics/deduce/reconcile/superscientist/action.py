"""What to do next about a workflow: judged stages and conflicts come in, one `NextAction` goes out (seed 000, steps 5 to 7)."""

from collections.abc import Iterable
from typing import Final

from resume_forensics.deduce.reconcile.superscientist.advice import COMPLETE, write_command
from resume_forensics.deduce.reconcile.superscientist.plan import Judged
from resume_forensics.model.claim import Circumstances, Conflict, FollowingAction, NextAction
from resume_forensics.model.workflow import Workflow
from resume_forensics.text import Raw, compose
from resume_forensics.vocabulary import Proposal, StageStatus

ORDER: Final = (
    frozenset({Proposal.VERIFY_RESULT, Proposal.RELAUNCH}),
    frozenset({Proposal.KEEP_MONITORING}),
    frozenset({Proposal.RECHECK}),
    frozenset({Proposal.DISPATCH}),
    frozenset({Proposal.RETRY}),
)
"""The work of step 5 in array order, then what runs, then what is ready, then what may be tried again."""

_BEFORE: Final = (Raw("bash init.sh"),)
_OVER: Final = frozenset({StageStatus.COMPLETED, StageStatus.SKIPPED})


def choose_action(
    workflow: Workflow, judged: tuple[Judged, ...], conflicts: Iterable[Conflict[Raw]], circumstances: Circumstances
) -> NextAction[Raw]:
    """Answer the first thing to do. `then` names the first stage to dispatch after it."""
    blocked = [conflict for conflict in conflicts if conflict.blocks_apply]
    before = _BEFORE if workflow.has_init else ()
    chosen = next((one for proposals in ORDER for one in judged if one.row.proposal in proposals), None)
    if chosen is not None:
        return NextAction(
            name=chosen.row.proposal,
            target=name_stage(chosen),
            reason=Raw(chosen.row.reason),
            command=write_command(chosen.stage, chosen.row.proposal, circumstances),
            before=before,
            then=_find_following(chosen, judged, circumstances),
        )
    if not blocked and all(one.stage.status in _OVER for one in judged):
        reason = "every stage is completed or skipped"
        return NextAction(name=Proposal.COMPLETE_WORKFLOW, reason=Raw(reason), command=Raw(COMPLETE), before=before)
    return _ask_user(judged, blocked, before)


def name_stage(judged: Judged) -> Raw:
    """The id of the claim about a stage."""
    return compose("stage:", judged.stage.id)


def _find_following(chosen: Judged, judged: tuple[Judged, ...], circumstances: Circumstances) -> FollowingAction[Raw] | None:
    ready = next((one for one in judged if one.row.proposal is Proposal.DISPATCH and one is not chosen), None)
    if ready is None:
        return None
    command = write_command(ready.stage, Proposal.DISPATCH, circumstances)
    return FollowingAction(name=Proposal.DISPATCH, target=name_stage(ready), command=command)


def _ask_user(judged: tuple[Judged, ...], blocked: list[Conflict[Raw]], before: tuple[Raw, ...]) -> NextAction[Raw]:
    """Nothing can be done without a person: for the first stage that waits for one, or because of what must be written down first."""
    if blocked:
        words = compose("what is written and what is seen conflict, and nothing else can be done: ", blocked[0].sides[-1])
        return NextAction(name=Proposal.ASK_USER, target=blocked[0].claims[0], reason=words, before=before)
    for proposal, told in _STUCK.items():
        one = next((one for one in judged if one.row.proposal is proposal), None)
        if one is not None:
            return NextAction(name=Proposal.ASK_USER, target=name_stage(one), reason=Raw(told or one.row.reason), before=before)
    return NextAction(name=Proposal.ASK_USER, reason=Raw("no stage can go on by itself"), before=before)


_STUCK: Final = {
    Proposal.ASK_USER: "",
    Proposal.MARK_FAILED: "it must be marked failed first, which --apply does; then it may be tried again",
}
"""What keeps a workflow from going on, and what is said of it ("": the reason of the stage's own row)."""
