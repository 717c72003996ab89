"""A copy of the target drafts token by token, its weights rounded to 8 bits.

The copy is never used to verify. Its guesses are drawn from its own distribution, after temperature, top-k and top-p,
so the text stays lossless however rough it is. A guess reads a quarter of a float32 target's bytes, but computes as
much. Where a pass is bound by arithmetic or by its many calls, as in small models, a guess costs no less than a plain
step, and then nothing is gained, however often it is accepted.

Source: absmax rounding with a scale for each output, Dettmers et al., arXiv:2208.07339, section 2.
"""

import dataclasses

from specviz import draft
from specviz.config.settings import ConfigError
from specviz.draft.base import Drafter, DrafterSpec, Resources, Settings
from specviz.draft.model_chain import ModelChain
from specviz.verify import RoundableModel

NAME = "quantized"


def build(resources: Resources, params: Settings) -> Drafter:
    """Takes no parameters. Raises ConfigError: there is no such copy of the target."""
    if not isinstance(resources.target, RoundableModel):
        raise ConfigError("no_copy")
    return ModelChain(NAME, resources.target.in_8_bits(), dataclasses.replace(resources, shared=None))


SPEC = DrafterSpec(draft.entry(NAME), build)
