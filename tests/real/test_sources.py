"""What a shown guess says of where it came from is what the drafter really took it from, over the embedded pair."""

import numpy as np
import pytest

import specviz
from specviz.draft.base import proposal
from specviz.models import pair as pairs
from specviz.models.rounded import LARGEST
from specviz.record.recorder import Recorder
from specviz.trace.guess import Source, TokenVerdict
from specviz.trace.run import Trace

TALE = "The old king said: the old king is dead. The old queen said: the old king is"


def run(drafter: str, **choices: object) -> Trace:
    return specviz.run(TALE, drafter=drafter, max_new_tokens=24, device="cpu", **choices)  # type: ignore[arg-type]


def guesses(trace: Trace) -> list[TokenVerdict]:
    found = [each for step in trace.rounds for each in step.verdicts]
    assert len(found) > 5
    return found


def test_q_of_a_word_pair_is_what_its_counts_say() -> None:
    trace = run("bigram", temperature=1, params={"k": 0.5})
    for guess in guesses(trace):
        (table,) = guess.source.tables
        (own,) = (each for each in table.followers if each.token == guess.token)
        assert own.text == guess.text
        assert guess.q == pytest.approx((own.seen + 0.5) / (table.seen + 0.5 * trace.info.vocab_size))
        assert [each.seen for each in table.followers[:-1]] == sorted(
            (each.seen for each in table.followers[:-1]), reverse=True
        )


def test_the_contexts_of_a_phrase_come_longest_first_and_supply_no_more_than_q() -> None:
    made = guesses(run("ngram", temperature=1))
    assert any(table.own for guess in made for table in guess.source.tables), "this text is counted too"
    for guess in made:
        tables = guess.source.tables
        lengths = [table.context for table in tables]
        assert lengths == sorted(lengths, reverse=True)
        assert 0 < sum(table.share for table in tables) <= 1


def test_a_passage_of_the_library_ends_with_the_guess_behind_the_texts_own_end() -> None:
    trace = run("retrieval")
    text = [*trace.prompt, *trace.tokens]
    for step in trace.rounds:
        for guess in step.verdicts:
            passage = guess.source.passage
            assert passage
            assert (passage.tokens[-1], passage.texts[-1]) == (guess.token, guess.text)
            first = len(passage.tokens) - passage.copied
            matched = passage.tokens[first - passage.matched : first]
            assert list(matched) == text[step.position - passage.matched : step.position]


def test_a_remembered_guess_is_one_of_the_eight_at_its_rank() -> None:
    """The first guess of a place has the table, its siblings share it."""
    trace = run("recycling", temperature=0)
    assert guesses(trace)
    for step in trace.rounds:
        tables = {guess.parent: guess.source.tables for guess in reversed(step.verdicts)}
        for guess in step.verdicts:
            (table,) = tables[guess.parent]
            assert len(table.followers) == 8
            assert table.followers[guess.source.rank].token == guess.token


def test_a_rounded_weight_is_the_nearest_of_255_marks_to_the_targets_own() -> None:
    target = pairs.load("embedded", "cpu", "auto").target
    for guess in guesses(run("quantized")):
        rounding = guess.source.rounding
        assert rounding
        assert rounding.full
        step = rounding.largest / LARGEST
        assert np.abs(np.array(rounding.full) / step - rounding.rounded).max() <= 0.5 + 1e-3
        row = target.scorer(guess.token)  # type: ignore[attr-defined]
        assert np.abs(np.subtract.outer(rounding.full, row)).min(1).max() < 1e-6


def test_an_update_tells_what_it_moved_and_the_next_round_knows_it() -> None:
    trace = run("online", temperature=0)
    moved = [step.learning.moved for step in trace.rounds if step.learning and step.learning.moved]
    assert moved
    for each in moved:
        assert each.token in trace.tokens
        assert each.text
        assert each.before != each.after
    assert sum(abs(each.p - each.after) < abs(each.p - each.before) for each in moved) > len(moved) / 2


def test_a_timed_run_never_asks_where_its_guesses_came_from() -> None:
    class Asked:
        def with_sources(self, _: object) -> object:
            raise AssertionError("asked")

    made = proposal([], [])
    recorder = Recorder(lambda: 0.0, pairs.load("embedded", "cpu", "auto").target.new_cache(1), [], None)
    assert recorder.with_sources(Asked(), made) is made  # type: ignore[arg-type]
    assert Source("ngram").tables == ()
