"""Every rule of the mask as one table, those that know most first.

Rows come from the tables beside this file; `RULES` goes out. Nothing is compiled here.
"""

from typing import Final

from resume_forensics.mask.assigned import ASSIGNED
from resume_forensics.mask.contexts import CONTEXTS
from resume_forensics.mask.keys import KEYS
from resume_forensics.mask.pairs import PAIRS
from resume_forensics.mask.rule import Rule
from resume_forensics.mask.tokens import TOKENS

RULES: Final[tuple[Rule, ...]] = (*KEYS, *TOKENS, *PAIRS, *CONTEXTS, *ASSIGNED)
"""In order of rank: where two rules hide the same characters, the earlier one names them."""

KINDS: Final[tuple[str, ...]] = tuple(sorted({rule.kind for rule in RULES}))
"""Every kind that a placeholder can name, without a user's own."""
