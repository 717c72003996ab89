"""The NumPy arrays the engine passes around."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Reals = NDArray[np.floating[Any]]
"""Logits and hidden states: float32, or float64 from a model that computes so."""
Ids = NDArray[np.int64]
"""Token ids, node numbers, or the numbers of rounds in a batch."""
Bools = NDArray[np.bool_]
