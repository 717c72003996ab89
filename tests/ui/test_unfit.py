"""What the page is told where a run does not fit into memory."""

import json
from collections.abc import Iterator
from typing import Any

import made_up
import pytest

from specviz import draft
from specviz.config.settings import DraftEntry, RunConfig
from specviz.config.words import Sentence
from specviz.trace.round import Round
from specviz.trace.run import Trace
from specviz.ui.runs import live
from specviz.ui.runs.recording import Delta
from specviz.ui.runs.recordings import Recordings


class Full(made_up.MadeUpBackend):
    """An engine whose memory runs out in the first pass."""

    def catalog(self) -> tuple[DraftEntry, ...]:
        return draft.ENTRIES

    def start(self, config: RunConfig) -> Iterator[Trace | Round]:
        class Run(made_up.MadeUpRun):
            def __iter__(self) -> Iterator[Round]:
                raise MemoryError

        return Run(config).stream()


def fewer(name: str, guesses: int) -> Sentence:
    return {"code": "refusals.fewer", "name": name, "guesses": guesses, "instead": guesses // 2}


@pytest.mark.parametrize(
    ("config", "said"),
    [
        ({"drafter": "small-tree", "params": {"nodes": 64}}, fewer("nodes", 64)),
        ({"drafter": "small-tree", "params": {"shape": "4,2"}, "gamma": 4}, fewer("gamma", 4)),
        ({"gamma": 20}, fewer("gamma", 20)),
        ({"gamma": 3}, {"code": "refusals.memory"}),
        ({"drafter": "lookahead", "gamma": 20}, {"code": "refusals.memory"}),
    ],
)
def test_a_run_that_memory_ends_names_how_many_guesses_would_be_half_as_many(
    config: dict[str, Any], said: Sentence
) -> None:
    deltas: list[Delta] = []
    with pytest.raises(MemoryError):
        deltas.extend(live.stream(Full(), Recordings({}), RunConfig(prompt="made up", **config), "me"))
    assert json.loads(deltas[-1]["j"])["failure"] == said
