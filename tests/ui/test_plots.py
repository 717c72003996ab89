"""The charts show what the rounds hold, and no token text ever reaches plotly, which reads it as markup."""

import dataclasses

import made_up
import pytest

from specviz.config.settings import Budget
from specviz.styles import PALETTE
from specviz.trace.round import Learning, Round
from specviz.ui import plots

LIGHT = PALETTE["colours"]["light"]


def named(figure: plots.go.Figure, name: str) -> plots.go.Scatter:
    return next(trace for trace in figure.data if trace.name == name)


def test_the_cache_chart_rises_by_what_a_round_writes_and_comes_back_to_zero() -> None:
    rounds = made_up.made_up_trace(seed=2).rounds
    figure = plots.cache_figure(rounds, LIGHT, 0)
    target, draft = (trace for trace in figure.data if trace.name == "rolled back")
    kept = named(figure, "target, kept")
    for trace in (target, draft, kept):
        assert set(trace.y[::4]) == set(trace.y[3::4]) == {0}
    spans = [step.target_cache for step in rounds]
    assert list(target.y[1::4]) == [span.written - span.before for span in spans]
    assert list(kept.y[1::4]) == [span.kept - span.before for span in spans]
    mirrored = [next(iter(step.draft_caches), None) for step in rounds]
    assert list(draft.y[1::4]) == [span.before - span.written for span in mirrored if span]
    assert any(span.written > span.kept for span in spans)
    assert target.fillpattern.shape == "/"
    assert kept.fillpattern.shape is None


def test_beside_it_stand_the_lengths_which_climb_to_written_and_fall_to_kept() -> None:
    rounds = made_up.made_up_trace(seed=2).rounds
    length = named(plots.cache_figure(rounds, LIGHT, 0), "target, length")
    assert length.xaxis == "x2"
    assert list(length.y) == [
        n for step in rounds for n in (step.target_cache.before, step.target_cache.written, step.target_cache.kept)
    ]


def test_a_drafter_without_a_cache_has_neither_area_nor_line() -> None:
    figure = plots.cache_figure(made_up.made_up_trace(drafter="bigram").rounds, LIGHT, 0)
    assert {trace.name for trace in figure.data} == {"target, kept", "rolled back", "target, length"}


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_charts_can_be_read_from_the_back_row_and_say_what_they_show(mode: str) -> None:
    trace = made_up.made_up_trace(seed=2)
    above, gamma = plots.figures(trace.rounds, PALETTE["colours"][mode], 0)
    for figure in (above, gamma):
        sizes = [figure.layout.font.size, figure.layout.title.font.size, figure.layout.legend.font.size]
        assert min(sizes) >= 16
    spans = [step.target_cache for step in trace.rounds]
    gone = sum(span.written - span.kept for span in spans)
    assert above.layout.meta["says"].endswith(f"; {gone} rolled back, {spans[-1].kept} entries at the end")
    guessed, kept = (
        sum(map(len, of)) for of in zip(*((step.verdicts, step.path) for step in trace.rounds), strict=True)
    )
    assert gamma.layout.meta["says"].endswith(f"{guessed} guessed, {kept} accepted")


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
        assert {(line.name, line.x0, line.x1) for line in figure.layout.shapes} == {("playhead", 4, 4)}
        assert (figure.layout.dragmode, figure.layout.xaxis.fixedrange) == ("zoom", False)
        assert all(trace.hovertemplate for trace in figure.data)


def test_the_cache_chart_says_what_a_round_wrote_kept_and_rolled_back() -> None:
    rounds = made_up.made_up_trace(seed=2, drafter="bigram").rounds
    told = named(plots.cache_figure(rounds, LIGHT, 0), "target, kept").customdata[::4]
    assert len(told) == len(rounds)
    for step, sentence in zip(rounds, told, strict=True):
        span = step.target_cache
        wrote, stays, gone = span.written - span.before, span.kept - span.before, span.written - span.kept
        assert sentence == f"round {step.index + 1}: {wrote} written, {stays} kept, {gone} rolled back"


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
    assert list(named(figure, "entropy of q, nats").y) == pytest.approx([entropy_of(step) for step in moved])
    assert "2 more" in named(figure, "\N{GREEK SMALL LETTER GAMMA}, guessed").customdata[0]


def test_of_a_drafter_that_learns_alpha_over_the_run_is_the_picture() -> None:
    made = made_up.made_up_trace(seed=2).rounds
    rounds = [dataclasses.replace(step, learning=Learning(step.index, step.index < 2)) for step in made]
    figure, _ = plots.figures(rounds, LIGHT, 0)
    shares = named(figure, "α of the last 64 tested").y
    assert shares[-1] == sum(len(step.path) for step in rounds) / sum(step.slots for step in rounds)
    assert list(named(figure, "updates").y) == [*range(len(rounds))]
    assert [each is None for each in named(figure, "what it learned is not used").y] == [
        step.index < 2 for step in rounds
    ]
    assert figure.layout.title.text == "α over the run: nothing left to learn"
    used = [dataclasses.replace(step, learning=Learning(step.index, used=True)) for step in made]
    assert plots.figures(used, LIGHT, 0)[0].layout.title.text == "α over the run, as the draft model learns"


def entropy_of(step: Round) -> float | None:
    entropies = [verdict.q_entropy for verdict in step.verdicts]
    return sum(entropies) / len(entropies) if entropies else None
