"""A cascade: a cheap drafter guesses for the small model, whose own text then goes to the target as the draft."""

from collections.abc import Sequence

from specviz import draft
from specviz.config.settings import Budget, milliseconds
from specviz.config.words import because
from specviz.draft.base import Committed, Drafter, DrafterSpec, Guess, Proposal, Resources, Settings, proposal
from specviz.draft.model_chain import ModelChain
from specviz.draft.small import small
from specviz.gamma.base import Halting
from specviz.sampling.arrays import Floats
from specviz.sampling.chance import At, Chance, Flip, Noise, Pick, Purpose
from specviz.sampling.distribution import entropy, row
from specviz.sampling.rows import Row
from specviz.trace.guess import Inner, Source
from specviz.trace.round import Drafting, Glance, Halt
from specviz.verify import LanguageModel

NAME = "staged"
INNER = 1
"""The stage of the random numbers that the cheap drafter and its judge use."""


class _Inner:
    """The same randomness, under names of its own. shared: all who decide a position share one noise."""

    def __init__(self, chance: Chance) -> None:
        self._chance = chance
        self.shared = isinstance(chance, Noise)

    def flip(self, weight: float, scale: float, at: At) -> Flip:
        return self._chance.flip(weight, scale, at._replace(stage=INNER))

    def pick(self, probs: Floats, at: At) -> Pick:
        return self._chance.pick(probs, at._replace(stage=INNER))


class Staged(ModelChain):
    """Speculative decoding inside a draft: one pass of the small model judges several guesses of a cheap drafter.

    So its tokens have exactly the small model's distribution, whatever the cheap drafter is, and q is the small model's
    row. A guess is drawn in several steps, so no single number drew it.

    Source: Chen et al., Cascade speculative drafting, arXiv:2312.11462; judged as in `accept.rejection`, or as in
    `accept.coupled` where all share one noise.
    """

    def __init__(self, model: LanguageModel, inner: Drafter, name: str, step: int, resources: Resources) -> None:
        super().__init__(NAME, model, resources)
        self._inner, self._name, self._step = inner, name, step
        self._ahead: list[int] = []
        """Tokens that the cheap drafter takes for text and the target has not judged."""

    def begin(self, prompt: Sequence[int], seen: object = None) -> None:
        super().begin(prompt)
        self._inner.begin(prompt)
        self._ahead = []

    def commit(self, step: Committed) -> None:
        super().commit(step)
        if list(step.tokens[: len(self._ahead)]) == self._ahead:
            self._inner.commit(Committed(step.tokens[len(self._ahead) :]))
        else:
            self._inner.begin(self._text)
        self._ahead = []

    def propose(self, budget: Budget, chance: Chance, halt: Halting | None = None) -> Proposal:
        """Stops early where the small model's context ends."""
        if self._cache.length == len(self._text):  # an empty residual drew the rejected token again
            self._forget(len(self._text) - 1)
        room = max(0, self._model.context - len(self._text) + 1)
        fitting = budget.within(room, because("context"))
        most = min(fitting.nodes, fitting.depth)
        inner = _Inner(chance)
        guesses: list[Guess] = []
        drafting: list[Drafting] = []
        glances: list[Glance] = []
        halted: Halt | None = None
        while len(guesses) < most and not halted:
            start, before = self._resources.clock(), len(guesses)
            for token, q, source in self._stage(most - len(guesses), inner):
                if halt:
                    glances.append(Glance(float(entropy(q)), None))
                    if halted := halt(glances):
                        break
                guesses.append(Guess(token, len(guesses) - 1, Row(q), None, source))
                if halt:
                    glances[-1] = Glance(glances[-1].entropy, q.item(token))
                    if halted := halt(glances):
                        break
            drafting.append(Drafting(len(guesses) - before, milliseconds(self._resources.clock() - start)))
        self._forget(min(self._cache.length, len(self._text) + len(guesses)))  # a gamma rule may have stopped before
        return proposal(guesses, drafting, len(drafting), glances, halted)

    def _stage(self, most: int, chance: _Inner) -> list[tuple[int, Floats, Source]]:
        """One pass of the small model: the tokens it brings, `most` at most, their rows, and where each came from."""
        at = len(self._text) + len(self._ahead)
        cheap = self._inner.propose(Budget.chain(min(self._step, most - 1), ""), chance).guesses
        tokens = [guess.token for guess in cheap]
        logits = self._feed([*[*self._text, *self._ahead][self._cache.length :], *tokens])
        text, scores = [*self._text, *self._ahead], self._meaning.of(logits[-len(tokens) - 1 :])
        rows = [row(each, self._resources.sampling, text, tokens[:place]) for place, each in enumerate(scores)]
        judged: list[tuple[int, Floats, Source]] = []
        for place, q in enumerate(rows):
            where = At(at + place, Purpose.ACCEPT)
            if place == len(cheap):
                token = chance.pick(q, where._replace(purpose=Purpose.BONUS)).token
                source = Source(NAME, words=because("staged"))
            else:
                guess = cheap[place]
                token = _judged(guess, q, where, chance)
                source = Source(NAME, inner=Inner(self._name, guess.token, ""))
            judged.append((token, q, source))
            if place < len(cheap) and token != tokens[place]:
                break
        self._forget(at + len(judged) - 1)
        new = [token for token, *_ in judged]
        self._ahead += new
        self._inner.commit(Committed(tuple(new)))
        return judged


def _judged(guess: Guess, p: Floats, at: At, chance: _Inner) -> int:
    """The token at a guess's place."""
    if chance.shared:
        return chance.pick(p, at).token
    if chance.flip(p.item(guess.token), guess.q.of(guess.token), at).won:
        return guess.token
    left, _ = guess.q.residual(p)
    return chance.pick(left, at._replace(purpose=Purpose.RESAMPLE)).token


def build(resources: Resources, params: Settings) -> Drafter:
    """Raises ConfigError: the pair has no small model, or the cheap drafter cannot be made."""
    name = str(params["inner"])
    return Staged(small(resources), resources.make_drafter(name), name, int(params["step"]), resources)


SPEC = DrafterSpec(draft.entry(NAME), build)
