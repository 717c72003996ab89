"""Count tables: the laws against slow readings of their formulas, one run's own text, fitted parameters, the file."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from specviz.models.counts import archive
from specviz.models.counts.table import ORDER, CountTable, Online, Parameters
from specviz.train.counts import WINDOW, _Trials, fit_parameters

VOCAB = 6
PARAMETERS = Parameters(
    k=0.3,
    discounts=((0.5, 0.7, 1.2), (0.6, 1.1, 1.9), (1.0, 1.5, 2.0), (0.4, 1.6, 3.0)),
    weights=(2.0, 3.0, 1.0, 0.5, 4.0),
)
PRUNED = (1, 1, 2, 2, 3)

streams = st.lists(st.lists(st.integers(0, VOCAB - 1), max_size=40), min_size=1, max_size=3).filter(any)
own_texts = st.lists(st.integers(0, VOCAB - 1), max_size=20)


def table_of(texts: Sequence[Sequence[int]], minimum: tuple[int, ...] = (1,) * ORDER) -> CountTable:
    return replace(CountTable.fit([np.array(text, int) for text in texts], VOCAB, minimum), parameters=PARAMETERS)


def random_streams(vocab: int, length: int, seed: int = 0) -> list[np.ndarray]:
    dice = np.random.default_rng(seed)
    return [(dice.random(length) ** 3 * vocab).astype(np.uint32) for _ in range(3)]


def grams(texts: Sequence[Sequence[int]], order: int) -> Counter[tuple[int, ...]]:
    return Counter(tuple(text[at : at + order]) for text in texts for at in range(len(text) - order + 1))


def slow_ngram(
    texts: Sequence[Sequence[int]], own: Sequence[int], minimum: Sequence[int], context: Sequence[int]
) -> list[float]:
    """The docstring of Online.ngram, read literally, one token at a time."""
    k, discounts, weights = PARAMETERS

    def keep(x: float, d: Sequence[float]) -> float:
        ruler = (0.0, *d)
        low = min(int(x), 3)
        return x - ruler[low] if low == 3 else x - ruler[low] - (x - low) * (ruler[low + 1] - ruler[low])

    counts, own_counts = grams(texts, 1), grams([own], 1)
    total = counts.total() + weights[0] * own_counts.total()
    law = [(counts[(w,)] + weights[0] * own_counts[(w,)] + k) / (total + k * VOCAB) for w in range(VOCAB)]
    for length in range(1, min(len(context), 4) + 1):
        last, weight = tuple(context[-length:]), weights[length]
        all_counts, own_counts = grams(texts, length + 1), grams([own], length + 1)
        corpus_seen = sum(all_counts[(*last, w)] for w in range(VOCAB))
        if grams(texts, length)[last] < minimum[length - 1]:
            corpus_seen = 0
        total = corpus_seen + weight * sum(own_counts[(*last, w)] for w in range(VOCAB))
        if total == 0:
            continue
        kept = []
        for w in range(VOCAB):
            count = all_counts[(*last, w)]
            kept.append(
                keep(
                    (count if count >= minimum[length] else 0) + weight * own_counts[(*last, w)], discounts[length - 1]
                )
            )
        law = [kept[w] / total + (1 - sum(kept) / total) * law[w] for w in range(VOCAB)]
    return law


@given(streams, st.floats(1e-3, 10))
def test_the_bigram_law_is_the_textbook_formula(texts: list[list[int]], k: float) -> None:
    table = table_of(texts)
    tokens, pairs = grams(texts, 1), grams(texts, 2)
    for a in range(VOCAB):
        seen = sum(pairs[(a, b)] for b in range(VOCAB))
        wanted = [
            (pairs[(a, b)] + k) / (seen + k * VOCAB) if seen else (tokens[(b,)] + k) / (tokens.total() + k * VOCAB)
            for b in range(VOCAB)
        ]
        np.testing.assert_allclose(table.bigram(a, k), wanted, rtol=1e-12)
        found = table.followers((a,))
        assert found.seen == seen
        assert {(a, b): c for b, c in zip(found.tokens, found.counts, strict=True)} == {
            p: c for p, c in pairs.items() if p[0] == a
        }


@given(streams, own_texts, st.sampled_from([(1,) * ORDER, PRUNED]), st.data())
def test_the_ngram_law_is_its_formula(
    texts: list[list[int]], own: list[int], minimum: tuple[int, ...], data: st.DataObject
) -> None:
    online = Online(table_of(texts, minimum))
    online.extend(own)
    source = data.draw(st.sampled_from([text for text in [*texts, own] if text]))
    start = data.draw(st.integers(0, len(source) - 1))
    context = source[start : start + data.draw(st.integers(0, 6))]
    law = online.ngram(context)
    np.testing.assert_allclose(law.probs, slow_ngram(texts, own, minimum, context), rtol=1e-9)


def test_one_runs_text_never_reaches_the_table_or_another_run() -> None:
    table = table_of([[0, 1, 2, 3, 0, 1, 2, 4]])
    before = Online(table).ngram([0, 1, 2]).probs
    first, second = Online(table), Online(table)
    first.extend([0, 1, 2, 5, 0, 1, 2, 5])
    first.ngram([0, 1, 2]).probs[:] = 0
    assert (second.ngram([0, 1, 2]).probs == before).all()
    for level in table.levels:
        for array in level:
            with pytest.raises(ValueError, match="read-only"):
                array[0] = 9


def test_wrong_input_is_refused_with_the_value_in_the_message() -> None:
    table = table_of([[0, 1]])
    with pytest.raises(ValueError, match=r"\[0, 6\)"):
        table_of([[0, 6]])
    with pytest.raises(ValueError, match="got 0 tokens"):
        table_of([[]])
    with pytest.raises(ValueError, match=r"minimum .* got \(1, 2, 2, 2, 2\)"):
        table_of([[0, 1]], (1, 2, 2, 2, 2))
    with pytest.raises(ValueError, match="got -1"):
        Online(table).extend([-1])
    with pytest.raises(ValueError, match=r"got \[9\]"):
        Online(table).ngram([9])
    with pytest.raises(ValueError, match="got 0"):
        table.bigram(0, 0)
    with pytest.raises(ValueError, match="k=-1"):
        Parameters(k=-1).check()
    with pytest.raises(ValueError, match="at least one stream"):
        fit_parameters(table, [np.array([1])])


def mean_losses(table: CountTable, text: Sequence[int]) -> tuple[float, float]:
    """Nats per token of the bigram and the n-gram law, every run of WINDOW tokens starting afresh."""
    bigram, ngram = [], []
    for begin in range(0, len(text) - 1, WINDOW):
        online, run = Online(table), text[begin : begin + WINDOW + 1]
        for at in range(1, len(run)):
            online.extend(run[at - 1 : at])
            bigram.append(-math.log(table.bigram(run[at - 1])[run[at]]))
            ngram.append(-math.log(online.ngram(run[max(0, at - 4) : at]).probs[run[at]]))
    return float(np.mean(bigram)), float(np.mean(ngram))


def test_the_fitted_loss_is_the_loss_of_the_laws() -> None:
    texts = random_streams(40, 600)
    table = replace(CountTable.fit(texts[:1], 40, PRUNED), parameters=PARAMETERS)
    trials = _Trials(table, texts[1:])
    told = trials.bigram_loss(PARAMETERS.k), trials.loss(PARAMETERS)
    wanted = np.mean([mean_losses(table, text.tolist()) for text in texts[1:]], 0)
    np.testing.assert_allclose(told, wanted, rtol=1e-9)


def random_table(vocab: int, length: int) -> CountTable:
    dice = np.random.default_rng(0)
    streams = [(dice.random(size) ** 3 * vocab).astype(np.uint32) for size in (length, 0, 1, length)]
    return replace(CountTable.fit(streams, vocab), parameters=PARAMETERS)


def assert_equal(one: CountTable, two: CountTable) -> None:
    assert (one.vocab_size, one.parameters) == (two.vocab_size, two.parameters)
    for left, right in zip(one.levels, two.levels, strict=True):
        for a, b in zip(left, right, strict=True):
            assert a.dtype == b.dtype
            assert np.array_equal(a, b)


@pytest.mark.parametrize(("vocab", "length"), [(5, 3000), (300, 3000), (70_000, 3000), (5, 1)])
def test_a_saved_table_comes_back_whole_and_to_the_byte(vocab: int, length: int, tmp_path: Path) -> None:
    table = random_table(vocab, length)
    archive.save(table, tmp_path / "one.npz")
    again = archive.load(tmp_path / "one.npz")
    archive.save(again, tmp_path / "two.npz")
    assert (tmp_path / "one.npz").read_bytes() == (tmp_path / "two.npz").read_bytes()
    assert_equal(table, again)


def test_a_damaged_file_is_named_in_the_error(tmp_path: Path) -> None:
    path = tmp_path / "counts.npz"
    table = random_table(6, 120)
    archive.save(table, path)
    whole = path.read_bytes()
    damaged = [b"", b"not a table", whole[: len(whole) // 2]]
    damaged += [whole[:at] + bytes([whole[at] ^ 0xFF]) + whole[at + 1 :] for at in range(0, len(whole), 97)]
    reasons = []
    for data in damaged:
        path.write_bytes(data)
        try:
            again = archive.load(path)
        except ValueError as error:
            reasons.append(str(error))
        else:  # dates and file attributes in the archive mean nothing
            assert_equal(again, table)
    assert len(reasons) > len(damaged) / 2
    assert all("counts.npz is not a readable count table" in reason for reason in reasons)


def test_a_foreign_file_is_named_in_the_error(tmp_path: Path) -> None:
    path = tmp_path / "counts.npz"
    np.savez_compressed(path, weights=np.zeros(3))
    with pytest.raises(ValueError, match=r"counts\.npz is not a readable count table"):
        archive.load(path)
    archive.save(replace(random_table(6, 120), parameters=PARAMETERS._replace(k=-1)), path)
    with pytest.raises(ValueError, match=r"counts\.npz is not a readable count table .*k=-1"):
        archive.load(path)
    with pytest.raises(FileNotFoundError):
        archive.load(tmp_path / "absent.npz")
