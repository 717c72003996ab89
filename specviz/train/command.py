"""How the embedded pair is made, stage by stage: tokenizer, target, draft, counts, card.

Each stage reads what the ones before it wrote to the output folder; work in
progress (checkpoints, encoded text) lives in the work folder.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor
from transformers import AutoTokenizer, LlamaForCausalLM, PreTrainedTokenizerFast

from specviz.train import pair
from specviz.train.corpus import Genre, encode, read_genres, train_tokenizer

STAGES = ("tokenizer", "target", "draft", "counts", "card")
VOCAB_SIZE = 4096
CONTEXT = 1024
SHARD = "9MB"


@dataclass(frozen=True, slots=True)
class Job:
    """Where the text is, where the pair goes, and how long to train."""

    corpus: Path
    out: Path
    work: Path
    target_steps: int = 4500
    draft_steps: int = 3000
    seed: int = 0
    device: str = "cpu"


def train(job: Job, stages: Sequence[str] = STAGES) -> None:
    """Runs the stages in order. A stage that was stopped goes on from its last checkpoint.

    Raises:
        FileNotFoundError: no text, or a stage's input was not made yet.
        ValueError: a text too short to split.
    """
    genres = read_genres(job.corpus)
    for stage in STAGES:
        if stage in stages:
            _RUN[stage](job, genres)


def _tokenizer(job: Job, genres: Sequence[Genre]) -> None:
    train_tokenizer(genres, VOCAB_SIZE, CONTEXT).save_pretrained(job.out / "target")


def _target(job: Job, genres: Sequence[Genre]) -> None:
    model = pair.new_model(pair.TARGET, VOCAB_SIZE, CONTEXT, job.seed, tied=False).to(job.device)
    plan = pair.Plan(job.target_steps, tokens=4096, matrix_rate=0.01, other_rate=0.004, seed=job.seed)
    pair.train_target(model, _streams(job, genres), plan, job.work / "target.pt")
    _ship(model, job.out / "target")


def _draft(job: Job, genres: Sequence[Genre]) -> None:
    target = LlamaForCausalLM.from_pretrained(job.out / "target", dtype=torch.float32).to(job.device)
    draft = pair.new_model(pair.DRAFT, VOCAB_SIZE, CONTEXT, job.seed).to(job.device)
    plan = pair.Plan(job.draft_steps, tokens=4096, matrix_rate=0.01, other_rate=0.004, seed=job.seed + 1)
    pair.distil_draft(draft, target, _streams(job, genres), plan, job.work / "draft.pt")
    _ship(draft, job.out / "draft")


def _ship(model: LlamaForCausalLM, folder: Path) -> None:
    """fp16 on disk, in files small enough for plain git."""
    model.to("cpu", torch.float16).save_pretrained(folder, max_shard_size=SHARD)


def _read_tokenizer(job: Job) -> PreTrainedTokenizerFast:
    tokenizer: PreTrainedTokenizerFast = AutoTokenizer.from_pretrained(job.out / "target")
    return tokenizer


def _streams(job: Job, genres: Sequence[Genre]) -> dict[str, Tensor]:
    """Each genre's training text as one stream of ids."""
    tokenizer = _read_tokenizer(job)
    return {genre.name: torch.cat(encode(tokenizer, genre.train)) for genre in genres}


_RUN = {"tokenizer": _tokenizer, "target": _target, "draft": _draft}
