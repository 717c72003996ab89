"""transformers' own greedy text, for a comparison with ours; and what `generate` is asked for in a run's place."""

import copy
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import torch
from transformers import GenerationConfig

from specviz.config.settings import RunConfig
from specviz.models import by_torch
from specviz.models.border import crossed
from specviz.models.hf import HFModel
from specviz.models.hub import fits, generation
from specviz.models.pair import Pair
from specviz.sampling.arrays import Reals


class Greedy(NamedTuple):
    """tokens, and the scores[n, V] they were picked from: logits, with what the run asks for."""

    tokens: list[int]
    scores: Reals


def asked(config: RunConfig, pair: Pair) -> tuple[GenerationConfig, Mapping[str, Any]]:
    """What transformers' `generate` is asked for to follow a run's law, and what else it then needs. Left out are what
    it does not have, frequency and presence penalties and a grammar, and words that a person bans.

    Raises:
        ConfigError: the run is to obey the model's generation_config.json, which is broken.
    """
    config, found, _ = generation.holds(config, pair.generation)
    filters = ("temperature", "top_k", "top_p", "min_p", "typical_p") if config.temperature else ()
    phrases = {"bad_words_ids": [*map(list, found["bad_words_ids"])]} if "bad_words_ids" in found else {}
    biases = {"sequence_bias": dict(found["sequence_bias"])} if "sequence_bias" in found else {}
    wanted = GenerationConfig(
        do_sample=bool(config.temperature),
        repetition_penalty=float(config.repetition_penalty),
        no_repeat_ngram_size=config.no_repeat_ngram_size,
        min_new_tokens=config.min_new_tokens or None,
        min_length=found.get("min_length"),
        suppress_tokens=found.get("suppress_tokens"),
        begin_suppress_tokens=found.get("begin_suppress_tokens"),
        stop_strings=[*config.stop_strings] or None,
        eos_token_id=sorted(pair.ends) or None,
        pad_token_id=0,
        **{name: getattr(config, name) for name in filters},
        **phrases,
        **biases,
    )
    return wanted, {"tokenizer": pair.tokenizer.inner} if config.stop_strings else {}


@torch.inference_mode()
def rows(model: Any, tokens: Sequence[int]) -> Reals:
    """The logits after each token, as transformers' model reads them all at once, without a cache."""
    return crossed(model(torch.tensor([tokens], device=model.device), use_cache=False).logits[0])


class Reference:
    """transformers' model of a pair's target, which writes greedy texts by a run's law.

    Raises:
        ConfigError: its files cannot be read.
    """

    def __init__(self, pair: Pair, config: RunConfig) -> None:
        inner = pair.target.model if isinstance(pair.target, HFModel) else None
        if inner is None:
            assert pair.weights is not None, "what specviz compiles was read from a folder"
            shape = fits.config_of(pair.weights, pair.name)
            inner = by_torch.weights(pair.name, pair.weights, shape, pair.device, pair.dtype)
        self._model = copy.copy(inner)
        self._model.generation_config = GenerationConfig()
        self._wanted, self._more = asked(config, pair)

    @torch.inference_mode()
    def greedy(self, prompt: Sequence[int], count: int, seconds: float | None = None) -> Greedy:
        """At most that many tokens after the prompt; fewer where they would take longer than that many seconds."""
        text = torch.tensor([prompt], device=self._model.device)
        wanted = copy.deepcopy(self._wanted)
        wanted.update(max_new_tokens=count, max_time=seconds, output_scores=True, return_dict_in_generate=True)
        mask = torch.ones_like(text)
        out = self._model.generate(text, attention_mask=mask, generation_config=wanted, **self._more)
        return Greedy(out.sequences[0, len(prompt) :].tolist(), crossed(torch.cat(out.scores)))
