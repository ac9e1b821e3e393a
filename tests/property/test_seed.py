"""The sums of the first scan: any corpus gives the same by windows around nominated turns, by decoding all, and by its description."""

import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from count import first_scan
from flow.corpora import sweep_serially

ROOT = Path(__file__).resolve().parent.parent.parent
SHARED = ROOT.parent / "shared" / "corpus" / "projects"

SAID = st.sampled_from(
    [
        *(
            "resume",
            "Continue.",
            " \n\tKEEP going!",
            "rEsUmE the upload",
            "go on" + " and on" * 30,
            "please resume",
            "as you were, thanks",
            "proceed",
        ),
        *("build it", "discontinue", "pick up\u00a0milk", "/continue", "Caveat: resume", "<system-reminder> resume", "", "\u2003resume"),
        *(
            "API Error: 529 Overloaded",
            "please wait",
            "401",
            "[Request interrupted by user]",
            "a rate-limit",
            "the worker died",
            "it was fine",
        ),
    ]
)
TOOLS = st.sampled_from(["Agent", "Task", "Workflow", "TaskOutput", "SendMessage", "TaskStop", "Read"])


def text(said: str) -> dict[str, Any]:
    return {"type": "text", "text": said}


CONTENT = st.one_of(
    SAID,
    st.lists(SAID.map(text), max_size=3),
    st.lists(
        st.builds(
            lambda said: {"type": "tool_result", "tool_use_id": "t", "content": said}, st.one_of(SAID, st.lists(SAID.map(text), max_size=2))
        )
    ),
    st.lists(st.builds(lambda name: {"type": "tool_use", "id": "t", "name": name, "input": {}}, TOOLS), max_size=2),
    st.sampled_from([None, 7, [1, "x", {}]]),
)
MESSAGE = st.one_of(*[st.fixed_dictionaries({"content": CONTENT})] * 5, st.sampled_from(["resume", None]))
RECORD = st.fixed_dictionaries(
    {"type": st.sampled_from(["user", "user", "assistant", "system"]), "message": MESSAGE},
    optional={"isSidechain": st.booleans(), "isApiErrorMessage": st.booleans()},
)
LINE = st.one_of(
    RECORD.map(lambda record: json.dumps(record, ensure_ascii=False).encode(errors="replace")),
    RECORD.map(lambda record: json.dumps(record).encode()),
    st.sampled_from(
        [b"", b"{torn", b"null", b"[]", b'{"type":"user","message":{"content":"\xff resume"}}', b'{"a":NaN}', b"\xef\xbb\xbf{}", b"  {}  "]
    ),
    st.lists(RECORD.map(lambda record: json.dumps(record).encode()), min_size=2, max_size=2).map(b"\r".join),
    st.lists(RECORD.map(lambda record: json.dumps(record).encode()), min_size=2, max_size=2).map(b"".join),
)
FILLER = st.integers(0, 130).map(lambda count: b"\n".join([b'{"type":"system"}'] * count))
FILE = st.lists(st.one_of(LINE, LINE, LINE, FILLER), max_size=12).map(b"\n".join)


def count_by_seed(root: Path, *, plain: bool = False) -> dict[str, int]:
    seed: dict[str, int] = sweep_serially(root, plain=plain).tally.document()["seed"]
    return seed


@settings(max_examples=int(os.environ.get("SEED_EXAMPLES", "60")), deadline=None)
@given(files=st.lists(FILE, min_size=1, max_size=3))
def test_any_corpus_gives_the_sums_of_its_description(tmp_path_factory: pytest.TempPathFactory, files: list[bytes]) -> None:
    root = tmp_path_factory.mktemp("corpus")
    for number, content in enumerate(files):
        (root / f"{number}.jsonl").write_bytes(content)
    expected = first_scan.count(root)
    assert count_by_seed(root) == expected
    assert count_by_seed(root, plain=True) == expected
    shutil.rmtree(root)


@pytest.mark.skipif(not SHARED.is_dir(), reason="shared material is absent")
def test_real_transcripts_give_the_sums_of_the_description() -> None:
    assert count_by_seed(SHARED) == first_scan.count(SHARED)
