"""Recipes: what is generated, where it stands, and that no shape stands in the source."""

# ruff: noqa: S311 (seeds decide all, nothing is guarded)

import re
from pathlib import Path
from random import Random

from resume_forensics.mask import recipe as recipe_module
from resume_forensics.mask.engine import Masker
from resume_forensics.mask.recipe import CLASSES, write_sample


def test_literals_stay_and_stretches_are_generated_from_their_class() -> None:
    sample = write_sample("a <h:8> b <d:3>", Random(1))
    assert re.fullmatch(r"a [0-9a-f]{8} b [0-9]{3}", sample.text)
    assert sample.secrets == ((2, 10), (13, 16))
    assert sample.bodies == (sample.text[2:10], sample.text[13:16])


def test_every_class_gives_its_alphabet_only() -> None:
    for name, alphabet in CLASSES.items():
        assert set(write_sample(f"<{name}:200>", Random(2)).text) <= set(alphabet)


def test_longer_stretches_hold_a_digit_where_the_alphabet_has_digits() -> None:
    for seed in range(200):
        assert any(char.isdigit() for char in write_sample("<w:8>", Random(seed)).text)


def test_uuids_and_basic_pairs_have_their_form() -> None:
    assert re.fullmatch(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", write_sample("<uuid>", Random(1)).text)
    assert write_sample("<basic:12>", Random(1)).text.startswith("Ym86")


def test_the_same_seed_writes_the_same_text() -> None:
    assert write_sample("<w:30>", Random(9)) == write_sample("<w:30>", Random(9))


def test_the_tables_hold_no_secret_shaped_literal() -> None:
    folder = Path(recipe_module.__file__).parent
    for path in sorted(folder.glob("*.py")):
        text = path.read_text(encoding="utf-8")
        found = [(kind, text[span.start : span.end]) for span, kind in Masker().find(text)]
        assert [kind for kind, value in found if not value.startswith("pypi-")] == [], path.name  # a fixed opening, no token
