"""Penalties, bans and filters inside a run: the law of what comes out is the target's, with every guess counted.

What the target's law is, transformers' own processors say, token by token.
"""

from collections.abc import Callable, Sequence

import numpy as np
import pytest

from specviz import accept, loop
from specviz.config.settings import resolve_params
from specviz.draft import entry
from specviz.draft.base import Drafter, Resources
from specviz.draft.prompt_lookup import PromptLookup
from specviz.draft.small_model import SmallModel
from specviz.draft.small_tree import SmallTree
from specviz.loop import Parts
from specviz.sampling import distribution as engine
from specviz.sampling.arrays import Bools
from specviz.sampling.chance import At, Chance, Noise, Purpose
from specviz.sampling.distribution import Sampling
from specviz.sampling.processors import Processors
from tests.battery.common import differences
from tests.enumerate_chance import Branching
from tests.tiny import TableModel, decode, parts, tokens_of
from tests.trees import Once, written

torch = pytest.importorskip("torch", reason="there is no torch here")
process = pytest.importorskip("transformers.generation.logits_process", reason="there is no transformers here")

PROMPT, SIZE = (0, 1, 1), 3
TARGET = TableModel(SIZE, 1, spread=0.8)
Text = tuple[int, ...]


class Alternating:
    """A grammar's stand-in: no token follows itself."""

    def allowed(self, written: Sequence[int]) -> Bools:
        return np.arange(SIZE) != (written[-1] if written else PROMPT[-1])


def others(_: int, ids: Sequence[int]) -> list[int]:
    return [each for each in range(SIZE) if each != ids[-1]]


CASES: dict[str, tuple[Sampling, Callable[[], list]]] = {  # type: ignore[type-arg]
    "repetition": (
        Sampling(0.7, processors=Processors(repetition=1.8)),
        lambda: [process.RepetitionPenaltyLogitsProcessor(1.8), process.TemperatureLogitsWarper(0.7)],
    ),
    "no two tokens twice": (
        Sampling(processors=Processors(no_repeat=2)),
        lambda: [process.NoRepeatNGramLogitsProcessor(2)],
    ),
    "bad words": (
        Sampling(processors=Processors(banned=((0, 1), (1, 2, 2)))),
        lambda: [process.NoBadWordsLogitsProcessor([[0, 1], [1, 2, 2]])],
    ),
    "least written": (
        Sampling(processors=Processors(min_new=2, ends=(1,), prompt=len(PROMPT))),
        lambda: [process.MinNewTokensLengthLogitsProcessor(len(PROMPT), 2, [1])],
    ),
    "suppressed first": (
        Sampling(processors=Processors(suppressed_first=(0,), prompt=len(PROMPT))),
        lambda: [process.SuppressTokensAtBeginLogitsProcessor([0], len(PROMPT))],
    ),
    "all, and filters": (
        Sampling(0.8, 0, 0.95, 0.2, 0.9, Processors(repetition=1.4, banned=((0, 2),))),
        lambda: [
            process.RepetitionPenaltyLogitsProcessor(1.4),
            process.NoBadWordsLogitsProcessor([[0, 2]]),
            process.TemperatureLogitsWarper(0.8),
            process.TopPLogitsWarper(0.95),
            process.MinPLogitsWarper(0.2),
            process.TypicalLogitsWarper(0.9),
        ],
    ),
    "a mask": (
        Sampling(processors=Processors(mask=Alternating(), prompt=len(PROMPT))),
        lambda: [process.PrefixConstrainedLogitsProcessor(others, 1)],
    ),
}


def wanted(made: Callable[[], list], length: int) -> dict[Text, float]:  # type: ignore[type-arg]
    """The law of the target's own next tokens, through transformers' processors."""
    found: dict[Text, float] = {(): 1.0}
    for _ in range(length):
        longer: dict[Text, float] = {}
        for text, weight in found.items():
            ids = [*PROMPT, *text]
            scores = torch.from_numpy(TARGET.law(ids))[None]
            for processor in made():
                scores = processor(torch.tensor([ids]), scores)
            shares = scores[0].softmax(-1).tolist()
            longer |= {(*text, token): weight * share for token, share in enumerate(shares) if share}
        found = longer
    return found


def chain(sampling: Sampling) -> Drafter:
    draft = TableModel(SIZE, 2, spread=0.8)
    return SmallModel(draft, Resources(sampling, SIZE, 64, draft))


def tree(sampling: Sampling) -> Drafter:
    draft = TableModel(SIZE, 2, spread=0.8)
    return SmallTree(draft, resolve_params(entry("small-tree"), {"shape": "2,1"}), Resources(sampling, SIZE, 64, draft))


def found(
    sampling: Sampling, drafter: Callable[[Sampling], Drafter], rule: str, length: int, q: Sampling | None = None
) -> dict[Text, float]:
    """The exact law of the first tokens of a run, every outcome tried. q: how the drafter samples, if not likewise."""

    def made(chance: Chance) -> Parts:
        drafts, judge = drafter(q or sampling), accept.load(rule)
        return parts(TARGET, drafts, controller=Once(2), rule=judge, sampling=sampling, chance=chance)

    return written(Branching, made, PROMPT, length)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("rule", ["rejection", "block", "traversal"])
@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("drafter", [chain, tree], ids=["chain", "tree"])
def test_the_law_is_that_of_transformers_processors(
    case: str, rule: str, drafter: Callable[[Sampling], Drafter]
) -> None:
    sampling, made = CASES[case]
    assert list(differences(found(sampling, drafter, rule, 3), wanted(made, 3))) == []


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("drafter", [chain, tree], ids=["chain", "tree"])
def test_under_shared_noise_the_text_is_plain_decodings(case: str, drafter: Callable[[Sampling], Drafter]) -> None:
    sampling, _ = CASES[case]
    for seed in range(6):
        noise, text = Noise(seed), list(PROMPT)
        made = parts(TARGET, drafter(sampling), rule=accept.load("coupled"), sampling=sampling, chance=Noise(seed))
        written = tokens_of(decode(made, PROMPT, lambda done: len(tokens_of(done)) >= 3))
        for token in written:
            probs = engine.row(TARGET.law(text), sampling, text)
            assert token == noise.pick(probs, At(len(text), Purpose.BONUS)).token
            text.append(token)


def test_copied_guesses_count_too() -> None:
    sampling, made = CASES["repetition"]
    copied = found(sampling, lambda warm: PromptLookup(1, 2, Resources(warm, SIZE, 64)), "rejection", 3)
    assert list(differences(copied, wanted(made, 3))) == []


@pytest.mark.sampled(2)
@pytest.mark.parametrize("rule", ["rejection", "block", "traversal"])
@pytest.mark.parametrize("drafter", [chain, tree], ids=["chain", "tree"])
def test_a_penalty_on_p_alone_costs_guesses_and_not_the_law(rule: str, drafter: Callable[[Sampling], Drafter]) -> None:
    """q may be anything, as long as it is what the guess was drawn from."""
    sampling, made = CASES["repetition"]
    assert list(differences(found(sampling, drafter, rule, 3, Sampling(0.7)), wanted(made, 3))) == []


@pytest.mark.parametrize("case", ["repetition", "no two tokens twice", "bad words", "all, and filters", "a mask"])
def test_a_penalty_that_counts_committed_tokens_alone_is_found(case: str, monkeypatch: pytest.MonkeyPatch) -> None:
    sampling, made = CASES[case]
    monkeypatch.setattr(loop, "rows", lambda logits, how, text, tree: engine.rows(logits, how, text))
    assert list(differences(found(sampling, chain, "rejection", 2), wanted(made, 2)))
