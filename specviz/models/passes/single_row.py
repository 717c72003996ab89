"""One token's pass through a lean body, in NumPy, whose calls are cheapest where calls cost as much as the work."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import threadpoolctl
import torch
from numpy.typing import NDArray
from torch import nn
from transformers.activations import SiLUActivation

from specviz.models.passes.packed import Packed

Reals = NDArray[np.floating[Any]]
Step = Callable[[Reals], Reals]


class SinglePass:
    """The pass of `lean_body.Body` over one row. It uses transposed weights, which are fastest for a single row."""

    def __init__(self, body: Any) -> None:
        threadpoolctl.threadpool_limits(1, user_api="blas")  # NumPy's threads would compete with torch's
        self._embedding: Reals = body.embedding.numpy()
        self._rotary = body.rotary.numpy()
        self._eps = float(body.eps) ** 2
        self._layers = [_steps(layer) for layer in body.layers]
        self._head = None if body.head is None else _times(body.head)
        layer = body.layers[0]
        self._heads, self._kv_heads, self._dim = layer.heads, layer.kv_heads, layer.dim

    def __call__(self, token: int, position: int, slots: Reals, added: Reals | None) -> Reals:
        """logits[V], or without a head hidden[width].

        Args:
            position: the token's, in the text.
            slots: [layers, 2, kv_heads, slots, dim]. The last slot is the token's, and is written.
            added: [slots], to the attention scores; None where the token sees all of them.
        """
        heads, kv_heads, dim = self._heads, self._kv_heads, self._dim
        x = self._embedding[token]
        rotary = self._rotary[position]
        for cached, (project, scale, eps, mix, widen, act, narrow) in zip(slots, self._layers, strict=True):
            every = project(self._unit(x)).reshape(-1, dim)
            rotated = every[:-kv_heads]
            if scale is not None:
                rotated /= np.sqrt(np.vecdot(rotated, rotated) + eps)[:, None]
                rotated *= scale
            pairs = rotated.view(rotary.dtype)
            pairs *= rotary
            cached[:, :, -1] = every[heads:].reshape(2, kv_heads, dim)
            keys, values = cached
            weights = every[:heads].reshape(kv_heads, -1, dim) @ keys.swapaxes(1, 2)
            if added is not None:
                weights += added
            weights -= weights.max(-1, keepdims=True)
            np.exp(weights, weights)
            seen = weights @ values
            seen /= weights.sum(-1, keepdims=True)
            x = x + mix(seen.reshape(-1))
            wide = widen(self._unit(x))
            half = len(wide) // 2
            gate = act(wide[:half])
            gate *= wide[half:]
            x = x + narrow(gate)
        return x if self._head is None else self._head(self._unit(x))

    def _unit(self, x: Reals) -> Reals:
        return x * (1 / math.sqrt(x.dot(x) + self._eps))


def _steps(layer: Any) -> tuple[Any, ...]:
    scale = None if layer.scale is None else layer.scale.numpy()
    project, mix, widen, narrow = map(_times, (layer.project, layer.mix, layer.widen, layer.narrow))
    return project, scale, float(layer.head_eps) ** 2, mix, widen, _act(layer.act), narrow


def _times(layer: Any) -> Step:
    transposed = layer.turned if isinstance(layer, Packed) else layer.weight.t()
    assert transposed is not None, "pack() keeps the transposed weights of a lean body"
    weight = np.ascontiguousarray(transposed.numpy())
    if layer.bias is None:
        return lambda x: x.dot(weight)
    bias = layer.bias.numpy()
    return lambda x: x.dot(weight) + bias


def _act(act: nn.Module) -> Step:
    return _silu if isinstance(act, SiLUActivation) else lambda gate: act(torch.from_numpy(gate)).numpy()


def _silu(gate: Reals) -> Reals:
    """Computed with tanh, which does not overflow."""
    half = gate * 0.5
    out: Reals = np.tanh(half)
    out += 1
    out *= half
    return out
