"""Trains the small model of a chat pair: a few layers that begin as the target's own. They are between the target's
embedding and some rows of its output layer, which stay as they are.
"""

from typing import Any

import torch
from torch import Tensor, nn
from transformers import LlamaConfig, LlamaModel

from specviz.models.hub.gguf_files import KEPT, STORED
from specviz.train.heads_loss import Guessed, Guessing

LAYERS = 2


class SmallModel(nn.Module):
    """From embedded tokens to what the output layer reads, [rows, n, width] each."""

    def __init__(self, config: LlamaConfig) -> None:
        super().__init__()
        self.config = config
        self.model = LlamaModel(config)
        self.model.embed_tokens = nn.Identity()

    def forward(self, embedded: Tensor) -> Tensor:
        found: Tensor = self.model(inputs_embeds=embedded, use_cache=False).last_hidden_state
        return found

    def facts(self) -> dict[str, Any]:
        """What its file notes."""
        return {"layers": self.config.num_hidden_layers}


def new(target: Any, layers: tuple[int, ...], seed: int) -> SmallModel:
    """One of LAYERS layers: the target's first ones but for the last, which is the target's last."""
    shape = {name: value for name, value in target.config.to_dict().items() if name not in (STORED, KEPT)}
    config = LlamaConfig.from_dict(shape | {"num_hidden_layers": LAYERS})
    model = SmallModel(config)
    theirs = [*target.model.layers[: LAYERS - 1], target.model.layers[-1]]
    for ours, given in zip(model.model.layers, theirs, strict=True):
        ours.load_state_dict(given.state_dict())
    model.model.norm.load_state_dict(target.model.norm.state_dict())
    return model


def guesses(model: SmallModel) -> Guessing:
    """At each place, what the target would write next."""

    def guessed(tokens: Tensor, embedded: Tensor, states: Tensor) -> Guessed:
        outputs = model(embedded).flatten(0, 1)[None]
        real = torch.ones(outputs.shape[:2], dtype=torch.bool, device=tokens.device)
        return Guessed(outputs, states[:, :, -1].flatten(0, 1), real, (1.0,))

    return guessed
