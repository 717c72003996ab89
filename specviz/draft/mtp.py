"""MTP: one more layer of the target's own kind, as models are trained and published with for multi-token prediction.

Source: DeepSeek-V3, arXiv:2412.19437.
"""

from functools import partial

from specviz import draft
from specviz.draft import imagining
from specviz.draft.base import DrafterSpec

NAME = "mtp"
SPEC = DrafterSpec(draft.entry(NAME), partial(imagining.build, NAME))
