"""The stages that train drafters for a chat model, which writes the text that they learn from itself."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors.numpy import save_file
from torch import Tensor
from transformers import AutoModelForCausalLM, AutoTokenizer, PreTrainedModel, PreTrainedTokenizerBase

from specviz.config.settings import ConfigError
from specviz.models import pair as pairs
from specviz.models.counts import archive
from specviz.models.counts.table import CountTable
from specviz.models.heads import files
from specviz.models.rounded import rounded
from specviz.train import chat_draft, heads, heads_rates
from specviz.train.chat_prompts import Beginnings
from specviz.train.chats import Chats, Template, chats
from specviz.train.counts import fit_parameters
from specviz.train.heads_loss import Foretelling, Guessed, Guessing
from specviz.train.heads_stage import KINDS as HEADS
from specviz.train.heads_stage import Kind, layers_of

COMMONEST = 8192
"""Tokens that the drafters may guess."""
ROWS = 192
"""Conversations of a shard."""
HELD_OUT_ROWS = 64
HELD_OUT_SEED = 99
MINIMUM = (1, 1, 2, 2, 2)
"""For n-grams of 1 to 5 tokens, the lowest count that is kept."""


KINDS: Mapping[str, Kind] = {
    "draft": Kind((1,), chat_draft.new, chat_draft.guesses, 1500),
    "eagle": HEADS["eagle"],
}
STAGES = (*KINDS, "counts")


@dataclass(frozen=True, slots=True)
class ChatJob:
    """What drafters are trained on and for how long.

    name: of the pair, which the files name as what they fit. steps: 0 for what suits the kind. shards: of text. out:
    the folder of the drafters. work: where checkpoints and the conversations are kept. corpus: what some of these are
    about; None for none.
    """

    name: str
    target: PreTrainedModel
    tokenizer: PreTrainedTokenizerBase
    steps: int
    shards: int
    seed: int
    out: Path
    work: Path
    corpus: Path | None = None


def opened(name: str, device: str, **more: Any) -> ChatJob:
    """The job for a known chat pair.

    Raises:
        ConfigError: its target was not fetched, or has its own output layer.
    """
    loaded = pairs.load(name, device, "float32")
    assert loaded.weights is not None, "a pair that was loaded has its weights in a folder"
    target = AutoModelForCausalLM.from_pretrained(loaded.weights, dtype=torch.float32).to(device)
    check(target, name)
    return ChatJob(name, target, AutoTokenizer.from_pretrained(loaded.weights), **more)


def check(target: PreTrainedModel, name: str) -> None:
    """Raises ConfigError: the target's output layer is not its embedding."""
    if not target.config.tie_word_embeddings:
        raise ConfigError(f"{name}: its output layer is not its embedding, which drafters trained for it share")


def train(stage: str, job: ChatJob) -> None:
    """Runs one of STAGES, and writes what it made."""
    target = job.target.eval().requires_grad_(requires_grad=False)
    kept = sorted({layer for kind in KINDS.values() for layer in layers_of(kind, target)})
    writer, template = target.to(torch.bfloat16), Template(job.tokenizer)
    writes = (writer, template, Beginnings.read(job.corpus), kept, job.work / "chats")
    held_out = chats(*writes, shards=1, rows=HELD_OUT_ROWS, seed=HELD_OUT_SEED)
    text = chats(*writes, shards=job.shards, rows=ROWS, seed=job.seed + 1)
    if stage == "counts":
        _count(text, held_out, target.config.vocab_size, job)
    else:
        _train(stage, text, held_out, job)


def _train(name: str, text: Chats, held_out: Chats, job: ChatJob) -> None:
    kind, target = KINDS[name], job.target
    layers, device = layers_of(kind, target), target.device
    embedding, head = (each.weight.detach().float() for each in (target.model.embed_tokens, target.lm_head))
    ids = commonest(text, target.config.vocab_size).to(device)
    model = kind.new(target.float(), layers, job.seed).to(device)
    foretold = _foretelling(kind.guesses(model), embedding)
    plan = heads.HeadPlan(job.steps or kind.steps, seed=job.seed, rows=8)
    notes = heads.fit(
        name, model, heads.lesson(foretold, head[ids]), text, held_out, layers, plan, job.work / f"{name}.pt"
    )
    rates = heads_rates.rates(foretold, head, ids, held_out, layers, job.seed)
    facts = {**model.facts(), "rates": rates, "steps": plan.steps, "seed": job.seed, "overlap": notes}
    note(name, facts, text, held_out, job)
    tensors = {**model.state_dict(), files.IDS: ids}
    if name != "draft":
        files.save(job.out / "heads" / f"{name}.safetensors", name, tensors, job.name, facts, bits=8)
        return
    folder = job.out / name
    folder.mkdir(parents=True, exist_ok=True)
    save_file(rounded({each: tensor.numpy() for each, tensor in tensors.items()}), folder / "model.safetensors")
    model.config.save_pretrained(folder)


def commonest(text: Chats, size: int) -> Tensor:
    """int64[COMMONEST], in order: the tokens that the target wrote most often in its turns."""
    counts = np.bincount(np.concatenate(text.told()), minlength=size)
    return torch.from_numpy(np.sort(np.argsort(-counts, kind="stable")[:COMMONEST]))


def _foretelling(guesses: Guessing, embedding: Tensor) -> Foretelling:
    """Counts only what the target wrote in its own turns."""

    def foretold(tokens: Tensor, states: Tensor, answers: Tensor, totals: Tensor) -> Guessed:
        found = guesses(tokens, embedding[tokens], states)
        next_is = torch.cat([answers[:, 1:], torch.zeros_like(answers[:, :1])], 1)
        places = len(found.wanted) // len(tokens)
        told = next_is[:, -places:].flatten().nonzero()[:, 0]
        outputs, real, wanted = found.outputs[:, told], found.real[:, told], found.wanted[told]
        return Guessed(outputs, wanted, real, found.fall, totals[:, -places:].flatten()[told])

    return foretold


def _count(text: Chats, held_out: Chats, size: int, job: ChatJob) -> None:
    """Counts what the target wrote, and fits the table's parameters on conversations that it did not see."""
    counted = CountTable.fit(text.told(), size, MINIMUM)
    note("counts", {"tokens": counted.size}, text, held_out, job)
    archive.save(replace(counted, parameters=fit_parameters(counted, held_out.told())), job.out / "counts.npz")


def note(name: str, facts: Mapping[str, Any], text: Chats, held_out: Chats, job: ChatJob) -> None:
    """Writes into the card what was trained, how, and for which target."""
    path = job.out / "card.json"
    job.out.mkdir(parents=True, exist_ok=True)
    card = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    card |= {"pair": job.name, "licence": "Apache-2.0", "drafters": {**card.get("drafters", {}), name: dict(facts)}}
    card["text"] = {
        "what": "conversations that the target wrote, both sides",
        "tokens": text.size,
        "held_out": held_out.size,
        "commonest": COMMONEST,
    }
    path.write_text(json.dumps(card, indent=2) + "\n", encoding="utf-8")
