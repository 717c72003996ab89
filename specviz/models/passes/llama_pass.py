"""The forward pass of the Llama family over a few rows, compiled with numba.

One pass for every number of rows and threads, in a chain or in a tree. A row's logits are equal to the bit whatever
rows it is computed with: products are made by `tile`, attention goes over the slots a row sees in their order, and sums
that a processor may reorder have an order that depends on their length alone.
"""

import os
import threading
from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import cache
from pathlib import Path
from queue import SimpleQueue
from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numba.core import event
from numpy.typing import NDArray

from specviz.config.words import Sentence, sentence
from specviz.models.passes.tile import EXACT, LANES, STRIP, SUMS, exp, multiply, shares
from specviz.sampling.arrays import Ids, Reals

STAGES = 5
"""The parts of a layer, after each of which threads wait for each other."""
MOST = 16
"""Threads of a team; more would wait for each other in the small layers."""
QUOTA = Path("/sys/fs/cgroup/cpu.max")
SKIPPED = 64
"""Slots that no row sees are skipped so many at a time, on every processor: whole strips of each."""
ZERO, ONE = np.int64(0), np.int64(1)
"""0 and 1 as variables: numba would compile `multiply` again for each whole number that it is called with."""
BEHIND = 4
"""Passes that wait for a thread, from which on it gets no more: it would come too late for them."""


class Linear(NamedTuple):
    """Linear layers: panels[layers, outputs / LANES, inputs, LANES]; scale and bias, float32[layers, 2, outputs]."""

    panels: NDArray[Any]
    sides: Reals


class Weights(NamedTuple):
    """A model's weights, by layer.

    Attributes:
        norms: float32[layers, 2, width], before attention and before the feed-forward layers.
        head_norms: float32[layers, 2, dim], of each head's queries and keys; [layers, 0, dim] if there are none.
        qkv, mix, wide, narrow: attention's projections, its output, gate and up one after the other, down.
        norm, head: the final norm, float32[width], and the output layer.
    """

    norms: Reals
    head_norms: Reals
    qkv: Linear
    mix: Linear
    wide: Linear
    narrow: Linear
    norm: Reals
    head: Linear


class Room(NamedTuple):
    """Where a pass works, float32[n, ...] each. Outputs are padded to whole strips, those of heads head by head.

    Attributes:
        x: the embeddings or states it begins with, and the states it ends with.
        read: what attention reads instead of the normed states; [n, 0]: nothing.
        states: [k, n, width], the states that are kept. which: int64[layers + 1], the number under which a layer's are
            kept; -1: they are not. 0 is the embedding, the last layer's are those after the final norm.
    """

    x: Reals
    read: Reals
    qkv: Reals
    mixed: Reals
    wide: Reals
    logits: Reals
    states: Reals
    which: Ids
    counters: Ids


@njit(**EXACT)
def _copied(rows, to):
    """A slice's assignment, without the sentence about unlike shapes that numba would compile for seconds."""
    for i in range(rows.shape[0]):
        for j in range(rows.shape[1]):
            to[i, j] = rows[i, j]


@njit(**SUMS)
def _dot(a, b):
    total = np.float32(0)
    for i in range(len(a)):
        total += a[i] * b[i]
    return total


@njit(**EXACT)
def _normed(x, weight, eps, out):
    """RMS norm of every row, over as many numbers as there are weights."""
    width = len(weight)
    for i in range(len(x)):
        row = x[i, :width]
        scale = np.float32(1) / np.sqrt(_dot(row, row) / np.float32(width) + eps)
        for j in range(width):
            out[i, j] = weight[j] * (row[j] * scale)


@njit(**EXACT)
def _turned(row, cos, sin):
    """Rotates one head in place."""
    half = len(row) // 2
    for j in range(half):
        a, b = row[j], row[half + j]
        row[j], row[half + j] = a * cos[j] - b * sin[j], b * cos[j] + a * sin[j]


@njit(**SUMS)
def _softmax(scores):
    top = scores[0]
    for score in scores:
        top = max(top, score)
    total = np.float32(0)
    for i in range(len(scores)):
        scores[i] = exp(scores[i] - top)
        total += scores[i]
    scores *= np.float32(1) / total


@njit(**EXACT)
def _hole(base, mask, slots):
    """Slots that no row sees and that are skipped, the first such gap: where it begins, and where it ends."""
    j = front = 0
    for gap in (False, True):
        while j < mask.shape[1] and mask[:, j].any() != gap:
            j += 1
        if not gap:
            front = base + j + SKIPPED - 1 & -SKIPPED
    back = base + j & -SKIPPED
    return (front, back) if front < back else (slots, slots)


@njit(**EXACT)
def _weighed(row, base, mask, hole, found):
    """A row's scores become weights: the softmax over the slots that it sees, in their order, and 0 at the others."""
    for j in range(base):
        found[j] = row[j]
    seen, count = ((0, min(hole[0] - base, len(mask))), (hole[1] - base, len(mask))), base
    for begin, end in seen:
        for j in range(begin, end):
            if mask[j]:
                found[count] = row[base + j]
                count += 1
    _softmax(found[:count])
    for j in range(base):
        row[j] = found[j]
    count = base
    for begin, end in seen:
        for j in range(begin, end):
            row[base + j] = 0
            if mask[j]:
                row[base + j] = found[count]
                count += 1


@njit(**EXACT)
def _attended(queries, keys, values, base, mask, hole, found, scores, out, first):
    """out[n, first:] = a head's attention over keys[slots / LANES, dim, LANES], values[dim / LANES, slots, LANES].

    Row i sees all slots before `base`, and base + j where mask[i, j]. None sees those of the hole.
    """
    (front, back), slots = hole, scores.shape[1]
    multiply(queries, keys, None, scores, ZERO, front // LANES, ZERO, ZERO)
    multiply(queries, keys, None, scores, back // LANES, (slots - back) // LANES, back, ZERO)
    for i in range(len(queries)):
        _weighed(scores[i], base, mask[i], hole, found)
    multiply(scores[:, :front], values[:, :front], None, out, ZERO, len(values), first, ZERO)
    if front < back:
        multiply(scores[:, back:], values[:, back:], None, out, ZERO, len(values), first, ONE)


@njit(**EXACT)
def _projected(w, layer, shape, eps, read, turns, keys, values, before, room):
    """Stage 0: queries, keys and values, head by head; keys and values go into their slots."""
    (heads, kv_heads, dim), qkv = shape, room.qkv
    panels, sides, root = w.qkv.panels[layer], w.qkv.sides[layer], np.float32(dim**-0.5)
    padded = dim + STRIP - 1 & -STRIP
    for head in shares(room.counters.ctypes.data, STAGES * layer, heads + 2 * kv_heads):
        first = head * padded
        multiply(read, panels, sides, qkv, first // LANES, padded // LANES, first, ZERO)
        for i in range(len(read)):
            slot, row = before + i, qkv[i, first : first + dim]
            if head < heads + kv_heads:
                if w.head_norms.shape[1]:
                    both = qkv[i : i + 1, first : first + dim]
                    _normed(both, w.head_norms[layer, int(head >= heads)], eps, both)
                _turned(row, turns[i, 0], turns[i, 1])
            if head < heads:
                for j in range(dim):
                    row[j] *= root
            elif head < heads + kv_heads:
                for j in range(dim):
                    keys[layer, head - heads, slot // LANES, j, slot % LANES] = row[j]
            else:
                for j in range(dim):
                    values[layer, head - heads - kv_heads, j // LANES, slot, j % LANES] = row[j]


@njit(**EXACT)
def _fed(w, layer, normed, fed, room):
    """Stage 3: SiLU(gate) * up, strip by strip."""
    wide, panels, sides = room.wide, w.wide.panels[layer], w.wide.sides[layer]
    strip, up = STRIP // LANES, wide.shape[1] // LANES
    for part in shares(room.counters.ctypes.data, STAGES * layer + 3, wide.shape[1] // STRIP):
        multiply(normed, panels, sides, fed, part * strip, strip, ZERO, ZERO)
        multiply(normed, panels, sides, fed, up + part * strip, strip, np.int64(STRIP), ZERO)
        for i in range(len(normed)):
            for j in range(STRIP):
                gate = fed[i, j]
                wide[i, part * STRIP + j] = gate / (np.float32(1) + exp(-gate)) * fed[i, STRIP + j]


def take_part(w, shape, eps, part, speaks, turns, base, mask, keys, values, before, room):
    """Takes part in a pass of len(room.x) tokens after `before` others.

    Args:
        shape: heads for queries, heads for keys and values, numbers of a head.
        part: the first layer it runs, and the one it stops before.
        speaks: 0: it ends with states. 1: with logits. 2: with logits of states that are normed already.
        turns: float32[n, 2, dim / 2], cosine and sine of each token's position.
        base, mask: row i sees all slots before `base`, and base + j where mask[i, j], bool[n, m].
    """
    (heads, kv_heads, dim), x, strip = shape, room.x, STRIP // LANES
    n, width, length = len(x), len(w.norm), before + len(x)
    normed, fed = np.empty((n, width), np.float32), np.empty((n, 2 * STRIP), np.float32)
    found, scores = np.empty(length, np.float32), np.empty((n, length + STRIP - 1 & -STRIP), np.float32)
    hole = _hole(base, mask, scores.shape[1])
    for layer in range(part[0], part[1]):
        stage = STAGES * layer
        _normed(x, w.norms[layer, 0], eps, normed)
        read = room.read if room.read.shape[1] else normed
        _projected(w, layer, shape, eps, read, turns, keys, values, before, room)
        for head in shares(room.counters.ctypes.data, stage + 1, heads):
            shared, first = head * kv_heads // heads, head * (dim + STRIP - 1 & -STRIP)
            queries, shown = room.qkv[:, first : first + dim], values[layer, shared, :, :length]
            _attended(queries, keys[layer, shared], shown, base, mask, hole, found, scores, room.mixed, first)
        for own in shares(room.counters.ctypes.data, stage + 2, x.shape[1] // STRIP):
            multiply(room.mixed, w.mix.panels[layer], w.mix.sides[layer], x, own * strip, strip, own * STRIP, ONE)
        _normed(x, w.norms[layer, 1], eps, normed)
        _fed(w, layer, normed, fed, room)
        for own in shares(room.counters.ctypes.data, stage + 4, x.shape[1] // STRIP):
            multiply(room.wide, w.narrow.panels[layer], w.narrow.sides[layer], x, own * strip, strip, own * STRIP, ONE)
            if room.which[layer + 1] >= 0 and layer + 1 < len(w.norms):
                some = slice(own * STRIP, own * STRIP + STRIP)
                _copied(x[:, some], room.states[room.which[layer + 1], :, some])
    if speaks:
        _copied(x[:, :width], normed)
        if speaks == 1:
            _normed(x, w.norm, eps, normed)
        for own in shares(room.counters.ctypes.data, STAGES * len(w.norms), room.logits.shape[1] // STRIP):
            multiply(normed, w.head.panels[0], w.head.sides[0], room.logits, own * strip, strip, own * STRIP, ZERO)
            if own == 0 and room.which[-1] >= 0:
                _copied(normed, room.states[room.which[-1]])


def made_ready() -> Any:
    """`take_part`, to be compiled at its first use, or to be found in numba's cache."""
    try:
        return njit(cache=True, **EXACT)(take_part)
    except RuntimeError:  # numba finds no folder that it may write to, so every process compiles again
        return njit(**EXACT)(take_part)


_pass = made_ready()


class Team:
    """Threads that take part in a pass as soon as they run; what they do not get to do, the caller does."""

    def __init__(self, threads: int) -> None:
        self.threads = threads
        self._inboxes: list[SimpleQueue[Any]] = [SimpleQueue() for _ in range(threads - 1)]
        for inbox in self._inboxes:
            threading.Thread(target=self._serve, args=(inbox,), daemon=True).start()

    @staticmethod
    def _serve(inbox: "SimpleQueue[Any]") -> None:
        while True:
            _pass(*inbox.get())

    def run(self, arguments: tuple[Any, ...], helpers: int) -> None:
        """A pass, by the caller and at most that many others. Safe to call from several threads."""
        for inbox in self._inboxes[:helpers]:
            if inbox.qsize() < BEHIND:
                inbox.put(arguments)
        _pass(*arguments)


@cache
def team() -> Team:
    """The process's own: as many threads as OMP_NUM_THREADS says, else as there are cores for it, MOST of them."""
    wanted = os.environ.get("OMP_NUM_THREADS", "")
    if wanted.isdigit() and int(wanted):
        return Team(int(wanted))
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if QUOTA.exists():  # a container may use less than it sees
        share, period = QUOTA.read_text(encoding="ascii").split()
        cores = cores if share == "max" else min(cores, max(1, int(share) // int(period)))
    return Team(min(cores, MOST))


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=team.cache_clear)  # threads do not come along


class _Compiling(event.Listener):
    def __init__(self, tell: Callable[[Sentence], None]) -> None:
        self._tell, self._told = tell, False

    def on_start(self, event: Any) -> None:
        if not self._told:
            self._told = True
            self._tell(sentence("controls.pairs.compiling"))

    def on_end(self, event: Any) -> None:
        """Reports nothing."""


def telling(tell: Callable[[Sentence], None]) -> AbstractContextManager[object]:
    """While it is open, `tell` hears of the first function that numba compiles. It hears nothing of cached ones."""
    found: AbstractContextManager[object] = event.install_listener("numba:compile", _Compiling(tell))
    return found
