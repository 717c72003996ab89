"""Records a loop of one's own, in any framework: each round's guesses, rows, numbers and verdicts make a Trace.

Nothing is decided here. What the loop says it did is written down beside what follows from its rows, and the checks
compare the two.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import numpy as np

from specviz.accept.base import Draw, Judgement, Trial
from specviz.config.entry import Range
from specviz.config.settings import Budget, ConfigError, LawKind, Rolls, RunConfig, Shape, wrong
from specviz.draft.base import Guess, proposal
from specviz.loops import taken
from specviz.record import record
from specviz.record.extras import Extras
from specviz.sampling.arrays import Floats
from specviz.sampling.rows import Law, Point, Row
from specviz.sampling.tree import ROOT, DraftTree
from specviz.trace.guess import Emission, Extra, Source, TokenVerdict
from specviz.trace.info import Forward, Missing, RunInfo, Traits
from specviz.trace.pieces import joined
from specviz.trace.round import CacheSpan, Calls, Drafting, Round, Timing
from specviz.trace.run import Stop, Trace

CLOSE, ROUGH = 1e-4, 0.02
"""How far a row's sum may be from 1, and how far the types of 16 bits bring it."""
PARTS = ("draft", "verify", "accept", "trim")
Rows = Sequence[Any] | Floats
"""float[n, V]; or n rows, each float[V] or its largest entries as a pair (ids, probabilities). Of any framework."""


class Recorder:
    """Records one run.

    Args:
        prompt: token ids, at least one. text: what it says.
        vocab_size: V.
        top: rows may hold their largest entries alone. All others then count as one token more, `vocab_size`.
        piece: a token's text; by default its id.
        temperature: that of both models; 0 is greedy.
        ends: token ids that end the text. max_new_tokens: its longest, without the prompt; None if nothing is known.
        lossless: whether the loop means to give the target's distribution.
        loop: who runs it, for people. target, draft: the models' names.

    Raises:
        ConfigError: one of these cannot be in a trace.
    """

    def __init__(
        self,
        prompt: Sequence[int],
        vocab_size: int,
        *,
        top: bool = False,
        text: str = "",
        piece: Callable[[int], str] = "<{:03}>".format,
        temperature: float = 1.0,
        ends: Sequence[int] = (),
        max_new_tokens: int | None = None,
        lossless: bool = True,
        loop: str = "a loop of one's own",
        target: str = "target",
        draft: str = "draft",
    ) -> None:
        self._prompt = taken.ids("prompt", prompt)
        if not self._prompt:
            raise ConfigError("the prompt has no token; a loop needs one to begin behind")
        self._size = int(taken.number("vocab_size", vocab_size, Range(1, 10_000_000, whole=True)))
        self._temperature = taken.number("temperature", temperature, Range(0, 2))
        self._most = None
        if max_new_tokens is not None:
            self._most = int(taken.number("max_new_tokens", max_new_tokens, Range(1, 10**9, whole=True)))
        self._top, self._lossless, self._ends = bool(top), bool(lossless), frozenset(taken.ids("ends", ends))
        if not callable(piece):
            raise wrong("piece", piece, "a function that gives a token's text")
        self._piece_of, self._text = piece, taken.text("text", text)
        named = {"loop": loop, "target": target, "draft": draft}
        self._loop, self._target, self._draft = (taken.text(name, value) for name, value in named.items())
        self._missing: set[Missing] = {Missing.ROWS} if top else set()
        self._rolls = Rolls.DICE
        self._rounds: list[Round] = []
        self._length = len(self._prompt)
        for token in self._prompt:
            self._known("a token of the prompt", token)

    def round(
        self,
        guesses: Sequence[int],
        parents: Sequence[int] | None = None,
        *,
        q: Rows | None,
        p: Rows,
        accepted: int | Sequence[bool | None],
        token: int | None = None,
        kind: str | None = None,
        u: Sequence[float | None] | None = None,
        noise: Rows | None = None,
        raw_q: Rows | None = None,
        raw_p: Rows | None = None,
        draft_u: Sequence[float | None] | None = None,
        token_u: float | None = None,
        cache: tuple[int, int, int] | None = None,
        ms: Mapping[str, float] | None = None,
    ) -> None:
        """Records a round, after it was decided.

        Args:
            guesses: n token ids; parents before children.
            parents: the guess that each follows, -1 for the text; by default a chain.
            q: what each guess was taken from, as the acceptance used it; None, for all or for one, where a guess was
                chosen and not drawn.
            p: n + 1 rows: after the text, and after each guess, as the acceptance used them.
            accepted: how many guesses of a chain were, the next one then being rejected; or for each guess True, False,
                or None where it was not tested.
            token: the target's own token; None if an accepted guess ended the text, or was the last that was asked for.
            kind: "resampled" or "bonus"; by default what the verdicts say.
            u: the number that tested each guess; None where none did, as at temperature 0.
            noise: where no number tests a guess, because the target draws its own token and a guess is accepted if it
                is the same: at each depth the numbers with which that token was argmax(log p + noise).
            raw_q, raw_p: the rows before temperature 0 made them one-hot; they are only shown.
            draft_u, token_u: the numbers that drew the guesses and the token, on specviz's ruler. Few loops have them.
            cache: slots of the target's cache when the round began, after the check, and after it was trimmed.
            ms: milliseconds of draft, verify, accept and trim.

        Raises:
            ConfigError: numbers that contradict each other, or are none. The rounds before stay.
        """
        tokens = [self._known(f"guess {place}", guess) for place, guess in enumerate(taken.ids("guesses", guesses))]
        tree = _tree(tokens, parents)
        rows, laws = self._rows("p", p, len(tokens) + 1), self._laws(q, tokens)
        tests = _tests(accepted, len(tokens), tree)
        self._rolls = Rolls.DICE if noise is None else Rolls.NOISE
        judged, node, empty = _judged(tree, tests, rows, laws, whole=noise is not None)
        own = None if token is None else self._known("the token", token)
        (token_u,) = taken.numbers("token_u", [token_u], 1)
        path = tuple(place for place, won in enumerate(tests) if won)
        _fits(own, kind, node, ended=self._ended(path, tokens))
        trials = self._trials(tests, taken.numbers("u", u, len(tokens)), zip(judged, laws, tokens, strict=False))
        timing = self._timing(ms, len(tokens))
        made = proposal(self._made(tree, laws, self._drawn(draft_u, token_u, len(tokens)), raw_q), timing.draft)
        draw = None if own is None else Draw(own, token_u, _emission(node), node, empty)
        judgement = Judgement(tuple(trials), path, draw, judged)
        verdicts, extra = record.outcome(made, rows, judgement, self._piece, self._extras_at(noise, raw_p, len(rows)))
        self._add(verdicts, extra, path, timing, self._span(cache, len(tokens), len(path)))

    def _ended(self, path: tuple[int, ...], tokens: Sequence[int]) -> bool:
        """True if an accepted guess ended the text, or was the last that was asked for."""
        full = self._most is not None and self._length + len(path) == len(self._prompt) + self._most
        return bool(path) and (full or tokens[path[-1]] in self._ends)

    def _drawn(self, draft_u: Sequence[float | None] | None, token_u: float | None, count: int) -> list[float | None]:
        numbers = taken.numbers("draft_u", draft_u, count)
        if self._rolls is Rolls.DICE and (token_u is None or None in numbers):
            self._missing.add(Missing.DRAWS)
        return numbers

    def _trials(
        self,
        tests: Sequence[bool | None],
        numbers: Sequence[float | None],
        guesses: Iterable[tuple[Floats, Law, int]],
    ) -> list[Trial | None]:
        """guesses: what each was tested against, what it was taken from, and its token."""
        trials = list[Trial | None]()
        for won, u, (row, law, token) in zip(tests, numbers, guesses, strict=True):
            chance = min(1.0, row.item(token) / law.of(token))
            sure = self._rolls is Rolls.NOISE or (not self._temperature and chance in (0, 1))
            if won is not None and u is None and not sure:
                raise ConfigError(f"u of guess {len(trials)} is missing; wanted the number that tested it")
            trials.append(None if won is None else Trial(won, u, chance))
        return trials

    def _made(
        self, tree: DraftTree, laws: Sequence[Law], drawn: Sequence[float | None], raw: Rows | None
    ) -> list[Guess]:
        source, size = Source(self._draft), len(tree)
        before = [None] * size if raw is None else self._rows("raw_q", raw, size)
        return [
            Guess(token, parent, law, u if isinstance(law, Row) else None, source, row)
            for token, parent, law, u, row in zip(tree.tokens, tree.parents, laws, drawn, before, strict=True)
        ]

    def _extras_at(self, noise: Rows | None, raw: Rows | None, count: int) -> Extras:
        by_depth = None
        if noise is not None:
            known = [self._all_of(f"noise[{depth}]", row, rough=False) for depth, row in enumerate(noise)]
            by_depth = known.__getitem__
        return Extras(by_depth, () if raw is None else self._rows("raw_p", raw, count))

    def _add(
        self,
        verdicts: tuple[TokenVerdict, ...],
        extra: Extra | None,
        path: tuple[int, ...],
        timing: Timing,
        span: CacheSpan,
    ) -> None:
        depth = max((each.depth + 1 for each in verdicts), default=0)
        budget = Budget(len(verdicts), depth, "")
        calls = Calls(target=1, draft=0)
        step = Round(
            len(self._rounds), self._length, budget, verdicts, path, extra, timing, span, (), calls, (), None
        )  # fmt: skip
        self._rounds.append(step)
        self._length += len(step.tokens)

    def trace(self) -> Trace:
        """The run so far."""
        tokens = [token for step in self._rounds for token in step.tokens]
        ends = [step.position + max(step.offered, len(step.path)) + 1 for step in self._rounds]
        furthest = self._most or max([*ends, self._length]) - len(self._prompt)
        stop = Stop.LENGTH if len(tokens) == furthest else Stop.STOPPED
        return Trace(
            info=self._info(furthest),
            prompt=self._prompt,
            prompt_texts=tuple(map(self._piece, self._prompt)),
            prefill=0.0,
            rounds=tuple(self._rounds),
            stop=Stop.EOS if tokens and tokens[-1] in self._ends else stop,
            text=joined(map(self._piece, tokens)),
        )

    def _info(self, furthest: int) -> RunInfo:
        kinds = {verdict.law for step in self._rounds for verdict in step.verdicts}
        chain = all(each.parent == each.node - 1 for step in self._rounds for each in step.verdicts)
        return RunInfo(
            config=RunConfig(
                self._text or joined(map(self._piece, self._prompt)),
                drafter=self._draft,
                pair=self._loop,
                temperature=self._temperature,
                max_new_tokens=max(1, furthest),
                gamma=max((step.offered for step in self._rounds), default=0),
            ),
            rule="rejection" if self._rolls is Rolls.DICE else "coupled",
            traits=Traits(
                rolls=self._rolls,
                plain_text=self._temperature == 0 and self._lossless,
                lossless=self._lossless,
                law=LawKind.MIXED if len(kinds) > 1 else next(iter(kinds), LawKind.ROW),
                shape=Shape.CHAIN if chain else Shape.TREE,
            ),
            controller="none",
            target=self._target,
            draft=self._draft,
            target_forward=Forward(self._loop, "", None, 1),
            draft_caches=(),
            vocab_size=self._size + self._top,
            context=10**9,
            eos=tuple(sorted(self._ends)),
            target_slot_bytes=1,
            device="",
            dtype="",
            versions={},
            recorded=datetime.now(UTC).isoformat(timespec="seconds"),
            shown=record.SHOWN,
            loop=self._loop,
            missing=tuple(sorted(self._missing)),
        )

    def _piece(self, token: int) -> str:
        return "other tokens" if token == self._size else taken.text(f"piece({token})", self._piece_of(token))

    def _known(self, what: str, token: int) -> int:
        if not 0 <= int(token) < self._size:
            raise ConfigError(f"{what} is {token}; wanted an id from 0 to {self._size - 1:,}")
        return int(token)

    def _rows(self, name: str, given: Rows, count: int) -> list[Floats]:
        if len(given) != count:
            raise ConfigError(f"{name} has {len(given)} rows; wanted {count}")
        return [self._row(f"{name}[{place}]", row) for place, row in enumerate(given)]

    def _row(self, name: str, given: Any) -> Floats:
        """float64[V], or with top float64[V + 1]. Rows that are one-hot, or raw and only shown, may be rough."""
        shown = name.startswith("raw")
        rough = shown or not self._temperature
        row = np.zeros(self._size + self._top)
        if isinstance(given, tuple):
            ids, shares = (
                taken.array(f"ids of {name}", given[0]).astype(np.int64),
                taken.array(name, given[1], rough=rough),
            )
            if not self._top:
                raise ConfigError(f"{name} holds some entries alone; make the Recorder with top=True")
            if ids.shape != shares.shape or ids.ndim != 1 or len(set(ids.tolist())) < len(ids):
                raise ConfigError(
                    f"{name} has ids {ids.shape} and probabilities {shares.shape}; wanted as many, once each"
                )
            row[[self._known(f"an id of {name}", token) for token in ids.tolist()]] = shares
            row[-1] = max(0.0, 1 - shares.sum())
        else:
            row[: self._size] = self._all_of(name, given, rough=rough)
        off = abs(row.sum() - 1)
        if (row < 0).any() or off > (ROUGH if shown else CLOSE):
            why = f"wanted probabilities{f'; if 16 bits have rounded them, {taken.EXACT}' if off <= ROUGH else ''}"
            raise ConfigError(f"{name} sums to {row.sum():.6g}, its least entry is {row.min():.3g}; {why}")
        return row / row.sum() if shown else row

    def _all_of(self, name: str, given: Any, *, rough: bool) -> Floats:
        """float64[V], a number for every token."""
        whole = taken.array(name, given, rough=rough)
        if whole.shape != (self._size,):
            raise ConfigError(f"{name} has shape {whole.shape}; wanted ({self._size},)")
        return whole

    def _laws(self, q: Rows | None, tokens: Sequence[int]) -> list[Law]:
        given = [None] * len(tokens) if q is None else q
        if len(given) != len(tokens):
            raise ConfigError(f"q has {len(given)} rows; wanted one for each of {len(tokens)} guesses")
        laws: list[Law] = []
        for place, (row, token) in enumerate(zip(given, tokens, strict=True)):
            law: Law = Point(token) if row is None else Row(self._row(f"q[{place}]", row))
            if not law.of(token):
                raise ConfigError(
                    f"guess {place}, token {token}, has probability 0 in q[{place}]; it cannot come from it"
                )
            laws.append(law)
        return laws

    def _timing(self, ms: Mapping[str, float] | None, nodes: int) -> Timing:
        if ms is None:
            self._missing.add(Missing.TIMES)
        parts = dict.fromkeys(PARTS, 0.0) | {name: float(each) for name, each in (ms or {}).items()}
        if set(parts) != set(PARTS) or not all(0 <= each < math.inf for each in parts.values()):
            raise ConfigError(f"ms is {dict(ms or {})}; wanted milliseconds of {', '.join(PARTS)}")
        return Timing((Drafting(nodes, parts["draft"]),), parts["verify"], parts["accept"], parts["trim"], 0.0)

    def _span(self, cache: tuple[int, int, int] | None, nodes: int, accepted: int) -> CacheSpan:
        """Without lengths, what they have to be."""
        if cache is None:
            self._missing.add(Missing.CACHE)
            before = self._length - 1
            return CacheSpan(before, before + 1 + nodes, before + 1 + accepted)
        if len(cache) != 3:
            raise wrong("cache", cache, "three lengths")
        return CacheSpan(*taken.ids("cache", cache))


def _tree(tokens: Sequence[int], parents: Sequence[int] | None) -> DraftTree:
    if parents is None:
        return DraftTree.chain(tokens)
    try:
        return DraftTree(tuple(tokens), tuple(int(parent) for parent in parents))
    except ValueError as error:
        raise ConfigError(str(error)) from error


def _tests(accepted: int | Sequence[bool | None], count: int, tree: DraftTree) -> list[bool | None]:
    """By guess: whether it was accepted; None where it was not tested."""
    if hasattr(accepted, "tolist"):  # an array or tensor, or one number of it
        accepted = accepted.tolist()
    if isinstance(accepted, int):
        if not tree.is_chain or not 0 <= accepted <= count:
            raise ConfigError(f"accepted is {accepted} of {count} guesses; a tree needs a verdict for each guess")
        return [True if place < accepted else False if place == accepted else None for place in range(count)]
    if len(accepted) != count:
        raise ConfigError(f"accepted has {len(accepted)} verdicts for {count} guesses")
    return [None if won is None else bool(won) for won in accepted]


def _judged(
    tree: DraftTree, tests: Sequence[bool | None], rows: Sequence[Floats], laws: Sequence[Law], *, whole: bool
) -> tuple[list[Floats], int | None, bool]:
    """What each guess was tested against, and at last what the token is drawn from; the guess whose rejection left
    that, and whether it left nothing. whole: a rejection leaves all of p."""
    left = {parent: rows[parent + 1] for parent in (ROOT, *range(len(tree)))}
    judged = list[Floats]()
    rejected: dict[int, tuple[int | None, bool]] = {}
    for node, (parent, won, law) in enumerate(zip(tree.parents, tests, laws, strict=True)):
        judged.append(left[parent])
        if won is False:
            rejected[parent] = node, False
            if not whole:
                left[parent], nothing = Row(law.dense(len(rows[0]))).residual(left[parent])
                rejected[parent] = node, bool(nothing)
    end = max((node for node, won in enumerate(tests) if won), default=ROOT)
    return [*judged, left[end]], *rejected.get(end, (None, False))


def _emission(node: int | None) -> Emission:
    """The kind of a token that follows the rejection of a guess, or of none."""
    return Emission.BONUS if node is None else Emission.RESAMPLED


def _fits(token: int | None, kind: str | None, node: int | None, *, ended: bool) -> None:
    """Raises ConfigError: the token, or its kind, is not what the verdicts say."""
    if token is None and not ended:
        raise ConfigError("there is no token, and no accepted guess is one of the ends; wanted the target's own token")
    says = _emission(node)
    if kind is not None and kind != says:
        why = "no guess was rejected behind the accepted ones" if node is None else f"guess {node} was rejected there"
        raise ConfigError(f"kind is {kind}, but {why}; wanted {says.value}")
