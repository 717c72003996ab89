"""One click on Run asks the server three times; its config is built and checked once."""

from typing import Any, cast

import made_up
import pytest

from specviz.ui import controls
from specviz.ui.runs import live
from specviz.ui.runs.queue import ModelQueue
from specviz.ui.runs.recordings import Recordings
from specviz.ui.runs.request import Requests

CHOICES = {
    "prompt": "made up", "drafter": "bigram", "gamma": 4, "temperature": 0.8, "top_k": 0, "top_p": 1.0,
    "max_new_tokens": 12, "seed": 1, "rule": "rejection", "chat": True,
}  # fmt: skip


class Visitor:
    """As much of a gr.Request as is read."""

    session_hash = "me"


class Empty:
    """A queue in which nobody waits."""

    def why_full(self, request: object) -> None:
        return None

    why_not = why_full


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    calls: list[str] = []
    for module, name in ((controls, "config"), (live, "check_choices")):
        real = getattr(module, name)

        def counting(*arguments: Any, _real: Any = real, _name: str = name, **named: Any) -> Any:
            calls.append(_name)
            return _real(*arguments, **named)

        monkeypatch.setattr(module, name, counting)
    return calls


def test_the_same_choices_are_built_and_checked_once(counted: list[str]) -> None:
    requests = Requests(made_up.MadeUpBackend(), Recordings({}), cast(ModelQueue, Empty()))
    visitor = cast(Any, Visitor())
    assert "turn" in requests.ask(visitor, **CHOICES)["j"]
    assert requests.validate(visitor, **CHOICES)[0]["is_valid"]
    assert requests.config(visitor, **CHOICES).drafter == "bigram"
    assert counted == ["config", "check_choices"]
    assert "refusals.wrong" in requests.ask(visitor, **CHOICES | {"gamma": 99})["j"]
    assert counted == ["config", "check_choices"] * 2
    assert requests.config(visitor, **CHOICES).gamma == 4
