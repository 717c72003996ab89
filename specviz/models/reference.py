"""transformers' own greedy text, for a comparison with ours."""

import copy
from collections.abc import Sequence
from typing import NamedTuple

import torch
from transformers import GenerationConfig

from specviz.law.arrays import Reals
from specviz.models import by_torch
from specviz.models.border import crossed
from specviz.models.hf import HFModel
from specviz.models.hub import fits
from specviz.models.pair import Pair


class Greedy(NamedTuple):
    """tokens, and the logits[n, V] they were picked from."""

    tokens: list[int]
    logits: Reals


class Reference:
    """transformers' model of a pair's target. It asks for nothing besides, whatever its generation_config.json says.

    Raises:
        ConfigError: its files cannot be read.
    """

    def __init__(self, pair: Pair) -> None:
        inner = pair.target.model if isinstance(pair.target, HFModel) else None
        if inner is None:
            assert pair.weights is not None, "what specviz compiles was read from a folder"
            config = fits.config_of(pair.weights, pair.name)
            inner = by_torch.weights(pair.name, pair.weights, config, pair.device, pair.dtype)
        self._model = copy.copy(inner)
        self._model.generation_config = GenerationConfig()
        self._ends = sorted(pair.ends)

    @torch.inference_mode()
    def greedy(self, prompt: Sequence[int], count: int, seconds: float | None = None) -> Greedy:
        """At most so many tokens behind the prompt; fewer where they would take longer than so many seconds."""
        text = torch.tensor([prompt], device=self._model.device)
        wanted = GenerationConfig(
            do_sample=False,
            max_new_tokens=count,
            max_time=seconds,
            eos_token_id=self._ends or None,
            pad_token_id=0,
            output_logits=True,
            return_dict_in_generate=True,
        )
        out = self._model.generate(text, attention_mask=torch.ones_like(text), generation_config=wanted)
        return Greedy(out.sequences[0, len(prompt) :].tolist(), crossed(torch.cat(out.logits)))
