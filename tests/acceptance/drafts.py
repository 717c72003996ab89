"""Tokens per target pass: guesses judged one by one or together, copies of repeating texts, and trees.

`python -m tests.acceptance.drafts` prints the tables. With `--corpus FOLDER` it prints only the table of trees, on text
held out of training. With `--floors` it prints what each way to guess must reach beside what it reaches; with
`--floors DRAFTER` only that one.
Nothing here is timed.
"""

import argparse
from collections.abc import Iterator, Sequence, Set
from itertools import chain
from pathlib import Path

import numpy as np

from specviz import session
from specviz.accept.base import Judgement
from specviz.accept.block import Block
from specviz.accept.rejection import Rejection
from specviz.bench.prompts import PROMPTS
from specviz.config.settings import RunConfig
from specviz.draft.base import Proposal
from specviz.models import pair as pairs
from specviz.models.pair import Pair
from specviz.sampling.arrays import Floats
from specviz.sampling.chance import Chance, Seeded
from specviz.train.card import beginnings
from specviz.train.corpus import read_genres
from tests.acceptance import floors

GAMMAS = (4, 6, 8, 10)
SEEDS = 3
LONG = 192
"""Tokens of a run that copies. A greedy text this long repeats itself."""
REPEATING = {
    "lines of JSON": (
        "".join(f'    "{key}": "{key}",\n' for key in ("name", "kind", "size", "type", "text", "line", "file", "path")),
    ),
    "a play's answers": ("KING:\nWhat is thy name?\n\nSERVANT:\nMy name is Tom, my lord.\n\n" * 5,),
    "a song": ("Row, row, row the boat,\nGently down the stream.\n" * 6,),
}


class ExpectedAccepted(Rejection):
    """Judges like `Rejection`, and sums how many guesses of each draft rejection and block are expected to accept.

    Attributes:
        one_by_one, together: the sums under rejection and under block, over rounds of exactly gamma guesses.
        rounds: the number of these rounds.
    """

    def __init__(self, gamma: int) -> None:
        self._gamma = gamma
        self.one_by_one = self.together = 0.0
        self.rounds = 0

    def judge(
        self, proposal: Proposal, p: Sequence[Floats], position: int, ends: Set[int], chance: Chance
    ) -> Judgement:
        if len(proposal.guesses) == self._gamma and not ends:
            drawn = zip(p, proposal.q, proposal.tree.tokens, strict=False)
            ratios = [self.accept_prob(row, q, token) for row, q, token in drawn]
            self.one_by_one += float(np.cumprod(ratios).sum())
            tests = Block().judge(proposal, p, position, ends, Seeded(0)).tests
            falls = np.array([1 - test.accept_prob for test in tests if test])
            self.together += float((1 - np.cumprod(falls[::-1])).sum())  # P(some later guess is accepted)
            self.rounds += 1
        return super().judge(proposal, p, position, ends, chance)


def weighed(pair: Pair, prompts: Sequence[str], gamma: int) -> ExpectedAccepted:
    """The expectations for the small model's drafts, after every prompt, at temperature 0.8."""
    expected = ExpectedAccepted(gamma)
    for prompt in prompts:
        for seed in range(SEEDS):
            config = RunConfig(prompt, gamma=gamma, seed=seed, max_new_tokens=floors.LENGTH)
            for _ in session.start(config, pair, expected, shown=False):
                pass
    return expected


def copied(pair: Pair, drafter: str, shape: str, prompt: str, gamma: int = 8) -> float:
    """Tokens per target pass at temperature 0."""
    params = {"shape": shape} if shape else {}
    config = RunConfig(prompt, drafter=drafter, params=params, gamma=gamma, temperature=0, max_new_tokens=LONG)
    return floors.tokens_per_pass(list(session.start(config, pair, shown=False)))


def table(pair: Pair) -> Iterator[str]:
    """Both tables in Markdown, line by line."""
    yield "| text | γ | rejection | block, same drafts | gain |"
    yield "|---|---|---|---|---|"
    for genre, prompts in PROMPTS.items():
        for gamma in GAMMAS:
            rates = weighed(pair, prompts, gamma)
            one, both = (1 + each / rates.rounds for each in (rates.one_by_one, rates.together))
            yield f"| {genre} | {gamma} | {one:.2f} | {both:.2f} | {both / one - 1:+.1%} |"
    yield ""
    yield "| text, T = 0, γ 8 | prompt-lookup | suffix | suffix, tree |"
    yield "|---|---|---|---|"
    for name, texts in (*REPEATING.items(), *PROMPTS.items()):
        means = [
            sum(copied(pair, drafter, shape, prompt) for prompt in texts) / len(texts)
            for drafter, shape in (("prompt-lookup", ""), ("suffix", "chain"), ("suffix", "tree"))
        ]
        yield f"| {name} | " + " | ".join(f"{mean:.2f}" for mean in means) + " |"


def main() -> None:
    """Prints the tables."""
    parser = argparse.ArgumentParser(prog="python -m tests.acceptance.drafts")
    parser.add_argument("--corpus", type=Path, help="what the pair was trained on: trees on what was held out of it")
    parser.add_argument("--prompts", type=int, default=12, help="of each genre of it")
    parser.add_argument(
        "--floors", nargs="?", const="", metavar="DRAFTER", help="only what must be reached, beside what is"
    )
    choices = parser.parse_args()
    pair = pairs.load("embedded", "cpu", "auto")
    prompts: dict[str, Sequence[str]] = dict(PROMPTS)
    if choices.corpus:
        genres = read_genres(choices.corpus)
        prompts = {genre.name: [*beginnings(pair, genre, choices.prompts)] for genre in genres}
    only_floors = choices.floors is not None
    lines = floors.table(pair, prompts, choices.floors) if only_floors else floors.trees(pair, prompts)
    for line in lines if choices.corpus or only_floors else chain(table(pair), [""], lines):
        print(line, flush=True)


if __name__ == "__main__":
    main()
