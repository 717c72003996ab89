"""The distribution of what is written, every outcome enumerated."""

from collections.abc import Iterator

from specviz.accept import block, traversal
from specviz.accept.rejection import Rejection
from specviz.loop import Parts
from specviz.sampling.distribution import Sampling
from tests import reference, trees
from tests.battery.common import CUT, PROMPT, WARM, differences, models
from tests.enumerate_chance import Branching, law
from tests.tiny import TableModel, decode, parts


def law_of_a_round() -> Iterator[str]:
    """Accepted with min(p, q), resampled with max(0, p - q), bonus with p: all of it jointly, to rounding."""
    target, draft = models()
    for kind in (CUT, WARM):

        def one(chance: Branching, kind: Sampling = kind) -> reference.Outcome:
            made = parts(target, draft=draft, gamma=2, sampling=kind, chance=chance, limit=9)
            (step,) = decode(made, PROMPT, lambda _: True)
            assert step.extra
            return step.tokens[:-1], step.extra.emission.value, step.extra.token

        yield from differences(law(Branching, one), reference.rounds(target, draft, PROMPT, kind, 2))


def law_after_one_token() -> Iterator[str]:
    """A prompt of one token, gamma 0 and 1: the law of two tokens all the same."""
    target, draft = models(3)
    for gamma in (0, 1):

        def made(chance: Branching, gamma: int = gamma) -> Parts:
            return parts(target, draft=draft, gamma=gamma, sampling=WARM, chance=chance, limit=9)

        yield from trees.unlawful(Branching, made, (2,), 2)


def law_of_a_block() -> Iterator[str]:
    """All three tokens of two guesses weighed together, five tokens to choose from in laws that are not far apart."""
    target, draft = TableModel(5, 1, spread=0.6), TableModel(5, 2, spread=0.6)

    def made(chance: Branching) -> Parts:
        return parts(target, draft=draft, controller=trees.Once(2), rule=block.RULE, sampling=WARM, chance=chance)

    yield from trees.unlawful(Branching, made, PROMPT, 3)


def law_of_a_weighed_tree() -> Iterator[str]:
    """All tokens of two guesses at each of two places, weighed together; drawn anew, and without replacement."""
    target, draft = TableModel(3, 1, spread=0.8), TableModel(3, 4, spread=0.8)
    for how in ("i.i.d.", "without replacement"):

        def made(chance: Branching, how: str = how) -> Parts:
            drafter = trees.Grown([draft], (-1, 0, 0, -1), how, WARM)
            return parts(target, drafter, controller=trees.Once(2), rule=traversal.RULE, sampling=WARM, chance=chance)

        yield from trees.unlawful(Branching, made, (0, 0), 3)


def law_behind_a_tree() -> Iterator[str]:
    """Two children without replacement, and a child of each."""
    for shape, size in (("2", 5), ("2,1", 3)):
        yield from trees.unlawful_behind(Rejection(), shape, "without replacement", size, WARM)
