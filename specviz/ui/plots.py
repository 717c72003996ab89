"""The charts as plotly figures, two a run: pure functions of its rounds and the palette. No token text enters them."""

from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any

import plotly.graph_objects as go

from specviz.trace.round import CacheSpan, Round
from specviz.ui import words

Colours = Mapping[str, str]
FEW = 8
"""Rounds up to which every round gets a tick; beyond, plotly picks ticks that suit the zoom."""
TYPE = 16
"""Pixels of the smallest type, to be read from the back row; the player makes it larger on a larger screen."""
HEADING = {"size": TYPE + 2, "weight": 700}
MOVING = 64
"""Tested places that a moving share of them is over."""
RISE = (-0.4, -0.2, 0.2, 0.4)
"""Where a round's rise begins, stands and has fallen back, around the round's number."""


def figures(rounds: Sequence[Round], colours: Colours, playhead: object, signal: str = "") -> list[go.Figure]:
    """Both charts. The first shows the caches, and of a drafter that learns what it has come to.

    Args:
        playhead: the index of a round, as the browser sent it; anything else stands for the first.
        signal: what the number is that moved gamma.
    """
    at = playhead if type(playhead) is int and 0 <= playhead < len(rounds) else 0
    learns = any(step.learning for step in rounds)
    first = learning_figure(rounds, colours, at) if learns else cache_figure(rounds, colours, at)
    return [first, gamma_figure(rounds, colours, at, signal)]


def cache_figure(rounds: Sequence[Round], colours: Colours, playhead: int) -> go.Figure:
    """Cache entries above the committed text, round by round, and beside it the caches' lengths.

    The target's entries rise from 0 by all that a round writes and fall back to
    0. What is kept becomes committed text, the rest is rolled back, hatched. The
    drafter's are mirrored below; one without a cache has none.
    """
    targets = [step.target_cache for step in rounds]
    drafts = [next(iter(step.draft_caches), None) for step in rounds]
    tallest = max((span.written - span.before for span in targets), default=0)
    gone = sum(span.written - span.kept for span in targets)
    sentence = words.cache_sentence(len(rounds), tallest, gone, targets[-1].kept if targets else 0)
    figure = _empty(colours, words.KV_CHART, len(rounds), sentence)
    _above(figure, words.TARGET_KEPT, targets, 1, colours["p"], colours)
    if any(drafts):
        _above(figure, words.DRAFT_KEPT, drafts, -1, colours["q"], colours)
    _length(figure, words.TARGET, targets, colours["p"], "solid")
    if any(drafts):
        _length(figure, words.DRAFTER_CACHE, drafts, colours["q-edge"], "dash")
    axis = _axis(colours)
    figure.update_layout(
        xaxis={"domain": [0, 0.62]},
        xaxis2={"domain": [0.7, 1], "anchor": "y2", "tickformat": "d", "title": _below(), **axis},
        yaxis2={"anchor": "x2", "tickformat": "d", "fixedrange": True, **axis},
    )
    ticks = _ticks(targets, drafts)
    figure.layout.yaxis.update(tickvals=ticks, ticktext=[str(abs(value)) for value in ticks])
    _heading(figure, words.LENGTH_CHART, "x2 domain", "y2 domain")
    _playhead(figure, colours, playhead, "x", "y domain")
    _playhead(figure, colours, playhead, "x2", "y2 domain")
    return figure


def learning_figure(rounds: Sequence[Round], colours: Colours, playhead: int) -> go.Figure:
    """Of a drafter that learns: the share accepted of the newest tested places, and on a second axis its updates."""
    shares = [moving(rounds, index) for index in range(len(rounds))]
    learned = [step.learning for step in rounds]
    updates = [each and each.updates for each in learned]
    used = sum(each is not None and each.used for each in learned)
    known = [share for share in shares if share is not None]
    ends = (known[len(known) // 4], known[-1]) if known else (0.0, 0.0)
    sentence = words.learning_sentence(
        len(rounds), *ends, max((each.updates for each in learned if each), default=0), used
    )
    title = words.LEARNING_CHART if 2 * used > len(rounds) else words.LEARNT_CHART
    figure = _empty(colours, title, len(rounds), sentence)
    x = [step.index + 1 for step in rounds]
    look = {"x": x, "mode": "lines"}
    figure.add_scatter(y=shares, name=words.MOVING, line={"color": colours["overlap"], "width": 3}, **look)
    idle = [share if each and not each.used else None for share, each in zip(shares, learned, strict=True)]
    put_aside = {"color": colours["refused"], "width": 3, "dash": "dot"}
    figure.add_scatter(y=idle, name=words.PUT_ASIDE, line=put_aside, **look)
    climb = {"color": colours["q-edge"], "width": 2, "dash": "dash"}
    figure.add_scatter(y=updates, name=words.UPDATES, yaxis="y2", line=climb, **look)
    figure.update_traces(hovertemplate="%{y:.3g}")
    _playhead(figure, colours, playhead, "x", "paper")
    figure.update_yaxes(range=[0, 1], tickformat=".1f")
    second = {"overlaying": "y", "side": "right", "rangemode": "tozero", "showgrid": False, "zeroline": False}
    figure.update_layout(yaxis2=second, margin_r=40)  # room for its numbers
    return figure


def moving(rounds: Sequence[Round], index: int) -> float | None:
    """accepted / tested over the last tested places up to a round, at least MOVING of them; None before any."""
    tested = accepted = 0
    while index >= 0 and tested < MOVING:
        tested += rounds[index].slots
        accepted += len(rounds[index].path)
        index -= 1
    return accepted / tested if tested else None


def _above(
    figure: go.Figure, name: str, spans: Sequence[CacheSpan | None], way: int, colour: str, colours: Colours
) -> None:
    """What each round writes as an area from 0, hatched, and before it what stays of that, solid."""
    kept, written, hover = [], [], []
    for index, span in enumerate(spans):
        low = 0 if span is None else span.kept - span.before
        high = 0 if span is None else span.written - span.before
        kept += [0, way * low, way * low, 0]
        written += [0, way * high, way * high, 0]
        hover += [words.above(index + 1, high, high - low)] * 4
    pattern = {
        "shape": "/",
        "fgcolor": colours["refused"],
        "bgcolor": colours["background"],
        "size": 7,
        "solidity": 0.45,
    }
    look: dict[str, Any] = {"mode": "lines", "fill": "tozeroy", "customdata": hover}
    look |= {"x": [index + 1 + edge for index in range(len(spans)) for edge in RISE]}
    look |= {"hovertemplate": "%{customdata}<extra></extra>"}
    gone = {"fillpattern": pattern, "line": {"color": colours["refused"], "width": 1.5}, "legendrank": 2000}
    figure.add_scatter(y=written, name=words.ROLLED_BACK, showlegend=way > 0, **gone, **look)
    figure.add_scatter(y=kept, name=name, fillcolor=colour, line={"color": colour, "width": 2.5}, **look)


def _length(figure: go.Figure, name: str, spans: Sequence[CacheSpan | None], colour: str, dash: str) -> None:
    """A cache's length: each round climbs from `before` to `written` and falls to `kept`."""
    x: list[float] = []
    y: list[int] = []
    hover: list[str] = []
    for index, span in enumerate(spans):
        if span is not None:
            x += [index + 0.5, index + 1, index + 1.5]
            y += [span.before, span.written, span.kept]
            hover += [f"{index + 1}, {beat}" for beat in words.CACHE_BEATS]
    figure.add_scatter(
        x=x,
        y=y,
        xaxis="x2",
        yaxis="y2",
        name=name,
        customdata=hover,
        hovertemplate=f"{words.ROUND} %{{customdata}}: %{{y}}",
        mode="lines",
        line={"color": colour, "width": 3, "dash": dash},
    )


def _ticks(targets: Sequence[CacheSpan | None], drafts: Sequence[CacheSpan | None]) -> list[int]:
    """Whole numbers up to the tallest rise, below 0 for the drafter's."""
    up, down = (max((span.written - span.before for span in spans if span), default=0) for spans in (targets, drafts))
    step = _step(max(up, down), 4)
    return [*(-value for value in range(down - down % step, 0, -step)), *range(0, up + 1, step)]


def gamma_figure(rounds: Sequence[Round], colours: Colours, playhead: int, signal: str = "") -> go.Figure:
    """Per round: tokens guessed as a line, and the tokens it added as areas, the target's own on top.

    Args:
        signal: what the number is that moved gamma.
    """
    accepted = [len(step.path) for step in rounds]
    own = [int(step.extra is not None) for step in rounds]
    guessed = [len(step.verdicts) for step in rounds]
    sentence = words.gamma_sentence(len(rounds), sum(guessed), sum(accepted))
    figure = _empty(colours, words.GAMMA_CHART, len(rounds), sentence)
    _playhead(figure, colours, playhead, "x", "paper")
    # Areas and lines, because every bar would be one more element of the page.
    _steps(figure, words.ACCEPTED, accepted, accepted, fill="tozeroy", fillcolor=colours["overlap"], line={"width": 0})
    pattern = {"shape": "/", "fillmode": "overlay", "fgcolor": colours["background"], "size": 6}
    total = [sum(both) for both in zip(accepted, own, strict=True)]
    look = {"fill": "tonexty", "fillcolor": colours["p"], "fillpattern": pattern}
    _steps(figure, words.OWN, total, own, line={"width": 0}, **look)
    because = [
        f"{count}: {step.halt.reason if step.halt else step.budget.reason}"
        for count, step in zip(guessed, rounds, strict=True)
    ]
    _steps(figure, words.GUESSED, guessed, because, line={"color": colours["q-edge"], "width": 2, "dash": "dash"})
    _moved(figure, rounds, colours, signal)
    figure.update_yaxes(rangemode="tozero", dtick=_step(max(guessed, default=0) + 1))
    return figure


def _moved(figure: go.Figure, rounds: Sequence[Round], colours: Colours, signal: str) -> None:
    """On a second axis, what may have moved gamma: the mean entropy of q, and the rule's signal if it has one."""
    entropies = [fmean(glance.entropy for glance in step.seen) if step.seen else None for step in rounds]
    signals = [step.halt.signal if step.halt else step.budget.signal for step in rounds]
    for name, values, colour, dash in (
        (words.ENTROPY, entropies, colours["mute"], "dot"),
        (signal, signals, colours["refused"], "solid"),
    ):
        if any(value is not None for value in values):
            figure.add_scatter(
                x=[step.index + 1 for step in rounds],
                y=values,
                name=name,
                yaxis="y2",
                mode="lines",  # every marker would be one more element of the page
                hovertemplate="%{y:.3g}",
                line={"color": colour, "width": 1.5, "dash": dash},
            )
    figure.update_layout(
        yaxis2={"overlaying": "y", "side": "right", "rangemode": "tozero", "showgrid": False, "zeroline": False},
    )


def _steps(figure: go.Figure, name: str, heights: Sequence[int], hover: Sequence[object], **look: Any) -> None:
    """A staircase, one step a round, with hover[round] as its hover text."""
    figure.add_scatter(
        x=[index + edge for index in range(len(heights)) for edge in (0.5, 1.5)],
        y=[height for height in heights for _ in range(2)],
        customdata=[f"{index + 1}: {value}" for index, value in enumerate(hover) for _ in range(2)],
        hovertemplate=f"{words.ROUND} %{{customdata}}",
        name=name,
        mode="lines",
        **look,
    )


def _empty(colours: Colours, title: str, rounds: int, sentence: str) -> go.Figure:
    figure = go.Figure()
    figure.update_layout(
        template="none",
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
        font={"family": "system-ui, sans-serif", "size": TYPE, "color": colours["ink"]},
        title={
            "text": title,
            "x": 0,
            "xref": "container",
            "xanchor": "left",
            "y": 0.97,
            "font": HEADING,
        },
        margin={"l": 48, "r": 12, "t": 48, "b": 92},
        height=340,
        legend={
            "orientation": "h",
            "x": 0,
            "y": -0.24,
            "yanchor": "top",
            "traceorder": "normal",
            "font": {"size": TYPE},
        },
        hoverlabel={
            "bgcolor": colours["panel"],
            "bordercolor": colours["axis"],
            "font": {"size": TYPE, "color": colours["ink"]},
        },
        dragmode="zoom",
        meta={"says": sentence},  # the player's label for screen readers
    )
    figure.update_xaxes(
        title=_below(), tickformat="d", dtick=1 if rounds <= FEW else None, fixedrange=False, **_axis(colours)
    )
    figure.update_yaxes(tickformat="d", fixedrange=True, **_axis(colours))
    return figure


def _axis(colours: Colours) -> dict[str, Any]:
    return {
        "gridcolor": colours["line"],
        "linecolor": colours["axis"],
        "zeroline": True,
        "zerolinecolor": colours["axis"],
    }


def _below() -> dict[str, Any]:
    return {"text": words.ROUND, "standoff": 4, "font": {"size": TYPE}}


def _heading(figure: go.Figure, text: str, across: str, up: str) -> None:
    """The title of a second panel, in the line of the first's."""
    look = {"font": HEADING, "showarrow": False}
    figure.add_annotation(
        text=text, xref=across, yref=up, x=0, y=1, xanchor="left", yanchor="bottom", yshift=10, **look
    )


def _playhead(figure: go.Figure, colours: Colours, round_: int, across: str, up: str) -> None:
    """The line of the round on stage; the player finds it by its name and moves it."""
    ends = {"x0": round_ + 1, "x1": round_ + 1, "y0": 0, "y1": 1}
    line = {"color": colours["ink"], "width": 3, "dash": "dot"}
    figure.add_shape(name="playhead", type="line", xref=across, yref=up, line=line, **ends)


def _step(top: int, most: int = 8) -> int:
    """A whole-number tick distance that gives at most about so many ticks."""
    return max(1, -(-top // most))
