"""Trains a pair, as the embedded one was trained. Not needed to run it."""

STAGES = ("tokenizer", "target", "draft", "counts", "card")
ON_REQUEST = (
    "datastore",
    "shape",
    "novice",
    "hybrid",
    "exits",
    "medusa",
    "hydra",
    "eagle",
    "mtp",
    "dflash",
    "feedback",
)
"""Stages that run only if named: the library that `retrieval` copies from, the best shape of a tree, printed, a draft
that has read one genre alone, from which `online` may start, a target with a running state, the exits of `early-exit`,
the heads on a target, and what feedback is worth to EAGLE.
"""
