"""A study's plots as one HTML file that opens without a network."""

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Any

import plotly.graph_objects as go
from plotly.colors import qualitative

from specviz.lab.measured import Studied, StudiedGroup
from specviz.styles import PALETTE

COLOURS = qualitative.Safe
DASHES = ("solid", "dash", "dot", "dashdot", "longdash")
PER_PASS = "tokens per target pass"  # noqa: S105 - a label


def page(study: Studied) -> str:
    """The whole file: what was run and where, then the plots."""
    where = f"{', '.join(study.machines)}; {'; '.join(study.versions)}"
    said = f"{study.runs:,} runs of {', '.join(study.sets)}, made on {where}. Bars are 95 % intervals over the prompts."
    drawn = [
        '<section tabindex="0"><div>'
        + figure.to_html(full_html=False, include_plotlyjs=not place, config={"displaylogo": False, "responsive": True})
        + "</div></section>"
        for place, figure in enumerate(figures(study))
    ]
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8"><title>specviz study</title>'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        "<style>body{font:16px system-ui,sans-serif;margin:24px auto;max-width:1100px;padding:0 16px}"
        "section{overflow-x:auto}section>div{min-width:640px}</style>"
        f"<h1>specviz study</h1><p>{escape(said)}</p>{''.join(drawn)}</html>\n"
    )


def figures(study: Studied) -> Iterator[go.Figure]:
    """Tokens per pass by γ, or by method where there is one γ; by category of prompt; and against time."""
    gammas = {each.choices["gamma"] for each in study.by_method}
    yield _by_gamma(study) if len(gammas - {None}) > 1 else _by_name(study)
    if len({each.choices["category"] for each in study.by_category}) > 1:
        yield _by_category(study)
    yield _against_time(study)


def _by_gamma(study: Studied) -> go.Figure:
    """A line for all runs that differ only in γ; a method that has no γ is a level one."""
    figure = _empty("Tokens per pass by γ", "γ, guesses a round", PER_PASS)
    every = sorted({each.choices["gamma"] for each in study.by_method if each.choices["gamma"] is not None})
    names = [name for name in study.varied if name != "gamma"]
    lines: dict[str, list[StudiedGroup]] = {}
    for each in study.by_method:
        lines.setdefault(_label(each, names), []).append(each)
    figure.update_xaxes(tickvals=every)
    looks = _looks(study)
    for label, groups in lines.items():
        level = groups[0].choices["gamma"] is None
        shown = groups * len(every) if level else sorted(groups, key=lambda each: each.choices["gamma"] or 0)
        figure.add_scatter(
            x=every if level else [each.choices["gamma"] for each in shown],
            y=[each.per_pass for each in shown],
            error_y=_bars(shown),
            name=label,
            mode="lines" if level else "lines+markers",
            line=looks[label],
        )
    return figure


def _by_name(study: Studied) -> go.Figure:
    figure = _empty("Tokens per pass", "", PER_PASS)
    names = [name for name in study.varied if name != "gamma"]
    labels = [_label(each, names) for each in study.by_method]
    heights = [each.per_pass for each in study.by_method]
    figure.add_bar(x=labels, y=heights, error_y=_bars(study.by_method), marker_color=COLOURS[0])
    return figure


def _by_category(study: Studied) -> go.Figure:
    figure = _empty("Tokens per pass by category of prompt", "", "")
    rows = list(dict.fromkeys(_label(each, study.varied) for each in study.by_category))
    columns = list(dict.fromkeys(escape(str(each.choices["category"])) for each in study.by_category))
    cells = {
        (_label(each, study.varied), escape(str(each.choices["category"]))): each.per_pass for each in study.by_category
    }
    values = [[cells.get((row, column)) for column in columns] for row in rows]
    figure.add_heatmap(x=columns, y=rows, z=values, texttemplate="%{z:.2f}", colorscale="Cividis")
    figure.update_yaxes(autorange="reversed", automargin=True, dtick=1)
    figure.update_layout(height=200 + 28 * len(rows))
    return figure


def _against_time(study: Studied) -> go.Figure:
    figure = _empty("What a token costs", PER_PASS, "ms per token, others running beside it")
    for place, method in enumerate(dict.fromkeys(each.choices["method"] for each in study.by_method)):
        groups = [each for each in study.by_method if each.choices["method"] == method]
        figure.add_scatter(
            x=[each.per_pass for each in groups],
            y=[each.token_ms for each in groups],
            text=[_label(each, study.varied) for each in groups],
            name=escape(str(method)),
            mode="markers",
            marker={"size": 11, "color": COLOURS[place % len(COLOURS)]},
        )
    figure.update_yaxes(rangemode="tozero")
    return figure


def _looks(study: Studied) -> Mapping[str, Mapping[str, str]]:
    """A line's colour is its method's; what else differs shows in its dash."""
    names = [name for name in study.varied if name != "gamma"]
    methods = list(dict.fromkeys(each.choices["method"] for each in study.by_method))
    others = list(dict.fromkeys(_label(each, [name for name in names if name != "method"]) for each in study.by_method))
    return {
        _label(each, names): {
            "color": COLOURS[methods.index(each.choices["method"]) % len(COLOURS)],
            "dash": DASHES[others.index(_label(each, [name for name in names if name != "method"])) % len(DASHES)],
        }
        for each in study.by_method
    }


def _label(group: StudiedGroup, names: Sequence[str]) -> str:
    """What tells the group apart. Escaped, because Plotly reads markup in texts."""
    values = [
        str(group.choices[name])
        if name in ("method", "rule", "gamma_rule", "pair")
        else f"{_short(name)} {group.choices[name]:g}"
        for name in names
        if group.choices[name] is not None
    ]
    return escape(", ".join(values))


def _short(name: str) -> str:
    return {"gamma": "γ", "temperature": "T"}[name]


def _bars(groups: Sequence[StudiedGroup]) -> dict[str, Any]:
    return {"type": "data", "array": [each.error for each in groups], "thickness": 1.5}


def _empty(title: str, across: str, up: str) -> go.Figure:
    colours = PALETTE["colours"]["light"]
    figure = go.Figure()
    figure.update_layout(
        template="none",
        title=title,
        height=480,
        font={"family": "system-ui, sans-serif", "size": 16, "color": colours["ink"]},
        xaxis={"title": across, "gridcolor": colours["line"], "automargin": True},
        yaxis={"title": up, "gridcolor": colours["line"]},
    )
    return figure
