"""What breaks or is wrong breaks one run: rounds are kept, memory comes back, no such difference is called a tie."""

import gc
import weakref
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import zip_longest
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
import torch

import specviz
from specviz import accept, draft, session
from specviz.__main__ import main
from specviz.check.run import problems
from specviz.config.pairs import Offer
from specviz.config.settings import HOME, ConfigError, DraftEntry, Limits, RuleEntry, RunConfig
from specviz.lab import baseline, exactness
from specviz.models import pair as pairs
from specviz.models.hf import HFModel
from specviz.models.pair import Pair
from specviz.proof.findings import Exactness
from specviz.session import BrokenOffError
from specviz.trace.codec import from_json
from specviz.trace.round import Round
from specviz.trace.run import Stop, Trace
from specviz.ui.runs import live
from specviz.ui.runs.recordings import Recordings
from tests.battery.common import tiny_pair
from tests.real.families import near, saved
from tests.real.shrunk import pair_of, tiny, written

CONFIG = RunConfig("abé", seed=3, max_new_tokens=60, chat=False)
TIMES = 20


def decided(rounds: Sequence[Round]) -> list[tuple[Any, ...]]:
    """What the rounds say, but for the times they took."""
    return [(step.path, step.tokens, [each.u for each in step.verdicts]) for step in rounds]


class Engine:
    """As much of a backend as a run needs, over a pair whose memory runs out in the pass of one round."""

    limits = HOME

    def __init__(self, pair: Pair) -> None:
        self.pair = pair
        self.breaks_at: int | None = None
        self.caches: list[weakref.ref[Any]] = []

    def catalog(self) -> tuple[DraftEntry, ...]:
        return draft.ENTRIES

    def rules(self) -> tuple[RuleEntry, ...]:
        return accept.ENTRIES

    def offers(self) -> tuple[Offer, ...]:
        return (Offer("embedded", "embedded", "", "", ready=True),)

    def start(self, config: RunConfig) -> Iterator[Trace | Round]:
        at, target = self.breaks_at, self.pair.target
        passes = None  # not counted while the prompt is read

        def forward(tokens: Any, positions: Any, mask: Any, cache: Any) -> torch.Tensor:
            nonlocal passes
            if passes == 0:
                self.caches.append(weakref.ref(cache))
            if passes is not None and passes == at:
                raise torch.OutOfMemoryError("no room for a tensor")
            passes = None if passes is None else passes + 1
            return target.forward(tokens, positions, mask, cache)

        broken: Any = _With(target, forward)
        run = session.Run(config, self.pair if at is None else replace(self.pair, target=broken))
        passes = 0
        return run.stream()


class _With:
    """A model with another forward pass."""

    def __init__(self, model: Any, forward: Any) -> None:
        self._model = model
        self.forward = forward

    def __getattr__(self, name: str) -> Any:
        return getattr(self._model, name)


@pytest.fixture(scope="module")
def pair() -> Pair:
    return tiny_pair()


def test_memory_that_runs_out_in_any_round_keeps_the_rounds_before_and_twenty_times_leave_nothing_behind(
    pair: Pair,
) -> None:
    engine, recordings = Engine(pair), Recordings({})
    solo = list(session.Run(CONFIG, pair))
    for at in range(TIMES):
        engine.breaks_at = at % len(solo)
        sent = []
        with pytest.raises(torch.OutOfMemoryError):
            sent.extend(live.stream(engine, recordings, CONFIG, "me"))
        recording = recordings.newest("me")
        assert recording is not None
        assert recording.stop is Stop.FAILED
        assert decided(recording.rounds) == decided(solo[: at % len(solo)])
        assert "refusals.fewer" in sent[-1]["j"]
    gc.collect()
    assert len(engine.caches) == TIMES
    assert [cache for cache in engine.caches if cache() is not None] == []
    engine.breaks_at = None
    list(live.stream(engine, recordings, CONFIG, "next"))
    recording = recordings.newest("next")
    assert recording is not None
    assert decided(recording.rounds) == decided(solo)


def test_two_runs_in_turns_and_one_that_breaks_between_them_change_nothing(pair: Pair) -> None:
    configs = (CONFIG, RunConfig("ba", seed=9, max_new_tokens=40, chat=False))
    solo = [list(session.Run(config, pair)) for config in configs]
    engine = Engine(pair)
    engine.breaks_at = 1
    beside: list[list[Round]] = [[], []]
    for turn in zip_longest(*(session.Run(config, pair) for config in configs)):
        with pytest.raises(torch.OutOfMemoryError):
            list(engine.start(CONFIG))
        for made, step in zip(beside, turn, strict=True):
            made += [step] if step else []
    assert [decided(rounds) for rounds in beside] == [decided(rounds) for rounds in solo]


def test_a_run_out_of_time_ends_after_the_round_it_is_in_and_is_sound(pair: Pair) -> None:
    run = session.Run(CONFIG, pair, limits=Limits(seconds=0))
    assert len(list(run)) == 1
    trace = run.trace()
    assert trace.stop is Stop.DEADLINE
    assert problems(trace) == []


PROMPT = "the cat sat on"
ASKED: dict[str, Any] = {"temperature": 0, "max_new_tokens": 40, "device": "cpu", "chat": False}


def test_a_pass_that_is_wrong_by_more_than_rounding_is_never_called_a_tie(
    tmp_path: Path, tokenizer: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Passes over several tokens are off by up to .12, so the error measured on the text excuses any such gap."""
    name = pair_of(tmp_path, tokenizer, tiny("gemma2"))
    pair = pairs.load(name, "cpu", "float32")
    forward = HFModel.forward

    def bent(self: Any, tokens: Sequence[int], *rest: Any) -> Any:
        logits = forward(self, tokens, *rest)
        off = np.random.default_rng(tokens[0]).uniform(-0.12, 0.12, logits.shape)
        return logits + off.astype(np.float32) if len(tokens) > 1 and self is pair.target else logits

    monkeypatch.setattr(HFModel, "forward", bent)
    config = RunConfig(PROMPT, pair=name, **ASKED)
    found = baseline.equal(config, pair)
    assert found.differs is not None
    assert found.rounding < found.gap < 4 * found.error
    assert not found.tie
    texts = exactness.texts(2)
    *_, said = exactness.exactness(config, pair, texts)
    assert isinstance(said, Exactness)
    assert (said.ties, said.holds) == (0, False)
    assert said.equal < 2


class Broken(NamedTuple):
    """name: of a pair; tokens: what its sound twin writes; at: the place of the token that a model cannot read."""

    name: str
    tokens: tuple[int, ...]
    at: int


@pytest.fixture(scope="module", params=["llama", "gemma2"])
def broken(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, tokenizer: Path) -> Broken:
    """A target with NaN in the embedding of a token that it writes after some rounds."""
    folder, model = tmp_path_factory.mktemp("broken"), tiny(request.param)
    sound = written(pair_of(folder / "sound", tokenizer, model), PROMPT, 40)
    before = {*sound.prompt, *sound.tokens[:8]}
    at, token = next((at, token) for at, token in enumerate(sound.tokens) if at >= 8 and token not in before)
    draft = saved(folder / "draft", tokenizer, near(model))
    with torch.no_grad():
        model.get_input_embeddings().weight[token] = torch.nan
    return Broken(f"{draft} -> {saved(folder / 'target', tokenizer, model)}", sound.tokens, at)


def kept(broken: Broken, rounds: Sequence[Round]) -> None:
    """Asserts that they hold the text up to the token that cannot be read, or nearly."""
    tokens = [token for step in rounds for token in step.tokens]
    assert broken.at - 5 <= len(tokens) <= broken.at + 1
    assert tuple(tokens) == broken.tokens[: len(tokens)]


@pytest.mark.sampled(2)
def test_logits_that_are_no_numbers_end_a_run_and_keep_its_rounds(broken: Broken, tmp_path: Path) -> None:
    draft, target = broken.name.split(" -> ")
    with pytest.raises(ConfigError, match="NaN or infinite") as error:
        specviz.run(PROMPT, target=target, draft=draft, **ASKED)
    assert isinstance(error.value, BrokenOffError)
    assert error.value.trace.stop is Stop.FAILED
    kept(broken, error.value.trace.rounds)

    streamed: list[Round] = []
    with pytest.raises(BrokenOffError):
        streamed.extend(specviz.stream(PROMPT, target=target, draft=draft, **ASKED))
    kept(broken, streamed)

    out = tmp_path / "run.json"
    command = ["run", PROMPT, "--target", target, "--draft", draft, "--temperature", "0", "--max-new-tokens", "40"]
    assert main([*command, "--device", "cpu", "--no-chat", "--out", str(out)]) == 2
    written_down = from_json(out.read_text(encoding="utf-8"))
    assert written_down.stop is Stop.FAILED
    kept(broken, written_down.rounds)


@pytest.mark.sampled(2)
def test_the_page_keeps_them_too_and_says_what_ended_the_run(broken: Broken) -> None:
    recordings = Recordings({})
    sent: list[Any] = []
    with pytest.raises(BrokenOffError):
        sent.extend(
            live.stream(Engine(pairs.load(broken.name, "cpu", "float32")), recordings, RunConfig(PROMPT, **ASKED), "me")
        )
    recording = recordings.newest("me")
    assert recording is not None
    assert recording.stop is Stop.FAILED
    kept(broken, recording.rounds)
    assert "NaN or infinite" in sent[-1]["j"]
