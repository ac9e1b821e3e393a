"""Print how the time to mask a text grows when the text doubles, for each rule's own literal and samples, repeated.

Usage: python scripts/bench/mask_linear.py [FROM_CHARS TO_CHARS] [--all]
From 100,000 to 800,000 characters by default; prints the twenty worst rows (with --all every row) and the worst ratio.
"""

# ruff: noqa: S311, PLR2004 (seeds decide all; the numbers are the sizes that the text above names)

import sys
import time
from itertools import pairwise
from random import Random

from resume_forensics.mask.engine import Nominator, Work, find_spans
from resume_forensics.mask.recipe import write_sample
from resume_forensics.mask.rules import RULES

WORST_RATIO = 2.4
BEST_OF = 6
SHORT_S = 0.02


def measure(text: str, ready: Nominator) -> float:
    """Processor seconds for one text."""
    begin = time.process_time()
    find_spans(text, ready, Work())
    return time.process_time() - begin


def find_ratios(times: list[float]) -> list[float]:
    """What each doubling costs, where the step before is long enough to be compared."""
    return [after / before for before, after in pairwise(times) if before > SHORT_S]


def measure_row(unit: str, sizes: list[int], ready: Nominator) -> list[float]:
    """The seconds for each size; a row above the bound is measured again, because other programs disturb, and the best counts."""
    times = [measure(unit * (chars // len(unit)), ready) for chars in sizes]
    for _ in range(BEST_OF - 1):
        if max(find_ratios(times), default=0.0) <= WORST_RATIO:
            break
        again = [measure(unit * (chars // len(unit)), ready) for chars in sizes]
        times = list(map(min, times, again))
    return times


def main() -> int:
    """Measure every literal and every first sample; answer 1 if a ratio is above the bound."""
    numbers = [int(word) for word in sys.argv[1:] if word.isdigit()]
    first, last = numbers if len(numbers) == 2 else (100_000, 800_000)
    ready = Nominator(RULES)
    common = {rule.kind for rule in RULES if len(rule.keywords) > 200}
    units = {word: word for rule in RULES for word in (rule.keywords[:3] if rule.kind in common else rule.keywords)}
    units |= {f"sample of {rule.kind}": write_sample(rule.catch[0], Random(3)).text for rule in RULES}
    rows: list[tuple[float, str, list[float]]] = []
    sizes = [first * 2**step for step in range(32) if first * 2**step <= last]
    for name, unit in sorted(units.items()):
        times = measure_row(unit, sizes, ready)
        rows.append((max(find_ratios(times), default=0.0), name, times))
    rows.sort(reverse=True)
    print(f"{'worst ratio':>11}  " + "  ".join(f"{chars:>9,}" for chars in sizes) + "  literal")
    for ratio, name, times in rows if "--all" in sys.argv else rows[:20]:
        print(f"{ratio:>11.2f}  " + "  ".join(f"{seconds:>8.3f}s" for seconds in times) + f"  {name!r}")
    print(f"{len(rows)} rows; worst ratio per doubling {rows[0][0]:.2f} (bound {WORST_RATIO}); steps under {SHORT_S} s are not compared")
    return int(rows[0][0] > WORST_RATIO)


if __name__ == "__main__":
    raise SystemExit(main())
