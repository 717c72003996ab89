"""What timing picks when a pair is read stands in every trace, and SPECVIZ_PASSES makes it so again."""

from dataclasses import replace
from pathlib import Path

import pytest

from specviz.config import ConfigError, RunConfig
from specviz.models import pair as pairs
from specviz.models.pair import EMBEDDED
from specviz.models.passes.picked import PASSES, Picked, from_trace, parse
from specviz.session import Run
from specviz.trace.codec import to_json
from specviz.trace.run import Trace


def made(name: str = "embedded") -> Trace:
    """A run over the embedded pair, read anew."""
    run = Run(RunConfig("Once upon a time", seed=2, max_new_tokens=24), pairs.read(EMBEDDED, "cpu", name=name))
    for _ in run:
        pass
    return run.trace()


def settled(trace: Trace) -> list[tuple[str, int] | None]:
    return [
        way and (way.picked, way.threads)
        for way in (trace.info.target_forward, *(cache.forward for cache in trace.info.draft_caches))
    ]


def test_a_trace_settles_what_was_timed_and_the_run_repeats_to_the_bit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, path = made(), tmp_path / "trace.json"
    forward = first.info.target_forward
    picks = parse(forward.picked)
    assert picks is not None
    assert len(picks.ways) == 5, "one for each shape of a layer, and the head"
    slow = Picked(0, dict.fromkeys(picks.ways, ("packed", "padded")))
    other = replace(first, info=replace(first.info, target_forward=replace(forward, picked=str(slow), threads=1)))
    monkeypatch.setenv(PASSES, str(path))
    for wanted in (first, other):
        path.write_text(to_json(wanted), encoding="utf-8")
        again = made()
        for one, its in zip(
            (again.info.target_forward, *(cache.forward for cache in again.info.draft_caches)),
            settled(wanted),
            strict=True,
        ):
            assert one is not None
            assert (one.picked, one.threads) == its
        assert again.tokens == first.tokens
        if wanted is first:
            assert [step.verdicts for step in again.rounds] == [step.verdicts for step in first.rounds]


def test_it_is_read_back_as_it_was_written_and_anything_else_is_nothing() -> None:
    for picks in (Picked(0, {}), Picked(2, {"96x32": ("turned", "packed"), "32x96": ("padded", "padded")})):
        assert parse(str(picks)) == picks
    for text in ("", "rows", "rows 1,", "rows 1, 2x2 turned/turned", "rows 1, 2x2 packed/packed "):
        assert parse(text) is None


def test_a_trace_of_another_pair_says_nothing_and_no_trace_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shipped = Path(__file__).parents[2] / "assets" / "traces" / "tale-ngram.json"
    monkeypatch.setenv(PASSES, str(shipped))
    assert [way and way.name for way in from_trace("embedded")] == ["lean", None]
    assert from_trace("gpt2") == (None, None)
    (tmp_path / "no.json").write_text("{}", encoding="utf-8")
    for name in ("no.json", "nowhere.json"):
        monkeypatch.setenv(PASSES, str(tmp_path / name))
        with pytest.raises(ConfigError, match=f"{PASSES}=.*{name}"):
            from_trace("embedded")
    monkeypatch.delenv(PASSES)
    assert from_trace("embedded") == (None, None)
