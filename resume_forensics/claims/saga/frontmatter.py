"""The head of a tick: `key: value` lines and `- ` lists between two fences. In: the text of a file. Out: its parts, and a changed text.

The format is a small piece of YAML that saga.py writes by hand; nothing more of YAML is understood, and what is not understood is
kept line by line.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Final, TypeAlias

from msgspec import Struct

Value: TypeAlias = str | tuple[str, ...]

_FENCE: Final = "---"
_KEY: Final = re.compile(r"([A-Za-z_][A-Za-z0-9_.-]*)[ \t]*:(.*)", re.DOTALL)
_ITEM: Final = re.compile(r"[ \t]*-(?:[ \t]+(.*))?", re.DOTALL)
_ESCAPED: Final = re.compile(r"\\([\\\"])")
_HEADING: Final = re.compile(r"^##[ \t]", re.MULTILINE)
_SPECIAL_FIRST: Final = frozenset("!&*?|>%@`\"'#-[]{},:")
_RESERVED: Final = frozenset(("null", "true", "false", "yes", "no", "~"))


class Entry(Struct, frozen=True, kw_only=True):
    """One key with the lines that spell it; `key` is None for what stands before the first key."""

    key: str | None
    lines: tuple[str, ...]


class Document(Struct, frozen=True, kw_only=True):
    """A tick taken apart; every line keeps its end. `body` begins after the closing fence."""

    opening: str
    entries: tuple[Entry, ...]
    closing: str
    body: tuple[str, ...]

    def values(self) -> Mapping[str, Value]:
        """Each key with its text or its items; of a key that stands twice the last."""
        return {entry.key: _read(entry) for entry in self.entries if entry.key is not None}


def take_apart(text: str) -> Document | None:
    """Take a tick apart; None where it does not open with a fence, or where no fence closes it (a file cut in its head)."""
    lines = re.split(r"(?<=\n)", text)
    fences = [at for at, line in enumerate(lines) if line.rstrip() == _FENCE]
    if len(fences) < len(("opening", "closing")) or fences[0] != 0:
        return None
    end = fences[1]
    return Document(opening=lines[0], entries=tuple(_entries(lines[1:end])), closing=lines[end], body=tuple(lines[end + 1 :]))


def respell(text: str, values: Mapping[str, str | int], summary: str) -> str:
    """Answer a tick's text with these keys set anew and `summary` as its only section of that name; every other line survives.

    Raises ValueError for a text that cannot be taken apart.
    """
    document = take_apart(text)
    if document is None:
        raise ValueError("a text without fences is no tick")
    newline = "\r\n" if document.opening.endswith("\r\n") else "\n"
    spelled = {key: f"{key}: {spell(value)}{newline}" for key, value in values.items()}
    last = {entry.key: entry for entry in document.entries}
    head: list[str] = []
    for entry in document.entries:
        if entry.key not in spelled:
            head += entry.lines
        elif last[entry.key] is entry:
            head += [spelled[entry.key], *_comments(entry)]
    head += [line for key, line in spelled.items() if key not in last]
    body = "".join(_without_summary(document.body))
    found = _HEADING.search(body)
    before, after = (body[: found.start()].rstrip(), body[found.start() :]) if found else (body.rstrip(), "")
    parts = [before, f"## Summary{newline}{newline}{summary}", after]
    return "".join([document.opening, *head, f"{_FENCE}{newline}", *(f"{newline}{part.rstrip()}{newline}" for part in parts if part)])


def spell(value: str | int) -> str:
    """Spell a scalar so that saga.py reads it back: in double quotes where it would be taken for something else."""
    text = str(value)
    doubtful = (
        text != text.strip()
        or text[:1] in _SPECIAL_FIRST
        or ": " in text
        or text.endswith(":")
        or text.lower() in _RESERVED
        or any(ord(char) < ord(" ") for char in text)
    )
    if text and not doubtful:
        return text
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def items(value: Value) -> tuple[str, ...]:
    """The items of a list, whichever way it is spelled; a lone scalar is a list of one, a blank one a list of none."""
    if not isinstance(value, str):
        return value
    if value.startswith("[") and value.endswith("]"):
        return tuple(filter(None, (_unquote(item.strip()) for item in value[1:-1].split(","))))
    return (value,) if value.strip() else ()


def scalar(value: Value) -> str:
    """The text of a scalar, "" where there is none. A bare key, and the `[]` that saga.py makes of one, say nothing; a list is joined."""
    text = value if isinstance(value, str) else "; ".join(value)
    return "" if text.strip() == "[]" else text


def _entries(lines: list[str]) -> Iterator[Entry]:
    """Group lines by the key that they belong to; a quoted text may run over several."""
    last_end = max((at for at, line in enumerate(lines) if _ends_a_quote(line)), default=-1)
    held: list[str] = []
    key: str | None = None
    quoted = False
    for at, line in enumerate(lines):
        found = None if quoted else _KEY.fullmatch(_bare(line))
        if found:
            yield Entry(key=key, lines=tuple(held))
            held, key = [], found[1]
            quoted = _opens_a_quote(found[2].strip()) and at < last_end
        elif quoted:
            quoted = not _ends_a_quote(line)
        held.append(line)
    yield Entry(key=key, lines=tuple(held))


def _opens_a_quote(value: str) -> bool:
    return value.startswith('"') and not _ends_a_quote(value[1:])


def _ends_a_quote(line: str) -> bool:
    stripped = line.rstrip()
    before = stripped[:-1]
    return stripped.endswith('"') and (len(before) - len(before.rstrip("\\"))) % 2 == 0


def _comments(entry: Entry) -> list[str]:
    """The comment lines that would be lost with the entry; what stands in a quoted text is none."""
    quoted = _opens_a_quote(entry.lines[0].partition(":")[2].strip())
    return [] if quoted else [line for line in entry.lines[1:] if line.lstrip().startswith("#")]


def _read(entry: Entry) -> Value:
    value = entry.lines[0].partition(":")[2].strip()
    if value == "[]":
        return ()
    if _opens_a_quote(value) and len(entry.lines) > 1:
        return _unquote("\n".join([value, *map(_bare, entry.lines[1:])]).rstrip())
    if value:
        return _unquote(value)
    listed = (_ITEM.fullmatch(_bare(line)) for line in entry.lines[1:])
    return tuple(_unquote((item[1] or "").strip()) for item in listed if item)


def _unquote(value: str) -> str:
    if len(value) > 1 and value[0] == value[-1] == '"':
        return _ESCAPED.sub(r"\1", value[1:-1])
    if len(value) > 1 and value[0] == value[-1] == "'":
        return value[1:-1]
    return value


def _without_summary(body: tuple[str, ...]) -> Iterator[str]:
    """The body without its sections of that name, and without blank lines at its head."""
    inside, begun = False, False
    for line in body:
        if line.startswith(("## ", "##\t")):
            inside = line[2:].strip().lower() == "summary"
        begun = begun or bool(line.strip())
        if begun and not inside:
            yield line


def _bare(line: str) -> str:
    return line.rstrip("\r\n")
