"""The embedded pair: what it is, and that the engine over it agrees with transformers and with itself."""

import threading
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest
import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

import specviz
from specviz import draft, session
from specviz.check.run import problems
from specviz.config.entry import Shape
from specviz.config.settings import RunConfig
from specviz.draft.base import Committed, Drafter, begin
from specviz.draft.base import branches as branches_of
from specviz.lab import baseline
from specviz.models import pair as pairs
from specviz.models.pair import EMBEDDED
from specviz.sampling.arrays import Floats
from specviz.sampling.distribution import Sampling, to_probs
from specviz.sampling.rows import Point
from specviz.sampling.tree import ROOT, DraftTree
from specviz.session import Run, start
from specviz.trace.codec import to_json
from specviz.trace.guess import Verdict
from specviz.trace.round import Round
from specviz.trace.run import Trace
from specviz.verify import LanguageModel, verify
from tests.real.families import PROMPTS

DRAFTERS = [entry.name for entry in draft.ENTRIES if not entry.constrained]


def rule_for(drafter: str) -> str:
    """A rule under which it guesses at any temperature."""
    return "coupled" if draft.entry(drafter).settles else "rejection"


def own_prompts(drafter: str) -> tuple[str, ...]:
    """A tale or code, in turns; both where guesses are tested seldom, or under noise that chose them."""
    return PROMPTS[::10] if draft.entry(drafter).settles else PROMPTS[DRAFTERS.index(drafter) % 2 * 10 :][:1]


@pytest.fixture(scope="module")
def target() -> Any:
    return AutoModelForCausalLM.from_pretrained(EMBEDDED / "target", dtype=torch.float32)


def test_it_opens_offline_with_transformers_alone(target: Any) -> None:
    small = AutoModelForCausalLM.from_pretrained(EMBEDDED / "draft", dtype=torch.float32)
    assert target.config.model_type == small.config.model_type == "llama"
    assert target.config.vocab_size == small.config.vocab_size == 4096
    assert target.config.max_position_embeddings == 1024
    assert 8e6 <= sum(weight.numel() for weight in target.parameters()) <= 16e6
    assert 5e5 <= sum(weight.numel() for weight in small.parameters()) <= 1e6
    assert target.config.num_hidden_layers >= 6
    assert small.config.num_hidden_layers <= 2


def test_any_text_survives_the_tokenizer() -> None:
    tokenizer = AutoTokenizer.from_pretrained(EMBEDDED / "target")
    assert len(tokenizer) == 4096
    for text in (*PROMPTS, "\x00\x7f\r\n\t  x", "".join(map(chr, range(0x100, 0x400))), "𝔘𝔫𝔦 <|not special|>"):
        assert tokenizer.decode(tokenizer.encode(text, add_special_tokens=False)) == text


@pytest.fixture(scope="module")
def greedy(target: Any) -> dict[str, list[int]]:
    """40 tokens by transformers' own greedy generate after each prompt, all in one batch."""
    tokenizer = AutoTokenizer.from_pretrained(EMBEDDED / "target", padding_side="left", pad_token="<|endoftext|>")
    batch = tokenizer(list(PROMPTS), return_tensors="pt", padding=True)
    made = target.generate(**batch, do_sample=False, max_new_tokens=40, pad_token_id=tokenizer.pad_token_id)
    return dict(zip(PROMPTS, made[:, batch["input_ids"].shape[1] :].tolist(), strict=True))


@pytest.mark.sampled(4)
@pytest.mark.parametrize("drafter", DRAFTERS)
def test_greedy_text_is_token_for_token_transformers_own(drafter: str, greedy: dict[str, list[int]]) -> None:
    """Two of the texts, so that each has drafters of several families; the first of them at length."""
    pair = pairs.load("embedded", "cpu", "auto")
    for place, (prompt, wanted) in enumerate([*greedy.items()][DRAFTERS.index(drafter) % 10 :: 10]):
        length = 16 if place else 40
        config = RunConfig(prompt, drafter=drafter, temperature=0, max_new_tokens=length, device="cpu")
        written = [token for step in start(config, pair, shown=False) for token in step.tokens]
        assert written == wanted[:length], prompt


def test_under_shared_noise_those_without_a_drafter_write_plain_decodings_text() -> None:
    pair, kept = pairs.load("embedded", "cpu", "auto"), Counter[str]()
    for seed, prompt in enumerate(PROMPTS[::2]):
        config = RunConfig(prompt, rule="coupled", seed=seed, max_new_tokens=8, device="cpu")
        wanted = [token for token, _ in baseline.decode(config, pair, pair.tokenizer.encode(prompt), 8)]
        for drafter in ("jacobi", "lookahead"):
            rounds = list(start(replace(config, drafter=drafter), pair, shown=False))
            assert [token for step in rounds for token in step.tokens] == wanted, prompt
            kept[drafter] += sum(len(step.path) for step in rounds)
    assert min(kept["jacobi"], kept["lookahead"]) > 0, "some guesses stood"


@pytest.mark.sampled(4)
@pytest.mark.parametrize("drafter", DRAFTERS)
def test_every_recorded_row_is_what_a_pass_without_a_cache_gives(drafter: str, target: Any) -> None:
    """p from transformers' own forward over each branch; q from a fresh drafter that begins at that text."""
    pair, sampling = pairs.load("embedded", "cpu", "auto"), Sampling(0.8)
    for seed, prompt in enumerate(own_prompts(drafter)):
        config = RunConfig(prompt, drafter=drafter, rule=rule_for(drafter), seed=seed, max_new_tokens=12, device="cpu")
        run = Run(config, pair)
        rounds = list(run)
        text = list(run.trace().prompt)
        for step in rounds:
            tree = _tree(step)
            fresh = session.drafter(config, pair, sampling, 1024)
            if step.learning:
                _teach(fresh, pair.target, text, rounds[: step.index])
            laws = fresh.q_of(text, tree)
            if fresh.needs.rows:  # what it remembers of the rounds before is not in the text
                laws = [law or Point(token) for law, token in zip(laws, tree.tokens, strict=True)]
            p = _target_rows(target, text, tree, sampling)
            for node, verdict in enumerate(step.verdicts):
                left = p[verdict.parent]
                for elder in step.verdicts[:node]:
                    tested = verdict.verdict is not Verdict.UNTESTED and elder.parent == verdict.parent
                    if tested and (law := laws[elder.node]):
                        left, _ = law.residual(left)
                q = laws[node]
                assert q
                for bar in verdict.view.bars:
                    assert abs(bar.p - left[bar.token]) < 1e-4
                    assert abs(bar.q - q.of(bar.token)) < 1e-4
            assert step.extra is not None
            assert step.extra.p == pytest.approx(p[(step.path or (ROOT,))[-1]][step.extra.token], abs=1e-4)
            text += step.tokens


def _teach(drafter: Drafter, target: LanguageModel, text: Sequence[int], done: Sequence[Round]) -> None:
    """Tells a drafter that learns what it heard in these rounds. What it learns does not depend on the sampling."""
    position = done[0].position if done else len(text)
    cache = target.new_cache(len(text) + max((len(step.verdicts) for step in done), default=0))
    begin(drafter, target, text[:position], cache)
    for step in done:
        unread = text[cache.length : step.position]
        scores = verify(target, cache, unread, _tree(step), drafter.needs)
        cache.keep(step.position, step.path)
        drafter.commit(Committed(step.tokens, step.path, scores))


def _tree(step: Round) -> DraftTree:
    return DraftTree(tuple(each.token for each in step.verdicts), tuple(each.parent for each in step.verdicts))


def _target_rows(target: Any, text: list[int], tree: DraftTree, sampling: Sampling) -> dict[int, Floats]:
    """After the pending token and after each node, by one pass over the whole text to each leaf, all in one batch."""
    branches = [(*before, token) for before, token in zip(branches_of(tree), tree.tokens, strict=True)]
    known = {(), *branches}
    leaves = [each for each in known if not any(other[:-1] == each for other in known if other)]
    wide = max(map(len, leaves))
    with torch.inference_mode():
        batch = torch.tensor([[*text, *leaf, *[0] * (wide - len(leaf))] for leaf in leaves])
        logits = target(batch).logits[:, len(text) - 1 :]
    rows: dict[tuple[int, ...], Floats] = {}
    for leaf, scores in zip(leaves, logits, strict=True):
        for depth, row in enumerate(to_probs(scores[: len(leaf) + 1].numpy(), sampling)):
            rows[leaf[:depth]] = row
    return {ROOT: rows[()], **{node: rows[branch] for node, branch in enumerate(branches)}}


@pytest.mark.parametrize("temperature", [0, 0.8, 1.3])
def test_a_model_drafting_for_itself_is_never_refused(temperature: float) -> None:
    pair = pairs.load("embedded", "cpu", "auto")
    twin = replace(pair, draft=pair.target)
    for seed, prompt in enumerate(PROMPTS[::7]):
        run = Run(RunConfig(prompt, temperature=temperature, seed=seed, gamma=5, max_new_tokens=40), twin)
        rejected = [v for step in run for v in step.verdicts if v.verdict is Verdict.REJECTED]
        assert not rejected, rejected
        assert problems(run.trace()) == []


def test_the_same_seed_is_the_same_run_whatever_runs_beside_it() -> None:
    def run(seed: int) -> Trace:
        return specviz.run(PROMPTS[0], drafter=DRAFTERS[seed % 3], seed=seed, max_new_tokens=32, device="cpu")

    def decisions(trace: Trace) -> object:
        return [(step.verdicts, step.path, step.extra, step.target_cache, step.draft_caches) for step in trace.rounds]

    before = torch.random.get_rng_state(), np.random.get_state()[1].tolist()
    alone = [decisions(run(seed)) for seed in range(6)]
    gate = threading.Barrier(6)

    def together(seed: int) -> object:
        gate.wait()
        return decisions(run(seed))

    with ThreadPoolExecutor(6) as pool:
        assert list(pool.map(together, range(6))) == alone
    assert alone[0] != alone[3]
    assert torch.equal(torch.random.get_rng_state(), before[0])
    assert np.random.get_state()[1].tolist() == before[1]


@cache
def runs_at_temperature_1(drafter: str) -> tuple[Trace, ...]:
    rule = rule_for(drafter)
    return tuple(
        specviz.run(prompt, drafter=drafter, rule=rule, temperature=1.0, device="cpu")
        for prompt in own_prompts(drafter)
    )


@pytest.mark.sampled(4)
@pytest.mark.parametrize("drafter", DRAFTERS)
def test_a_64_token_run_is_sound_and_small(drafter: str) -> None:
    """A tree has more guesses to tell of than a chain."""
    for trace in runs_at_temperature_1(drafter):
        assert len(trace.tokens) == 64
        assert problems(trace) == []
        size = len(to_json(trace).encode())
        if draft.entry(drafter).shape is Shape.CHAIN:
            assert size < 300_000
        else:
            assert size < 100_000 + 1_000 * sum(len(step.verdicts) for step in trace.rounds)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("drafter", DRAFTERS)
def test_guesses_stand_as_often_as_p_and_q_overlap(drafter: str) -> None:
    """Over all tested guesses, to five standard deviations. Noise that also chose them keeps more."""
    more = variance = 0.0
    for trace in runs_at_temperature_1(drafter):
        for verdict in (verdict for step in trace.rounds for verdict in step.verdicts):
            if verdict.verdict is not Verdict.UNTESTED:
                more += (verdict.verdict is Verdict.ACCEPTED) - verdict.view.overlap
                variance += verdict.view.overlap * (1 - verdict.view.overlap)
    assert (abs(more) < 5 * variance**0.5) != draft.entry(drafter).settles
