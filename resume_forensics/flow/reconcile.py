"""The road of one reconciliation: ask, translate, judge, plan, seal, and only if told so, write."""

from pathlib import Path

from msgspec.structs import replace

from resume_forensics.claims.facts import Facts, read_facts
from resume_forensics.errors import ForensicsError, WrongUse
from resume_forensics.flow.mention import mention_transcripts
from resume_forensics.flow.roads import ROADS, Road, find_roads, look_around
from resume_forensics.limits import LIMITS, Limits
from resume_forensics.mask.engine import Masker
from resume_forensics.mask.seal import seal
from resume_forensics.model.claim import Applied, Circumstances, Reconciliation
from resume_forensics.model.inquiry import Answers
from resume_forensics.model.session import Selection
from resume_forensics.read.enclosure import find_root
from resume_forensics.read.files import read_whole
from resume_forensics.read.inquiries import answer
from resume_forensics.read.writes import carry_out, foresee_refusal
from resume_forensics.text import Masked, Raw, compose
from resume_forensics.vocabulary import Refusal

_TOO_MUCH = "the written state leads to more than {} questions; that is more than is asked, so nothing is claimed"


def reconcile(
    selection: Selection, circumstances: Circumstances, *, facts: Path | None = None, system: str | None = None, apply: bool = False
) -> Reconciliation[Masked]:
    """Answer how the written state of the selection's directory stands against the machine; with `apply`, do the write of its protocol.

    Raises `WrongUse` where no system is present, or several and none is named, for facts that are none, and for a conflict to accept
    that there is none of, unless others forbid the write anyway; `UnreadableFile` where directory or facts cannot be read.
    """
    root = find_root(selection.directory)
    road = choose_road(root, system)
    known = read_facts(read_whole(facts)) if facts else Facts()
    state_dir = name_below(root, circumstances.state_dir)
    circumstances = replace(circumstances, root=Raw(str(root)), state_dir=state_dir, prs=known.prs, agents=known.agents)
    answers = _gather(root, road, circumstances)
    found = _hold_accepted(road.judge(answers, circumstances), circumstances)
    sealed = _cut(seal(replace(found, transcripts=mention_transcripts(selection)), Masker()))
    return replace(sealed, applied=_apply(sealed, road, answers, circumstances, root)) if apply else sealed


def _hold_accepted(found: Reconciliation[Raw], circumstances: Circumstances) -> Reconciliation[Raw]:
    """Say which conflicts were accepted that there are none of. Raises `WrongUse` where that would else pass in silence: nothing blocks."""
    unknown = circumstances.accepted - {conflict.id for conflict in found.conflicts}
    if not unknown:
        return found
    if any(conflict.blocks_apply for conflict in found.conflicts):
        told = (compose("--accept names no conflict that was found: ", name) for name in sorted(unknown))
        return replace(found, warnings=(*found.warnings, *told))
    names = " or ".join(sorted(repr(str(Masker().mask(name))) for name in unknown))
    raise WrongUse(f"--accept: no conflict {names} was found; the ids of those that were stand under `conflicts`")


def _cut(sealed: Reconciliation[Masked]) -> Reconciliation[Masked]:
    """Keep what is shown within its bounds, now that nothing can be uncovered by a cut."""
    context = replace(sealed.context, lines=sealed.context.lines[-LIMITS.log_lines :])
    return replace(sealed, context=context, report_lines=tuple(line.head(LIMITS.report_line_chars) for line in sealed.report_lines))


def name_below(root: Path, named: str | None) -> str | None:
    """A folder that the caller named, relative to the root where it was named absolutely and stands below."""
    return str(Path(named).relative_to(root)) if named is not None and Path(named).is_relative_to(root) else named


def choose_road(root: Path, system: str | None) -> Road:
    """The system that is meant. Raises `WrongUse`."""
    names = ", ".join(road.system.name for road in ROADS)
    if system is not None and system not in {road.system.name for road in ROADS}:
        raise WrongUse(f"unknown system {system!r}; known: {names}")
    present = [road for road in find_roads(root) if system in {None, road.system.name}]
    if not present:
        raise WrongUse(f"{str(root)!r} holds no written state of {system or f'a known system ({names})'}; nothing was looked for above it")
    if len(present) > 1:
        found = " and ".join(road.system.name for road in present)
        raise WrongUse(f"{str(root)!r} holds the written state of {found}; name the one you mean with --system")
    return present[0]


def _gather(root: Path, road: Road, circumstances: Circumstances, limits: Limits = LIMITS) -> Answers:
    """Ask round by round, for each round's answers may lead to new questions. Every system bounds itself; this is the last bound."""
    held = look_around(root)
    for _ in range(limits.claim_rounds):
        named = dict.fromkeys(road.system.inquire(Answers(held), circumstances))
        wanted = [inquiry for inquiry in named if inquiry not in held]
        if not wanted:
            return Answers(held)
        if len(held) + len(wanted) > limits.claim_inquiries:
            break
        held |= {inquiry: answer(inquiry, root) for inquiry in wanted}
    raise ForensicsError(_TOO_MUCH.format(f"{limits.claim_inquiries:,}"))


def _apply(sealed: Reconciliation[Masked], road: Road, answers: Answers, circumstances: Circumstances, root: Path) -> Applied[Masked]:
    """Do the planned writes in their order. Before the first, every one is asked whether it still can be done."""
    if sealed.refusals or road.spell is None:
        return Applied(done=False, refusals=sealed.refusals or (Refusal.GATE_NO_WRITE,))
    writes = road.spell(answers, circumstances, sealed.writes_planned)
    written: list[Masked] = []
    refusals = [refusal for write in writes if (refusal := foresee_refusal(write, root))]
    for write, planned in zip(writes, sealed.writes_planned, strict=True):
        if refusals:
            break
        refusal = carry_out(write, root)
        if refusal:
            refusals.append(refusal)
        else:
            written.append(planned.path)
    return Applied(done=not refusals, refusals=tuple(dict.fromkeys(refusals)), written=tuple(written))
