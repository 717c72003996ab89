"""What a trace says of heads on the target that contradicts itself."""

from collections.abc import Iterator

from specviz.trace.info import Heads, Reads
from specviz.trace.round import Round


def heads(info: Heads | None) -> Iterator[str]:
    """What they read."""
    if info is None:
        return
    layers = info.layers
    if not layers or list(layers) != sorted({*layers}) or not 0 <= layers[0] <= layers[-1] <= info.of:
        yield f"heads read the layers {list(layers)} of {info.of}"
    if info.width < 1 or info.places < 0:
        yield f"heads read {info.width} numbers for {info.places} places"


def states(step: Round, info: Heads | None) -> Iterator[str]:
    """What they made of it in one round."""
    if info and info.places and step.offered > info.places:
        yield f"{step.offered} guesses in a row from heads for {info.places}"
    nodes = [each.node for each in step.imagined]
    wanted = sorted({each.parent for each in step.verdicts}) if info and info.reads is Reads.IMAGINED else []
    if nodes != wanted:
        yield f"states were imagined behind {nodes}; wanted {wanted}"
    for each in step.imagined:
        if not -1 <= each.likeness <= 1:
            yield f"a cosine of {each.likeness}"
        if not each.own or len(each.own) != len(each.true):
            yield f"{len(each.own)} numbers of an imagined state beside {len(each.true)} of the target's"
