"""A run that is replaced while it moves: a chain's by a tree's and back, in mid-animation."""

import random
from itertools import pairwise

import pytest

from tests.browser import hand
from tests.browser.hand import part
from tests.browser.names import Open, Page
from tests.statistic import SEED

CHAINS = ("bigram", "dflash", "eagle", "early-exit", "mtp", "small-model", "small-model-block", "staged")
TREES = ("medusa", "recycling", "small-tree")
PAIRS = [(chain, tree) for chain in CHAINS for tree in TREES]


def plays(page: "Page", drafter: str, ms: int) -> None:
    """Changes to a drafter's run, in the middle of what moves, and plays so long."""
    hand.pick(page, f"tale-{drafter}")
    for key in ("Home", "Space"):
        part(page, "scrub").press(key)
    page.wait_for_timeout(ms)


@pytest.mark.parametrize("many", [1, pytest.param(len(PAIRS), marks=pytest.mark.long)])
def test_a_run_can_be_changed_for_another_in_mid_animation(visit: Open, many: int) -> None:
    page, chance = visit(), random.Random(SEED)
    order = [drafter for chain, tree in chance.sample(PAIRS, many) for drafter in (chain, tree, chain)]
    for before, drafter in pairwise(["small-model", *order]):
        if drafter != before:
            plays(page, drafter, chance.randrange(400, 2400))
            assert part(page, "stage").get_attribute("data-step") != "0"
