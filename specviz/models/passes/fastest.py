"""Chooses a model's fastest forward pass on this machine, and tests that it gives the same logits as the eager one."""

import os
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import cycle, product

import torch
from torch import Tensor
from transformers import PreTrainedModel

from specviz.config import Clock
from specviz.models.hf import THREADS, HFModel
from specviz.models.hub import fits
from specviz.models.passes import lean, packed, picked
from specviz.models.passes.graphs import GraphedModel
from specviz.models.passes.lean import LeanModel
from specviz.trace.info import Forward

CONTEXTS = 200
CHUNKS = (1, 5, 17)
"""Rows at a time the fast model reads them by: a plain pass, a verify pass, a long one. The eager one needs but one."""
LAPS = 5
"""Rounds by each choice of threads that are timed at least, and how many seconds are given to more of them."""
SECONDS = 0.4
GUESSES = 4
WORTH = 1.05
"""More threads must make a round faster by this."""
CAPACITY = 2048
"""Slots of a recorded pass, which sees all of them; longer texts go the eager way, and those past a window."""
MOST = {torch.float32: 2e-4, torch.float16: 5e-3, torch.bfloat16: 4e-2}
"""How far logits may be off, as a share of the largest: the type's rounding, many layers over."""


def fastest(model: PreTrainedModel, clock: Clock = time.perf_counter, earlier: Forward | None = None) -> HFModel:
    """The model as a LanguageModel. Its `way` says which pass runs, and why not a faster one.

    A CPU gets the lean pass where the family allows it, else packed layers. A GPU gets recorded passes. Where these
    fail, the eager pass stays.

    Args:
        earlier: what timing picked in an earlier run. It is used instead of timing anew on a CPU.
    """
    if fits.LENT:
        return _stays(HFModel(model), "ZeroGPU lends its GPU for one run at a time, too short to record passes on it")
    if len(set(getattr(model, "hf_device_map", {}).values())) > 1:
        return _stays(HFModel(model), "it is spread over several devices")
    return _recorded(model) if model.device.type == "cuda" else _packed(model, clock, earlier)


def both(loads: Sequence[Callable[[], PreTrainedModel]], pair: str, device: str) -> list[HFModel]:
    """Loads target and draft of a pair with their fastest passes, or with those that SPECVIZ_PASSES names.

    Raises:
        ConfigError: SPECVIZ_PASSES names no readable trace.
    """
    earlier = picked.from_trace(pair)
    models = [fastest(load(), earlier=way) for load, way in zip(loads, earlier, strict=True)]
    if device == "cpu":
        settle_threads(models[0], models[1])
    for model, way in zip(models, earlier, strict=True):
        if way:
            model.way = replace(model.way, threads=way.threads)
    return models


def _recorded(model: PreTrainedModel) -> HFModel:
    eager = HFModel(model)
    try:
        return _tested(GraphedModel(model, min(eager.window, CAPACITY)), eager, "graphs", "", _read(eager))
    except RuntimeError as error:  # only recording shows whether CUDA can record this model
        return _stays(eager, f"its passes cannot be recorded: {str(error).splitlines()[0]}")


def _packed(model: PreTrainedModel, clock: Clock, earlier: Forward | None) -> HFModel:
    eager = HFModel(model)
    reason = _unpackable(model)
    if reason:
        return _stays(eager, reason)
    wanted = _read(eager)
    reason = lean.missing(model)
    picks = picked.parse(earlier.picked) if earlier else None
    if not reason:
        return _tested(LeanModel(model, clock, packed=True, picked=picks), eager, "lean", "", wanted)
    replaced = packed.pack(model, clock, ways=picks.ways if picks else None)
    eager.way = replace(eager.way, picked=str(picked.Picked(0, packed.ways_of(model))))
    _tested(eager, eager, "packed", reason, wanted)
    if eager.way.name == "eager":
        for parent, child, layer in replaced:
            setattr(parent, child, layer)
    return eager


def _stays(eager: HFModel, reason: str) -> HFModel:
    eager.way = replace(eager.way, reason=reason, picked="")
    return eager


def _tested(fast: HFModel, eager: HFModel, name: str, reason: str, wanted: Tensor) -> HFModel:
    """The fast model if its logits agree with the eager model's, else the eager model."""
    found = _read(fast, CHUNKS)
    error = float((found - wanted).abs().max())
    flips = int((found.argmax(-1) != wanted.argmax(-1)).sum()) if wanted.dtype == torch.float32 else 0
    if not flips and error <= MOST[wanted.dtype] * float(wanted.abs().max()):
        fast.way = Forward(name, reason, error, fast.way.threads, fast.way.picked)
        return fast
    return _stays(eager, f"{name}, logits are off by up to {error:.2g}, {flips} of {len(found)} argmaxes")


def settle_threads(
    target: HFModel,
    draft: HFModel | None,
    clock: Clock = time.perf_counter,
    seconds: float = SECONDS,
) -> None:
    """Gives each model the number of threads on which a round is fastest, THREADS at most. It is often fewer, and the
    two models often differ.

    What is timed is a target pass and GUESSES draft passes, because each model evicts the other's weights from the
    caches.
    OMP_NUM_THREADS overrides the choice.

    Args:
        seconds: how long to time rounds; at least LAPS of each choice are timed. On a shared machine another process
            may occupy a core for half a second.
    """
    if THREADS == 1 or "OMP_NUM_THREADS" in os.environ:
        return
    counts = sorted({THREADS, *(2**power for power in range(THREADS.bit_length()) if 2**power < THREADS)})
    models = [model for model in (target, draft) if model]
    caches = [model.new_cache(GUESSES + 1) for model in models]
    widths = ([GUESSES + 1], [1] * GUESSES)
    taken: dict[tuple[int, ...], list[float]] = {choice: [] for choice in product(counts, repeat=len(models))}
    laps, spent = 0, 0.0
    while laps <= LAPS or spent < seconds:
        for choice, times in taken.items():
            start = clock()
            for model, cache, passes, threads in zip(models, caches, widths, choice, strict=False):
                model.way = replace(model.way, threads=threads)
                cache.truncate(0)
                for width in passes:
                    model.forward([0] * width, range(cache.length, cache.length + width), None, cache)
            times.append(clock() - start)
            spent += times[-1]
        laps += 1
    least = {choice: min(times[1:]) for choice, times in taken.items()}  # other processes can only add time
    good = [choice for choice, took in least.items() if took <= WORTH * min(least.values())]
    best = min(good, key=sum)
    for model, threads in zip(models, best, strict=True):
        model.way = replace(model.way, threads=threads)


def _unpackable(model: PreTrainedModel) -> str:
    if model.device.type != "cpu":
        return f"packing is for the CPU, this is {model.device.type}"
    if model.dtype != torch.float32:
        return f"packing is for float32, this is {str(model.dtype).removeprefix('torch.')}"
    return packed.missing()


def _read(model: HFModel, chunks: Sequence[int] = (CONTEXTS,)) -> Tensor:
    """The logits[n, V] after each of some random tokens, the same for every model of that vocabulary."""
    count = min(CONTEXTS, model.context)
    text = torch.randint(model.vocab_size, (count,), generator=torch.Generator().manual_seed(0)).tolist()
    cache = model.new_cache(count)
    rows = []
    sizes = cycle(chunks)
    while cache.length < count:
        chunk = text[cache.length :][: next(sizes)]
        rows.append(model.forward(chunk, range(cache.length, cache.length + len(chunk)), None, cache))
    return torch.cat(rows)
