"""A tree of the small model's guesses: several at each place, and one pass of the model for each level."""

from collections.abc import Sequence

from specviz import draft
from specviz.config.settings import MOST_GAMMA, Budget, ConfigError
from specviz.config.words import because
from specviz.draft import shapes
from specviz.draft.base import Committed, Drafter, DrafterSpec, OwnCache, Resources, Settings
from specviz.draft.growing import Reading
from specviz.draft.shapes import RATES, Plan
from specviz.draft.small import Meaning, known, small
from specviz.sampling.arrays import Bools, Reals
from specviz.verify import LanguageModel, read

NAME = "small-tree"
MOST = 64


class SmallTree(Reading):
    """Keeps the small model in step with the text."""

    def __init__(self, model: LanguageModel, settings: Settings, resources: Resources) -> None:
        width, text = int(settings["width"]), str(settings["shape"])
        self._given = shapes.parsed(text) if text else None
        nodes = shapes.size(self._given) if self._given is not None else int(settings["nodes"])
        if not 0 < nodes <= MOST:
            raise ConfigError(f"shape {text!r} has {nodes:,} guesses; wanted 1 to {MOST}")
        points = settings["draw"] == "top" or resources.sampling.temperature == 0
        super().__init__(NAME, resources, nodes, width, points=points)
        self._model = model
        spare = nodes if self._given is not None or not points else width * MOST_GAMMA
        self._cache = model.new_cache(min(model.context, resources.capacity) + spare)
        self._meaning = Meaning(resources.shared, resources.vocab_size)
        self.caches = (OwnCache(NAME, self._cache, model.slot_bytes, model.way),)

    def begin(self, prompt: Sequence[int], seen: object = None) -> None:
        self._text = list(prompt)
        self._cache.truncate(0)
        read(self._model, known(self._model, self._text[:-1][: self._model.context]), self._cache)

    def _begin_again(self, text: Sequence[int]) -> None:
        self.begin(text)

    def _fitting(self, budget: Budget) -> Budget:
        room = max(0, self._model.context - len(self._text) + 1)
        return budget.within(room, because("context"))

    def _shape(self, depth: int) -> Plan | None:
        if self._given is not None:
            return shapes.cut(self._given, depth)
        return None if self.points else shapes.best(self.nodes or 0, depth, RATES[: self.width])[1]

    def commit(self, step: Committed) -> None:
        """Gathers the slots of the accepted path and forgets everything else after the text."""
        base, rows = min(self._cache.length, len(self._text)), []
        for slot in (self._drafted[node].slot for node in step.path):
            if slot is None:
                break
            rows.append(slot - base)
        self._text += step.tokens
        self._cache.keep(base, rows)

    def _read_text(self) -> Reals:
        cache, length = self._cache, len(self._text)
        cache.truncate(min(cache.length, length - 1))
        start = cache.length
        rows = self._model.forward(known(self._model, self._text[start:]), range(start, length), None, cache)
        return self._meaning.of(rows[-1:])

    def _read(
        self, tokens: Sequence[int], positions: Sequence[int], mask: Bools | None, parents: Sequence[int]
    ) -> Reals:
        return self._meaning.of(self._model.forward(known(self._model, tokens), positions, mask, self._cache))


def build(resources: Resources, params: Settings) -> Drafter:
    """See the entry for its parameters. Raises ConfigError: see `small.small`; a shape that is too large."""
    return SmallTree(small(resources), params, resources)


SPEC = DrafterSpec(draft.entry(NAME), build)
