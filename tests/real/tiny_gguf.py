"""Writes GGUF files of tiny models, as llama.cpp's converter would."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import gguf
import numpy as np
import torch
from gguf import GGMLQuantizationType as Kind
from gguf.quants import dequantize, quantize
from transformers import AutoConfig, AutoModelForCausalLM, AutoTokenizer

ARCHITECTURES = {"gemma3_text": "gemma3", "mistral": "llama"}
"""Those that llama.cpp calls otherwise than transformers."""
SHAPE = {
    "hidden_size": 64, "intermediate_size": 96, "num_hidden_layers": 2, "num_attention_heads": 2,
    "num_key_value_heads": 1, "head_dim": 32, "max_position_embeddings": 256, "rms_norm_eps": 1e-5,
    "initializer_range": 0.3, "tie_word_embeddings": False, "bos_token_id": 0, "eos_token_id": 0, "pad_token_id": 0,
}  # fmt: skip


def model(tokenizer: Path, family: str = "llama", **more: Any) -> Any:
    """A tiny model with random weights."""
    torch.manual_seed(0)
    size = len(AutoTokenizer.from_pretrained(tokenizer))
    config = AutoConfig.for_model(family, vocab_size=size, **SHAPE | more)
    return AutoModelForCausalLM.from_config(config, dtype=torch.float32).eval()


def write(
    path: Path,
    inner: Any,
    tokenizer: Path,
    kind: Kind = Kind.F32,
    says: Mapping[str, Any] | None = None,
    tensors: Mapping[str, Any] | None = None,
    lacks: str = "",
) -> dict[str, Any]:
    """Writes a model, and returns its weights turned back into numbers, by transformers' names.

    Args:
        says: more keys, or other values; those that begin with a dot are the architecture's. tensors: more of them.
        lacks: a tensor that is left out.
    """
    config = inner.config
    architecture = ARCHITECTURES.get(config.model_type, config.model_type)
    words = AutoTokenizer.from_pretrained(tokenizer)
    tokens = words.convert_ids_to_tokens(range(len(words)))
    merges = json.loads((tokenizer / "tokenizer.json").read_text(encoding="utf-8"))["model"]["merges"]
    keys = {
        ".context_length": config.max_position_embeddings, ".embedding_length": config.hidden_size,
        ".block_count": config.num_hidden_layers, ".feed_forward_length": config.intermediate_size,
        ".attention.head_count": config.num_attention_heads, ".attention.head_count_kv": config.num_key_value_heads,
        ".attention.key_length": 32, ".attention.value_length": 32, ".rope.dimension_count": 32,
        ".attention.layer_norm_rms_epsilon": config.rms_norm_eps, ".rope.freq_base": 10_000.0,
        ".vocab_size": len(tokens), "tokenizer.ggml.model": "gpt2", "tokenizer.ggml.tokens": tokens,
        "tokenizer.ggml.merges": [pair if isinstance(pair, str) else " ".join(pair) for pair in merges],
        "tokenizer.ggml.bos_token_id": 0, "tokenizer.ggml.eos_token_id": 0, "tokenizer.ggml.padding_token_id": 0,
        "tokenizer.ggml.unknown_token_id": 0,
    }  # fmt: skip
    out = gguf.GGUFWriter(path, architecture)
    add = {bool: out.add_bool, int: out.add_uint32, float: out.add_float32, str: out.add_string, list: out.add_array}
    for key, value in (keys | dict(says or {})).items():
        add[type(value)](architecture + key if key.startswith(".") else key, value)
    named = gguf.get_tensor_name_map(gguf.MODEL_ARCH[architecture.upper()], config.num_hidden_layers)
    found = {}
    for name, weight in inner.state_dict().items():
        stem, _, end = name.rpartition(".")
        numbers = _stored(name, weight.numpy(), config)
        there = f"{named.get_name(stem)}.{end}"
        if there == lacks or (stem == "lm_head" and config.tie_word_embeddings):
            continue
        packed = quantize(numbers, kind) if numbers.ndim > 1 and kind is not Kind.F32 else numbers
        out.add_tensor(there, packed, raw_dtype=kind if packed is not numbers else None)
        found[name] = weight.numpy() if packed is numbers else _read(name, dequantize(packed, kind), config)
    for name, numbers in (tensors or {}).items():
        out.add_tensor(name, np.asarray(numbers, np.float32))
    out.write_header_to_file()
    out.write_kv_data_to_file()
    out.write_tensors_to_file()
    out.close()
    return found


def _stored(name: str, numbers: Any, config: Any) -> Any:
    """As a file holds it: a Llama's queries and keys with each head's halves in turns, a Gemma's norms raised."""
    if config.model_type in ("llama", "mistral") and (heads := _heads(name, config)):
        return numbers.reshape(heads, 2, len(numbers) // heads // 2, -1).swapaxes(1, 2).reshape(numbers.shape)
    return numbers + 1 if config.model_type.startswith("gemma") and name.endswith("norm.weight") else numbers


def _read(name: str, numbers: Any, config: Any) -> Any:
    """The same turned back."""
    if config.model_type in ("llama", "mistral") and (heads := _heads(name, config)):
        return numbers.reshape(heads, len(numbers) // heads // 2, 2, -1).swapaxes(1, 2).reshape(numbers.shape)
    return numbers


def _heads(name: str, config: Any) -> int:
    return {"q_proj": config.num_attention_heads, "k_proj": config.num_key_value_heads}.get(name.split(".")[-2], 0)
