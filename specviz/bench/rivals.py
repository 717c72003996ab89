"""transformers' own generate over the same weights: plain, assisted, and with prompt lookup."""

from collections.abc import Sequence
from pathlib import Path

import torch
from torch import Tensor
from transformers import AutoModelForCausalLM, PreTrainedModel
from transformers.generation import BaseStreamer

from specviz.bench.clock import TimedWork
from specviz.config.settings import Clock, RunConfig
from specviz.models.pair import Pair


def models(folder: Path, pair: Pair) -> tuple[PreTrainedModel, PreTrainedModel]:
    """The target and the draft in a pair's folder, as transformers has them, where the pair is."""
    target, draft = (
        AutoModelForCausalLM.from_pretrained(folder / name, dtype=pair.dtype).to(pair.device).eval()
        for name in ("target", "draft")
    )
    return target, draft


class _TokenCounter(BaseStreamer):  # type: ignore[misc]
    """Counts the generated tokens, and notes the time of the first one, when the prompt has been read."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self.counts: list[int] = []
        self.start = 0.0

    def put(self, value: Tensor) -> None:
        self.counts.append(value.numel())
        if len(self.counts) == 2:  # the first call passes the prompt
            self.start = self._clock()

    def end(self) -> None:
        pass


class Rivals:
    """Decodes `config.max_new_tokens` tokens after a prompt with the config's sampling, greedily at temperature 0.

    The token that the pass over the prompt gives is neither counted nor timed.
    """

    def __init__(
        self,
        target: PreTrainedModel,
        draft: PreTrainedModel,
        prompts: Sequence[Sequence[int]],
        config: RunConfig,
        clock: Clock,
    ) -> None:
        self._target, self._draft = target, draft
        self._prompts = [torch.tensor([list(prompt)], device=target.device) for prompt in prompts]
        self._config, self._clock = config, clock

    def plain(self, part: int, lap: int) -> TimedWork:
        """One token a pass."""
        return self._generate(part, lap)

    def assisted(self, gamma: int, part: int, lap: int) -> TimedWork:
        """Assisted generation with the draft model: always gamma guesses, whatever its confidence."""
        self._draft.generation_config.update(
            num_assistant_tokens=gamma, num_assistant_tokens_schedule="constant", assistant_confidence_threshold=0
        )
        return self._generate(part, lap, assistant_model=self._draft)

    def lookup(self, gamma: int, part: int, lap: int) -> TimedWork:
        """Prompt lookup: guesses copied from the text itself."""
        return self._generate(part, lap, prompt_lookup_num_tokens=gamma)

    def _generate(self, part: int, lap: int, **how: object) -> TimedWork:
        config, prompt = self._config, self._prompts[part]
        count = config.max_new_tokens
        if config.temperature:
            how |= {"do_sample": True, "temperature": config.temperature, "top_k": config.top_k, "top_p": config.top_p}
        else:
            how |= {"do_sample": False}
        torch.manual_seed(config.seed + lap)
        counter = _TokenCounter(self._clock)
        out = self._target.generate(
            prompt,
            attention_mask=torch.ones_like(prompt),
            min_new_tokens=count,
            max_new_tokens=count,
            pad_token_id=0,
            streamer=counter,
            **how,
        )
        seconds = self._clock() - counter.start
        assert out.shape[1] == prompt.shape[1] + count, "generate stopped early"
        return TimedWork(count - counter.counts[1], seconds)
