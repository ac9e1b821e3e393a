"""The reading half of a saga's protocol: how the thread came to be where it is, what its newest tick says, and its documents. Pure."""

from collections.abc import Iterable, Iterator
from typing import Final

from resume_forensics.deduce.reconcile.saga.chain import Seen, describe_tick
from resume_forensics.deduce.reconcile.saga.position import Position
from resume_forensics.deduce.reconcile.saga.pull_requests import describe, of_thread
from resume_forensics.limits import LIMITS
from resume_forensics.model.claim import Context, Named
from resume_forensics.model.inquiry import Answers, DirtyFact, FileState
from resume_forensics.model.thread import Paper
from resume_forensics.text import Raw, compose
from resume_forensics.vocabulary import Missing

_FACTS = ("status", "destination", "issue_ref", "branch", "next_step", "updated_at")
_REFUSED: Final = frozenset({Missing.OUTSIDE, Missing.NOT_REGULAR, Missing.UNREADABLE})


def gather_context(position: Position, dirty: DirtyFact, answers: Answers) -> Context[Raw]:
    """Answer what whoever resumes reads first."""
    state, seen = position.state, position.seen
    legacy = tuple(compose("checkpoint of an older format: ", name) for name in state.checkpoints[-LIMITS.evidence_listed :])
    if seen is None:
        return Context(lines=legacy)
    return Context(
        lines=(*_trajectory(seen), *legacy),
        facts=(*_facts(seen), Named(name=Raw("selected"), value=Raw(position.selection.reason))),
        files=tuple(_paper(paper, dirty, answers) for paper in seen.newest.papers[: LIMITS.evidence_listed]),
    )


def _trajectory(seen: Seen) -> Iterator[Raw]:
    """The newest ticks, oldest first, then the pull requests of the thread."""
    for tick in seen.thread.ticks[-LIMITS.evidence_listed :]:
        rounds = f", rounds {' '.join(map(str, tick.rounds[-LIMITS.evidence_listed :]))}" if tick.rounds else ""
        blocked = ", blocked" if tick.blockers else ""
        asked = f", {len(tick.questions)} questions open" if tick.questions else ""
        yield compose(tick.name, ": ", describe_tick(tick), rounds, blocked, asked)
    for each in of_thread(seen.prs or (), seen.newest)[-LIMITS.evidence_listed :]:
        yield compose("pull request ", describe(each))


def _facts(seen: Seen) -> Iterator[Named[Raw]]:
    newest = seen.newest
    yield Named(name=Raw("tick"), value=newest.name)
    yield Named(name=Raw("lifecycle_phase"), value=Raw(newest.phase))
    yield Named(name=Raw("phase_status"), value=newest.fields.get("phase_status"))
    yield from (Named(name=Raw(name), value=newest.fields.get(name)) for name in _FACTS)
    checks = newest.checks[-LIMITS.evidence_listed :]
    joined = compose(checks[0], *(part for check in checks[1:] for part in ("; ", check))) if checks else None
    yield Named(name=Raw("checks_run"), value=joined)


def _paper(paper: Paper, dirty: DirtyFact, answers: Answers) -> Raw:
    """A document by its name, and whether it is there: what git does not know yet can be lost with the work tree."""
    return compose(paper.name, ": ", _look(paper, dirty, answers), f" ({paper.field})")


def find_refused(papers: Iterable[Paper], answers: Answers) -> Iterator[tuple[Paper, Missing]]:
    """The documents that are not to be read: they lead out, also by a link, or are no files that end."""
    for paper in papers:
        missing = _find_missing(paper, answers)
        if missing in _REFUSED:
            yield paper, missing


def _find_missing(paper: Paper, answers: Answers) -> Missing | None:
    inquiry = FileState(path=paper.path) if paper.path is not None else None
    return answers.file(inquiry).missing if inquiry is not None and inquiry in answers else Missing.OUTSIDE


def _look(paper: Paper, dirty: DirtyFact, answers: Answers) -> str:
    missing = _find_missing(paper, answers)
    if missing is Missing.GONE:
        return "missing"
    if missing not in {None, Missing.EMPTY}:
        return str(missing)
    if paper.path in set(map(Raw, dirty.paths)):
        return "uncommitted"
    return "present, but whether it is committed could not be asked" if dirty.problem or dirty.cut else "present"
