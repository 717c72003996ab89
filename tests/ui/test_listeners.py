"""What listens on the page, in which queue, and what ends what."""

from typing import Any

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


def test_a_whole_row_waits_its_turn_behind_runs_and_every_question_keeps_its_own_words(built: dict[str, Any]) -> None:
    (running,), (row,) = listeners(built, "sv-stage", "start"), listeners(built, "sv-stage", "row")
    queues = built["queues"]
    assert queues[str(row["id"])] == queues[str(running["id"])] == "model"
    assert row["trigger_mode"] == "multiple", "always_last asks the first question again, not the last"
    assert row["outputs"] == [named(built, "sv-stage")["id"]]
    assert (row["api_visibility"], row["show_progress"]) == ("private", "hidden")


def test_a_proof_waits_its_turn_behind_runs_and_the_player_hears_that_it_broke(built: dict[str, Any]) -> None:
    (running,), (proving,) = listeners(built, "sv-stage", "start"), listeners(built, "sv-stage", "prove")
    queues = built["queues"]
    assert queues[str(proving["id"])] == queues[str(running["id"])] == "model"
    assert (proving["trigger_mode"], proving["api_visibility"]) == ("multiple", "private")
    (broke,) = (each for each in built["dependencies"] if each["trigger_after"] == proving["id"])
    assert broke["trigger_only_on_failure"]
    assert "want: 'proof-failed'" in broke["js"]


def test_a_race_waits_its_turn_behind_runs_and_the_player_hears_that_it_broke(built: dict[str, Any]) -> None:
    (running,), (racing,) = listeners(built, "sv-stage", "start"), listeners(built, "sv-stage", "race")
    queues = built["queues"]
    assert queues[str(racing["id"])] == queues[str(running["id"])] == "model"
    assert (racing["trigger_mode"], racing["api_visibility"], racing["show_progress"]) == (
        "multiple", "private", "hidden",
    )  # fmt: skip
    (broke,) = (each for each in built["dependencies"] if each["trigger_after"] == racing["id"])
    assert broke["trigger_only_on_failure"]
    assert "want: 'race-failed'" in broke["js"]


def test_a_pair_comes_in_a_lane_of_its_own_and_the_player_hears_that_it_broke(built: dict[str, Any]) -> None:
    (bringing,) = listeners(built, "sv-pairs", "bring")
    assert built["queues"][str(bringing["id"])] == "pair", "runs, proofs and races on the present one go on"
    assert (bringing["trigger_mode"], bringing["api_visibility"], bringing["show_progress"]) == (
        "multiple", "private", "hidden",
    )  # fmt: skip
    assert bringing["outputs"] == [named(built, "sv-pairs")["id"]]
    (broke,) = (each for each in built["dependencies"] if each["trigger_after"] == bringing["id"])
    assert broke["trigger_only_on_failure"]
    assert "want: 'pair-failed'" in broke["js"]


def test_pairs_are_offered_once_the_stage_says_that_it_stands(built: dict[str, Any]) -> None:
    (offering,) = (each for each in built["dependencies"] if each["targets"] and each["targets"][0][1] == "offers")
    assert offering["outputs"] == [named(built, "sv-pairs")["id"]]
    assert offering["api_visibility"] == "private"
    assert named(built, "sv-pairs")["props"].get("value") in (None, ""), "the page itself asks the engine for nothing"
