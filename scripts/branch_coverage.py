"""Judges the share of branches that the last test run took; the gate of coverage itself mixes them with lines.

The data file of the last run comes in; one sentence goes to standard output, and status 1 where the share is too small.
"""

import json
import subprocess
import sys

AT_LEAST = 0.95


def main() -> int:
    """Answer the exit status."""
    command = [sys.executable, "-m", "coverage", "json", "--quiet", "--fail-under=0", "-o", "-"]
    totals = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)["totals"]
    share = totals["covered_branches"] / totals["num_branches"] if totals["num_branches"] else 1.0
    print(f"branches taken: {totals['covered_branches']} of {totals['num_branches']} ({share:.1%}; at least {AT_LEAST:.0%} are asked)")
    return int(share < AT_LEAST)


if __name__ == "__main__":
    sys.exit(main())
