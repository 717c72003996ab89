"""The card of a result and its loop, looked at as pixels: nothing is cut, and no panel is empty."""

from functools import partial
from itertools import groupby
from typing import Any

import numpy as np
import pytest
from PIL import Image, ImageSequence

from tests.browser.hand import pick, press
from tests.browser.names import Open, Page

SIZE = (1200, 630)
MARGIN = 12
STEP = 10
"""Pixels of the squares in which empty room is measured."""
REPLACED = (0x0B, 0x4A, 0x82)
"""The lower edge of the target's own word, the last of the text."""


def named(ending: str, download: Any) -> bool:
    return bool(download.suggested_filename.endswith(ending))


def saved(page: "Page") -> tuple[Image.Image, list[Image.Image]]:
    """The card, and the frames of the loop."""
    page.keyboard.press("End")
    picture, film = (page.expect_download(partial(named, kind), timeout=60_000) for kind in (".png", ".webp"))
    with picture as still, film as moving:
        press(page, "Save card")
    card, loop = (Image.open(file.value.path()) for file in (still, moving))
    return card.convert("RGB"), [frame.convert("RGB") for frame in ImageSequence.Iterator(loop)]


def marks(picture: Image.Image) -> Any:
    """Where a picture is not its background."""
    pixels = np.asarray(picture).astype(int)
    return (abs(pixels - pixels[0, 0]) > 24).any(axis=2)


def emptiest(picture: Image.Image) -> float:
    """The share of a picture that its largest rectangle of nothing but background takes."""
    rows, columns = SIZE[1] // STEP, SIZE[0] // STEP
    free = ~marks(picture).reshape(rows, STEP, columns, STEP).any(axis=(1, 3))
    most, heights = 0, np.zeros(columns, int)
    for row in free:
        heights = (heights + 1) * row
        for height in {*heights.tolist()}:
            runs = (len([*run]) for fits, run in groupby(heights >= height) if fits)
            most = max(most, height * max(runs))
    return float(most / free.size)


@pytest.mark.sampled(10)
@pytest.mark.parametrize(
    "run",
    ["tale-small-model", "tale-small-tree", "tale-medusa", "code-hydra", "code-jacobi", "code-suffix", "code-ngram",
     "tale-bigram", "tale-small-model-block", "tale-eagle"],
)  # fmt: skip
def test_card_and_loop_are_full_and_nothing_on_them_is_cut(visit: Open, run: str) -> None:
    page = visit()
    pick(page, run)
    card, frames = saved(page)
    for picture in (card, *frames):
        assert picture.size == SIZE
        assert emptiest(picture) < 1 / 6
        inside = marks(picture)[MARGIN:-MARGIN, MARGIN:-MARGIN]
        assert inside.sum() == marks(picture).sum(), "nothing runs over the edge"
    assert (np.asarray(card) == REPLACED).all(axis=2).sum() > 200, "the last word stands whole"
    assert len({frame.tobytes() for frame in frames}) > 4, "it moves"
