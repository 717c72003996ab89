"""`specviz exercise`: the loop it writes, and the marks of loops that are right, wrong, or will not end."""

import html
import re
from pathlib import Path

import pytest

import specviz
from specviz.__main__ import main
from specviz.check.run import problems
from specviz.loops import marking
from tests.real.marked_loops import BUGS, LAW, SOLVED, SOUND, written


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fewer texts than a person's loop is marked on."""
    for name, less in (("PROMPTS", marking.PROMPTS[:2]), ("NEW", 16), ("TEXTS", 16)):
        monkeypatch.setattr(marking, name, less)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", BUGS)
def test_each_bug_is_named_by_its_line(name: str, few: None, monkeypatch: pytest.MonkeyPatch) -> None:
    changes, line, says = BUGS[name]
    monkeypatch.setattr(marking, "TEXTS", 100 if line == LAW or "q before" in says else 16)
    marker = marking.Marker(written(*changes))
    tries = [*marker.tries().values()]
    if "q before" in says:  # it shows in many rounds
        with pytest.raises(marking.Fault, match="the draft: "):
            tries[LAW]()
    with pytest.raises(marking.Fault, match=re.escape(says)) as found:
        tries[line]()
    _, *shown = found.value.args
    assert not shown or shown[1] < len(shown[0].rounds)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", SOUND)
def test_a_sound_loop_is_marked_right_however_it_is_written(name: str, few: None) -> None:
    marks = [*marking.Marker(written(*SOUND[name])).marks()]
    assert [mark for mark in marks if not mark.right] == []
    assert len(marks) == 5


def test_a_notebook_shows_the_lines_and_the_page_opens_on_the_first_wrong_round(few: None, tmp_path: Path) -> None:
    (changes, _, _) = BUGS["never cuts the target"]
    marks = specviz.mark(written(*changes))
    assert repr(marks).splitlines()[0].startswith("✕ greedy, it writes what the target writes alone: after '")
    wrong = re.search(r"round (\d+) left", marks[0].says)
    assert wrong
    address = marking.page(marks, tmp_path / "wrong.html")
    assert address.endswith(f"wrong.html#v=1&at={int(wrong[1]) + 1}.verify")
    framed = marks._repr_html_()
    assert framed.startswith("<pre>✕ greedy, it writes")
    assert html.escape(f'data-place="#v=1&amp;at={int(wrong[1]) + 1}.verify"') in framed
    assert "<!doctype html>" in (tmp_path / "wrong.html").read_text(encoding="utf-8")[:200].lower()
    wrong_trace = marks[0].trace
    assert wrong_trace
    shown = marking.drawable(wrong_trace)
    assert shown
    assert (problems(shown), shown.info.missing) == ([], ("cache", "draws", "times"))


def test_a_tree_that_no_page_can_draw_gets_none(few: None, tmp_path: Path) -> None:
    marks = [*marking.Marker(written(*BUGS["tests after a rejection"][0])).marks()]
    assert marks[-1].trace
    assert marking.page(marks, tmp_path / "none.html") == ""
    assert not [*tmp_path.iterdir()]


def test_the_exercise_has_four_holes_and_is_never_written_over_a_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "loop.py"
    assert main(["exercise", "new", str(path)]) == 0
    text = path.read_text(encoding="utf-8")
    holes = re.findall(r'raise NotImplementedError\("the (\w+) is missing"\)', text)
    assert holes == ["draft", "test", "replacement", "cut"]
    assert all(line in SOLVED for line in text.splitlines() if "raise NotImpl" not in line)
    assert "np.maximum" not in text
    path.write_text("mine", encoding="utf-8")
    assert main(["exercise", "new", str(path)]) == 2
    assert capsys.readouterr().err == f"specviz: {path} is there already; name a file that is not\n"
    assert path.read_text(encoding="utf-8") == "mine"


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ("while True: pass", "✕ the loop was stopped: it did not end in 8 seconds"),
        ("import os; os._exit(0)", "✕ the loop was stopped: its process ended by itself, with 0"),
        (
            "import os; print('hello', flush=True); os.fork()",
            "RuntimeError: it starts a process; a loop needs none\nit printed: hello",
        ),
    ],
    ids=["never ends", "exits", "forks"],
)
def test_a_loop_that_will_not_end_or_leaves_its_process_is_stopped_with_a_line(
    body: str, says: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "loop.py"
    path.write_text(f"def speculate(*given):\n    {body}\n", encoding="utf-8")
    assert main(["exercise", "mark", str(path), "--seconds", "8" if "while" in body else "60"]) == 1
    assert says in capfd.readouterr().out


def test_a_loop_that_cannot_be_read_is_refused_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["exercise", "mark", str(tmp_path / "none.py")]) == 2
    assert "No such file" in capsys.readouterr().err
