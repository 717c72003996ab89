"""Plain decoding with the target and the random numbers of a run, and the token-by-token comparison with that run."""

from collections.abc import Iterator, Sequence

import numpy as np

from specviz import accept, session
from specviz.config.settings import HOME, ConfigError, Limits, RunConfig
from specviz.models import pair as pairs
from specviz.models.pair import Pair
from specviz.proof.findings import Equality
from specviz.sampling.arrays import Floats, Reals
from specviz.sampling.chance import At, Noise, Purpose
from specviz.sampling.distribution import Sampling, row
from specviz.trim import KVCache
from specviz.verify import read

ROUNDING = {"float64": 1e-10, "float32": 1e-4, "float16": 5e-3, "bfloat16": 4e-2}
"""The most that a number type's rounding moves a logit, as a share of the largest, many layers over."""


def equal(config: RunConfig, pair: Pair | None = None, limits: Limits = HOME) -> Equality:
    """Compares a run with plain decoding: at temperature 0 under any rule whose text is plain decoding's there, at any
    temperature under coupled.

    Args:
        limits: of the run. Only what it decodes within them is compared.

    Raises:
        ConfigError: the config cannot be run, or its text need not be plain decoding's.
    """
    rule = accept.entry(config.rule)
    if not rule.plain_text and (config.temperature or not rule.cold):
        raise ConfigError("other_text", rule=config.rule, temperature=f"{config.temperature:g}")
    run = session.start(config, pair, limits=limits)
    pair = pair or pairs.load(config.pair, config.device, config.dtype)
    speculative = [token for step in run for token in step.tokens]
    steps = list(decode(config, pair, run.prompt, len(speculative)))
    plain, one_by_one = [token for token, _ in steps], np.stack([logits for _, logits in steps])
    before, text = len(run.prompt) - 1, [*run.prompt, *plain]
    cache = pair.target.new_cache(len(text))
    read(pair.target, text[:before], cache)
    together = pair.target.forward(text[before:-1], range(before, len(text) - 1), None, cache)
    differs = next((at for at, (one, other) in enumerate(zip(speculative, plain, strict=True)) if one != other), None)
    scores: tuple[tuple[float, float], ...] = ()
    if differs is not None:
        place, rivals = len(run.prompt) + differs, [speculative[differs], plain[differs]]
        sampling = session.sampling_of(config, pair, len(run.prompt))
        scored = [
            scores_of(each[differs], sampling, config.seed, text[:place])[rivals].tolist()
            for each in (together, one_by_one)
        ]
        scores = tuple((one, other) for one, other in scored)
    return Equality(
        speculative=tuple(map(run.piece, speculative)),
        plain=tuple(map(run.piece, plain)),
        differs=differs,
        logits=scores,
        error=float(np.abs(together - one_by_one).max()) / (config.temperature or 1.0),
        rounding=ROUNDING[pair.dtype] * float(np.abs(one_by_one).max()) / (config.temperature or 1.0),
    )


def decode(config: RunConfig, pair: Pair, prompt: Sequence[int], count: int) -> Iterator[tuple[int, Reals]]:
    """Yields each token and the logits[V] it was picked from, one target pass each. The prompt is read before this
    returns.

    It is the config's run without drafts. The same random numbers decide, because every token is then a bonus.
    """
    cache = pair.target.new_cache(len(prompt) + count)
    read(pair.target, prompt[:-1], cache)
    return _steps(config, pair, cache, prompt, count)


def _steps(
    config: RunConfig, pair: Pair, cache: KVCache, prompt: Sequence[int], count: int
) -> Iterator[tuple[int, Reals]]:
    sampling, chance = session.sampling_of(config, pair, len(prompt)), accept.load(config.rule).chance(config.seed)
    text = list(prompt)
    for _ in range(count):
        place = cache.length
        logits = pair.target.forward(text[-1:], [place], None, cache)[-1]
        text.append(chance.pick(row(logits, sampling, text), At(place + 1, Purpose.BONUS)).token)
        yield text[-1], logits


def scores_of(logits: Reals, sampling: Sampling, seed: int, text: Sequence[int]) -> Floats:
    """The scores whose largest entry is the token after a text, float64[V]: logits, or log p plus the noise."""
    if sampling.temperature == 0:
        processors = sampling.processors
        return processors.processed(logits, text) if processors else logits.astype(np.float64)
    with np.errstate(divide="ignore"):
        return np.log(row(logits, sampling, text)) + Noise(seed).vector(len(text), len(logits))
