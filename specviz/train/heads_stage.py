"""The stages that train heads on a frozen target: what each of them is made of."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from torch import Tensor, nn
from transformers import PreTrainedModel

from specviz.config.settings import ConfigError
from specviz.models.heads import dflash, eagle, files, medusa, mtp
from specviz.train import heads, heads_dflash, heads_eagle, heads_medusa, heads_rates, heads_text
from specviz.train.heads import HeadPlan
from specviz.train.heads_loss import Guessing

HELD_OUT = heads_text.Reading(shards=2, written=48, copied=0, seed=99)
WRITTEN, COPIED = 192, 64
"""Windows of a shard of text that the target writes, and of the corpus's own."""
FEEDBACK_STEPS = 200


@dataclass(frozen=True, slots=True)
class Kind:
    """A head.

    Attributes:
        layers: whose states it reads, as shares of the target's depth.
        new: a fresh one, for a target, these layers and a seed.
        guesses: what it predicts.
        steps: of its training by default.
    """

    layers: tuple[float, ...]
    new: Callable[[Any, tuple[int, ...], int], Any]
    guesses: Callable[[Any], Guessing]
    steps: int


KINDS: Mapping[str, Kind] = {
    "medusa": Kind((1 / 2, 5 / 6, 1), partial(medusa.new, told=False), heads_medusa.guesses, 500),
    "hydra": Kind((1 / 2, 5 / 6, 1), partial(medusa.new, told=True), heads_medusa.guesses, 500),
    "eagle": Kind((1 / 6, 1 / 2, 1), eagle.new, heads_eagle.guesses, 1500),
    "mtp": Kind((1,), mtp.new, partial(heads_eagle.guesses, share=1 / 4), 800),
    "dflash": Kind((1 / 6, 1 / 3, 1 / 2, 2 / 3, 5 / 6, 1), dflash.new, heads_dflash.guesses, 800),
}


def layers_of(kind: Kind, target: PreTrainedModel) -> tuple[int, ...]:
    """The target's layers that such a head reads, the last one included."""
    depth = target.config.num_hidden_layers
    return tuple(sorted({max(1, round(share * depth)) for share in kind.layers}))


@dataclass(frozen=True, slots=True)
class Job:
    """What a head is trained on and for how long.

    streams, held_out: text by genre. steps: 0 for what suits the kind. shards: of text. folder: where checkpoints and
    the text's states are kept.
    """

    target: PreTrainedModel
    streams: Mapping[str, Tensor]
    held_out: Mapping[str, Tensor]
    weights: Mapping[str, float]
    steps: int
    shards: int
    seed: int
    folder: Path


@dataclass(frozen=True, slots=True)
class _Material:
    """What heads on a target learn from, and the target's embedding and output layer, [V, width]."""

    text: heads_text.Lessons
    held_out: heads_text.Lessons
    embedding: Tensor
    head: Tensor


def _material(job: Job) -> _Material:
    """Raises ConfigError: the target is not of the Llama family."""
    target = job.target.eval().requires_grad_(requires_grad=False)
    inner = getattr(target, "model", None)
    if not all(hasattr(inner, name) for name in ("embed_tokens", "layers", "norm")):
        raise ConfigError(f"heads are for targets of the Llama family, this is a {target.config.model_type}")
    kept = sorted({layer for each in KINDS.values() for layer in layers_of(each, target)})
    plan = heads_text.Reading(job.shards, WRITTEN, COPIED, job.seed + 1)
    text = heads_text.lessons(target, job.streams, job.weights, plan, kept, job.folder / "text")
    held_out = heads_text.lessons(target, job.held_out, {}, HELD_OUT, kept, job.folder / "text-held-out")
    return _Material(text, held_out, target.model.embed_tokens.weight.detach(), target.lm_head.weight.detach())


def train(kind: str, job: Job) -> tuple[nn.Module, dict[str, Any]]:
    """A trained head, and what its file says of it.

    Raises:
        ConfigError: the target is not of the Llama family.
    """
    given, layers = _material(job), layers_of(KINDS[kind], job.target)
    model = KINDS[kind].new(job.target, layers, job.seed).to(job.target.device)
    guesses = KINDS[kind].guesses(model)
    plan = HeadPlan(job.steps or KINDS[kind].steps, seed=job.seed)
    notes = _fit(kind, model, guesses, given, layers, plan, job)
    foretold = heads.foretelling(guesses, given.embedding)
    rates = heads_rates.rates(foretold, given.head, None, given.held_out, layers, job.seed)
    return model, {**model.facts(), "rates": rates, "steps": plan.steps, "seed": job.seed, "overlap": notes}


def compare_feedback(job: Job) -> dict[str, Any]:
    """What feeding its own outputs back is worth to EAGLE: two fresh heads, alike but for that.

    Raises:
        ConfigError: the target is not of the Llama family.
    """
    given, layers = _material(job), layers_of(KINDS["eagle"], job.target)
    plan = HeadPlan(job.steps or FEEDBACK_STEPS, measure_every=25, seed=job.seed)
    noted: dict[str, Any] = {"steps": plan.steps, "seed": job.seed}
    for name, fed_back in (("fed_back", True), ("not_fed_back", False)):
        model = eagle.new(job.target, layers, job.seed).to(job.target.device)
        noted[name] = _fit(name, model, heads_eagle.guesses(model, fed_back=fed_back), given, layers, plan, job)
    return noted


def _fit(
    name: str, model: nn.Module, guesses: Guessing, given: _Material, layers: tuple[int, ...], plan: HeadPlan, job: Job
) -> list[dict[str, Any]]:
    lesson = heads.lesson(heads.foretelling(guesses, given.embedding), given.head)
    return heads.fit(name, model, lesson, given.text, given.held_out, layers, plan, job.folder / f"{name}.pt")


def save(kind: str, model: nn.Module, facts: Mapping[str, Any], target: str, out: Path) -> None:
    """Writes the weights, and what the training noted into the pair's card if it has one.

    Args:
        target: the hash of the target's weights.
    """
    files.save(out / "heads" / f"{kind}.safetensors", kind, model.state_dict(), target, facts)
    note(kind, {name: facts[name] for name in ("steps", "seed", "overlap")}, out)


def note(name: str, figures: Mapping[str, Any], out: Path) -> None:
    """Writes figures of heads into the pair's card, if it has one."""
    card = out / "card.json"
    if card.exists():
        noted = json.loads(card.read_text(encoding="utf-8"))
        noted["heads"] = {**noted.get("heads", {}), name: figures}
        card.write_text(json.dumps(noted, indent=2) + "\n", encoding="utf-8")
