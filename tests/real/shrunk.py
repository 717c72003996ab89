"""Any causal family of transformers, made tiny: its own default config, with every size cut down."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from transformers import CONFIG_MAPPING, AutoModelForCausalLM

from specviz.config.settings import RunConfig
from specviz.models import pair as pairs
from specviz.models.reference import Reference
from specviz.session import start
from specviz.trace.run import Trace
from tests.real.families import CLOSE, VOCAB, grown, near, saved

LAYERS = 3
SIZES = {
    VOCAB: "vocab_size vocab_size_per_layer_input unpadded_vocab_size",
    256: """max_position_embeddings n_positions n_ctx max_seq_len model_max_length context_length max_target_positions
        max_source_positions""",
    64: """intermediate_size ffn_dim d_ff dff inner_dim ffn_hidden_size dim_ff d_inner encoder_ffn_dim decoder_ffn_dim
        intermediate_size_mlp shared_intermediate_size dense_intermediate_size mamba_d_ssm rel_extent audio_vocab_size
        encoder_hash_byte_group_vocab""",
    32: """hidden_size d_model n_embd emb_dim embedding_size embed_dim word_embed_proj_dim input_embedding_size
        output_embedding_size attention_hidden_size lru_width index_n_heads indexer_n_heads""",
    16: """sliding_window attention_window_size attention_chunk_size sliding_window_size chunk_size window_size
        moe_intermediate_size shared_expert_intermediate_size moe_shared_expert_intermediate_size image_size
        expert_ffn_hidden_size head_dim attention_head_dim kv_channels swa_head_dim v_head_dim d_kv attention_head_size
        q_lora_rank kv_lora_rank qk_nope_head_dim o_lora_rank index_head_dim router_hidden_size mamba_chunk_size""",
    8: """qk_rope_head_dim index_topk mamba_n_heads mamba_d_head mamba_d_state mamba_num_heads mamba_head_dim
        ssm_state_size state_size mamba_headdim linear_key_head_dim linear_value_head_dim hidden_size_per_layer_input
        laurel_rank num_mel_bins patch_size""",
    4: """num_attention_heads n_head n_heads num_heads encoder_attention_heads decoder_attention_heads
        num_encoder_attention_heads num_decoder_attention_heads swa_num_attention_heads num_local_experts num_experts
        n_routed_experts moe_num_experts mamba_d_conv mamba_dt_rank time_step_rank linear_num_value_heads
        linear_conv_kernel_dim rotary_dim""",
    LAYERS: """num_hidden_layers n_layer n_layers num_layers encoder_layers decoder_layers num_decoder_layers
        num_encoder_layers num_blocks""",
    2: """num_key_value_heads num_kv_heads num_query_groups swa_num_key_value_heads o_groups num_experts_per_tok
        num_experts_per_token moe_k moe_topk n_mamba_heads mamba_expand linear_num_key_heads altup_num_inputs
        num_codebooks""",
    1: """num_shared_experts n_shared_experts moe_num_shared_experts n_group topk_group first_k_dense_replace
        num_dense_layers zero_expert_num mamba_n_groups mamba_ngroups n_groups max_window_layers""",
    0: "num_kv_shared_layers num_nextn_predict_layers",
}
SIZE = {name: size for size, names in SIZES.items() for name in names.split()}
KINDS = ("layer_types", "layers_block_type", "mlp_layer_types", "block_types", "indexer_types")
"""Lists with the type of each layer."""
IDS = {"pad_token_id": 0, "mask_token_id": 0, "bos_token_id": 1, "eos_token_id": 2, "sep_token_id": 2}
FULL = ["full_attention"] * LAYERS
MORE: dict[str, dict[str, Any]] = {
    "bigbird_pegasus": {"attention_type": "original_full", "block_size": 8},
    "big_bird": {"attention_type": "original_full", "block_size": 8},
    "dbrx": {
        "attn_config": {"clip_qkv": 8, "kv_n_heads": 2, "rope_theta": 10_000.0},
        "ffn_config": {"ffn_hidden_size": 32, "moe_num_experts": 4, "moe_top_k": 2, "hidden_size": 32},
    },
    "cohere_compass_text": {
        "rope_parameters": {"full_attention": {"rope_type": "default", "rope_theta": 1e4, "mrope_section": [4, 2, 2]}}
    },
    "bamba": {"attn_layer_indices": [1]},
    "granitemoehybrid": {"layer_types": ["linear_attention", "full_attention", "linear_attention"]},
    "jamba": {"attn_layer_period": 2, "attn_layer_offset": 1},
    "deepseek_v2": {"num_experts_per_tok": 2, "n_routed_experts": 4, "n_group": 1, "topk_group": 1},
    "dots1": {"n_routed_experts": 4, "num_experts_per_tok": 2, "n_shared_experts": 1, "layer_types": FULL},
    "gpt_neo": {"attention_types": [[["global", "local"], 1], [["global"], 1]]},
    "helium": {"head_dim": 8},
    "hunyuan_v1_dense": {"head_dim": 16},
    "hunyuan_v1_moe": {"head_dim": 16},
    "lfm2_moe": {"layer_types": ["conv", "full_attention", "conv"]},
    "ministral": {"head_dim": 16},
    "nemotron": {"num_key_value_heads": 2},
    "reformer": {
        "attn_layers": ["local", "lsh", "local"],
        "axial_pos_shape": [16, 16],
        "axial_pos_embds_dim": [16, 16],
    },
    "xmod": {"default_language": "en_XX", "languages": ["en_XX"]},
    "zamba": {
        "layers_block_type": ["linear_attention", "hybrid", "linear_attention"],
        "attention_hidden_size": 64,
        "attention_head_dim": 16,
    },
    "dory": {
        "layer_types": ["sliding_attention", "sliding_attention", "full_attention"],
        "n_input_layers": 1,
        "n_recurrent_layers": 1,
        "n_output_layers": 1,
    },
    "dots3_note_text": {
        "num_key_value_heads": 4,
        "n_routed_experts": 4,
        "num_experts_per_tok": 2,
        "layer_types": ["indexed_attention", "sliding_attention", "indexed_attention"],
        "per_layer_config": {
            1: {"head_dim": 24, "qk_nope_head_dim": 16, "qk_rope_head_dim": 8, "v_head_dim": 8, "q_lora_rank": 8}
        },
    },
    "dots3_note_vision_encoder": {"adapter_in_dim": 32, "adapter_out_dim": 32},
    "dots3_note_audio_encoder": {"adapter_input_size": 32, "adapter_out_dim": 32},
    "qwen4_exp_text": {
        "hc_lowrank": 8,
        "indexer_n_heads": 4,
        "indexer_kv_heads": 1,
        "indexer_head_dim": 16,
        "indexer_budget": 16,
        "indexer_compress_ratio": 4,
    },
    "zamba2": {"n_mamba_heads": 8, "attention_hidden_size": 64, "attention_head_dim": 16},
    "bailing_hybrid": {"n_group": 1, "topk_group": 1},
    "xlstm": {"hidden_size": 128, "embedding_dim": 128},
    "nemotron_h": {"layers_block_type": ["linear_attention", "full_attention", "moe"]},
    "zaya": {"num_experts_per_tok": 1},
}
"""What single families need besides."""


def shrunk(family: str, **more: Any) -> Any:
    """The family's config, made for text that is written."""
    kind = CONFIG_MAPPING[family]
    chosen = _cut(kind()) | MORE.get(family, {}) | more
    return kind(**chosen, **({"is_decoder": True} if hasattr(kind(), "is_decoder") else {}))


def _cut(config: Any) -> dict[str, Any]:
    """Small values for whatever a default config says; configs within it too."""
    found: dict[str, Any] = {}
    for name, value in config.to_dict().items():
        within = vars(config).get(name)
        if hasattr(within, "to_dict"):
            found[name] = {**within.to_dict(), **_cut(within), **MORE.get(within.model_type, {})}
        elif name == "activation_sparsity_pattern":
            found[name] = value[:LAYERS]
        elif value is not None and (small := _small(name, value)) is not None:
            found[name] = small
    if "qk_rope_head_dim" in found:
        found["head_dim"] = found["qk_rope_head_dim"]
    if "kv_lora_rank" in found and "num_key_value_heads" in found:  # latent keys are spread over all heads
        found["num_key_value_heads"] = found["num_attention_heads"]
    return found


def _small(name: str, value: Any) -> Any:
    """None: it stays."""
    if name == "per_layer_config" and value:
        return {LAYERS - 1: {size: 2 * SIZE[size] for size in next(iter(value.values())) if size in SIZE}}
    if name in KINDS and value:
        kinds = list(dict.fromkeys(value))
        return ([kinds[0]] * LAYERS + kinds)[-LAYERS:]
    if name.endswith(("_token_id", "_token_index")) and isinstance(value, int):
        return IDS.get(name, VOCAB - 10)
    if name in SIZE and not isinstance(value, bool):
        return [SIZE[name]] * LAYERS if isinstance(value, list) else SIZE[name]
    return False if name == "tie_word_embeddings" else None


def tiny(family: str, **more: Any) -> Any:
    """A random model of that family; more: of its config."""
    torch.manual_seed(1)
    return grown(AutoModelForCausalLM.from_config(shrunk(family, **more), dtype=torch.float32))


def pair_of(folder: Path, tokenizer: Path, model: Any) -> str:
    """The name of a pair that is saved there: the model, and a draft near it."""
    draft = saved(folder / "draft", tokenizer, near(model))
    return f"{draft} -> {saved(folder / 'target', tokenizer, model)}"


def written(name: str, prompt: str, new: int, **choices: Any) -> Trace:
    """A run at temperature 0."""
    config = RunConfig(prompt, pair=name, temperature=0, max_new_tokens=new, device="cpu", chat=False, **choices)
    run = start(config)
    list(run)
    return run.trace()


def as_generate(trace: Trace) -> None:
    """Asserts that a run wrote what transformers' own generate writes; a tie of rounding is let pass."""
    pair = pairs.load(trace.info.config.pair, "cpu", "float32")
    theirs, logits = Reference(pair, trace.info.config).greedy(trace.prompt, len(trace.tokens))
    ours: Sequence[int] = trace.tokens
    at = next((at for at, (one, other) in enumerate(zip(ours, theirs, strict=True)) if one != other), None)
    assert at is None or logits[at][theirs[at]] - logits[at][ours[at]] <= CLOSE * abs(logits[at]).max(), at
