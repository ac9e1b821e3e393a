"""The measurement table as rows. In: the document `resume-forensics/stats/1`. Out: sections of labelled figures, for every format alike."""

from collections.abc import Iterator, Mapping
from typing import Any, Final, TypeAlias

from msgspec import Struct
from msgspec.structs import asdict

from resume_forensics.model.share import measure_share

Json: TypeAlias = Mapping[str, Any]


class Figure(Struct, frozen=True, kw_only=True):
    """One row. `key`: its place in the document. `n` is None where nothing was there to be measured.

    A share has its denominator `of`, and the bounds of its interval unless that is of nothing.
    """

    key: str
    label: str
    n: int | float | None
    of: int | None = None
    share: float | None = None
    low: float | None = None
    high: float | None = None


class Section(Struct, frozen=True, kw_only=True):
    """Rows under one heading. With `columns`, so many figures at a time are one row of a grid, and `names` are those of the rows."""

    title: str
    figures: tuple[Figure, ...]
    columns: tuple[str, ...] = ()
    names: tuple[str, ...] = ()


def list_sections(document: Json) -> tuple[Section, ...]:
    """Every figure of the document."""
    exact = document["exact"]
    return (
        Section(title="What was read", figures=tuple(_read(exact))),
        Section(title="Resume-class turns", figures=tuple(_turns(exact))),
        Section(title="Workers", figures=tuple(_workers(exact))),
        _grid("By version of the harness", exact, "by_version"),
        _grid("By month", exact, "by_month"),
        Section(title="By the definitions of the first scan (seed)", figures=tuple(_seed(document["seed"]))),
    )


_READ: Final = (
    ("transcripts", "Transcripts (sessions, each once)"),
    ("records", "Records"),
    ("bytes", "Bytes"),
    ("unparsable_records", "Lines that could not be read"),
    ("copies", "Copies of a session, left out"),
    ("checkpoint_files", "Checkpoints cut at commit time, left out"),
)

_TURNS: Final = (
    ("in_flight.turns", "Had a worker in flight"),
    ("respawned_after", "Re-spawned a worker afterwards"),
    ("queried_workers", "Queried the workers"),
    ("no_tool_calls", "No tool calls at all"),
    ("acknowledged_death.restored", "Acknowledged a death and restored it"),
    ("acknowledged_death.not_restored", "Acknowledged a death and did not restore it"),
    ("retyped", "Typed again: the next human turn is one too"),
)

_FATES: Final = (
    ("queued_never_delivered", "Finished, but never delivered"),
    ("redone_though_finished", "Finished, yet launched again afterwards"),
    ("dead_while_session_went_on", "Dead while the session went on"),
)

_CAUSES: Final = {"clean_or_unknown": "Preceded by a clean or unknown end"}


def _read(exact: Json) -> Iterator[Figure]:
    for key, label in _READ:
        yield _number(f"exact.{key}", label, exact[key])
    yield _number("exact.unreadable_files", "Files that could not be read", len(exact["unreadable_files"]))


def _turns(exact: Json) -> Iterator[Figure]:
    total = exact["resume_turns"]
    yield _number("exact.resume_turns", "Resume-class turns", total)
    yield _share("exact.bare_resume", "The bare word", exact["bare_resume"])
    yield _number("exact.surface_forms", "Distinct surface forms", exact["surface_forms"])
    yield _number("exact.auto_continuations", "Continuations that the harness typed (not among them)", exact["auto_continuations"])
    for cause, n in exact["preceded_by"].items():
        label = _CAUSES.get(cause, f"Preceded by {cause}")
        yield _part(f"exact.preceded_by.{cause}", label, n, total)
    for path, label in _TURNS:
        yield _share(f"exact.{path}", label, _follow(exact, path))
    for kind, n in exact["in_flight"]["workers"].items():
        yield _number(f"exact.in_flight.workers.{kind}", f"In flight: {kind}", n)
    for name, label in (("q1", "lower quartile"), ("median", "median"), ("q3", "upper quartile")):
        yield _number(f"exact.seconds_to_resume.{name}", f"Seconds from death to resume, {label}", exact["seconds_to_resume"][name])


def _workers(exact: Json) -> Iterator[Figure]:
    for kind, fate in exact["workers"].items():
        if any(fate.values()):
            yield _number(f"exact.workers.{kind}.launched", f"{kind}: launched", fate["launched"])
            for state, label in (("reported", "reported"), ("reported_failed", "failed"), ("unreported", "never reported")):
                yield _part(f"exact.workers.{kind}.{state}", f"{kind}: {label}", fate[state], fate["launched"])
            yield _number(f"exact.workers.{kind}.launch_missing", f"{kind}: only its end is known", fate["launch_missing"])
    for path, label in _FATES:
        yield _share(f"exact.{path}", label, exact[path])


_COLUMNS: Final = (
    ("transcripts", "transcripts"),
    ("resume_turns", "resume turns"),
    ("workers_launched", "workers"),
    ("workers_unreported", "never reported"),
)


def _grid(title: str, exact: Json, key: str) -> Section:
    names, columns = tuple(exact[key]), tuple(label for _, label in _COLUMNS)
    return Section(title=title, figures=tuple(_groups(exact[key], f"exact.{key}")), columns=columns, names=names)


def _groups(groups: Json, key: str) -> Iterator[Figure]:
    for name, group in groups.items():
        for field, label in _COLUMNS:
            value, place, words = group[field], f"{key}.{name}.{field}", f"{name}: {label}"
            yield _share(place, words, value) if isinstance(value, Mapping) else _number(place, words, value)


def _seed(seed: Json) -> Iterator[Figure]:
    for key, n in seed.items():
        plain = key in {"files_scanned", "resume_turns", "distinct_surface_forms"}
        yield _number(f"seed.{key}", key, n) if plain else _part(f"seed.{key}", key, n, seed["resume_turns"])


def _number(key: str, label: str, n: float | None) -> Figure:
    return Figure(key=key, label=label, n=n)


def _part(key: str, label: str, n: int, of: int) -> Figure:
    return _share(key, label, asdict(measure_share(n, of)))


def _share(key: str, label: str, share: Json) -> Figure:
    return Figure(key=key, label=label, **share)


def _follow(document: Json, path: str) -> Any:  # noqa: ANN401 (whatever stands there)
    for key in path.split("."):
        document = document[key]
    return document


def spell_number(figure: Figure) -> str:
    """The number of a row as people read it."""
    if figure.n is None:
        return "-"
    return f"{figure.n:,}" if isinstance(figure.n, int) else f"{figure.n:,.1f}"


def spell_share(figure: Figure) -> str:
    """The share of a row with its denominator and interval; empty where it is no share, or one of nothing."""
    if figure.of is None or figure.share is None:
        return ""
    interval = f" [{figure.low:.0%} to {figure.high:.0%}]" if figure.low is not None and figure.high is not None else ""
    return f"{figure.share:.0%} of {figure.of:,}{interval}"
