"""DFlash's drafter as published, for Qwen3 targets.

Like our own (see heads/dflash.py), but: the states are fused as they are; queries and keys have their own norms; all
blanks are one token of the target's vocabulary; the text's last token is embedded as the target does.

Sources: z-lab's DFlash; Chen et al., arXiv:2602.06036.
"""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional
from transformers.models.llama.modeling_llama import LlamaRotaryEmbedding

from specviz.config.settings import ConfigError
from specviz.models.heads.dflash import Attend, DFlashShape
from specviz.models.heads.files import Head
from specviz.models.heads.published import building, reading
from specviz.verify import HeadedModel

NAMES = {
    "q_proj": "self_attn.q_proj",
    "k_proj": "self_attn.k_proj",
    "v_proj": "self_attn.v_proj",
    "o_proj": "self_attn.o_proj",
    "q_norm": "self_attn.q_norm",
    "k_norm": "self_attn.k_norm",
    "gate_proj": "mlp.gate_proj",
    "up_proj": "mlp.up_proj",
    "down_proj": "mlp.down_proj",
    "input_norm": "input_layernorm",
    "mlp_norm": "post_attention_layernorm",
}
UNKNOWN = ("output_multiplier", "final_logit_softcapping", "input_embedding_scale")
"""What some later drafters change besides."""


class Layer(nn.Module):
    """One layer. The cache keeps one key for each query head."""

    def __init__(self, shape: DFlashShape, keys: int, rotary: LlamaRotaryEmbedding, *, biased: bool) -> None:
        super().__init__()
        self.shape, self._keys = shape, keys
        self._rotary = [rotary]  # in a list, so that it is no part of every layer
        width, inner, outer = shape.width, shape.heads * shape.dim, keys * shape.dim
        self.q_proj = nn.Linear(width, inner, bias=biased)
        self.k_proj, self.v_proj = (nn.Linear(width, outer, bias=biased) for _ in range(2))
        self.o_proj = nn.Linear(inner, width, bias=biased)
        self.gate_proj, self.up_proj = (nn.Linear(width, shape.wide, bias=False) for _ in range(2))
        self.down_proj = nn.Linear(shape.wide, width, bias=False)
        self.input_norm, self.mlp_norm = (nn.RMSNorm(width, eps=shape.eps) for _ in range(2))
        self.q_norm, self.k_norm = (nn.RMSNorm(shape.dim, eps=shape.eps) for _ in range(2))

    def remembered(self, fused: Tensor, positions: Tensor) -> tuple[Tensor, Tensor]:
        """Keys and values, [heads, n, dim], from the text's fused states or the block's own, [n, width]."""
        each = self.shape.heads // self._keys
        keys = building.rotated(self.k_norm(self._split(self.k_proj(fused))), positions, *self._rotary)
        return keys.repeat_interleave(each, -3), self._split(self.v_proj(fused)).repeat_interleave(each, -3)

    def forward(self, x: Tensor, positions: Tensor, attend: Callable[[Tensor, Tensor, Tensor], Tensor]) -> Tensor:
        """[n, width] of the block."""
        inside = self.input_norm(x)
        queries = building.rotated(self.q_norm(self._split(self.q_proj(inside))), positions, *self._rotary)
        seen = attend(queries, *self.remembered(inside, positions))
        x = x + self.o_proj(seen.transpose(-2, -3).flatten(-2))
        inside = self.mlp_norm(x)
        out: Tensor = x + self.down_proj(functional.silu(self.gate_proj(inside)) * self.up_proj(inside))
        return out

    def _split(self, x: Tensor) -> Tensor:
        parts: Tensor = x.unflatten(-1, (-1, self.shape.dim)).transpose(-2, -3)
        return parts


class PublishedDFlash(nn.Module):
    """Has what `draft.dflash` asks of a head."""

    def __init__(
        self, shape: DFlashShape, keys: int, blank: Tensor, rotary: LlamaRotaryEmbedding, *, biased: bool
    ) -> None:
        """blank: the embedding of the token that stands for a blank, [1, width]."""
        super().__init__()
        self.shape, self._blank = shape, blank
        with torch.device("meta"):
            self.fuse = nn.Linear(len(shape.layers) * shape.width, shape.width, bias=False)
            self.fused_norm, self.norm = (nn.RMSNorm(shape.width, eps=shape.eps) for _ in range(2))
            self.layers = nn.ModuleList(Layer(shape, keys, rotary, biased=biased) for _ in range(shape.depth))

    def fused(self, states: Tensor) -> Tensor:
        """[n, width] from the states of its layers, [n, layers, width]."""
        found: Tensor = self.fused_norm(self.fuse(states.flatten(-2)))
        return found

    def remembered(self, fused: Tensor, positions: Tensor) -> list[tuple[Tensor, Tensor]]:
        """Keys and values of the text by layer; see Layer."""
        return [layer.remembered(fused, positions) for layer in self.layers if isinstance(layer, Layer)]

    def forward(self, embedded: Tensor, positions: Tensor, attend: Attend) -> Tensor:
        """What the output layer reads for places 1 to block - 1, from the last token's embedding, [width]."""
        x = torch.cat([embedded[None], self._blank.to(embedded).expand(self.shape.block - 1, -1)])
        for number, layer in enumerate(self.layers):
            x = layer(x, positions, lambda q, k, v, number=number: attend(number, q, k, v))
        out: Tensor = self.norm(x[1:])
        return out


def made(head: Head, target: HeadedModel) -> PublishedDFlash:
    """The drafter; it uses the target's words.

    Raises:
        ConfigError: it does not fit the target, or a part is missing or of another size.
    """
    config: dict[str, Any] = {**head.facts, **reading.part(head, "dflash_config")}
    width, heads = reading.integer(head, config, "hidden_size"), reading.integer(head, config, "num_attention_heads")
    reading.fits(head, width, target.width)
    odd = [name for name in UNKNOWN if config.get(name) not in (None, 0, 1)]
    if odd:
        raise ConfigError(f"{head.path}: config.json sets {odd[0]}, which specviz does not know")
    if windowed := {*(config.get("layer_types") or ())} - {"full_attention"}:
        raise ConfigError(f"{head.path} has layers of {windowed.pop()!s:.40}; wanted full attention in all of them")
    ids = config.get("target_layer_ids")
    shape = DFlashShape(
        width=width,
        heads=heads,
        dim=reading.integer(head, config, "head_dim", width // heads),
        wide=reading.integer(head, config, "intermediate_size"),
        depth=reading.integer(head, config, "num_hidden_layers"),
        block=reading.integer(head, config, "block_size", 16),
        layers=reading.layers(head, _outputs(ids), target.layers),
        eps=reading.number(head, config, "rms_norm_eps", 1e-6),
        theta=0.0,
    )
    keys = reading.integer(head, config, "num_key_value_heads", heads)
    blank = config.get("mask_token_id")
    if heads % keys:
        raise ConfigError(f"{head.path}: {heads} heads for queries cannot share {keys} for keys")
    if type(blank) is not int or not 0 <= blank < target.vocab_size:
        raise ConfigError(
            f"{head.path}: its blanks are token {blank!r:.20}, this target has {target.vocab_size:,} tokens"
        )
    biased = "layers.0.self_attn.q_proj.bias" in head.tensors
    rotary = building.rotary(head, config, shape.dim)
    module = PublishedDFlash(shape, keys, torch.from_numpy(target.embedded([blank])), rotary, biased=biased)
    filled = building.filled(head, module, {name: _published(name) for name in module.state_dict()})
    head.emptied(lambda name: name.endswith("rotary_emb.inv_freq"))
    return filled


def _outputs(ids: object) -> object:
    """Published numbers count a layer's output from 0; with us 0 is the embedding."""
    return [each + 1 if type(each) is int else each for each in ids] if isinstance(ids, list) else ids


def _published(name: str) -> str:
    """The published name of a tensor of ours."""
    first, *rest = name.split(".")
    if first == "layers":
        number, part, end = rest
        return f"layers.{number}.{NAMES[part]}.{end}"
    return ".".join(({"fuse": "fc", "fused_norm": "hidden_norm"}.get(first, first), *rest))
