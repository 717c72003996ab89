"""Medusa's heads as published: head k reads the state that its target's output layer reads, and has one of its own.

The state f_j has seen the tokens up to s_j. Head 1 predicts s_{j+2}, head k what follows s_{j+k}: unlike our own (see
heads/medusa.py), no head knows s_{j+1}.

Sources: FasterDecoding's Medusa; vLLM's reader; Cai et al., arXiv:2401.10774.
"""

import torch
from torch import Tensor, nn
from torch.nn import functional

from specviz.config.settings import ConfigError
from specviz.models.heads.files import Head
from specviz.models.heads.medusa import MedusaShape
from specviz.models.heads.published import building, reading
from specviz.models.heads.published.words import OwnWords, Words
from specviz.verify import HeadedModel


class _Block(nn.Module):
    """x + SiLU(Wx + b)."""

    def __init__(self, width: int, *, biased: bool) -> None:
        super().__init__()
        self.linear = nn.Linear(width, width, bias=biased)

    def forward(self, x: Tensor) -> Tensor:
        return x + functional.silu(self.linear(x))


class PublishedMedusa(nn.Module):
    """Has what the drafter asks of heads."""

    def __init__(self, shape: MedusaShape, depth: int, *, biased: bool) -> None:
        super().__init__()
        self.shape = shape
        with torch.device("meta"):
            self.blocks = nn.ModuleList(
                nn.Sequential(*(_Block(shape.width, biased=biased) for _ in range(depth))) for _ in range(shape.heads)
            )

    def forward(self, head: int, states: Tensor, embedded: Tensor) -> Tensor:
        """What that head's output layer reads, [..., width], from states [..., 1, width]."""
        found: Tensor = self.blocks[head](states[..., -1, :])
        return found


def made(head: Head, target: HeadedModel) -> tuple[PublishedMedusa, Words]:
    """The heads, and their words.

    Raises:
        ConfigError: they do not fit the target, or a part is missing or of another size.
    """
    vllm = "blocks.0.layers.0.weight" in head.tensors
    first, layer = ("blocks.{}.layers.0", "blocks.0.layers.{}") if vllm else ("{}.0.linear", "0.{}.linear")
    heads, depth = (len([*reading.numbered(head, pattern + ".weight")]) for pattern in (first, layer))
    stated = head.facts.get("medusa_num_heads", head.facts.get("num_heads", heads))
    if isinstance(stated, int) and 0 < stated < heads:
        heads = stated
    elif stated != heads:
        raise ConfigError(f"{head.path}: config.json says {stated!r:.40} heads, the file has {heads}")
    width = head.tensors[first.format(0) + ".weight"].shape[-1]
    reading.fits(head, width, target.width)
    shape = MedusaShape(width, heads, (target.layers,), told=False, eps=0.0)
    module = PublishedMedusa(shape, depth, biased=first.format(0) + ".bias" in head.tensors)
    names = {}
    for name in module.state_dict():
        _, place, number, _, end = name.split(".")
        names[name] = f"blocks.{place}.layers.{number}.{end}" if vllm else f"{place}.{number}.linear.{end}"
    filled, words = building.filled(head, module, names), _words(head, heads, depth, width, target, vllm=vllm)
    head.emptied(lambda name: name == "token_map" or _beyond(name, heads) or name.startswith("lm_heads."))
    return filled, words


def _beyond(name: str, heads: int) -> bool:
    """True if a tensor is of a head that config.json does not count."""
    number = next((part for part in name.split(".") if part.isdigit()), "")
    return bool(number) and int(number) >= heads


def _words(head: Head, heads: int, depth: int, width: int, target: HeadedModel, *, vllm: bool) -> Words:
    names = [f"lm_heads.{place}.weight" if vllm else f"{place}.{depth}.weight" for place in range(heads)]
    if not any(name in head.tensors for name in names):
        return target
    if vllm and head.facts.get("original_lm_head"):
        names = names[:1] * heads
    ids = head.tensors.get("token_map")
    size = target.vocab_size if ids is None else len(ids)
    if ids is not None and (ids.min() < 0 or ids.max() >= target.vocab_size):
        raise ConfigError(f"{head.path}: its {size:,} tokens are not among this target's {target.vocab_size:,}")
    rows = [head.take(name, -1, width) for name in names]
    if ids is not None:
        rows = [each[ids.long()] if len(each) > size else each for each in rows]
    if any(len(each) != size for each in rows):
        raise ConfigError(f"{head.path} knows {len(rows[0]):,} tokens, this target {target.vocab_size:,}")
    return OwnWords(target, None, torch.stack(rows), None if ids is None else ids.long())
