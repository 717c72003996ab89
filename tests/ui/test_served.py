"""What visitors are told by the server is known to the page in each of its languages, word for word."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from specviz import accept, draft
from specviz.config import settings as config
from specviz.config.settings import ConfigError, RunConfig
from specviz.models.hub import offers
from specviz.ui import words

BASE = Path(__file__).parents[2] / "assets" / "player" / "base"


def _refusal(ask: Callable[[], object]) -> str:
    with pytest.raises(ConfigError) as refused:
        ask()
    return str(refused.value)


def _sentences() -> list[str]:
    (jacobi,) = (entry for entry in draft.ENTRIES if entry.name == "jacobi")
    (rejection,) = (entry for entry in accept.ENTRIES if entry.name == "rejection")
    settled = _refusal(lambda: config.check_together(jacobi, rejection, 0.8))
    constants = (
        *(words.FORGOTTEN, words.UNFINISHED, words.UNFIT, words.FAILED, words.UNLISTED),
        *(words.WAITS_ALREADY, words.TOO_MANY, words.STARTING, words.TIMING),
    )
    return [
        *constants,
        *(words.queue_full(4), words.address_full(4), words.absent("a → b"), words.unready(MemoryError(), "Once")),
        *(words.too_slow(1_000, 2_000, 5), words.too_long(31.4, 4), words.held_long(20)),
        words.fewer("nodes", 32).partition(": ")[2],
        settled.partition("wanted ")[2],
        _refusal(lambda: config.check(RunConfig(prompt=""))),
        _refusal(lambda: config.check(RunConfig(prompt="a" * 1_000_000))),
        _refusal(lambda: config.check(RunConfig(prompt="\ud800"))),
        _refusal(lambda: config.check_tokens(2_000, 1_024)),
        *(line for offer in offers.offers() for line in (offer.about, offer.refusal) if line),
    ]


@pytest.mark.parametrize("language", ["de", "zh"])
def test_each_language_has_what_the_server_says(language: str) -> None:
    table = (BASE / language / "served.js").read_text(encoding="utf-8")
    keys = [
        key.replace("\\'", "'") for _, key in re.findall(r"^  (['\"])((?:[^\\]|\\.)+?)\1:\s*['\"]", table, re.MULTILINE)
    ]
    known = [re.compile(re.escape(key).replace(r"\#", ".+?"), re.DOTALL) for key in keys]
    assert [each for each in _sentences() if not any(pattern.fullmatch(each) for pattern in known)] == []
