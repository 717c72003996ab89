"""What listens on the page, in which queue, and what ends what."""

from typing import Any

import pytest
from built_page import listeners, named


def test_asking_for_a_run_first_ends_the_one_under_way(built: dict[str, Any]) -> None:
    (running,) = listeners(built, "sv-stage", "start")
    ask, cancel = listeners(built, "sv-run", "click")
    assert cancel["cancels"] == [running["id"]]
    assert (ask["inputs"], ask["queue"]) == (running["inputs"], False), "judged before anything waits"
    assert "want: 'run'" in ask["js"]
    assert (ask["trigger_mode"], running["trigger_mode"]) == ("always_last", "multiple"), "none is dropped"


def test_choosing_a_way_to_guess_never_runs(built: dict[str, Any]) -> None:
    asked = [each for each in listeners(built, "sv-drafter", "input") if "want: 'run'" in (each["js"] or "")]
    assert not asked


def test_stop_ends_whatever_runs(built: dict[str, Any]) -> None:
    (running,) = listeners(built, "sv-stage", "start")
    _, cancel = listeners(built, "sv-stop", "click")
    assert cancel["cancels"] == [running["id"]]


@pytest.mark.parametrize(
    ("part", "event", "queue", "broken"),
    [
        ("sv-stage", "prove", "model", "proof-failed"),
        ("sv-stage", "race", "model", "race-failed"),
        ("sv-pairs", "bring", "pair", "pair-failed"),
    ],
)
def test_a_question_waits_its_turn_and_the_player_hears_that_it_broke(
    built: dict[str, Any], part: str, event: str, queue: str, broken: str
) -> None:
    """Behind runs where it needs the model; a pair comes in a lane of its own, while runs on the present one go on."""
    (asked,) = listeners(built, part, event)
    assert built["queues"][str(asked["id"])] == queue
    assert asked["trigger_mode"] == "multiple", "always_last asks the first question again, not the last"
    assert asked["outputs"] == [named(built, part)["id"]]
    assert (asked["api_visibility"], asked["show_progress"]) == ("private", "hidden")
    (broke,) = (each for each in built["dependencies"] if each["trigger_after"] == asked["id"])
    assert broke["trigger_only_on_failure"]
    assert f"want: '{broken}'" in broke["js"]


def test_pairs_are_offered_once_the_stage_says_that_it_stands(built: dict[str, Any]) -> None:
    (offering,) = (each for each in built["dependencies"] if each["targets"] and each["targets"][0][1] == "offers")
    assert offering["outputs"] == [named(built, "sv-pairs")["id"]]
    assert offering["api_visibility"] == "private"
    assert named(built, "sv-pairs")["props"].get("value") in (None, ""), "the page itself asks the engine for nothing"
