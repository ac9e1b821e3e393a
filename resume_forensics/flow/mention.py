"""The newest transcript of a directory, mentioned beside its written state."""

from resume_forensics.errors import NoSession, UnreadableFile
from resume_forensics.flow.discover import choose_session
from resume_forensics.flow.later import gather_joined, list_open
from resume_forensics.flow.scan import find_harness
from resume_forensics.model.claim import TranscriptMention
from resume_forensics.model.session import Selection
from resume_forensics.text import Raw, compose, quote


def mention_transcripts(selection: Selection) -> TranscriptMention[Raw] | None:
    """The newest session of the selection's directory and how many of its workers never came back; None where there is none."""
    try:
        harness = find_harness(selection)
        session, _ = choose_session(selection, harness)
        _, joined = gather_joined(session, harness)
    except (NoSession, UnreadableFile):
        return None
    unreported = len(list_open(joined))
    path = Raw(str(session.path))
    return TranscriptMention(session=path, unreported=unreported, command=compose("resume-scan --session ", quote(path)))
