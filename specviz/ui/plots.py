"""The two charts as plotly figures: pure functions of a run's rounds and the palette. No token text enters them."""

from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any

import plotly.graph_objects as go

from specviz.trace import CacheSpan, Round
from specviz.ui import words

Colours = Mapping[str, str]
FEW = 8
"""Rounds up to which every round gets a tick; beyond, plotly picks ticks that suit the zoom."""


def figures(rounds: Sequence[Round], colours: Colours, playhead: object, signal: str = "") -> list[go.Figure]:
    """Both charts.

    Args:
        playhead: the index of a round, as the browser sent it; anything else stands for the first.
        signal: what the number is that moved gamma.
    """
    at = playhead if type(playhead) is int and 0 <= playhead < len(rounds) else 0
    return [cache_figure(rounds, colours, at), gamma_figure(rounds, colours, at, signal)]


def cache_figure(rounds: Sequence[Round], colours: Colours, playhead: int) -> go.Figure:
    """Cache length over the rounds, target and drafter, with a line at the round of that index.

    Each round climbs from `before` to `written` and falls to `kept`; the fall
    is dotted. A drafter without a cache has no line.
    """
    figure = _empty(colours, words.KV_CHART, words.SLOTS, playhead, len(rounds))
    _sawtooth(figure, words.TARGET, [step.target_cache for step in rounds], rounds, colours["p"], "solid")
    spans = [step.draft_cache for step in rounds]
    if any(span is not None for span in spans):
        _sawtooth(figure, words.DRAFTER_CACHE, spans, rounds, colours["q-edge"], "dash")
    _rolled_back(figure, rounds, colours)
    return figure


def gamma_figure(rounds: Sequence[Round], colours: Colours, playhead: int, signal: str = "") -> go.Figure:
    """Per round: tokens guessed as a line, and the tokens it added as areas, the target's own on top.

    Args:
        signal: what the number is that moved gamma.
    """
    figure = _empty(colours, words.GAMMA_CHART, words.TOKENS, playhead, len(rounds))
    kept = [len(step.path) for step in rounds]
    own = [int(step.extra is not None) for step in rounds]
    guessed = [len(step.verdicts) for step in rounds]
    # Areas and lines, not bars: a bar is an element of the page for every round.
    _steps(figure, words.ACCEPTED, kept, kept, fill="tozeroy", fillcolor=colours["overlap"], line={"width": 0})
    pattern = {"shape": "/", "fillmode": "overlay", "fgcolor": colours["background"], "size": 6}
    total = [sum(both) for both in zip(kept, own, strict=True)]
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
    """What may have moved gamma, on an axis of its own: the mean entropy of q, and the rule's signal if it has one."""
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
                mode="lines",  # a marker is an element of the page for every round
                hovertemplate="%{y:.3g}",
                line={"color": colour, "width": 1.5, "dash": dash},
            )
    figure.update_layout(
        yaxis2={"overlaying": "y", "side": "right", "rangemode": "tozero", "showgrid": False, "zeroline": False},
    )


def _steps(figure: go.Figure, name: str, heights: Sequence[int], told: Sequence[object], **look: Any) -> None:
    """A staircase, one stair a round, that says told[round] under the pointer."""
    figure.add_scatter(
        x=[index + edge for index in range(len(heights)) for edge in (0.5, 1.5)],
        y=[height for height in heights for _ in range(2)],
        customdata=[f"{index + 1}: {value}" for index, value in enumerate(told) for _ in range(2)],
        hovertemplate=f"{words.ROUND} %{{customdata}}",
        name=name,
        mode="lines",
        **look,
    )


def _sawtooth(
    figure: go.Figure,
    name: str,
    spans: Sequence[CacheSpan | None],
    rounds: Sequence[Round],
    colour: str,
    dash: str,
) -> None:
    x: list[float] = []
    y: list[int] = []
    beats: list[str] = []
    for step, span in zip(rounds, spans, strict=True):
        if span is not None:
            x += [step.index + 0.5, step.index + 1, step.index + 1.5]
            y += [span.before, span.written, span.kept]
            beats += [f"{step.index + 1}, {beat}" for beat in words.CACHE_BEATS]
    figure.add_scatter(
        x=x,
        y=y,
        name=name,
        customdata=beats,
        hovertemplate=f"{words.ROUND} %{{customdata}}: %{{y}}",
        mode="lines",
        line={"color": colour, "width": 2, "dash": dash},
    )


def _rolled_back(figure: go.Figure, rounds: Sequence[Round], colours: Colours) -> None:
    """Strokes from `kept` up to `written`: what the trim took away."""
    spans = [(step.index, step.target_cache, 1.25) for step in rounds]
    spans += [(step.index, step.draft_cache, 1.55) for step in rounds if step.draft_cache is not None]
    fallen = [(index, shift, span) for index, span, shift in spans if span.written > span.kept]
    if not fallen:
        return
    figure.add_scatter(
        x=[x for index, shift, _ in fallen for x in (index + shift, index + shift, None)],
        y=[y for _, _, span in fallen for y in (span.kept, span.written, None)],
        customdata=[f"{index + 1}: {span.written - span.kept}" for index, _, span in fallen for _ in range(3)],
        hovertemplate=f"{words.ROUND} %{{customdata}}",
        name=words.ROLLED_BACK,
        mode="lines",
        line={"color": colours["refused"], "width": 5, "dash": "2px,2px"},
    )
    lengths = [length for _, span, _ in spans for length in (span.before, span.written)]
    figure.update_yaxes(range=[min(lengths) - 1, max(lengths) + 1])


def _empty(colours: Colours, title: str, vertical: str, playhead: int, rounds: int) -> go.Figure:
    figure = go.Figure()
    axis = {"gridcolor": colours["line"], "linecolor": colours["axis"], "zeroline": False}
    figure.update_layout(
        template="none",
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
        font={"family": "system-ui, sans-serif", "size": 14, "color": colours["ink"]},
        title={"text": title, "x": 0, "xref": "container", "y": 0.97, "font": {"size": 15, "weight": 700}},
        margin={"l": 52, "r": 8, "t": 40, "b": 72},
        height=300,
        legend={"orientation": "h", "x": 0, "y": -0.34, "yanchor": "top", "traceorder": "normal"},
        hoverlabel={"bgcolor": colours["panel"], "bordercolor": colours["axis"], "font": {"color": colours["ink"]}},
        dragmode="zoom",
    )
    # The player finds it by its name and moves it.
    figure.add_shape(
        name="playhead",
        type="line",
        x0=playhead + 1,
        x1=playhead + 1,
        yref="paper",
        y0=0,
        y1=1,
        line={"color": colours["ink"], "width": 2, "dash": "dot"},
    )
    figure.update_xaxes(
        title={"text": words.ROUND, "standoff": 4},
        tickformat="d",
        dtick=1 if rounds <= FEW else None,
        fixedrange=False,
        **axis,
    )
    figure.update_yaxes(title=vertical, tickformat="d", fixedrange=True, **axis)
    return figure


def _step(top: int) -> int:
    """A whole-number tick distance that gives at most about eight ticks."""
    return max(1, -(-top // 8))
