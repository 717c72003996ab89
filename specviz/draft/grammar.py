"""Guesses what the grammar forces: where it allows one token alone, that token is certain. After it another drafter
continues."""

from collections.abc import Sequence

import numpy as np

from specviz import draft
from specviz.config.words import because
from specviz.draft.base import Drafter, DrafterSpec, Resources, Settings
from specviz.draft.handing import Handing, Sure
from specviz.sampling.processors import Processors
from specviz.trace.guess import Source

NAME = "grammar"


class Forced:
    """p of a forced token is 1, so it is accepted whatever the number. The other drafter is alone where rows are asked
    for as they are without the grammar.

    Source: jump-forward decoding, SGLang, Zheng et al., arXiv:2312.07104; here the target checks it like any guess.
    """

    certain = True

    def __init__(self, processors: Processors) -> None:
        self._processors, self.ends = processors, processors.ends
        self._text: list[int] = []

    def begin(self, text: Sequence[int]) -> None:
        self._text = [*text]

    def commit(self, tokens: Sequence[int]) -> None:
        self._text += tokens

    def sure(self, most: int) -> list[Sure]:
        """The tokens after the text of which each is the only one allowed at its place."""
        mask, found, source = self._processors.mask, list[int](), Source(NAME, words=because("forced"))
        while mask and len(found) < most:
            (only,) = np.nonzero(mask.allowed([*self._text[self._processors.prompt :], *found]))
            if len(only) > 1:
                break
            found.append(only.item())
        return [Sure(token, source) for token in found]


def build(resources: Resources, params: Settings) -> Drafter:
    """Raises ConfigError: the other drafter cannot be made."""
    inner = str(params["inner"])
    if inner == "auto":
        inner = "suffix" if resources.draft is None else "small-model"
    forced = Forced(resources.sampling.processors or Processors())
    return Handing(forced, resources.make_drafter(inner), resources.clock)


SPEC = DrafterSpec(draft.entry(NAME), build)
