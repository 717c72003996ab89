"""What the small model's logits mean over the target's vocabulary. Every drafter that uses the model shares this."""

import dataclasses
from collections.abc import Sequence

import numpy as np

from specviz.config.settings import ConfigError
from specviz.draft.base import Resources
from specviz.sampling.arrays import Reals
from specviz.verify import LanguageModel


@dataclasses.dataclass(frozen=True, slots=True)
class Meaning:
    """Maps a draft model's logits to the target's vocabulary."""

    shared: int | None
    size: int

    def of(self, logits: Reals) -> Reals:
        """Rows that only pad a vocabulary, or that the two models do not share, get no probability."""
        if self.shared is None or self.shared == self.size == logits.shape[-1]:
            return logits
        padded = np.full((*logits.shape[:-1], self.size), -np.inf, dtype=logits.dtype)
        padded[..., : self.shared] = logits[..., : self.shared]
        return padded


def known(model: LanguageModel, tokens: Sequence[int]) -> list[int]:
    """These tokens, as far as the model can read them; 0 in place of others.

    The target may write a token that only pads its vocabulary. The text stays lossless, because q is what was drawn
    from.
    """
    return [token if token < model.vocab_size else 0 for token in tokens]


def small(resources: Resources) -> LanguageModel:
    """The pair's small model. Raises ConfigError: it has none, or one with other tokens."""
    if resources.draft is None:
        raise ConfigError("lacks", what="draft")
    if resources.translation:
        raise ConfigError("other_tokens")
    if resources.shared is None and resources.draft.vocab_size != resources.vocab_size:
        sizes = {"draft": f"{resources.draft.vocab_size:,}", "target": f"{resources.vocab_size:,}"}
        raise ConfigError("vocabularies", **sizes)
    return resources.draft
