"""A run beside what the machine shows of it: the questions that the decision table asks. Pure; nothing is decided here."""

from typing import Final

from msgspec import Struct

from resume_forensics.model.claim import Circumstances
from resume_forensics.model.inquiry import AncestorFact, Answers, DirtyFact, LogFact, PlaceFact
from resume_forensics.model.org import Run
from resume_forensics.text import Raw, compose
from resume_forensics.vocabulary import OrgStatus

NOT_ASKED: Final = "it was not asked"
_DETACHED: Final = "no branch (a detached HEAD)"
_ANCESTRY: Final = {
    True: " is an ancestor of HEAD: work went on",
    False: " is no ancestor of HEAD",
    None: " is not known to be an ancestor of HEAD",
}


class RunSight(Struct, frozen=True, kw_only=True):
    """A run beside what the machine shows of it; None where a thing was not asked. `pull_request` is its state from the facts."""

    run: Run
    org_status: OrgStatus | None = None
    place: PlaceFact | None = None
    dirty: DirtyFact | None = None
    log: LogFact | None = None
    ancestor: AncestorFact | None = None
    pull_request: Raw | None = None
    is_merged: bool = False

    @property
    def tree(self) -> PlaceFact | None:
        """Its directory as a work tree, where git could tell everything."""
        return self.place if self.place and self.place.is_top and self.place.problem is None else None

    @property
    def is_missing(self) -> bool:
        """Whether no directory is there."""
        return self.run.directory is None or (self.place is not None and not self.place.is_directory)

    @property
    def is_no_tree(self) -> bool:
        """Whether the directory is there and is not the top of a work tree."""
        place = self.place
        return place is not None and place.is_directory and (place.no_repository or (place.problem is None and not place.is_top))

    @property
    def is_on_other_branch(self) -> bool:
        """Whether the work tree is on another branch than the run."""
        return self.tree is not None and self.run.branch is not None and Raw(self.tree.branch or "") != self.run.branch

    @property
    def is_at_other_commit(self) -> bool:
        """Whether HEAD is another commit than the one recorded, which is named by its first digits."""
        commit = self.run.commit
        return self.tree is not None and commit is not None and Raw((self.tree.head or "")[: len(commit)]) != commit

    @property
    def git_problem(self) -> str | None:
        """Why git did not tell everything about the work tree, None where it did (or had nothing to tell)."""
        if self.is_missing or self.is_no_tree:
            return None
        for fact in (self.place, self.dirty):
            if fact is None or fact.problem:
                return NOT_ASKED if fact is None else fact.problem
        return None

    @property
    def branch(self) -> Raw:
        """The branch of the work tree, in words."""
        return Raw((self.tree and self.tree.branch) or _DETACHED)

    @property
    def head(self) -> Raw:
        """The commit of the work tree, in words."""
        return Raw((self.tree and self.tree.head) or "no commit yet")

    @property
    def ancestry(self) -> Raw:
        """How the recorded commit stands to HEAD, in words."""
        return compose(self.run.commit or "", _ANCESTRY[self.ancestor.is_ancestor if self.ancestor else None])


def see_run(run: Run, org_status: OrgStatus | None, answers: Answers, circumstances: Circumstances) -> RunSight:
    """Put a run beside the answers that were given about it."""
    asked = run.inquiries
    found = next((one for one in circumstances.prs or () if run.pr_url in {Raw(one.url), Raw(one.url.rstrip("/"))}), None)
    return RunSight(
        run=run,
        org_status=org_status,
        place=answers.place(asked.place) if asked.place and asked.place in answers else None,
        dirty=answers.dirty(asked.dirty) if asked.dirty and asked.dirty in answers else None,
        log=answers.log(asked.log) if asked.log and asked.log in answers else None,
        ancestor=answers.ancestor(asked.ancestor) if asked.ancestor and asked.ancestor in answers else None,
        pull_request=Raw(found.state) if found else None,
        is_merged=found is not None and (found.merged_at is not None or found.state.upper() == "MERGED"),
    )
