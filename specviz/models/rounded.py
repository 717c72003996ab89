"""Matrices in 8 bits, with a scale for each row, as shipped drafters are stored. Half the size of float16."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

LARGEST = 127
"""The largest value of a weight in 8 bits."""
SCALE = ".scale"
"""Suffix of a matrix's name: the name of its rows' scales."""


def rounded(tensors: Mapping[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
    """Matrices of real numbers as int8 and float32[rows, 1] scales, vectors as float16; whole numbers stay.

    Source: absmax rounding, Dettmers et al., arXiv:2208.07339, section 2.
    """
    found: dict[str, NDArray[Any]] = {}
    for name, tensor in tensors.items():
        if tensor.dtype.kind != "f":
            found[name] = tensor
        elif tensor.ndim < 2:
            found[name] = tensor.astype(np.float16)
        else:
            full = tensor.astype(np.float32)
            scale = np.maximum(np.abs(full).max(1, keepdims=True) / LARGEST, np.finfo(np.float32).tiny)
            found[name], found[name + SCALE] = np.rint(full / scale).astype(np.int8), scale
    return found


def restored(tensors: Mapping[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
    """What `rounded` was given, matrices and vectors as float32. Raises ValueError: a scale is missing or misshapen."""
    found: dict[str, NDArray[Any]] = {}
    for name, tensor in tensors.items():
        if name.endswith(SCALE):
            continue
        if tensor.dtype == np.int8:
            scale = tensors.get(name + SCALE)
            if scale is None or scale.shape != (len(tensor), 1) or tensor.ndim != 2:
                raise ValueError(f"{name} is stored in 8 bits, and has no scale for each row")
            found[name] = tensor * scale.astype(np.float32)
        else:
            found[name] = tensor.astype(np.float32) if tensor.dtype.kind == "f" else tensor
    return found
