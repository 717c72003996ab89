"""Measures how often a node's first, second, ... sampled child is accepted, and finds the best shape of a tree."""

from collections.abc import Iterator, Sequence, Set

from specviz import session
from specviz.accept.base import Judgement
from specviz.accept.rejection import Rejection
from specviz.config.settings import RunConfig
from specviz.draft import shapes
from specviz.draft.base import Proposal
from specviz.draft.shapes import Rates
from specviz.models.pair import Pair
from specviz.sampling.arrays import Floats
from specviz.sampling.chance import Chance
from specviz.train.card import beginnings
from specviz.train.corpus import Genre

WIDEST = 8
PROMPTS = 16
LENGTH = 48


class _RateCounter(Rejection):
    """Judges like `Rejection`. For each guess after the pending token, adds up the chance that it is the accepted one.

    chances: summed by the guess's rank among its siblings. rounds: how many rounds were summed.
    """

    def __init__(self) -> None:
        self.rounds = 0
        self.chances = [0.0] * WIDEST

    def judge(
        self, proposal: Proposal, p: Sequence[Floats], position: int, ends: Set[int], chance: Chance
    ) -> Judgement:
        target, left = p[0], 1.0
        for rank, (guess, q) in enumerate(zip(proposal.guesses, proposal.q, strict=True)):
            accepts = self.accept_prob(target, q, guess.token)
            self.chances[rank] += left * accepts
            left *= 1 - accepts
            if not left:
                break
            target, _ = self.residual(target, q)
        self.rounds += bool(proposal.guesses)
        return super().judge(proposal, p, position, ends, chance)


def rates(pair: Pair, genres: Sequence[Genre]) -> Rates:
    """How often the small model's guess of each rank is accepted, on held-out text.

    The guesses are sampled without replacement at temperature 0.8.
    """
    counter = _RateCounter()
    for genre in genres:
        for seed, prompt in enumerate(beginnings(pair, genre, PROMPTS)):
            config = RunConfig(
                prompt,
                drafter="small-tree",
                params={"shape": str(WIDEST)},
                gamma=1,
                seed=seed,
                max_new_tokens=LENGTH,
            )
            for _ in session.start(config, pair, counter, shown=False):
                pass
    return tuple(round(chance / counter.rounds, 4) for chance in counter.chances)


def report(measured: Rates, nodes: int, depth: int) -> Iterator[str]:
    """The rates, and the best shape of at most `nodes` guesses and `depth` levels, as `small-tree` takes it."""
    yield f"a node's first, second, ... guess is accepted: {', '.join(f'{rate:.3f}' for rate in measured)}"
    tokens, plan = shapes.best(nodes, depth, measured)
    yield f"{nodes} guesses, {depth} deep: shape {shapes.written(plan)}, {tokens:.2f} tokens a round expected"
