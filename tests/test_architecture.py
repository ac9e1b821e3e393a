"""Holds every room to what it must not do, by word: the table below says which names are forbidden where, and why.

import-linter (see pyproject.toml) holds who may import whom; this file holds what the import graph cannot show.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec import Struct

import resume_forensics

PACKAGE = Path(resume_forensics.__file__).parent
MODULES = sorted(PACKAGE.rglob("*.py"))

MODULE_LINES = 300
FUNCTION_LINES = 50

LONG_TABLES = {
    "harness/claude_code/receipts.py": "rows of receipt forms, each with a sample and a near-miss",
    "deduce/reconcile/superscientist/table.py": "rows of a decision table",
    "vocabulary.py": "every closed set of words, one after the other",
    "mask/contexts.py": "rows of the rule table, each with the samples that prove it",
}
"""Modules that may be longer, each with the reason."""

NAMELESS = {"utils", "util", "helpers", "helper", "common", "misc", "tools"}
"""Module names that say nothing: a thing two rooms want has a noun, and stands in model/."""


class Ban(Struct, frozen=True, kw_only=True):
    """Names that only some rooms may use, and modules that only they may import (and with them everything below).

    A name is `bare`, a dotted path as written or imported (`sys.argv`, wherever it stands in a longer one), `.any` attribute, or
    a `.method()` that is called on anything or taken from `Path`.
    """

    names: frozenset[str] = frozenset()
    modules: frozenset[str] = frozenset()
    allowed: tuple[str, ...] = ()
    why: str


def words(text: str) -> frozenset[str]:
    """The words of a text."""
    return frozenset(text.split())


BANS = (
    Ban(
        names=words(
            "open .open() .read_text() .read_bytes() .write_text() .write_bytes() .stat() .lstat() .exists() .is_file() .is_dir() "
            ".is_symlink() .is_fifo() .iterdir() .glob() .rglob() .walk() .resolve() .readlink() .samefile() .unlink() .mkdir() .rmdir() "
            ".touch() .chmod() .symlink_to() .hardlink_to() io.open io.open_code io.FileIO"
        ),
        modules=words("os shutil glob tempfile mmap fcntl subprocess signal socket sqlite3 psutil importlib.resources"),
        allowed=("read/",),
        why="only the reading room touches the machine",
    ),
    Ban(
        names=words("print input breakpoint exit quit sys.stdout sys.stderr sys.stdin sys.argv sys.exit"),
        modules=words("logging warnings argparse typer click rich"),
        allowed=("cli/",),
        why="arguments, output and exit status live in cli/",
    ),
    Ban(
        names=words("datetime.now datetime.utcnow datetime.today date.today"),
        modules=words("time"),
        allowed=("read/machine.py",),
        why="the clock is a parameter",
    ),
    Ban(
        names=words("os.environ os.getenv os.getcwd Path.home Path.cwd .expanduser()"),
        modules=words("platformdirs"),
        allowed=("read/machine.py",),
        why="home folder and environment are parameters",
    ),
    Ban(names=words("forge .forge"), allowed=("text.py", "mask/engine.py"), why="only the mask vouches for text"),
    Ban(names=words(".__new__"), allowed=("text.py",), why="masked text must not be made beside `forge`"),
    Ban(names=words("Masked()"), why="masked text is made by the mask, never constructed"),
    Ban(
        names=words("reveal .reveal ._chars"),
        allowed=("text.py", "mask/", "read/"),
        why="raw text is opened by the mask and the reading room alone",
    ),
    Ban(
        names=words("eval exec compile __import__"),
        modules=words("pickle marshal shelve"),
        why="nothing of a transcript is run or unpickled",
    ),
)


def complaints(room: str, source: str) -> list[str]:
    """Everything wrong with one module; `room` is its path below the package, with forward slashes."""
    tree = ast.parse(source)
    return [
        *banned_words(room, tree),
        *broad_excepts(room, tree),
        *missing_docstrings(room, tree),
        *oversize(room, source, tree),
        *([f"{room}: `{Path(room).stem}` is no noun of this house"] if Path(room).stem in NAMELESS else []),
    ]


def banned_words(room: str, tree: ast.Module) -> Iterator[str]:
    """Each use of a name, and each import of a module, that this room may not use."""
    bans = [ban for ban in BANS if not room.startswith(ban.allowed)]
    for node in ast.walk(tree):
        for name, is_import in spellings(node):
            for ban in bans:
                if is_named(name, ban.names) or (is_import and is_within(name, ban.modules)):
                    yield f"{room}:{getattr(node, 'lineno', 0)}: `{name}` ({ban.why})"


def is_named(name: str, banned: frozenset[str]) -> bool:
    """Whether a spelled name is one of the banned names."""
    parts = name.split(".")
    anywhere = any(f".{path}." in f".{name}." for path in banned if "." in path.lstrip("."))
    method = f".{parts[-1]}()" if parts[0] == "Path" else ""
    return anywhere or parts[0] in banned or (len(parts) > 1 and not banned.isdisjoint({f".{parts[-1]}", method}))


def is_within(name: str, modules: frozenset[str]) -> bool:
    """Whether an imported name is one of the modules, or stands below one."""
    return any(f"{name}.".startswith(f"{module}.") for module in modules)


def spellings(node: ast.AST) -> Iterator[tuple[str, bool]]:
    """The names that a node spells, and whether it imports them. Making or casting to masked text is spelled `Masked()`."""
    match node:
        case ast.Import(names=names):
            yield from ((alias.name, True) for alias in names)
        case ast.ImportFrom(module=str(module), names=names):
            ours = module.startswith("resume_forensics")
            yield from ((alias.name if ours else f"{module}.{alias.name}", not ours) for alias in names)
        case ast.Attribute():
            yield dotted(node), False
        case ast.Name(id=name, ctx=ast.Load()):
            yield name, False
        case ast.Call(func=func, args=args):
            yield f"{dotted(func)}()", False
            if makes_masked(dotted(func).split(".")[-1], args):
                yield "Masked()", False


def makes_masked(function: str, args: list[ast.expr]) -> bool:
    """Whether a call constructs masked text, or casts to it."""
    return function == "Masked" or (function == "cast" and bool(args) and "Masked" in ast.unparse(args[0]))


def dotted(node: ast.AST) -> str:
    """The path of an attribute as written; what is no plain name becomes a question mark."""
    match node:
        case ast.Name(id=name):
            return name
        case ast.Attribute(value=value, attr=attr):
            return f"{dotted(value)}.{attr}"
        case _:
            return "?"


def broad_excepts(room: str, tree: ast.Module) -> Iterator[str]:
    """Handlers that would swallow a bug."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ExceptHandler):
            caught = "" if node.type is None else ast.unparse(node.type)
            if node.type is None or "BaseException" in caught:
                yield f"{room}:{node.lineno}: catches everything"
            elif caught.split(".")[-1] == "Exception" and not room.startswith("cli/"):
                yield f"{room}:{node.lineno}: catches every Exception outside cli/"


def missing_docstrings(room: str, tree: ast.Module) -> Iterator[str]:
    """The module, and its public functions, classes and methods that say nothing of themselves."""
    if ast.get_docstring(tree) is None:
        yield f"{room}: the module has no docstring"
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    for node in [*tree.body, *(member for each in classes for member in each.body)]:
        if not isinstance(node, ast.FunctionDef | ast.ClassDef) or "overload" in map(ast.unparse, node.decorator_list):
            continue
        if not node.name.startswith("_") and ast.get_docstring(node) is None:
            yield f"{room}:{node.lineno}: `{node.name}` has no docstring"


def oversize(room: str, source: str, tree: ast.Module) -> Iterator[str]:
    """A module or function that is too long."""
    lines = len(source.splitlines())
    if lines > MODULE_LINES and room not in LONG_TABLES:
        yield f"{room}: {lines} lines"
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            length = (node.end_lineno or node.lineno) - node.lineno + 1
            if length > FUNCTION_LINES:
                yield f"{room}:{node.lineno}: `{node.name}` has {length} lines"


@pytest.mark.parametrize("module", MODULES, ids=[path.relative_to(PACKAGE).as_posix() for path in MODULES])
def test_room_keeps_its_rules(module: Path) -> None:
    assert complaints(module.relative_to(PACKAGE).as_posix(), module.read_text("utf-8")) == []


@pytest.mark.parametrize(
    ("room", "line", "caught"),
    [
        ("deduce/x.py", "open('a')", "`open`"),
        ("deduce/x.py", "import os", "`os`"),
        ("render/x.py", "from io import FileIO", "`io.FileIO`"),
        ("render/x.py", "import io; io.open('a')", "`io.open`"),
        ("deduce/x.py", "from os import environ", "`os.environ`"),
        ("deduce/x.py", "import os.path", "`os.path`"),
        ("harness/x.py", "import subprocess", "`subprocess`"),
        ("render/x.py", "path.read_text()", "`path.read_text()`"),
        ("flow/x.py", "a[0].b().exists()", "`?.exists()`"),
        ("flow/x.py", "map(Path.exists, paths)", "`Path.exists`"),
        ("render/x.py", "print(1)", "`print`"),
        ("flow/x.py", "import sys; sys.stderr.write('')", "`sys.stderr.write`"),
        ("flow/x.py", "from sys import argv", "`sys.argv`"),
        ("read/files.py", "datetime.now()", "`datetime.now`"),
        ("read/files.py", "import datetime as dt; dt.datetime.now()", "`dt.datetime.now`"),
        ("read/files.py", "import time", "`time`"),
        ("read/files.py", "import os; os.environ['HOME']", "`os.environ`"),
        ("cli/scan.py", "from pathlib import Path; Path.home()", "`Path.home`"),
        ("render/prose.py", "from resume_forensics.text import forge", "`forge`"),
        ("mask/rules.py", "forge('a')", "`forge`"),
        ("mask/engine.py", "str.__new__(Masked, 'a')", "`str.__new__`"),
        ("mask/engine.py", "Masked('a')", "`Masked()`"),
        ("render/prose.py", "cast('Masked', 'a')", "`Masked()`"),
        ("render/prose.py", "typing.cast(Masked, 'a')", "`Masked()`"),
        ("deduce/ledger.py", "raw._chars", "`raw._chars`"),
        ("deduce/ledger.py", "from resume_forensics import text; text.reveal(raw)", "`text.reveal`"),
        ("deduce/ledger.py", "try: pass\nexcept: pass", "catches everything"),
        ("cli/scan.py", "try: pass\nexcept BaseException: pass", "catches everything"),
        ("deduce/ledger.py", "try: pass\nexcept Exception: pass", "catches every Exception"),
        ("deduce/utils.py", "pass", "is no noun"),
        ("deduce/ledger.py", "def answer(): pass", "`answer` has no docstring"),
        ("deduce/ledger.py", "\n" * MODULE_LINES, f"{MODULE_LINES + 1} lines"),
        ("deduce/ledger.py", "def _f():\n" + "    pass\n" * FUNCTION_LINES, f"`_f` has {FUNCTION_LINES + 1} lines"),
    ],
)
def test_a_broken_rule_is_caught(room: str, line: str, caught: str) -> None:
    found = complaints(room, f'"""A room."""\n{line}')
    assert len(found) >= 1
    assert any(caught in complaint for complaint in found), found


def test_a_module_without_docstring_is_caught() -> None:
    assert complaints("deduce/ledger.py", "x = 1") == ["deduce/ledger.py: the module has no docstring"]


@pytest.mark.parametrize(
    ("room", "line"),
    [
        ("read/files.py", "import os; open('a'); os.stat('a')"),
        ("read/machine.py", "import os; datetime.now(UTC); os.environ"),
        ("flow/scan.py", "machine.now(); choice.cwd; warnings = [time for time in times]"),
        ("cli/scan.py", "import sys; print(sys.argv); sys.exit(2)"),
        ("cli/scan.py", "try: pass\nexcept Exception: pass"),
        ("mask/engine.py", "from resume_forensics.text import forge, reveal; forge(reveal(raw))"),
        ("render/x.py", "from io import BytesIO; BytesIO()"),
        ("render/prose.py", "from resume_forensics.text import Masked; opened = text.replace('open', 'print')"),
        ("harness/x.py", "from resume_forensics.harness.fields import read_text, stat; read_text(block)"),
        ("deduce/ledger.py", "from datetime import datetime; def_at: datetime; worker.timeout; self.opened; entry.is_dir; source.open"),
    ],
)
def test_what_a_room_may_do_is_spared(room: str, line: str) -> None:
    assert complaints(room, f'"""A room."""\n{line}') == []


def test_long_tables_exist_and_are_long() -> None:
    stale = [room for room in LONG_TABLES if len((PACKAGE / room).read_text("utf-8").splitlines()) <= MODULE_LINES]
    assert stale == []


def test_face_is_sorted_and_every_name_is_there() -> None:
    names = list(getattr(resume_forensics, "__all__", ()))
    assert names == sorted(set(names))
    assert [name for name in names if not hasattr(resume_forensics, name)] == []
