"""Layers for multi-token prediction in the target's own checkpoint, as transformers' `MtpModel` reads them.

Of several layers, layer k makes guess k: it reads what layer k - 1 put out at the place before, the first one the
target's last state. A single layer makes all guesses, and reads its own output. The text's own tokens go through every
layer, so that each has its slots; the first k tokens have none in layer k.

Sources: DeepSeek-V3, arXiv:2412.19437; `MtpModel` of transformers.
"""

from collections.abc import Sequence
from typing import Any

import torch
from safetensors import safe_open
from torch import Tensor
from transformers.cache_utils import Cache
from transformers.core_model_loading import convert_and_load_state_dict_in_model
from transformers.modeling_layers import MtpModel
from transformers.modeling_utils import LoadStateDictConfig
from transformers.utils.generic import ContextManagers

from specviz.config.settings import ConfigError
from specviz.models import by_torch
from specviz.models.border import TorchCache, UnevenCache, computing, crossed, place_of
from specviz.models.heads.eagle import EagleShape
from specviz.models.heads.files import Head
from specviz.models.heads.published import carried
from specviz.models.hf import FULL, Slots, additive, near, spans
from specviz.models.hub.fits import first_line
from specviz.sampling.arrays import Reals
from specviz.verify import HeadedModel


class MtpSlots(UnevenCache):
    """outs: what each layer put out, [layers, capacity, width]. text: slots of the text's own tokens."""

    def __init__(self, module: "PublishedMtp", capacity: int) -> None:
        super().__init__(module.sizes, capacity, module.place)
        device, dtype = module.place
        self.outs = torch.zeros(module.depth, capacity, module.shape.width, device=device, dtype=dtype)
        self.text = 0


class PublishedMtp:
    """Has what `draft.imagining` asks of a head, and its words.

    depth: how many layers there are. sizes: see UnevenCache.
    """

    def __init__(self, module: Any, target: HeadedModel) -> None:
        self.place, self.depth = place_of(target), len(module.layers)
        self.shape = EagleShape(target.width, 1, 1, 0, (target.layers,), 0.0, 0.0)
        self.sizes: list[tuple[int, int, int, int] | None] = [None] * self.depth
        self._module, self._spans = module.eval().requires_grad_(requires_grad=False), spans(module.config)
        self._kinds = getattr(module.config, "layer_types", None) or [next(iter(self._spans))] * self.depth

    @computing()
    def embedded(self, tokens: Sequence[int]) -> Reals:
        """See Words."""
        return crossed(self._module.embed_tokens(torch.tensor([*tokens], device=self.place.device)))

    @computing()
    def spoken(self, hidden: Reals) -> Reals:
        """See Words."""
        return crossed(self._module._project_to_logits(self.place.tensor(hidden)))

    def fused(self, states: Tensor) -> Tensor:
        """The states of the one layer that it reads, [..., 1, width], without that dimension."""
        return states.squeeze(-2)

    def normed(self, states: Tensor) -> Tensor:
        """What the output layer reads of what was put out: the first layer's that may guess there."""
        return states[..., : self.shape.width]

    def __call__(
        self, embedded: Tensor, state: Tensor, positions: Sequence[int], mask: Tensor | None, cache: TorchCache
    ) -> Tensor:
        """What the layers put out, [n, depth x width]; guess k has none of the first k layers, and zeros at the end.

        Args:
            embedded, positions, mask, cache: see EaglePass.
            state: [n, width] of the target, after the tokens of a text before these; or what was put out before them,
                as it is returned.
        """
        assert isinstance(cache, MtpSlots), "it is given a cache that it made"
        n, start, width = len(embedded), cache.length, self.shape.width
        of_text = state.shape[-1] == width
        first = 0 if of_text or self.depth == 1 else positions[0] - cache.text + 1
        outs: list[Tensor] = []
        for number in range(first, self.depth):
            if number == 0:
                before = state[:, :width]
            elif of_text:
                before = torch.cat([cache.outs[number - 1, start - 1 : start], outs[-1][:-1]])
            else:
                before = state[:, (number - first) * width : (number - first + 1) * width]
            outs.append(self._layer(number, embedded, before, positions, mask, cache))
            cache.outs[number, start : start + n] = outs[-1]
        cache.advance(n)
        if of_text:
            cache.text = cache.length
        return torch.cat([*outs, embedded.new_zeros(n, first * width)], -1)

    def _layer(
        self, number: int, embedded: Tensor, before: Tensor, positions: Sequence[int], mask: Tensor | None, cache: Any
    ) -> Tensor:
        """One layer by number, [n, width]."""
        places, kind = torch.tensor([*positions]), self._kinds[number]
        end = cache.room(len(places))
        seen = torch.ones(1, end, dtype=torch.bool) if mask is None else mask.clone()
        slots = torch.cat([torch.arange(end - len(places)), places])
        seen = seen & near(kind, self._spans[kind], slots, places[:, None]) & (torch.arange(end) > number)
        at = places[None].to(embedded.device)
        turned = self._module.rotary_emb(
            embedded[None], position_ids=at, **({"layer_type": kind} if self._module.has_per_layer_rope else {})
        )
        out = self._module.layers[number](
            embedded[None],
            before[None],
            position_embeddings=turned,
            attention_mask=additive(seen, self.place),
            position_ids=at,
            cache=Cache(layers=[Slots(cache, layer) for layer in range(self.depth)]),
        )
        if self._module.use_shared_post_norm:
            out = self._module.shared_post_norm(out)
        found: Tensor = out[0]
        return found


def made(head: Head, target: Any) -> PublishedMtp:
    """The layers in the checkpoint of a target.

    Raises:
        ConfigError: transformers reads none of this family's, or a part is missing, left over or of another shape.
    """
    model = getattr(target, "model", None)
    try:
        if model is None:
            raise ValueError("specviz runs this target by a pass of its own")
        with torch.no_grad():
            found = PublishedMtp(_loaded(head, model), target)
            slots, nothing = MtpSlots(found, 2), torch.zeros(1, target.width).to(*found.place)
            slots.advance(1)
            found(nothing, nothing, [1], None, slots)
    except (AttributeError, IndexError, KeyError, TypeError, ValueError, RuntimeError, OSError) as error:
        raise ConfigError(
            f"{head.path}: its layer for multi-token prediction cannot be used ({first_line(error)});"
            " choose another drafter"
        ) from None
    return found


def _loaded(head: Head, model: Any) -> Any:
    """As MtpModel.from_pretrained does, but for what is missing, left over, or of another shape."""
    config = model.config.get_text_config()
    names = carried.names(head.path)
    if not getattr(config, "num_mtp_layers", None):
        config.num_mtp_layers = carried.count(names, config.num_hidden_layers)
    for kinds, kind in (("layer_types", FULL), ("mlp_layer_types", "sparse")):
        if getattr(config, kinds, None) and not getattr(config, f"mtp_{kinds}", None):
            setattr(config, f"mtp_{kinds}", [kind] * config.num_mtp_layers)
    with ContextManagers(MtpModel.get_init_context(model.dtype, False, False, None)):  # noqa: FBT003 - as they do
        module = MtpModel(model, config.num_mtp_layers)
    tensors: dict[str, Any] = {}
    for path in sorted(head.path.glob("*.safetensors")):
        with safe_open(path, "pt") as file:
            own = [name for name in [*file.keys()] if carried.layer(name, config.num_hidden_layers) is not None]
            tensors |= {name: file.get_tensor(name) for name in own}
    how = LoadStateDictConfig(
        weight_mapping=module.get_weight_conversions(model), device_map={"": model.device}, dtype=model.dtype,
        ignore_mismatched_sizes=True,
    )  # fmt: skip
    with by_torch.quiet():
        found, _ = convert_and_load_state_dict_in_model(model=module, state_dict=tensors, load_config=how)
    module._adjust_missing_and_unexpected_keys(found)
    by_torch.whole(str(head.path), "its layer for multi-token prediction", module, vars(found))
    module.tie_with_main_model(model)
    return module
