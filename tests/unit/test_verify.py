"""One pass equals many, with and without a cache, recorded or not; what the loop gives a drafter. All in float64."""

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor
from transformers import (
    DynamicCache,
    GPT2Config,
    GPT2LMHeadModel,
    LlamaConfig,
    LlamaForCausalLM,
    MistralConfig,
    MistralForCausalLM,
    PreTrainedModel,
    Qwen3Config,
    Qwen3ForCausalLM,
)

from specviz import verify as verifying
from specviz.config.settings import Budget, Choice, ConfigError, Entry, File, Param, resolve_params
from specviz.draft import model_chain
from specviz.draft.base import Committed, Proposal, Resources
from specviz.draft.small_model import SmallModel
from specviz.gamma.base import Halting
from specviz.models.hf import HFModel, cache_argument
from specviz.models.passes.graphs import GraphedModel
from specviz.sampling.arrays import Bools, Reals
from specviz.sampling.chance import Chance
from specviz.sampling.distribution import Sampling
from specviz.sampling.tree import DraftTree, Scouts
from specviz.trim import KVCache
from specviz.verify import NOTHING, Needs, Scores, verify
from tests.tiny import TableModel, decode, parts, tokens_of
from tests.trees import Grown

TEXT = (3, 1, 4, 1, 5)
FAMILIES = ("llama", "gpt2")
by_family = pytest.mark.parametrize("family", FAMILIES)


@cache
def model(family: str, seed: int = 0) -> HFModel:
    """Two layers; the Llama shares each key head between two query heads."""
    torch.manual_seed(seed)
    if family == "llama":
        shape = {"hidden_size": 16, "intermediate_size": 24, "num_hidden_layers": 2, "num_attention_heads": 4}
        config = LlamaConfig(vocab_size=11, num_key_value_heads=2, max_position_embeddings=40, **shape)
        return HFModel(LlamaForCausalLM(config).double())
    return HFModel(
        GPT2LMHeadModel(
            GPT2Config(vocab_size=11, n_positions=40, n_embd=16, n_layer=2, n_head=4, bos_token_id=0, eos_token_id=0)
        ).double()
    )


@torch.inference_mode()
def alone(family: str, text: Sequence[int]) -> Reals:
    """Every row of a pass that has never heard of a cache."""
    rows: Reals = model(family).model(torch.tensor([list(text)]), use_cache=False).logits[0].numpy()
    return rows


def close(found: Any, wanted: Any) -> bool:
    return np.allclose(found, wanted, rtol=0, atol=1e-12)


@by_family
@pytest.mark.parametrize("unread", [1, 2, 5])
def test_a_chain_verified_in_one_pass_has_the_rows_of_a_pass_without_a_cache(family: str, unread: int) -> None:
    slots, known = model(family).new_cache(40), TEXT[:-unread]
    if known:
        model(family).forward(known, range(len(known)), None, slots)
    rows = verify(model(family), slots, TEXT[-unread:], DraftTree.chain([9, 2, 6])).logits
    assert close(rows, alone(family, [*TEXT, 9, 2, 6])[-4:])
    assert slots.length == len(TEXT) + 3


@by_family
def test_a_long_text_is_read_in_parts_and_to_the_same_end(family: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before a run, in one, and by a draft: no pass makes more rows of logits than CHUNK that nobody asks for."""
    text, widths = [(3 * place) % 11 for place in range(23)], []
    forward = HFModel.forward

    def watched(self: HFModel, tokens: Sequence[int], *rest: Any) -> Reals:
        widths.append(len(tokens))
        return forward(self, tokens, *rest)

    monkeypatch.setattr(HFModel, "forward", watched)
    for module in (verifying, model_chain):
        monkeypatch.setattr(module, "CHUNK", 5)
    whole, read_on = model(family).new_cache(40), model(family).new_cache(40)
    rows = verify(model(family), read_on, text, DraftTree.chain([7, 8])).logits
    assert widths == [2, 5, 5, 5, 5, 3]
    assert close(rows, alone(family, [*text, 7, 8])[22:])
    forward(model(family), [*text, 7, 8], range(25), None, whole)
    assert close(read_on.slots[..., :25, :], whole.slots[..., :25, :])
    widths.clear()
    drafter = SmallModel(model(family), Resources(Sampling(), 11, 40))
    drafter.begin(text)
    assert (widths, drafter._cache.length) == ([5, 5, 5, 5, 2], 22)


def test_a_cache_goes_by_the_name_that_a_models_forward_has_for_it() -> None:
    """transformers 5.24 renamed it and warns of the old name."""

    class Older(LlamaForCausalLM):
        def forward(self, input_ids: Any, past_key_values: Any = None) -> None: ...

    class Newer(LlamaForCausalLM):
        def forward(self, input_ids: Any, cache: Any = None) -> None: ...

    cache = DynamicCache()
    assert cache_argument(Older.__new__(Older), cache) == {"past_key_values": cache}
    assert cache_argument(Newer.__new__(Newer), cache) == {"cache": cache}


GOLDEN = Path(__file__).parents[1] / "golden"
SAMPLING = parts(TableModel(2, 0), draft=TableModel(2, 0)).sampling


class Open(TableModel):
    """Shows as its state after layer k: the token itself, plus 100 k."""

    opened_passes = 0

    def opened(
        self, tokens: Sequence[int], positions: Sequence[int], mask: Bools | None, cache: KVCache, hidden: Sequence[int]
    ) -> Scores:
        self.opened_passes += 1
        states = {layer: np.array([[float(token + 100 * layer)] for token in tokens]) for layer in hidden}
        return Scores(self.forward(tokens, positions, mask, cache), states)


class Curious(Grown):
    """A tree drafter that needs rows and two layers, and notes what it is told."""

    needs = Needs(rows=True, hidden=(0, 2))

    def begin(self, prompt: Sequence[int], seen: Scores | None = None) -> None:
        super().begin(prompt)
        self.seen, self.heard = seen, []

    def propose(self, budget: Budget, chance: Chance, halt: Halting | None = None) -> Proposal:
        self.proposed = super().propose(budget, chance, halt)
        return self.proposed

    def commit(self, step: Committed) -> None:
        self.heard.append((list(self.text), self.proposed.tree, step))
        super().commit(step)


def test_who_needs_states_and_rows_gets_those_of_the_prompt_and_of_every_guess_refused_ones_too() -> None:
    target = Open(5, 1)
    drafter = Curious([TableModel(5, 2)], (-1, -1, 0, 2), "without replacement", SAMPLING)
    done = decode(parts(target, drafter, limit=30), (3, 1, 4))
    assert drafter.seen
    assert {layer: rows[:, 0].tolist() for layer, rows in drafter.seen.hidden.items()} == {0: [3, 1], 2: [203, 201]}
    assert np.array_equal(drafter.seen.logits, [target.law([3]), target.law([3, 1])])
    assert target.opened_passes == 1 + len(done)
    for text, tree, step in drafter.heard:
        assert step.scores
        said = [text[-1], *tree.tokens]
        assert step.scores.hidden[2][:, 0].tolist() == [200 + token for token in said]
        assert len(step.scores.logits) == len(said)
        assert tuple(tree.tokens[node] for node in step.path) == step.tokens[: len(step.path)]


def test_who_needs_nothing_gets_nothing_and_costs_nothing() -> None:
    target, heard = Open(5, 1), []

    class Deaf(Grown):
        def commit(self, step: Committed) -> None:
            heard.append(step.scores)
            super().commit(step)

    decode(parts(target, Deaf([TableModel(5, 2)], (-1, 0), "i.i.d.", SAMPLING), limit=20), (3, 1))
    assert heard
    assert set(heard) == {None}
    assert target.opened_passes == 0
    assert SmallModel.needs is NOTHING


def test_scouts_are_read_behind_the_guesses_by_a_mask_of_their_own_and_no_guess_sees_them() -> None:
    target = TableModel(6, 1)
    scouts = Scouts((5, 2), (0, 1), (frozenset({0}), frozenset({0, 4})))  # the second sees the first: column 1 + 3 + 0
    tree, plain = DraftTree((3, 4, 1), (-1, 0, -1), scouts), DraftTree((3, 4, 1), (-1, 0, -1))
    rows = []
    for each in (tree, plain):
        cache = target.new_cache(12)
        target.forward([0, 1], range(2), None, cache)
        rows.append(verify(target, cache, [2], each).logits)
        assert cache.length == 3 + len(each) + 2 * (each is tree)
    assert np.array_equal(rows[0][:4], rows[1])
    assert np.array_equal(rows[0][4], target.law([0, 1, 2, 5]))
    assert np.array_equal(rows[0][5], target.law([0, 1, 2, 5, 2]))


def test_parameters_are_numbers_choices_and_files() -> None:
    entry = Entry("e", "", (Param("n", 0, 4, 2, whole=True), Choice("c", ("one", "two")), File("f")))
    assert resolve_params(entry, {}) == {"n": 2.0, "c": "one", "f": ""}
    assert resolve_params(entry, {"n": 3, "c": "two", "f": "/a"}) == {"n": 3.0, "c": "two", "f": "/a"}
    for wrong, says in (
        ({"c": "three"}, "c is 'three'; wanted one of one, two"),
        ({"c": 1}, "c is 1; wanted one of one, two"),
        ({"f": 1.0}, "f is 1.0; wanted the path of a file"),
        ({"n": "2"}, "n is '2'; wanted a whole number"),
    ):
        with pytest.raises(ConfigError, match=says):
            resolve_params(entry, wrong)  # type: ignore[arg-type]


def test_a_budget_is_as_deep_as_the_rule_says_and_as_broad_as_the_drafter_is() -> None:
    budget = Budget.chain(5, "five").within(3, "little room")
    assert (budget.nodes, budget.depth) == (3, 3)
    assert (budget.shaped(12).nodes, budget.shaped(12).depth) == (12, 3)
    assert Budget.chain(0, "").shaped(12).nodes == 0
    assert Budget(12, 5, "").within(3, "").nodes == 12, "the text's room limits the depth only"


class StandIn:
    """Runs what it is given once, as a recording does, and again on every replay, into the same result."""

    def __init__(self) -> None:
        self.recorded = self.replayed = 0

    def __call__(self, work: Callable[[], Tensor]) -> tuple[Callable[[], object], Tensor]:
        self.recorded += 1
        out = work().clone()

        def replay() -> None:
            self.replayed += 1
            out.copy_(work())

        return replay, out


def gpt2() -> PreTrainedModel:
    return GPT2LMHeadModel(GPT2Config(vocab_size=90, n_embd=32, n_layer=2, n_head=2, n_positions=128))


def qwen() -> PreTrainedModel:
    return Qwen3ForCausalLM(
        Qwen3Config(vocab_size=90, hidden_size=32, intermediate_size=48, num_hidden_layers=2, num_attention_heads=4,
                    num_key_value_heads=2, head_dim=8, max_position_embeddings=128)
    )  # fmt: skip


@pytest.fixture(params=[gpt2, qwen])
def recorded(request: pytest.FixtureRequest) -> PreTrainedModel:
    torch.manual_seed(2)
    model = request.param().double()
    with torch.no_grad():
        for weight in model.parameters():
            weight += 0.2 * torch.randn_like(weight)
    return model


def test_replayed_passes_are_the_eager_ones(recorded: PreTrainedModel) -> None:
    """Prefill, chains, a tree, what is kept of it, forgotten slots: all as without a recording."""
    found = []
    for reader in (HFModel(recorded), GraphedModel(recorded, 96, StandIn())):
        cache = reader.new_cache(80)
        rows = [reader.forward(list(range(30)), range(30), None, cache)]
        for start in (30, 33, 36):
            rows.append(verify(reader, cache, [start], DraftTree.chain([5, 6, start])).logits)
            cache.truncate(start + 3)
        rows.append(verify(reader, cache, [1, 2], DraftTree((3, 4, 5, 6), (-1, -1, 0, 1))).logits)
        cache.keep(41, (1, 3))
        rows.append(reader.forward([7], [43], None, cache))
        assert cache.length == 44
        found.append(np.concatenate(rows))
    assert found[0].std() > 0.3
    assert np.allclose(*found, atol=1e-9)


def test_two_runs_at_once_do_not_share_slots(recorded: PreTrainedModel) -> None:
    stand_in = StandIn()
    reader = GraphedModel(recorded, 96, stand_in)
    first, second = reader.new_cache(40), reader.new_cache(40)
    rows = [reader.forward([3, 4], range(2), None, cache) for cache in (first, second)]
    assert stand_in.recorded == 1, "the second has slots of its own and goes the eager way"
    assert np.allclose(*rows, atol=1e-9)
    reader.forward([9], [2], None, second)
    assert (first.length, second.length) == (2, 3)
    lent = first.slots.data_ptr()
    del first
    assert reader.new_cache(40).slots.data_ptr() == lent, "given back, they are lent again"


def test_a_model_that_looks_through_a_window_is_recorded_no_further_than_that() -> None:
    """Recorded passes look at all slots, so a longer text goes the eager way."""
    torch.manual_seed(2)
    shape: dict[str, Any] = {"vocab_size": 90, "hidden_size": 32, "intermediate_size": 48, "num_hidden_layers": 2}
    config = MistralConfig(**shape, num_attention_heads=4, num_key_value_heads=2, sliding_window=12)
    window = MistralForCausalLM(config).double()
    eager = HFModel(window)
    assert (eager.window, HFModel(gpt2()).window) == (12, 128)
    text = list(range(20))
    with torch.inference_mode():
        wanted = window(torch.tensor([text])).logits[0].numpy()
    for length in (12, 20):
        reader = GraphedModel(window, eager.window, StandIn())
        cache = reader.new_cache(length)
        rows = [reader.forward([token], [place], None, cache) for place, token in enumerate(text[:length])]
        assert np.allclose(np.concatenate(rows), wanted[:length], atol=1e-9)


@pytest.mark.parametrize("temperature", [0.0, 0.8])
def test_whole_runs_write_the_same_text(recorded: PreTrainedModel, temperature: float) -> None:
    """Target and draft both recorded, refusals and all."""
    texts = []
    sampling = Sampling(temperature)
    for make in (HFModel, lambda each: GraphedModel(each, 96, StandIn())):
        torch.manual_seed(5)
        other = type(recorded)(recorded.config).double()
        other.load_state_dict(recorded.state_dict())
        with torch.no_grad():
            for weight in other.parameters():
                weight += 0.05 * torch.randn_like(weight)
        drafter = SmallModel(make(other), Resources(sampling, 90, 80))
        made = parts(make(recorded), drafter, sampling=sampling, gamma=3, limit=70)
        done = decode(made, (1, 2, 3))
        assert {verdict.verdict.value for step in done for verdict in step.verdicts} >= {"accepted", "rejected"}
        texts.append(tokens_of(done))
    assert texts[0] == texts[1]
