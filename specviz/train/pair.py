"""Trains the two models of a pair: the target on text, the draft by distillation from the target.

Both are ordinary Llama models, trained by the same loop. A step's data is a pure function of (seed, step), so training
that stopped at a checkpoint continues as if it had not stopped.
"""

import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor, nn
from torch.nn import functional
from tqdm import tqdm
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedModel, PreTrainedTokenizerFast

from specviz.train.corpus import batch
from specviz.train.descent import Pace, descend, save

WEIGHTS: Mapping[str, float] = {"tales": 0.42, "code": 0.45, "verse": 0.13}
"""How often a training window is taken from each genre, in relative weights. Any other genre has the weight 1."""

TARGET = {"hidden_size": 256, "intermediate_size": 640, "num_hidden_layers": 8, "num_attention_heads": 4}
TOKENS = 4096
"""Tokens that one training step reads."""
TARGET_LAYERS = 18
"""Layers of the finished target. It is first trained with TARGET's 8 layers, which is faster, then deepened."""
OPENING = 64
"""Tokens at the start of a retold window that come from the text. The prompts that measure acceptance are as long."""
TEMPERATURE = 0.8
"""The temperature that the draft is trained for, which is the app's default."""
MISSED = 8
"""The weight of the missed overlap in the draft's loss, against 1 for the KL divergence. The missed overlap is the
chance that a guess is rejected; a model this small cannot match the target everywhere."""
DRAFT = {"hidden_size": 128, "intermediate_size": 344, "num_hidden_layers": 2, "num_attention_heads": 4}


@dataclass(frozen=True, slots=True)
class Plan(Pace):
    """How long and how fast one model is trained.

    The first `1 - long_share` of the steps read windows of `window` tokens, the others windows of `context` tokens.
    Every step reads about `tokens` tokens.
    """

    tokens: int = TOKENS
    window: int = 192
    context: int = 1024
    long_share: float = 0.12

    def length(self, step: int) -> int:
        """The number of tokens in a window at this step."""
        return self.window if step < self.steps * (1 - self.long_share) else self.context


def new_model(
    shape: Mapping[str, int], vocab_size: int, context: int, seed: int, *, tied: bool = True
) -> LlamaForCausalLM:
    """A fresh Llama. Its residual branches start at zero, so that many layers do not slow the first steps."""
    torch.manual_seed(seed)
    model = LlamaForCausalLM(
        LlamaConfig(
            vocab_size=vocab_size,
            max_position_embeddings=context,
            tie_word_embeddings=tied,
            bos_token_id=0,
            eos_token_id=0,
            **shape,
        )
    )
    for name, weight in model.named_parameters():
        if name.endswith(("o_proj.weight", "down_proj.weight")):
            torch.nn.init.zeros_(weight)
    return model


def deepen(model: LlamaForCausalLM, layers: int, seed: int) -> LlamaForCausalLM:
    """A model with more layers and the same output.

    Fresh layers are placed evenly among the old ones. Their residual branches start at zero, so they change nothing.

    Source: block expansion, LLaMA Pro, arXiv:2401.02415 (there the fresh layers are copies).
    """
    old = model.config
    shape = {name: getattr(old, name) for name in TARGET} | {"num_hidden_layers": layers}
    deeper = new_model(shape, old.vocab_size, old.max_position_embeddings, seed, tied=old.tie_word_embeddings)
    deeper.load_state_dict(
        {name: weight for name, weight in model.state_dict().items() if not name.startswith("model.layers.")},
        strict=False,
    )
    for index, layer in enumerate(model.model.layers):
        place = index * layers // old.num_hidden_layers
        deeper.model.layers[place].load_state_dict(layer.state_dict())
    return deeper


@torch.no_grad()
def carry_over(model: LlamaForCausalLM, old: PreTrainedTokenizerFast, new: PreTrainedTokenizerFast) -> None:
    """Gives the model another tokenizer with as many tokens.

    A new token's embedding is the mean of the embeddings of the old tokens that spell it.
    """
    old_ids = old.get_vocab()
    for weight in {model.model.embed_tokens.weight, model.lm_head.weight}:  # tied weights are one tensor
        rows = weight.clone()
        for token, index in new.get_vocab().items():
            pieces = old.backend_tokenizer.model.tokenize(token)
            weight[index] = rows[[old_ids[token]] if token in old_ids else [piece.id for piece in pieces]].mean(0)


def train_on_text(
    name: str, model: LlamaForCausalLM, streams: Mapping[str, Tensor], plan: Plan, checkpoint: Path
) -> float:
    """Trains a model with next-token cross-entropy. Returns the running loss in nats per token."""

    def loss(window: Tensor) -> Tensor:
        logits: Tensor = model(input_ids=window[:, :-1], use_cache=False).logits
        return functional.cross_entropy(logits.flatten(0, 1).float(), window[:, 1:].flatten())

    return fit(name, model, _matrices(model), loss, streams, plan, checkpoint)


@torch.inference_mode()
def retell(
    target: LlamaForCausalLM, streams: Mapping[str, Tensor], plan: Plan, checkpoint: Path
) -> Mapping[str, Tensor]:
    """For every genre, text that the target wrote: windows whose first OPENING tokens come from the genre's own text.

    In use, a draft mostly continues the target's text, not an author's. WEIGHTS divides a step's `tokens` among the
    genres. The written text is repeated until it is as long as the genre's own stream.

    Source: on-policy distillation, Agarwal et al., arXiv:2306.13649.
    """
    if not checkpoint.exists():
        written: dict[str, list[Tensor]] = {name: [] for name in streams}
        rows = [max(1, round(plan.tokens / plan.window * WEIGHTS.get(name, 1.0))) for name in streams]
        more = plan.window - OPENING
        with torch.random.fork_rng():
            torch.manual_seed(plan.seed)
            for step in tqdm(range(plan.steps), desc="retold", unit="step"):
                openings = [
                    batch({name: stream}, {}, count, OPENING - 1, plan.seed, step)
                    for count, (name, stream) in zip(rows, streams.items(), strict=True)
                ]
                read = torch.cat(openings).to(target.device)
                windows = target.generate(
                    read,
                    attention_mask=torch.ones_like(read),
                    pad_token_id=0,
                    do_sample=True,
                    temperature=TEMPERATURE,
                    top_k=0,
                    top_p=1.0,
                    min_new_tokens=more,
                    max_new_tokens=more,
                )
                for parts, part in zip(written.values(), windows.cpu().split(rows), strict=True):
                    parts.append(part.flatten())
        save(checkpoint, {name: torch.cat(parts) for name, parts in written.items()})
    texts: dict[str, Tensor] = torch.load(checkpoint, weights_only=True)
    return {name: texts[name].repeat(-(-len(stream) // len(texts[name]))) for name, stream in streams.items()}


def distil_draft(
    draft: LlamaForCausalLM,
    target: LlamaForCausalLM,
    streams: Mapping[str, Tensor],
    plan: Plan,
    checkpoint: Path,
) -> float:
    """Trains the draft for its acceptance rate, which is the overlap of p and q at TEMPERATURE.

    Loss = KL(p || q) + MISSED (1 - sum min(p, q)), both at that temperature.

    Source: DistillSpec, arXiv:2310.08461, compares such divergences. Samarin et al., LK losses, arXiv:2602.23881, has
    losses for small drafts.
    """
    target.eval().requires_grad_(requires_grad=False)

    def loss(window: Tensor) -> Tensor:
        with torch.no_grad():
            wanted = (target(input_ids=window[:, :-1], use_cache=False).logits.float() / TEMPERATURE).softmax(-1)
        logits = draft(input_ids=window[:, :-1], use_cache=False).logits.float() / TEMPERATURE
        return distance(wanted, logits.log_softmax(-1))

    return fit("draft", draft, _matrices(draft), loss, streams, plan, checkpoint)


def distance(p: Tensor, log_q: Tensor) -> Tensor:
    """The loss of a draft. The first term gives a gradient where p and q do not overlap yet, the second has none."""
    divergence: Tensor = -(p * log_q).sum(-1).mean() - torch.special.entr(p).sum(-1).mean()
    missed: Tensor = 1 - torch.minimum(p, log_q.exp()).sum(-1).mean()
    return divergence + MISSED * missed


def _matrices(model: LlamaForCausalLM) -> list[Tensor]:
    return [weight for weight in model.model.layers.parameters() if weight.ndim == 2]


def fit(
    name: str,
    model: nn.Module,
    matrices: Sequence[Tensor],
    loss_of: Callable[[Tensor], Tensor],
    streams: Mapping[str, Tensor],
    plan: Plan,
    checkpoint: Path,
    notes: Callable[[], Mapping[str, str]] = dict,
) -> float:
    """Trains as planned on windows of the streams; see `descend`. Returns the running loss.

    Args:
        notes: further figures for the progress bar, asked for at each checkpoint.
    """
    device = next(model.parameters()).device
    compiled = torch.compile(loss_of, dynamic=False) if shutil.which("g++") else loss_of
    kept, noted = {"running": 0.0}, dict[str, str]()

    def loss(step: int) -> Tensor:
        length = plan.length(step)
        if isinstance(model, PreTrainedModel):
            # On a CPU, eager attention makes a step with short windows a fifth faster than the fused kernel does.
            model.set_attn_implementation("sdpa" if length == plan.context else "eager")
        return compiled(batch(streams, WEIGHTS, max(1, plan.tokens // length), length, plan.seed, step).to(device))

    def watch(done: int, last: float) -> Mapping[str, str]:
        kept["running"] = last if done == 1 else 0.98 * kept["running"] + 0.02 * last
        if done % plan.checkpoint_every == 0 or done == plan.steps:
            noted.update(notes())
        return {"loss": f"{kept['running']:.3f}", **noted}

    descend(name, model, matrices, plan, checkpoint, loss, watch, kept)
    return kept["running"]
