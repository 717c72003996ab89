"""The NumPy arrays the engine passes around."""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ids = NDArray[np.int64]
"""Token ids, node numbers, or the numbers of rounds in a batch."""
Bools = NDArray[np.bool_]
