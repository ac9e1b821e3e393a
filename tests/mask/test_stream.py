"""The filter: text in pieces comes out as if masked whole."""

# ruff: noqa: S311 (seeds decide all, nothing is guarded)

from random import Random

import pytest

from mask.planted import ordinary_text, plant
from resume_forensics.limits import LIMITS
from resume_forensics.mask import engine
from resume_forensics.mask.engine import Masker, mask_text
from resume_forensics.mask.recipe import write_sample
from resume_forensics.mask.stream import AHEAD_CHARS, BEHIND_CHARS, mask_stream


def pieces(text: str, size: int) -> list[str]:
    return [text[at : at + size] for at in range(0, len(text), size)]


def seeded_text(seed: int, chars: int) -> str:
    chance = Random(seed)
    lines = ordinary_text(seed, chars).split("\n")
    for difficulty in ("plain", "structured", "contextual", "hard") * 8:
        lines.insert(chance.randrange(len(lines)), plant(chance, difficulty).text)
    return "\n".join(lines)


@pytest.mark.parametrize(("size", "step"), [(997, 1_000), (64, 3_000), (8_192, 10_000), (10**7, 20_000)])
def test_pieces_of_any_size_give_what_masking_whole_gives(size: int, step: int) -> None:
    text = seeded_text(size, 90_000)
    masker = Masker()
    assert "".join(mask_stream(pieces(text, size), masker, step_chars=step)) == mask_text(text)
    assert masker.counts.total() >= 32


def test_a_key_longer_than_a_step_is_masked_as_one() -> None:
    lines = "\n".join(write_sample("<s:64>", Random(seed)).text for seed in range(400))
    block = f"-----BEGIN RSA {'PRIVATE KEY'}-----\n{lines}\n-----END RSA {'PRIVATE KEY'}-----"
    text = f"{ordinary_text(1, 9_000)}\n{block}\n{ordinary_text(2, 9_000)}"
    masked = "".join(mask_stream(pieces(text, 512), Masker(), step_chars=1_000))
    assert masked == mask_text(text)
    assert masked.count("[REDACTED:") == 1


def test_a_secret_longer_than_what_is_held_is_masked_in_parts_and_never_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "LIMITS", LIMITS.__class__(mask_held_chars=20_000))
    token = "ghp_" + write_sample("<w:9000>", Random(1)).text * 8
    shown = "".join(mask_stream(pieces(f"a {token} b", 700), Masker(), step_chars=1_000))
    assert shown.startswith("a [REDACTED:github-token#1]")
    assert shown.endswith(" b")
    assert not any(token[at : at + 8] in shown for at in range(4, len(token) - 8, 97))


def test_memory_is_bounded_by_step_and_margins() -> None:
    held: list[int] = []

    class Watching(Masker):
        def advance(self, text: str, start: int, until: int, *, final: bool) -> tuple[str, int]:  # type: ignore[override]
            held.append(len(text))
            return super().advance(text, start, until, final=final)

    for _ in mask_stream(pieces(ordinary_text(3, 200_000), 1_000), Watching(), step_chars=5_000):
        pass
    assert max(held) <= 5_000 + 1_000 + AHEAD_CHARS + BEHIND_CHARS


def test_nothing_in_nothing_out() -> None:
    assert "".join(mask_stream([], Masker())) == ""
    assert "".join(mask_stream(["", "a", ""], Masker())) == "a"
