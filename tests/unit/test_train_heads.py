"""Training heads on a frozen target of the Llama family, from the command to a run that uses them."""

import json
from pathlib import Path

import pytest
import torch
from torch import Tensor
from transformers import LlamaConfig, LlamaForCausalLM

from specviz import session
from specviz.__main__ import main
from specviz.config.settings import RunConfig
from specviz.models import pair as pairs
from specviz.models.heads import eagle, files
from specviz.proof.findings import Question, SampledToken
from specviz.proof.problems.run import problems
from specviz.proof.sampled import prove
from specviz.train import heads, heads_eagle, heads_loss, heads_rates, heads_stage, heads_text
from specviz.train.corpus import read_genres, train_tokenizer
from tests.unit.test_train import TEXT

KINDS = tuple(heads_stage.KINDS)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A pair of random weights, its text, and heads after a few steps."""
    folder: Path = tmp_path_factory.mktemp("heads")
    (folder / "corpus").mkdir()
    (folder / "corpus" / "sums.txt").write_text(TEXT, encoding="utf-8")
    for name in ("target", "draft"):
        train_tokenizer(read_genres(folder / "corpus"), 300, 128).save_pretrained(folder / name)
        shape = LlamaConfig(
            vocab_size=300, hidden_size=16, intermediate_size=32, num_hidden_layers=3, num_attention_heads=4,
            num_key_value_heads=2, max_position_embeddings=128, initializer_range=0.2,
        )  # fmt: skip
        torch.manual_seed(1)
        LlamaForCausalLM(shape).save_pretrained(folder / name)
    (folder / "card.json").write_text("{}")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(heads_text, "WINDOW", 48)
        patch.setattr(heads_text, "GIVEN", 12)
        patch.setattr(heads_stage, "WRITTEN", 6)
        patch.setattr(heads_stage, "COPIED", 2)
        patch.setattr(heads_stage, "HELD_OUT", heads_text.Reading(1, 4, 0, 99))
        command = [
            "train",
            "--stages",
            ",".join((*KINDS, "feedback")),
            "--corpus",
            str(folder / "corpus"),
            "--out",
            str(folder),
        ]
        before = files.target_hash(folder / "target")
        assert main([*command, "--work", str(folder / "work"), "--head-steps", "3", "--shards", "1"]) == 0
    assert files.target_hash(folder / "target") == before, "the target stays as it is"
    return folder


def test_the_card_says_what_feedback_is_worth(folder: Path) -> None:
    noted = json.loads((folder / "card.json").read_text())["heads"]["feedback"]
    depths, names = heads_eagle.STEPS, ("fed_back", "not_fed_back")
    for (last,) in (noted[name] for name in names):
        assert (noted["steps"], last["step"], len(last["train"]), len(last["held_out"])) == (3, 3, depths, depths)
    fed, alone = (torch.load(folder / "work" / "heads" / f"{name}.pt", weights_only=True)["model"] for name in names)
    assert not all(torch.equal(fed[name], alone[name]) for name in fed), "one of them trained without feedback"


@pytest.mark.parametrize("fed_back", [True, False])
def test_without_feedback_only_the_first_guess_trains(fed_back: bool) -> None:
    torch.manual_seed(0)
    model = eagle.Eagle(eagle.EagleShape(width=8, heads=2, dim=4, wide=16, layers=(1, 2), eps=1e-6, theta=1e4))
    tokens, embedded, states = torch.randint(0, 9, (3, 6)), torch.randn(3, 6, 8), torch.randn(3, 6, 2, 8)
    guessed = heads_eagle.guesses(model, fed_back=fed_back)(tokens, embedded, states)
    for depth, (weight, found) in enumerate(zip(guessed.fall, guessed.outputs, strict=True)):
        gradients = torch.autograd.grad(found.sum(), [*model.parameters()], retain_graph=True, allow_unused=True)
        trains = any(gradient is not None and bool(gradient.any()) for gradient in gradients)
        assert (trains, weight > 0) == ((fed_back or not depth),) * 2, depth


@pytest.mark.parametrize("kind", KINDS)
def test_a_run_uses_what_was_trained(kind: str, folder: Path) -> None:
    pair = pairs.read(folder, "cpu")
    for shape in ("chain", "tree"):
        config = RunConfig("7 times", drafter=kind, params={"shape": shape}, gamma=3, max_new_tokens=12)
        run = session.start(config, pair)
        for _ in run:
            pass
        assert problems(run.trace()) == []
        assert any(step.verdicts for step in run.trace().rounds)
        *_, found = prove(Question(config, (), SampledToken.FIRST, 300, 0), pair)
        assert found is not None
        assert not found.impossible
    card = json.loads((folder / "card.json").read_text())["heads"][kind]
    assert card["steps"] == 3
    assert [note["step"] for note in card["overlap"]] == [3]
    rates = pair.head(kind).facts["rates"]
    assert all(sum(place) <= 1.001 for how in rates.values() for place in how)


def test_a_training_that_was_stopped_resumes_as_if_it_had_not_been(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    torch.manual_seed(0)
    tokens, states = torch.randint(0, 9, (8, 12)).numpy(), torch.randn(8, 12, 1, 4).numpy()
    text, head = heads_text.Lessons(tokens, states, (1,)), torch.randn(9, 4)
    plan = heads.HeadPlan(8, rows=4, checkpoint_every=1, measure_every=4)

    def trained(name: str) -> list[Tensor]:
        torch.manual_seed(1)
        model = torch.nn.Linear(4, 4)

        def guesses(tokens: Tensor, embedded: Tensor, states: Tensor) -> heads_loss.Guessed:
            found = model(states[..., 0, :]).flatten(0, 1)[None]
            return heads_loss.Guessed(found, states[..., 0, :].flatten(0, 1), found.new_ones(found.shape[:2]) > 0, [1])

        notes = heads.fit(
            "test", model, heads.lesson(heads.foretelling(guesses, head), head), text, text, (1,), plan, tmp_path / name
        )
        assert [note["step"] for note in notes] == [4, 8]
        assert notes[1]["held_out"] > notes[0]["held_out"]
        return [*model.parameters()]

    def stops_at_5(count: int, plan: heads.HeadPlan, step: int) -> list[int]:
        if step == 5:
            raise KeyboardInterrupt
        return rows(count, plan, step)

    rows, whole = heads._rows, trained("whole")
    monkeypatch.setattr(heads, "_rows", stops_at_5)
    with pytest.raises(KeyboardInterrupt):
        trained("stopped")
    monkeypatch.setattr(heads, "_rows", rows)
    for one, other in zip(whole, trained("stopped"), strict=True):
        assert torch.equal(one, other)


def test_rates_are_those_of_sequential_rejection() -> None:
    """The same q as p is accepted at once; of two tokens, what p has above q is the second guess's."""
    p = torch.tensor([[0.6, 0.4]]).repeat(4000, 1)
    torch.manual_seed(0)
    assert torch.allclose(heads_rates._drawn(p, p, 2), torch.tensor([1.0, 0.0]))
    q = torch.tensor([[0.9, 0.1]]).repeat(4000, 1)
    assert torch.allclose(heads_rates._drawn(p, q, 2), torch.tensor([0.7, 0.3]), atol=0.02)
