"""Print how the time to mask a text grows when the text doubles, for each rule's own literal and samples, repeated.

Usage: python scripts/bench/mask_linear.py [FROM_CHARS TO_CHARS] [--all] [--full]
From 100,000 to 800,000 characters by default. Every literal is doubled once, up to the first size; then those that grew most and
those that took longest go on to the last, and are judged there. With --full every one goes to the last: its smallest and its largest
text first, and every doubling between them where the mean of a doubling comes near the bound. A reading is processor time; a row
above the bound is read again, up to six times, and the best reading of each size counts. Prints the worst rows of each, or with
--all every row.
"""

# ruff: noqa: S311, PLR2004 (seeds decide all; the numbers are the sizes that the text above names)

import gc
import sys
import time
from itertools import pairwise
from random import Random

from resume_forensics.mask.engine import Nominator, Work, find_spans
from resume_forensics.mask.recipe import write_sample
from resume_forensics.mask.rules import RULES

WORST_RATIO = 2.4
SUSPECT_RATIO = 2.2
BEST_OF = 6
SHORT_S = 0.02
FURTHER = 30


def measure(unit: str, chars: int, ready: Nominator) -> float:
    """Processor seconds for one text; what was left over before it is not collected at its expense."""
    text = unit * (chars // len(unit))
    gc.collect()
    begin = time.process_time()
    find_spans(text, ready, Work())
    return time.process_time() - begin


def find_ratios(times: list[float]) -> list[float]:
    """What each doubling costs, where the step before is long enough to be compared."""
    return [after / before for before, after in pairwise(times) if before > SHORT_S]


def grows_evenly(unit: str, sizes: list[int], ready: Nominator) -> list[float] | None:
    """The seconds for the first size and the last, if the mean of a doubling stays well below the bound."""
    ends = [measure(unit, chars, ready) for chars in (sizes[0], sizes[-1])]
    return ends if ends[1] <= max(ends[0], SHORT_S) * SUSPECT_RATIO ** (len(sizes) - 1) else None


def measure_row(name: str, unit: str, sizes: list[int], ready: Nominator) -> list[float]:
    """The seconds for each size; a row above the bound is measured again, because other programs disturb, and the best counts."""
    times = [measure(unit, chars, ready) for chars in sizes]
    for _ in range(BEST_OF - 1):
        if (worst := max(find_ratios(times), default=0.0)) <= WORST_RATIO:
            break
        print(f"{name!r} took {worst:.2f} times as long for twice the text: measured again", flush=True)
        times = list(map(min, times, [measure(unit, chars, ready) for chars in sizes]))
    return times


Row = tuple[float, str, list[float]]
"""The worst ratio of a literal, the literal, its seconds for each size."""


def list_units(*, full: bool) -> dict[str, str]:
    """Every literal (unless `full`, three of the rules with hundreds of them) and the first sample of every rule, and what repeats it."""
    common = {rule.kind for rule in RULES if len(rule.keywords) > 200 and not full}
    units = {word: word for rule in RULES for word in (rule.keywords[:3] if rule.kind in common else rule.keywords)}
    return units | {f"sample of {rule.kind}": write_sample(rule.catch[0], Random(3)).text for rule in RULES}


def measure_rows(units: dict[str, str], sizes: list[int], *, by_ends: bool = False) -> list[Row]:
    """Measure some units; the worst ratio first. `by_ends`: those that grow evenly from end to end are not measured between."""
    ready = Nominator(RULES)
    find_spans("token " * 100_000, ready, Work())
    gc.freeze()
    rows: list[Row] = []
    for name, unit in sorted(units.items()):
        if by_ends and (ends := grows_evenly(unit, sizes, ready)):
            rows.append(((ends[1] / max(ends[0], SHORT_S)) ** (1 / (len(sizes) - 1)), name, ends))
            continue
        times = measure_row(name, unit, sizes, ready)
        rows.append((max(find_ratios(times), default=0.0), name, times))
    return sorted(rows, reverse=True)


def print_rows(rows: list[Row], sizes: list[int], count: int) -> float:
    """Print the first rows, and answer the worst ratio of all."""
    print(f"{'worst ratio':>11}  " + "  ".join(f"{chars:>9,}" for chars in sizes) + "  literal")
    for ratio, name, times in rows[:count]:
        cells = [f"{seconds:>8.3f}s" for seconds in times]
        between = [" " * 9] * (len(sizes) - len(cells))
        print(f"{ratio:>11.2f}  " + "  ".join([*cells[:1], *between, *cells[1:]]) + f"  {name!r}")
    print(f"{len(rows)} rows; worst ratio per doubling {rows[0][0]:.2f} (bound {WORST_RATIO}); steps under {SHORT_S} s are not compared\n")
    return rows[0][0]


def main() -> int:
    """Measure every literal and every first sample; answer 1 if a ratio is above the bound."""
    numbers = [int(word) for word in sys.argv[1:] if word.isdigit()]
    first, last = numbers if len(numbers) == 2 else (100_000, 800_000)
    sizes = [first * 2**step for step in range(32) if first * 2**step <= last]
    count = sys.maxsize if "--all" in sys.argv else 20
    full = "--full" in sys.argv
    units, worst = list_units(full=full), 0.0
    if not full:
        rows = measure_rows(units, [first // 2, first])
        print_rows(rows, [first // 2, first], count)
        worst = rows[FURTHER][0] if len(rows) > FURTHER else 0.0
        slow = sorted(rows, key=lambda row: row[2][-1])[-FURTHER:]
        units = {name: units[name] for _, name, _ in (*rows[:FURTHER], *slow)}
    worst = max(worst, print_rows(measure_rows(units, sizes, by_ends=full), sizes, count))
    return int(worst > WORST_RATIO)


if __name__ == "__main__":
    raise SystemExit(main())
