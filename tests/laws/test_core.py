"""L1: every rule's core alone, a million tokens in batches of independent rounds, against the exact laws.

Contexts are drawn evenly, guesses from q by the rule's own draws, then the core decides: the same
function that the engine calls with one round at a time.
"""

from collections.abc import Callable
from itertools import product

import numpy as np
import pytest

from specviz import accept
from specviz.sampling.distribution import Sampling
from tests.core import LAWS, Sample, Tables
from tests.statistic import FALSE_ALARM, SEED

PAIRS = (
    Tables("plain", 6, Sampling(0.8), 2),
    Tables("top-k", 6, Sampling(0.7, top_k=4), 22),
    Tables("top-p", 8, Sampling(0.75, top_p=0.9), 17),
)
CONFIGS = tuple(product([entry.name for entry in accept.ENTRIES if entry.lossless], PAIRS, (1, 3, 5)))
TOKENS = 120_000
"""Of each configuration; nine of them make a rule's million."""
SEEDS = 200


def named(config: tuple[str, Tables, int]) -> str:
    rule, pair, gamma = config
    return f"{rule}-{pair.name}-{gamma}"


def sample_of(config: tuple[str, Tables, int], seed: int) -> Sample:
    rule, pair, gamma = config
    return Sample(accept.load(rule), pair, gamma, TOKENS, seed + CONFIGS.index(config))


@pytest.fixture(scope="module", params=CONFIGS, ids=named)
def sample(request: pytest.FixtureRequest) -> Sample:
    return sample_of(request.param, SEED)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("law", LAWS)
def test_what_comes_out_has_its_law(sample: Sample, law: str) -> None:
    laws = sample.laws()
    if law == "slot" and sample.weighs:
        assert law not in laws
        return
    p = laws[law]
    assert p > FALSE_ALARM / (len(CONFIGS) * len(LAWS)), f"{law} law: p = {p:.3g}, SPECVIZ_SEED={SEED}"


def test_every_round_stops_where_it_must(sample: Sample) -> None:
    """A token that cannot be, such as a replacement with p <= q, makes its law's p-value 0; this is the rest."""
    assert sample.broken == set(), f"SPECVIZ_SEED={SEED}"


@pytest.mark.long
def test_a_correct_core_passes_whatever_the_seed(record_property: Callable[[str, object], None]) -> None:
    """p-values of 200 seeds: none too small, and about as many below .05 and .01 as there should be."""
    found = [
        list(sample_of(config, SEED + 100 * turn).laws().values())
        for turn in range(SEEDS)
        for config in CONFIGS
        if not accept.entry(config[0]).weighs
    ]
    for law, values in zip(LAWS, np.array(found).T, strict=True):
        shares = [float((values < level).mean()) for level in (0.05, 0.01, 0.001)]
        quantiles = np.quantile(values, [0.01, 0.05, 0.5, 0.95]).tolist()
        least = float(values.min())
        record_property(
            "told", f"{law}: below .05 .01 .001: {shares}, quantiles 1 5 50 95 %: {quantiles}, least {least}"
        )
        assert values.min() > FALSE_ALARM / (len(found) * len(LAWS)), f"SPECVIZ_SEED={SEED}"
        assert abs(shares[0] - 0.05) < 5 * (0.05 * 0.95 / len(values)) ** 0.5, f"SPECVIZ_SEED={SEED}"
