"""Two small traces made by hand: a tree, and a chain of point masses. Every number follows from the laws below.

The tree's first round, children drawn without replacement, each under the guess it follows:

    the pending token → " cat" refused → " sat" untested
                      → " dog" kept    → " sat" refused
                                       → " ran" kept → " off" refused, " home" drawn from what that left
"""

import math
from collections.abc import Sequence

from specviz.config.settings import Budget, LawKind, Rolls, RunConfig, Shape
from specviz.trace.guess import Bar, Emission, Extra, Rest, Source, TokenVerdict, Verdict, View
from specviz.trace.info import DraftCache, Forward, RunInfo, Traits
from specviz.trace.round import CacheSpan, Calls, Drafting, Round, Timing
from specviz.trace.run import Stop, Trace

Row = tuple[float, ...]
WORDS = (" the", " cat", " dog", " sat", " ran", " off", " home", ".")
EAGER = Forward("eager", "", None, 1)


def segment(law: Sequence[float], token: int) -> tuple[float, float]:
    """Where a token stands on a law's ruler: most probable first, ties by id."""
    order = sorted(range(len(law)), key=lambda each: (-law[each], each))
    total = sum(law)
    low = sum(law[each] for each in order[: order.index(token)])
    return low / total, min(1.0, (low + law[token]) / total)


def refused(p: Row, q: Row) -> Row:
    """What a refusal leaves of p."""
    over = [max(0.0, a - b) for a, b in zip(p, q, strict=True)]
    return tuple(each / sum(over) for each in over)


def without(q: Row, *tokens: int) -> Row:
    """q of a sibling drawn after these."""
    left = [0.0 if token in tokens else each for token, each in enumerate(q)]
    return tuple(each / sum(left) for each in left)


def point(token: int) -> Row:
    return tuple(float(each == token) for each in range(len(WORDS)))


def _view(p: Row, q: Row) -> View:
    """Every token has a bar."""
    order = sorted(range(len(p)), key=lambda token: (-max(p[token], q[token]), token))
    bars = tuple(Bar(token, WORDS[token], p[token], q[token], max(0.0, p[token] - q[token])) for token in order)
    return View(bars, Rest(0, 0.0, 0.0, 0.0, 0.0), sum(map(min, p, q)))


def _entropy(law: Row) -> float:
    return float(f"{-sum(each * math.log(each) for each in law if each):.6g}")


def guess(
    node: int, parent: int, depth: int, token: int, p: Row, q: Row, source: Source, *,
    u: float | None = None, drawn: float | None = None, plain: Row | None = None,
) -> TokenVerdict:  # fmt: skip
    """A guess tested by u against p, which is what earlier siblings left of `plain`; untested without u."""
    chance = min(1.0, p[token] / q[token])
    verdict = Verdict.UNTESTED if u is None else Verdict.ACCEPTED if u < chance else Verdict.REJECTED
    kind, place = (LawKind.POINT, (0.0, 1.0)) if drawn is None else (LawKind.ROW, segment(q, token))
    assert drawn is None or place[0] <= drawn < place[1]
    return TokenVerdict(
        node, parent, depth, token, WORDS[token], verdict, kind, p[token], q[token], drawn, *place,
        None if u is None else chance, u, None, None, _entropy(plain or p), _entropy(q), source, _view(p, q),
    )  # fmt: skip


def own(token: int, p: Row, u: float, refusal: tuple[int, Row, Row] | None = None) -> Extra:
    """The target's token, drawn by u: from p, its plain row, or from what a refusal left: its node, p and q there."""
    law = p if refusal is None else refused(*refusal[1:])
    place = segment(law, token)
    assert place[0] <= u < place[1]
    emission = Emission.BONUS if refusal is None else Emission.RESAMPLED
    view = _view(p, (0.0,) * len(p)) if refusal is None else _view(*refusal[1:])
    return Extra(token, WORDS[token], emission, p[token], u, *place, view, False, refusal and refusal[0])


def _info(config: RunConfig, traits: Traits, caches: tuple[DraftCache, ...]) -> RunInfo:
    return RunInfo(
        config, "rejection", traits, "fixed", "made by hand", config.drafter, EAGER, caches, len(WORDS), 64, (), 4096,
        "cpu", "float64", {}, "2026-01-01T00:00:00+00:00",
    )  # fmt: skip


def _trace(info: RunInfo, prompt: tuple[int, ...], rounds: tuple[Round, ...]) -> Trace:
    text = "".join(WORDS[token] for step in rounds for token in step.tokens)
    return Trace(info, prompt, tuple(WORDS[token] for token in prompt), 1.0, rounds, Stop.LENGTH, text)


#        the   cat   dog   sat   ran   off   home  .
P_ROOT = (0.05, 0.20, 0.40, 0.05, 0.05, 0.10, 0.10, 0.05)
Q_ROOT = (0.05, 0.50, 0.25, 0.05, 0.05, 0.03, 0.03, 0.04)
P_CAT = (0.10, 0.05, 0.05, 0.40, 0.20, 0.10, 0.05, 0.05)
Q_CAT = (0.05, 0.05, 0.05, 0.50, 0.20, 0.05, 0.05, 0.05)
P_DOG = (0.05, 0.05, 0.05, 0.15, 0.45, 0.10, 0.10, 0.05)
Q_DOG = (0.05, 0.05, 0.05, 0.45, 0.25, 0.05, 0.05, 0.05)
P_RAN = (0.05, 0.05, 0.05, 0.05, 0.05, 0.25, 0.40, 0.10)
Q_RAN = (0.05, 0.05, 0.05, 0.05, 0.05, 0.55, 0.15, 0.05)
P_HOME = (0.05, 0.05, 0.05, 0.05, 0.05, 0.05, 0.10, 0.60)
Q_HOME = (0.10, 0.05, 0.05, 0.05, 0.05, 0.05, 0.05, 0.60)
P_STOP = (0.70, 0.05, 0.05, 0.04, 0.04, 0.04, 0.04, 0.04)
Q_STOP = (0.60, 0.10, 0.10, 0.04, 0.04, 0.04, 0.04, 0.04)
P_THE = (0.02, 0.50, 0.30, 0.04, 0.04, 0.03, 0.03, 0.04)
THE, CAT, DOG, SAT, RAN, OFF, HOME, END = range(8)


def tree() -> Trace:
    """Two rounds: one that ends with a resample below a sibling, one that ends with a bonus."""
    first, second = Source("small-model"), Source("small-model", rank=1)
    p_dog, q_dog = refused(P_ROOT, Q_ROOT), without(Q_ROOT, CAT)
    p_ran, q_ran = refused(P_DOG, Q_DOG), without(Q_DOG, SAT)
    verdicts = (
        guess(0, -1, 0, CAT, P_ROOT, Q_ROOT, first, u=0.7, drawn=0.3),
        guess(1, -1, 0, DOG, p_dog, q_dog, second, u=0.6, drawn=0.1, plain=P_ROOT),
        guess(2, 0, 1, SAT, P_CAT, Q_CAT, first, drawn=0.45),
        guess(3, 1, 1, SAT, P_DOG, Q_DOG, first, u=0.9, drawn=0.2),
        guess(4, 1, 1, RAN, p_ran, q_ran, second, u=0.4, drawn=0.3, plain=P_DOG),
        guess(5, 4, 2, OFF, P_RAN, Q_RAN, first, u=0.8, drawn=0.5),
    )
    one = Round(
        0, 2, Budget(6, 3, "always 3"), verdicts, (1, 4), own(HOME, P_RAN, 0.4, (5, P_RAN, Q_RAN)),
        Timing((Drafting(2, 0.5), Drafting(3, 0.75), Drafting(1, 0.5)), 4.0, 0.5, 0.25, 0.25),
        CacheSpan(1, 8, 4), (CacheSpan(1, 7, 4),), Calls(1, 3), (), None,
    )  # fmt: skip
    verdicts = (
        guess(0, -1, 0, END, P_HOME, Q_HOME, first, u=0.3, drawn=0.2),
        guess(1, -1, 0, THE, P_HOME, without(Q_HOME, END), second, drawn=0.1),
        guess(2, 0, 1, THE, P_STOP, Q_STOP, first, u=0.95, drawn=0.5),
    )
    two = Round(
        1, 5, Budget(6, 2, "1 left of the text's length"), verdicts, (0, 2), own(CAT, P_THE, 0.25),
        Timing((Drafting(2, 0.5), Drafting(1, 0.5)), 3.0, 0.5, 0.25, 0.25),
        CacheSpan(4, 8, 7), (CacheSpan(4, 8, 6),), Calls(1, 2), (), None,
    )  # fmt: skip
    traits = Traits(Rolls.DICE, plain_text=False, lossless=True, law=LawKind.ROW, shape=Shape.TREE)
    config = RunConfig("the cat", gamma=3, temperature=1.0, max_new_tokens=6, chat=False)
    return _trace(_info(config, traits, (DraftCache("small-model", 512, EAGER),)), (THE, CAT), (one, two))


def points() -> Trace:
    """Three rounds: two of three copies stand, nothing is found to copy, one copy stands."""
    match, last = "the last 2 tokens stood here before", "the last token stood here before"

    def copied(place: int, words: str) -> Source:
        return Source("prompt-lookup", span=(place, place + 1), words=words)

    verdicts = (
        guess(0, -1, 0, SAT, P_CAT, point(SAT), copied(2, match), u=0.25),
        guess(1, 0, 1, END, P_HOME, point(END), copied(3, match), u=0.5),
        guess(2, 1, 2, CAT, P_STOP, point(CAT), copied(4, match), u=0.5),
    )
    one = Round(
        0, 7, Budget(4, 4, "always 4"), verdicts, (0, 1), own(THE, P_STOP, 0.5, (2, P_STOP, point(CAT))),
        Timing((Drafting(3, 0.0625),), 3.0, 0.5, 0.25, 0.25), CacheSpan(6, 10, 9), (), Calls(1, 0), (), None,
    )  # fmt: skip
    two = Round(
        1, 10, Budget(2, 2, "2 left of the text's length"), (), (), own(RAN, P_DOG, 0.4),
        Timing((Drafting(0, 0.03125),), 2.0, 0.25, 0.25, 0.25), CacheSpan(9, 10, 10), (), Calls(1, 0), (), None,
    )  # fmt: skip
    verdicts = (guess(0, -1, 0, HOME, P_RAN, point(HOME), copied(6, last), u=0.125),)
    three = Round(
        2, 11, Budget(1, 1, "1 left of the text's length"), verdicts, (0,), own(END, P_HOME, 0.25),
        Timing((Drafting(1, 0.0625),), 2.5, 0.5, 0.25, 0.25), CacheSpan(10, 12, 12), (), Calls(1, 0), (), None,
    )  # fmt: skip
    traits = Traits(Rolls.DICE, plain_text=False, lossless=True, law=LawKind.POINT, shape=Shape.CHAIN)
    config = RunConfig("made by hand", drafter="prompt-lookup", gamma=4, temperature=1.0, max_new_tokens=6, chat=False)
    return _trace(_info(config, traits, ()), (RAN, HOME, SAT, END, CAT, RAN, HOME), (one, two, three))
