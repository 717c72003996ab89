"""What a GGUF file says of its model: every key and tensor is read, agrees with the model, or is refused by name.

transformers' reader passes over what it does not know, and another model would run. What the keys mean is llama.cpp's:
gguf-py/gguf/constants.py, src/llama-model.cpp and src/llama-vocab.cpp.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from specviz.config.settings import ConfigError

Says = Mapping[str, Any]
Factors = Mapping[str, Sequence[float]]
"""Numbers by which positions are divided, a list for each of FACTORS that the file has."""

FACTORS = ("rope_freqs.weight", "rope_factors_long.weight", "rope_factors_short.weight")
"""Tensors that are no weights."""
NAMES = {
    "attention.key_length": "head_dim",
    "attention.sliding_window": "sliding_window",
    "attn_logit_softcapping": "attn_logit_softcapping",
    "expert_feed_forward_length": "moe_intermediate_size",
    "expert_shared_feed_forward_length": "shared_expert_intermediate_size",
    "expert_weights_norm": "norm_topk_prob",
    "final_logit_softcapping": "final_logit_softcapping",
    "use_parallel_residual": "use_parallel_residual",
}
"""Keys that transformers' reader drops, by the config's name for what they say."""
WINDOWED = ("gemma2", "gemma3", "gpt_oss", "mistral", "phi3", "starcoder2")
"""Models whose sliding_window alone makes them look no further."""
NOTHING = {
    "attention.causal": True, "attention.clamp_kqv": 0, "attention.max_alibi_bias": 0, "attention.sliding_window": 0,
    "attn_logit_softcapping": 0, "embedding_scale": 1, "expert_count": 0, "expert_gating_func": 1,
    "expert_used_count": 0, "expert_weights_scale": 1, "final_logit_softcapping": 0, "leading_dense_block_count": 0,
    "logit_scale": 1, "nextn_predict_layers": 0, "pooling_type": 0, "residual_scale": 1, "ssm.dt_b_c_rms": False,
}  # fmt: skip
"""What these keys say where they change nothing."""
SILENT = ("context_length", "tensor_data_layout", "vocab_size")
"""Keys that change no logits."""
ENDS = ("eos", "eot", "eom", "fim_pad", "fim_rep", "fim_sep")
"""The keys `tokenizer.ggml.…_token_id` whose tokens end a text."""
END_TEXTS = (
    "<|eot_id|>", "<|im_end|>", "<|end|>", "<|return|>", "<|call|>", "<|flush|>", "<|calls|>", "<end_of_turn>",
    "<|endoftext|>", "</s>", "<|eom_id|>", "<EOT>", "_<EOT>", "[EOT]", "[EOS]", "<|end_of_text|>",
    "<end_of_utterance>", "<eos>", "<turn|>", "<|tool_response>", "<|fim_pad|>", "<fim-pad>", "<fim_pad>",
    "<|repo_name|>", "<|fim_repo|>", "<|file_sep|>",
)  # fmt: skip
"""Tokens that end a text whatever the keys say."""
HARMONY = {"<|return|>", "<|call|>", "<|end|>"}
"""Where all of them are, the last ends a part of a text only."""


def ends(says: Says, tokens: Sequence[str]) -> list[int]:
    """The ids that end a text, that of the file's own end first. says: all of a file's keys."""
    named = [says.get(f"tokenizer.ggml.{name}_token_id") for name in ENDS]
    texts = {*END_TEXTS} - ({"<|end|>"} if HARMONY.issubset(tokens) else set())
    found = [*named, *(place for place, text in enumerate(tokens) if text in texts)]
    return list(dict.fromkeys(each for each in found if each is not None and 0 <= each < len(tokens)))


def settle(config: Any, says: Says, factors: Factors, theirs: Mapping[str, str | None], source: str) -> None:
    """Puts into a config what transformers' reader dropped of it.

    Args:
        config: as that reader made it. says: the keys of the file's architecture, without its name.
        theirs: the names in the config of the keys that the reader knows.
        source: what the file is called in an error.

    Raises:
        ConfigError: a key says what the config cannot.
    """
    names = NAMES | {key: name for key, name in theirs.items() if name}
    _take(config, says, names)
    if getattr(config, "rope_parameters", None):
        _place(config, says, factors, source)
    elif factors:
        raise _refused(source, min(factors), "", config)
    head = _head(config)
    own = {
        "attention.key_length": head,
        "attention.value_length": head,
        "attention.scale": getattr(config, "query_pre_attn_scalar", head) ** -0.5,
    }
    for key, value in says.items():
        if key in SILENT or key.startswith("rope."):
            continue
        has = getattr(config, names[key], None) if key in names else own.get(key)
        if not _same(value, NOTHING.get(key) if has is None else has):
            raise _refused(source, key, value, config)


def _take(config: Any, says: Says, names: dict[str, str]) -> None:
    """Sets what a config has a name for, and takes the names away that it does not heed."""
    family = config.model_type.removesuffix("_text")
    if family not in WINDOWED:
        names.pop("attention.sliding_window", None)
    elif family == "mistral":
        config.sliding_window = None
    for key, name in NAMES.items():
        if key in says and key in names and (hasattr(config, name) or key == "attention.key_length"):
            setattr(config, name, says[key] or None if key in NOTHING else says[key])
    if hasattr(config, "query_pre_attn_scalar"):
        large = (family, config.num_hidden_layers) in (("gemma2", 46), ("gemma3", 62))
        width = config.hidden_size // config.num_attention_heads if large else config.head_dim
        config.query_pre_attn_scalar = round(says.get("attention.scale", width**-0.5) ** -2)


def _head(config: Any) -> int:
    return int(getattr(config, "head_dim", None) or config.hidden_size // config.num_attention_heads)


def _same(stated: Any, has: Any) -> bool:
    if isinstance(stated, int | float) and isinstance(has, int | float):
        return math.isclose(stated, has, rel_tol=1e-6)
    return bool(stated == has)


def _refused(source: str, what: str, value: object, config: Any) -> ConfigError:
    shown = f"{value:.7g}" if isinstance(value, float) else f"{value!r:.60}"
    stated = f"{what} is {shown}" if value != "" else f"it holds {what}"
    return ConfigError(
        f"{source}: {stated}, which transformers' {config.model_type} would not follow; take this model's safetensors"
    )


def _place(config: Any, says: Says, factors: Factors, source: str) -> None:
    """Positions. Llama 3's factors are LongRoPE's that are the same for short and long texts."""
    local, whole = config.rope_parameters.get("sliding_attention"), config.rope_parameters.get("full_attention")
    place = whole if local else config.rope_parameters
    if "rope.dimension_count" in says and not math.isclose(share := says["rope.dimension_count"] / _head(config), 1):
        if "partial_rotary_factor" not in place:
            raise _refused(source, "rope.dimension_count", says["rope.dimension_count"], config)
        place["partial_rotary_factor"] = share
    elif "partial_rotary_factor" in place:
        place["partial_rotary_factor"] = 1.0
    if "rope.freq_base_swa" in says:
        if not local:
            raise _refused(source, "rope.freq_base_swa", says["rope.freq_base_swa"], config)
        local["rope_theta"] = says["rope.freq_base_swa"]
    kept = {name: place[name] for name in ("partial_rotary_factor", "truncate") if name in place}
    scaled = _scaled(config, says, factors, source)
    place.clear()
    place |= {"rope_theta": says.get("rope.freq_base", 10_000.0), **kept, **scaled}


_SCALING = ("type", "factor", "attn_factor", "original_context_length", "finetuned", "yarn_beta_fast", "yarn_beta_slow")
"""What is read of rope.scaling; `finetuned` changes nothing."""
_KNOWN = {"rope.dimension_count", "rope.freq_base", "rope.freq_base_swa", "rope.scale_linear"}
_ONE = {"rope.scaling.yarn_ext_factor", "rope.scaling.yarn_attn_factor"}
"""Keys that change nothing at 1, or at -1, which leaves them to llama.cpp."""


def _scaled(config: Any, says: Says, factors: Factors, source: str) -> dict[str, Any]:
    """rope_parameters, but for the base: how positions are scaled."""
    known = _KNOWN | {f"rope.scaling.{name}" for name in _SCALING}
    for key, value in says.items():
        if key.startswith("rope.") and key not in known and not (key in _ONE and value in (1, -1)):
            raise _refused(source, key, value, config)
    kind, factor, attention, reach, _, fast, slow = (says.get(f"rope.scaling.{name}") for name in _SCALING)
    factor = factor or says.get("rope.scale_linear") or 1.0
    kind = kind or ("linear" if not factors else "longrope")
    reach = reach or says.get("context_length")
    lists = [factors.get(name) for name in (FACTORS if FACTORS[0] in factors else FACTORS[1:])]
    long, short = (lists[0], lists[0]) if len(lists) == len(FACTORS) else lists
    if long is not None and short is not None and kind in ("longrope", "none", "linear") and factor in (1.0, None):
        config.original_max_position_embeddings = reach
        return {
            "rope_type": "longrope",
            "long_factor": [*long],
            "short_factor": [*short],
            "original_max_position_embeddings": reach,
            "attention_factor": attention or 1.0,
        }
    if factors or kind not in ("none", "linear", "yarn"):
        raise _refused(source, "rope.scaling.type", kind, config)
    if kind == "none" or factor == 1:
        return {"rope_type": "default"}
    if kind == "linear":
        return {"rope_type": "linear", "factor": factor}
    found = {"factor": factor, "original_max_position_embeddings": reach, "beta_fast": fast or 32.0}
    found |= {"rope_type": "yarn", "beta_slow": slow or 1.0}
    return found | {"attention_factor": (attention or 1.0) * (0.1 * math.log(factor) + 1.0)}


def check_tensors(names: Iterable[str], read: Iterable[str], source: str, config: Any) -> None:
    """Raises ConfigError: a tensor is none that the model has. read: those that it has, some without `.weight`."""
    known = {*read, *FACTORS}
    for name in names:
        if name not in known and name.removesuffix(".weight") not in known:
            raise _refused(source, name, "", config)
