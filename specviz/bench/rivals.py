"""transformers' own generate over the same weights: plain, assisted, and with prompt lookup."""

from collections.abc import Sequence

import torch
from transformers import PreTrainedModel

from specviz.config import RunConfig


class Rivals:
    """Decodes `config.max_new_tokens` tokens after one of the prompts, sampling as the config says, greedily at 0."""

    def __init__(
        self, target: PreTrainedModel, draft: PreTrainedModel, prompts: Sequence[Sequence[int]], config: RunConfig
    ) -> None:
        self._target, self._draft = target, draft
        self._prompts = [torch.tensor([list(prompt)], device=target.device) for prompt in prompts]
        self._config = config

    def plain(self, part: int) -> int:
        """One token a pass."""
        return self._generate(part)

    def assisted(self, gamma: int, part: int) -> int:
        """With the draft as the assistant: always gamma guesses, whatever its confidence."""
        self._draft.generation_config.update(
            num_assistant_tokens=gamma, num_assistant_tokens_schedule="constant", assistant_confidence_threshold=0
        )
        return self._generate(part, assistant_model=self._draft)

    def lookup(self, gamma: int, part: int) -> int:
        """With guesses copied from the text itself."""
        return self._generate(part, prompt_lookup_num_tokens=gamma)

    def _generate(self, part: int, **how: object) -> int:
        config, prompt = self._config, self._prompts[part]
        count = config.max_new_tokens
        if config.temperature:
            how |= {"do_sample": True, "temperature": config.temperature, "top_k": config.top_k, "top_p": config.top_p}
        else:
            how |= {"do_sample": False}
        torch.manual_seed(config.seed)
        out = self._target.generate(
            prompt,
            attention_mask=torch.ones_like(prompt),
            min_new_tokens=count,
            max_new_tokens=count,
            pad_token_id=0,
            **how,
        )
        assert out.shape[1] == prompt.shape[1] + count, "generate stopped early"
        return count
