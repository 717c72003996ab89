"""EAGLE-3 and EAGLE-3.1 heads as published, for targets of the Llama and Qwen3 families.

Like our own (see heads/eagle.py), but: the states are fused as they are; its output layer is its own, often of a
reduced vocabulary, where id i stands for the target's i + d2t[i]; it may have an embedding and fewer heads for keys.

EAGLE-3.1 is three switches of config.json. fc_norm: each of the target's states is normed before they are fused.
norm_output: what is read again, and by the output layer, is the normed state. norm_before_fc is the older norm of
all states together, for gpt-oss.

Sources: SafeAILab's EAGLE, vLLM's and SGLang's readers, the format of speculators; Li et al., arXiv:2503.01840. For
EAGLE-3.1 arXiv:2605.09992, vLLM #42764, speculators #337 and #670, TensorRT-LLM #14988, Automodel #2322.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional
from transformers.models.llama.modeling_llama import LlamaRotaryEmbedding

from specviz.config.settings import ConfigError
from specviz.models.border import TorchCache
from specviz.models.heads.eagle import EagleShape
from specviz.models.heads.files import Head
from specviz.models.heads.published import building, reading
from specviz.models.heads.published.words import OwnWords, Words
from specviz.verify import HeadedModel

LAYER = "layers.0."
SWITCHES = {"fc_norm": "fc_norm.0.weight", "norm_before_fc": "input_norm.weight", "norm_output": ""}
"""What EAGLE-3.1 sets in config.json, and a tensor that comes with it."""
NAMES = {
    "fuse": "fc",
    "q_proj": LAYER + "self_attn.q_proj",
    "k_proj": LAYER + "self_attn.k_proj",
    "v_proj": LAYER + "self_attn.v_proj",
    "o_proj": LAYER + "self_attn.o_proj",
    "q_norm": LAYER + "self_attn.q_norm",
    "k_norm": LAYER + "self_attn.k_norm",
    "gate_proj": LAYER + "mlp.gate_proj",
    "up_proj": LAYER + "mlp.up_proj",
    "down_proj": LAYER + "mlp.down_proj",
    "token_norm": LAYER + "input_layernorm",
    "state_norm": LAYER + "hidden_norm",
    "mlp_norm": LAYER + "post_attention_layernorm",
    "norm": "norm",
}


class PublishedEagle(nn.Module):
    """Has what `draft.eagle` asks of a head."""

    def __init__(self, head: Head, shape: EagleShape, states: int, queries: int, rotary: LlamaRotaryEmbedding) -> None:
        """states: numbers of all states that are fused. queries: heads for queries; those of the shape keep keys."""
        super().__init__()
        self.shape, self._each, self._rotary = shape, queries // shape.heads, rotary
        self._adds_normed = bool(head.facts.get("norm_before_residual", False))
        self._puts_out_normed = _switched(head, "norm_output")
        width, inner, outer = shape.width, queries * shape.dim, shape.heads * shape.dim
        biased = LAYER + "self_attn.q_proj.bias" in head.tensors
        with torch.device("meta"):
            self.fuse = nn.Linear(states, width, bias="fc.bias" in head.tensors)
            self.q_proj = nn.Linear(2 * width, inner, bias=biased)
            self.k_proj, self.v_proj = (nn.Linear(2 * width, outer, bias=biased) for _ in range(2))
            self.o_proj = nn.Linear(inner, width, bias=LAYER + "self_attn.o_proj.bias" in head.tensors)
            self.gate_proj, self.up_proj = (nn.Linear(width, shape.wide, bias=False) for _ in range(2))
            self.down_proj = nn.Linear(shape.wide, width, bias=False)
            self.token_norm, self.state_norm, self.mlp_norm, self.norm = (
                nn.RMSNorm(width, eps=shape.eps) for _ in range(4)
            )
            normed = LAYER + "self_attn.q_norm.weight" in head.tensors
            self.q_norm, self.k_norm = (
                nn.RMSNorm(shape.dim, eps=shape.eps) if normed else nn.Identity() for _ in range(2)
            )
            each = len(shape.layers) * _switched(head, "fc_norm")
            self.fc_norm = nn.ModuleList(nn.RMSNorm(states // each, eps=shape.eps) for _ in range(each))
            self.input_norm = nn.RMSNorm(states, eps=shape.eps) if _switched(head, "norm_before_fc") else nn.Identity()

    def fused(self, states: Tensor) -> Tensor:
        """[..., width] from the states of its layers, [..., layers, target's width]."""
        if self.fc_norm:
            states = torch.stack([norm(states[..., at, :]) for at, norm in enumerate(self.fc_norm)], -2)
        found: Tensor = self.fuse(self.input_norm(states.flatten(-2)))
        return found

    def normed(self, states: Tensor) -> Tensor:
        """What the output layer reads of its states."""
        found: Tensor = states if self._puts_out_normed else self.norm(states)
        return found

    def forward(
        self, embedded: Tensor, state: Tensor, positions: Sequence[int], mask: Tensor | None, cache: TorchCache
    ) -> Tensor:
        """See EaglePass."""
        n, places = len(embedded), torch.tensor([*positions], device=embedded.device)
        normed = self.state_norm(state)
        both = torch.cat([self.token_norm(embedded), normed], -1)
        q, k, v = (self._split(project(both)) for project in (self.q_proj, self.k_proj, self.v_proj))
        q, k = (
            building.rotated(norm(each), places, self._rotary) for norm, each in ((self.q_norm, q), (self.k_norm, k))
        )
        keys, values = (each.repeat_interleave(self._each, 0) for each in cache.write(0, k, v))
        keys, values = keys[:, 1:], values[:, 1:]
        cache.advance(n)
        scores = (q @ keys.mT) * self.shape.dim**-0.5
        if mask is not None:
            scores = scores.masked_fill(~mask[:, 1:].to(scores.device), -torch.inf)
        seen = scores.softmax(-1) @ values
        x = (normed if self._adds_normed else state) + self.o_proj(seen.transpose(0, 1).flatten(1))
        inside = self.mlp_norm(x)
        out: Tensor = x + self.down_proj(functional.silu(self.gate_proj(inside)) * self.up_proj(inside))
        return self.norm(out) if self._puts_out_normed else out

    def _split(self, x: Tensor) -> Tensor:
        parts: Tensor = x.unflatten(-1, (-1, self.shape.dim)).transpose(0, 1)
        return parts


def made(head: Head, target: HeadedModel) -> tuple[PublishedEagle, Words]:
    """The head, and its words.

    Raises:
        ConfigError: it does not fit the target, or a part is missing or of another size.
    """
    config = reading.part(head, "transformer_layer_config")
    width, heads = reading.integer(head, config, "hidden_size"), reading.integer(head, config, "num_attention_heads")
    for name, tensor in SWITCHES.items():
        if tensor in head.tensors and not _switched(head, name):
            raise ConfigError(f"{head.path} holds {tensor}, but its config.json does not set {name}; correct it")
    if all(_switched(head, name) for name in ("fc_norm", "norm_before_fc")):
        raise ConfigError(f"{head.path}: config.json sets both fc_norm and norm_before_fc; wanted one of them")
    if reading.integer(head, config, "num_hidden_layers", 1) > 1:
        raise ConfigError(f"{head.path} has {config['num_hidden_layers']} layers; wanted a head of one")
    reading.fits(head, int(head.facts.get("target_hidden_size") or width), target.width)
    keys = reading.integer(head, config, "num_key_value_heads", heads)
    if heads % keys:
        raise ConfigError(f"{head.path}: {heads} heads for queries cannot share {keys} for keys")
    shape = EagleShape(
        width=width,
        heads=keys,
        dim=reading.integer(head, config, "head_dim", width // heads),
        wide=reading.integer(head, config, "intermediate_size"),
        layers=reading.layers(head, _layers(head.facts, target.layers), target.layers),
        eps=reading.number(head, config, "rms_norm_eps", 1e-6),
        theta=0.0,
    )
    states = len(shape.layers) * target.width
    module = PublishedEagle(head, shape, states, heads, building.rotary(head, config, shape.dim))
    parts = {name: name.partition(".") for name in module.state_dict()}
    names = {name: f"{NAMES.get(part, part)}.{rest}" for name, (part, _, rest) in parts.items()}
    filled, words = building.filled(head, module, names), _words(head, width, target)
    head.emptied(lambda name: name in ("d2t", "t2d") or name.endswith("rotary_emb.inv_freq"))
    return filled, words


def _switched(head: Head, name: str) -> bool:
    """True if config.json sets one of SWITCHES, beside the layer's part or in it."""
    return bool(head.facts.get(name) or reading.part(head, "transformer_layer_config").get(name))


def _layers(facts: Mapping[str, Any], layers: int) -> object:
    """The layers whose states it reads: those in the middle of the published code, unless it names its own.

    speculators count as we do, 0 being the embedding. Others count a layer's output from 0.
    """
    if ids := facts.get("eagle_aux_hidden_state_layer_ids"):
        return ids
    own = facts.get("eagle_config")
    if isinstance(own, dict) and isinstance(ids := own.get("eagle_aux_hidden_state_layer_ids"), list) and ids:
        return [each + 1 if isinstance(each, int) else each for each in ids]
    return [2, layers // 2, layers - 3]


def _words(head: Head, width: int, target: HeadedModel) -> Words:
    """Raises ConfigError: its vocabulary is not the target's, or contradicts itself."""
    embedding = head.take("embed_tokens.weight", -1, width) if "embed_tokens.weight" in head.tensors else None
    rows = head.tensors.get("lm_head.weight")
    if embedding is not None and len(embedding) < target.vocab_size:
        raise ConfigError(f"{head.path} knows {len(embedding):,} tokens, this target {target.vocab_size:,}")
    if width != target.width and (embedding is None or rows is None):
        raise ConfigError(f"{head.path} has states of its own width, but no embed_tokens and lm_head of its own")
    if rows is None:
        return OwnWords(target, embedding)
    rows, ids = head.take("lm_head.weight", -1, width), torch.arange(len(rows))
    if "d2t" in head.tensors:
        ids = ids + head.take("d2t", len(rows)).long()
    if ids.min() < 0 or ids.max() >= target.vocab_size or len(ids.unique()) < len(ids):
        raise ConfigError(f"{head.path}: its {len(ids):,} tokens are not among this target's {target.vocab_size:,}")
    known = head.tensors.get("t2d")
    if known is not None and "d2t" in head.tensors and known.bool().nonzero().flatten().tolist() != ids.tolist():
        raise ConfigError(f"{head.path}: its d2t and t2d name different tokens")
    return OwnWords(target, embedding, rows, ids)
