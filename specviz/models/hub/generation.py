"""What a model's generation_config.json asks for, read as an untrusted file; and the part that a run obeys.

Keys, off values, and what is read where there is no such file are those of transformers' `generate`.
"""

import json
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

from specviz.config.entry import Range
from specviz.config.settings import MOST_SHOWN, SETTINGS, ConfigError, RunConfig, shortened
from specviz.config.words import Sentence, sentence
from specviz.models.hub import fits
from specviz.trace.info import Generation

FILE, CONFIG, ENDS = "generation_config.json", "config.json", "eos_token_id"
MOST = 10**6
"""Bytes that the file may have."""
STRINGS, LETTERS = 64, 200
"""The most stop strings, and of each."""
SAID = 40
"""Maximum number of keys listed per kind."""
NAME = re.compile("[a-z][a-z0-9_]{0,39}")
PARTS = ("decoder", "generator", "text_config")
"""Where config.json may keep what is about text; the first that is there counts."""
SETTINGS_TOO = (
    "repetition_penalty", "no_repeat_ngram_size", "min_new_tokens", "top_k", "top_p", "min_p", "typical_p",
    "stop_strings",
)  # fmt: skip
"""What settings say too, by the same names. A key fills its setting in where that is off."""
OWN = ("temperature", "max_new_tokens", "max_length", "max_time")
"""What a person chooses in any case."""
SILENT = {
    "eos_token_id", "bos_token_id", "pad_token_id", "decoder_start_token_id", "transformers_version", "do_sample",
    "use_cache", "cache_implementation", "cache_config", "max_cache_len", "return_dict_in_generate",
    "output_attentions", "output_hidden_states", "output_scores", "output_logits", "renormalize_logits",
    "early_stopping", "length_penalty", "is_assistant", "num_assistant_tokens", "num_assistant_tokens_schedule",
    "assistant_confidence_threshold", "assistant_lookbehind", "target_lookbehind", "max_matching_ngram_size",
    "compile_config", "disable_compile", "low_memory", "prefill_chunk_size",
}  # fmt: skip
"""What changes no text of a single beam. The ends and do_sample are handled elsewhere."""
LEFT = {
    "guidance_scale": 1, "encoder_repetition_penalty": 1, "num_beams": 1, "num_beam_groups": 1,
    "num_return_sequences": 1, "encoder_no_repeat_ngram_size": 0, "diversity_penalty": 0, "epsilon_cutoff": 0,
    "eta_cutoff": 0, "penalty_alpha": 0, "top_h": None, "exponential_decay_length_penalty": None,
    "forced_bos_token_id": None, "forced_eos_token_id": None, "remove_invalid_values": None, "token_healing": None,
    "watermarking_config": None, "prompt_lookup_num_tokens": None, "assistant_early_exit": None,
    "assistant_ensemble_weight": None, "use_mtp": None, "speculation_type": None, "dola_layers": None,
    "constraints": None, "force_words_ids": None,
}  # fmt: skip
"""What transformers knows and specviz does not do, with the number at which it is off."""


class _WrongError(ValueError):
    """A value that is not what its key wants."""

    def __init__(self, wanted: Sentence) -> None:
        super().__init__()
        self.wanted, self.key = wanted, ENDS


@dataclass(frozen=True)
class Asked:
    """What a model's files ask for, beside what ends a text.

    Attributes:
        values: what specviz does, by transformers' keys; nothing that is off.
        own: what a person chooses in any case. left: what specviz does not do. Both as a trace keeps them.
        sampled: the file's do_sample.
        fault: why the file cannot be obeyed; None if it can.
    """

    values: Mapping[str, Any] = field(default_factory=dict)
    own: Mapping[str, float | str] = field(default_factory=dict)
    left: Mapping[str, float | str] = field(default_factory=dict)
    sampled: bool | None = None
    fault: ConfigError | None = None


def read(folder: Path, source: str, size: int) -> tuple[frozenset[int], Asked]:
    """The token ids that end a text, and what else the files in a model's folder ask for.

    Args:
        source: what the model is called in an error.
        size: its tokens.
    """
    legacy, path = _legacy(folder / CONFIG), folder / FILE
    if not path.exists():
        return _read({key: legacy[key] for key in KNOWN if key in legacy}, f"{CONFIG} of {source}", size)
    named = f"{FILE} of {source}"
    try:
        ends, asked = _read(_object(path), named, size)
    except (ValueError, RecursionError, OSError) as error:
        ends, asked = frozenset(), Asked(fault=ConfigError("generation_file", file=named, error=fits.first_line(error)))
    if asked.fault and not ends:
        ends, _ = _read({ENDS: legacy.get(ENDS)}, named, size)
    return ends, asked


def _object(path: Path) -> dict[str, Any]:
    if path.stat().st_size > MOST:
        raise ValueError(f"it has more than {MOST:,} bytes")
    found = json.loads(path.read_text(encoding="utf-8"))
    if not isinstance(found, dict):
        raise ValueError("it is no JSON object")
    return found


def _legacy(path: Path) -> dict[str, Any]:
    """What config.json says at its top, and of text where that says nothing."""
    found = json.loads(path.read_text(encoding="utf-8"))
    part: Any = next((found[name] for name in PARTS if found.get(name)), {})
    inner = part if isinstance(part, dict) else {}
    return inner | {key: each for key, each in found.items() if each is not None}


def _read(found: Mapping[str, Any], named: str, size: int) -> tuple[frozenset[int], Asked]:
    ends = frozenset[int]()
    try:
        ends = _ends(found.get(ENDS), size)
        return ends, _asked({key: each for key, each in found.items() if each is not None}, ends, size)
    except _WrongError as wrong:
        details = {"key": wrong.key, "value": shortened(found[wrong.key]), "wanted": wrong.wanted}
        return ends, Asked(fault=ConfigError("generation_value", file=named, **details))


def _asked(found: Mapping[str, Any], ends: frozenset[int], size: int) -> Asked:
    values = {key: _value(key, found[key], size) for key in READERS if key in found}
    if "bad_words_ids" in values:  # as in transformers, no end is a bad word
        values["bad_words_ids"] = tuple(
            each for each in values["bad_words_ids"] if each not in {(end,) for end in ends}
        )
    values = {key: value for key, value in values.items() if value != READERS[key].off}
    if "min_new_tokens" in values:  # as in transformers, which then counts no prompt
        values.pop("min_length", None)
    sampled = found.get("do_sample")
    return Asked(
        values=values,
        own=_noted({key: found[key] for key in OWN if key in found}),
        left=_noted({key: value for key, value in found.items() if _is_left(key, value)}),
        sampled=sampled if isinstance(sampled, bool) else None,
    )


def _value(key: str, value: Any, size: int) -> Any:
    try:
        return READERS[key].read(value, size)
    except _WrongError as wrong:
        wrong.key = key
        raise


def _is_left(key: str, value: Any) -> bool:
    """True if a key asks for what specviz does not do; an unknown one may."""
    if key in READERS or key in OWN or key in SILENT or not NAME.fullmatch(key):
        return False
    return value is not False and value not in (LEFT.get(key), [], {}, "")


def _ends(value: Any, size: int) -> frozenset[int]:
    """Ids that no token has end nothing, as in transformers."""
    ids = [] if value is None else value if isinstance(value, list) else [value]
    if not all(map(_is_whole, ids)):
        raise _WrongError(sentence("refusals.wanted.ends"))
    return frozenset(each for each in ids if 0 <= each < size)


def _number(low: float, high: float, *, whole: bool = False, above: bool = False) -> Callable[[Any, int], float]:
    allowed = Range(low, high, whole=whole, above=above)

    def read(value: Any, size: int) -> float:
        fits_type = _is_whole(value) or (isinstance(value, float) and not whole)
        if not fits_type or value not in allowed:
            raise _WrongError(allowed.wanted)
        return float(value) if isinstance(value, float) else int(value)

    return read


def _ids(value: Any, size: int) -> tuple[int, ...]:
    if not isinstance(value, list) or not all(_is_whole(each) and 0 <= each < size for each in value):
        raise _WrongError(sentence("refusals.wanted.ids", most=f"{size - 1:,}"))
    return tuple(value)


def _phrases(value: Any, size: int) -> tuple[tuple[int, ...], ...]:
    try:
        if isinstance(value, list) and [] not in value:
            return tuple(_ids(each, size) for each in value)
    except _WrongError:
        pass
    raise _WrongError(sentence("refusals.wanted.phrases", most=f"{size - 1:,}"))


def _biases(value: Any, size: int) -> tuple[tuple[tuple[int, ...], float], ...]:
    """If a phrase has two biases, the last counts."""
    try:
        biases = {_phrases([phrase], size)[0]: float(bias) for phrase, bias in value}
        if isinstance(value, list) and all(bias < math.inf for bias in biases.values()):
            return tuple(each for each in biases.items() if each[1])
    except (TypeError, ValueError, OverflowError):
        pass
    raise _WrongError(sentence("refusals.wanted.biases", most=f"{size - 1:,}"))


def _texts(value: Any, size: int) -> tuple[str, ...]:
    found = [value] if isinstance(value, str) else value
    if not isinstance(found, list) or len(found) > STRINGS or not all(map(_is_text, found)):
        raise _WrongError(sentence("refusals.wanted.strings", most=STRINGS, letters=LETTERS))
    return tuple(found)


def _is_text(value: object) -> bool:
    return (
        isinstance(value, str) and 0 < len(value) <= LETTERS and not any("\ud800" <= each <= "\udfff" for each in value)
    )


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


class _Reader(NamedTuple):
    """How a value is read, for a model of that many tokens, and the one at which its key is off."""

    read: Callable[[Any, int], Any]
    off: object


_COUNT = _Reader(_number(0, 10**6, whole=True), 0)
READERS: Mapping[str, _Reader] = {
    "repetition_penalty": _Reader(_number(0, 1_000, above=True), 1),
    "no_repeat_ngram_size": _COUNT,
    "bad_words_ids": _Reader(_phrases, ()),
    "sequence_bias": _Reader(_biases, ()),
    "suppress_tokens": _Reader(_ids, ()),
    "begin_suppress_tokens": _Reader(_ids, ()),
    "min_length": _COUNT,
    "min_new_tokens": _COUNT,
    "top_k": _COUNT,
    "top_p": _Reader(_number(0, 1), 1),
    "min_p": _Reader(_number(0, 1), 0),
    "typical_p": _Reader(_number(0, 1, above=True), 1),
    "stop_strings": _Reader(_texts, ()),
}
"""What specviz does."""
KNOWN = (*READERS, *OWN, *LEFT, ENDS, "do_sample")


class Holds(NamedTuple):
    """What holds in a run: a person's choices, and the file's where they are off.

    Attributes:
        config: the run's, filled in from the file.
        values: of the file, what no setting can say, by transformers' keys.
        recorded: for the trace; None if the file asks for nothing.
    """

    config: RunConfig
    values: Mapping[str, Any]
    recorded: Generation | None


def holds(config: RunConfig, asked: Asked) -> Holds:
    """What holds in a run with that config.

    Raises:
        ConfigError: the file cannot be obeyed, and the run is not to be plain.
    """
    if config.generation == "plain":
        left = {**_noted(asked.values), **asked.own, **asked.left}
        return Holds(config, {}, Generation({}, {}, left) if left else None)
    if asked.fault:
        raise asked.fault.with_traceback(None)
    usual = {setting.name: setting.default for setting in SETTINGS}
    held, replaced = dict(asked.values), dict[str, Any]()
    for key in SETTINGS_TOO:
        if key in held and getattr(config, key) not in (usual[key], held[key]):
            replaced[key] = held.pop(key)
    for name, key in (("min_new_tokens", "min_length"), ("bad_words", "bad_words_ids")):
        if getattr(config, name) and key in held:
            replaced[key] = held.pop(key)
    if asked.sampled is not None and asked.sampled != bool(config.temperature):
        replaced["do_sample"] = asked.sampled
    own = {key: value for key, value in asked.own.items() if getattr(config, key, None) != value} | _noted(replaced)
    recorded = Generation(_noted(held), own, asked.left) if held or own or asked.left else None
    filled = {key: held.pop(key) for key in SETTINGS_TOO if key in held}
    return Holds(replace(config, **filled), held, recorded)


def _noted(found: Mapping[str, Any]) -> dict[str, float | str]:
    """Values as a trace keeps them."""
    return {key: _shown(value) for key, value in [*found.items()][:SAID]}


def _shown(value: Any) -> float | str:
    if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e9:
        return value
    text = json.dumps(value)
    return text if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN]}…"
