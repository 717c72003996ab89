"""The stages that train heads on a frozen target: what each of them is made of."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from torch import Tensor, nn
from transformers import PreTrainedModel

from specviz.config import ConfigError
from specviz.models.heads import dflash, eagle, files, medusa
from specviz.train import heads, heads_dflash, heads_eagle, heads_medusa, heads_rates, heads_text
from specviz.train.heads_loss import Guessing

HELD_OUT = heads_text.Reading(shards=2, written=48, copied=0, seed=99)
WRITTEN, COPIED = 192, 64
"""Windows of a shard of text that the target writes, and of the corpus's own."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A head.

    Attributes:
        layers: whose states it reads, as shares of the target's depth.
        new: a fresh one, for a target, these layers and a seed.
        guesses: what it foretells.
        steps: of its training, if nobody says otherwise.
    """

    layers: tuple[float, ...]
    new: Callable[[Any, tuple[int, ...], int], Any]
    guesses: Callable[[Any], Guessing]
    steps: int


KINDS: Mapping[str, Kind] = {
    "medusa": Kind((1 / 2, 5 / 6, 1), partial(medusa.new, told=False), heads_medusa.guesses, 500),
    "hydra": Kind((1 / 2, 5 / 6, 1), partial(medusa.new, told=True), heads_medusa.guesses, 500),
    "eagle": Kind((1 / 6, 1 / 2, 1), eagle.new, heads_eagle.guesses, 1500),
    "dflash": Kind((1 / 6, 1 / 3, 1 / 2, 2 / 3, 5 / 6, 1), dflash.new, heads_dflash.guesses, 800),
}


def layers_of(kind: str, target: PreTrainedModel) -> tuple[int, ...]:
    """The target's layers that such a head reads, the last one included."""
    depth = target.config.num_hidden_layers
    return tuple(sorted({max(1, round(share * depth)) for share in KINDS[kind].layers}))


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


def train(kind: str, job: Job) -> tuple[nn.Module, dict[str, Any]]:
    """A trained head, and what its file says of it.

    Raises:
        ConfigError: the target is not of the Llama family.
    """
    target = job.target.eval().requires_grad_(requires_grad=False)
    inner = getattr(target, "model", None)
    if not all(hasattr(inner, name) for name in ("embed_tokens", "layers", "norm")):
        raise ConfigError(f"heads are for targets of the Llama family, this is a {target.config.model_type}")
    kept = sorted({layer for each in KINDS for layer in layers_of(each, target)})
    plan = heads_text.Reading(job.shards, WRITTEN, COPIED, job.seed + 1)
    text = heads_text.lessons(target, job.streams, job.weights, plan, kept, job.folder / "text")
    held_out = heads_text.lessons(target, job.held_out, {}, HELD_OUT, kept, job.folder / "text-held-out")
    chosen, layers = KINDS[kind], layers_of(kind, target)
    model = chosen.new(target, layers, job.seed).to(target.device)
    embedding, head = target.model.embed_tokens.weight.detach(), target.lm_head.weight.detach()
    guesses = chosen.guesses(model)
    lesson = heads.lesson(guesses, embedding, head)
    steps = job.steps or chosen.steps
    notes = heads.fit(
        kind, model, lesson, text, held_out, layers, heads.HeadPlan(steps, seed=job.seed), job.folder / f"{kind}.pt"
    )
    rates = heads_rates.rates(guesses, embedding, head, held_out, layers, job.seed)
    return model, {**model.facts(), "rates": rates, "steps": steps, "seed": job.seed, "overlap": notes}


def save(kind: str, model: nn.Module, facts: Mapping[str, Any], target: str, out: Path) -> None:
    """Writes the weights, and what the training noted into the pair's card if it has one.

    Args:
        target: the hash of the target's weights.
    """
    files.save(out / "heads" / f"{kind}.safetensors", kind, model.state_dict(), target, facts)
    card = out / "card.json"
    if card.exists():
        noted = json.loads(card.read_text(encoding="utf-8"))
        figures = {name: facts[name] for name in ("steps", "seed", "overlap")}
        noted["heads"] = {**noted.get("heads", {}), kind: figures}
        card.write_text(json.dumps(noted, indent=2) + "\n", encoding="utf-8")
