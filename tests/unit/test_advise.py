"""specviz advise: a study that stops and goes on, and advice that is read from it."""

import json
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pyarrow", reason="there is no pyarrow here; pip install '.[test]'")

from specviz.__main__ import main
from specviz.lab.study import advised, store, worker
from specviz.lab.study import study as studies

TEXTS = ["Once upon a time a king", "def add(a, b):"]


def asked(out: Path, *more: str) -> list[str]:
    given = [each for text in TEXTS for each in ("--prompt", text)]
    lengths = ["--max-new-tokens", "8", "--most", "2", "--device", "cpu", "--workers", "1"]
    return ["advise", *given, "--drafts", "small-model,suffix", *lengths, "--out", str(out), *more]


def test_stopped_it_goes_on_and_asked_again_it_does_nothing_anew(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    out, told = tmp_path / "out", tmp_path / "advice.json"

    def times(*_: Any) -> Any:
        raise KeyboardInterrupt

    with monkeypatch.context() as stopped:
        stopped.setattr(advised, "times", times)
        assert main(asked(out)) == 1
    assert "the same command goes on" in capsys.readouterr().err
    assert store.finished(out)
    kept = (out / store.RUNS).stat().st_mtime_ns
    assert main(asked(out, "--json", str(told))) == 0
    first, measured = capsys.readouterr().out, (out / advised.TIMES).read_text()
    monkeypatch.setattr(worker, "timed", None)
    assert main(asked(out)) == 0
    assert capsys.readouterr().out == first
    assert (out / store.RUNS).stat().st_mtime_ns == kept
    assert (out / advised.TIMES).read_text() == measured
    (kind,) = json.loads(told.read_text())
    assert (kind["kind"], kind["prompts"], kind["experts"]) == ("text", 2, None)
    assert {each["drafter"] for each in kind["choices"]} == {"small-model", "suffix"}
    assert all(len(each["by_gamma"]) == 2 for each in kind["choices"])
    assert "| text | 2       | small-model |" in first
    assert any(start in first for start in ("Use ", "Do not speculate: at best", "gains little"))


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--drafts", "trigram"], "there is no drafter 'trigram'; a draft model goes with --target"),
        (["--drafts", "lookahead"], "advice is on chains of guesses, and lookahead drafts none"),
        (["--drafts", "suffix:shape=tree"], "suffix:shape=tree drafts none; suffix:shape=chain would"),
        (["--drafts", "suffix:depth=2"], "depth"),
        (["--most", "21"], "--most is 21; wanted a whole number from 1 to 20"),
        (["--drafts", "jacobi", "--temperature", "0.8"], "nothing is left to run; left out: jacobi"),
        (["--json", "nowhere/advice.json"], "there is no folder nowhere"),
    ],
)
def test_wrong_input_gets_one_line_and_exit_code_2_and_begins_nothing(
    arguments: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(studies, "run", None)
    assert main(["advise", *arguments]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert said in line
    assert not Path("advice").exists()
