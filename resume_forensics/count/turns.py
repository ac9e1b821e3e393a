"""Which turns mean "go on where you were": the opening forms, what may follow them, and what only looks like one.

In: the text of a human turn. Out: yes or no. The forms are those of the first scan; an object that is none of the listed words makes
a turn a near-miss.
"""

import re
from typing import Final

from msgspec import Struct

from resume_forensics.text import Raw


class Form(Struct, frozen=True, kw_only=True):
    """One spelling. `words`: a regular expression, case ignored. For an opening, each sample is a resume-class turn by itself."""

    words: str
    samples: tuple[str, ...]
    near_misses: tuple[str, ...] = ()


OPENINGS: Final = (
    Form(
        words="resume",
        samples=("resume", "Resume.", "RESUME!", "resume the loop"),
        near_misses=("resume the paused deployment", "resumes", "résumé"),
    ),
    Form(
        words="continue",
        samples=("continue", "Continue please", "continue until all are done"),
        near_misses=("continue the sentence in that draft", "continue /autonomous", "continued"),
    ),
    Form(words="keep going", samples=("keep going", "Keep going, thanks"), near_misses=("keep going through the list of users", "keep it")),
    Form(words="go on", samples=("go on", "go on then"), near_misses=("go on holiday mode", "go online")),
    Form(words="carry on", samples=("carry on", "carry on with the work"), near_misses=("carry on luggage table is missing",)),
    Form(
        words="pick up",
        samples=("pick up where you left off", "Pick up the task"),
        near_misses=("pick up the new config", "pick upstream as the base"),
    ),
    Form(words="please continue", samples=("please continue", "Please continue."), near_misses=("please continue the table in README",)),
    Form(words="please resume", samples=("please resume",), near_misses=("please resume the upload",)),
    Form(words="/resume", samples=("/resume",), near_misses=("/resume 4d5611e5",)),
    Form(words="/continue", samples=("/continue",), near_misses=("/continue-later",)),
    Form(words="proceed", samples=("proceed", "proceed with the plan"), near_misses=("proceed to the next phase", "proceedings")),
    Form(words="keep working", samples=("keep working", "keep working on the task"), near_misses=("keep working directory clean",)),
    Form(words="continue working", samples=("continue working", "continue working until done"), near_misses=("continue working title",)),
    Form(words="as you were", samples=("as you were", "As you were!"), near_misses=("as you were saying, rename it",)),
)
"""How a resume-class turn begins."""

FILLERS: Final = (
    Form(words=r"please|pls|thanks|thank you|thx|ok|okay|now|then|and", samples=("please", "Thank you", "now")),
    Form(
        words=r"(?:(?:exactly|right) )?(?:from )?(?:(?:exactly|right) )?where (?:you|we|i) (?:left|stopped|were)(?: off)?",
        samples=("where you left off", "from where you left off", "from exactly where we stopped"),
        near_misses=("where the log ends",),
    ),
    Form(
        words=r"(?:(?:with|on) )?(?:(?:the|this|that|your|our) )?(?:plan|work|task|tasks|arc|loop|implementation)",
        samples=("the plan", "with the work", "on this task", "the arc", "the loop", "implementation"),
        near_misses=("the deployment", "the planet"),
    ),
    Form(
        words=r"(?:until|till) (?:(?:it|all|everything|you|they)(?: is| are|'s|'re)? )?(?:all )?(?:done|finished|complete|completed)",
        samples=("until done", "until all are done", "until it's finished", "till everything is complete"),
        near_misses=("until the tests pass",),
    ),
)
"""What may follow an opening: politeness, and words that name no other object than what was being done."""

_BREAK: Final = r"[\s,.;:!\u2026\u2013\u2014-]+"
_OPENING: Final = "|".join(re.escape(form.words) for form in OPENINGS)
_FILLER: Final = "|".join(form.words for form in FILLERS)

OPENS: Final = re.compile(rf"^\s*(?:{_OPENING})\b", re.IGNORECASE)
_RESUMES: Final = re.compile(rf"^\s*(?:{_OPENING})\b(?:{_BREAK}(?:{_FILLER})\b)*(?:{_BREAK})?$", re.IGNORECASE)
_BARE: Final = Raw("resume")

_DEATHS: Final = re.compile(
    r"\b(died|killed|dead|mid-flight|mid-review|mid-call|never (returned|reported)|hit (an|the) .{0,25}limit)\b", re.IGNORECASE
)
"""The words of the first scan for a death that the model acknowledges."""


def is_resume(text: Raw) -> bool:
    """Whether a human turn asks for nothing but to go on."""
    return text.matches(_RESUMES)


def is_bare(text: Raw) -> bool:
    """Whether a turn is the one word "resume"."""
    return text.folded() == _BARE


def acknowledges_death(text: Raw) -> bool:
    """Whether a text of the model says that something died."""
    return text.matches(_DEATHS)
