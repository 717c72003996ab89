"""What a trace says of heads on the target that contradicts itself."""

from collections.abc import Iterator

from specviz.trace.info import Heads, Reads
from specviz.trace.round import Round


def heads(found: Heads | None) -> Iterator[str]:
    """What they read."""
    if found is None:
        return
    layers = found.layers
    if not layers or list(layers) != sorted({*layers}) or not 0 <= layers[0] <= layers[-1] <= found.of:
        yield f"heads read the layers {list(layers)} of {found.of}"
    if found.width < 1 or found.places < 0:
        yield f"heads read {found.width} numbers for {found.places} places"


def states(step: Round, found: Heads | None) -> Iterator[str]:
    """What they made of it in one round."""
    if found and found.places and step.offered > found.places:
        yield f"{step.offered} guesses in a row from heads for {found.places}"
    nodes = [each.node for each in step.imagined]
    wanted = sorted({each.parent for each in step.verdicts}) if found and found.reads is Reads.IMAGINED else []
    if nodes != wanted:
        yield f"states were imagined behind {nodes}; wanted {wanted}"
    for each in step.imagined:
        if not -1 <= each.likeness <= 1:
            yield f"a cosine of {each.likeness}"
        if not each.own or len(each.own) != len(each.true):
            yield f"{len(each.own)} numbers of an imagined state beside {len(each.true)} of the target's"
