"""Records one round while it runs: times and cache lengths, and at the end the whole round."""

from collections.abc import Sequence
from types import TracebackType

from specviz.accept.base import Judgement
from specviz.config.settings import Budget, Clock, milliseconds
from specviz.draft.base import Drafter, ImaginingDrafter, OnePassDrafter, Proposal, SourcedDrafter
from specviz.record import record
from specviz.record.extras import Extras
from specviz.sampling.arrays import Floats
from specviz.sampling.chance import Chance
from specviz.sampling.tree import DraftTree
from specviz.trace.guess import Unchecked
from specviz.trace.round import CacheSpan, Calls, Imagined, Round, Timing
from specviz.trim import KVCache
from specviz.verify import Scores


class Beat:
    """Times one part of a round: `with beat("verify"):`."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._name, self._start = "", 0.0
        self.seconds: dict[str, float] = {}

    def __call__(self, name: str) -> "Beat":
        self._name = name
        return self

    def __enter__(self) -> None:
        self._start = self._clock()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        self.seconds[self._name] = self._clock() - self._start


class Recorder:
    """Records one round."""

    def __init__(self, clock: Clock, target: KVCache, draft: Sequence[KVCache], piece: record.Piece | None) -> None:
        self._clock, self._piece = clock, piece
        self._caches = (target, *draft)
        self._began = clock()
        self._before = self._written = self._lengths()
        self._reread = [cache.reread for cache in self._caches]
        self.beat = Beat(clock)
        self._imagined: tuple[Imagined, ...] = ()
        self._unchecked: tuple[Unchecked, ...] = ()
        self._rereading = 0.0

    def written(self) -> None:
        """Call it when the caches hold the guesses."""
        self._written = self._lengths()

    def cut(self, base: int, path: Sequence[int]) -> None:
        """Cuts the target's cache back, see KVCache.keep, and times what is read again for it."""
        cache = self._caches[0]
        start = self._clock() if cache.state_bytes else 0.0
        cache.keep(base, path)
        if cache.reread > self._reread[0]:
            self._rereading = self._clock() - start

    def with_sources(self, drafter: Drafter, proposal: Proposal) -> Proposal:
        """The proposal with what its guesses were taken from, in full. Call it before the drafter hears what was
        accepted.
        """
        if self._piece is None or not proposal.guesses or not isinstance(drafter, SourcedDrafter):
            return proposal
        return drafter.with_sources(proposal)

    def compare(self, drafter: Drafter, tree: DraftTree, scores: Scores) -> None:
        """Call it while the drafter still has what it imagined, and the target's pass is over."""
        if self._piece and drafter.needs.hidden and len(tree) and isinstance(drafter, ImaginingDrafter):
            self._imagined = tuple(drafter.imagined(tree, scores))

    def cut_off(self, drafter: Drafter, proposal: Proposal, budget: Budget, chance: Chance) -> None:
        """Call it before the drafter hears what was accepted: it tells what a γ rule cut from its one pass."""
        if self._piece and proposal.halt and isinstance(drafter, OnePassDrafter):
            cut = drafter.unchecked(proposal, budget, chance)
            self._unchecked = record.unchecked(cut, proposal.tree.depths(), self._piece)

    def round(
        self,
        index: int,
        position: int,
        budget: Budget,
        proposal: Proposal,
        p: Sequence[Floats],
        judgement: Judgement,
        extras: Extras,
        stop_string: str,
    ) -> Round:
        """The recorded round. p: the target's rows, see `AcceptRule.judge`."""
        verdicts, extra = record.outcome(proposal, p, judgement, self._piece, extras)
        again = [cache.reread - before for cache, before in zip(self._caches, self._reread, strict=True)]
        target, *draft = map(CacheSpan, self._before, self._written, self._lengths(), again)
        verify, accept, trim = (milliseconds(self.beat.seconds[name]) for name in ("verify", "accept", "trim"))
        drafting = sum(call.ms for call in proposal.drafting)
        whole = milliseconds(self._clock() - self._began)
        return Round(
            index=index,
            position=position,
            budget=budget,
            verdicts=verdicts,
            path=judgement.path,
            extra=extra,
            timing=Timing(
                draft=proposal.drafting,
                verify=verify,
                accept=accept,
                trim=trim,
                overhead=max(0.0, round(whole - drafting - verify - accept - trim, 6)),
                reread=min(trim, milliseconds(self._rereading)),
            ),
            target_cache=target,
            draft_caches=tuple(draft),
            calls=Calls(target=1, draft=proposal.calls),
            glances=proposal.glances,
            halt=proposal.halt,
            scouts=record.scouts(proposal.tree.scouts, self._piece),
            learning=record.learning(proposal.learning, self._piece),
            imagined=self._imagined,
            stop_string=stop_string,
            unchecked=self._unchecked,
        )

    def _lengths(self) -> list[int]:
        return [cache.length for cache in self._caches]
