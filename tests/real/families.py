"""Random models of a family, and how they are saved."""

import copy
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import torch
from transformers import AutoConfig, AutoModelForCausalLM, GenerationConfig

VOCAB = 320
CLOSE = 5e-5
"""Of the largest logit: how near two tokens are for a processor's rounding to choose between them."""
COMMON = {"hidden_size": 32, "num_hidden_layers": 3, "num_attention_heads": 4, "max_position_embeddings": 256}
LLAMA = {**COMMON, "intermediate_size": 64, "num_key_value_heads": 2}
WINDOW = {**LLAMA, "head_dim": 16, "sliding_window": 24}
FAMILIES: dict[str, dict[str, Any]] = {
    "gpt2": {"n_embd": 32, "n_layer": 3, "n_head": 4, "n_positions": 256},
    "llama": LLAMA,
    "qwen3": {**LLAMA, "head_dim": 16},
    "gemma3_text": {**WINDOW, "layer_types": ["sliding_attention", "sliding_attention", "full_attention"]},
    "gpt_neox": {**COMMON, "intermediate_size": 64},
    "qwen2": LLAMA,
    "opt": {**COMMON, "ffn_dim": 64, "word_embed_proj_dim": 32},
    "mistral": WINDOW,
    "gemma2": WINDOW,
    "phi": {**COMMON, "intermediate_size": 64},
}
"""The first four differ most: places of its own, compiled, compiled with norms in its heads, some layers see less."""


def others_long(cases: Sequence[Any], often: int) -> list[Any]:
    """The first so many cases of a test, and the others marked `long`. A tuple has several arguments."""
    rare = (each if isinstance(each, tuple) else (each,) for each in cases[often:])
    return [*cases[:often], *(pytest.param(*each, marks=pytest.mark.long) for each in rare)]


def random_model(family: str, vocabulary: int = VOCAB, **shape: Any) -> Any:
    """Weights large enough for its text not to fall into a rut at once."""
    torch.manual_seed(1)
    chosen = {
        **FAMILIES[family],
        **shape,
        "vocab_size": vocabulary,
        "eos_token_id": None,
        "bos_token_id": None,
        "tie_word_embeddings": False,
    }
    return grown(AutoModelForCausalLM.from_config(AutoConfig.for_model(family, **chosen)))


def grown(model: Any) -> Any:
    with torch.no_grad():
        for weight in model.parameters():
            if weight.ndim > 1:
                weight *= 3
    return model


def near(model: Any) -> Any:
    """A copy that is off by a little, so that it is accepted and refused in turn."""
    other = copy.deepcopy(model)
    with torch.no_grad():
        for weight in other.parameters():
            if weight.numel() > 1:
                weight += 0.12 * weight.std() * torch.randn_like(weight)
    return other


@torch.inference_mode()
def greedy(model: Any, text: Sequence[int], begin: int) -> bool:
    """Whether each token from that place on is the first choice of transformers' own pass, but for rounding."""
    rows = model(torch.tensor([text])).logits[0, begin - 1 : -1]
    own = rows.gather(-1, torch.tensor(text[begin:])[:, None])[:, 0]
    return bool((own >= rows.amax(-1) - CLOSE * rows.abs().max()).all())


def saved(folder: Path, tokenizer: Path, model: Any) -> Path:
    shutil.copytree(tokenizer, folder)
    model.generation_config = GenerationConfig()
    model.save_pretrained(folder)
    return folder


PROMPTS = (
    "Once upon a time there was a miller who had three sons",
    "The fox said to the crow: 'What a fine voice you have",
    "In the middle of the forest stood a little house",
    "'Oh dear!' cried the princess, and she ran",
    "There was once an old king who was so ill that",
    "The wind blew and the snow fell, and the boy",
    "Long ago, when wishes still came true,",
    "KING:\nMy lord, what news from France?\n\nMESSENGER:\n",
    "ROMEO:\nBut soft, what",
    "First Citizen:\nWe are not",
    "To be, or not",
    "DUKE OF YORK:\nThe crown",
    "O, she doth teach the",
    "def read(self, size=-1):\n    ",
    "import os\nimport sys\n\n\nclass ",
    "    if not isinstance(value, int):\n        raise ",
    "for key, value in self.items():\n",
    'def __repr__(self):\n    return "',
    "ζεύς 🙂 naïve",
    "7",
)
"""Openings of the three genres that the embedded pair was trained on, and text it never saw."""
