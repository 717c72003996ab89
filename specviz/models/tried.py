"""Tries what a model will be asked for, beside transformers' own pass over the whole text without a cache."""

import copy
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from huggingface_hub.errors import StrictDataclassError
from safetensors.torch import save_file
from transformers import AutoModelForCausalLM

from specviz.config.settings import ConfigError
from specviz.config.words import Reason, because
from specviz.models.border import crossed
from specviz.models.hub import fits
from specviz.models.passes import llama
from specviz.models.passes.llama import Llama
from specviz.sampling.arrays import Ids, Reals
from specviz.sampling.tree import DraftTree
from specviz.trace.info import Trial
from specviz.verify import LanguageModel, verify

CHAIN = DraftTree.chain((1, 0, 0))
"""Which guesses are tried: 1 stands for the text's own next token, 0 for another one."""
TREE = DraftTree((0, 1, 0, 1), (-1, -1, 0, 1))
SHORT = (5, 9)
"""After how many tokens guesses are tried on the model itself."""
LONG = 16
"""What windows and chunks are cut to in a small model of its kind, BORDER the length where positions change."""
BORDER = 24
STOPS = (6, LONG - 3, LONG, LONG + 3, BORDER - 1, BORDER + 2, 2 * LONG + 1, 3 * LONG + 2)
"""At least three apart: what was right there is kept."""
COMPILED = (5, 20, 44)
MOST = {torch.float64: 1e-9, torch.float32: 2e-4, torch.float16: 1e-2, torch.bfloat16: 8e-2}
"""How far logits may be off, as a share of the largest: the type's rounding, many layers over."""
CLOSEST = 2e-5
"""The same for the compiled pass on a small model."""
SCANS = ("chunk_size", "mamba_chunk_size")
"""The pieces in which states are computed. They are tried, but what is seen does not change there."""
LARGEST = 60_000_000
"""Weights of the largest small model that is made."""
RAISED = (
    *(RuntimeError, ValueError, TypeError, AttributeError, IndexError, KeyError, ZeroDivisionError, AssertionError),
    StrictDataclassError,
)
"""What models raise that cannot do what they are asked for."""


class _Truth:
    """Logits by the whole text at once, without a cache; each text is read once."""

    def __init__(self, inner: Any, *, each: bool) -> None:
        """each: read a text again for every row, as its length may change all positions."""
        self._inner, self._each = inner, each
        self._read: dict[tuple[int, ...], Reals] = {}

    @torch.inference_mode()
    def row(self, text: Sequence[int], leaf: Sequence[int]) -> Reals:
        """What follows `text`, which a longer text, `leaf`, begins with."""
        key = tuple(text if self._each else leaf)
        if key not in self._read:
            tokens = torch.tensor([key], device=self._inner.device)
            self._read[key] = crossed(self._inner(input_ids=tokens, use_cache=False).logits[0])
        found: Reals = self._read[key][len(text) - 1]
        return found


def _walked(
    model: LanguageModel, truth: _Truth, seed: int, stops: Sequence[int], guesses: DraftTree
) -> Iterator[float]:
    """Reads a text with guesses at each stop, wrong ones among them, and continues after those that were right.

    Yields:
        The largest error of a logit there, as a share of the largest logit.
    """
    text: Ids = np.random.default_rng(seed).integers(3, model.vocab_size, size=stops[-1] + len(guesses) + 1)
    cache = model.new_cache(len(text) + len(guesses))
    depths, paths = guesses.depths(), guesses.paths()
    right = [int(node) for node in np.flatnonzero(guesses.tokens)]
    for stop in stops:
        own = [int(text[stop + depth]) for depth in depths]
        tokens = tuple(token if guess else token - 1 for token, guess in zip(own, guesses.tokens, strict=True))
        tree = DraftTree(tokens, guesses.parents)
        scores = verify(model, cache, text[cache.length : stop].tolist(), tree)
        off = most = 0.0
        texts = [
            (*text[:stop].tolist(), *(tokens[node] for node in np.flatnonzero(path)))
            for path in (paths[-1], *paths[:-1])
        ]
        for row, path in zip(scores.logits, texts, strict=True):
            leaf = max((each for each in texts if each[: len(path)] == path), key=len)
            wanted = truth.row(path, leaf)
            off, most = max(off, float(np.abs(row - wanted).max())), max(most, float(np.abs(wanted).max()))
        cache.keep(stop, right)
        yield off / most if most else off


def trials(model: LanguageModel, inner: Any, stops: Sequence[int] = SHORT, *, each: bool = False) -> tuple[Trial, ...]:
    """A chain of guesses, a branch, a roll-back, and two texts in turns.

    Args:
        inner: transformers' model behind it.
        each: see _Truth.
    """
    each = each or getattr(model, "keeps_nothing", False)  # whether later tokens change what comes before them
    truth, most = _Truth(inner, each=each), MOST[inner.dtype]

    def worst(errors: Sequence[float]) -> float:
        return float(max(errors)) if all(np.isfinite(errors)) else float("nan")

    def tried(use: str, *walks: Any) -> Trial:
        try:
            errors = [found for step in zip(*walks, strict=True) for found in step]
        except ConfigError as error:
            return Trial(use, None, str(error))
        except RAISED as error:
            return Trial(use, None, because("tried.raises", error=fits.first_line(error)))
        if use == "chain":
            back.append(worst(errors[1:]))
            errors = errors[:1]
        return _judged(use, worst(errors), most)

    back: list[float] = []
    chain = tried("chain", _walked(model, truth, 0, stops, CHAIN))
    rolled = _judged("back", back[0], most) if back else Trial("back", None, chain.reason)
    branch = tried("branch", _walked(model, truth, 0, stops, TREE))
    both = tried("together", *(_walked(model, truth, seed, stops, CHAIN) for seed in (0, 1)))
    return chain, rolled, branch, both


def _judged(use: str, error: float, most: float) -> Trial:
    if error <= most:
        return Trial(use, error)
    return Trial(
        use, error if np.isfinite(error) else None, because("tried.differs", error=f"{error:.2g}", most=f"{most:.2g}")
    )


def long(config: Any, wrapped: Callable[[Any], LanguageModel]) -> tuple[Trial, ...]:
    """The same after windows, chunks and where positions change, on a small model of its kind with random weights.

    Args:
        wrapped: makes a LanguageModel of transformers' own.

    Returns:
        Nothing if it has none of these. Else one, and one of a branch if only that fails there.
    """
    if not borders(config):
        return ()
    found: tuple[Trial, ...] = ()
    for narrow in (True, False):
        try:
            found = _behind(_small(config, narrow=narrow), wrapped)
        except RAISED as error:
            found = (Trial("long", None, because("tried.untried", error=fits.first_line(error))),)
        if found[0].error is not None:
            return found
    return found if {*borders(config)} - {*SCANS} else ()


def _behind(inner: Any, wrapped: Callable[[Any], LanguageModel]) -> tuple[Trial, ...]:
    """What `long` returns, for one small model. Raises whatever the model does."""
    model = wrapped(inner)
    found = trials(model, inner, [stop for stop in STOPS if stop + 4 < model.context], each=True)
    if broken := next((trial for trial in found if trial.reason and trial.use != "branch"), None):
        return (Trial("long", broken.error, broken.reason),)
    if not (own := _own_cache(inner)) <= MOST[torch.float32]:
        return (Trial("long", own, because("tried.contradicts", error=f"{own:.2g}")),)
    branch = tuple(trial for trial in found if trial.use == "branch" and trial.reason)
    return (Trial("long", max(trial.error or 0.0 for trial in found if not trial.reason)), *branch)


@torch.inference_mode()
def _own_cache(inner: Any) -> float:
    """How far transformers' own cached pass is from its pass over the whole text, after every window and border."""
    text = torch.arange(3, 3 + STOPS[-1])[None]
    more: dict[str, Any] = {"do_sample": False, "output_logits": True, "return_dict_in_generate": True}
    made = inner.generate(text, attention_mask=torch.ones_like(text), max_new_tokens=3, **more)
    wanted = inner(made.sequences[:, :-1], use_cache=False).logits[0, -1]
    return float((made.logits[-1][0] - wanted).abs().max() / wanted.abs().max())


PICKED = ("index_topk", "indexer_budget")
"""How many tokens an index picks for a layer to see."""


def borders(config: Any) -> Mapping[str, int]:
    """The windows, chunks, picks and changes of positions in a config that are shorter than its context, by name."""
    text = config.get_text_config()
    found = {
        name: value
        for name, value in text.to_dict().items()
        if ("window" in name or "chunk_size" in name or name in PICKED)
        and type(value) is int
        and name != "max_window_layers"
        and not name.endswith("pattern")
    }
    for rotation in rotations(text):
        if rotation.get("rope_type") == MOVING and type(rotation.get("original_max_position_embeddings")) is int:
            found["original_max_position_embeddings"] = rotation["original_max_position_embeddings"]
    return {name: value for name, value in found.items() if 0 < value < text.max_position_embeddings}


MOVING = "longrope"
"""The kind of rotary embeddings that turns all positions again after a border within the context."""


def rotations(text: Any) -> list[dict[str, Any]]:
    """How a model turns positions: one, or one for each type of layer."""
    facts = getattr(text, "rope_parameters", None) or {}
    return [facts] if "rope_type" in facts else [each for each in facts.values() if isinstance(each, dict)]


def _small(config: Any, *, narrow: bool) -> Any:
    """A model with this config but few layers, short windows and random weights; narrow ones if asked for.

    Raises:
        ValueError: it would be large. Others: transformers cannot make it.
    """
    small = copy.deepcopy(config)
    text = small.get_text_config()
    shape: dict[str, Any] = {name: 128 for name in text.to_dict() if "vocab_size" in name}
    shape |= {name: 1 for name, value in text.to_dict().items() if name.endswith("_token_id") and type(value) is int}
    shape |= dict.fromkeys(borders(config), LONG) | {"max_position_embeddings": 4 * STOPS[-1]}
    kinds = list(getattr(text, "layer_types", None) or ())
    first = {kind: kinds.index(kind) for kind in kinds}
    layers = min(text.num_hidden_layers, max([2, *(1 + place for place in first.values())]))
    shape |= dict.fromkeys(("num_hidden_layers", "num_blocks"), layers) | {"num_kv_shared_layers": 0}
    shape |= {
        name: value[:layers]
        for name, value in text.to_dict().items()
        if isinstance(value, list) and len(value) == text.num_hidden_layers
    }
    if narrow:
        shape |= _narrow(text)
    for name, value in shape.items():
        if hasattr(text, name):
            by_layer = type(text.to_dict().get(name)) is list and type(value) is int
            setattr(text, name, [value] * layers if by_layer else value)
    _shorten(text)
    with torch.device("meta"):
        size = sum(weight.numel() for weight in AutoModelForCausalLM.from_config(small).parameters())
    if size > LARGEST:
        raise ValueError(f"{size / 1e6:,.0f} M weights in {layers} layers")
    return _random(small)


def _narrow(text: Any) -> dict[str, Any]:
    """Sizes of a small model of one family; what it does not have stays."""
    facts = text.to_dict()  # where sizes differ by layer, what holds for the others
    facts |= {name: facts[own] for name, own in text.attribute_map.items() if own in facts}
    heads = facts.get("num_attention_heads") or 1
    groups = max(1, heads // (facts.get("num_key_value_heads") or heads))
    dim = facts.get("head_dim") or facts["hidden_size"] // heads
    named = {"hidden_size": 2 * groups * dim, "num_attention_heads": 2 * groups, "num_key_value_heads": 2}
    named |= {"intermediate_size": 96, "moe_intermediate_size": 32, "num_local_experts": 4, "num_experts": 4}
    named |= {"n_routed_experts": 4, "num_experts_per_tok": 2, "n_group": 1, "topk_group": 1}
    if facts.get("head_dim") is not None:
        named["hidden_size"] = 32 * groups
    expand = facts.get("mamba_expand") or facts.get("expand")
    if expand:
        wide = int(expand * named["hidden_size"])
        named |= dict.fromkeys(("mamba_d_head", "mamba_headdim", "mamba_head_dim"), 16)
        named |= dict.fromkeys(("mamba_n_heads", "n_mamba_heads", "mamba_num_heads", "num_heads"), wide // 16)
        named |= dict.fromkeys(("mamba_n_groups", "mamba_ngroups", "n_groups"), 1)
        named |= {"mamba_d_ssm": wide, "attention_hidden_size": 2 * named["hidden_size"]}
        named["attention_head_dim"] = named["hidden_size"] // groups
        if "num_attention_heads" not in facts:
            named["head_dim"] = 16
    return named


def _shorten(text: Any) -> None:
    """Moves the places where positions change."""
    for rotation in rotations(text):
        if rotation.get("rope_type") == MOVING:
            rotation["original_max_position_embeddings"] = BORDER
    if getattr(text, "original_max_position_embeddings", None):
        text.original_max_position_embeddings = BORDER


@torch.no_grad()
def _random(config: Any) -> Any:
    """A model with that config whose weights are random, the same each time."""
    with torch.random.fork_rng():
        torch.manual_seed(0)
        model = AutoModelForCausalLM.from_config(config, dtype=torch.float32).eval()
        for weight in model.parameters():
            weight += 0.1 * torch.randn_like(weight)
    return model


def differs(config: Any) -> tuple[Reason, tuple[Trial, ...]]:
    """What is wrong with the compiled pass for such a model, "" if nothing, and what was tried.

    A model with this config but few and narrow layers gets random weights: whatever else the config says, the compiled
    pass must do as this version of transformers does.
    """
    small = copy.deepcopy(config)
    groups = config.num_attention_heads // config.num_key_value_heads
    small.head_dim = getattr(config, "head_dim", None) or config.hidden_size // config.num_attention_heads
    small.num_attention_heads, small.num_key_value_heads = 2 * groups, 2
    small.hidden_size, small.intermediate_size, small.num_hidden_layers, small.vocab_size = 32 * groups, 96, 2, 128
    small.bos_token_id = small.eos_token_id = small.pad_token_id = None
    if getattr(small, "layer_types", None):
        small.layer_types = small.layer_types[:2]
    try:
        model = _random(small)
        with tempfile.TemporaryDirectory() as folder:
            tensors = {name: weight.clone() for name, weight in model.state_dict().items()}
            save_file(tensors, Path(folder) / "model.safetensors")
            own = Llama.load(Path(folder), small.to_dict())
        found = trials(own, model, COMPILED)
    except llama.FAULTS as fault:
        return llama.failed(fault), ()
    except (*RAISED, OSError) as error:  # OSError: there is no temporary folder, TMPDIR names one
        return because("tried.untried", error=fits.first_line(error)), ()
    for trial in found:
        if trial.error is None:
            return trial.reason, ()
        if trial.error > CLOSEST:
            return because("pass.differs", error=f"{trial.error:.2g}", most=f"{CLOSEST:.2g}"), ()
    return "", found
