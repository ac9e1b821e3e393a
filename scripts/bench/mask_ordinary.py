"""Mask files that hold no secret and print what was masked in them, to be reviewed by hand.

Usage: python scripts/bench/mask_ordinary.py [DIR ...]
Without a directory: the sources of the Python that runs it. Prints each kind with the places; the values are shown.
"""

import sys
import sysconfig
import time
from pathlib import Path

from resume_forensics.mask.engine import Masker

SUFFIXES = {".py", ".js", ".ts", ".json", ".jsonl", ".md", ".txt", ".yml", ".yaml", ".toml", ".sh", ".c", ".h", ".rst"}


def main() -> int:
    """Walk the directories and list what the mask would hide."""
    roots = [Path(word) for word in sys.argv[1:]] or [Path(sysconfig.get_paths()["stdlib"])]
    masker, chars, seconds, alarms = Masker(), 0, 0.0, 0
    for path in sorted(file for root in roots for file in root.rglob("*") if file.suffix in SUFFIXES and file.is_file()):
        text = path.read_text(encoding="utf-8", errors="replace")
        begin = time.process_time()
        found = masker.find(text)
        seconds += time.process_time() - begin
        chars += len(text)
        for span, kind in found:
            alarms += 1
            print(f"{path}:{text.count(chr(10), 0, span.start) + 1}: {kind}: {text[max(0, span.start - 30) : span.end][:120]!r}")
    print(f"{alarms} masked in {chars / 1e6:.1f} MB of text, {chars / 1e6 / max(seconds, 1e-9):.1f} MB/s")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
