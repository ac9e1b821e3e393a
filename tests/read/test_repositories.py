"""The name of a repository is a last part: of a directory, of the work tree around it, or of the repository that this is linked to."""

import subprocess
from pathlib import Path

import pytest

from resume_forensics.read.repositories import name_repository, names_repository
from resume_forensics.text import Raw


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """A repository with a folder in it."""
    place = tmp_path / "shop"
    (place / "src/cart").mkdir(parents=True)
    (place / ".git").mkdir()
    return place


def named(directory: Path | str, name: str) -> bool:
    """Whether a directory belongs to a repository."""
    return names_repository(Raw(str(directory)), name)


@pytest.mark.parametrize("said", ["/gone/shop", "/gone/shop/", "/gone//shop/.", "shop", "/gone/work/shop"])
def test_the_last_part_of_a_directory_is_a_name(said: str) -> None:
    assert named(said, "shop")


@pytest.mark.parametrize(
    "said", ["/gone/shop/src", "/gone/shop2", "/gone/my-shop", "/gone/Shop", "/", "", "/gone/shop\0", "//gone/shop/src"]
)
def test_a_piece_of_a_name_is_none(said: str) -> None:
    assert not named(said, "shop")


def test_the_work_tree_around_a_directory_gives_its_name(shop: Path) -> None:
    assert named(shop / "src/cart", "shop")
    assert named(shop / "src/cart", "cart")
    assert not named(shop / "src/cart", "src")
    assert named(shop / "src/gone/deeper", "shop")


def test_a_linked_work_tree_belongs_to_its_repository(tmp_path: Path) -> None:
    shop, tree = tmp_path / "shop", tmp_path / "trees/fix-tax"
    who = ("-c", "user.name=a", "-c", "user.email=a@example.invalid")
    subprocess.run(["git", "init", "-q", str(shop)], check=True)
    subprocess.run(["git", "-C", str(shop), *who, "commit", "-q", "--allow-empty", "-m", "x"], check=True)
    subprocess.run(["git", "-C", str(shop), "worktree", "add", "-q", str(tree)], check=True, capture_output=True)
    (tree / "src").mkdir()
    assert named(tree / "src", "shop")
    assert named(tree / "src", "fix-tax")
    assert name_repository(tree / "src") == "shop"


@pytest.mark.parametrize("link", ["gitdir: ../elsewhere", "gitdir: /x/.git/modules/sub\n", "", "\xff" * 10_000])
def test_any_other_link_gives_nothing(tmp_path: Path, link: str) -> None:
    place = tmp_path / "tree"
    place.mkdir()
    (place / ".git").write_text(link, encoding="latin-1")
    assert named(place, "tree")
    assert name_repository(place) == "tree"


def test_a_windows_directory_is_compared_without_letter_case() -> None:
    assert named("C:\\Work\\Shop", "shop")
    assert named("C:\\Work/Shop\\", "SHOP")
    assert not named("C:\\Work\\Shop\\src", "shop")


def test_composed_and_decomposed_names_are_the_same() -> None:
    assert named("/gone/cafe\u0301", "caf\u00e9")


def test_the_repository_of_a_directory_is_named_by_its_top(shop: Path, tmp_path: Path) -> None:
    assert name_repository(shop / "src") == "shop"
    (tmp_path / "plain").mkdir()
    assert name_repository(tmp_path / "plain") == "plain"
