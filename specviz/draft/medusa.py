"""Medusa: extra heads on the target guess one place each, and know nothing of each other's guesses.

Source: Medusa, Cai et al., arXiv:2401.10774.
"""

from functools import partial

from specviz import draft
from specviz.draft import one_state
from specviz.draft.base import DrafterSpec

NAME = "medusa"
SPEC = DrafterSpec(draft.entry(NAME), partial(one_state.build, NAME))
