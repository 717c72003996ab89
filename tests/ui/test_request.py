"""One click on Run asks the server three times; its config is built and checked once."""

from typing import Any, cast

import made_up
import pytest

from specviz.ui import controls
from specviz.ui.runs import live
from specviz.ui.runs.queue import ModelQueue
from specviz.ui.runs.recordings import Recordings
from specviz.ui.runs.request import Requests

CHOICES = ("made up", "bigram", 4, 0.8, 0, 1.0, 12, 1, "rejection")


class Visitor:
    """As much of a gr.Request as is read."""

    session_hash = "me"


class Empty:
    """A queue in which nobody waits."""

    def full(self, request: object) -> str:
        return ""

    refusal = full


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    calls: list[str] = []
    for module, name in ((controls, "config"), (live, "judge")):
        real = getattr(module, name)

        def counting(*arguments: Any, _real: Any = real, _name: str = name, **named: Any) -> Any:
            calls.append(_name)
            return _real(*arguments, **named)

        monkeypatch.setattr(module, name, counting)
    return calls


def test_the_same_choices_are_built_and_checked_once(counted: list[str]) -> None:
    requests = Requests(made_up.MadeUpBackend(), Recordings({}), cast(ModelQueue, Empty()))
    visitor = cast(Any, Visitor())
    assert "turn" in requests.ask(visitor, *CHOICES, chat=True)["j"]
    assert requests.validate(visitor, *CHOICES, chat=True)[0]["is_valid"]
    assert requests.config(visitor, *CHOICES, chat=True).drafter == "bigram"
    assert counted == ["config", "judge"]
    assert "gamma is 99" in requests.ask(visitor, "made up", "bigram", 99, *CHOICES[3:], chat=True)["j"]
    assert counted == ["config", "judge"] * 2
    assert requests.config(visitor, *CHOICES, chat=True).gamma == 4
