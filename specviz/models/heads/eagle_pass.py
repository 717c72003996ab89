"""A trained layer at work, EAGLE's or one for multi-token prediction: the same sums, in few steps, over a cache."""

from abc import ABC, abstractmethod
from collections.abc import Sequence

import torch
from torch import Tensor
from torch.nn import functional

from specviz.models.border import TorchCache
from specviz.models.heads.eagle import Eagle, rotated, rotation
from specviz.models.heads.mtp import Mtp


class _Pass(ABC):
    """Projections that read the same input are one, and the norms before them are folded in."""

    def __init__(self, head: Eagle | Mtp, norms: Tensor, places: int) -> None:
        """norms: weights of the norms of what attention reads. places: how many positions there are."""
        self.shape = shape = head.shape
        self.fused, self.normed = head.fused, head.normed
        queries = head.q_proj.weight * shape.dim**-0.5
        self._project = torch.cat([queries, head.k_proj.weight, head.v_proj.weight]) * norms
        self._mix, self._narrow = head.o_proj.weight, head.down_proj.weight
        self._widen = torch.cat([head.gate_proj.weight, head.up_proj.weight]) * head.mlp_norm.weight
        angles = rotation(torch.arange(places, device=norms.device), shape.dim, shape.theta)
        self._cos, self._sin = (each[:, None, None].to(norms.dtype) for each in angles)

    @abstractmethod
    def __call__(
        self, embedded: Tensor, state: Tensor, positions: Sequence[int], mask: Tensor | None, cache: TorchCache
    ) -> Tensor:
        """The next states, [n, width]. Writes n slots of the cache and advances it. No token sees its first slot.

        Args:
            embedded: [n, width], tokens that were drawn from the states `state`, [n, width].
            mask: bool[n, len(cache) + n], True where a row sees a column. None: all of them.
        """

    def _through(
        self, x: Tensor, read: Tensor, positions: Sequence[int], mask: Tensor | None, cache: TorchCache
    ) -> Tensor:
        """See Layer.through, and above; `read` without the weights of its norms."""
        n, shape = len(x), self.shape
        every = functional.linear(read, self._project).view(n, 3, shape.heads, shape.dim)
        at = slice(positions[0], positions[0] + n) if isinstance(positions, range) or n == 1 else [*positions]
        q, k = rotated(every[:, :2], self._cos[at], self._sin[at]).permute(1, 2, 0, 3)
        keys, values = cache.write(0, k, every[:, 2].transpose(0, 1))
        cache.advance(n)
        scores = q @ keys[:, 1:].mT
        if mask is not None:
            scores = scores.masked_fill_(~mask[:, 1:].to(scores.device), -torch.inf)
        seen = (scores.softmax(-1) @ values[:, 1:]).transpose(0, 1).reshape(n, -1)
        x = x + functional.linear(seen, self._mix)
        gate, up = functional.linear(self._even(x), self._widen).chunk(2, -1)
        return x + functional.linear(functional.silu(gate) * up, self._narrow)

    def _both(self, embedded: Tensor, state: Tensor) -> Tensor:
        return torch.cat([self._even(embedded), self._even(state)], -1)

    def _even(self, x: Tensor) -> Tensor:
        return functional.rms_norm(x, x.shape[-1:], eps=self.shape.eps)


class EaglePass(_Pass):
    """EAGLE's: attention reads token and state side by side."""

    def __init__(self, head: Eagle, places: int) -> None:
        super().__init__(head, torch.cat([head.token_norm.weight, head.state_norm.weight]), places)

    def __call__(
        self, embedded: Tensor, state: Tensor, positions: Sequence[int], mask: Tensor | None, cache: TorchCache
    ) -> Tensor:
        """See above."""
        return self._through(state, self._both(embedded, state), positions, mask, cache)


class MtpPass(_Pass):
    """For multi-token prediction: token and state are joined before a plain head."""

    def __init__(self, head: Mtp, places: int) -> None:
        super().__init__(head, head.input_norm.weight, places)
        self._join = head.join.weight * torch.cat([head.token_norm.weight, head.state_norm.weight])
        self._norm = head.norm

    def __call__(
        self, embedded: Tensor, state: Tensor, positions: Sequence[int], mask: Tensor | None, cache: TorchCache
    ) -> Tensor:
        """See above."""
        x = functional.linear(self._both(embedded, state), self._join)
        out: Tensor = self._norm(self._through(x, self._even(x), positions, mask, cache))
        return out
