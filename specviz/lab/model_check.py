"""Is a model read rightly? What it was tried for, and its greedy texts beside transformers' `generate`."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from specviz import session
from specviz.config.pairs import BYTES, pair_name
from specviz.config.settings import HOME, SETTINGS, ConfigError, Group, Limits, RunConfig
from specviz.config.words import Sentence, sentence
from specviz.lab.baseline import ROUNDING
from specviz.lab.exactness import texts
from specviz.models import pair as pairs
from specviz.models.hf import HFModel
from specviz.models.hub import fits, generation
from specviz.models.pair import Pair
from specviz.models.reference import Greedy, Reference
from specviz.proof.findings import Checked, Verdict

LENGTH = 32
PROMPTS = 4
NOTHING_ELSE: dict[str, Any] = {
    setting.name: setting.default
    for setting in SETTINGS
    if setting.group is Group.TEXT and setting.name != "generation"
}
"""What a person asks of a text besides: left out, as the model is in question. What its own file asks for is not."""
WAYS: tuple[dict[str, Any], ...] = (
    *({"drafter": "small-model", "gamma": gamma} for gamma in (4, 8)),
    {"drafter": "prompt-lookup", "gamma": 4},
    {"drafter": "small-tree", "gamma": 4},
    {"drafter": "suffix", "gamma": 4, "params": {"shape": "tree"}},
)
"""In which a text is written: chains that it guesses itself, one that is copied and often wrong, a tree of each."""


def own_pair(model: str) -> str:
    """The pair of a model that drafts for itself."""
    return pair_name(model, model)


def checks(
    config: RunConfig, limits: Limits = HOME, *, prompts: int = PROMPTS, length: int = LENGTH
) -> Iterator[tuple[int, int] | Checked]:
    """Yields how many texts are compared, of how many, and what was found.

    Args:
        config: its pair's target is checked.
        prompts, length: how many texts are compared in each way, and of how many tokens.

    Raises:
        ConfigError: the pair cannot be had, or transformers' model has no room beside it.
    """
    pair = pairs.load(config.pair, config.device, config.dtype)
    for trial in pair.target.way.tried:
        detail = trial.reason or sentence("common.model.off", error=f"{trial.error or 0:.1g}")
        yield Checked(sentence(f"common.model.{trial.use}"), Verdict.REFUSED if trial.reason else Verdict.SAME, detail)
    _require_room(pair)
    greedy = replace(
        config, temperature=0.0, max_new_tokens=length, rule="rejection", costs=None, gamma_rule="fixed", **NOTHING_ELSE
    )
    reference = Reference(pair, greedy)
    held_by_file = generation.holds(greedy, pair.generation).recorded
    held = held_by_file.asked("held") if held_by_file else []
    wanted: dict[str, Greedy] = {}
    done = 0
    for way in WAYS:
        found = []
        for prompt in texts(prompts):
            asked = replace(greedy, prompt=prompt, earlier=(), gamma_params={}, **{"params": {}, **way})
            found.append(_compared(asked, pair, reference, wanted, limits))
            done += 1
            yield done, len(WAYS) * prompts
        name = sentence("common.model.greedy", drafter=way["drafter"], gamma=way["gamma"])
        name = sentence("common.model.both", what=name, asked=held) if held else name
        yield _summary(name, found, length)


def _require_room(pair: Pair) -> None:
    """What specviz compiles is read a second time, as transformers reads it."""
    if isinstance(pair.target, HFModel) or pair.weights is None:
        return
    config = json.loads((pair.weights / "config.json").read_text(encoding="utf-8"))
    stored = str(config.get("dtype") or config.get("torch_dtype"))
    size = sum(path.stat().st_size for path in pair.weights.glob("*.safetensors"))
    wanted, free = fits.SPARE * size * BYTES[pair.dtype] / BYTES.get(stored, 4), fits.memory(pair.device)
    if wanted > free:
        room = {"size": fits.gigabytes(wanted), "device": pair.device, "free": fits.gigabytes(free)}
        raise ConfigError("check_room", **room)


def _summary(what: Sentence, found: Sequence[tuple[Verdict, Sentence]], length: int) -> Checked:
    for verdict in (Verdict.OTHER, Verdict.REFUSED, Verdict.TIE):
        for each, detail in found:
            if each is verdict:
                return Checked(what, verdict, detail)
    return Checked(what, Verdict.SAME, sentence("common.model.equal", texts=len(found), tokens=length))


def _compared(
    config: RunConfig, pair: Pair, reference: Reference, wanted: dict[str, Greedy], limits: Limits
) -> tuple[Verdict, Sentence]:
    try:
        run = session.start(config, pair, limits=limits, shown=False)
        tokens = [token for step in run for token in step.tokens]
    except ConfigError as error:
        return Verdict.REFUSED, error.sentence
    if config.prompt not in wanted:
        wanted[config.prompt] = reference.greedy(run.prompt, config.max_new_tokens, limits.seconds)
    theirs, scores = wanted[config.prompt]
    differs = next((at for at, (one, other) in enumerate(zip(tokens, theirs, strict=False)) if one != other), None)
    if differs is None:
        if len(tokens) == len(theirs):
            return Verdict.SAME, ""
        shorter = min(tokens, theirs, key=len)
        if not pair.ends.intersection(shorter[-1:]):  # the time or the context ended it, not the model
            return Verdict.REFUSED, sentence("common.model.late", tokens=len(shorter))
        return Verdict.OTHER, sentence("common.model.length", ours=len(tokens), theirs=len(theirs))
    row = scores[differs]
    gap, size = float(row[theirs[differs]] - row[tokens[differs]]), float(np.abs(row[np.isfinite(row)]).max())
    verdict = Verdict.TIE if gap <= ROUNDING[pair.dtype] * size else Verdict.OTHER
    numbers = {"at": differs + 1, "gap": f"{gap:.2g}", "size": f"{size:.2g}"}
    return verdict, sentence("common.model.differs", prompt=config.prompt[:40], **numbers)
