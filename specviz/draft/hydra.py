"""Medusa's heads, each told the guesses before its own. See `medusa`."""

from functools import partial

from specviz import draft
from specviz.draft import medusa
from specviz.draft.base import DrafterSpec

NAME = "hydra"
SPEC = DrafterSpec(draft.entry(NAME), partial(medusa.build, name=NAME))
