"""Models that are wrong or break off: a difference that rounding does not explain is no tie, and rounds are kept."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
import torch

import specviz
from specviz.__main__ import main
from specviz.config.settings import ConfigError, RunConfig
from specviz.lab import baseline, exactness
from specviz.models import pair as pairs
from specviz.models.hf import HFModel
from specviz.proof.findings import Exactness
from specviz.session import BrokenOffError
from specviz.trace.codec import from_json
from specviz.trace.round import Round
from specviz.trace.run import Stop
from specviz.ui.runs import live
from specviz.ui.runs.recordings import Recordings
from tests.real.families import near, saved
from tests.real.shrunk import pair_of, tiny, written
from tests.real.test_faults import Engine

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
