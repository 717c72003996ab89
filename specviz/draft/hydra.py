"""Hydra: Medusa's heads, each of which also sees the guesses before its own.

Source: Hydra, Ankner et al., arXiv:2402.05109.
"""

from functools import partial

from specviz import draft
from specviz.draft import one_state
from specviz.draft.base import DrafterSpec

NAME = "hydra"
SPEC = DrafterSpec(draft.entry(NAME), partial(one_state.build, NAME))
