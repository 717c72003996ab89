"""The page as Python builds it: no torch, every control from the catalog, what listens to what, nothing borrowed."""

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import made_up
import pytest
from built_page import listeners, named

from specviz import gamma
from specviz.config.settings import SETTINGS, ConfigError, Group, RunConfig, check
from specviz.trace.codec import to_json
from specviz.trace.run import SCHEMA
from specviz.ui import controls, page
from specviz.ui.words import BUTTONS

ROOT = Path(__file__).parents[2]
PLAYER = sorted(path for path in (ROOT / "assets" / "player").rglob("*.js") if ".test." not in path.name)
RARE = [setting.name for setting in SETTINGS if setting.group is Group.TEXT]
CATALOG = controls.catalog(made_up.MadeUpBackend())
CHOICES = {
    "prompt": "hello", "drafter": "bigram", "gamma": 4.0, "temperature": 0.8, "top_k": 0.0, "top_p": 1.0,
    "max_new_tokens": 64.0, "seed": 7.0, "rule": "coupled",
}  # fmt: skip


def inside(built: dict[str, Any], elem_id: str) -> list[str]:
    """elem_ids of everything in a block, in reading order."""
    ids = {each["id"]: each["props"].get("elem_id") for each in built["components"]}

    def walk(node: dict[str, Any]) -> Iterator[tuple[int, list[int]]]:
        below = [part for child in node.get("children") or [] for part in walk(child)]
        yield node["id"], [number for number, _ in below]
        yield from below

    (found,) = (below for number, below in walk(built["layout"]) if ids.get(number) == elem_id)
    return [ids[number] for number in found if ids.get(number)]


def test_a_parameter_goes_only_to_its_own_drafter() -> None:
    assert controls.config(CATALOG, **CHOICES | {"drafter": "ngram"}, bigram_k=0.5).params == {}
    tuned = controls.config(CATALOG, **CHOICES, gamma_rule="ema", ema_alpha=0.5, ema_most=6.0, heuristic_up=3)
    assert (tuned.gamma_rule, tuned.gamma_params) == ("ema", {"alpha": 0.5, "most": 6})


def test_costs_go_to_a_rule_that_goes_by_them_and_what_is_none_is_refused() -> None:
    costs = to_json(made_up.COSTS)

    def chosen(text: str | None, rule: str = "throughput") -> RunConfig:
        return controls.config(CATALOG, **CHOICES, gamma_rule=rule, costs=text)

    assert chosen(costs).costs == made_up.COSTS
    assert [each.costs for each in (chosen(costs, "fixed"), chosen(""), chosen(None))] == [None] * 3
    for text in ("{", "[" * 9_000, "3", '{"draft":NaN}', costs.replace("[1,", "[true,"), costs + " " * 9_000):
        with pytest.raises(ConfigError, match=r"costs is .*; wanted costs from a trace's config"):
            check(chosen(text))


def test_the_turns_before_a_prompt_are_a_list_of_texts() -> None:
    def chosen(text: str | None) -> RunConfig:
        return controls.config(CATALOG, **CHOICES, earlier=text)

    assert chosen('["why?", ""]').earlier == ("why?", "")
    assert [chosen(text).earlier for text in ("", None, "[]")] == [()] * 3
    check(chosen('["why?", ""]'))


def test_stop_strings_stand_one_a_line_and_a_newline_in_one_is_written_out() -> None:
    def chosen(text: str | None) -> RunConfig:
        return controls.config(CATALOG, **CHOICES, stop_strings=text)

    assert chosen("END\n\n\\n\\n\n \nC:\\\\n").stop_strings == ("END", "\n\n", " ", "C:\\n")
    assert [chosen(text).stop_strings for text in ("", None)] == [()] * 2


def test_the_bar_the_stage_and_the_drawer_stand_in_this_order(built: dict[str, Any]) -> None:
    ids = {each["id"]: each["props"].get("elem_id") for each in built["components"]}
    page = [ids[child["id"]] for child in built["layout"]["children"]]
    assert page == ["sv-top", "sv-main", "sv-drawer"]
    bar = ["title", "prompt", "drafter", "gamma", "temperature", "run", "stop", *BUTTONS]
    assert inside(built, "sv-top") == [f"sv-{name}" for name in bar]
    assert inside(built, "sv-main") == ["sv-stage"]
    names = ("pairs", "pair", "chat", "earlier")
    names += ("gamma-rule", "costs", "top-k", "top-p", "max-new-tokens", "seed", "rule", "text")
    names += tuple(name.replace("_", "-") for name in RARE)
    many = ("sv-drafter-param-", "sv-gamma-rule-param-")
    assert [name for name in inside(built, "sv-drawer") if not name.startswith(many)] == [
        f"sv-{each}" for each in names
    ]


def test_what_only_the_player_answers_to_stays_in_the_browser(built: dict[str, Any]) -> None:
    for want in BUTTONS:
        (listener,) = listeners(built, f"sv-{want}", "click")
        assert not listener["backend_fn"]
        assert f"CustomEvent('specviz', {{ detail: {{ want: '{want}' }} }})" in listener["js"]
        assert named(built, f"sv-{want}")["props"]["value"] == want.capitalize()


def test_a_run_is_the_one_thing_others_may_call(built: dict[str, Any]) -> None:
    (name,) = built["api"]["named_endpoints"]
    parameters = [each["parameter_name"] for each in built["api"]["named_endpoints"][name]["parameters"]]
    wanted = ["prompt", "drafter", "gamma", "temperature", "top_k", "top_p", "max_new_tokens", "seed", "rule"]
    assert name == "/run"
    tuned = [f"{entry.name}_{param.name}".replace("-", "_") for entry in gamma.ENTRIES for param in entry.params]
    assert parameters == [*wanted, "bigram_k", "pair", "chat", "gamma_rule", *tuned, "costs", "earlier", *RARE]


def test_a_recorded_run_that_cannot_be_read_is_left_out_and_named(tmp_path: Path) -> None:
    sound = to_json(made_up.made_up_trace(max_new_tokens=3))
    files = {
        "tale": sound.encode(),
        "cut": sound[:500].encode(),
        "older": sound.replace(f'"schema":{SCHEMA}', '"schema":1').encode(),
        "bytes": b"\xff\xfe",
        "deep": b"[" * 100_000,
        "empty": b"",
        "wrong": sound.replace('"stop":"length"', '"stop":"eos"').encode(),
    }
    for name, content in files.items():
        (tmp_path / f"{name}.json").write_bytes(content)
    (tmp_path / "folder.json").mkdir()
    traces, unread = page.shipped_traces(tmp_path)
    assert [*traces] == ["tale"]
    assert {line.partition(".json could not be read (")[0] for line in unread} == {*files, "folder"} - {"tale"}
    assert max(map(len, unread)) < 200
    assert page.shipped_traces(tmp_path / "nowhere") == ({}, ())


def test_the_page_opens_on_a_tale_that_every_machine_can_run() -> None:
    traces, unread = page.shipped_traces(ROOT / "assets" / "traces")
    name, first = next(iter(traces.items()))
    assert (name, first.info.config.pair, unread) == ("tale-small-model", "embedded", ())
    assert first.race


def test_a_page_is_never_shared_watched_or_talkative() -> None:
    options = page.launch_options({})
    switched_off = ("share", "run_history", "enable_monitoring", "show_error", "ssr_mode")
    assert [options[name] for name in switched_off] == [False] * len(switched_off)
    assert options["allowed_paths"] == []


def test_the_page_opens_without_torch_and_sends_nothing_anywhere(tmp_path: Path) -> None:
    shutil.copy(ROOT / "assets" / "traces" / "tale-small-model.json", tmp_path)
    script = """
import pathlib, socket, sys
asked = []
def watch(event, arguments):
    if event in ("socket.connect", "socket.getaddrinfo"):
        asked.append(arguments[0] if event == "socket.getaddrinfo" else arguments[1][0])
sys.addaudithook(watch)
import os
os.environ["GRADIO_SHARE"] = "True"
import specviz.serve
from specviz.local import LocalBackend
from specviz.ui import page
with socket.socket() as free:
    free.bind(("127.0.0.1", 0))
    port = free.getsockname()[1]
traces, _ = page.shipped_traces(pathlib.Path(sys.argv[1]))
demo = page.build(LocalBackend(), traces)
demo.launch(server_port=port, prevent_thread_lock=True, quiet=True, **page.launch_options(traces))
demo.close()
outside = set(asked) - {"127.0.0.1", "localhost", "0.0.0.0"}
print([*map(str, outside), *{"torch", "transformers"} & set(sys.modules)])
"""
    done = subprocess.run(
        [sys.executable, "-c", script, tmp_path], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.stdout.strip().endswith("[]"), done.stdout + done.stderr


def test_the_player_has_no_way_to_turn_text_into_markup_or_code() -> None:
    unsafe = ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "Function(", "eval(", "DOMParser")
    for module in PLAYER:
        source = module.read_text(encoding="utf-8")
        assert not [name for name in unsafe if name in source], module


def test_style_sheet_and_player_name_no_other_host() -> None:
    for path in (*PLAYER, *(ROOT / "assets" / "player").rglob("*.css")):
        hosts = set(re.findall(r"https?://[\w.]+", path.read_text(encoding="utf-8")))
        told = (
            {"https://huggingface.co"} if path.name == "arrival.js" else set()
        )  # a message to the frame around a Space
        assert hosts <= {"http://www.w3.org", *told}, f"{path.name}: {hosts}"


def test_asking_for_a_run_first_ends_the_one_under_way_as_stop_does_and_choosing_never_runs(
    built: dict[str, Any],
) -> None:
    (running,) = listeners(built, "sv-stage", "start")
    ask, cancel = listeners(built, "sv-run", "click")
    _, stop = listeners(built, "sv-stop", "click")
    assert cancel["cancels"] == stop["cancels"] == [running["id"]]
    assert not [each for each in listeners(built, "sv-drafter", "input") if "want: 'run'" in (each["js"] or "")]
    assert (ask["inputs"], ask["queue"]) == (running["inputs"], False), "judged before anything waits"
    assert "want: 'run'" in ask["js"]
    assert (ask["trigger_mode"], running["trigger_mode"]) == ("always_last", "multiple"), "none is dropped"


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
