"""transformers' own assisted generation, watched: the same text, a record that recomputes; and a race on the clock."""

import itertools
from collections.abc import Iterator
from typing import Any

import pytest
import torch
import transformers
from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import (
    AutoModelForCausalLM,
    AutoTokenizer,
    DeepseekV3Config,
    DeepseekV3ForCausalLM,
    Gemma4AssistantConfig,
    Gemma4AssistantForCausalLM,
    Gemma4ForCausalLM,
    Gemma4TextConfig,
    LlamaConfig,
    LlamaForCausalLM,
    MuseGlimmerAssistantConfig,
    MuseGlimmerAssistantModel,
    PreTrainedTokenizerFast,
)
from transformers.generation import utils
from transformers.modeling_layers import MtpModel

import specviz
from specviz import ConfigError, Trace, session
from specviz.check.run import problems
from specviz.config.settings import RunConfig
from specviz.lab.race import LAPS, race
from specviz.models.pair import EMBEDDED
from specviz.trace.guess import Verdict
from specviz.trace.info import Missing
from specviz.trace.run import Stop
from tests.real.families import PROMPTS

CONFIG = RunConfig("Once upon a time", drafter="bigram", max_new_tokens=8)


def test_a_race_gives_signs_of_life_while_its_clock_stands() -> None:
    seconds = itertools.count()
    expected = list(session.start(CONFIG))
    *signs, found = race(CONFIG, expected, clock=lambda: float(next(seconds)))
    assert signs == [None] * (LAPS + 1) * (len(expected) + 1 + CONFIG.max_new_tokens + 1)
    assert found is not None
    assert found.passes == (1e3,) * CONFIG.max_new_tokens, (
        "a second each, as the clock says, however long anybody looked"
    )
    assert found.laps == (1e3 * len(expected),) * LAPS
    assert found.plain_laps == (1e3 * CONFIG.max_new_tokens,) * LAPS
    assert len(found.rounds) == len(expected)
    assert len(found.tokens) == len(found.texts) == CONFIG.max_new_tokens


WARM = {"do_sample": True, "temperature": 0.8, "top_k": 20}
COLD = {"do_sample": False}
V = 24
SHAPE = {"hidden_size": 32, "intermediate_size": 64, "num_attention_heads": 2, "num_key_value_heads": 2}
"""Of most models here."""


@pytest.fixture(scope="module")
def pair() -> tuple[Any, Any, Any]:
    read = AutoModelForCausalLM.from_pretrained
    target, draft = (read(EMBEDDED / name, dtype=torch.float32).eval() for name in ("target", "draft"))
    return target, draft, AutoTokenizer.from_pretrained(EMBEDDED / "target")


def llama(layers: int, seed: int, size: int = V) -> Any:
    """A model whose rows are far from flat, of which the first layers guess well."""
    torch.manual_seed(seed)
    config = LlamaConfig(vocab_size=size, num_hidden_layers=layers, initializer_range=0.3, eos_token_id=None, **SHAPE)
    return LlamaForCausalLM(config).eval()


@pytest.fixture(autouse=True)
def quiet() -> Iterator[None]:
    """transformers warns of how it calls itself."""
    before = transformers.logging.get_verbosity()
    transformers.logging.set_verbosity_error()
    yield
    transformers.logging.set_verbosity(before)


def written(model: Any, ids: Any, seed: int = 0, count: int = 8, **how: Any) -> list[int]:
    torch.manual_seed(seed)
    text = torch.tensor([ids])
    how = {"max_new_tokens": count, "pad_token_id": 0, **how}
    out: list[int] = model.generate(text, attention_mask=torch.ones_like(text), **how)[0].tolist()
    return out


def watched(model: Any, ids: Any, pieces: Any = None, **how: Any) -> Trace:
    """The trace of a text that is the same unwatched, and in which nothing contradicts anything."""
    plain = written(model, ids, **how)
    with specviz.watch(model, pieces) as seen:
        assert written(model, ids, **how) == plain
    trace = seen.trace
    assert [*trace.prompt, *trace.tokens] == plain
    assert problems(trace) == []
    return trace


@pytest.mark.parametrize("how", [COLD, WARM], ids=["greedy", "sampled"])
def test_a_watched_text_is_the_unwatched_one_and_every_verdict_recomputes(how: dict[str, Any], pair: Any) -> None:
    target, draft, tokenizer = pair
    verdicts = list[Verdict]()
    for seed, prompt in enumerate(PROMPTS[::3]):
        ids = tokenizer.encode(prompt)
        trace = watched(target, ids, tokenizer, seed=seed, assistant_model=draft, **how)
        assert trace.info.config.prompt == prompt
        assert trace.info.missing == (Missing.DRAWS,)
        verdicts += [each.verdict for step in trace.rounds for each in step.verdicts]
        assert all(step.timing.verify > 0 for step in trace.rounds)
    assert {Verdict.ACCEPTED, Verdict.REJECTED} <= {*verdicts}


@pytest.mark.sampled(2)
@pytest.mark.parametrize("how", [COLD, WARM], ids=["greedy", "sampled"])
def test_prompt_lookup_drafts_past_the_length_that_was_asked_for(how: dict[str, Any]) -> None:
    model, ids = llama(2, 0), [1, 2, 3, 4] * 4
    traces = [watched(model, ids, seed=seed, count=count, prompt_lookup_num_tokens=9, **how) for seed, count in CASES]
    assert {(trace.info.draft, trace.info.config.drafter) for trace in traces} == {("Prompt Lookup", "prompt-lookup")}
    assert {trace.stop for trace in traces} == {Stop.LENGTH}
    assert any(step.offered > trace.info.config.max_new_tokens for trace in traces for step in trace.rounds)


CASES = [(seed, count) for seed in range(6) for count in (3, 12)]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("how", [COLD, WARM], ids=["greedy", "sampled"])
def test_the_first_layers_draft(how: dict[str, Any]) -> None:
    model = llama(3, 1)
    for seed in range(4):
        trace = watched(model, [1, 2, 3], seed=seed, count=20, assistant_early_exit=2, **how)
        assert trace.info.draft == "its first 2 layers"
        assert any(step.verdicts for step in trace.rounds)


class Letters(PreTrainedTokenizerFast):  # type: ignore[misc]
    """A tokenizer whose tokens are letters. order: of the words in its vocabulary, by their ids."""

    def __init__(self, known: str, order: Any) -> None:
        inner = Tokenizer(models.WordLevel({letter: place for place, letter in enumerate(known)}, unk_token="?"))
        inner.pre_tokenizer = pre_tokenizers.Split("", "isolated")
        super().__init__(tokenizer_object=inner, unk_token="?")
        self.order = order

    def get_vocab(self) -> dict[str, int]:
        return dict(sorted(super().get_vocab().items(), key=lambda word: self.order(word[1])))


def universal(watch: bool, order: Any, how: dict[str, Any]) -> tuple[list[int], list[str], Trace | None]:
    """A text by a draft model with another tokenizer, what contradicts what in its trace, and its trace."""
    own, other = Letters("?abcdefghijklmnopqrstuvw", order), Letters("?wvutsrqponmlkjihgfedcbaxyz", order)
    how = {**how, "assistant_model": llama(2, 3, 27), "tokenizer": own, "assistant_tokenizer": other}
    model, ids = llama(2, 2, 24), own.encode("abc")
    if not watch:
        return written(model, ids, count=60, **how), [], None
    with specviz.watch(model, own) as seen:
        text = written(model, ids, count=60, **how)
    return text, problems(seen.trace), seen.trace


@pytest.mark.sampled(2)
@pytest.mark.parametrize("how", [COLD, WARM], ids=["greedy", "sampled"])
def test_a_draft_model_with_another_tokenizer(how: dict[str, Any]) -> None:
    text, found, trace = universal(True, int, how)
    assert (text, found) == (universal(False, int, how)[0], [])
    assert trace
    assert any(step.verdicts for step in trace.rounds)


def test_the_check_finds_that_transformers_tests_such_a_draft_with_the_rows_of_other_tokens() -> None:
    _, found, _ = universal(True, int.__neg__, {"do_sample": True, "top_k": 0})
    assert found[0].startswith("bug: q before temperature: ")


@pytest.mark.sampled(2)
@pytest.mark.parametrize("how", [COLD, WARM], ids=["greedy", "sampled"])
def test_a_block_is_drafted_off_the_targets_states(how: dict[str, Any]) -> None:
    torch.manual_seed(5)
    layers = {"num_hidden_layers": 2, "layer_types": ["full_attention"] * 2, "target_layer_ids": [0, 2]}
    ends = dict.fromkeys(("bos_token_id", "eos_token_id", "pad_token_id"))
    config = MuseGlimmerAssistantConfig(**SHAPE, **layers, **ends, head_dim=16, block_size=5, mask_token_id=0)
    drafter = {"assistant_model": MuseGlimmerAssistantModel(config).eval(), "speculation_type": "dflash"}
    for seed in range(4):
        trace = watched(llama(3, 1), [1, 2, 3], seed=seed, count=12, **drafter, **how)
        assert max(step.offered for step in trace.rounds) == 4


@pytest.mark.sampled(2)
@pytest.mark.parametrize("how", [COLD, WARM], ids=["greedy", "sampled"])
def test_heads_that_came_with_the_model_draft_past_the_length(
    how: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    torch.manual_seed(6)
    latent = dict.fromkeys(("kv_lora_rank", "q_lora_rank", "qk_rope_head_dim", "qk_nope_head_dim", "v_head_dim"), 8)
    experts = {"moe_intermediate_size": 32, "n_routed_experts": 4, "num_experts_per_tok": 2, "n_group": 1}
    layers = {"num_hidden_layers": 2, "num_nextn_predict_layers": 2, "topk_group": 1, "initializer_range": 0.3}
    config = DeepseekV3Config(vocab_size=V, eos_token_id=None, **SHAPE, **latent, **experts, **layers)
    model = DeepseekV3ForCausalLM(config).eval()
    heads = MtpModel(model, 2).eval()
    for weight in heads.layers.parameters():
        torch.nn.init.normal_(weight, std=0.3)
    monkeypatch.setattr(MtpModel, "from_pretrained", lambda *_, **__: heads)
    traces = [watched(model, [1, 2, 3], seed=seed, count=4 + seed, use_mtp=True, **how) for seed in range(6)]
    assert {trace.info.draft for trace in traces} == {"MTP"}
    assert {trace.stop for trace in traces} == {Stop.LENGTH}


def test_the_check_finds_that_transformers_tests_a_first_choice_as_if_it_were_drawn() -> None:
    torch.manual_seed(1)
    shape: dict[str, Any] = {"vocab_size": V, "hidden_size": 32, "intermediate_size": 64, "initializer_range": 0.3}
    shape |= {"num_attention_heads": 2, "num_key_value_heads": 1, "head_dim": 16, "global_head_dim": 16}
    shape |= {"hidden_size_per_layer_input": 0, "vocab_size_per_layer_input": 0, "eos_token_id": None}
    kinds = ["sliding_attention", "full_attention"]
    own = Gemma4TextConfig(num_hidden_layers=4, num_kv_shared_layers=0, layer_types=kinds * 2, **shape)
    inner = Gemma4TextConfig(num_hidden_layers=2, num_kv_shared_layers=2, layer_types=kinds, **shape)
    model = Gemma4ForCausalLM(own).eval()
    draft = Gemma4AssistantForCausalLM(Gemma4AssistantConfig(text_config=inner, backbone_hidden_size=32)).eval()
    draft.generation_config.num_assistant_tokens = 4
    watched(model, [1, 2, 3], count=12, assistant_model=draft, **COLD)
    with specviz.watch(model) as seen:
        written(model, [1, 2, 3], count=80, assistant_model=draft, do_sample=True, top_k=0)
    assert problems(seen.trace)[0].startswith("bug: q before temperature: ")


def test_an_accepted_end_token_ends_the_text() -> None:
    model = llama(2, 4)
    text = written(model, [1, 2, 3], count=20, **COLD)
    end = text[4]
    trace = watched(model, [1, 2, 3], count=20, assistant_model=llama(2, 4), eos_token_id=end, **COLD)
    assert (trace.stop, trace.rounds[-1].extra) == (Stop.EOS, None)


def test_an_error_leaves_transformers_as_it_was_and_the_rounds_before() -> None:
    model, test = llama(2, 9), utils._speculative_sampling

    def fails(ids: Any, scores: Any) -> Any:
        if ids.shape[1] > 6:
            raise ArithmeticError
        return scores

    with pytest.raises(ArithmeticError), specviz.watch(model) as seen:  # noqa: PT012 - the context is what is tested
        assert utils._speculative_sampling is not test
        written(model, [1, 2], prompt_lookup_num_tokens=2, logits_processor=[fails])
    assert utils._speculative_sampling is test
    assert "_get_candidate_generator" not in vars(model)
    assert seen.trace.stop is Stop.STOPPED
    assert problems(seen.trace) == []


def test_a_version_that_nobody_tried_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transformers, "__version__", "6.0.0")
    with pytest.raises(ConfigError, match=r"^transformers is 6\.0\.0; watch was tried with 5\.20\.0"):
        specviz.watch(llama(1, 0)).__enter__()
