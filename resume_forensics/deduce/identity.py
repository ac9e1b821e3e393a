"""Which session a file is. In: the session id of each record. Out: the file's own id; records of another are copied history."""

from collections import Counter

from resume_forensics.limits import LIMITS
from resume_forensics.text import Raw


class Identity:
    """Takes the id that each record carries (`see`) and tells the file's own (`answer`)."""

    def __init__(self) -> None:
        self._seen: Counter[Raw] = Counter()

    def see(self, session_id: Raw | None) -> None:
        """Take the id of one record, None where it carries none."""
        if session_id is not None and (session_id in self._seen or len(self._seen) < LIMITS.session_ids):
            self._seen[session_id] += 1

    def answer(self, stem: Raw) -> Raw | None:
        """The stem of the file's name if any record carries it, else the commonest id, None where no record carries one."""
        if stem in self._seen:
            return stem
        return min(self._seen, key=lambda one: (-self._seen[one], one), default=None)
