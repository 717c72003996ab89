"""A copy of the target drafts token by token, its weights rounded to 8 bits.

The copy is never used to verify. Its guesses are drawn from its own distribution, after temperature, top-k and top-p,
so the text stays lossless however rough it is. A guess reads a quarter of a float32 target's bytes, but computes as
much. Where a pass is bound by arithmetic or by its many calls, as in small models, a guess costs no less than a plain
step, and then nothing is gained, however often it is accepted.

Source: absmax rounding with a scale for each output, Dettmers et al., arXiv:2208.07339, section 2.
"""

import dataclasses

import numpy as np

from specviz import draft
from specviz.config.settings import ConfigError
from specviz.draft.base import Drafter, DrafterSpec, Proposal, Resources, Settings, attach
from specviz.draft.model_chain import ModelChain
from specviz.models.rounded import LARGEST
from specviz.trace.guess import Rounding
from specviz.verify import RoundableModel

NAME = "quantized"
NEAR, SHOWN = 6, 16
"""How many steps from 0 lie the weights that are shown, and that many of them."""


class Quantized(ModelChain):
    """The rounded copy's chain."""

    def __init__(self, target: RoundableModel, resources: Resources) -> None:
        self._target, self._copy = target, target.in_8_bits()
        super().__init__(NAME, self._copy, dataclasses.replace(resources, shared=None))

    def with_sources(self, proposal: Proposal) -> Proposal:
        return attach(
            proposal,
            (dataclasses.replace(each.source, rounding=self._rounding(each.token)) for each in proposal.guesses),
        )

    def _rounding(self, token: int) -> Rounding:
        full, rounded = self._target.scorer(token), self._copy.scorer(token)
        largest = float(np.abs(full).max())
        steps = np.rint(rounded * (LARGEST / (largest or 1.0))).astype(int)
        near = np.flatnonzero(np.abs(steps) < NEAR)[:SHOWN]
        numbers = tuple(float(f"{number:.6g}") for number in full[near].tolist())
        return Rounding(len(full), float(f"{largest:.6g}"), numbers, tuple(steps[near].tolist()))


def build(resources: Resources, params: Settings) -> Drafter:
    """Takes no parameters. Raises ConfigError: there is no such copy of the target."""
    if not isinstance(resources.target, RoundableModel):
        raise ConfigError("no_copy")
    return Quantized(resources.target, resources)


SPEC = DrafterSpec(draft.entry(NAME), build)
