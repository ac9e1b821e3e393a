"""The few charts that show a corpus at a glance. In: the document `resume-forensics/stats/1`. Out: an SVG or PNG file as bytes.

The same document gives the same bytes: no date and no random id stands in them.
"""

# ruff: noqa: PLC0415 (an extra, loaded where a chart is asked for)

from collections.abc import Mapping
from io import BytesIO
from typing import TYPE_CHECKING, Any, Final

from resume_forensics.errors import MissingExtra, WrongUse

if TYPE_CHECKING:
    from matplotlib.axes import Axes

FORMS: Final = ("svg", "png")

# Okabe and Ito's palette: told apart by people who see colours differently, and in print.
BLUE, ORANGE, GREEN, VERMILION, GREY = "#0072B2", "#E69F00", "#009E73", "#D55E00", "#6E6E6E"

FATES: Final = (
    ("reported", "came back", GREEN),
    ("reported_failed", "came back broken", ORANGE),
    ("unreported", "never came back", VERMILION),
)

_STYLE: Final = {
    "svg.hashsalt": "resume-forensics",
    "svg.fonttype": "path",
    "font.family": "DejaVu Sans",
    "font.size": 9.5,
    "axes.titlesize": 12,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.titlepad": 12,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": "#B0B0B0",
    "axes.labelcolor": "#404040",
    "xtick.color": "#404040",
    "ytick.color": "#404040",
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": "#E4E4E4",
}
_ABOVE_LEGEND: Final = 28
_MONTHS_SHOWN: Final = 24
_MONTHS_SIDE_BY_SIDE: Final = 8
_NARROW_PERCENT: Final = 4


def write_charts(document: Mapping[str, Any], form: str) -> bytes:
    """Causes, the fate of the workers, and both over time, one under the other. Raises `WrongUse` or `MissingExtra`."""
    if form not in FORMS:
        raise WrongUse(f"--plot writes .svg or .png files, no .{form}")
    try:
        import matplotlib as mpl
        from matplotlib.figure import Figure
    except ImportError:
        raise MissingExtra("--plot needs packages that are not installed: pip install 'resume-forensics[stats]'") from None
    exact, sink = document["exact"], BytesIO()
    with mpl.rc_context(_STYLE):
        heights = [max(2, len(_causes(exact))), max(2, len(_kinds(exact))), 6]
        figure = Figure(figsize=(9, 0.42 * sum(heights) + 3.6), layout="constrained")
        causes, fates, months = figure.subplots(3, 1, height_ratios=heights)
        _draw_causes(causes, exact)
        _draw_fates(fates, exact)
        _draw_months(months, exact)
        figure.get_layout_engine().set(hspace=0.07, h_pad=0.12, w_pad=0.12)
        metadata = {"Date": None, "Creator": None} if form == "svg" else {"Software": None}
        figure.savefig(sink, format=form, dpi=150, metadata=metadata)
    return sink.getvalue()


def _causes(exact: Mapping[str, Any]) -> list[tuple[str, int]]:
    """What stopped a session before a turn, the rarest first, as bars grow upwards."""
    return sorted(((cause, n) for cause, n in exact["preceded_by"].items() if n), key=lambda one: (one[1], one[0]))


def _kinds(exact: Mapping[str, Any]) -> list[tuple[str, Mapping[str, int]]]:
    return sorted(
        ((kind, fate) for kind, fate in exact["workers"].items() if fate["launched"]), key=lambda one: (one[1]["launched"], one[0])
    )


def _draw_causes(axes: "Axes", exact: Mapping[str, Any]) -> None:
    causes = _causes(exact)
    axes.set_title(f"What stopped the session before a resume turn ({exact['resume_turns']:,} turns)")
    axes.set_xlabel("resume turns")
    if not causes:
        _say_empty(axes, "no resume turns")
        return
    bars = axes.barh([_spell(cause) for cause, _ in causes], [n for _, n in causes], color=BLUE, height=0.68)
    axes.bar_label(bars, [f"{n:,}" for _, n in causes], padding=4, color="#202020")
    _finish_bars(axes)


def _draw_fates(axes: "Axes", exact: Mapping[str, Any]) -> None:
    kinds = _kinds(exact)
    total = sum(fate["launched"] for _, fate in kinds)
    axes.set_title(f"What became of the workers ({total:,} launched)", pad=_ABOVE_LEGEND)
    axes.set_xlabel("share of the workers of a kind (%)")
    if not kinds:
        _say_empty(axes, "no workers")
        return
    names = [f"{kind} ({fate['launched']:,})" for kind, fate in kinds]
    left = [0.0] * len(kinds)
    for key, label, colour in FATES:
        shares = [100 * fate[key] / fate["launched"] for _, fate in kinds]
        bars = axes.barh(names, shares, left=left, color=colour, height=0.68, label=label)
        numbers = [f"{fate[key]:,}" if share >= _NARROW_PERCENT else "" for (_, fate), share in zip(kinds, shares, strict=True)]
        axes.bar_label(bars, numbers, label_type="center", color="white" if colour != ORANGE else "#202020")
        left = [start + share for start, share in zip(left, shares, strict=True)]
    axes.set_xlim(0, 100)
    axes.grid(visible=False, axis="y")
    axes.legend(loc="lower left", bbox_to_anchor=(-0.01, 1), ncols=3, frameon=False, borderaxespad=0.2, fontsize=9)


def _draw_months(axes: "Axes", exact: Mapping[str, Any]) -> None:
    months = [(month, group) for month, group in exact["by_month"].items() if month != "unknown"][-_MONTHS_SHOWN:]
    axes.set_title("Month by month, by the last record of a session", pad=_ABOVE_LEGEND)
    axes.set_ylabel("number")
    if not months:
        _say_empty(axes, "no session has a time")
        return
    turns = [group["resume_turns"] for _, group in months]
    lost = [group["workers_unreported"]["n"] for _, group in months]
    for offset, numbers, label, colour in ((-0.21, turns, "resume turns", BLUE), (0.21, lost, "workers that never came back", VERMILION)):
        bars = axes.bar([place + offset for place in range(len(months))], numbers, width=0.4, color=colour, label=label)
        axes.bar_label(bars, [f"{n:,}" if n else "" for n in numbers], padding=2, fontsize=8, color="#202020")
    axes.set_xticks(range(len(months)), [month for month, _ in months], rotation=45 if len(months) > _MONTHS_SIDE_BY_SIDE else 0)
    axes.set_ylim(0, 1.18 * max(1, *turns, *lost))
    axes.yaxis.get_major_locator().set_params(integer=True)
    axes.grid(visible=False, axis="x")
    axes.legend(loc="lower left", bbox_to_anchor=(-0.01, 1), ncols=2, frameon=False, borderaxespad=0.2, fontsize=9)


def _finish_bars(axes: "Axes") -> None:
    axes.margins(x=0.1)
    axes.xaxis.get_major_locator().set_params(integer=True)
    axes.grid(visible=False, axis="y")


def _say_empty(axes: "Axes", words: str) -> None:
    axes.text(0.5, 0.5, words, ha="center", va="center", transform=axes.transAxes, color=GREY)
    axes.set_xticks([])
    axes.set_yticks([])


def _spell(words: str) -> str:
    """A word of ours for people."""
    return words.replace("_", " ")
