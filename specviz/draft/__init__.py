"""Drafters: who guesses the next tokens. The registry, readable without torch.

To add one: a file here that ends in `SPEC`, and its Entry in ENTRIES. The page's
controls, the help texts, the conformance tests and README's table follow from it.
"""

import importlib
from typing import TYPE_CHECKING

from specviz.config import ConfigError, Entry, Param

if TYPE_CHECKING:
    from specviz.draft.base import DrafterSpec

ENTRIES = (
    Entry(
        name="bigram",
        summary="Looks only at the last token: how often did each token follow it in the training text?",
        source="additive smoothing, Laplace 1814; a table, not a model",
        params=(Param("k", 0.0, 10.0, 0.0, "added to every count; 1 is Laplace, 0 the value fitted on held-out text"),),
    ),
    Entry(
        name="ngram",
        summary="Looks at up to four tokens, longest known context first, and learns from the text as it grows.",
        source="interpolated absolute discounting, Chen & Goodman 1999",
    ),
    Entry(
        name="small-model",
        summary="A small language model of the same vocabulary, with a KV cache of its own.",
        source="Leviathan et al., arXiv:2211.17192; Chen et al., arXiv:2302.01318",
    ),
)


def load(name: str) -> "DrafterSpec":
    """The drafter of that name, ready to be built.

    Raises:
        ConfigError: no such drafter.
    """
    names = [entry.name for entry in ENTRIES]
    if name not in names:
        raise ConfigError(f"no drafter {name!r}; there are: {', '.join(names)}")
    module = importlib.import_module(f"specviz.draft.{name.replace('-', '_')}")
    spec: DrafterSpec = module.SPEC
    return spec
