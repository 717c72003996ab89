"""A small language model drafts, token by token, from its own law."""

import dataclasses
from collections.abc import Mapping, Sequence

import torch
from torch import Tensor
from torch.nn import functional

from specviz.chance import Chance
from specviz.config import Budget, ConfigError
from specviz.draft import ENTRIES
from specviz.draft.base import Committed, Drafter, DrafterSpec, Proposal, Resources, draw_chain
from specviz.gamma.base import Halting
from specviz.verify import LanguageModel


class SmallModel:
    """Keeps a model in step with the text: the cache holds a prefix of text + drafts, never anything else."""

    def __init__(self, model: LanguageModel, resources: Resources) -> None:
        self._model = model
        self._resources = resources
        self._cache = model.new_cache(min(model.context, resources.capacity))
        self._text: list[int] = []
        self._fed: list[int] = []

    @property
    def cache_length(self) -> int:
        return self._cache.length

    def begin(self, prompt: Sequence[int]) -> None:
        self._text = list(prompt)
        self._forget(0)
        if len(prompt) > 1:
            self._feed(self._text[:-1][: self._model.context])

    def commit(self, step: Committed) -> None:
        """Forgets the drafts the text did not take."""
        same = min(len(self._text), len(self._fed))
        self._text += step.tokens
        while same < len(self._fed) and same < len(self._text) and self._fed[same] == self._text[same]:
            same += 1
        self._forget(same)

    def propose(self, budget: Budget, chance: Chance, halt: Halting | None = None) -> Proposal:
        """Stops early where the model's own context ends."""
        room = max(0, self._model.context - len(self._text) + 1)
        fitting = budget.within(room, "the draft model's context ends here")
        proposal = draw_chain(fitting, len(self._text), self._law, self._resources, chance, halt)
        return dataclasses.replace(proposal, calls=max(len(proposal.tree), len(proposal.glances)))

    def _law(self, drawn: Sequence[int]) -> tuple[Tensor, str]:
        known = [*self._text, *drawn]
        logits = self._feed(known[self._cache.length :])
        return self._meant(logits[-1]), ""

    def _meant(self, logits: Tensor) -> Tensor:
        """Over the target's vocabulary: rows that only pad one of them, or mean nothing to both, get no probability."""
        shared, size = self._resources.shared, self._resources.vocab_size
        if shared is None:
            return logits
        return functional.pad(logits[:shared], (0, size - shared), value=-torch.inf)

    def _feed(self, tokens: Sequence[int]) -> Tensor:
        start = self._cache.length
        self._fed += tokens
        rows = self._model.vocab_size  # the target may write what only pads its vocabulary; q is what it is either way
        tokens = [token if token < rows else 0 for token in tokens]
        return self._model.forward(tokens, range(start, start + len(tokens)), None, self._cache)

    def _forget(self, length: int) -> None:
        self._cache.truncate(length)
        del self._fed[length:]


def build(resources: Resources, params: Mapping[str, float]) -> Drafter:
    """Takes no parameters. Raises ConfigError: the pair has no draft model, or one of another vocabulary."""
    if resources.draft is None:
        raise ConfigError("this pair has no draft model; choose another drafter")
    if resources.shared is None and resources.draft.vocab_size != resources.vocab_size:
        raise ConfigError(
            f"cannot pair: the draft's vocabulary has {resources.draft.vocab_size:,} tokens,"
            f" the target's {resources.vocab_size:,}; choose two models of one vocabulary"
        )
    return SmallModel(resources.draft, resources)


SPEC = DrafterSpec(next(entry for entry in ENTRIES if entry.name == "small-model"), build)
