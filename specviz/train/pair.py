"""The embedded pair: a target trained on text, a draft distilled from it.

Both are ordinary Llama models. One loop trains both; a step is a pure function
of (seed, step), so a run stopped at any checkpoint resumes as if it had not been.
"""

import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional
from tqdm import tqdm
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

from specviz.train.corpus import batch

WEIGHTS: Mapping[str, float] = {"tales": 0.42, "code": 0.45, "verse": 0.13}
"""How often a training window comes from each genre; any other genre counts 1."""

TARGET = {"hidden_size": 256, "intermediate_size": 640, "num_hidden_layers": 8, "num_attention_heads": 4}
TARGET_LAYERS = 18
"""Layers of the target that ships: trained with TARGET's first, which is quicker, then deepened and trained on."""
GIVEN = 64
"""Tokens of a retold window that are the text's own, as many as the prompts that acceptance is measured with have."""
TEMPERATURE = 0.8
"""The temperature people start with, which the draft is made for."""
MISSED = 8
"""Weight of the overlap that a draft lacks, which is what guesses fail by, beside its distance from the target's law:
so small a model cannot be near everywhere."""
DRAFT = {"hidden_size": 128, "intermediate_size": 344, "num_hidden_layers": 2, "num_attention_heads": 4}


@dataclass(frozen=True, slots=True)
class Plan:
    """How long and how fast one model is trained.

    The first `1 - long_share` of the steps see windows of `window` tokens, the
    rest see `context`; a step is `tokens` tokens either way. The learning rate
    rises for 40 steps, stays, and falls linearly to zero over the last `decay`.
    """

    steps: int
    tokens: int
    matrix_rate: float
    other_rate: float
    window: int = 192
    context: int = 1024
    long_share: float = 0.12
    decay: float = 0.6
    checkpoint_every: int = 100
    seed: int = 0

    def length(self, step: int) -> int:
        """Tokens in one window at that step."""
        return self.window if step < self.steps * (1 - self.long_share) else self.context

    def rate(self, step: int) -> float:
        """The learning rate at that step, as a share of the highest."""
        return min(1.0, (step + 1) / 40, (self.steps - step) / (self.steps * self.decay))


def new_model(
    shape: Mapping[str, int], vocab_size: int, context: int, seed: int, *, tied: bool = True
) -> LlamaForCausalLM:
    """A fresh Llama whose residual branches start at zero, so that depth costs nothing early on."""
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
    """The same law with more layers: fresh ones, whose residual branches start at zero, evenly among the old.

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
    """Gives the model another tokenizer of as many tokens: a token's row is the mean of what its old pieces had."""
    known = old.get_vocab()
    for weight in {model.model.embed_tokens.weight, model.lm_head.weight}:  # one, where they are tied
        rows = weight.clone()
        for token, index in new.get_vocab().items():
            pieces = old.backend_tokenizer.model.tokenize(token)
            weight[index] = rows[[known[token]] if token in known else [piece.id for piece in pieces]].mean(0)


def train_target(model: LlamaForCausalLM, streams: Mapping[str, Tensor], plan: Plan, checkpoint: Path) -> float:
    """Next-token cross-entropy. Returns the running training loss, nats per token."""

    def loss(window: Tensor) -> Tensor:
        logits: Tensor = model(input_ids=window[:, :-1], use_cache=False).logits
        return functional.cross_entropy(logits.flatten(0, 1).float(), window[:, 1:].flatten())

    return _fit("target", model, loss, streams, plan, checkpoint)


@torch.inference_mode()
def retell(
    target: LlamaForCausalLM, streams: Mapping[str, Tensor], plan: Plan, checkpoint: Path
) -> Mapping[str, Tensor]:
    """Every genre as the target goes on from it: as much text, in windows of which the first GIVEN tokens are real.

    A draft is asked what follows the target's own words more often than what follows an author's. A step's `tokens`
    are shared out by WEIGHTS; what was told is repeated until it is as long as the genre's own stream.

    Source: on-policy distillation, Agarwal et al., arXiv:2306.13649.
    """
    if not checkpoint.exists():
        told: dict[str, list[Tensor]] = {name: [] for name in streams}
        rows = [max(1, round(plan.tokens / plan.window * WEIGHTS.get(name, 1.0))) for name in streams]
        more = plan.window - GIVEN
        with torch.random.fork_rng():
            torch.manual_seed(plan.seed)
            for step in tqdm(range(plan.steps), desc="retold", unit="step"):
                given = [
                    batch({name: stream}, {}, count, GIVEN - 1, plan.seed, step)
                    for count, (name, stream) in zip(rows, streams.items(), strict=True)
                ]
                read = torch.cat(given).to(target.device)
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
                for found, part in zip(told.values(), windows.cpu().split(rows), strict=True):
                    found.append(part.flatten())
        _save(checkpoint, {name: torch.cat(found) for name, found in told.items()})
    texts: dict[str, Tensor] = torch.load(checkpoint, weights_only=True)
    return {name: texts[name].repeat(-(-len(stream) // len(texts[name]))) for name, stream in streams.items()}


def distil_draft(
    draft: LlamaForCausalLM,
    target: LlamaForCausalLM,
    streams: Mapping[str, Tensor],
    plan: Plan,
    checkpoint: Path,
) -> float:
    """Raises the acceptance rate itself: the overlap of both laws at TEMPERATURE.

    Loss = KL(p || q) + MISSED (1 - sum min(p, q)), both at that temperature; the first
    term gives the second a slope where the laws do not meet yet.

    Source: DistillSpec, arXiv:2310.08461, which compares such divergences; for small drafts, Samarin et al., LK losses,
    arXiv:2602.23881.
    """
    target.eval().requires_grad_(requires_grad=False)

    def loss(window: Tensor) -> Tensor:
        with torch.no_grad():
            wanted = (target(input_ids=window[:, :-1], use_cache=False).logits.float() / TEMPERATURE).softmax(-1)
        logits = draft(input_ids=window[:, :-1], use_cache=False).logits.float() / TEMPERATURE
        log_q = logits.log_softmax(-1)
        divergence: Tensor = -(wanted * log_q).sum(-1).mean() - torch.special.entr(wanted).sum(-1).mean()
        missed: Tensor = 1 - torch.minimum(wanted, log_q.exp()).sum(-1).mean()
        return divergence + MISSED * missed

    return _fit("draft", draft, loss, streams, plan, checkpoint)


def _optimizers(model: LlamaForCausalLM, plan: Plan) -> list[tuple[torch.optim.Optimizer, float]]:
    """Muon for the layers' matrices, AdamW for all other weights, each with its highest learning rate."""
    matrices = [weight for weight in model.model.layers.parameters() if weight.ndim == 2]
    chosen = {id(weight) for weight in matrices}
    others = [weight for weight in model.parameters() if id(weight) not in chosen]
    muon = torch.optim.Muon(matrices, lr=plan.matrix_rate, weight_decay=0.03, adjust_lr_fn="match_rms_adamw")
    adam = torch.optim.AdamW(others, lr=plan.other_rate, betas=(0.9, 0.95), weight_decay=0.0, fused=True)
    return [(muon, plan.matrix_rate), (adam, plan.other_rate)]


def _fit(
    name: str,
    model: LlamaForCausalLM,
    loss_of: Callable[[Tensor], Tensor],
    streams: Mapping[str, Tensor],
    plan: Plan,
    checkpoint: Path,
) -> float:
    device = model.device
    optimizers = _optimizers(model, plan)
    step, running = 0, 0.0
    if checkpoint.exists():
        state: dict[str, Any] = torch.load(checkpoint, weights_only=True)
        model.load_state_dict(state["model"])
        for (optimizer, _), saved in zip(optimizers, state["optimizers"], strict=True):
            optimizer.load_state_dict(saved)
        step, running = int(state["step"]), float(state["running"])
    compiled = torch.compile(loss_of, dynamic=False) if shutil.which("g++") else loss_of
    bf16 = _multiplies_bf16(device)
    model.train()
    with tqdm(total=plan.steps, initial=step, desc=name, unit="step") as bar:
        while step < plan.steps:
            length = plan.length(step)
            # On a CPU, plain matrix products beat the fused attention kernel by a fifth of a step at short windows.
            model.set_attn_implementation("sdpa" if length == plan.context else "eager")
            window = batch(streams, WEIGHTS, max(1, plan.tokens // length), length, plan.seed, step).to(device)
            with torch.autocast(device.type, torch.bfloat16, enabled=bf16):
                loss = compiled(window)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            for optimizer, rate in optimizers:
                optimizer.param_groups[0]["lr"] = rate * plan.rate(step)
                optimizer.step()
                optimizer.zero_grad()
            step += 1
            running = loss.item() if step == 1 else 0.98 * running + 0.02 * loss.item()
            bar.update()
            bar.set_postfix(loss=f"{running:.3f}")
            if step % plan.checkpoint_every == 0 or step == plan.steps:
                _save(
                    checkpoint,
                    {
                        "model": model.state_dict(),
                        "optimizers": [optimizer.state_dict() for optimizer, _ in optimizers],
                        "step": step,
                        "running": running,
                    },
                )
    return running


def _multiplies_bf16(device: torch.device) -> bool:
    """Whether the device has instructions for it; without, autocast would only be slower."""
    if device.type == "cuda":
        native: bool = torch.cuda.is_bf16_supported(including_emulation=False)
        return native
    able = torch.cpu.get_capabilities()
    return any(able.get(name) for name in ("avx512_bf16", "amx_bf16", "bf16"))


def _save(path: Path, state: Mapping[str, Any]) -> None:
    """Writes beside the old checkpoint, then swaps, so that a stop mid-write loses nothing."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_suffix(".new")
    torch.save(dict(state), fresh)
    fresh.replace(path)
