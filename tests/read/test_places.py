"""Which spellings of a directory mean the same place."""

import os
from pathlib import Path

import pytest

from resume_forensics.harness.claude_code.layout import SLUG_PREFIX_CHARS, slug
from resume_forensics.read.places import Place
from resume_forensics.text import Raw


def fits(place: Place, name: str) -> bool:
    return place.matches_folder(name, slug, SLUG_PREFIX_CHARS)


@pytest.mark.parametrize("said", ["/work/shop", "/work/shop/", "/work//shop", "/work/./shop", "/work/x/../shop"])
def test_spellings_of_the_same_directory(said: str) -> None:
    assert Place(Path("/work/shop")).is_named(Raw(said))


@pytest.mark.parametrize("said", ["/work", "/work/shop/src", "/work/shop2", "/Work/shop", "work/shop", "", "/"])
def test_other_directories(said: str) -> None:
    assert not Place(Path("/work/shop")).is_named(Raw(said))


def test_the_root_is_a_place() -> None:
    assert Place(Path("/")).is_named(Raw("/"))


def test_a_relative_directory_is_meant_from_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert Place(Path("shop")).is_named(Raw(str(tmp_path / "shop")))


def test_composed_and_decomposed_characters_are_the_same() -> None:
    composed, decomposed = "/work/caf\u00e9", "/work/cafe\u0301"
    assert Place(Path(composed)).is_named(Raw(decomposed))
    assert Place(Path(decomposed)).is_named(Raw(composed))


def test_a_link_and_what_it_leads_to_are_the_same_place_on_this_machine(tmp_path: Path) -> None:
    real, link = tmp_path / "real", tmp_path / "link"
    real.mkdir()
    link.symlink_to(real)
    by_link, by_name = Place(link), Place(real)
    for place in (by_link, by_name):
        assert place.is_named(Raw(str(real)))
        assert place.is_named(Raw(str(link)))
    assert by_link.spellings == (str(link), os.path.realpath(real))
    assert fits(by_link, slug(str(real)))
    assert fits(by_link, slug(str(link)))
    assert not fits(by_name, slug(str(link)))  # nobody can list all links that lead here


def test_a_directory_that_no_machine_can_have_is_no_place() -> None:
    assert not Place(Path("/work/shop")).is_named(Raw("/work/\0shop"))


@pytest.mark.parametrize("said", ["C:\\Users\\Noor\\shop", "c:\\users\\noor\\shop", "c:/Users/Noor/shop/", "C:\\Users\\Noor\\shop\\"])
def test_windows_spellings_compare_without_letter_case_and_kind_of_slash(said: str) -> None:
    assert Place(Path("C:\\Users\\Noor\\shop")).is_named(Raw(said))
    assert Place(Path(said)).is_named(Raw("C:/Users/Noor/shop"))


@pytest.mark.parametrize("said", ["D:\\Users\\Noor\\shop", "C:\\Users\\Noor\\shop2", "/Users/Noor/shop", "C:shop"])
def test_other_windows_directories(said: str) -> None:
    assert not Place(Path("C:\\Users\\Noor\\shop")).is_named(Raw(said))


def test_a_share_is_a_windows_directory() -> None:
    assert Place(Path("\\\\host\\share\\shop")).is_named(Raw("\\\\HOST\\Share\\shop\\"))


@pytest.mark.parametrize("name", ["C--Users-Noor-shop", "c--users-noor-shop", "c--Users-Noor-shop"])
def test_folders_of_windows_directories_match_without_letter_case(name: str) -> None:
    place = Place(Path("C:\\Users\\Noor\\shop"))
    assert place.is_windows
    assert fits(place, name)


def test_folders_of_other_directories_match_with_letter_case() -> None:
    place = Place(Path("/work/shop.app"))
    assert fits(place, "-work-shop-app")
    assert not fits(place, "-Work-shop-app")
    assert not fits(place, "-work-shop-app-more")


@pytest.mark.parametrize(("length", "cut"), [(199, False), (200, False), (201, True), (300, True)])
def test_long_names_are_compared_by_their_first_200_characters(length: int, cut: bool) -> None:  # noqa: FBT001 (a column of the table)
    directory = "/" + "a" * (length - 1)
    place, name = Place(Path(directory)), slug(directory)
    assert fits(place, name[:200]) is True
    for ending in ("-1x4f9q", "-zz"):
        assert fits(place, name[:200] + ending) is cut
    assert not fits(place, name[:198])


@pytest.mark.parametrize("said", ["shop", ".", "", "./shop", "..\\shop"])
def test_a_relative_directory_in_a_record_names_no_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, said: str) -> None:
    monkeypatch.chdir(tmp_path)
    assert not Place(tmp_path).is_named(Raw(said))
    assert not Place(tmp_path / "shop").is_named(Raw(said))
