"""The two kinds of text: `Raw`, which came from a transcript, and `Masked`, which may be shown.

Raw text goes in and never comes out by itself: it does not print, format, serialise or pickle. Only `mask/engine.py` makes
`Masked` out of it (`forge`), and only the rooms that must look inside for a reason of their own call `reveal`.
"""

import re
from _blake2 import blake2b  # not by way of hashlib, which loads OpenSSL: 4 MiB that a small scan does not need
from shlex import quote as quote_for_shell
from typing import Final, Never, NoReturn, Self

CUT_MARK: Final = "\ufdd0\ufdd1\ufdd0"
"""Noncharacters that the reading room leaves where it cut a giant string; `Raw` turns them into its `cut` flag."""

_SURROGATES: Final = dict.fromkeys(range(55296, 57344), "�")


class Raw:
    """Text of a transcript. Equal by value, hashable, sized; everything else it can be asked is refused.

    Lone surrogates become U+FFFD. `cut` is true where the reading room had to drop the rest of the string.
    """

    __slots__ = ("_chars", "cut")

    def __init__(self, chars: str) -> None:
        """Take the characters of one decoded JSON string (or of one line of output)."""
        cut = chars.endswith(CUT_MARK)
        if cut:
            chars = chars[: -len(CUT_MARK)]
        if not chars.isascii():
            try:
                chars.encode()
            except UnicodeEncodeError:
                chars = chars.translate(_SURROGATES)
        self._chars = chars
        self.cut = cut

    def __repr__(self) -> str:
        """Say how long it is, never what it says."""
        return f"<raw: {len(self._chars)} chars>"

    def __len__(self) -> int:
        """Characters held."""
        return len(self._chars)

    def __eq__(self, other: object) -> bool:
        """Equal to the same raw text only, never to a plain string."""
        return isinstance(other, Raw) and self._chars == other._chars

    def __hash__(self) -> int:
        """Hash of the characters, so that ids can be keys."""
        return hash(self._chars)

    def __lt__(self, other: Self) -> bool:
        """Order of the characters, so that answers can be sorted."""
        return self._chars < other._chars

    def matches(self, pattern: re.Pattern[str]) -> bool:
        """Whether a pattern of our own is found in it: an answer of one bit."""
        return pattern.search(self._chars) is not None

    def folded(self) -> "Raw":
        """The same words as people compare short ones: stripped, in lower case, without full stops and exclamation marks at the end."""
        return Raw(self._chars.strip().lower().rstrip(".!"))

    def fingerprint(self) -> int:
        """A number of 63 bits, equal for equal texts. A short text can be guessed from it: salt it before it leaves the machine."""
        return int.from_bytes(blake2b(self._chars.encode(), digest_size=8).digest(), "big") >> 1

    def __format__(self, spec: str) -> NoReturn:
        """Refuse f-strings and `format`."""
        msg = "raw text cannot be formatted; seal it first"
        raise TypeError(msg)

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        """Refuse pickling, and with it every default copy."""
        msg = "raw text cannot be pickled"
        raise TypeError(msg)

    def __getstate__(self) -> NoReturn:
        """Refuse the state that other serialisers ask for; the default one would hand out the characters."""
        msg = "raw text has no state to give"
        raise TypeError(msg)

    def __copy__(self) -> Self:
        """Immutable, so a copy is the thing itself."""
        return self

    def __deepcopy__(self, memo: dict[int, object]) -> Self:
        """Immutable, so a copy is the thing itself."""
        return self


class Masked(str):
    """Text that has passed the mask. A string in every way, but no caller can make one."""

    __slots__ = ()

    def __new__(cls, _: Never) -> Self:
        """Refuse, for the type checkers too (nothing is a `Never`); only the mask engine forges masked text."""
        msg = "only the mask makes masked text"
        raise TypeError(msg)

    def head(self, chars: int) -> "Masked":
        """At most the first `chars` characters. Cutting after masking cannot uncover anything."""
        return forge(self[:chars])

    def lines(self) -> "tuple[Masked, ...]":
        """The lines. Parting after masking cannot uncover anything either."""
        return tuple(forge(line) for line in self.split("\n"))

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle as a plain string: what comes back is no longer vouched for."""
        return (str, (str(self),))


def forge(chars: str) -> Masked:
    """Vouch for characters as masked. For `mask/engine.py` alone; the architecture test holds every other room to it."""
    return str.__new__(Masked, chars)


def reveal(raw: Raw) -> str:
    """Answer the characters of raw text. For the mask (to mask it) and the reading room (to open a path it names) alone."""
    return raw._chars  # noqa: SLF001 (the one door of this class)


def compose(*parts: str | Raw) -> Raw:
    """Join words of our own and raw text into one raw text, so that a sentence about a transcript stays under the mask."""
    joined = Raw("".join(part if isinstance(part, str) else part._chars for part in parts))  # noqa: SLF001 (as `reveal`)
    joined.cut = any(part.cut for part in parts if isinstance(part, Raw))
    return joined


def quote(raw: Raw, *, always: bool = False) -> Raw:
    """Answer raw text as one word of a POSIX shell command; with `always`, in quotes even where the shell needs none."""
    word = quote_for_shell(raw._chars)  # noqa: SLF001 (as `reveal`)
    return Raw(f"'{word}'" if always and word == raw._chars else word)  # noqa: SLF001 (as `reveal`)
