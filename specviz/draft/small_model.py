"""The pair's small model drafts token by token."""

from specviz import draft
from specviz.draft.base import Drafter, DrafterSpec, Resources, Settings
from specviz.draft.model_chain import ModelChain
from specviz.draft.small import small
from specviz.draft.translated import TranslatedChain
from specviz.verify import LanguageModel

NAME = "small-model"


class SmallModel(ModelChain):
    """The small model's chain."""

    def __init__(self, model: LanguageModel, resources: Resources) -> None:
        super().__init__(NAME, model, resources)


def build(resources: Resources, params: Settings) -> Drafter:
    """Takes no parameters. Raises ConfigError: the pair has no draft model."""
    if resources.draft and resources.translation:
        return TranslatedChain(NAME, resources.draft, resources.translation, resources)
    return SmallModel(small(resources), resources)


SPEC = DrafterSpec(draft.entry(NAME), build)
