"""A trained EAGLE head at work: the same sums as `Eagle`, in few steps, over slots of a cache."""

from collections.abc import Sequence

import torch
from torch import Tensor
from torch.nn import functional

from specviz.models.border import TorchCache
from specviz.models.heads.eagle import Eagle, rotated, rotation


class EaglePass:
    """Projections that read the same input are one, and the norms before them are folded in."""

    def __init__(self, head: Eagle, places: int) -> None:
        """places: how many positions there are."""
        self.shape = shape = head.shape
        self.fused, self.normed = head.fused, head.norm
        norms = torch.cat([head.token_norm.weight, head.state_norm.weight])
        queries = head.q_proj.weight * shape.dim**-0.5
        self._project = torch.cat([queries, head.k_proj.weight, head.v_proj.weight]) * norms
        self._mix, self._narrow = head.o_proj.weight, head.down_proj.weight
        self._widen = torch.cat([head.gate_proj.weight, head.up_proj.weight]) * head.mlp_norm.weight
        angles = rotation(torch.arange(places, device=norms.device), shape.dim, shape.theta)
        self._cos, self._sin = (each[:, None, None].to(norms.dtype) for each in angles)

    def __call__(
        self, embedded: Tensor, state: Tensor, positions: Sequence[int], mask: Tensor | None, cache: TorchCache
    ) -> Tensor:
        """The next states, [n, width]. Writes n slots of the cache and advances it. Nobody sees its first slot.

        Args:
            embedded: [n, width], tokens that were drawn from the states `state`, [n, width].
            mask: bool[n, len(cache) + n], True where a row sees a column. None: all of them.
        """
        n, shape = len(embedded), self.shape
        both = torch.cat([self._even(embedded), self._even(state)], -1)
        every = functional.linear(both, self._project).view(n, 3, shape.heads, shape.dim)
        at = slice(positions[0], positions[0] + n) if isinstance(positions, range) or n == 1 else [*positions]
        q, k = rotated(every[:, :2], self._cos[at], self._sin[at]).permute(1, 2, 0, 3)
        keys, values = cache.write(0, k, every[:, 2].transpose(0, 1))
        cache.advance(n)
        scores = q @ keys[:, 1:].mT
        if mask is not None:
            scores = scores.masked_fill_(~mask[:, 1:].to(scores.device), -torch.inf)
        seen = (scores.softmax(-1) @ values[:, 1:]).transpose(0, 1).reshape(n, -1)
        x = state + functional.linear(seen, self._mix)
        gate, up = functional.linear(self._even(x), self._widen).chunk(2, -1)
        return x + functional.linear(functional.silu(gate) * up, self._narrow)

    def _even(self, x: Tensor) -> Tensor:
        return functional.rms_norm(x, x.shape[-1:], eps=self.shape.eps)
