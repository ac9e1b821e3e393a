"""Writes the parts of the documents that are made from the program: the table of bounds, and what the example session answers.

With `--check` nothing is written, and the status is 1 where a document is old. A part stands between `<!-- NAME:begin -->` and
`<!-- NAME:end -->`.
"""

import contextlib
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from itertools import takewhile
from pathlib import Path

import resume_forensics
from resume_forensics.limits import LIMITS
from resume_forensics.render.prose import write_prose

ROOT = Path(__file__).resolve().parent.parent
DEMO = "resume_forensics/demo/projects/-home-mira-tidepool/fa311eb2-9324-4ca8-a196-a169767dbd6f.jsonl"


def write_bounds() -> str:
    """The table of every bound, in the order of the source."""
    head = ["| bound | value | unit | guards | at the limit |", "|---|---:|---|---|---|"]
    rows = [f"| `{row.name}` | {row.value:,} | {row.unit} | {row.guards} | {row.at_limit} |" for row in LIMITS.rows()]
    return "\n".join([*head, *rows])


def write_demo() -> str:
    """What the example session answers soon after it died, up to its second worker."""
    with contextlib.chdir(ROOT):
        report = resume_forensics.scan(DEMO, now=datetime(2026, 5, 12, 14, 30, tzinfo=UTC))
    lines = write_prose(report).rstrip().splitlines()
    shown = list(takewhile(lambda line: not line.startswith("2. "), lines))
    return "\n".join(["```text", *shown, f"... ({len(lines) - len(shown)} more lines: `sh scripts/scan demo` shows them)", "```"])


PARTS: dict[str, tuple[str, Callable[[], str]]] = {
    "bounds": ("LIMITS.md", write_bounds),
    "demo": ("README.md", write_demo),
}


def replace_part(document: str, name: str, text: str) -> str:
    """The document with this text in its part."""
    before, rest = document.split(f"<!-- {name}:begin -->\n")
    after = rest.split(f"<!-- {name}:end -->")[1]
    return f"{before}<!-- {name}:begin -->\n{text}\n<!-- {name}:end -->{after}"


def main(*, check: bool, names: list[str]) -> int:
    """Write or check the named parts, all where none is named; answer the exit status."""
    old = 0
    for name in names or PARTS:
        file, write = PARTS[name]
        document = (ROOT / file).read_text("utf-8")
        wanted = replace_part(document, name, write())
        if wanted != document:
            old += 1
            print(f"{file}: the part `{name}` is old{'; run scripts/write_documents.py' if check else ', written anew'}")
            if not check:
                (ROOT / file).write_text(wanted, "utf-8")
    return int(check and old > 0)


if __name__ == "__main__":
    sys.exit(main(check="--check" in sys.argv, names=[name for name in sys.argv[1:] if not name.startswith("-")]))
