"""The cache, the engines and the files of `resume-corpus-stats`, from the outside."""

import json
import sys
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from flow.builders import S1, S2, Transcript
from resume_forensics.cli.corpus_stats import main
from resume_forensics.read import machine

Outcome = tuple[int, str, str]


class Program:
    """`resume-corpus-stats` in this process."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    def __call__(self, *arguments: str | Path) -> Outcome:
        """Exit status, standard output and standard error."""
        with pytest.raises(SystemExit) as left:
            main([str(one) for one in arguments])
        out, err = self._capsys.readouterr()
        return int(str(left.value.code)), out, err


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Program:
    return Program(capsys)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "projects"
    for session in (S1, S2):
        transcript = Transcript(session)
        transcript.human("build")
        transcript.agent("a1", "toolu_1")
        transcript.human("resume")
        transcript.write(folder)
    return folder


def cache() -> Path:
    folder = machine.cache_folder()
    assert folder is not None
    return folder


def test_what_was_counted_is_remembered(root: Path, run: Program) -> None:
    first = run(root, "--json")
    assert first[0] == 0
    assert (cache() / "stats.sqlite3").is_file()
    assert run(root, "--json") == run(root, "--json", "--verify") == run(root, "--json", "--quiet") == first


@pytest.mark.parametrize("option", ["--no-cache", "--plain"])
def test_without_the_cache_nothing_is_written(root: Path, run: Program, option: str) -> None:
    assert run(root, option)[0] == 0
    assert not cache().exists()


def test_a_damaged_cache_is_a_sentence(root: Path, run: Program) -> None:
    first = run(root, "--json")
    (cache() / "stats.sqlite3").write_bytes(b"noise" * 1_000)
    status, out, err = run(root, "--json")
    assert (status, out) == first[:2]
    assert err == f"resume-corpus-stats: the cache in {cache()} was damaged; it is built anew\n"


def test_a_cluster_gives_the_same_table(root: Path, run: Program) -> None:
    assert run(root, "--json", "--engine", "dask", "--no-cache")[:2] == run(root, "--json")[:2]


def test_parquet_tables_are_written_once(root: Path, run: Program, tmp_path: Path) -> None:
    arguments = (root, "--format", "parquet", "--out", tmp_path)
    status, out, err = run(*arguments)
    assert (status, out) == (0, "")
    assert err.count("wrote ") == 2
    sessions, turns = (pq.read_table(tmp_path / name).to_pylist() for name in ("sessions.parquet", "turns.parquet"))
    assert (len(sessions), len(turns)) == (2, 2)
    assert {row["session"] for row in turns} == {row["session"] for row in sessions}
    before = (tmp_path / "turns.parquet").read_bytes()
    assert run(*arguments)[0] == 2
    assert run(*arguments, "--force")[0] == 0
    assert (tmp_path / "turns.parquet").read_bytes() == before
    assert run(*arguments, "--force", "--paths")[0] == 0
    assert {Path(row["path"]).stem for row in pq.read_table(tmp_path / "sessions.parquet").to_pylist()} == {S1, S2}


def test_a_chart_is_written_beside_the_table(root: Path, run: Program, tmp_path: Path) -> None:
    status, out, err = run(root, "--json", "--plot", tmp_path / "a.svg")
    assert (status, json.loads(out)["exact"]["resume_turns"]) == (0, 2)
    assert "wrote" in err
    assert (tmp_path / "a.svg").read_bytes().startswith(b"<?xml")
    status, out, err = run(root, "--plot", tmp_path / "a.svg")
    assert (status, out) == (2, "")
    assert "--force writes over it" in err


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--verify", "--no-cache"], "give only one of them"),
        (["--scheduler", "tcp://127.0.0.1:1"], "give it with --engine dask"),
        (["--engine", "dask", "--jobs", "2"], "a cluster has its own workers"),
        (["s3://bucket/x"], "needs --engine dask"),
        (["--format", "parquet"], "belong together"),
        (["--out", "."], "belong together"),
        (["--plot", "a.jpg"], "writes .svg or .png files"),
        (["--plot", "gone/a.svg"], "no such folder"),
    ],
)
def test_what_cannot_be_obeyed_is_one_sentence(root: Path, run: Program, arguments: list[str], sentence: str) -> None:
    status, out, err = run(root, *arguments)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert sentence in err


@pytest.mark.parametrize(
    ("module", "arguments"),
    [("matplotlib", ["--plot", "{}/a.svg"]), ("pyarrow", ["--format", "parquet", "--out", "{}"]), ("distributed", ["--engine", "dask"])],
)
def test_a_missing_extra_is_named(root: Path, run: Program, monkeypatch: pytest.MonkeyPatch, module: str, arguments: list[str]) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    status, _, err = run(root, *(one.format(root.parent) for one in arguments))
    assert (status, err.count("\n")) == (2, 1)
    assert "pip install 'resume-forensics[" in err
