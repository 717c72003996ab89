"""The stages of making a pair: tokenizer, target, draft, counts, card.

Each stage reads what earlier stages wrote to the output folder. Checkpoints are kept in the work folder.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import torch
from torch import Tensor
from transformers import AutoModelForCausalLM, AutoTokenizer, LlamaForCausalLM, PreTrainedModel, PreTrainedTokenizerFast

from specviz.models import pair as pairs
from specviz.models.counts import archive
from specviz.models.counts.table import CountTable
from specviz.models.heads import files
from specviz.models.pair import read
from specviz.models.tokenizer import Tokenizer
from specviz.train import ON_REQUEST, STAGES, card, datastore, exits, heads_stage, hybrid, pair, shape
from specviz.train import corpus as texts
from specviz.train.corpus import HELD_OUT_SHARE, Genre, encode, read_genres, train_tokenizer
from specviz.train.counts import fit_parameters

VOCAB_SIZE = 4096
CONTEXT = 1024
SHARD = "9MB"
EXIT_TOKENS = 2048
"""Tokens that one step of the exits' training reads."""
RETOLD = 12288
"""Tokens in one step of `pair.retell`, the given ones included."""
COUNTED: Mapping[str, int] = {"tales": 2, "verse": 4}
"""How often a genre's text is counted, if not once. Repeats keep short texts from drowning in add-one smoothing."""
HYBRID_PROMPTS = 24
"""Runs of each genre that say how often a hybrid accepts its draft's guesses."""
MINIMUM = (1, 1, 1, 3, 3)
"""For n-grams of 1 to 5 tokens, the lowest count that is kept. A long n-gram seen once in the tales is dropped."""


@dataclass(frozen=True, slots=True)
class TrainingJob:
    """Where the text is, where the pair goes, and how long to train.

    tokenizer: a folder or file of any transformers tokenizer; None means the pair's own.
    start: a pair whose models are trained further, for deepened_steps and draft_steps. Its shapes must be the same, but
        its target may have any number of layers, and its tokenizer of VOCAB_SIZE tokens may be another. None starts
        from fresh models.
    pair: the pair whose target gets exits or heads, by name; "" means the one in `out`.
    head_steps: 0 for what suits each kind of head. shards: of text that heads learn from; see heads_stage.
    nodes, depth: the limits of the tree whose best shape the stage `shape` prints, for the pair `start`, or `out`
        without one.
    """

    corpus: Path
    out: Path
    work: Path
    tokenizer: Path | None = None
    start: Path | None = None
    pair: str = ""
    target_steps: int = 6000
    deepened_steps: int = 3000
    retold_steps: int = 50
    draft_steps: int = 1500
    exit_steps: int = 600
    head_steps: int = 0
    shards: int = 14
    nodes: int = 12
    depth: int = 6
    seed: int = 0
    device: str = "cpu"


def train(job: TrainingJob, stages: Sequence[str] = STAGES) -> None:
    """Runs the stages in order. A stage that was stopped continues from its last checkpoint.

    Raises:
        FileNotFoundError: there is no text, or an earlier stage has not made what a stage reads.
        ValueError: a text is too short to split.
    """
    genres = read_genres(job.corpus)
    for stage in (*STAGES, *ON_REQUEST):
        if stage in stages:
            _RUN[stage](job, genres)


def _tokenizer(job: TrainingJob, genres: Sequence[Genre]) -> None:
    train_tokenizer(genres, VOCAB_SIZE, CONTEXT).save_pretrained(job.out / "target")


def _target(job: TrainingJob, genres: Sequence[Genre]) -> None:
    streams = _streams(job, genres)
    if job.start is None:
        first = pair.new_model(pair.TARGET, VOCAB_SIZE, CONTEXT, job.seed, tied=False).to(job.device)
        plan = pair.Plan(job.target_steps, matrix_rate=0.01, other_rate=0.004, seed=job.seed)
        pair.train_on_text("target", first, streams, plan, job.work / "target.pt")
    else:
        first = _started(job, job.start, "target")
    layers = max(pair.TARGET_LAYERS, first.config.num_hidden_layers)
    model = pair.deepen(first, layers, job.seed).to(job.device)
    plan = pair.Plan(
        job.deepened_steps,
        matrix_rate=0.006,
        other_rate=0.0024,
        long_share=0.2,
        decay=0.9,
        seed=job.seed + 2,
    )
    pair.train_on_text("target", model, streams, plan, job.work / "deepened.pt")
    _ship(model, job.out / "target")


def _draft(job: TrainingJob, genres: Sequence[Genre]) -> None:
    target = LlamaForCausalLM.from_pretrained(job.out / "target", dtype=torch.float32).to(job.device)
    if job.start is None:
        draft = pair.new_model(pair.DRAFT, VOCAB_SIZE, CONTEXT, job.seed).to(job.device)
    else:
        draft = _started(job, job.start, "draft")
    plan = pair.Plan(job.draft_steps, matrix_rate=0.01, other_rate=0.004, long_share=0.2, seed=job.seed + 1)
    streams = _streams(job, genres)
    retold = pair.retell(target, streams, replace(plan, steps=job.retold_steps, tokens=RETOLD), job.work / "retold.pt")
    half_retold = {name: torch.cat([stream, retold[name]]) for name, stream in streams.items()}
    pair.distil_draft(draft, target, half_retold, plan, job.work / "draft.pt")
    _ship(draft, job.out / "draft")


def _started(job: TrainingJob, start: Path, name: str) -> LlamaForCausalLM:
    model: LlamaForCausalLM = LlamaForCausalLM.from_pretrained(start / name, dtype=torch.float32)
    pair.carry_over(model, AutoTokenizer.from_pretrained(start / "target"), _read_tokenizer(job))
    return model.to(job.device)


def _ship(model: LlamaForCausalLM, folder: Path) -> None:
    """Saves the model in fp16, in files small enough for git without LFS."""
    model.to("cpu", torch.float16).save_pretrained(folder, max_shard_size=SHARD)


def _read_tokenizer(job: TrainingJob) -> PreTrainedTokenizerFast:
    tokenizer: PreTrainedTokenizerFast = AutoTokenizer.from_pretrained(job.tokenizer or job.out / "target")
    return tokenizer


def _streams(job: TrainingJob, genres: Sequence[Genre]) -> dict[str, Tensor]:
    """Each genre's training text as one stream of ids."""
    tokenizer = _read_tokenizer(job)
    return {genre.name: torch.cat(encode(tokenizer, genre.train)) for genre in genres}


def _counts(job: TrainingJob, genres: Sequence[Genre]) -> None:
    """Counts the training text, each genre COUNTED times, and fits the parameters on the held-out text."""
    tokenizer = _read_tokenizer(job)
    job.out.mkdir(parents=True, exist_ok=True)
    streams = [
        ids.numpy()
        for genre in genres
        for ids in encode(tokenizer, genre.train)
        for _ in range(COUNTED.get(genre.name, 1))
    ]
    held_out = [ids.numpy() for genre in genres for ids in encode(tokenizer, genre.held_out)]
    counted = CountTable.fit(streams, len(tokenizer), MINIMUM)
    archive.save(replace(counted, parameters=fit_parameters(counted, held_out)), job.out / "counts.npz")


def _card(job: TrainingJob, genres: Sequence[Genre]) -> None:
    trained = read(job.out, "cpu")
    models = {
        name: LlamaForCausalLM.from_pretrained(job.out / name, dtype=torch.float32) for name in ("target", "draft")
    }
    lengths = {name: len(stream) for name, stream in _streams(job, genres).items()}
    about = {
        "command": "python -m specviz train --corpus FOLDER"
        + (" --start PAIR" if job.start else f" --target-steps {job.target_steps}")
        + f" --deepened-steps {job.deepened_steps} --retold-steps {job.retold_steps} --draft-steps {job.draft_steps}"
        f" --seed {job.seed}",
        "licence": "Apache-2.0",
        "sizes": card.sizes(models),
        "data": {name: {**source, "training_tokens": lengths[name]} for name, source in card.sources(lengths).items()},
        "training": {
            "tokens_per_step": pair.TOKENS,
            **({} if job.start else {"target_steps": job.target_steps}),
            "deepened_steps": job.deepened_steps,
            "retold_steps": job.retold_steps,
            "draft_steps": job.draft_steps,
            "seed": job.seed,
            "held_out_share": HELD_OUT_SHARE,
        },
        "measured": card.measure(trained, models, genres),
    }
    if job.start:
        first = json.loads((job.start / "card.json").read_text(encoding="utf-8"))
        about["started_from"] = {key: first[key] for key in ("command", "training", "started_from") if key in first}
    (job.out / "card.json").write_text(json.dumps(about, indent=2) + "\n", encoding="utf-8")


def _datastore(job: TrainingJob, genres: Sequence[Genre]) -> None:
    job.out.mkdir(parents=True, exist_ok=True)
    tokenizer = Tokenizer(_read_tokenizer(job))
    datastore.build(tokenizer, job.corpus, genres).save(job.out / "datastore.npz")


def _novice(job: TrainingJob, genres: Sequence[Genre]) -> None:
    """A draft that has read one genre and never the target: `draft-` and the genre's name."""
    if len(genres) > 1:
        raise ValueError(f"{job.corpus} has {len(genres)} genres; give the stage novice the file of one")
    draft = pair.new_model(pair.DRAFT, VOCAB_SIZE, CONTEXT, job.seed).to(job.device)
    plan = pair.Plan(job.draft_steps, matrix_rate=0.01, other_rate=0.004, seed=job.seed)
    name = f"draft-{genres[0].name}"
    pair.train_on_text(name, draft, _streams(job, genres), plan, job.work / f"{name}.pt")
    _ship(draft, job.out / name)


def _hybrid(job: TrainingJob, genres: Sequence[Genre]) -> None:
    """A target with a running state, for the tokenizer and the draft of another pair."""
    start = job.start or pairs.EMBEDDED
    models = [LlamaForCausalLM.from_pretrained(start / name, dtype=torch.float32) for name in ("draft", "target")]
    tokenizer: PreTrainedTokenizerFast = AutoTokenizer.from_pretrained(start / "target")
    streams = {genre.name: torch.cat(encode(tokenizer, genre.train)) for genre in genres}
    plan = pair.Plan(
        job.draft_steps,
        tokens=pair.TOKENS // 2,
        matrix_rate=0.006,
        other_rate=0.0024,
        rise=20,
        checkpoint_every=20,
        seed=job.seed,
    )
    made = hybrid.new(models[0], texts.batch(streams, pair.WEIGHTS, 8, plan.window, plan.seed, 0), job.seed)
    hybrid.distil(made.to(job.device), models[1].to(job.device), streams, plan, job.work / "hybrid.pt")
    _ship(made, job.out / "target")
    target = AutoModelForCausalLM.from_pretrained(job.out / "target", dtype=torch.float32)
    both, trained = {"target": target, "draft": models[0]}, read(job.out, "cpu", other=start)
    about = {
        "command": f"python -m specviz train --corpus FOLDER --stages hybrid --draft-steps {job.draft_steps}",
        "licence": "Apache-2.0",
        "sizes": card.sizes(both),
        "training": {"tokens_per_step": plan.tokens, "steps": job.draft_steps, "seed": job.seed, "from": "the draft"},
        "measured": card.unclocked(trained, both, genres, card.DRAFTERS[:1], HYBRID_PROMPTS),
    }
    (job.out / "card.json").write_text(json.dumps(about, indent=2) + "\n", encoding="utf-8")


def _shape(job: TrainingJob, genres: Sequence[Genre]) -> None:
    rates = shape.rates(read(job.start or job.out, job.device), genres)
    for line in shape.report(rates, job.nodes, job.depth):
        print(line)  # noqa: T201 - the stage's output


@dataclass(frozen=True, slots=True)
class _Frozen:
    """A target that is trained no further, its weights' folder, and each genre's text in its tokens."""

    target: PreTrainedModel
    weights: Path
    streams: Mapping[str, Tensor]
    held_out: Mapping[str, Tensor]


def _frozen(job: TrainingJob, genres: Sequence[Genre]) -> _Frozen:
    loaded = pairs.load(job.pair, job.device, "float32") if job.pair else read(job.out, job.device)
    assert loaded.weights is not None, "a pair that was loaded has its weights in a folder"
    target = AutoModelForCausalLM.from_pretrained(loaded.weights, dtype=torch.float32).to(job.device)
    tokenizer: PreTrainedTokenizerFast = AutoTokenizer.from_pretrained(loaded.weights)
    streams = {genre.name: torch.cat(encode(tokenizer, genre.train)) for genre in genres}
    held_out = {genre.name: torch.cat(encode(tokenizer, genre.held_out)) for genre in genres}
    return _Frozen(target, loaded.weights, streams, held_out)


def _exits(job: TrainingJob, genres: Sequence[Genre]) -> None:
    """Trains the exits, and writes how often the guesses of each are accepted into their file."""
    frozen = _frozen(job, genres)
    target, streams = frozen.target, frozen.streams
    plan = pair.Plan(
        job.exit_steps,
        tokens=EXIT_TOKENS,
        matrix_rate=0.006,
        other_rate=0.0024,
        long_share=0,
        decay=0.8,
        seed=job.seed + 3,
    )
    if job.retold_steps:
        written = replace(plan, steps=job.retold_steps, tokens=RETOLD)
        retold = pair.retell(target, streams, written, job.work / "retold-for-heads.pt")
        streams = {name: torch.cat([stream, retold[name]]) for name, stream in streams.items()}
    made = exits.new(target, job.seed).to(job.device)
    exits.train(made, target, streams, frozen.held_out, plan, job.work / "exits.pt")
    path = job.out / "heads" / "exits.safetensors"
    facts = {"layers": list(exits.depths(target)), "steps": job.exit_steps, "seed": job.seed}
    files.save(path, files.EXITS, made.state_dict(), files.target_hash(frozen.weights), facts)


def _head(kind: str, job: TrainingJob, genres: Sequence[Genre]) -> None:
    """Trains a head, and writes its overlap by depth over the steps into its file and the pair's card."""
    frozen = _frozen(job, genres)
    model, facts = heads_stage.train(kind, _heads_job(job, frozen))
    heads_stage.save(kind, model, facts, files.target_hash(frozen.weights), job.out)


def _feedback(job: TrainingJob, genres: Sequence[Genre]) -> None:
    """Writes what feedback is worth to EAGLE into the pair's card."""
    heads_stage.note("feedback", heads_stage.compare_feedback(_heads_job(job, _frozen(job, genres))), job.out)


def _heads_job(job: TrainingJob, frozen: _Frozen) -> heads_stage.Job:
    return heads_stage.Job(
        frozen.target, frozen.streams, frozen.held_out, pair.WEIGHTS, job.head_steps, job.shards, job.seed,
        job.work / "heads",
    )  # fmt: skip


_RUN: Mapping[str, Callable[[TrainingJob, Sequence[Genre]], None]] = {
    "tokenizer": _tokenizer,
    "target": _target,
    "draft": _draft,
    "counts": _counts,
    "card": _card,
    "datastore": _datastore,
    "shape": _shape,
    "exits": _exits,
    "novice": _novice,
    "hybrid": _hybrid,
    **{kind: partial(_head, kind) for kind in heads_stage.KINDS},
    "feedback": _feedback,
}
