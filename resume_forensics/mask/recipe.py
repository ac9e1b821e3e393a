"""Recipes: a short notation for text with generated secrets in it, so that no secret-shaped literal stands in the source.

`<w:36>` stands for 36 random characters of class `w`, `<uuid>` for a uuid, `<basic:12>` for the base64 of a name and a password of
that length; everything else stands for itself. A recipe and a source of randomness
go in; the text and the places of what was generated come out.
"""

import re
from base64 import b64encode
from typing import TYPE_CHECKING, Final

from msgspec import Struct

if TYPE_CHECKING:
    from random import Random

_LOWER: Final = "abcdefghijklmnopqrstuvwxyz"
_UPPER: Final = _LOWER.upper()
_DIGITS: Final = "0123456789"
CLASSES: Final = {
    "a": _LOWER,
    "A": _UPPER,
    "d": _DIGITS,
    "h": _DIGITS + "abcdef",
    "H": _DIGITS + "ABCDEF",
    "l": _LOWER + _DIGITS,
    "U": _UPPER + _DIGITS,
    "b": _UPPER + "234567",
    "w": _UPPER + _LOWER + _DIGITS,
    "u": _UPPER + _LOWER + _DIGITS + "-_",
    "s": _UPPER + _LOWER + _DIGITS + "+/",
    "p": _UPPER + _LOWER + _DIGITS + "!#%*+-_.~^?",
}
"""Letters of the notation: the alphabets in which vendors spell their tokens; `p` is for passwords."""

_SHORT_CHARS: Final = 4
PART: Final = re.compile(r"<(?:(?P<class>[aAdhHlUbwusp]):(?P<count>[0-9]{1,4})|basic:(?P<basic>[0-9]{1,3})|(?P<uuid>uuid))>")


class Sample(Struct, frozen=True, kw_only=True):
    """Text made from a recipe. `secrets` are the generated stretches, in order."""

    text: str
    secrets: tuple[tuple[int, int], ...]

    @property
    def bodies(self) -> tuple[str, ...]:
        """What was generated: no eight characters of it in a row may show once the text is masked."""
        return tuple(self.text[start:end] for start, end in self.secrets)


def write_sample(recipe: str, chance: "Random") -> Sample:
    """Write the text of a recipe with fresh random stretches."""
    pieces: list[str] = []
    secrets: list[tuple[int, int]] = []
    done = length = 0
    for part in PART.finditer(recipe):
        literal = recipe[done : part.start()]
        made = _make_part(part, chance)
        pieces += (literal, made)
        secrets.append((length + len(literal), length + len(literal) + len(made)))
        length += len(literal) + len(made)
        done = part.end()
    pieces.append(recipe[done:])
    return Sample(text="".join(pieces), secrets=tuple(secrets))


def _make_part(part: re.Match[str], chance: "Random") -> str:
    if part["uuid"]:
        shown = f"{chance.getrandbits(128):032x}"
        return "-".join((shown[:8], shown[8:12], f"4{shown[13:16]}", f"{'89ab'[int(shown[16], 16) % 4]}{shown[17:20]}", shown[20:]))
    if part["basic"]:
        pair = "bo:" + "".join(chance.choices(CLASSES["p"], k=int(part["basic"])))
        return b64encode(pair.encode()).decode()
    alphabet, count = CLASSES[part["class"]], int(part["count"])
    made = "".join(chance.choices(alphabet, k=count))
    return _with_digit(made, alphabet, chance)


def _with_digit(made: str, alphabet: str, chance: "Random") -> str:
    """Put one digit into a stretch that happens to have none: no vendor's alphabet with digits gives words."""
    if len(made) < _SHORT_CHARS or "2" not in alphabet or any(char.isdigit() for char in made):
        return made
    place = chance.randrange(1, len(made))
    return made[:place] + chance.choice("23456") + made[place + 1 :]
