"""Drafted tokens as a tree. A chain is a tree with one branch.

Only tokens and parents are stored; depth, children and mask are derived from them.
Parents come before their children. ROOT is the pending token: the last committed
token, which the target's cache does not hold yet.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from specviz.sampling.arrays import Bools

ROOT = -1


@dataclass(frozen=True, slots=True)
class Scouts:
    """Tokens that are read in the same pass but never judged.

    Attributes:
        depths: each scout's depth; 0 is the place right after the pending token.
        mask: the columns each scout may attend to: 0 is the pending token, then all nodes, then all scouts. No node
            attends to a scout.
    """

    tokens: tuple[int, ...]
    depths: tuple[int, ...]
    mask: tuple[frozenset[int], ...]


@dataclass(frozen=True, slots=True)
class DraftTree:
    """tokens[i] follows tokens[parents[i]]. Siblings are in the order they were drawn.

    Scouts, if any, are read after the nodes. `len` and every method except `mask` count nodes only.

    Raises:
        ValueError: the lengths differ, or a parent does not come before its child.
    """

    tokens: tuple[int, ...]
    parents: tuple[int, ...]
    scouts: Scouts | None = None

    def __post_init__(self) -> None:
        if len(self.tokens) != len(self.parents):
            raise ValueError(f"{len(self.tokens)} tokens but {len(self.parents)} parents")
        for node, parent in enumerate(self.parents):
            if not ROOT <= parent < node:
                raise ValueError(f"node {node} has parent {parent}; wanted {ROOT} to {node - 1}")

    @classmethod
    def chain(cls, tokens: Sequence[int]) -> "DraftTree":
        return cls(tuple(tokens), tuple(range(-1, len(tokens) - 1)))

    def __len__(self) -> int:
        return len(self.tokens)

    @property
    def is_chain(self) -> bool:
        return self.parents == tuple(range(ROOT, len(self.parents) + ROOT))

    def children(self, node: int) -> Iterator[int]:
        """Nodes whose parent is `node` (ROOT allowed), in the order they were drawn."""
        return (child for child, parent in enumerate(self.parents) if parent == node)

    def depths(self) -> tuple[int, ...]:
        """How many edges separate each node from the first drafted token of its branch; 0 under ROOT."""
        depths: list[int] = []
        for parent in self.parents:
            depths.append(0 if parent == ROOT else depths[parent] + 1)
        return tuple(depths)

    def path_to(self, node: int) -> tuple[int, ...]:
        """The tokens from the text down to a node, its own included; none for ROOT."""
        return () if node == ROOT else (*self.path_to(self.parents[node]), self.tokens[node])

    def paths(self) -> Bools:
        """bool[n + 1, n]: row i marks node i and its ancestors. Row -1, for ROOT, is empty."""
        paths = np.zeros((len(self) + 1, len(self)), dtype=bool)
        for node, parent in enumerate(self.parents):
            paths[node] = paths[parent]
            paths[node, node] = True
        return paths

    def mask(self) -> Bools:
        """bool[n + 1 + s, n + 1 + s]: which row may attend to which column.

        Row and column 0 are ROOT, i + 1 is node i, and the s scouts come last.
        """
        scouts = self.scouts.mask if self.scouts else ()
        mask = np.eye(len(self) + 1 + len(scouts), dtype=bool)
        for node, parent in enumerate(self.parents):
            mask[node + 1] |= mask[parent + 1]
        for row, seen in enumerate(scouts, len(self) + 1):
            mask[row, list(seen)] = True
        return mask
