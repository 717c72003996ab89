"""Heads on the target's hidden states: the law is exact, and every state stands where the head takes it to be."""

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest
import torch
from torch import Tensor, nn

from specviz import accept, loop
from specviz.draft import shapes
from specviz.law.chance import Chance, Seeded
from specviz.law.sampling import Sampling
from specviz.models.border import TorchCache
from specviz.proof.problems.run import problems
from specviz.trace.info import Reads
from tests import reference
from tests.battery.common import differences
from tests.enumerate_chance import law
from tests.laws.test_exact import EVERY_OUTCOME
from tests.opened import HEADS, Counting, Opened, drafter
from tests.tiny import decode, parts, tokens_of, traced
from tests.trees import Once

PROMPT = (0, 1)
WARM = Sampling(0.8)
TREE: Mapping[str, Any] = {"shape": "tree", "nodes": 4, "width": 2}
CHAIN: Mapping[str, Any] = {"shape": "chain"}
CASES = [
    ("rejection", CHAIN, 3),
    ("block", CHAIN, 3),
    ("coupled", CHAIN, 2),
    ("rejection", TREE, 3),
    ("traversal", TREE, 3),
]


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", HEADS)
@pytest.mark.parametrize(("rule", "params", "size"), CASES, ids=str)
def test_the_text_has_the_targets_law(name: str, rule: str, params: Mapping[str, Any], size: int) -> None:
    target = Opened(size, 1)

    def three(chance: Chance) -> tuple[int, ...]:
        made = parts(target, drafter(name, target, WARM, params), controller=Once(2), rule=accept.load(rule),
                     sampling=WARM, chance=chance)  # fmt: skip
        made = dataclasses.replace(made, piece=None)
        return tuple(tokens_of(decode(made, PROMPT, lambda done: len(tokens_of(done)) >= 3))[:3])

    assert list(differences(law(EVERY_OUTCOME[rule], three), reference.texts(target, PROMPT, WARM, 3))) == []


@pytest.mark.parametrize("name", HEADS)
@pytest.mark.parametrize("params", [CHAIN, TREE], ids=["chain", "tree"])
def test_greedy_text_is_plain_decodings(name: str, params: Mapping[str, Any]) -> None:
    target, greedy = Opened(6, 1), Sampling(0)
    made = parts(target, drafter(name, target, greedy, params), sampling=greedy, limit=40)
    wanted = list(PROMPT)
    while len(wanted) < 40:
        wanted.append(int(target.law(wanted).argmax()))
    assert [*PROMPT, *tokens_of(decode(made, PROMPT))] == wanted


@dataclasses.dataclass(frozen=True)
class Lone:
    """A head's shape, of numbers instead of states."""

    told: bool = False
    heads: int = 1
    dim: int = 1
    width: int = 1
    depth: int = 1
    block: int = 5
    layers: tuple[int, ...] = (1,)


class ShiftedEagle:
    """Reads the state of j with the token of j + 1, and foretells the state of j + 1."""

    shape, normed = Lone(), nn.Identity()

    def fused(self, states: Tensor) -> Tensor:
        return states[:, 0]

    def __call__(
        self, embedded: Tensor, state: Tensor, positions: Sequence[int], mask: Tensor | None, cache: TorchCache
    ) -> Tensor:
        assert torch.equal(embedded, state + 1), "a state is read with the token behind it"
        assert [*positions] == embedded[:, 0].tolist(), "at that token's position"
        cache.write(0, embedded[None], embedded[None])
        cache.advance(len(state))
        return state + 1


class ShiftedMedusa(nn.Module):
    """Head k reads the state before the pending token, and foretells the one k places behind that token."""

    shape = Lone(heads=4)

    def forward(self, head: int, states: Tensor, embedded: Tensor) -> Tensor:
        known = embedded[..., 0] - states[..., :1, 0]
        assert (known == torch.arange(1, known.shape[-1] + 1)).all(), "the tokens behind the state"
        assert known.shape[-1] == (head + 1 if self.shape.told else 1)
        return states[..., -1, :] + 1 + head


class ShiftedHydra(ShiftedMedusa):
    shape = Lone(heads=4, told=True)


class ShiftedDFlash(nn.Module):
    """A block begins with the pending token, and sees all states before it."""

    shape = Lone()

    def fused(self, states: Tensor) -> Tensor:
        return states[:, 0]

    def remembered(self, fused: Tensor, positions: Tensor) -> list[tuple[Tensor, Tensor]]:
        assert positions.tolist() == fused[:, 0].tolist(), "a state stands at its own position"
        return [(fused[None], fused[None])]

    def forward(self, embedded: Tensor, positions: Tensor, attend: Callable[..., Tensor]) -> Tensor:
        assert positions.tolist() == [*range(int(embedded), int(embedded) + self.shape.block)]
        zeros, last = torch.zeros(1, 1, 1, dtype=torch.float64), float(embedded)
        mean = float(attend(0, zeros, zeros, zeros))
        assert mean * (last + 1) == pytest.approx(last * (last - 1) / 2), "every state before it, and the block's own"
        return positions[:-1, None].double()


SHIFTED = {
    "medusa": ShiftedMedusa, "hydra": ShiftedHydra, "eagle": ShiftedEagle, "mtp": ShiftedEagle, "dflash": ShiftedDFlash,
}  # fmt: skip


@pytest.mark.parametrize("name", HEADS)
def test_states_stand_where_a_head_takes_them_to_be(name: str) -> None:
    """On a text of numbers every state is its own position, so every guess is right, and a cache counts."""
    target = Counting(60, 1)
    made_by = drafter(name, target, Sampling(0), CHAIN, SHIFTED[name]())
    made = parts(target, made_by, gamma=4, sampling=Sampling(0), chance=Seeded(0), limit=50)
    cache, text = loop.prefill(made, PROMPT), list(PROMPT)
    for step in loop.rounds(made, PROMPT, cache):
        text += step.tokens
        for own in made_by.caches:
            assert own.cache.slots[0, 0, 0, : own.cache.length, 0].tolist() == [*range(own.cache.length)]
        assert len(step.path) == step.budget.depth, "all that was guessed is right"
    assert text == [*range(50)]


def test_a_tree_gets_its_guesses_where_they_are_likeliest_to_be_reached() -> None:
    rates = ((0.6, 0.3), (0.5, 0.2), (0.5,))
    assert shapes.written(shapes.grown(5, rates)) == "(2)(1,1)(1)"
    assert shapes.size(shapes.grown(40, rates)) == 10, "all there are"
    assert shapes.grown(3, ()) == ()


def test_a_trace_that_contradicts_itself_about_heads_has_problems() -> None:
    target = Opened(6, 1)
    trace = traced(target, PROMPT, drafter=drafter("eagle", target, WARM, CHAIN), sampling=WARM, chance=Seeded(3))
    assert problems(trace) == []
    assert trace.info.heads is not None
    heads, (first, *others) = trace.info.heads, trace.rounds
    state = first.imagined[0]
    for wrong in (
        dataclasses.replace(heads, layers=(2, 1)),
        dataclasses.replace(heads, layers=(1, 9)),
        dataclasses.replace(heads, places=1),
        dataclasses.replace(heads, reads=Reads.BLOCK),
        None,
    ):
        assert problems(dataclasses.replace(trace, info=dataclasses.replace(trace.info, heads=wrong)))
    for states in (
        (),
        (state, *first.imagined),
        (dataclasses.replace(state, likeness=1.5), *first.imagined[1:]),
        (dataclasses.replace(state, own=state.own[1:]), *first.imagined[1:]),
    ):
        step = dataclasses.replace(first, imagined=states)
        assert problems(dataclasses.replace(trace, rounds=(step, *others)))
