"""Named paths: what stays inside the root is found, everything else gives a reason and is never opened."""

from pathlib import Path

import pytest

from resume_forensics.errors import UnreadableFile
from resume_forensics.read.enclosure import find_root, locate
from resume_forensics.text import CUT_MARK, Raw
from resume_forensics.vocabulary import Missing


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A root beside something that is not its own, with links that lead in and out."""
    base = tmp_path.resolve() / "base"
    (base / "in").mkdir(parents=True)
    (tmp_path / "base-too").mkdir()
    (base / "link-in").symlink_to(base / "in")
    (base / "link-out").symlink_to(tmp_path / "base-too")
    (base / "round").symlink_to(base / "round")
    return base


@pytest.mark.parametrize("name", [".", "in", "in/a", "./in/./a", "link-in/a", "not there/yet", "..in", "a..b", "round"])
def test_what_stays_inside_is_located(root: Path, name: str) -> None:
    found = locate(Raw(name), root)
    assert isinstance(found, Path)
    assert found == root or root in found.parents


@pytest.mark.parametrize("name", ["..", "../base-too", "in/../../base-too", "in/..", "/etc/passwd", "link-out", "link-out/a", "../base/in"])
def test_what_leads_out_is_not(root: Path, name: str) -> None:
    assert locate(Raw(name), root) is Missing.OUTSIDE


@pytest.mark.parametrize(
    ("name", "missing"), [("", Missing.NOT_RECORDED), ("a\0b", Missing.UNREADABLE), ("a" + CUT_MARK, Missing.UNREADABLE)]
)
def test_what_no_file_can_be_called(root: Path, name: str, missing: Missing) -> None:
    assert locate(Raw(name), root) is missing
    assert locate(Raw(name), root, anywhere=True) is missing


def test_a_protocol_may_name_places_elsewhere(root: Path) -> None:
    assert locate(Raw("/var/x"), root, anywhere=True) == Path("/var/x")
    assert locate(Raw("in"), root, anywhere=True) is Missing.OUTSIDE
    assert locate(Raw("//host/share"), root, anywhere=True) is Missing.OUTSIDE


def test_a_root_that_is_the_file_system_holds_everything() -> None:
    assert locate(Raw("etc"), Path("/")) == Path("/etc").resolve()


def test_a_root_is_a_directory_with_its_links_followed(root: Path) -> None:
    assert find_root(root / "link-in") == root / "in"
    for name in ("gone", "round"):
        with pytest.raises(UnreadableFile, match="no directory"):
            find_root(root / name)
