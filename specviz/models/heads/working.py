"""Trained heads at work for the drafters: NumPy outside, torch inside, on the target's device and in its type."""

from collections.abc import Callable, Sequence

import numpy as np
import torch
from torch import Tensor

from specviz.config.settings import ConfigError
from specviz.models.border import Place, TorchCache, computing, crossed, place_of, widened
from specviz.models.heads import exits
from specviz.models.heads.compiled import Compiled, CompiledBlock, CompiledHeads
from specviz.models.heads.dflash import DFlash, DFlashShape
from specviz.models.heads.eagle import Eagle, EagleShape
from specviz.models.heads.eagle_pass import EaglePass, MtpPass
from specviz.models.heads.files import IDS, Head
from specviz.models.heads.medusa import Medusa, MedusaShape
from specviz.models.heads.mtp import Mtp
from specviz.models.heads.published import PublishedHead
from specviz.models.heads.published import dflash as published_dflash
from specviz.models.heads.published import eagle as published_eagle
from specviz.models.heads.published import medusa as published_medusa
from specviz.models.heads.published import mtp as published_mtp
from specviz.models.heads.published.dflash import PublishedDFlash
from specviz.models.heads.published.eagle import PublishedEagle
from specviz.models.heads.published.medusa import PublishedMedusa
from specviz.models.heads.published.mtp import MtpSlots, PublishedMtp
from specviz.models.heads.published.words import OwnWords, Words
from specviz.models.heads.shaped import filled
from specviz.models.passes.llama import Llama
from specviz.sampling.arrays import Bools, Reals
from specviz.verify import HeadedModel, SplitModel


class _Head:
    """A head. words: what it reads tokens by, and says them by."""

    def __init__(self, words: Words, place: Place) -> None:
        self.words, self._place = words, place


class _Slotted(_Head):
    """A head with a cache. slot_bytes: what one token takes in it."""

    def __init__(self, words: Words, place: Place, layers: int, heads: int, dim: int) -> None:
        super().__init__(words, place)
        self._layers, self._heads, self._dim = layers, heads, dim
        self.slot_bytes = 2 * layers * heads * dim * place.dtype.itemsize

    def new_cache(self, capacity: int) -> TorchCache:
        return TorchCache(self._layers, self._heads, capacity, self._dim, self._place)


class MedusaHeads(_Head):
    """Medusa's or Hydra's. pending: whether they know the pending token."""

    def __init__(self, module: Medusa | PublishedMedusa, words: Words, place: Place) -> None:
        super().__init__(words, place)
        self.shape, self.pending = module.shape, isinstance(module, Medusa)
        self._module = module.to(*place)

    @computing()
    def __call__(self, head: int, states: Reals, given: Reals) -> Reals:
        """See Medusa.forward."""
        return crossed(self._module(head, self._place.tensor(states), self._place.tensor(given)))


class EagleHead(_Slotted):
    """EAGLE's, or a layer for multi-token prediction.

    ours: whether it puts out what the target's own output layer reads. depth: how many layers it has.
    """

    depth = 1

    def __init__(self, module: EaglePass | MtpPass | PublishedEagle | PublishedMtp, words: Words, place: Place) -> None:
        """module: there already."""
        super().__init__(words, place, 1, module.shape.heads, module.shape.dim)
        self.shape, self.ours = module.shape, not isinstance(module, PublishedEagle)
        self._module = module

    @computing()
    def fused(self, states: Reals) -> Reals:
        """[n, width] from the states of its layers, [n, layers, target's width]."""
        return crossed(self._module.fused(self._place.tensor(states)))

    @computing()
    def normed(self, states: Reals) -> Reals:
        """What the output layer reads of its states."""
        return crossed(self._module.normed(self._place.tensor(states)))

    @computing()
    def __call__(
        self, embedded: Reals, state: Reals, positions: Sequence[int], mask: Bools | None, cache: TorchCache
    ) -> Reals:
        """See EaglePass; the mask is that of LanguageModel.forward."""
        n = len(embedded)
        if mask is None and n > 1:
            mask = np.tri(n, dtype=bool)
        seen = None if mask is None else widened(mask, cache.room(n))
        return crossed(self._module(self._place.tensor(embedded), self._place.tensor(state), positions, seen, cache))


class CarriedHead(EagleHead):
    """Layers for multi-token prediction of a checkpoint, whose slots have any size."""

    def __init__(self, module: PublishedMtp, place: Place) -> None:
        super().__init__(module, module, place)
        self.depth, self._carried = module.depth, module
        numbers = sum(heads * keys + others * values for heads, keys, others, values in filter(None, module.sizes))
        self.slot_bytes = numbers * place.dtype.itemsize

    def new_cache(self, capacity: int) -> TorchCache:
        return MtpSlots(self._carried, capacity)


class DFlashHead(_Slotted):
    """DFlash's drafter."""

    def __init__(self, module: DFlash | PublishedDFlash, words: Words, place: Place) -> None:
        shape = module.shape
        super().__init__(words, place, shape.depth, shape.heads, shape.dim)
        self.shape, self._module = shape, module.to(*place)

    @computing()
    def remember(self, states: Reals, cache: TorchCache) -> None:
        """Writes keys and values of the text's next states, [n, layers, width], after the cache."""
        fused = self._module.fused(self._place.tensor(states))
        for number, (keys, values) in enumerate(self._module.remembered(fused, self._places(cache, len(fused)))):
            cache.write(number, keys, values)
        cache.advance(len(states))

    @computing()
    def filled(self, last: int, cache: TorchCache) -> Reals:
        """logits[block - 1, V] of the blanks after the text.

        Args:
            last: the text's last token.
            cache: of all states before it. It is not advanced.
        """

        def attend(number: int, q: Tensor, k: Tensor, v: Tensor) -> Tensor:
            keys, values = cache.write(number, k, v)
            found: Tensor = ((q @ keys.mT) * q.shape[-1] ** -0.5).softmax(-1) @ values
            return found

        embedded = self._place.tensor(self.words.embedded([last])[0])
        return self.words.spoken(crossed(self._module(embedded, self._places(cache, self.shape.block), attend)))

    def _places(self, cache: TorchCache, count: int) -> Tensor:
        return torch.arange(cache.length, cache.length + count, device=self._place.device)


def medusa(head: Head, target: HeadedModel) -> MedusaHeads | CompiledHeads:
    """Medusa's or Hydra's heads.

    Raises:
        ConfigError: they do not fit the target, or a part is missing or of another size. The others likewise.
    """
    if isinstance(head, PublishedHead):
        return MedusaHeads(*published_medusa.made(head, target), place_of(target))
    made = filled(head, MedusaShape, Medusa, target)
    return CompiledHeads(made, target) if isinstance(target, Llama) else MedusaHeads(made, target, place_of(target))


def eagle(head: Head, target: HeadedModel, places: int) -> EagleHead | Compiled:
    """EAGLE's head, for that many positions."""
    place = place_of(target)
    if isinstance(head, PublishedHead):
        module, words = published_eagle.made(head, target)
        return EagleHead(module.to(*place), words, place)
    made = filled(head, EagleShape, Eagle, target)
    ids = head.take(IDS, -1).tolist() if IDS in head.tensors else None
    if isinstance(target, Llama):
        return Compiled(made, target, ids)
    return EagleHead(EaglePass(made.to(*place), places), _among(ids, target), place)


def mtp(head: Head, target: HeadedModel, places: int) -> EagleHead | Compiled:
    """A layer for multi-token prediction, for that many positions."""
    place = place_of(target)
    if isinstance(head, PublishedHead):
        return CarriedHead(published_mtp.made(head, target), place)
    made = filled(head, EagleShape, Mtp, target)
    if made.shape.layers != (target.layers,):
        raise ConfigError(f"{head.path} reads layers {made.shape.layers}; wanted the last alone, {target.layers}")
    return (
        Compiled(made, target)
        if isinstance(target, Llama)
        else EagleHead(MtpPass(made.to(*place), places), target, place)
    )


def _among(ids: list[int] | None, target: HeadedModel) -> Words:
    """The target's words, or those of them that the head may guess, whose output rows are their embedding's."""
    if ids is None:
        return target
    return OwnWords(target, None, place_of(target).tensor(target.embedded(ids)), torch.tensor(ids))


def dflash(head: Head, target: HeadedModel) -> DFlashHead | CompiledBlock:
    """DFlash's drafter."""
    if isinstance(head, PublishedHead):
        return DFlashHead(published_dflash.made(head, target), target, place_of(target))
    made = filled(head, DFlashShape, DFlash, target)
    return CompiledBlock(made, target) if isinstance(target, Llama) else DFlashHead(made, target, place_of(target))


def way_out(head: Head, layer: int, target: SplitModel) -> Callable[[Reals], Reals]:
    """The exit after that layer: from hidden states to what the target's norm and output layer read."""
    place = place_of(target)
    module = exits.exit_of(head, layer, target.width).to(*place)

    @computing()
    def found(hidden: Reals) -> Reals:
        return crossed(module(place.tensor(hidden)))

    return found
