"""Drafted tokens as a tree: what parents alone say."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from specviz.sampling.tree import ROOT, DraftTree


@st.composite
def trees(draw: st.DrawFn) -> DraftTree:
    parents = [draw(st.integers(ROOT, node - 1)) for node in range(draw(st.integers(0, 9)))]
    return DraftTree(tuple(range(10, 10 + len(parents))), tuple(parents))


def ancestors(tree: DraftTree, node: int) -> list[int]:
    """The branch from ROOT to the node, both included."""
    return [ROOT] if node == ROOT else [*ancestors(tree, tree.parents[node]), node]


@given(trees())
def test_a_node_is_as_deep_as_its_branch_is_long(tree: DraftTree) -> None:
    assert list(tree.depths()) == [len(ancestors(tree, node)) - 2 for node in range(len(tree))]


@given(trees())
def test_a_node_sees_its_branch_and_itself_and_nothing_else(tree: DraftTree) -> None:
    mask = tree.mask()
    assert mask.dtype == np.bool_
    assert mask.shape == (len(tree) + 1, len(tree) + 1)
    for node in range(ROOT, len(tree)):
        assert (np.flatnonzero(mask[node + 1]) - 1).tolist() == ancestors(tree, node)


@pytest.mark.parametrize(("tokens", "parents"), [((1,), ()), ((1,), (0,)), ((1,), (-2,)), ((1, 2), (1, -1))])
def test_what_is_no_tree_is_refused(tokens: tuple[int, ...], parents: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="parent"):
        DraftTree(tokens, parents)
