"""The page's event words are one list: what the server names, the player knows, and the other way round."""

import re
from pathlib import Path

from specviz.ui import listeners, player
from specviz.ui.events import Remark, Want

PLAYER = Path(__file__).parents[2] / "assets" / "player"
OWN = {"left", "unopened"}
"""Remarks that the player makes to itself."""


def source(name: str) -> str:
    return (PLAYER / name).read_text(encoding="utf-8")


def keys(name: str, table: str) -> set[str]:
    """The keys of an object literal of one line each or several, by what begins it."""
    body = re.search(rf"const {table} = \{{(.*?)\n?\s*\}};", source(name), re.DOTALL)
    assert body, f"{name} has no {table}"
    return set(re.findall(r"(?:^|[\s,])'?([a-z-]+)'?(?::|\(\) \{|(?=,\n))", body[1]))


def test_the_player_answers_every_want() -> None:
    elsewhere = {*re.findall(r"name === '([a-z-]+)'", source("page/files.js") + source("page/pairs.js"))}
    assert keys("shortcuts.js", "wants") | elsewhere == {*Want}


def test_the_player_hears_every_remark() -> None:
    assert keys("main.js", "answers") | keys("page/status.js", "acts") == {*Remark} | OWN


def test_the_page_listens_to_every_event_the_player_raises() -> None:
    raised = re.findall(r"trigger\('([a-z]+)'", player.STAGE_PORT + player.PAIR_PORT)
    connected = re.findall(r"\b(?:stage|control)\.([a-z]+)\b", Path(listeners.__file__).read_text(encoding="utf-8"))
    assert sorted(raised) == sorted(connected)
