"""Which shape of a drawn tree brings most: how often a place's first guess stands, its second, and so on."""

from collections.abc import Iterator, Sequence, Set

from specviz import session
from specviz.accept.base import Judgement
from specviz.accept.rejection import Rejection
from specviz.arrays import Floats
from specviz.chance import Chance
from specviz.config import RunConfig
from specviz.draft import shapes
from specviz.draft.base import Proposal
from specviz.draft.shapes import Rates
from specviz.models.pair import Pair
from specviz.train.card import beginnings
from specviz.train.corpus import Genre

WIDEST = 8
PROMPTS = 16
LENGTH = 48


class _Watched(Rejection):
    """Decides as ever, and adds up the chance of every guess at the pending token to be the one that stands."""

    def __init__(self) -> None:
        self.places = 0
        self.stand = [0.0] * WIDEST

    def judge(
        self, proposal: Proposal, p: Sequence[Floats], position: int, ends: Set[int], chance: Chance
    ) -> Judgement:
        law, left = p[0], 1.0
        for rank, (guess, q) in enumerate(zip(proposal.guesses, proposal.laws, strict=True)):
            keeps = self.accept_prob(law, q, guess.token)
            self.stand[rank] += left * keeps
            left *= 1 - keeps
            if not left:
                break
            law, _ = self.residual(law, q)
        self.places += bool(proposal.guesses)
        return super().judge(proposal, p, position, ends, chance)


def rates(pair: Pair, genres: Sequence[Genre]) -> Rates:
    """By rank, of the small model's guesses behind held-out text, drawn without replacement at temperature 0.8."""
    watched = _Watched()
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
            for _ in session.start(config, pair, watched, shown=False):
                pass
    return tuple(round(chance / watched.places, 4) for chance in watched.stand)


def told(found: Rates, nodes: int, depth: int) -> Iterator[str]:
    """The rates, and the best shape of so many guesses, so deep at most, as small-tree takes it."""
    yield f"a place's guesses stand, the first, the second, ...: {', '.join(f'{rate:.3f}' for rate in found)}"
    tokens, plan = shapes.best(nodes, depth, found)
    yield f"{nodes} guesses, {depth} deep: shape {shapes.written(plan)}, {tokens:.2f} tokens a round expected"
