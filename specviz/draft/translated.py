"""A small model with its own tokenizer drafts for the target, token by token, among the tokens that both have.

It reads the text in its own tokens. After each round the text is put into them again, and read from the first one on
that differs from what it has read. The text is lossless under every rule, because q is what was drawn from.

Source: token-level intersection, Timor et al., arXiv:2502.05202, algorithm 4.
"""

from collections.abc import Callable, Sequence
from itertools import takewhile

from specviz.config.settings import Budget
from specviz.config.words import because
from specviz.draft.base import Committed, OwnCache, Proposal, Resources, branches
from specviz.draft.chain import draw_chain
from specviz.gamma.base import Halting
from specviz.models.translation import Translation
from specviz.sampling.arrays import Reals
from specviz.sampling.chance import Chance
from specviz.sampling.distribution import row
from specviz.sampling.rows import Law, Row
from specviz.sampling.tree import DraftTree
from specviz.trace.guess import Source
from specviz.verify import CHUNK, NOTHING, LanguageModel

SLOTS = 4
"""Slots of its cache for each token of the target's text; a text that needs more gets no guesses."""


class TranslatedChain:
    """Keeps the model in step with the text, put into its own tokens."""

    needs = NOTHING
    nodes: int | None = None

    def __init__(self, name: str, model: LanguageModel, translation: Translation, resources: Resources) -> None:
        self._model, self._translation, self._resources = model, translation, resources
        self._most = min(model.context, SLOTS * resources.capacity + CHUNK)
        self._cache = model.new_cache(self._most)
        self.caches = (OwnCache(name, self._cache, model.slot_bytes, model.way, own_tokens=True),)
        words = because("translated", shared=f"{translation.shared:,}", size=f"{translation.size:,}")
        self.covered = translation.covered
        self._source = Source(name, words=words)
        self._text: list[int] = []
        self._fed: list[int] = []
        self._read: list[int] = []

    def begin(self, prompt: Sequence[int], states: object = None) -> None:
        self._text, self._read = list(prompt), self._translation.read(prompt)
        self._follow(self._read)

    def commit(self, step: Committed) -> None:
        """Forgets what is not in the text, put into its tokens again."""
        self._text += step.tokens
        self._read = self._translation.read(self._text)
        self._forget(self._read)

    def propose(self, budget: Budget, chance: Chance, halt: Halting | None = None) -> Proposal:
        """Stops early where the draft model's context ends."""
        self._follow(self._read)
        room = max(0, self._most - len(self._read) + 1)
        fitting = budget.within(room, because("context"))
        return draw_chain(fitting, self._text, self._next(self._read), self._resources, chance, halt, 1)

    def q_of(self, text: Sequence[int], tree: DraftTree) -> Sequence[Law]:
        read, laws = self._translation.read(text), []
        for before in branches(tree):
            self._follow(read)
            laws.append(Row(row(self._next(read)(before)[0], self._resources.sampling, text, before)))
        return laws

    def _next(self, text: Sequence[int]) -> Callable[[Sequence[int]], tuple[Reals, Source]]:
        """Gives the logits, float[V] over the target's vocabulary, after a text in the draft's tokens and guesses in
        the target's.
        """

        def logits(drawn: Sequence[int]) -> tuple[Reals, Source]:
            behind = [*text, *map(self._translation.guess, drawn)]
            return self._translation.of(self._feed(behind[len(self._fed) :])[-1]), self._source

        return logits

    def _follow(self, text: Sequence[int]) -> None:
        """Reads a text in its tokens, but the last, from the first one on that it has not read."""
        self._forget(text)
        known = text[:-1][: self._most]
        for start in range(len(self._fed), len(known), CHUNK):
            self._feed(known[start : start + CHUNK])

    def _forget(self, text: Sequence[int]) -> None:
        """Keeps what it has read of a text but its last token."""
        same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(self._fed, text[:-1], strict=False)))
        self._cache.truncate(same)
        del self._fed[same:]

    def _feed(self, tokens: Sequence[int]) -> Reals:
        start = self._cache.length
        self._fed += tokens
        return self._model.forward(tokens, range(start, start + len(tokens)), None, self._cache)
