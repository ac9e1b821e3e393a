"""Hold the mask against other secret detectors on the same seeded text: recall, false alarms, speed.

Usage: python scripts/bench/mask_rivals.py [--rivals DIR] [--megabytes N] [--seed N] [--real DIR]
DIR is a folder with a Python environment in DIR/v (detect-secrets, credsweeper) and node packages in DIR/node (secretlint with its
recommended preset). A rival that is not installed there is skipped with a sentence. Nothing is installed here.

With --real, the text is the strings of the transcripts under that directory instead, each once, which hold no secret.

A secret counts as found if the rival reports its line; a reported line without a secret is a false alarm. Rivals run as separate
programs on files of a million characters; their time is processor time, without what their start takes on an empty file.
"""

# ruff: noqa: S311, PLR2004 (seeds decide all; the numbers are the sizes that the text above names)

import argparse
import json
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests"))

from mask.planted import DIFFICULTIES, ordinary_text, plant
from resume_forensics.mask.engine import Masker

FIRST_PATTERNS = (
    r"sk-ant-[A-Za-z0-9_-]{20,}", r"sk-(?:proj-)?[A-Za-z0-9_-]{20,}", r"gh[pousr]_[A-Za-z0-9]{20,}", r"github_pat_[A-Za-z0-9_]{20,}",
    r"glpat-[A-Za-z0-9_-]{16,}", r"npm_[A-Za-z0-9]{20,}", r"(?:AKIA|ASIA)[A-Z0-9]{16}", r"xox[abprs]-[A-Za-z0-9-]{10,}",
    r"AIza[A-Za-z0-9_-]{30,}", r"eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}", r"(?i)authorization:\s*\S+(?:\s+\S+)?",
    r"(?i)bearer\s+[A-Za-z0-9._~+/=-]{16,}", r"-----BEGIN [A-Z ]*PRIVATE KEY-----",
)  # fmt: skip
"""Thirteen patterns of the families that the first description of the system names, in our own words."""

Lines = set[int]


def write_text(seed: int, megabytes: int) -> tuple[list[str], dict[int, tuple[int, str]]]:
    """Lines of ordinary text with secrets among them, and for each line of one where it begins and its difficulty."""
    chance = Random(seed)
    lines: list[str] = []
    planted: dict[int, tuple[int, str]] = {}
    source = iter(ordinary_text(seed, megabytes * 1_000_000).split("\n"))
    for line in source:
        lines.append(line)
        if chance.random() < 0.1:
            secret = plant(chance, chance.choice(DIFFICULTIES))
            parts = secret.text.split("\n")
            planted |= dict.fromkeys(range(len(lines), len(lines) + len(parts)), (len(lines), secret.difficulty))
            lines += parts
    return lines, planted


def read_real(root: Path) -> list[str]:
    """The lines of every string of the transcripts under a directory, each string once."""
    texts: dict[str, None] = {}
    for path in sorted(root.rglob("*.json*")):
        for line in path.read_text(encoding="utf-8", errors="replace").split("\n"):
            try:
                texts |= dict.fromkeys(_strings(json.loads(line)))
            except ValueError:
                texts[line] = None
    return "\n".join(texts).split("\n")


def _strings(value: object) -> Iterator[str]:
    match value:
        case str():
            yield value
        case list():
            for item in value:
                yield from _strings(item)
        case dict():
            for key, item in value.items():
                yield from (key, *_strings(item))


def ours(lines: list[str], _: Path) -> tuple[Lines, float]:
    """Our mask, in this process, with its patterns compiled: once in a process, for the kinds that turn up, as the regexes of others."""
    text = "\n".join(lines)
    Masker().find(text)
    begin = time.process_time()
    found = Masker().find(text)
    seconds = time.process_time() - begin
    starts = [span.start for span, _ in found]
    return _lines_of(text, starts), seconds


def first_patterns(lines: list[str], _: Path) -> tuple[Lines, float]:
    """The thirteen patterns, in this process."""
    compiled = [re.compile(pattern) for pattern in FIRST_PATTERNS]
    text = "\n".join(lines)
    begin = time.process_time()
    starts = [match.start() for pattern in compiled for match in pattern.finditer(text)]
    return _lines_of(text, starts), time.process_time() - begin


def _lines_of(text: str, starts: list[int]) -> Lines:
    found: Lines = set()
    done = number = 0
    for start in sorted(starts):
        number += text.count("\n", done, start)
        done = start
        found.add(number)
    return found


def _run(command: list[str], folder: Path) -> tuple[str, float]:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return done.stdout, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _files(lines: list[str], folder: Path) -> dict[str, int]:
    """Write the lines into files of about a million characters; answer the first line number of each."""
    firsts: dict[str, int] = {}
    begin = size = 0
    for number, line in enumerate([*lines, ""]):
        size += len(line) + 1
        if size > 1_000_000 or number == len(lines):
            name = f"part{len(firsts):03}.txt"
            (folder / name).write_text("\n".join(lines[begin:number]) + "\n")
            firsts[name] = begin
            begin, size = number, len(line)
    return firsts


def detect_secrets(lines: list[str], rivals: Path) -> tuple[Lines, float]:
    """The program detect-secrets."""
    tool = _tool(rivals / "v" / "bin" / "detect-secrets")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        _, start = _run([str(tool), "scan", "--all-files", "--no-verify", str(folder)], folder)
        firsts = _files(lines, folder)
        shown, seconds = _run([str(tool), "scan", "--all-files", "--no-verify", "."], folder)
    found = {firsts[Path(path).name] + row["line_number"] - 1 for path, rows in json.loads(shown)["results"].items() for row in rows}
    return found, seconds - start


def credsweeper(lines: list[str], rivals: Path) -> tuple[Lines, float]:
    """The program CredSweeper, with its defaults."""
    python = _tool(rivals / "v" / "bin" / "credsweeper").parent / "python"
    with tempfile.TemporaryDirectory() as name:
        folder, answer = Path(name) / "in", Path(name) / "out.json"
        folder.mkdir()
        command = [str(python), "-m", "credsweeper", "--path", str(folder), "--save-json", str(answer)]
        _, start = _run(command, folder)
        firsts = _files(lines, folder)
        _, seconds = _run(command, folder)
        rows = json.loads(answer.read_text())
    return {firsts[Path(part["path"]).name] + part["line_num"] - 1 for row in rows for part in row["line_data_list"]}, seconds - start


def secretlint(lines: list[str], rivals: Path) -> tuple[Lines, float]:
    """The program secretlint with its recommended preset."""
    tool = _tool(rivals / "node" / "node_modules" / ".bin" / "secretlint")
    with tempfile.TemporaryDirectory(dir=rivals / "node") as name:
        folder = Path(name)
        (folder / ".secretlintrc.json").write_text('{"rules":[{"id":"@secretlint/secretlint-rule-preset-recommend"}]}')
        (folder / "empty.txt").write_text("\n")
        command = [str(tool), "--format", "json", "--secretlintrc", ".secretlintrc.json"]
        _, start = _run([*command, "empty.txt"], folder)
        firsts = _files(lines, folder)
        _, seconds = _run([*command, "--output", "out.json", "part*.txt"], folder)
        rows = json.loads((folder / "out.json").read_text() if (folder / "out.json").exists() else "[]")
    found = {firsts[Path(row["filePath"]).name] + message["loc"]["start"]["line"] - 1 for row in rows for message in row["messages"]}
    return found, seconds - start


def _tool(path: Path) -> Path:
    if not path.exists():
        raise FileNotFoundError(path)
    return path


RIVALS: tuple[tuple[str, Callable[[list[str], Path], tuple[Lines, float]]], ...] = (
    ("resume-forensics", ours),
    ("thirteen patterns", first_patterns),
    ("secretlint", secretlint),
    ("detect-secrets", detect_secrets),
    ("CredSweeper", credsweeper),
)


def main() -> int:
    """Run everything that is there and print one table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rivals", type=Path, default=Path("rivals"))
    parser.add_argument("--megabytes", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--real", type=Path)
    options = parser.parse_args()
    lines, planted = (read_real(options.real), {}) if options.real else write_text(options.seed, options.megabytes)
    chars = sum(map(len, lines)) + len(lines)
    secrets = len({begin for begin, _ in planted.values()})
    print(f"{chars / 1e6:.1f} MB, {len(lines):,} lines, {secrets:,} secrets; {options.real or f'seed {options.seed}'}")
    print(f"{'':18}{'recall':>8}" + "".join(f"{name:>12}" for name in DIFFICULTIES) + f"{'false':>8}{'MB/s':>9}")
    for name, rival in RIVALS:
        try:
            found, seconds = rival(lines, options.rivals.resolve())
        except FileNotFoundError as missing:
            print(f"{name:18}skipped: {missing} is not installed")
            continue
        hit = {planted[number][0] for number in found if number in planted}
        shares = [_share({begin for begin, kind in planted.values() if kind == difficulty}, hit) for difficulty in DIFFICULTIES]
        alarms = len(found - set(planted))
        print(
            f"{name:18}{_share({begin for begin, _ in planted.values()}, hit):8.1%}"
            + "".join(f"{one:12.1%}" for one in shares)
            + f"{alarms:8,}{chars / 1e6 / seconds:9.2f}"
        )
    return 0


def _share(wanted: Lines, found: Lines) -> float:
    return sum(number in found for number in wanted) / max(1, len(wanted))


if __name__ == "__main__":
    raise SystemExit(main())
