"""A race on the clock: what it times, and that it can be left in the middle."""

import itertools

from specviz import session
from specviz.config.settings import RunConfig
from specviz.lab.race import LAPS, race

CONFIG = RunConfig("Once upon a time", drafter="bigram", max_new_tokens=8)


def test_a_race_gives_signs_of_life_while_its_clock_stands() -> None:
    seconds = itertools.count()
    expected = list(session.start(CONFIG))
    *signs, found = race(CONFIG, expected, clock=lambda: float(next(seconds)))
    assert signs == [None] * (LAPS + 1) * (len(expected) + 1 + CONFIG.max_new_tokens + 1)
    assert found is not None
    assert found.passes == (1e3,) * CONFIG.max_new_tokens, (
        "a second each, as the clock says, however long anybody looked"
    )
    assert found.laps == (1e3 * len(expected),) * LAPS
    assert found.plain_laps == (1e3 * CONFIG.max_new_tokens,) * LAPS
    assert len(found.rounds) == len(expected)
    assert len(found.tokens) == len(found.texts) == CONFIG.max_new_tokens
