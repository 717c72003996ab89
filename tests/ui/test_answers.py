"""What all answers about a run have in common, held once: who is answered, and how an answer ends before its end."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

import made_up
import pytest

from specviz.config.settings import ConfigError, RunConfig
from specviz.config.words import Sentence
from specviz.ui.answers.base import Content, RunAnswers
from specviz.ui.events import Remark
from specviz.ui.limits import GIVEN_UP, LINE, NAME
from specviz.ui.runs.recording import Recording
from specviz.ui.runs.recordings import Recordings

ASKED = {"run": "tale", "ask": "me-7"}


class Counting(RunAnswers):
    """Counts to nine, or to what goes wrong there."""

    kind = Remark.LAB

    def __init__(self, wrong: Mapping[int, Exception]) -> None:
        recording = Recording.of("tale", made_up.made_up_trace(max_new_tokens=3))
        super().__init__(made_up.MadeUpBackend(), Recordings({"tale": recording}))
        self.wrong, self.counted, self.open = wrong, 0, False

    def _about(self, recording: Recording, config: RunConfig, wanted: Mapping[Any, object]) -> Iterator[Content]:
        self.open = True
        try:
            for self.counted in range(1, 10):
                if self.counted in self.wrong:
                    raise self.wrong[self.counted]
                yield {"done": self.counted}
        finally:
            self.open = False


def told(answers: RunAnswers, **asked: str) -> Iterator[Any]:
    for delta in answers.answer(ASKED | asked):
        report = json.loads(json.loads(delta["j"])["lab"])
        assert (delta["n"], report.pop("ask")) == (-1, "me-7")
        yield report


@pytest.mark.parametrize(
    "request_",
    [None, [], 7, "tale", {}, {"run": "tale"}, {"run": 3, "ask": "a"}, {"run": "tale", "ask": None},
     {"run": "x" * (NAME + 1), "ask": "a"}, {"run": "tale", "ask": "x" * (NAME + 1)}, {"run": ["tale"], "ask": "a"}],
    ids=repr,
)  # fmt: skip
def test_what_does_not_name_a_run_and_itself_is_not_answered(request_: object) -> None:
    assert list(Counting({}).answer(request_)) == []


def test_a_run_that_is_forgotten_says_so() -> None:
    answers = Counting({})
    assert list(told(answers, run="gone")) == [{"error": {"code": "refusals.forgotten"}}]
    assert answers.counted == 0


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (OSError("no room\nat all"), "OSError: no room"),
        (MemoryError(), {"code": "refusals.memory"}),
        (ConfigError("x" * 999), "x" * LINE),
    ],
    ids=lambda each: type(each).__name__,
)
def test_what_breaks_or_rambles_says_so_in_one_line_and_goes_on_to_the_log(error: Exception, said: Sentence) -> None:
    reports = told(Counting({2: error}))
    assert [next(reports), next(reports)] == [{"done": 1}, {"error": said}]
    if isinstance(error, ConfigError):
        assert list(reports) == []
    else:
        with pytest.raises(type(error)):
            next(reports)


def test_a_question_given_up_ends_at_once_and_no_other() -> None:
    answers = Counting({})
    answers.leave("me-6")
    reports = told(answers)
    next(reports)
    assert answers.open
    answers.leave("me-7")
    assert list(reports) == []
    assert (answers.counted, answers.open) == (1, False)
    assert list(told(answers)) == [], "and one that was still waiting is never begun"
    assert answers.counted == 1


@pytest.mark.parametrize("ask", [None, 7, [], "x" * (NAME + 1)])
def test_what_is_no_name_of_a_question_is_not_kept(ask: object) -> None:
    answers = Counting({})
    answers.leave(ask)
    for number in range(10_000):
        answers.leave(f"other-{number}")
    assert len(answers._given_up) == GIVEN_UP
