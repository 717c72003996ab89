"""transformers' own generate over the same weights: plain, assisted, and with prompt lookup."""

import copy
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from transformers import AutoConfig, AutoModelForCausalLM, GenerationConfig, PreTrainedModel
from transformers.generation import BaseStreamer

from specviz.bench.clock import TimedWork
from specviz.config.settings import Clock, RunConfig
from specviz.models import shortlist
from specviz.models.pair import Pair
from specviz.models.shortlist import Small


def models(pair: Pair) -> tuple[PreTrainedModel, PreTrainedModel | None]:
    """The target and the draft as transformers has them, where the pair is, without what their files ask for. No draft:
    the pair ships with none."""
    assert pair.weights is not None, "a pair was read from folders"
    target = _read(pair.weights, pair)
    folder = pair.home / "draft" if pair.home else None
    if not folder or not folder.is_dir():
        return target, None
    return target, _read(folder, pair) if pair.name == "embedded" else shortlisted(shortlist.read(folder), target)


def _read(folder: Path, pair: Pair) -> PreTrainedModel:
    model = AutoModelForCausalLM.from_pretrained(folder, dtype=pair.dtype).to(pair.device).eval()
    model.generation_config = GenerationConfig()
    return model


class _Shortlist(nn.Module):
    """Logits over all `size` tokens, from rows for those in `ids`; no other is possible."""

    def __init__(self, rows: Tensor, ids: Tensor, size: int) -> None:
        super().__init__()
        self._rows, self._ids, self._size = rows, ids, size

    def forward(self, states: Tensor) -> Tensor:
        logits = states.new_full((*states.shape[:-1], self._size), -torch.inf)
        logits[..., self._ids] = nn.functional.linear(states, self._rows)
        return logits


def shortlisted(small: Small, target: PreTrainedModel) -> PreTrainedModel:
    """A small model that shares the target's embedding and guesses only some tokens, as an ordinary model."""
    own = {name: torch.tensor(numbers) for name, numbers in small.tensors.items()}
    config = AutoConfig.for_model(**small.config)
    model = AutoModelForCausalLM.from_config(config, dtype=target.dtype)
    lacking, left = model.load_state_dict(own, strict=False)
    assert not left, left
    assert set(lacking) == {"model.embed_tokens.weight", "lm_head.weight"}, lacking
    model = model.to(target.device).eval()
    embedding = target.get_input_embeddings()
    model.set_input_embeddings(embedding)
    places = torch.from_numpy(small.ids).to(target.device)
    model.lm_head = _Shortlist(embedding.weight.detach()[places], places, config.vocab_size)
    return model


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
    """Decodes up to `config.max_new_tokens` tokens after a prompt. The token that the pass over the prompt gives is
    neither counted nor timed.

    Args:
        draft: None where assisted generation is not asked for.
        asked: what `generate` is asked for, as `reference.asked` has it for the config.
    """

    def __init__(
        self,
        target: PreTrainedModel,
        draft: PreTrainedModel | None,
        prompts: Sequence[Sequence[int]],
        config: RunConfig,
        clock: Clock,
        asked: tuple[GenerationConfig, Mapping[str, Any]],
    ) -> None:
        self._target, self.draft = target, draft
        self._prompts = [torch.tensor([list(prompt)], device=target.device) for prompt in prompts]
        self._config, self._clock = config, clock
        self._asked, self._more = asked

    def plain(self, part: int, lap: int) -> TimedWork:
        """One token a pass."""
        return self._generate(part, lap)

    def assisted(self, gamma: int, part: int, lap: int) -> TimedWork:
        """Assisted generation with the draft model: always gamma guesses, whatever its confidence."""
        assert self.draft is not None, "there is a draft"
        self.draft.generation_config.update(
            num_assistant_tokens=gamma, num_assistant_tokens_schedule="constant", assistant_confidence_threshold=0
        )
        return self._generate(part, lap, self.draft)

    def lookup(self, gamma: int, part: int, lap: int) -> TimedWork:
        """Prompt lookup: guesses copied from the text itself."""
        return self._generate(part, lap, prompt_lookup_num_tokens=gamma)

    def _generate(self, part: int, lap: int, assistant: PreTrainedModel | None = None, **how: object) -> TimedWork:
        config, prompt = self._config, self._prompts[part]
        wanted = copy.deepcopy(self._asked)
        wanted.update(max_new_tokens=config.max_new_tokens, **how)
        torch.manual_seed(config.seed + lap)
        counter = _TokenCounter(self._clock)
        out = self._target.generate(
            prompt,
            attention_mask=torch.ones_like(prompt),
            generation_config=wanted,
            streamer=counter,
            assistant_model=assistant,
            **self._more,
        )
        seconds = self._clock() - counter.start
        return TimedWork(out.shape[1] - prompt.shape[1] - counter.counts[1], seconds)
