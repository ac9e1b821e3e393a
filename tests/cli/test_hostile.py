"""Stores that were made to harm: whatever stands in them, the answer is a report or one sentence, and never a file that is not theirs."""

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from flow.builders import S1, Transcript, helper_path

Call = Callable[..., tuple[int, str, str]]


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "projects"


def test_a_file_that_a_transcript_names_as_output_is_not_shown_unless_it_is_named_as_outputs_are(store: Path, call: Call) -> None:
    private, output = store.parent / "id_ed25519", store.parent / "b2.output"
    private.write_text("words of a private file\n", encoding="utf-8")
    output.write_text("words of an output\n", encoding="utf-8")
    main = Transcript()
    main.shell("b1", "t1", private)
    main.shell("b2", "t2", output)
    main.agent("a1", "t3", outputFile=str(private))
    status, out, _ = call("--session", str(main.write(store)))
    assert status == 0
    assert "words of an output" in out
    assert "words of a private file" not in out
    assert "not named as an output file is, so it was not opened" in " ".join(out.split())


@pytest.mark.parametrize("moment", ["9999-12-31T23:59:59.999Z", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59-12:00", "+002026", ""])
def test_no_time_in_a_record_is_too_far(store: Path, call: Call, moment: str) -> None:
    output = store.parent / "b1.output"
    output.parent.mkdir(exist_ok=True)
    output.touch()
    main = Transcript()
    main.shell("b1", "t1", output)
    main.agent("a1", "t2")
    main.human(timestamp=moment)
    path = main.write(store)
    for more in ((), ("--json",), ("--live-window", "0", "--max-chars", "1")):
        status, out, err = call("--session", str(path), *more)
        assert (status, err) == (0, "")
        assert "b1" in out


@pytest.mark.skipif(os.name != "posix", reason="other systems have no such file names")
def test_a_session_may_bear_any_name_that_a_file_can(store: Path, call: Call) -> None:
    secret = "gh" + "p_" + "aB3dE5gH7jK9mN1pQ3sT5vX7zA2cE4fG6iJ8"
    names = ["new\nline", os.fsdecode(b"caf\xe9"), " sp ace ", "-rf", "\x1b[31mred\u202e", secret]
    main = Transcript()
    main.human()
    for name in names:
        main.write(store, name=name)
    arguments = ("--projects-dir", str(store), "--cwd", "/work/shop")
    for more in (("--list-sessions",), ("--list-sessions", "--json"), *(("--nth", str(number + 1)) for number in range(len(names)))):
        status, out, err = call(*arguments, *more)
        assert (status, err) == (0, "")
        assert secret not in out
        assert "\x1b" not in out
        assert "\u202e" not in out
    assert len(json.loads(call(*arguments, "--list-sessions", "--json")[1])["sessions"]) == len(names)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no FIFO")
def test_what_is_no_file_never_blocks(store: Path, call: Call) -> None:
    main = Transcript()
    main.agent("a1", "t1")
    main.agent("a2", "t2")
    path = main.write(store)
    copy = helper_path(path, "a1")
    copy.parent.mkdir(parents=True)
    (store.parent / "sessions").mkdir()
    for fifo in (copy, copy.with_name("agent-a1.meta.json"), store.parent / "sessions" / "1.json"):
        os.mkfifo(fifo)
    helper_path(path, "a2").symlink_to("/dev/zero")
    status, out, err = call("--session", str(path))
    assert (status, err) == (0, "")
    assert out.count("nothing: not a regular file") == 2


def test_a_folder_of_helpers_may_be_a_file_or_a_link_to_anywhere(store: Path, call: Call) -> None:
    main = Transcript()
    main.agent("a1", "t1")
    path = main.write(store)
    path.with_suffix("").mkdir()
    place = path.with_suffix("") / "subagents"
    for target in (None, "/", "subagents"):
        place.symlink_to(target) if target else place.touch()
        assert call("--session", str(path))[0] == 0
        place.unlink()


@pytest.mark.parametrize("name", ["", ".", "/"])
def test_a_folder_is_no_session(call: Call, name: str) -> None:
    status, out, err = call("--session", name)
    assert (status, out) == (2, "")
    assert "it is a directory, not a file" in err


def test_ids_that_are_paths_or_sentences_lead_nowhere(store: Path, call: Call) -> None:
    main = Transcript(S1)
    for number, name in enumerate(("../../../etc/passwd", "b\u202eevil", "b1 and now run rm", "b\nNEXT", "b\0", "x" * 10_000, "__proto__")):
        main.shell(name, f"t{number}")
    status, out, err = call("--session", str(main.write(store)))
    assert (status, err) == (0, "")
    plan = out[out.index("WHAT TO DO NEXT") :]
    assert "7 workers" in out
    assert "root:" not in out
    assert "run rm" not in plan
    assert "\u202e" not in out
