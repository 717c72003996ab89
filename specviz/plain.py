"""Plain decoding with a run's own target and noise, and a run held against it token by token."""

from collections.abc import Sequence

import torch
from torch import Tensor

from specviz import session
from specviz.chance import Noise
from specviz.config import ConfigError, RunConfig
from specviz.findings import Equality
from specviz.models import pair as pairs
from specviz.models.pair import Pair
from specviz.sampling import Sampling, to_probs


def equal(config: RunConfig, pair: Pair | None = None) -> Equality:
    """A run against plain decoding: at temperature 0 under any lossless rule, at any under the coupled one.

    Raises:
        ConfigError: the config cannot be run, or its text need not be plain decoding's.
    """
    if config.temperature != 0 and config.rule != "coupled":
        raise ConfigError(
            f"under the {config.rule} rule at temperature {config.temperature:g} only the law is plain decoding's,"
            " not the text; compare at temperature 0, or under the coupled rule"
        )
    run = session.start(config, pair)
    pair = pair or pairs.load(config.pair, config.device)
    speculative = [token for step in run for token in step.tokens]
    plain, rows = decode(config, pair, run.prompt, len(speculative))
    text = [*run.prompt, *plain]
    passed = pair.target.forward(text[:-1], range(len(text) - 1), None, pair.target.new_cache(len(text)))
    together = passed[len(run.prompt) - 1 :]
    alone = torch.stack(rows)
    differs = next((at for at, (one, other) in enumerate(zip(speculative, plain, strict=True)) if one != other), None)
    scores: tuple[tuple[float, float], ...] = ()
    if differs is not None:
        place, rivals = len(run.prompt) + differs, [speculative[differs], plain[differs]]
        scored = [_scores(each[differs], config, place)[rivals].tolist() for each in (together, alone)]
        scores = tuple((one, other) for one, other in scored)
    return Equality(
        speculative=tuple(map(run.piece, speculative)),
        plain=tuple(map(run.piece, plain)),
        differs=differs,
        logits=scores,
        error=float((together - alone).abs().max()) / (config.temperature or 1.0),
    )


def decode(config: RunConfig, pair: Pair, prompt: Sequence[int], count: int) -> tuple[list[int], list[Tensor]]:
    """`count` tokens, one pass each, and the logits[V] that decided them; greedy, or with the seed's Gumbel noise."""
    cache = pair.target.new_cache(len(prompt) + count)
    text, rows = list(prompt), []
    for place in range(len(prompt), len(prompt) + count):
        known = cache.length
        rows.append(pair.target.forward(text[known:], range(known, place), None, cache)[-1])
        text.append(int(_scores(rows[-1], config, place).argmax()))
    return text[len(prompt) :], rows


def _scores(logits: Tensor, config: RunConfig, place: int) -> Tensor:
    """What plain decoding takes the largest of, float64[V]: logits, or log p plus the position's noise."""
    if config.temperature == 0:
        return logits.double()
    return to_probs(logits, Sampling.of(config)).log() + Noise(config.seed).vector(place, len(logits))
