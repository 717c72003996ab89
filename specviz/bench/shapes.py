"""Pairs of well-known shapes with random weights: as fast as the real ones, but their text is noise.

Two random models would never agree. So the draft is the target's first layers, and what the other layers add is scaled
down until about ALPHA of the guesses are accepted.
"""

import copy
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import torch
from transformers import (
    AutoModelForCausalLM,
    GPT2Config,
    GPTNeoXConfig,
    LlamaConfig,
    PretrainedConfig,
    PreTrainedModel,
    Qwen3Config,
)

ALPHA = 0.7
TEMPERATURE = 0.8
CONTEXTS = 24
PROMPT = tuple(range(1, 33))
"""Token ids that every text of noise begins with."""


@dataclass(frozen=True, slots=True)
class ModelShape:
    """A target's configuration, how many of its layers the draft has, and the layers' last projections by name."""

    config: Callable[[], PretrainedConfig]
    layers: str
    draft_layers: int
    outputs: tuple[str, ...]
    dtype: torch.dtype


_LLAMA = ("o_proj", "down_proj")
SHAPES = {
    "gpt2-medium-shape": ModelShape(
        lambda: GPT2Config(n_embd=1024, n_layer=24, n_head=16), "n_layer", 6, ("c_proj",), torch.float32
    ),
    "pythia-410m-shape": ModelShape(
        lambda: GPTNeoXConfig(vocab_size=50304, hidden_size=1024, intermediate_size=4096, num_hidden_layers=24,
                              num_attention_heads=16),
        "num_hidden_layers", 6, ("dense", "dense_4h_to_h"), torch.float32,
    ),
    "llama-3-8b-shape": ModelShape(
        lambda: LlamaConfig(vocab_size=128256, hidden_size=4096, intermediate_size=14336, num_hidden_layers=32,
                            num_attention_heads=32, num_key_value_heads=8, max_position_embeddings=8192),
        "num_hidden_layers", 2, _LLAMA, torch.bfloat16,
    ),
    "qwen3-8b-shape": ModelShape(
        lambda: Qwen3Config(vocab_size=151936, hidden_size=4096, intermediate_size=12288, num_hidden_layers=36,
                            num_attention_heads=32, num_key_value_heads=8, head_dim=128, max_position_embeddings=8192),
        "num_hidden_layers", 2, _LLAMA, torch.bfloat16,
    ),
}  # fmt: skip


class NumberTokenizer:
    """A tokenizer of text that is token ids."""

    def encode(self, text: str) -> list[int]:
        """Ids, one a word."""
        return [int(word) for word in text.split()]

    def prompt(self, text: str, *, chat: bool) -> list[int]:
        """The same: there is no template."""
        return self.encode(text)

    def decode(self, tokens: Sequence[int]) -> str:
        """Words, one an id."""
        return "".join(map(self.piece, tokens))

    def piece(self, token: int) -> str:
        """An id as a word of its own."""
        return f" {token}"


@torch.no_grad()
def build(shape: ModelShape, device: str, seed: int = 0) -> tuple[PreTrainedModel, PreTrainedModel]:
    """Target and draft."""
    torch.manual_seed(seed)
    config = shape.config()
    config.bos_token_id = config.eos_token_id = config.pad_token_id = None
    with torch.device(device):
        target = AutoModelForCausalLM.from_config(config, dtype=shape.dtype).eval()
    small = copy.deepcopy(config)
    setattr(small, shape.layers, shape.draft_layers)
    with torch.device(device):
        draft = AutoModelForCausalLM.from_config(small, dtype=shape.dtype).eval()
    draft.load_state_dict({name: target.state_dict()[name] for name in draft.state_dict()})
    _agree(target, draft, shape)
    return target, draft


def _agree(target: PreTrainedModel, draft: PreTrainedModel, shape: ModelShape) -> None:
    """Scales what the target's further layers add, by bisection, until sum min(p, q) is about ALPHA in drafted text."""
    further = [
        (parameter, parameter.clone())
        for name, parameter in target.named_parameters()
        if any(f".{output}." in name for output in shape.outputs) and _layer(name) >= shape.draft_layers
    ]
    prompt = torch.tensor([PROMPT], device=target.device)
    text = draft.generate(
        prompt, attention_mask=torch.ones_like(prompt), do_sample=True, temperature=TEMPERATURE, top_k=0,
        min_new_tokens=CONTEXTS, max_new_tokens=CONTEXTS, pad_token_id=0,
    )  # fmt: skip
    q = _probs(draft, text)
    low, high = 0.0, 8.0
    for _ in range(9):
        scale = (low + high) / 2
        for parameter, whole in further:
            parameter.copy_(whole * scale)
        if float(torch.minimum(_probs(target, text), q).sum(-1).mean()) > ALPHA:
            low = scale
        else:
            high = scale


def _probs(model: PreTrainedModel, text: torch.Tensor) -> torch.Tensor:
    probs: torch.Tensor = (model(text).logits[0, len(PROMPT) :].float() / TEMPERATURE).softmax(-1)
    return probs


def _layer(name: str) -> int:
    """transformer.h.7.attn.c_proj.weight is in layer 7."""
    return next(int(part) for part in name.split(".") if part.isdigit())
