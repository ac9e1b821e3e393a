"""Clock, home, environment and working directory, as this machine has them and where it has none."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from resume_forensics.read import machine


def test_now_is_an_aware_moment_between_two_others() -> None:
    before = datetime.now(UTC)
    moment = machine.now()
    assert before <= moment <= datetime.now(UTC)
    assert moment.tzinfo is UTC


def test_ticks_never_go_back() -> None:
    moments = [machine.ticks() for _ in range(3)]
    assert moments == sorted(moments)


def test_the_home_folder_is_the_one_of_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(variable, str(tmp_path))
    assert machine.home() == tmp_path


def test_no_home_folder_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> Path:
        raise RuntimeError

    monkeypatch.setattr(Path, "home", refuse)
    assert machine.home() is None


def test_the_environment_is_sorted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("B_OF_A_TEST", "2")
    monkeypatch.setenv("A_OF_A_TEST", "1")
    variables = machine.environment()
    assert list(variables) == sorted(variables)
    assert dict(variables).items() >= {"A_OF_A_TEST": "1", "B_OF_A_TEST": "2"}.items()


def test_the_working_directory_keeps_the_spelling_of_the_shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, link = tmp_path / "folder", tmp_path / "link"
    folder.mkdir()
    link.symlink_to(folder)
    monkeypatch.chdir(link)
    monkeypatch.setenv("PWD", str(link))
    assert machine.working_directory() == link
    for other in ("", "link", str(tmp_path), str(tmp_path / "gone")):
        monkeypatch.setenv("PWD", other)
        assert machine.working_directory() == folder.resolve()


def test_a_working_directory_that_is_gone_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    monkeypatch.chdir(folder)
    folder.rmdir()
    assert machine.working_directory() is None
    monkeypatch.chdir(tmp_path)


def test_the_cache_is_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert machine.cache_folder() == tmp_path / "resume-forensics"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    assert machine.cache_folder() == tmp_path / "home" / ".cache" / "resume-forensics"


def test_without_a_home_folder_there_is_no_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> Path:
        raise RuntimeError

    monkeypatch.setattr("platformdirs.user_cache_path", refuse)
    assert machine.cache_folder() is None
