"""Which experts a mixture's routers send the tokens of a text to, by hooks on what the routers return."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from torch import nn

from specviz.models.hf import HFModel
from specviz.sampling.arrays import Ids
from specviz.verify import LanguageModel


@torch.inference_mode()
def routed(target: LanguageModel, tokens: Sequence[int]) -> tuple[list[Ids], int]:
    """The experts of each token, int64[tokens, experts a token] a layer that has any, and how many such a layer has.

    The text is read in one pass: what a router chooses for a token depends on the tokens before it alone. There are no
    layers if the model has no router that says what it chooses.
    """
    model = getattr(target, "inner", target)
    if not isinstance(model, HFModel):
        return [], 0
    inner = model.model
    found: list[Ids] = []
    most = 0

    def see(router: nn.Module, _: Any, output: Any) -> None:
        nonlocal most
        chosen = [each for each in output if isinstance(each, torch.Tensor) and not each.is_floating_point()]
        if chosen:
            found.append(np.asarray(chosen[-1].reshape(len(tokens), -1).cpu()))
            most = len(router.get_parameter("weight"))

    hooks = [each.register_forward_hook(see) for each in inner.modules() if "Router" in type(each).__name__]
    try:
        if hooks:
            inner(input_ids=torch.tensor([list(tokens)], device=inner.device), use_cache=False)
    finally:
        for hook in hooks:
            hook.remove()
    return found, most
