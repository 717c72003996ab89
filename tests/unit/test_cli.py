"""The command line as a person meets it."""

import io
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import specviz
from specviz.__main__ import main
from specviz.check.run import problems
from specviz.config.settings import ConfigError
from specviz.trace.codec import from_json, to_json
from specviz.trace.round import Round
from specviz.trace.run import Stop
from tests.tiny import TableModel, traced
from tests.unit.test_loops import loop


def saved(text: str) -> list[bytes]:
    """A file as editors save it."""
    return [text.encode(), f"\ufeff{text}".encode(), text.encode("utf-16"), f"\ufeff{text}".encode("utf-16-be")]


@pytest.fixture
def trace_file(tmp_path: Path) -> Path:
    path = tmp_path / "trace.json"
    path.write_text(to_json(traced(TableModel(6, 1), draft=TableModel(6, 2))), encoding="utf-8")
    return path


def test_check_passes_a_sound_trace_or_lists_what_is_wrong(
    trace_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = trace_file.read_text(encoding="utf-8")
    for content in saved(text):
        trace_file.write_bytes(content)
        assert main(["check", str(trace_file)]) == 0
        assert capsys.readouterr().out.startswith("sound: ")
    doctored = json.loads(text)
    doctored["rounds"][0]["verdicts"][0]["u"] = 1.5
    trace_file.write_text(json.dumps(doctored))
    assert main(["check", str(trace_file)]) == 1
    assert "round 0, node 0" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["check", "nowhere.json"], "nowhere.json"),
        (["run", "hi", "--drafter", "trigram"], "drafter is 'trigram'; wanted one of "),
        (["run", "hi", "--gamma", "21"], "gamma is 21; wanted a whole number from 0 to 20"),
        (["run", "hi", "--gamma", "x"], "invalid int value: 'x'"),
        (["run", "hi", "--temperature", "nan"], "temperature is nan"),
        (["run", ""], "the prompt is empty"),
        (["run", os.fsencode("hi 🙂").decode("ascii", "surrogateescape")], "could not read as UTF-8; set PYTHONUTF8=1"),
        (["run", "hi \ud83d"], "the prompt contains a lone surrogate"),
        (["run", "hi", "--pair", "huge"], "no pair 'huge'"),
        (["run", "hi", "--device", "abacus"], "device 'abacus'"),
        (["run", "hi", "--out", "no/such/folder/trace.json"], "there is no folder no/such/folder"),
        (["run", "hi", "--out", "."], "--out . is a folder; wanted the name of a file"),
        (["run", "hi", "--costs", "nowhere.json"], "nowhere.json"),
        (["bench", "--json", "."], "--json . is a folder"),
        (["bench", "--pair", "nowhere"], "no pair 'nowhere'; there are: embedded, "),
        (["run", "hi", "--drafter", "bigram", "--param", "k"], "wanted NAME=VALUE"),
        (["train", "--corpus", "no-such-folder"], "no-such-folder"),
        (["page", "nowhere.json"], "nowhere.json"),
    ],
)
def test_wrong_input_gets_one_clear_line_and_exit_code_2(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        code = main(arguments)
    except SystemExit as stop:
        code = int(str(stop.code))
    told = capsys.readouterr()
    assert code == 2
    assert said in told.err.splitlines()[-1]
    assert "Traceback" not in told.err
    assert not told.out


def test_where_a_file_cannot_be_written_nothing_is_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "access", lambda path, how: (path, how) != (tmp_path, os.W_OK))
    assert main(["run", "hi", "--out", str(tmp_path / "run.json")]) == 2
    assert capsys.readouterr().err == f"specviz: --out {tmp_path / 'run.json'} cannot be written; name another file\n"


@pytest.mark.parametrize("encoding", ["cp1252", "ascii", "cp932", None])
def test_what_a_stream_cannot_show_is_replaced_and_a_file_is_whole_before_anything_is_printed(
    encoding: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """None: nobody reads the stream any more."""

    class Pipe(io.BytesIO):
        def write(self, data: Any) -> int:
            if encoding is None:
                raise BrokenPipeError
            return super().write(data)

    out = tmp_path / "run.json"
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(Pipe(), encoding or "utf-8", write_through=True))
    asked = ["run", "Once", "--device", "cpu", "--max-new-tokens", "8", "--out", str(out)]
    assert main(asked) == (0 if encoding else 2)
    assert from_json(out.read_text(encoding="utf-8")).tokens
    if encoding:
        told = sys.stdout.buffer.getvalue()  # type: ignore[attr-defined]
        assert "✓ accepted  ✕ rejected".encode(encoding, "backslashreplace") in told
        with pytest.raises(SystemExit, match="0"):
            main(["advise", "--help"])


def test_the_page_opens_no_run_that_contradicts_itself(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "mine.json"
    path.write_text(to_json(loop(0, "resampled from p")), encoding="utf-8")
    assert main(["page", str(path)]) == 2
    assert "mine.json contradicts itself: bug: resampled from p: " in capsys.readouterr().err


def test_checking_a_trace_needs_no_torch(trace_file: Path) -> None:
    script = (
        "import sys; from specviz.__main__ import main; main(['check', sys.argv[1]]); print('torch' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", script, str(trace_file)], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "False"


def test_the_text_is_coloured_only_on_a_terminal_and_never_drives_it(trace_file: Path) -> None:
    from specviz.trace.terminal import coloured, visible

    trace = from_json(trace_file.read_text())
    assert "\x1b[" in coloured(trace, True)
    plain = coloured(trace, False)
    assert "\x1b" not in plain
    text, _, glyphs, *rounds = plain.split("\n")
    assert text.endswith(trace.text), "the text first, as it reads"
    assert [line.split()[0] for line in rounds] == [str(step.index + 1) for step in trace.rounds], "then a line a round"
    assert {"✓", "✕", "↻"} <= {*"".join(rounds)} & {*glyphs}
    assert "∅" not in plain
    assert "∅" in coloured(trace, False, every=True)
    assert visible("a\x1b[31m\n\u202e ") == "a<U+001B>[31m⏎<U+202E>·"


@pytest.mark.parametrize(
    ("missing", "said"),
    [("target", "target is missing; download the project"), ("counts.npz", "counts.npz"), ("cut", "build it again")],
)
def test_a_pair_that_is_not_whole_gets_one_line_and_exit_code_2(
    missing: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from specviz.models import pair

    folder = tmp_path / "pair"
    folder.mkdir()
    for part in ("target", "draft", "counts.npz"):
        if part != missing:
            (folder / part).symlink_to(pair.EMBEDDED / part)
    if missing == "cut":
        (folder / "counts.npz").unlink()
        (folder / "counts.npz").write_bytes((pair.EMBEDDED / "counts.npz").read_bytes()[:1000])
    monkeypatch.setattr(pair, "EMBEDDED", folder)
    monkeypatch.setitem(pair.BUILT_IN, "embedded", folder)
    pair._built_in.clear()
    try:
        assert main(["run", "hi", "--drafter", "ngram", "--max-new-tokens", "2", "--device", "cpu"]) == 2
    finally:
        pair._built_in.clear()
    told = capsys.readouterr().err.splitlines()
    assert told[0] == "loading embedded ..."
    assert [line for line in told if said in line] == told[-1:]
    assert "Traceback" not in "".join(told)


def test_with_a_traces_costs_a_throughput_run_repeats_to_the_token(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every measurement gives other costs: one of them a guess for nothing, one a guess that costs a hundred passes."""
    from specviz import session
    from specviz.config.costs import Costs

    measured = iter([Costs(0.0, 0.0, (1, 20), (1.0, 1.0)), Costs(100.0, 0.0, (1, 20), (1.0, 20.0))])
    monkeypatch.setattr(session, "costs", lambda *_: next(measured))
    out, other, again = tmp_path / "run.json", tmp_path / "other.json", tmp_path / "again.json"
    asked = ["run", "Once", "--device", "cpu", "--max-new-tokens", "24", "--gamma-rule", "throughput", "--seed", "3"]
    for path, more in ((out, []), (other, []), (again, ["--costs", str(out)])):
        assert main([*asked, "--out", str(path), *more]) == 0
    first, second, repeated = (from_json(path.read_text()) for path in (out, other, again))
    assert [len(step.verdicts) for step in second.rounds] != [len(step.verdicts) for step in first.rounds]
    assert repeated.tokens == first.tokens
    assert [step.verdicts for step in repeated.rounds] == [step.verdicts for step in first.rounds]
    assert repeated.info.config == first.info.config
    costs = first.info.config.costs
    choices: dict[str, Any] = {"device": "cpu", "max_new_tokens": 24, "gamma_rule": "throughput", "seed": 3}
    assert specviz.run("Once", **choices, costs=costs).tokens == first.tokens
    streamed = [token for step in specviz.stream("Once", **choices, costs=costs) for token in step.tokens]
    assert streamed == [*first.tokens]
    capsys.readouterr()
    assert main([*asked[:-4], "--out", str(out)]) == 0
    assert main([*asked, "--costs", str(out)]) == 2
    assert "wanted a trace of the throughput rule" in capsys.readouterr().err


def test_a_run_that_cannot_be_raced_or_breaks_off_is_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from specviz import loop
    from specviz.lab import race
    from specviz.sampling.distribution import UnsoundLogitsError

    out = tmp_path / "run.json"
    asked = ["run", "Once", "--device", "cpu", "--max-new-tokens", "12", "--temperature", "0", "--out", str(out)]
    assert main([*asked, "--gamma-rule", "throughput", "--race"]) == 0, "by the costs it was decided by"
    raced = from_json(out.read_text())
    assert raced.race is not None
    assert problems(raced) == []
    capsys.readouterr()

    def refused(*given: object) -> object:
        raise ConfigError("this machine decodes it differently")

    monkeypatch.setattr(race, "race", refused)
    assert main([*asked, "--race"]) == 2
    told = capsys.readouterr()
    assert told.err.splitlines() == [
        "loading embedded ...",
        "specviz: the run is kept, but was not raced: this machine decodes it differently",
    ]
    kept = from_json(out.read_text())
    assert (len(kept.tokens), kept.race, kept.stop) == (12, None, Stop.LENGTH)

    rounds = loop.rounds

    def breaks(*parts: Any) -> Iterator[Round]:
        yield next(rounds(*parts))
        raise UnsoundLogitsError("the model returned NaN")

    monkeypatch.setattr(loop, "rounds", breaks)
    assert main([*asked, "--race"]) == 2
    assert "the rounds recorded so far are kept: the model returned NaN" in capsys.readouterr().err
    assert (len(from_json(out.read_text()).rounds), from_json(out.read_text()).stop) == (1, Stop.FAILED)
    with pytest.raises(ConfigError, match="NaN") as broken:
        specviz.run("Once", device="cpu")
    assert (len(broken.value.trace.rounds), broken.value.trace.stop) == (1, Stop.FAILED)  # type: ignore[attr-defined]
