"""The charts show what the rounds hold, and no token text ever reaches plotly, which reads it as markup."""

import dataclasses

import made_up
import pytest

from specviz.config import Budget
from specviz.ui import plots, theme

LIGHT = theme.PALETTE["colours"]["light"]


def named(figure: plots.go.Figure, name: str) -> plots.go.Scatter:
    return next(trace for trace in figure.data if trace.name == name)


def test_the_cache_chart_climbs_to_written_and_falls_to_kept() -> None:
    rounds = made_up.made_up_trace(seed=2).rounds
    figure = plots.cache_figure(rounds, LIGHT, 0)
    lengths = [
        n for step in rounds for n in (step.target_cache.before, step.target_cache.written, step.target_cache.kept)
    ]
    assert list(named(figure, "target").y) == lengths
    fallen = named(figure, "rolled back")
    spans = [span for step in rounds for span in (step.target_cache, step.draft_cache) if span]
    strokes = list(zip(fallen.y[::3], fallen.y[1::3], strict=True))
    assert sorted(strokes) == sorted((span.kept, span.written) for span in spans if span.written > span.kept)
    assert strokes


def test_a_drafter_without_a_cache_has_no_line() -> None:
    figure = plots.cache_figure(made_up.made_up_trace(drafter="bigram").rounds, LIGHT, 0)
    assert "drafter" not in {trace.name for trace in figure.data}


def test_the_gamma_chart_counts_every_token_once() -> None:
    trace = made_up.made_up_trace(seed=2)
    figure = plots.gamma_figure(trace.rounds, LIGHT, 0)
    kept, top = named(figure, "accepted").y[::2], named(figure, "from the target itself").y[::2]
    assert list(kept) == [len(step.path) for step in trace.rounds]
    assert list(top) == [len(step.tokens) for step in trace.rounds]
    guessed = named(figure, "\N{GREEK SMALL LETTER GAMMA}, guessed").y[::2]
    assert list(guessed) == [len(step.verdicts) for step in trace.rounds]


def test_charts_of_a_run_without_rounds_are_empty_not_broken() -> None:
    for figure in (plots.cache_figure((), LIGHT, 0), plots.gamma_figure((), LIGHT, 0)):
        assert all(len(trace.x or ()) == 0 for trace in figure.data)


def test_no_token_text_enters_a_chart() -> None:
    rounds = made_up.made_up_trace(made_up.HOSTILE, seed=2).rounds
    for figure in (plots.cache_figure(rounds, LIGHT, 0), plots.gamma_figure(rounds, LIGHT, 0)):
        assert "onerror" not in figure.to_json()


def test_both_charts_mark_one_round_and_can_be_read_and_zoomed() -> None:
    rounds = made_up.made_up_trace(seed=2).rounds
    for figure in (plots.cache_figure(rounds, LIGHT, 3), plots.gamma_figure(rounds, LIGHT, 3)):
        (line,) = figure.layout.shapes
        assert (line.name, line.x0, line.x1) == ("playhead", 4, 4)
        assert (figure.layout.dragmode, figure.layout.xaxis.fixedrange) == ("zoom", False)
        assert all(trace.hovertemplate for trace in figure.data)


def test_the_cache_chart_says_what_was_rolled_back_not_where_the_stroke_ends() -> None:
    rounds = made_up.made_up_trace(seed=2, drafter="bigram").rounds
    fallen = named(plots.cache_figure(rounds, LIGHT, 0), "rolled back")
    lost = {step.index + 1: step.target_cache.written - step.target_cache.kept for step in rounds}
    assert list(fallen.customdata[::3]) == [f"{number}: {many}" for number, many in lost.items() if many]


@pytest.mark.parametrize("sent", [None, True, "2", 2.0, -1, 10**30, [2], {"x": 2}])
def test_a_playhead_that_is_no_round_stands_at_the_first(sent: object) -> None:
    rounds = made_up.made_up_trace(seed=2).rounds
    assert [figure.layout.shapes[0].x0 for figure in plots.figures(rounds, LIGHT, sent)] == [1, 1]
    assert [figure.layout.shapes[0].x0 for figure in plots.figures(rounds, LIGHT, 2)] == [3, 3]


def test_the_gamma_chart_says_what_moved_gamma_and_why() -> None:
    trace = made_up.made_up_trace(seed=2)
    moved = [
        dataclasses.replace(step, budget=Budget.chain(step.budget.nodes, "all accepted: 2 more", 4.0))
        for step in trace.rounds
    ]
    figure = plots.gamma_figure(moved, LIGHT, 0, "guesses accepted")
    assert set(named(figure, "guesses accepted").y) == {4.0}
    assert list(named(figure, "entropy of q, nats").y) == [1.0 if step.verdicts else None for step in moved]
    assert "2 more" in named(figure, "\N{GREEK SMALL LETTER GAMMA}, guessed").customdata[0]
