"""Trains the exits of `early-exit`: what the target would say if its first layers were all it had.

The target is frozen. All exits learn at once, from the hidden states of one pass.
"""

from collections.abc import Mapping
from pathlib import Path

import torch
from torch import Tensor
from transformers import PreTrainedModel

from specviz.config.settings import Choice, ConfigError
from specviz.draft import entry
from specviz.models.heads.exits import Exit
from specviz.train import pair
from specviz.train.corpus import batch
from specviz.train.pair import TEMPERATURE, Plan, distance

HIDDEN = 256
"""Units of an exit."""
WINDOWS = 8
"""Held-out windows of each genre that an exit is watched on."""


def depths(target: PreTrainedModel) -> tuple[int, ...]:
    """The layers that have exits.

    Raises:
        ConfigError: the target has too few layers, or no single final norm between them and its output layer.
    """
    if not hasattr(target.base_model, "norm") or not hasattr(target.base_model, "layers"):
        raise ConfigError(f"exits are for targets of the Llama family, this is a {target.config.model_type}")
    (choice,) = (each for each in entry("early-exit").params if isinstance(each, Choice))
    layers = sorted(int(each) for each in choice.options if int(each) < target.config.num_hidden_layers)
    if not layers:
        raise ConfigError(f"exits need a target of 4 layers or more, this one has {target.config.num_hidden_layers}")
    return tuple(layers)


def new(target: PreTrainedModel, seed: int) -> torch.nn.ModuleDict:
    """Fresh exits by layer. They change nothing yet."""
    torch.manual_seed(seed)
    return torch.nn.ModuleDict({str(each): Exit(target.config.hidden_size, HIDDEN) for each in depths(target)})


def train(
    exits: torch.nn.ModuleDict,
    target: PreTrainedModel,
    streams: Mapping[str, Tensor],
    held_out: Mapping[str, Tensor],
    plan: Plan,
    checkpoint: Path,
) -> None:
    """Trains them for their acceptance rate, as `pair.distil_draft` does."""
    target.eval().requires_grad_(requires_grad=False)

    def rows(window: Tensor) -> tuple[Tensor, list[Tensor]]:
        """p, and each exit's ln q."""
        with torch.no_grad():
            out = target(input_ids=window[:, :-1], use_cache=False, output_hidden_states=True)
            wanted = (out.logits.float() / TEMPERATURE).softmax(-1)
        states = (each(out.hidden_states[int(layer)]) for layer, each in exits.items())
        logits = (target.lm_head(target.base_model.norm(state)).float() for state in states)
        return wanted, [(each / TEMPERATURE).log_softmax(-1) for each in logits]

    def loss(window: Tensor) -> Tensor:
        wanted, drafted = rows(window)
        return torch.stack([distance(wanted, log_q) for log_q in drafted]).sum()

    @torch.no_grad()
    def acceptance() -> Mapping[str, str]:
        accepted = dict.fromkeys(exits, 0.0)
        for stream in held_out.values():
            wanted, drafted = rows(_windows(stream, plan).to(target.device))
            for name, log_q in zip(accepted, drafted, strict=True):
                accepted[name] += float(torch.minimum(wanted, log_q.exp()).sum(-1).mean()) / len(held_out)
        return {f"α{name}": f"{each:.3f}" for name, each in accepted.items()}

    pair.fit("exits", exits, [*exits.parameters()], loss, streams, plan, checkpoint, acceptance)


def _windows(stream: Tensor, plan: Plan) -> Tensor:
    length = min(plan.window, len(stream) - 2)
    return batch({"": stream}, {}, WINDOWS, length, plan.seed, 0)
