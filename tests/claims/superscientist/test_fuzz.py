"""State files that were cut, bent or blown up: one clear finding, never an error, never a stage that the whole file does not have."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claims.workflows import assess, process, put
from resume_forensics.vocabulary import Proposal, Refusal, Verdict

WHOLE = json.dumps(
    {
        "stages": [
            {"id": "stage-1", "status": "running", "running_process": process(1)},
            {"id": "stage-2", "status": "pending", "depends_on": ["stage-1"]},
        ],
        "session_config": {"session_count": 4},
    }
)


def test_a_file_cut_at_any_byte_is_corrupt_and_nothing_else_is_claimed(tmp_path: Path) -> None:
    for size in range(len(WHOLE)):
        put(tmp_path, "workflow-state.json", WHOLE[:size])
        found = assess(tmp_path)
        assert [claim.verdict for claim in found.claims] == [Verdict.STATE_CORRUPT]
        assert (found.next_action.name, found.writes_planned) == (Proposal.STOP_AND_ALERT, ())
        assert found.refusals == (Refusal.STATE_UNREADABLE,)


@given(data=st.binary(max_size=300))
def test_any_bytes_are_a_finding(data: bytes, tmp_path_factory: pytest.TempPathFactory) -> None:
    root = tmp_path_factory.mktemp("w")
    (root / "workflow-state.json").write_bytes(data)
    assert assess(root).next_action.name is Proposal.STOP_AND_ALERT


@given(place=st.integers(0, len(WHOLE) - 1), piece=st.sampled_from(["\0", "}", "]", '"', "9", "null", "\ud800", "{", "[[[["]))
def test_a_bent_file_is_read_or_corrupt(place: int, piece: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    root = tmp_path_factory.mktemp("w")
    (root / "workflow-state.json").write_bytes(f"{WHOLE[:place]}{piece}{WHOLE[place + 1 :]}".encode(errors="surrogatepass"))
    put(root, "progress.log", "\0\x1b[2J" + piece.encode(errors="replace").decode())
    assert assess(root).claims


@pytest.mark.parametrize(
    "data",
    [
        b"[" * 5_000_000,
        b'{"stages":' + b"[" * 100_000 + b"]" * 100_000 + b"}",
        b'{"stages": [{"id": "a"}], "x": "' + b"y" * 50_000_000 + b'"}',
        b"\0" * 50_000_000,
        b'{"stages": [' + b'{"id": "a"},' * 300_000,
    ],
    ids=["brackets", "nested", "one string of 50 MB", "NULs", "many stages, cut"],
)
def test_a_blown_up_file_is_corrupt(data: bytes, tmp_path: Path) -> None:
    (tmp_path / "workflow-state.json").write_bytes(data)
    assert [claim.verdict for claim in assess(tmp_path).claims] == [Verdict.STATE_CORRUPT]
