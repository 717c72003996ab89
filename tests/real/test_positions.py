"""Texts longer than a window, a chunk or the border of positions: equal to generate, or refused before the run."""

import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from specviz.config.settings import ConfigError
from specviz.models import pair as pairs
from specviz.trace.run import Stop
from specviz.verify import CHUNK
from tests.real.families import others_long
from tests.real.shrunk import FULL, as_generate, pair_of, tiny, written

BORDER = 40
CHAIN = [{"gamma": gamma} for gamma in (0, 1, 4, 8)]
TREES: list[dict[str, Any]] = [{"drafter": "small-tree"}, {"drafter": "suffix", "params": {"shape": "tree"}}]
LENGTHS = (9, BORDER - 3, BORDER + 5)
PASSING = [
    pytest.param(length, choices, marks=() if (row + column) % 3 == 0 else pytest.mark.long)
    for column, choices in enumerate([*CHAIN, *TREES])
    for row, length in enumerate(LENGTHS)
]
"""In every run each way to guess from one length, each length with two; the others with the long tests."""
LONGROPE = {"rope_type": "longrope", "rope_theta": 10_000.0, "short_factor": [1.0] * 4, "long_factor": [4.0, 5, 6, 7]}


def prompt(tokens: int) -> str:
    """A text of so many tokens; no two of its letters make one."""
    return ("zqxj" * tokens)[:tokens]


def longrope(family: str, border: int = BORDER, **more: Any) -> Any:
    """A model whose positions change there. Its draft is made from it, and has the same border."""
    scaled = LONGROPE | {"original_max_position_embeddings": border} | more
    places = {"original_max_position_embeddings": border, "max_position_embeddings": 1024, "sliding_window": None}
    return tiny(family, rope_parameters=scaled, head_dim=8, **places)


@pytest.fixture(scope="module")
def phi3(tmp_path_factory: pytest.TempPathFactory, tokenizer: Path) -> str:
    return pair_of(tmp_path_factory.mktemp("phi3"), tokenizer, longrope("phi3"))


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("length", "choices"), PASSING, ids=str)
def test_a_text_that_passes_the_border_is_read_anew_whatever_is_guessed(
    phi3: str, length: int, choices: dict[str, Any]
) -> None:
    trace = written(phi3, prompt(length), 60, **choices)
    assert (len(trace.prompt), len(trace.tokens)) == (length, 60)
    assert trace.info.target_forward.border == BORDER
    as_generate(trace)


@pytest.mark.parametrize("choices", others_long([{"drafter": "small-tree"}, {"gamma": 4}], 1), ids=str)
def test_a_prompt_of_several_chunks_is_read_anew_in_chunks(
    choices: dict[str, Any], tmp_path: Path, tokenizer: Path
) -> None:
    border = CHUNK + 70
    name = pair_of(tmp_path, tokenizer, longrope("phi3", border))
    for length in (border - 20, border + 5):
        as_generate(written(name, prompt(length), 40, **choices))


@pytest.mark.parametrize("family", others_long(["llama", "qwen2"], 1))
def test_positions_that_change_where_nothing_is_read_anew_end_the_text_before(
    family: str, tmp_path: Path, tokenizer: Path
) -> None:
    name = pair_of(tmp_path, tokenizer, longrope(family))
    for choices in ({"gamma": 4}, {"drafter": "small-tree"}):
        trace = written(name, prompt(9), BORDER - 9, **choices)
        assert trace.info.target_forward.refused("long")
        as_generate(trace)
    with pytest.raises(ConfigError, match=rf"beyond {BORDER} tokens \(.*; ask for at most {BORDER - 9} new tokens"):
        written(name, prompt(9), BORDER - 8)
    with pytest.raises(ConfigError, match=rf"beyond {BORDER} tokens \(.*the prompt has {BORDER + 2}; shorten it"):
        written(name, prompt(BORDER + 2), 1)


@pytest.mark.parametrize("family", others_long(["llama", "gemma", "olmo2"], 1))
def test_positions_that_change_with_the_length_do_so_only_behind_the_context(
    family: str, tmp_path: Path, tokenizer: Path
) -> None:
    dynamic = {"rope_type": "dynamic", "rope_theta": 10_000.0, "factor": 4.0}
    name = pair_of(tmp_path, tokenizer, tiny(family, rope_parameters=dynamic, max_position_embeddings=BORDER))
    for choices in ({"gamma": 4}, {"drafter": "small-tree"}):
        trace = written(name, prompt(9), 60, **choices)
        assert (trace.stop, len(trace.tokens)) == (Stop.CONTEXT, BORDER - 9)
        as_generate(trace)


WINDOWS: dict[str, tuple[str, dict[str, Any]]] = {
    "smollm3, all full": ("smollm3", {"layer_types": FULL, "sliding_window": 16, "use_sliding_window": False}),
    "qwen3, all full": (
        "qwen3",
        {"layer_types": FULL, "sliding_window": 16, "use_sliding_window": True, "max_window_layers": 3},
    ),
    "gemma2, mixed": ("gemma2", {"layer_types": ["sliding_attention", *FULL[1:]], "sliding_window": 16}),
    "mistral": ("mistral", {"sliding_window": 16}),
    "llama4_text, all chunked": ("llama4_text", {"layer_types": ["chunked_attention"] * 3, "attention_chunk_size": 16}),
    "llama4_text, chunked": (
        "llama4_text",
        {"layer_types": ["chunked_attention", "chunked_attention", "full_attention"], "attention_chunk_size": 16},
    ),
    "dots1, all full": ("dots1", {"layer_types": FULL, "sliding_window": 16}),
    "gemma2, all full": ("gemma2", {"layer_types": FULL, "sliding_window": 16}),
    "qwen3_moe": ("qwen3_moe", {"sliding_window": 16, "use_sliding_window": True, "max_window_layers": 3}),
    "gpt_oss": ("gpt_oss", {"sliding_window": 16}),
}
"""The first five in every run: named full, one of them compiled; mixed; a window; chunks."""


@pytest.mark.sampled(2)
@pytest.mark.parametrize("kind", others_long([*WINDOWS], 5))
def test_every_type_of_layer_sees_what_it_is_to_see(kind: str, tmp_path: Path, tokenizer: Path) -> None:
    family, more = WINDOWS[kind]
    name = pair_of(tmp_path, tokenizer, tiny(family, **more))
    for choices in ({"gamma": 4}, {"drafter": "small-tree"}):
        as_generate(written(name, prompt(21), 40, **choices))


@pytest.mark.parametrize("family", others_long(["bart", "marian"], 1))
def test_trees_are_refused_where_a_model_counts_places_itself(family: str, tmp_path: Path, tokenizer: Path) -> None:
    name = pair_of(tmp_path, tokenizer, tiny(family))
    trace = written(name, prompt(9), 30, gamma=4)
    as_generate(trace)
    assert [trial.use for trial in trace.info.target_forward.tried if trial.reason] == ["branch"]
    for choices in TREES:
        with pytest.raises(ConfigError, match=r"the target cannot read trees \(its logits are off .* in a chain"):
            written(name, prompt(9), 30, **choices)


class Slow(torch.Tensor):
    """How positions are turned; whoever sets it waits, so that another thread could come between."""

    def copy_(self, source: torch.Tensor) -> torch.Tensor:  # type: ignore[override]
        torch.Tensor.copy_(self, source)
        time.sleep(0.001)
        return self


def test_passes_of_two_threads_are_each_as_alone(phi3: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """One text is short, one passes the border: the model holds in a buffer how it turns positions for one of them."""
    model: Any = pairs.load(phi3, "cpu", "float32").target
    rotary = model.model.model.rotary_emb
    monkeypatch.setitem(rotary._buffers, "inv_freq", rotary.inv_freq.as_subclass(Slow))
    texts = [np.random.default_rng(0).integers(3, 300, length).tolist() for length in (20, 60)]

    def rows(text: list[int]) -> Any:
        return model.forward(text, range(len(text)), None, model.new_cache(len(text)))

    alone = [rows(text) for text in texts]
    off: list[float] = []

    def read(place: int) -> None:
        off.extend(float(abs(rows(texts[place]) - alone[place]).max()) for _ in range(30))

    threads = [threading.Thread(target=read, args=(place,)) for place in (0, 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(off) == 60
    assert max(off) < 1e-4
