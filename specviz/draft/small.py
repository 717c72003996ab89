"""A pair's small model, whoever drafts with it: what its logits mean over the target's vocabulary."""

import dataclasses
from collections.abc import Sequence

import torch
from torch import Tensor
from torch.nn import functional

from specviz.config import ConfigError
from specviz.draft.base import Resources
from specviz.sampling import Sampling, probabilities
from specviz.verify import LanguageModel


@dataclasses.dataclass(frozen=True, slots=True)
class Meaning:
    """What a draft model's logits mean over the target's vocabulary."""

    sampling: Sampling
    shared: int | None
    size: int

    def of(self, logits: Tensor) -> Tensor:
        """Rows that only pad a vocabulary, or mean nothing to both, get no probability."""
        if self.shared is None:
            return logits
        return functional.pad(logits[..., : self.shared], (0, self.size - self.shared), value=-torch.inf)

    def __call__(self, logits: Tensor) -> Tensor:
        return probabilities(self.of(logits), self.sampling)


def known(model: LanguageModel, tokens: Sequence[int]) -> list[int]:
    """Tokens the model can read: the target may write what only pads its vocabulary; q is what it is either way."""
    return [token if token < model.vocab_size else 0 for token in tokens]


def small(resources: Resources) -> LanguageModel:
    """Raises ConfigError: the pair has no draft model, or one of another vocabulary."""
    if resources.draft is None:
        raise ConfigError("this pair has no draft model; choose another drafter")
    if resources.shared is None and resources.draft.vocab_size != resources.vocab_size:
        raise ConfigError(
            f"cannot pair: the draft's vocabulary has {resources.draft.vocab_size:,} tokens,"
            f" the target's {resources.vocab_size:,}; choose two models of one vocabulary"
        )
    return resources.draft
