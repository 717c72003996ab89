"""A round's arrays as the plain data of a trace: the largest tokens get bars, the rest is summed token by token."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import compress
from typing import Any, NamedTuple

import numpy as np

from specviz.accept.base import Judgement
from specviz.draft.base import Guess, Proposal
from specviz.record.extras import Before, Extras, noise_of, raw_of
from specviz.sampling.arrays import Floats, Ids
from specviz.sampling.distribution import entropy
from specviz.sampling.rows import Law, Row
from specviz.sampling.ruler import largest, segment
from specviz.sampling.tree import ROOT, Scouts
from specviz.trace.guess import Bar, Extra, Rest, Scout, Source, TokenVerdict, Unchecked, Verdict, View
from specviz.trace.info import Shown
from specviz.trace.round import Learning

Piece = Callable[[int], str]
"""Gives a token's text."""

SHOWN = Shown(tested=5, untested=2, bars=12, own=2)
"""An untested slot gets fewer bars, because it decides nothing."""
NOTHING = Extras()
NO_VIEW = View((), Rest(0, 0.0, 0.0, 0.0, 0.0), 0.0)
"""Stands for the view in rounds that are timed and not shown."""
CHUNK = 8
"""Slots whose distributions are stacked at once; 64 of a large vocabulary would take too much memory."""
STEPS = np.array([10.0**power for power in range(-16, 3)])
SCALES = np.array([10.0 ** (6 - power) for power in range(-16, 4)])
"""What makes six digits of a number under each step whole; exact powers of ten."""


class Figures(NamedTuple):
    """What a round's record shows of one slot.

    Attributes:
        p, q: of its token. low, high: the token's segment of the ruler it was drawn by.
        p_entropy, q_entropy: of the target's row and of q, in six digits.
    """

    p: float = 0.0
    q: float = 0.0
    low: float = 0.0
    high: float = 0.0
    p_entropy: float = 0.0
    q_entropy: float = 0.0
    view: View = NO_VIEW


class Slot(NamedTuple):
    """A place with its distributions.

    Attributes:
        row, p: float64[V], the target's row, and what was tested or drawn from.
        q: what its token was taken from; None where nothing was guessed.
        weight: the factor of p in the residual.
        must_show: up to three tokens that always get a bar; the first is its own.
        most: how many bars each of p, q and the residual may claim, at most SHOWN.tested.
        noise: of its position, where noise decides. raw: the rows before temperature 0, the target's and the guess's.
        allowed: by the grammar; 0 for all.
        covered: the share of `row` on tokens that the draft can guess.
        before: the target's row before processors changed it.
        mixed: p is what the rule put in the place of `row`.
    """

    row: Floats
    p: Floats
    q: Law | None
    weight: float
    must_show: tuple[int, ...]
    most: int
    noise: Floats | None = None
    raw: tuple[Floats | None, Floats | None] = (None, None)
    allowed: int = 0
    covered: float = 1.0
    before: Before | None = None
    mixed: bool = False


def outcome(
    proposal: Proposal, target: Sequence[Floats], judgement: Judgement, piece: Piece | None, extras: Extras = NOTHING
) -> tuple[tuple[TokenVerdict, ...], Extra | None]:
    """Every drafted token of a round with what became of it, and the target's own token, if there is one.

    Args:
        target: the target's rows, n + 1 times float64[V].
        piece: None for a round that is timed and not shown. extras: what lies behind p and q.
    """
    tree, draw, text_of = proposal.tree, judgement.draw, piece or _nothing
    slots = [Figures()] * (len(tree) + 1)
    if piece is not None:
        slots = _figures(_slots(proposal, target, judgement, extras), piece)
    verdicts = tuple(
        TokenVerdict(
            node=node,
            parent=guess.parent,
            depth=depth,
            token=guess.token,
            text=text_of(guess.token),
            verdict=Verdict.UNTESTED if test is None else Verdict.ACCEPTED if test.won else Verdict.REJECTED,
            law=guess.q.kind,
            p=slot.p,
            q=slot.q,
            draft_u=guess.u,
            low=slot.low,
            high=slot.high,
            accept_prob=test and test.accept_prob,
            u=test and test.u,
            weight=test and test.weight,
            mass=test and test.mass,
            p_entropy=slot.p_entropy,
            q_entropy=slot.q_entropy,
            source=_source(guess.source, text_of),
            view=slot.view,
            entropy=test.entropy if test else 0.0,
            rank=test.rank if test else 0,
        )
        for node, (guess, depth, test, slot) in enumerate(
            zip(proposal.guesses, tree.depths(), judgement.tests, slots, strict=False)
        )
    )
    if draw is None:
        return verdicts, None
    own = slots[-1]
    if draw.node is not None and piece is not None:
        low, high = segment(judgement.p[-1], draw.token)
        own = Figures(target[tree.parents[draw.node] + 1].item(draw.token), 0.0, low, high, view=slots[draw.node].view)
    return verdicts, Extra(
        token=draw.token,
        text=text_of(draw.token),
        emission=draw.emission,
        p=own.p,
        u=draw.u,
        low=own.low,
        high=own.high,
        view=own.view,
        zero_residual=draw.zero_residual,
        node=draw.node,
    )


def scouts(read: Scouts | None, piece: Piece | None) -> tuple[Scout, ...]:
    """What the pass read besides the guesses."""
    if read is None:
        return ()
    text_of = piece or _nothing
    return tuple(Scout(token, text_of(token), depth) for token, depth in zip(read.tokens, read.depths, strict=True))


def unchecked(cut: Sequence[Guess], depths: Sequence[int], piece: Piece) -> tuple[Unchecked, ...]:
    """What a γ rule cut from a draft of these depths."""
    every, found = [*depths], list[Unchecked]()
    for guess in cut:
        every.append(0 if guess.parent == ROOT else every[guess.parent] + 1)
        found.append(Unchecked(guess.parent, every[-1], guess.token, piece(guess.token), guess.q.of(guess.token)))
    return tuple(found)


def learning(learned: Learning | None, piece: Piece | None) -> Learning | None:
    """What the drafter had learned, with the text of the token that its last update moved."""
    if learned is None or learned.moved is None:
        return learned
    return replace(learned, moved=replace(learned.moved, text=(piece or _nothing)(learned.moved.token)))


def _nothing(token: int) -> str:
    return ""


def _source(source: Source, text_of: Piece) -> Source:
    """With the texts of its tokens."""
    if not (source.inner or source.tables or source.passage):
        return source
    return replace(
        source,
        inner=source.inner and replace(source.inner, text=text_of(source.inner.token)),
        tables=tuple(
            replace(table, followers=tuple(replace(each, text=text_of(each.token)) for each in table.followers))
            for table in source.tables
        ),
        passage=source.passage and replace(source.passage, texts=tuple(map(text_of, source.passage.tokens))),
    )


def _slots(proposal: Proposal, target: Sequence[Floats], judgement: Judgement, extras: Extras) -> list[Slot]:
    """One for each guess, and one more if the target's own token is a bonus."""
    draw, slots, depths = judgement.draw, list[Slot](), proposal.tree.depths()
    weights = {ROOT: 1.0}  # of each node, after the children tested so far
    places = set[int]()  # where a child was tested
    for node, (guess, test) in enumerate(zip(proposal.guesses, judgement.tests, strict=True)):
        row, weight = target[guess.parent + 1], 1.0
        tested = (extras.laws or target)[guess.parent + 1]
        if test and guess.parent in places:
            tested = judgement.p[node]
        if test:
            places.add(guess.parent)
        if test and test.weight is not None:
            weight, weights[node] = weights[guess.parent], test.weight
            if guess.parent in proposal.tree.parents[node + 1 :]:
                mass = float(np.maximum(weight * tested - guess.q.dense(len(row)), 0).sum())
                whole = mass + (1 - weight)
                weights[guess.parent] = mass / whole if whole > 0 else 1.0
        noise, raw, allowed, before = _extras_at(extras, guess.parent + 1, depths[node], row)
        must_show = (guess.token, *([draw.token] if draw and draw.node == node else []), *_lost(before))
        most = SHOWN.tested if test else SHOWN.untested
        rows = (raw, guess.raw)
        covered = _covered(row, extras)
        mixed = bool(extras.laws) and guess.parent not in proposal.tree.parents[:node]
        slots.append(Slot(row, tested, guess.q, weight, must_show, most, noise, rows, allowed, covered, before, mixed))
    if draw and draw.node is None:
        place = (judgement.path or (ROOT,))[-1] + 1
        row = target[place]
        noise, raw, allowed, before = _extras_at(extras, place, len(judgement.path), row)
        must_show = (draw.token, *_lost(before))
        slots.append(Slot(row, row, None, 1.0, must_show, SHOWN.tested, noise, (raw, None), allowed, before=before))
    return slots


def _covered(row: Floats, extras: Extras) -> float:
    return 1.0 if extras.covered is None else float(f"{row[extras.covered].sum():.6g}")


def _extras_at(
    extras: Extras, place: int, depth: int, row: Floats
) -> tuple[Floats | None, Floats | None, int, Before | None]:
    """The noise at a depth; a row of the target's before temperature 0, how many tokens are allowed in it, and what it
    was before processors.
    """
    raw, allowed = extras.raw[place] if extras.raw else None, extras.allowed[place] if extras.allowed else 0
    return extras.noise and extras.noise(depth), raw, allowed, extras.before and extras.before(place, row)


def _lost(before: Before | None) -> tuple[int, ...]:
    return () if before is None else (before.lost,)


def _figures(slots: Sequence[Slot], piece: Piece) -> list[Figures]:
    return [each for start in range(0, len(slots), CHUNK) for each in _stacked(slots[start : start + CHUNK], piece)]


def _stacked(slots: Sequence[Slot], piece: Piece) -> list[Figures]:
    """All slots at once. A view has bars for the largest of p, q and max(0, weight * p - q), a bucket for the rest.

    They are ranked in float32, which takes half the time: its ties, and what is 0 there, go by id.
    """
    size = len(slots[0].p)
    p = np.array([slot.p for slot in slots])
    q = np.array([np.zeros(size) if slot.q is None else slot.q.dense(size) for slot in slots])
    both = np.minimum(p, q)
    if all(slot.weight == 1 for slot in slots):
        missed = p - both
    else:
        weighed = np.array([[slot.weight] for slot in slots]) * p
        missed = weighed - np.minimum(weighed, q)
    rough = np.array([p, q, missed], dtype=np.float32)
    entropies = entropy(rough[:2])
    for place, slot in enumerate(slots):
        if slot.p is not slot.row:
            entropies[0, place] = entropy(slot.row.astype(np.float32))
    tops = largest(rough.reshape(-1, size), SHOWN.tested).reshape(3, len(slots), -1)
    own_bars = SHOWN.own + any(slot.before is not None for slot in slots)
    ids = np.concatenate([[(slot.must_show * own_bars)[:own_bars] for slot in slots], *tops], 1)
    places = np.arange(len(slots))[:, None]
    shown = np.array([each[places, ids] for each in (p, q, missed)])
    chosen = _chosen(slots, ids, shown, tops.shape[-1])
    barred = np.zeros(ids.shape)
    for place, columns in enumerate(chosen):
        barred[place, columns] = 1.0
    overlaps = both.sum(-1)
    whole = [[1.0] * len(slots), [float(slot.q is not None) for slot in slots], missed.sum(-1), overlaps]
    hidden = np.maximum(whole - (np.array([*shown, shown[:2].min(0)]) * barred).sum(-1), 0)
    numbers = _six_digits(np.array([*hidden, overlaps, *entropies]).T)
    bars = _six_digits(shown.transpose(1, 2, 0))
    found = []
    for slot, tokens, figures, columns, number, own in zip(
        slots, ids.tolist(), bars, chosen, numbers, shown[:, :, 0].T.tolist(), strict=True
    ):
        rest_p, rest_q, rest_residual, rest_overlap, overlap, p_entropy, q_entropy = number
        own_p, own_q, _ = own
        low, high = _segment(slot)
        made = tuple([Bar(tokens[at], piece(tokens[at]), *figures[at]) for at in columns])
        rest = Rest(size - len(made), rest_p, rest_q, rest_overlap, rest_residual)
        noise, raw = noise_of(made, slot.noise), raw_of(slot.raw, slot.must_show, piece)
        view = View(made, rest, overlap, noise, raw, slot.allowed, slot.covered)
        if slot.before:
            view.before, view.changed = slot.before.of(made)
        if slot.mixed:
            view.target = tuple(_six_digits(slot.row[[bar.token for bar in made]]))
            view.distance = float(f"{np.abs(slot.p - slot.row).sum() / 2:.6g}")
        found.append(Figures(own_p, own_q, low, high, p_entropy, q_entropy, view))
    return found


def _chosen(slots: Sequence[Slot], ids: Ids, shown: Floats, width: int) -> list[list[int]]:
    """Which columns of ids get a bar, by slot: the largest max(p, q) first, ties by id.

    Tokens in must_show always get one, so do those that q missed most of; then the others while there is room.

    Args:
        ids: [n, m + 3 width], tokens that must be shown, and the largest of p, of q and of what q missed.
        shown: float64[3, n, m + 3 width], these three at ids.
    """
    order, some = np.lexsort((ids, -shown[:2].max(0))).tolist(), (shown > 0).tolist()
    found = []
    for place, (slot, tokens, by_size) in enumerate(zip(slots, ids.tolist(), order, strict=True)):
        most = min(slot.most, width)
        p, q, missed = (
            {*compress(tokens[first : first + most], which[place][first : first + most])}
            for first, which in zip(range(len(tokens) - 3 * width, len(tokens), width), some, strict=True)
        )
        certain, likely = missed.union(slot.must_show), p | q
        room, columns, last = SHOWN.bars - len(certain), list[int](), -1
        for at in by_size:
            token = tokens[at]
            if token != last and (token in certain or (room and token in likely)):
                columns.append(at)
                room -= token not in certain
            last = token
        found.append(columns)
    return found


def _segment(slot: Slot) -> tuple[float, float]:
    """The target's own token, on the ruler of the distribution it was drawn from."""
    if slot.q is None:
        return segment(slot.p, slot.must_show[0])
    return segment(slot.q.probs, slot.must_show[0]) if isinstance(slot.q, Row) else (0.0, 1.0)


def _six_digits(numbers: Floats) -> Any:
    """Nonnegative numbers with six significant digits, as nested lists."""
    scale = SCALES[STEPS.searchsorted(numbers, "right")]
    rounded = np.rint(numbers * scale) / scale
    small = (numbers > 0) & (numbers < STEPS[0])
    if small.any():
        rounded[small] = [float(f"{number:.6g}") for number in numbers[small].tolist()]
    return rounded.tolist()
