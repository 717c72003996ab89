"""The small-model drafter refuses what it could only fail at later."""

import pytest

from specviz import draft
from specviz.config.settings import ConfigError
from specviz.draft.base import Resources
from specviz.sampling.distribution import Sampling
from tests.tiny import TableModel


def test_a_draft_of_another_vocabulary_is_refused_before_the_run() -> None:
    spec = draft.load("small-model")
    with pytest.raises(ConfigError, match="the draft's vocabulary has 7 tokens, the target's 6"):
        spec.build(Resources(Sampling(), 6, 32, TableModel(7, 1)), {})
    spec.build(Resources(Sampling(), 6, 32, TableModel(6, 1)), {})


def test_a_pair_without_a_draft_is_refused_by_name() -> None:
    with pytest.raises(ConfigError, match="this pair has no draft model"):
        draft.load("small-model").build(Resources(Sampling(), 6, 32), {})
