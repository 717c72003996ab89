"""A layer for multi-token prediction: one more layer of the target's own kind predicts its next state.

At place j it reads the target's last state h_j, after the final norm, and the token s_{j+1} that was drawn from it:
x = W [norm(e(s_{j+1})), norm(h_j)], then a plain decoder layer, then a norm. What comes out stands for h_{j+1}: the
target's output head reads from it what follows s_{j+1}. Further on it reads what it put out itself.

Sources: DeepSeek-V3, arXiv:2412.19437; `MtpLayer` of transformers.
"""

from typing import Any

import torch
from torch import Tensor, nn

from specviz.models.heads.eagle import Attend, EagleShape, Layer, Norm, shape_for


class Mtp(Layer):
    """See above. Its embedding and output head are the target's and are passed in."""

    def __init__(self, shape: EagleShape) -> None:
        super().__init__(shape, shape.width)
        self.join = nn.Linear(2 * shape.width, shape.width, bias=False)
        self.token_norm, self.state_norm, self.input_norm, self.norm = (
            Norm(shape.width, eps=shape.eps) for _ in range(4)
        )

    def fused(self, states: Tensor) -> Tensor:
        """The states of the one layer that it reads, [..., 1, width], without that dimension."""
        return states.squeeze(-2)

    def normed(self, states: Tensor) -> Tensor:
        """What the output head reads of its states: they are normed."""
        return states

    def forward(self, embedded: Tensor, state: Tensor, positions: Tensor, attend: Attend) -> Tensor:
        """See Eagle."""
        x = self.join(torch.cat([self.token_norm(embedded), self.state_norm(state)], -1))
        out: Tensor = self.norm(self.through(x, self.input_norm(x), positions, attend))
        return out


def new(target: Any, layers: tuple[int, ...], seed: int) -> Mtp:
    """A layer for a target of the Llama family, before any training. It begins by putting out the state it reads: its
    residual branches are zero, and its last norm is as large as the target's.
    """
    torch.manual_seed(seed)
    model = Mtp(shape_for(target.config, layers))
    first, last = target.model.layers[0], target.model.layers[-1]
    with torch.no_grad():
        model.token_norm.weight.copy_(first.input_layernorm.weight)
        model.mlp_norm.weight.copy_(last.post_attention_layernorm.weight)
        model.norm.weight.fill_(target.model.norm.weight.square().mean().sqrt())
        model.o_proj.weight.zero_()
        model.down_proj.weight.zero_()
        model.join.weight.mul_(0.1)[:, -model.shape.width :].add_(torch.eye(model.shape.width))
    return model
