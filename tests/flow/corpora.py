"""Counts small corpora on both roads, which must agree to the digit, and answers the document."""

from pathlib import Path
from typing import Any

from resume_forensics.flow.sweep import Swept, choose_engine, plan_sweep, run_sweep


def sweep_serially(*roots: Path, limit: int | None = None, plain: bool = False) -> Swept:
    """A sweep in this process."""
    plan = plan_sweep(roots, limit=limit)
    return run_sweep(plan, choose_engine(plan, jobs=1, plain=plain))


def count_corpus(*roots: Path, limit: int | None = None) -> dict[str, Any]:
    """The document, the same by nominating lines and by decoding all of them."""
    found = sweep_serially(*roots, limit=limit).tally.document()
    assert found == sweep_serially(*roots, limit=limit, plain=True).tally.document()
    return found


def count_exactly(*roots: Path) -> dict[str, Any]:
    """The exact part of the document."""
    exact: dict[str, Any] = count_corpus(*roots)["exact"]
    return exact


def shares(part: dict[str, Any]) -> tuple[int, int]:
    """The two numbers of a share."""
    return part["n"], part["of"]
