"""The bench's arithmetic and its rivals: turns, ratios, counts of tokens. No time is asserted."""

from functools import partial
from itertools import count

import pytest
import torch
from transformers import GPT2Config, GPT2LMHeadModel

from specviz.bench.clock import Spread, TimedWork, in_turns, ratio
from specviz.bench.rivals import Rivals
from specviz.config.settings import RunConfig


def test_contestants_take_turns_part_by_part_and_the_first_lap_does_not_count() -> None:
    order: list[str] = []

    def work(name: str, part: int, lap: int) -> TimedWork:
        order.append(f"{name} {lap}.{part}")
        return TimedWork(4 - part, float(lap))

    works = {name: partial(work, name) for name in ("one", "other")}
    seconds = in_turns(works, 2, 3, lambda: order.append("|"))
    turns = ["0.0", *(f"{lap}.{part}" for lap in (1, 2, 3) for part in (0, 1))]
    assert order == [step for turn in turns for step in (f"one {turn}", "|", f"other {turn}", "|")]
    assert seconds == {"one": [2 / 7, 4 / 7, 6 / 7], "other": [2 / 7, 4 / 7, 6 / 7]}


def test_a_ratio_is_taken_lap_by_lap() -> None:
    assert ratio([2.0, 9.0, 4.0], [1.0, 3.0, 4.0]) == Spread(2.0, 1.0, 3.0)


@pytest.mark.parametrize("temperature", [0.0, 0.8])
def test_rivals_make_as_many_tokens_as_asked_and_are_timed_from_the_first_on(temperature: float) -> None:
    """Assisted, the first are as many as came of the pass that read the prompt."""
    torch.manual_seed(1)
    target, draft = (
        GPT2LMHeadModel(GPT2Config(vocab_size=60, n_embd=16, n_layer=layers, n_head=2, bos_token_id=0, eos_token_id=0))
        for layers in (2, 1)
    )
    config = RunConfig("", max_new_tokens=9, temperature=temperature)
    ticks = count()
    rivals = Rivals(target.eval(), draft.eval(), [[1, 2, 3], [4, 5]], config, lambda: float(next(ticks)))
    plain, *guessed = rivals.plain(0, 0), rivals.assisted(3, 1, 0), rivals.lookup(3, 1, 0)
    assert plain == TimedWork(8, 1.0)
    assert all(5 <= made.tokens <= 8 and made.seconds == 1.0 for made in guessed)
