"""What the rooms' READMEs repeat is what the code says."""

import json
from pathlib import Path

from specviz import pairs
from specviz.config import HOME, SHARED
from specviz.models.pair import EMBEDDED
from specviz.train.card import table
from specviz.ui import limits

ROOMS = Path(__file__).parents[2] / "specviz"


def test_the_models_room_lists_the_known_pairs_and_the_cards_figures() -> None:
    text = (ROOMS / "models" / "README.md").read_text(encoding="utf-8")
    assert "\n".join(pairs.table()) in text
    assert table(json.loads((EMBEDDED / "card.json").read_text(encoding="utf-8"))) in text


def test_the_pages_room_names_the_limits_there_are() -> None:
    text = " ".join((ROOMS / "ui" / "README.md").read_text(encoding="utf-8").split())
    for each in (SHARED, HOME):
        assert f"{each.prompt_chars:,} characters, {each.prompt_tokens:,} tokens" in text
    for said in (
        f"In all {limits.WAITING} requests may wait, {limits.ADDRESS_WAITING} of them",
        f"The last {limits.LAST} places",
        f"start {limits.STARTS} times a minute",
        f"after {limits.SENDING:g} s is closed",
    ):
        assert said in text
