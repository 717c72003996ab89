"""Made-up times: a machine's, and a race's."""

from collections.abc import Sequence

from specviz.lab.measured import Batch, Roofline
from specviz.trace.round import Round
from specviz.trace.run import Race

MACHINE = Roofline(
    "a made-up machine", "cpu", "float32", 1, 32 << 20, 40_000_000, 20_000_000, 20e9, 25e9, 50e9, 128,
    (1, 2, 4, 8, 16, 32),
    ((2.0, 2.0, 2.4), (2.0, 2.1, 2.2), (2.0, 2.0, 2.2), (2.1, 2.2, 2.3), (3.9, 4.0, 4.1), (7.6, 7.8, 8.0)),
    4, tuple(Batch(rows, (2.0 + rows,), (2.0 + 3 * rows,), (0.2 + 0.1 * rows,)) for rows in (1, 2, 4, 8, 16, 32)), 8, 8,
)  # fmt: skip

TIMES = (2.0, 0.1, 0.1, 0.1)
"""Milliseconds of a round: its pass, accepting, trimming and the rest."""


def made_up_race(rounds: Sequence[Round], words: Sequence[str]) -> Race:
    """Two lanes on one clock: the run's own times, and a plain pass of 2 ms for each of its tokens."""
    timings = tuple(step.timing for step in rounds)
    total = sum(each.whole for each in timings)
    tokens = tuple(index % len(words) for index in range(sum(len(step.tokens) for step in rounds)))
    passes = (2.0,) * len(tokens)
    plain = sum(passes)
    return Race(
        timings, passes, tokens, tuple(words[token] for token in tokens),
        (total, total * 1.05, total * 0.95), (plain * 1.1, plain, plain * 0.9),
    )  # fmt: skip
