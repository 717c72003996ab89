"""A question of the Losslessness tab on its way through: judged, reported on, answered small, and let go."""

import json
from collections.abc import Iterator
from typing import Any

import made_up
import pytest

from specviz.config.settings import RunConfig
from specviz.config.words import because, table, tell
from specviz.proof.findings import BUGS, Checked, Drawn, Equality, Finding, Question, SampledToken, Verdict
from specviz.ui.answers.proofs import EVERY, Proofs
from specviz.ui.limits import LINE, LONGEST
from specviz.ui.runs.recording import Recording
from specviz.ui.runs.recordings import Recordings

TRACE = made_up.made_up_trace(seed=3, max_new_tokens=24)
GREEDY = made_up.made_up_trace(drafter="bigram", temperature=0)
ASKED = {"run": "tale", "ask": "me-7", "position": 12, "law": "second", "n": 2_000, "seed": 5, "bug": ""}
BAD = {
    "run": ["nobody", "x" * 200],
    "position": [-1, 25, 10**30, 1.0, "1", None, True],
    "law": ["third", "", None, 0, ["first"], "x" * 10_000],
    "n": [199, 200_001, 2_000.0, "2000", None, True, 10**400],
    "seed": [-1, 2**63, 0.5, "0", None, False],
    "bug": ["nobody", None, 0, ["accept-always"], "x" * 10_000],
}


class Watched(made_up.MadeUpBackend):
    """An engine that keeps its questions, and knows whether somebody waits for the answer."""

    def __init__(self) -> None:
        super().__init__()
        self.questions: list[Question] = []
        self.open = False

    def prove(self, question: Question) -> Iterator[Drawn | Finding]:
        self.questions.append(question)
        self.open = True
        try:
            yield from super().prove(question)
        finally:
            self.open = False


class Clock:
    """A clock that gains `step` seconds whenever somebody looks."""

    def __init__(self, step: float) -> None:
        self.step, self.now = step, 0.0

    def __call__(self) -> float:
        self.now += self.step
        return self.now


def over(backend: made_up.MadeUpBackend | None = None, step: float = 2 * EVERY) -> Proofs:
    recordings = Recordings({"tale": Recording.of("tale", TRACE), "greedy": Recording.of("greedy", GREEDY)})
    return Proofs(backend or made_up.MadeUpBackend(), recordings, Clock(step))


def told(proofs: Proofs, **changes: Any) -> list[dict[str, Any]]:
    deltas = list(proofs.answer(ASKED | changes))
    reports = []
    for delta in deltas:
        assert (delta["run"], delta["n"]) == (changes.get("run", "tale"), -1)
        assert len(delta["j"]) < 8_000
        ((kind, text),) = json.loads(delta["j"]).items()
        assert kind == "proof"
        reports.append(json.loads(text, parse_constant=pytest.fail))
    assert {report.pop("ask") for report in reports} <= {"me-7"}
    return reports


def test_progress_comes_before_the_finding_and_the_finding_last() -> None:
    *progress, last = told(over())
    assert [report["done"] for report in progress] == [200 * tenth for tenth in range(1, 11)]
    assert {report["of"] for report in progress} == {2_000}
    assert all(len(report["cells"]) == 13 for report in progress), "the dots move"
    finding = last["finding"]
    assert (finding["law"], finding["n"], finding["seed"], finding["position"]) == ("second", 2_000, 5, 12)
    assert not finding["different"]
    assert finding["given"].startswith(" ")
    assert sum(cell[2] for cell in finding["cells"]) == pytest.approx(1, abs=1e-5)
    assert sum(cell[3] for cell in finding["cells"]) == pytest.approx(1, abs=1e-5)
    assert finding["cells"][-1][0] is None


def test_the_question_is_that_of_the_run_up_to_the_place_asked_about() -> None:
    backend = Watched()
    told(over(backend), bug="one-number", position=24)
    (question,) = backend.questions
    assert question == Question(TRACE.info.config, TRACE.tokens, SampledToken.SECOND, 2_000, 5, "one-number")
    assert isinstance(question.token, SampledToken), "the engine compares laws by identity"


def test_a_planted_bug_turns_the_verdict_and_the_words_have_a_title_and_a_reason_for_each() -> None:
    finding = told(over(), bug="accept-always")[-1]["finding"]
    assert finding["different"]
    assert finding["bug"] == "accept-always"
    words = table()["tabs"]["finding"]
    assert words["bugs"].keys() == words["whys"].keys() == {bug.name for bug in BUGS}


@pytest.mark.parametrize("changes", [{key: value} for key, values in BAD.items() for value in values], ids=repr)
def test_what_cannot_be_asked_gets_one_line_and_no_samples(changes: dict[str, Any]) -> None:
    backend = Watched()
    (report,) = told(over(backend), **changes)
    assert list(report) == ["error"]
    said = tell(report["error"])
    assert 0 < len(said) <= LINE
    assert "\n" not in said
    assert backend.questions == []


def test_a_refusal_names_what_was_wrong_and_what_is_wanted() -> None:
    assert tell(told(over(), n=7)[-1]["error"]) == "n is 7; wanted a whole number from 200 to 200,000"
    assert tell(told(over(), position=25)[-1]["error"]) == "position is 25; wanted a whole number from 0 to 24"
    assert tell(told(over(), run="gone")[-1]["error"]) == "this run is no longer kept on the server"


def test_a_question_does_not_keep_the_models_for_ever() -> None:
    backend = Watched()
    *progress, last = told(over(backend, step=LONGEST / 4.5))
    assert len(progress) == 4
    assert tell(last["error"]) == "1,000 of 2,000 samples in 120 s; ask for fewer samples, or for another token"
    assert not backend.open


class Wordy(made_up.MadeUpBackend):
    """An engine whose tokens are as costly as texts get."""

    def prove(self, question: Question) -> Iterator[Drawn | Finding]:
        *_, found = super().prove(question)
        assert isinstance(found, Finding)
        cells = tuple(type(cell)(10**6, "\U0001f600" * 99, 1 / 3, 1 / 7, 1 / 9, 1 / 6) for cell in found.cells)
        yield Finding(question, cells, "\U0001f600" * 99, 10**9, 1 / 3, 1 / 3, 1 / 3, 1 / 3, 1 / 3, 1 / 3, 13, 1 / 3, 0)

    def model(self, config: RunConfig) -> Iterator[tuple[int, int] | Checked]:
        for _ in range(12):
            yield Checked("x" * 999, Verdict.REFUSED, because("tried.raises", error="x" * 999))

    def equal(self, config: RunConfig) -> Equality:
        texts = ("\U0001f600" * 99,) * 999
        return Equality(
            texts, (*texts[:500], "other", *texts[501:]), 500, ((1 / 3, 1 / 7), (1 / 9, 1 / 6)), 1 / 3, 1 / 3
        )


def test_an_answer_stays_small_whatever_the_tokens() -> None:
    finding = told(over(Wordy()))[-1]["finding"]
    assert len(finding["cells"]) == 13
    assert finding["cells"][0][1] == "\U0001f600" * 15 + "…"
    (report,) = told(over(Wordy()), whole=True)
    assert len(report["equality"]["plain"]) == 17
    (report,) = told(over(Wordy()), model=True)
    assert len(report["checked"]) == 12


@pytest.mark.parametrize(("seed", "tie"), [(1, True), (3, False)])
def test_a_first_difference_comes_with_its_neighbours_both_logits_and_the_gap(seed: int, *, tie: bool) -> None:
    greedy = made_up.made_up_trace(drafter="bigram", temperature=0, seed=seed)
    (report,) = told(Proofs(made_up.MadeUpBackend(), Recordings({"tale": Recording.of("tale", greedy)})), whole=True)
    equality = report["equality"]
    at = equality["differs"] - equality["start"]
    assert equality["start"] == 4
    differ = [one != other for one, other in zip(equality["speculative"], equality["plain"], strict=True)]
    assert differ.index(True) == at == 8
    (_, (one, other)) = equality["logits"]
    assert equality["gap"] == pytest.approx(other - one)
    assert equality["tie"] == tie == (equality["gap"] < 4 * equality["error"])


def test_a_check_of_the_model_tells_its_lines_so_far_with_every_text_and_all_of_them_at_last() -> None:
    *progress, last = told(over(), model=True)
    assert [(report["done"], report["of"]) for report in progress] == [(done, 4) for done in range(1, 5)]
    assert {len(report["checked"]) for report in progress} == {2}
    assert last["checked"][:2] == progress[-1]["checked"]
    assert [line["verdict"] for line in last["checked"]] == ["same", "refused", "other"]
    said = [(tell(line["what"]), tell(line["detail"])) for line in last["checked"]]
    assert said[1] == (
        "two branches of a tree",
        "its logits are off by 0.5 of the largest; rounding explains at most 0.0002",
    )
    assert [line["verdict"] for line in told(over(), run="greedy", model=True)[-1]["checked"]][-1] == "tie"


def test_a_check_of_the_model_takes_no_longer_than_other_questions_and_keeps_the_lines_it_has() -> None:
    *progress, last = told(over(step=LONGEST / 2.5), model=True)
    assert [report["done"] for report in progress] == [1, 2]
    assert len(progress[-1]["checked"]) == 2
    assert tell(last["error"]).startswith("3 of 4 texts in 120 s, the most that a question may take here")
