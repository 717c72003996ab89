"""A language model that drafts token by token. Shared by drafters that run one."""

from collections.abc import Sequence

from specviz.config.settings import Budget
from specviz.config.words import because
from specviz.draft.base import Committed, OwnCache, Proposal, Resources, branches
from specviz.draft.chain import draw_chain
from specviz.draft.small import Meaning, known
from specviz.gamma.base import Halting
from specviz.sampling.arrays import Reals
from specviz.sampling.chance import Chance
from specviz.sampling.distribution import row
from specviz.sampling.rows import Law, Row
from specviz.sampling.tree import DraftTree
from specviz.trace.guess import Source
from specviz.verify import CHUNK, NOTHING, LanguageModel


class ModelChain:
    """Keeps a model in step with the text: its cache holds a prefix of the text and its drafts, nothing else."""

    needs = NOTHING
    nodes: int | None = None

    def __init__(self, name: str, model: LanguageModel, resources: Resources) -> None:
        self._source = Source(name)
        self._model = model
        self._resources = resources
        self._cache = model.new_cache(min(model.context, resources.capacity))
        self._meaning = Meaning(resources.shared, resources.vocab_size)
        self.caches = (OwnCache(name, self._cache, model.slot_bytes, model.way),)
        self._text: list[int] = []
        self._fed: list[int] = []

    def begin(self, prompt: Sequence[int], states: object = None) -> None:
        self._reread(prompt)

    def _reread(self, text: Sequence[int]) -> None:
        self._text = list(text)
        self._forget(0)
        known = self._text[:-1][: self._model.context]
        for start in range(0, len(known), CHUNK):
            self._feed(known[start : start + CHUNK])

    def commit(self, step: Committed) -> None:
        """Forgets the drafts that did not become text."""
        same = min(len(self._text), len(self._fed))
        self._text += step.tokens
        while same < len(self._fed) and same < len(self._text) and self._fed[same] == self._text[same]:
            same += 1
        self._forget(same)

    def propose(self, budget: Budget, chance: Chance, halt: Halting | None = None) -> Proposal:
        """Stops early where the draft model's context ends."""
        if self._cache.length == len(self._text):  # an empty residual drew the rejected token again
            self._forget(len(self._text) - 1)
        room = max(0, self._model.context - len(self._text) + 1)
        fitting = budget.within(room, because("context"))
        return draw_chain(fitting, self._text, self._next_logits, self._resources, chance, halt, 1)

    def q_of(self, text: Sequence[int], tree: DraftTree) -> Sequence[Law]:
        self._reread(text)
        laws = []
        for before in branches(tree):
            self._forget(len(text) - 1)
            laws.append(Row(row(self._next_logits(before)[0], self._resources.sampling, text, before)))
        return laws

    def _next_logits(self, drawn: Sequence[int]) -> tuple[Reals, Source]:
        behind = self._cache.length - len(self._text)
        logits = self._feed(drawn[behind:] if behind >= 0 else [*self._text[behind:], *drawn])
        return self._meaning.of(logits[-1]), self._source

    def _feed(self, tokens: Sequence[int]) -> Reals:
        start = self._cache.length
        self._fed += tokens
        return self._model.forward(known(self._model, tokens), range(start, start + len(tokens)), None, self._cache)

    def _forget(self, length: int) -> None:
        self._cache.truncate(length)
        del self._fed[length:]
