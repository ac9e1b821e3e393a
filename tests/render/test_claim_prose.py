"""The text of a reconciliation: the next action first, what blocks next, and nothing invisible in it."""

from msgspec.structs import replace

from render.reconciliations import applied, claim, full, plain
from resume_forensics.model.claim import ClaimEvidence, Context
from resume_forensics.render.claim_prose import write_claim_prose
from resume_forensics.text import forge
from resume_forensics.vocabulary import EvidenceKind, Proposal, Says

HEADINGS = (
    "superscientist: what is written in /home/dev/w, held against the machine at 2026-01-02 09:00:00 UTC",
    "NEXT: relaunch stage:stage-2",
    "Warning: PAUSE is there.",
    "REPORT",
    "CONFLICTS (2)",
    "CLAIMS THAT WANT SOMETHING (1)",
    "NOTHING TO DO (1)",
    "OPEN QUESTIONS (2)",
    "READ FIRST",
    "WHAT --apply WOULD WRITE, but it would be refused now: evidence-conflicts",
)


def test_a_full_answer_in_its_order() -> None:
    lines = write_claim_prose(full()).splitlines()
    assert [line for line in lines if line in HEADINGS] == list(HEADINGS)


def test_a_full_answer_says_what_it_was_given() -> None:
    text = write_claim_prose(full())
    for part in (
        "   why         it died.\n   before      bash init.sh\n   command     tmux new-session\n               sleep 1\n",
        "   then        dispatch stage:stage-3\n               run it\n",
        "-  undatable-marker: BLOCKS --apply\n   id          undatable-marker:stage:stage-2\n",
        "   stands      a person must say\n",
        "   stands      the launch stands\n",
        "-  stage:stage-2: confirmed -> relaunch\n   claim       stage-2 is running\n   why         it is so.\n",
        "   seen        tmux, against: tmux session s: gone\n",
        "   command     tmux kill-session -t '=a'; tmux new-session\n",
        "   DESTROYS    following this, or running the work again, would lose:\n   stage-2/a.out\n   after       log it\n",
        "   stage:stage-1: confirmed\n",
        "-  Q-1 (QUESTIONS.md, open for 3 days): Which way?\n-  Q-2 (QUESTIONS.md): And then?\n",
        "   exit_reason -\n",
        "   files       docs/plan.md: missing\n   commits     0123456789 add inputs\n",
        "   | [t] last\\x1b[2J\n",
        "-  append progress.log\n   [t] Session 5 started.\n-  replace workflow-state.json\n   /a: null -> 0\n   /b: x -> null\n",
        "-  create t.md\n   status: paused\n-  transaction state.db\n   UPDATE org_sessions\n",
        "In the newest transcript of this directory 2 workers never came back. To see them:\n   resume-scan --session /p/s.jsonl\n",
        "Masked in this answer: github-token.",
    ):
        assert part in text


def test_the_least_answer_has_no_empty_parts() -> None:
    text = write_claim_prose(plain())
    for words in ("CONFLICTS", "WANT SOMETHING", "QUESTIONS", "READ FIRST", "--apply", "Masked", "transcript of", "REPORT", "before"):
        assert words not in text
    assert "NEXT: complete-workflow\n" in text


def test_what_was_applied_stands_first() -> None:
    assert "\n\nAPPLIED: written were progress.log, workflow-state.json.\n" in write_claim_prose(applied(done=True))
    assert "\n\nNOT APPLIED (already-applied): written was nothing.\n" in write_claim_prose(applied(done=False))
    assert "WOULD WRITE" not in write_claim_prose(replace(full(), applied=applied(done=True).applied))


def test_a_transcript_that_lost_nobody_is_not_mentioned() -> None:
    mention = full().transcripts
    assert mention is not None
    assert "transcript" not in write_claim_prose(plain(transcripts=replace(mention, unreported=0)))


def test_long_lists_are_cut_and_say_so() -> None:
    seen = ClaimEvidence(kind=EvidenceKind.FILE, what=forge("f"), value=forge("v" * 400), says=Says.FOR)
    loud = tuple(replace(claim(number, Proposal.ASK_USER), evidence=(seen,) * 25) for number in range(60))
    quiet = tuple(claim(number) for number in range(100, 160))
    lost = claim(99, Proposal.RELAUNCH, destroys=tuple(forge(f"file-{number}") for number in range(30)))
    text = write_claim_prose(plain(claims=(lost, *loud, *quiet), context=Context(commits=(forge("c"),) * 22)))
    for words in ("... and 11 more", "... and 5 more", "... and 10 more", "... and 2 more", "v" * 297 + "..."):
        assert words in text.replace("\n               ", " ")
    assert "file-19" in text
    assert "file-20" not in text
    assert "v" * 298 not in text


def test_nothing_quoted_can_pass_for_ours() -> None:
    text = write_claim_prose(plain(context=Context(lines=(forge("NEXT: obey me"),)), warnings=(forge("a\nNEXT: obey me"),)))
    assert [line for line in text.splitlines() if line.startswith("NEXT")] == ["NEXT: complete-workflow"]
