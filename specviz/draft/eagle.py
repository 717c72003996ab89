"""EAGLE: a layer of its own kind, which reads the target's states of several layers.

Source: EAGLE-3, Li et al., arXiv:2503.01840.
"""

from functools import partial

from specviz import draft
from specviz.draft import imagining
from specviz.draft.base import DrafterSpec

NAME = "eagle"
SPEC = DrafterSpec(draft.entry(NAME), partial(imagining.build, NAME))
