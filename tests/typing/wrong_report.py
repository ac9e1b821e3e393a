"""Wrong uses of the two kinds of report. Every line marked `# E` must be rejected, and no other line."""

from typing import assert_type

import resume_forensics
from resume_forensics.mask.engine import Masker
from resume_forensics.mask.seal import seal
from resume_forensics.model.report import BadLine, Proposal, Report, Termination, WorkerReport
from resume_forensics.render.document import write_document
from resume_forensics.render.prose import write_prose
from resume_forensics.text import Masked, Raw
from resume_forensics.vocabulary import Action


def show(report: Report[Masked]) -> None: ...


def judge(report: Report[Raw]) -> None: ...


def wrong(unsealed: Report[Raw], sealed: Report[Masked], worker: WorkerReport[Raw], end: Termination[Raw], bad: BadLine[Raw]) -> None:
    show(unsealed)  # E
    judge(sealed)  # E
    write_prose(unsealed)  # E
    write_document(unsealed)  # E
    text_1: str = unsealed.session  # E
    text_2: Masked = unsealed.session  # E
    text_3: str = "died of " + end.remedy  # E
    sealed_1: Report[Masked] = unsealed  # E
    sealed_2: Report[str] = unsealed  # E
    workers_1: tuple[WorkerReport[Masked], ...] = (worker,)  # E
    proposal_1: Proposal[Masked] = Proposal(name=Action.NONE, reason="typed by hand")  # E
    proposal_2: Proposal[Raw] = Proposal(name=Action.NONE, reason="typed by hand")  # E
    bad.reason.strip()  # E
    sealed.session = "changed"  # E
    sealed.warnings.append("more")  # E

    show(sealed)
    judge(unsealed)
    text_4: str = sealed.session
    workers_2: tuple[WorkerReport[Raw], ...] = (worker, *unsealed.unreported)
    write_prose(sealed)
    write_document(seal(unsealed, Masker()))
    assert_type(seal(unsealed, Masker()), Report[Masked])
    assert_type(resume_forensics.scan(), Report[Masked])
    assert_type(resume_forensics.mask("any text"), Masked)
