"""The charts show what the rounds hold, and no token text ever reaches plotly, which reads it as markup."""

import made_up

from specviz.ui import plots, theme

LIGHT = theme.PALETTE["colours"]["light"]


def named(figure: plots.go.Figure, name: str) -> plots.go.Scatter | plots.go.Bar:
    return next(trace for trace in figure.data if trace.name == name)


def test_the_cache_chart_climbs_to_written_and_falls_to_kept() -> None:
    rounds = made_up.made_up_trace(seed=2).rounds
    figure = plots.cache_figure(rounds, LIGHT)
    lengths = [
        n for step in rounds for n in (step.target_cache.before, step.target_cache.written, step.target_cache.kept)
    ]
    assert list(named(figure, "target").y) == lengths
    fallen = named(figure, "rolled back")
    spans = [span for step in rounds for span in (step.target_cache, step.draft_cache) if span]
    assert sum(fallen.y) == sum(span.written - span.kept for span in spans) > 0
    assert set(fallen.base) <= {span.kept for span in spans}


def test_a_drafter_without_a_cache_has_no_line() -> None:
    figure = plots.cache_figure(made_up.made_up_trace(drafter="bigram").rounds, LIGHT)
    assert "drafter" not in {trace.name for trace in figure.data}


def test_the_gamma_chart_counts_every_token_once() -> None:
    trace = made_up.made_up_trace(seed=2)
    figure = plots.gamma_figure(trace.rounds, LIGHT)
    assert sum(named(figure, "accepted").y) + sum(named(figure, "from the target itself").y) == len(trace.tokens)
    assert list(named(figure, "\N{GREEK SMALL LETTER GAMMA}, guessed").y) == [
        len(step.verdicts) for step in trace.rounds
    ]


def test_charts_of_a_run_without_rounds_are_empty_not_broken() -> None:
    for figure in (plots.cache_figure((), LIGHT), plots.gamma_figure((), LIGHT)):
        assert all(len(trace.x or ()) == 0 for trace in figure.data)


def test_no_token_text_enters_a_chart() -> None:
    rounds = made_up.made_up_trace(made_up.HOSTILE, seed=2).rounds
    for figure in (plots.cache_figure(rounds, LIGHT), plots.gamma_figure(rounds, LIGHT)):
        assert "onerror" not in figure.to_json()
