"""What the process of one segment writes: numbers alone, as far as its bound allows."""

import io
import json
import os
from pathlib import Path

import pytest
from msgspec.structs import asdict

from resume_forensics.limits import Limits
from resume_forensics.read.segment import Job, Row, main

CONTENT = b'{"n":1}\n{"n":2,"t":"a needle"}\n{"n":3}\n'


@pytest.mark.parametrize(("answer_bytes", "rows"), [(100, [Row(0, len(CONTENT), 3, (8,))]), (3, [])])
def test_the_answer_is_a_row_for_each_chunk_within_the_bound(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, answer_bytes: int, rows: list[Row]
) -> None:
    path = tmp_path / "t.jsonl"
    path.write_bytes(CONTENT)
    job = Job(str(path), 0, len(CONTENT), ("needle",), asdict(Limits(segment_answer_bytes=answer_bytes)))
    written = io.BytesIO()
    monkeypatch.setattr(written, "close", lambda: None)
    streams = {0: io.BytesIO(json.dumps(job).encode()), 1: written}
    monkeypatch.setattr(os, "fdopen", lambda descriptor, *_, **__: streams[descriptor])
    main()
    assert [Row.read(line) for line in written.getvalue().splitlines()] == rows
