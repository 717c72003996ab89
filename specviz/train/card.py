"""A pair's card: its sizes, its training data, and how well it does on text that neither model has seen."""

import math
import platform
import statistics
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import torch
from torch.nn import functional
from transformers import PreTrainedModel

import specviz
from specviz import session
from specviz.config.settings import RunConfig
from specviz.lab import stopwatch
from specviz.models.border import THREADS
from specviz.models.hf import HFModel
from specviz.models.pair import Pair
from specviz.trace.metrics import Summary, summarize
from specviz.trace.round import Round
from specviz.train.corpus import Genre

SOURCES: Mapping[str, Mapping[str, str]] = {
    "tales": {
        "what": "35 books of fairy tales and children's stories",
        "source": "Project Gutenberg editions, headers and footers removed",
        "licence": "public domain in the USA",
    },
    "verse": {
        "what": "nine tenths of Tiny Shakespeare",
        "source": "sample data of the char-rnn project, A. Karpathy",
        "licence": "public domain",
    },
    "code": {
        "what": "Python's standard library, without its tests",
        "source": "CPython 3.11, copyright 2001-2023 Python Software Foundation, all rights reserved",
        "licence": "PSF-2.0",
    },
}
DRAFTERS: tuple[tuple[str, str, Mapping[str, float]], ...] = (
    ("small model", "small-model", {}),
    ("n-gram", "ngram", {}),
    ("bigram", "bigram", {}),
    ("bigram, k = 1", "bigram", {"k": 1.0}),
)
Models = Mapping[str, PreTrainedModel]
"""The target and the draft model, by name."""
PROMPT_TOKENS = 64
STRIDE = 512
"""Tokens of a passage that one pass scores."""
PROMPTS = 96
"""Runs of each drafter on each genre, spread over the genre's held-out passages."""


def measure(pair: Pair, models: Models, genres: Sequence[Genre]) -> dict[str, Any]:
    """The loss of both models, the acceptance and tokens per pass of every drafter, and the time per token.

    All on held-out text. Acceptance is accepted / tested at temperature 0.8 and gamma 4, over runs of 64 tokens. Each
    run's prompt is 64 held-out tokens, evenly spaced over the genre's passages. The passes are timed without compiling.
    """
    return unclocked(pair, models, genres, DRAFTERS, PROMPTS) | {
        "milliseconds_per_token": {name: _milliseconds(HFModel(model)) for name, model in models.items()},
        "measured_on": {
            "machine": f"{platform.machine()}, {THREADS} thread{'s' * (THREADS > 1)}",
            "torch": torch.__version__,
            "dtype": pair.dtype,
            "specviz": specviz.__version__,
        },
    }


def unclocked(
    pair: Pair,
    models: Models,
    genres: Sequence[Genre],
    drafters: Sequence[tuple[str, str, Mapping[str, float]]],
    prompts: int,
) -> dict[str, Any]:
    """The figures of `measure` that need no clock, of these drafters, over that many prompts of each genre."""
    return {
        "loss": {genre.name: {name: _loss(model, pair, genre) for name, model in models.items()} for genre in genres},
        "acceptance": {
            title: {genre.name: _acceptance(_runs(pair, genre, drafter, params, prompts)) for genre in genres}
            for title, drafter, params in drafters
        },
    }


def sizes(models: Models) -> dict[str, Any]:
    """Both models' shapes and parameter counts, and the size of the vocabulary."""
    return {
        name: {
            "parameters": sum(weight.numel() for weight in model.parameters()),
            "layers": model.config.num_hidden_layers,
            "hidden": model.config.hidden_size,
            "context": model.config.max_position_embeddings,
        }
        for name, model in models.items()
    } | {"vocabulary": models["target"].config.vocab_size}


def table(card: Mapping[str, Any]) -> str:
    """The measured figures as the table in the README."""
    measured = card["measured"]
    genres = list(measured["loss"])
    rows = [
        "| held-out text | " + " | ".join(genres) + " |",
        "|---|" + "---|" * len(genres),
        *(
            f"| {name} loss, nats per token | "
            + " | ".join(f"{measured['loss'][genre][name]:.2f}" for genre in genres)
            + " |"
            for name in ("target", "draft")
        ),
        *(
            f"| {title}: α, tokens per target pass | "
            + " | ".join(f"{row[genre]['alpha']:.2f}, {row[genre]['tokens_per_pass']:.2f}" for genre in genres)
            + " |"
            for title, row in measured["acceptance"].items()
        ),
    ]
    return "\n".join(rows)


@torch.inference_mode()
def _loss(model: PreTrainedModel, pair: Pair, genre: Genre) -> float:
    """Nats per token over the held-out passages. Each token sees as much of its passage as the context holds."""
    total, count = 0.0, 0
    for text in genre.held_out:
        ids = torch.tensor(pair.tokenizer.encode(text))
        for start in range(0, len(ids) - 1, STRIDE):
            end = min(start + STRIDE, len(ids) - 1)
            window = ids[max(0, end - pair.target.context) : end + 1]
            logits = model(input_ids=window[None, :-1]).logits[0, start - end :]
            total += functional.cross_entropy(logits.float(), ids[start + 1 : end + 1], reduction="sum").item()
            count += end - start
    return round(total / count, 4)


def _runs(pair: Pair, genre: Genre, drafter: str, params: Mapping[str, float], prompts: int) -> Summary:
    rounds: list[Round] = []
    for seed, prompt in enumerate(beginnings(pair, genre, prompts)):
        rounds += session.start(RunConfig(prompt, drafter=drafter, params=params, seed=seed), pair)
    return summarize(rounds)


def beginnings(pair: Pair, genre: Genre, count: int) -> Iterator[str]:
    """`count` prompts of PROMPT_TOKENS held-out tokens each, evenly spaced over the genre's passages."""
    passages = [pair.tokenizer.encode(text) for text in genre.held_out]
    for number in range(count):
        share, passage = math.modf(number * len(passages) / count)
        ids = passages[int(passage)]
        start = int(share * max(0, len(ids) - PROMPT_TOKENS))
        yield pair.tokenizer.decode(ids[start : start + PROMPT_TOKENS])


def _acceptance(summary: Summary) -> dict[str, float]:
    assert summary.alpha is not None, "64-token runs test drafts"
    assert summary.tokens_per_pass is not None, "64-token runs have rounds"
    return {
        "alpha": round(summary.alpha, 4),
        "tokens_per_pass": round(summary.tokens_per_pass, 3),
        "tested": summary.tested,
    }


def _milliseconds(model: HFModel, steps: int = 64) -> float:
    """The median time of a pass over one token, with 128 tokens in the cache."""
    return round(statistics.median(stopwatch.passes(model, (1,), 128, steps, time.perf_counter)[1]), 3)


def sources(genres: Iterable[str]) -> dict[str, Mapping[str, str]]:
    """Each genre's content, source and licence. A genre that SOURCES lacks is "not recorded"."""
    unknown = {"what": "text", "source": "not recorded", "licence": "not recorded"}
    return {genre: SOURCES.get(genre, unknown) for genre in genres}
