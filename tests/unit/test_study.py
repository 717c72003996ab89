"""specviz study: what it reads, what it refuses, and that however it is stopped, nothing is lost or done twice."""

import os
import subprocess
import sys
from concurrent.futures import BrokenExecutor
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

if not os.environ.get("CI"):
    pytest.importorskip("pyarrow", reason="there is no pyarrow here; pip install '.[test]'")

import pyarrow as pa
import pyarrow.parquet as pq

from specviz import session
from specviz.__main__ import main
from specviz.config.settings import ConfigError, RunConfig
from specviz.lab.study import plan as plans
from specviz.lab.study import prompts, store
from specviz.lab.study.cluster import Actors
from specviz.lab.study.work import loaded
from tests.study_killed import MEASURED, PAIR, go_on, planned
from tests.unit.test_cli import saved

ROOT = Path(__file__).parents[2]
QUESTION = '{"question_id": 81, "category": "writing", "turns": ["First.", "Then."]}'


def tables_of(folder: Path) -> list[pa.Table]:
    """Both tables without what no two runs share."""
    read = [pq.read_table(folder / name) for name in (store.RUNS, store.ROUNDS)]
    return [table.select([name for name in table.column_names if name not in MEASURED]) for table in read]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("study")
    go_on(folder, planned(seeds=5))
    return folder


def test_killed_at_five_random_moments_it_ends_like_one_that_never_was(whole: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.study_killed", str(tmp_path), "5"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    ends = [line.split()[0] for line in done.stdout.splitlines()]
    assert ends == ["killed"] * 5 + ["ended"]
    runs, _ = expected = tables_of(whole)
    assert len(runs) == planned(seeds=5).size == 320
    for one, other in zip(expected, tables_of(tmp_path), strict=True):
        assert one.equals(other)
    assert not (tmp_path / store.PARTS).exists()


def test_the_rounds_add_up_to_the_runs_and_every_row_says_where_it_is_from(whole: Path) -> None:
    runs, rounds = (pq.read_table(whole / name).to_pylist() for name in (store.RUNS, store.ROUNDS))
    for name in ("drafted", "tested", "accepted", "emitted", "target_passes"):
        assert sum(row[name] for row in runs) == sum(row[name] for row in rounds) > 0
    for row in (*runs, *rounds):
        assert row["config_hash"]
        assert row["machine"]
        assert all(row[name] for name in store.VERSIONS)
    assert {row["config_hash"] for row in runs} == {row["config_hash"] for row in rounds}
    assert len({(row["config_hash"], row["turn"]) for row in runs}) == len(runs)


def test_asked_again_it_has_nothing_to_do_and_asked_for_another_plan_it_refuses(whole: Path) -> None:
    before = (whole / store.RUNS).stat().st_mtime_ns
    go_on(whole, planned(seeds=5))
    assert (whole / store.RUNS).stat().st_mtime_ns == before
    with pytest.raises(ConfigError, match=r"holds another study: its seeds is 5, not 6"):
        go_on(whole, planned(seeds=6))


def test_another_build_does_not_go_on_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    here, config = session.versions(), RunConfig("Once")
    monkeypatch.setattr("specviz.lab.study.work.pairs.load", lambda *_: PAIR)
    assert loaded(plans.Build("cpu", here), config) is PAIR
    with pytest.raises(ConfigError, match=r"begun with specviz 0\.0, .*; here are specviz .*; begin another"):
        loaded(plans.Build("cpu", {**here, "specviz": "0.0"}), config)


def test_a_later_turn_reads_what_was_said_before(whole: Path) -> None:
    runs = pq.read_table(whole / store.RUNS).to_pylist()
    (first, second, third) = (row for row in runs if row["question_id"] == "4" and row["run"] == runs[-1]["run"])
    said = PAIR.tokenizer.prompt(first["text"].replace("\ufffd", ""), chat=True)
    assert second["prompt_tokens"] == first["prompt_tokens"] + len(said) + 1
    assert third["prompt_tokens"] > second["prompt_tokens"] + 1


def test_one_that_cannot_be_decoded_is_a_row_that_says_why(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "long.txt"
    path.write_text("word " * 2000)
    out = tmp_path / "out"
    asked = ["study", "--prompts", str(path), "--prompt", "Once upon a time", "--methods", "ngram", "lookahead"]
    asked += ["--gamma", "0", "4", "--max-new-tokens", "4", "--workers", "1", "--device", "cpu", "--out", str(out)]
    assert main(asked) == 0
    assert main(["study", "show", str(out), "--csv"]) == 0
    told = capsys.readouterr().out
    assert "6 runs are in" in told
    assert "3 runs failed: the prompt has " in told
    assert "1 of 1 the same under every method" in told
    runs = pq.read_table(out / store.RUNS).to_pylist()
    assert [row["gamma"] for row in runs] == [0, 4, None] * 2
    assert [row["stop"] for row in runs] == ["failed"] * 3 + ["length"] * 3
    assert (out / "runs.csv").read_text().count('"ngram"') >= 4
    assert (out / "rounds.csv").read_text().startswith('"run","config_hash","turn","round"')
    html = (out / "study.html").read_text(encoding="utf-8")
    assert "<script src=" not in html
    assert "Plotly.newPlot" in html
    assert main(asked) == 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--methods", "trigram"], "drafter is 'trigram'; wanted one of"),
        (["--methods", "small-tree:nodes"], "wanted NAME:PARAM=VALUE"),
        (["--methods", "small-tree:nodes=1"], "nodes is 1.0; wanted a whole number from 2 to 64"),
        (["--gamma", "21"], "gamma is 21; wanted a whole number from 0 to 20"),
        (["--temperature", "0", "9"], "temperature is 9.0"),
        (["--gamma-rule", "throughput"], "would not repeat"),
        (
            ["--methods", "jacobi", "--temperature", "0.8"],
            "nothing is left to run; left out: jacobi at temperature 0.8",
        ),
        (["--seeds", "0"], "wanted a whole number"),
        (["--prompts", "nowhere.jsonl"], "nowhere.jsonl"),
        (["--prompts", "empty.jsonl"], "empty.jsonl holds no prompts"),
        (["--prompts", "blank.txt"], "blank.txt is empty"),
        (["--prompts", "bad.jsonl"], "bad.jsonl, line 2 is not JSON"),
        (["--prompts", "turns.jsonl"], "turns.jsonl, line 1: turns is ['']"),
        (["--prompts", "twice.jsonl"], "twice.jsonl, line 3: there are two questions '81'"),
        (["--prompts", "bytes.txt"], "bytes.txt is not UTF-8"),
        (["--prompt", ""], "the prompt is empty"),
        (["--out", "other"], "other holds other things than a study"),
        (["--out", "broken"], "study.json is no study's"),
        (["show", "nothing"], "there is no study in nothing"),
    ],
)
def test_wrong_input_gets_one_line_and_exit_code_2_and_begins_nothing(
    arguments: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in {
        "empty.jsonl": "\n",
        "blank.txt": " \n",
        "bad.jsonl": f"{QUESTION}\n{{\n",
        "turns.jsonl": '{"turns": [""]}',
        "twice.jsonl": f"{QUESTION}\n\n{QUESTION}",
        "other/thesis.tex": "",
        "broken/study.json": "[]",
    }.items():
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_text(text)
    Path("bytes.txt").write_bytes(b"\xff")
    try:
        code = main(["study", *arguments])
    except SystemExit as stop:
        code = int(str(stop.code))
    told = capsys.readouterr().err
    assert code == 2
    assert said in told.splitlines()[-1]
    assert "Traceback" not in told
    assert not Path("study").exists()


def test_without_pyarrow_it_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("specviz.commands.study.find_spec", lambda _: None)
    assert main(["study", "--prompt", "Once"]) == 2
    assert capsys.readouterr().err == 'specviz: a study needs pyarrow; pip install "specviz[study]"\n'


def test_spec_benchs_questions_are_told_as_its_six_tasks(tmp_path: Path) -> None:
    path = tmp_path / "question.jsonl"
    path.write_text(QUESTION + '\n{"question_id": 82, "category": "rag", "turns": ["Q"], "reference": ["A"]}\n')
    first, second = prompts.read(path)
    assert (first.id, first.category, first.turns) == ("81", "chat", ("First.", "Then."))
    assert (first.set, second.category) == ("question.jsonl", "rag")
    path.write_text(QUESTION)
    assert prompts.read(path)[0].category == "writing"
    assert prompts.read(path)[0].set_hash != first.set_hash


def test_a_folder_is_its_texts_and_its_questions(tmp_path: Path) -> None:
    (tmp_path / "more").mkdir()
    (tmp_path / "notes.md").write_text("not a prompt")
    for once, question in zip(saved("Once\r\nmore\r\n"), saved(QUESTION), strict=True):
        (tmp_path / "a.txt").write_bytes(once)
        (tmp_path / "more" / "q.jsonl").write_bytes(question)
        assert [(each.id, each.turns) for each in prompts.read(tmp_path)] == [
            ("a.txt:a", ("Once\nmore",)),
            ("more/q.jsonl:81", ("First.", "Then.")),
        ]


def test_a_plan_has_each_combination_once_and_names_what_cannot_be() -> None:
    plan = planned(seeds=2)
    tasks = list(plan.tasks())
    assert [task.index for task in tasks] == list(range(2 * 5 * 2 * 2 * 2))
    assert len({task.key for task in tasks}) == len(tasks)
    assert [task.key for task in plan.tasks()] == [task.key for task in tasks]
    assert [task.config.seed for task in tasks] == [0] * 40 + [1] * 40
    jacobi = replace(plan, methods=(plans.drafter("jacobi"), *plan.methods))
    assert jacobi.size == plan.size * 5 // 4
    assert [line.partition(" (")[0] for line in jacobi.left_out()] == [
        "left out: jacobi at temperature 0.8 under rejection"
    ]


class Lost(Exception):
    """Stands for Ray's RayActorError."""


def actors(*fates: list[str]) -> Actors:
    """Actors with these fates, call by call; Ray only as far as they need it."""

    def actor(fate: list[str]) -> Any:
        return SimpleNamespace(call=SimpleNamespace(remote=lambda work, *given: (fate, work, given)))

    def get(asked: Any) -> Any:
        fate, work, given = asked
        if fate.pop(0) == "lost":
            raise Lost
        return work(*given)

    ray = SimpleNamespace(get=get, exceptions=SimpleNamespace(RayActorError=Lost, RayTaskError=ZeroDivisionError))
    return Actors(ray, [actor(fate) for fate in fates])


def test_a_lost_actors_task_goes_to_another() -> None:
    with actors(["well", "lost"], ["well"] * 9) as crew:
        found = [crew.submit(abs, -number) for number in range(9)]
        assert [each.result() for each in found] == list(range(9))


def test_when_all_actors_are_lost_nobody_waits_for_one() -> None:
    with actors(["lost"], ["lost"]) as crew:
        found = [crew.submit(abs, 1) for _ in range(5)]
        for each in found:
            with pytest.raises(BrokenExecutor, match="all workers"):
                each.result(timeout=60)
