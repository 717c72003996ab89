"""Where a round's tokens end the text, and whether it continues behind. Standard library only; see `problems`."""

from collections.abc import Iterator, Mapping, Sequence

from specviz.sampling.stops import Stops
from specviz.trace.pieces import joined
from specviz.trace.round import Round
from specviz.trace.run import Trace


def stops(trace: Trace, texts: Mapping[int, str]) -> Stops:
    """What ends the trace's text besides tokens. texts: of its tokens, by id."""
    return Stops(trace.info.stop_strings, lambda tokens: joined(texts[token] for token in tokens))


def goes_on(step: Round, text: Sequence[int], trace: Trace, found: Mapping[int, str], ending: Stops) -> Iterator[str]:
    """Checks which string the round says ends the text, and that nothing follows one.

    Args:
        text: what comes before the round.
        found: the nodes at which a string is complete.
    """
    if not step.tokens:
        return  # which `judgement` says
    *before, last = step.tokens
    accepted = step.path[:-1] if step.extra is None else step.path
    for node in accepted:
        if node in found:
            yield f"the text goes on behind node {node}, where {found[node]!r} is complete"
    whole = found.get(step.path[-1], "") if step.extra is None else ending.by([*text, *before], last)
    stop = "" if last in trace.info.eos else whole
    if step.stop_string != stop:
        yield f"its last token is said to complete {step.stop_string!r}, but it completes {stop!r}"
    if stop and step.index + 1 < len(trace.rounds):
        yield f"the text goes on behind {stop!r}, which is complete"
