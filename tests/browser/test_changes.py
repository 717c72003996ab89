"""One run takes the stage of another while things move: nothing breaks, and no tab dies."""

import itertools
import random
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from tests.browser.hand import pick
from tests.statistic import SEED

if TYPE_CHECKING:
    from playwright.sync_api import Page

CHAINS = (
    "tale-bigram", "tale-ngram", "tale-small-model", "tale-small-model-block", "code-suffix", "tale-early-exit",
    "tale-staged", "tale-mtp", "tale-retrieval", "tale-quantized", "tale-online", "tale-recycling", "code-jacobi",
)  # fmt: skip
TREES = (
    "tale-small-tree", "drawn-small-tree", "offered-small-tree", "tale-medusa", "code-hydra", "tale-dflash",
    "tale-eagle", "code-lookahead",
)  # fmt: skip
PAIRS = [pair for both in itertools.product(CHAINS, TREES) for pair in (both, both[::-1])]
STEPS = """async (waits) => {
  const scrub = document.querySelector('[data-sv=scrub]');
  for (const wait of waits) {
    scrub.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true, cancelable: true }));
    await new Promise((resolve) => setTimeout(resolve, wait));
  }
}"""
"""Goes on a beat, each of which moves, and to the next before it has come to rest."""


def changes(page: "Page", pairs: list[tuple[str, str]]) -> None:
    dice, died = random.Random(SEED), list[str]()
    page.on("crash", lambda *_: died.append("the tab died"))
    for name in itertools.chain.from_iterable(pairs):
        pick(page, name)
        page.evaluate(STEPS, [dice.choice((40, 90, 150, 300)) for _ in range(9)])
        assert not died, name


def test_a_run_gives_way_to_another_in_mid_motion(visit: Callable[..., "Page"]) -> None:
    """Some pairs of a chain and a tree, which the seed chooses."""
    changes(visit(), random.Random(SEED).sample(PAIRS, 4))


@pytest.mark.long
def test_every_chain_and_tree_give_way_to_each_other(visit: Callable[..., "Page"]) -> None:
    changes(visit(), PAIRS)


def test_a_tree_that_played_gives_way_to_a_chain_that_plays(visit: Callable[..., "Page"]) -> None:
    """It ended the tab in Chromium 156 while the weight of a font was animated."""
    page, died = visit(), list[str]()
    page.on("crash", lambda *_: died.append("the tab died"))
    for name, beat in (("drawn-small-tree", 14), ("tale-small-model-block", 9)):
        pick(page, name)
        page.locator("[data-sv=scrub]").press("Home")
        page.keyboard.press("Space")
        page.wait_for_function(f"Number(document.querySelector('[data-sv=stage]').dataset.step) >= {beat}")
    assert not died
