"""Why do two texts of one model differ? Both are read in float32, and again in the number type that wrote them."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from specviz import session
from specviz.config.settings import HOME, ConfigError, Limits, RunConfig
from specviz.config.words import sentence
from specviz.lab.baseline import ROUNDING, scores_of
from specviz.models import by_torch, reference
from specviz.models import pair as pairs
from specviz.models.hub import fits
from specviz.models.pair import Pair
from specviz.proof.findings import Difference, Given
from specviz.sampling.arrays import Floats, Reals
from specviz.trace.pieces import joined
from specviz.verify import read

BEST = 8  # of a row: how far rounding moves them against each other is measured
TIMES = 4  # a tie's gap is at most that many times the error's root mean square, as in findings.Equality
FEW, MANY = 0.02, 0.1  # shares of tokens that are further from the best: at most in a greedy text, at least in none
WINDOW = 32  # tokens within which two spellings of the same characters end together
EPSILON = {"float32": 2**-23, "bfloat16": 2**-7, "float16": 2**-10}
Ids = Sequence[int]
Texts = Sequence[Ids]


def differ(config: RunConfig, given: Sequence[Given], limits: Limits = HOME) -> Difference:
    """Compares two texts. config: the model, the prompt of texts that have none, and the number type that wrote them,
    auto for the model's own. Raises ConfigError: the model cannot be had, or cannot read them."""
    pair = pairs.load(config.pair, config.device, "float32")
    prompt = next((each.prompt for each in given if each.prompt), None) or session.prompt_of(config, pair, limits)
    texts = [_tokens(each, prompt, pair, limits) for each in given]
    names, prompts = [each.name for each in given], [each.prompt or prompt for each in given]
    why, at, said = parted(names, prompts, texts, pair.tokenizer.piece)
    if not why and any(each.temperature for each in given):
        why, said = "sampled", {"names": [each.name for each in given if each.temperature]}
    if why:
        return Difference(why, (sentence(f"common.differ.{why}", **said),), at)
    assert pair.weights is not None, "a pair that has a name was read from a folder"
    shape = fits.config_of(pair.weights, pair.name)
    own = str(getattr(shape, "dtype", None)).removeprefix("torch.")
    dtype = config.dtype if config.dtype != "auto" else own if own in EPSILON else "float32"
    again = by_torch.weights(pair.name, pair.weights, shape, pair.device, dtype)
    read = [_scores(config, pair, again, prompt, text) for text in texts]
    return judged(texts, at, read, {**said, "dtype": dtype})


def _tokens(given: Given, prompt: Ids, pair: Pair, limits: Limits) -> list[int]:
    tokens = pair.tokenizer.encode(given.text) if isinstance(given.text, str) else [*given.text]
    if tokens[: len(prompt)] == [*prompt] and not isinstance(given.text, str):  # as generate returns them
        tokens = tokens[len(prompt) :]
    size, most = pair.target.vocab_size, min(pair.target.context - len(prompt), limits.max_new_tokens)
    if odd := [f"{token:,}" for token in (*(given.prompt or ()), *tokens) if not 0 <= token < size]:
        raise ConfigError("differ_vocabulary", file=given.name, token=odd[0], pair=pair.name, size=f"{size:,}")
    if not 0 < len(tokens) <= most:
        raise ConfigError("differ_length", file=given.name, tokens=f"{len(tokens):,}", most=f"{most:,}")
    return _spelt(pair, prompt, given.text) if isinstance(given.text, str) else tokens


def parted(
    names: Sequence[str], prompts: Texts, texts: Texts, piece: Callable[[int], str]
) -> tuple[str, int, dict[str, Any]]:
    """Why two texts differ, "" if only a model can tell, where, and what is to be said of it."""
    for inside, (one, other) in ((True, prompts), (False, texts)):
        least = min(len(one), len(other))
        at = next((at for at in range(least) if one[at] != other[at]), least)
        spelt = [[*map(piece, each[at : at + WINDOW])] for each in (one, other)]
        ways = [{joined(each[: end + 1]) for end in range(len(each))} for each in spelt]
        (a, name_a), (b, name_b) = sorted(zip(spelt, names, strict=True), key=lambda each: bool(each[0]))
        said: dict[str, Any] = {"a": "".join(a[:1]), "name_a": name_a, "b": "".join(b[:1]), "name_b": name_b}
        said |= {"at": f"{at + 1:,}", "tokens": f"{at:,}", "inside": inside}
        if any(spelt):
            return "read" if ways[0] & ways[1] else "prompts" if inside else "" if all(spelt) else "ended", at, said
    return "same", at, said


def _rows(pair: Pair, prompt: Ids, text: Ids) -> Reals:
    whole, before = [*prompt, *text], len(prompt) - 1
    cache = pair.target.new_cache(len(whole))
    read(pair.target, whole[:before], cache)
    return pair.target.forward(whole[before:-1], range(before, len(whole) - 1), None, cache)


def _spelt(pair: Pair, prompt: Ids, text: str) -> list[int]:
    """A text's tokens: where the model's best begins to spell it otherwise than the tokenizer does, the model's."""
    tokens, done, piece = pair.tokenizer.encode(text), 0, pair.tokenizer.piece
    while done < len(tokens):
        for at, best in [*enumerate(map(int, _rows(pair, prompt, tokens).argmax(1)))][done:]:
            done, rest = at + 1, joined(map(piece, tokens[at:]))
            if best != tokens[at] and rest.startswith(piece(best)):
                tokens[at:] = [best, *pair.tokenizer.encode(rest.removeprefix(piece(best)))]
                break
    return tokens


def _scores(config: RunConfig, pair: Pair, again: Any, prompt: Ids, text: Ids) -> tuple[Floats, Floats]:
    """float64[n, V], float64[n]: the scores of what may stand in a token's place, and how far, squared, the second pass
    has two of the best there from where they are to each other."""
    logits, sampling = _rows(pair, prompt, text), session.sampling_of(config, pair, len(prompt))
    best = np.argpartition(-logits, BEST)[:, :BEST]
    moved = np.take_along_axis(reference.rows(again, [*prompt, *text])[len(prompt) - 1 : -1] - logits, best, 1)
    found = [scores_of(each, sampling, 0, [*prompt, *text[:at]]) for at, each in enumerate(logits)]
    return np.array(found), 2 * moved.var(1, dtype=float)


def judged(texts: Texts, at: int, read: Sequence[tuple[Floats, Floats]], said: dict[str, Any]) -> Difference:
    """What both readings, see _scores, say of two texts that part there. said: the names, the tokens, the type."""
    scores, dtype = [each for each, _ in read], said["dtype"]
    error = float(np.sqrt(np.concatenate([moved for _, moved in read]).mean()))
    gaps = np.diff(np.partition(scores[0], -2)[:, -2:])[:, 0]
    here, best, names = scores[0][at], scores[0][at].max(), (said["name_a"], said["name_b"])
    step = EPSILON[dtype] * 2.0 ** np.floor(np.log2(abs(best) or 1.0))
    limit = float(min(max(TIMES * error, step), ROUNDING[dtype] * np.abs(here[np.isfinite(here)]).max()))
    own = [each[range(len(text)), text] for each, text in zip(scores, texts, strict=True)]
    far = [each.max(1) - mine > limit for each, mine in zip(scores, own, strict=True)]
    astray = [name for name, each in zip(names, far, strict=True) if each[at] or each[at:].mean() > FEW]
    why = "unknown" if all(each.mean() > MANY for each in far) else "other" if astray else "tie"
    close, size, p = int((gaps <= limit).sum()), len(gaps), np.exp(here - best)
    measured = {"gap": own[0][at] - own[1][at], "logit": best, "step": step, "error": error, "limit": limit}
    measured |= {f"p_{key}": p[text[at]] / p.sum() for key, text in zip("ab", texts, strict=True)}
    said |= {name: f"{abs(value):.2g}" for name, value in measured.items()} | {"astray": astray}
    said |= {f"rank_{key}": 1 + int((here > mine[at]).sum()) for key, mine in zip("ab", own, strict=True)}
    said |= {"close": close, "of": size, "every": round(size / (close or 1))}
    lines = [sentence(f"common.differ.{each}", **said) for each in (why, "place", "rounding", "often")]
    for name, each in zip(names, far, strict=True):
        lines += [sentence("common.differ.far", name=name, many=int(each.sum()), of=len(each))] if each.any() else []
    return Difference(why, tuple(lines), at, tuple(gaps.tolist()), limit)
