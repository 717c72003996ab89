"""The two charts as plotly figures: pure functions of a run's rounds and the palette. No token text enters them."""

from collections.abc import Mapping, Sequence

import plotly.graph_objects as go

from specviz.trace import CacheSpan, Round
from specviz.ui import words

Colours = Mapping[str, str]


def cache_figure(rounds: Sequence[Round], colours: Colours) -> go.Figure:
    """Cache length over the rounds, target and drafter.

    Each round climbs from `before` to `written` and falls to `kept`; the fall
    is hatched. A drafter without a cache has no line.
    """
    figure = _empty(colours, words.KV_CHART, words.SLOTS)
    _sawtooth(figure, words.TARGET, [step.target_cache for step in rounds], rounds, colours["p"], "solid")
    spans = [step.draft_cache for step in rounds]
    if any(span is not None for span in spans):
        _sawtooth(figure, words.DRAFTER_CACHE, spans, rounds, colours["q-edge"], "dash")
    _rolled_back(figure, rounds, colours)
    return figure


def gamma_figure(rounds: Sequence[Round], colours: Colours) -> go.Figure:
    """Per round: tokens guessed as steps, and the tokens it added as bars, the target's own on top."""
    figure = _empty(colours, words.GAMMA_CHART, words.TOKENS)
    index = [step.index + 1 for step in rounds]
    figure.add_bar(x=index, y=[len(step.path) for step in rounds], name=words.ACCEPTED, marker_color=colours["overlap"])
    figure.add_bar(
        x=index,
        y=[int(step.extra is not None) for step in rounds],
        name=words.OWN,
        marker={
            "color": colours["p"],
            "pattern": {"shape": "/", "fillmode": "overlay", "fgcolor": colours["background"], "size": 6},
        },
    )
    figure.add_scatter(
        x=index,
        y=[len(step.verdicts) for step in rounds],
        name=words.GUESSED,
        mode="lines",
        line={"color": colours["q-edge"], "width": 2, "shape": "hvh", "dash": "dash"},
    )
    figure.update_layout(barmode="stack", bargap=0.25)
    figure.update_yaxes(rangemode="tozero", dtick=_step(max((len(step.verdicts) + 1 for step in rounds), default=1)))
    return figure


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
    for step, span in zip(rounds, spans, strict=True):
        if span is not None:
            x += [step.index + 0.5, step.index + 1, step.index + 1.5]
            y += [span.before, span.written, span.kept]
    figure.add_scatter(x=x, y=y, name=name, mode="lines", line={"color": colour, "width": 2, "dash": dash})


def _rolled_back(figure: go.Figure, rounds: Sequence[Round], colours: Colours) -> None:
    """Bars standing on `kept` and reaching up to `written`: what the trim took away."""
    look = {
        "color": "rgba(0,0,0,0)",
        "line": {"color": colours["refused"], "width": 1},
        "pattern": {"shape": "/", "fgcolor": colours["refused"], "size": 5},
    }
    spans = [(step.index, step.target_cache, 1.25) for step in rounds]
    spans += [(step.index, step.draft_cache, 1.55) for step in rounds if step.draft_cache is not None]
    fallen = [(index + shift, span) for index, span, shift in spans if span.written > span.kept]
    if not fallen:
        return
    figure.add_bar(
        x=[x for x, _ in fallen],
        y=[span.written - span.kept for _, span in fallen],
        base=[span.kept for _, span in fallen],
        width=0.25,
        name=words.ROLLED_BACK,
        marker=look,
    )
    lengths = [length for _, span, _ in spans for length in (span.before, span.written)]
    figure.update_yaxes(range=[min(lengths) - 1, max(lengths) + 1])


def _empty(colours: Colours, title: str, vertical: str) -> go.Figure:
    figure = go.Figure()
    axis = {"gridcolor": colours["line"], "linecolor": colours["axis"], "zeroline": False, "fixedrange": True}
    figure.update_layout(
        template="none",
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
        font={"family": "system-ui, sans-serif", "size": 14, "color": colours["ink"]},
        title={"text": title, "x": 0, "xref": "container", "y": 0.97, "font": {"size": 15, "weight": 700}},
        margin={"l": 52, "r": 8, "t": 40, "b": 72},
        height=300,
        legend={"orientation": "h", "x": 0, "y": -0.34, "yanchor": "top", "traceorder": "normal"},
        dragmode=False,
    )
    figure.update_xaxes(title={"text": words.ROUND, "standoff": 4}, tickformat="d", **axis)
    figure.update_yaxes(title=vertical, tickformat="d", **axis)
    return figure


def _step(top: int) -> int:
    """A whole-number tick distance that gives at most about eight ticks."""
    return -(-top // 8)
