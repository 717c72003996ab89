"""Guesses groups of tokens that the target came up with ahead of the text, in the same passes as its checks."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from specviz import draft
from specviz.config.settings import Budget, milliseconds
from specviz.config.words import Reason, because
from specviz.draft.base import (
    Committed,
    Drafter,
    DrafterSpec,
    Guess,
    OwnCache,
    Proposal,
    Resources,
    Settings,
    point_glances,
    proposal,
)
from specviz.gamma.base import Halting
from specviz.sampling.chance import Chance
from specviz.sampling.rows import Law, Point
from specviz.sampling.tree import ROOT, DraftTree, Scouts
from specviz.trace.guess import Source
from specviz.trace.round import Drafting
from specviz.verify import Needs

NAME = "lookahead"
Group = tuple[int, ...]


class Lookahead:
    """Keeps a window of places ahead of the text, and in it one level of tokens for each of the last passes.

    Column c of level l is l + c - 1 places after the pending token, which is itself column 0 of level 0. In a pass a
    token sees the text, level 0 up to its column, and its own column above itself. What the target says below a column
    is the next level's token there. The column and that token are a group: they go into the pool, by their first
    token. The oldest level then makes room, and as the text has grown by a token, every level is one place nearer.

    At first there is only level 0, any tokens. Until there are enough levels each pass adds one and makes no group.
    The levels come nearer by one place however many tokens a round adds, as in the authors' code: what moving them
    further would leave open would have to be filled with any tokens, and fewer groups would come up again.

    Source: Fu et al., arXiv:2402.02057, section 3.
    """

    caches: Sequence[OwnCache] = ()

    def __init__(self, settings: Settings, resources: Resources) -> None:
        self._window, self._full = int(settings["window"]), int(settings["levels"]) - 1
        self._most, self._copies = int(settings["candidates"]), settings["pool"] == "prompt"
        self._end, self._clock = resources.capacity, resources.clock
        self.nodes = self._most * self._full
        widest = max(made * (self._window + self._full - made) for made in range(1, self._full + 1))
        self.needs = Needs(rows=True, scouts=widest)
        self.begin(())

    def begin(self, prompt: Sequence[int], states: object = None) -> None:
        self._text = list(prompt)
        width = self._window + self._full - 1
        self._levels = [[self._text[place % len(self._text)] for place in range(-width, 0)]] if self._text else []
        self._pool: defaultdict[int, dict[Group, int]] = defaultdict(dict)
        self._passes = 0
        self._rows: list[int] = []
        for place in range(len(prompt) - self._full if self._copies else 0):
            self._remember(prompt[place], tuple(prompt[place + 1 : place + 1 + self._full]))

    def commit(self, step: Committed) -> None:
        self._text += step.tokens
        self._passes += 1
        if not (step.scores and self._rows):
            return
        newest = step.scores.logits[self._rows].argmax(-1).tolist()
        if len(self._levels) < self._full:
            self._levels = [level[1:] for level in (*self._levels, newest)]
            return
        for column in zip(*self._levels, newest, strict=True):
            self._remember(column[0], column[1:])
        self._levels = [*self._levels[1:], newest]

    def propose(self, budget: Budget, chance: Chance, halt: Halting | None = None) -> Proposal:
        start = self._clock()
        groups = self._pool.get(self._text[-1], {})
        depth = min(budget.depth, self._full if groups else 0)
        glances, halted = point_glances(depth, halt)
        guesses = self._tree(groups, len(glances) if halted else depth, budget.nodes)
        scouts = self._scouts(len(guesses))
        taken = [Drafting(len(guesses), milliseconds(self._clock() - start))]
        return proposal(guesses, taken, 0, glances, halted, scouts=scouts)

    def q_of(self, text: Sequence[int], tree: DraftTree) -> Sequence[Law | None]:
        """Every guess was chosen. Which ones would be, the passes before decide, and not the text."""
        return [Point(token) for token in tree.tokens]

    def _tree(self, groups: Mapping[Group, int], depth: int, most: int) -> list[Guess]:
        """The groups, the newest first. They share what they begin with."""
        guesses: list[Guess] = []
        for group in reversed([*groups]):
            words, parent = self._words(groups[group]), ROOT
            for token in group[:depth]:
                siblings = [node for node, guess in enumerate(guesses) if guess.parent == parent]
                same = next((node for node in siblings if guesses[node].token == token), None)
                if same is None:
                    if len(guesses) == most:
                        return guesses
                    same = len(guesses)
                    guesses.append(Guess(token, parent, Point(token), None, Source(NAME, len(siblings), words=words)))
                parent = same
        return guesses

    def _remember(self, first: int, group: Group) -> None:
        """The newest groups of a first token stay, the newest last."""
        groups = self._pool[first]
        groups.pop(group, None)
        groups[group] = self._passes
        if len(groups) > self._most:
            del groups[next(iter(groups))]

    def _words(self, met: int) -> Reason:
        groups = sum(map(len, self._pool.values()))
        if not met:
            return because("pool.prompt", groups=groups)
        return because("pool.passes", passes=self._passes - met + 1, groups=groups)

    def _scouts(self, guesses: int) -> Scouts | None:
        """The window's tokens but the pending one, as far as the text may go. Notes whose rows give the next level."""
        made = len(self._levels)
        width = min(len(self._levels[0]), self._end - len(self._text) + 2 - made) if made else 0
        if width < 1:
            self._levels, self._rows = [], []
            return None
        self._levels = [level[:width] for level in self._levels]
        self._levels[0][0] = self._text[-1]
        columns = [0, *range(guesses + 1, guesses + made * width)]
        at = [columns[level * width : (level + 1) * width] for level in range(made)]
        mask = [
            frozenset((0, *at[0][: column + 1], *(at[above][column] for above in range(1, level + 1))))
            for level in range(made)
            for column in range(width)
        ]
        tokens = [token for level in self._levels for token in level]
        depths = [level + column - 1 for level in range(made) for column in range(width)]
        self._rows = at[-1]
        return Scouts(tuple(tokens[1:]), tuple(depths[1:]), tuple(mask[1:])) if len(tokens) > 1 else None


def build(resources: Resources, params: Settings) -> Drafter:
    """See the entry for its parameters."""
    return Lookahead(params, resources)


SPEC = DrafterSpec(draft.entry(NAME), build)
