"""A layer for multi-token prediction by the compiled pass puts out what torch makes of the same weights."""

import numpy as np

from specviz.models import pair as pairs
from specviz.models.heads import working
from specviz.models.heads.eagle import EagleShape
from specviz.models.heads.eagle_pass import MtpPass
from specviz.models.heads.mtp import Mtp
from specviz.models.heads.mtp_compiled import CompiledMtp
from specviz.models.heads.shaped import filled


def test_text_guesses_and_branches_are_read_alike() -> None:
    pair = pairs.load("embedded", "cpu", "float32")
    target, text = pair.target, np.random.default_rng(0).integers(4096, size=40).tolist()
    compiled = working.mtp(pair.head("mtp"), target, 64)
    assert isinstance(compiled, CompiledMtp)
    module = filled(pair.head("mtp"), EagleShape, Mtp, target)
    by_torch = working.EagleHead(MtpPass(module, 64), target, working.place_of(target))
    states = target.opened(text, range(40), None, target.new_cache(40), [18]).hidden[18]
    embedded, branches = target.embedded(text), np.eye(2, dtype=bool)
    deeper = np.concatenate([branches, branches], 1)
    found = []
    for head in (compiled, by_torch):
        cache = head.new_cache(64)
        cache.advance(1)  # the first token has no state before it, and nobody sees its slot
        read = head(embedded[1:], states[:-1], range(1, 40), None, cache)
        first = head(embedded[3:5], read[[-1, -1]], [40, 40], branches, cache)
        found.append(np.concatenate([read, first, head(embedded[5:7], first, [41, 41], deeper, cache)]))
        assert cache.length == 44
    assert np.abs(found[0] - found[1]).max() < 1e-4
    assert np.abs(found[1]).max() > 1
